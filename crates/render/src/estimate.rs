//! What a session will take, told before it starts, and confirmed by somebody where it takes much.

use super::{card, confirmation, critique, limits, pictures, text};
use domain::{Brief, Color, Document, Embed, Estimate, Field, Post, Row, SessionId, Standing, WaitKind};

/// Where its figures are from, and how far off they may be.
const MEASURED: &str = "By sessions measured before: this one may take half as much or twice as much. Where models think, all their \
                        room for that is counted.";

/// The estimate about which somebody is asked: with buttons while it waits for a *Go*.
#[must_use]
pub fn estimate(session: &SessionId, brief: &Brief, estimate: &Estimate, standing: &Standing) -> Post {
    let of = (brief.document(), &*options(brief));
    if let Some((color, state)) = confirmation::closed(WaitKind::Estimate, &standing.outcome) {
        return panel(of, estimate, color, &state, Vec::new());
    }
    let smaller = if estimate.smaller.is_some() { "**Smaller** to ask for less, " } else { "" };
    let state = format!(
        "⏳ I ask first, because {}. Press **Go** to begin, {smaller}**Options** to change effort, model, vote and the rest, or **Cancel** to end it. I wait for a day, then \
         I end the session; until then nothing is spent.",
        card::listed(&why(estimate))
    );
    let mut buttons = confirmation::buttons(session, WaitKind::Estimate, Some(standing.revision));
    if let (Row::Buttons(buttons), None) = (&mut buttons, &estimate.smaller) {
        buttons.remove(0);
    }
    panel(of, estimate, Color::Active, &state, vec![buttons])
}

/// The estimate where nobody has to be asked; shown all the same where there is a document.
#[must_use]
pub fn told(document: Option<&Document>, estimate: &Estimate) -> Post {
    let time = if estimate.measured { "" } else { ", a guess" };
    let cost =
        estimate.cost.map_or_else(|| "cost unknown".to_owned(), |cost| format!("about {}", cost.short()));
    let calls = if estimate.reading.is_some() { "At most" } else { "About" };
    let takes = format!(
        "**{calls} {}, and some repeats · about {} tokens · {cost} · about {} min{time}**\n{MEASURED}",
        card::count(estimate.calls, "call"),
        card::tokens(estimate.tokens.try_into().unwrap_or(i64::MAX)),
        estimate.minutes.max(1),
    );
    let how = estimate.reading.as_ref().map(critique::read_so);
    let seen = estimate.pictures.as_ref().map(pictures::goes);
    let description = how.into_iter().chain(seen).chain([takes]).collect::<Vec<_>>().join("\n");
    let fields: Vec<Field> = short_of(document, estimate);
    limits::one(card::post(Embed {
        title: title("What it takes", document),
        description,
        color: if fields.is_empty() { Color::Neutral } else { Color::Caution },
        fields,
        ..Embed::default()
    }))
}

/// One post whatever is in it, for it is edited in place.
fn panel(
    (document, options): (Option<&Document>, &str),
    estimate: &Estimate,
    color: Color,
    state: &str,
    rows: Vec<Row>,
) -> Post {
    let cost = estimate.cost.map_or_else(
        || "unknown, for the price of a model is not known".to_owned(),
        |cost| format!("about {}, and less where a provider keeps what is sent again", cost.short()),
    );
    let how = if estimate.measured {
        "by calls measured here"
    } else {
        "a guess, for no call was measured here yet"
    };
    let calls = if estimate.reading.is_some() { "at most" } else { "about" };
    let mut takes = vec![
        format!(
            "**Calls:** {calls} {}, and a few more where an answer has to be asked for again",
            card::thousands(estimate.calls.into())
        ),
        format!("**Tokens:** about {}", card::tokens(estimate.tokens.try_into().unwrap_or(i64::MAX))),
        format!("**Cost:** {cost}"),
        format!("**Time:** about {} min, {how}", card::thousands(estimate.minutes.max(1).into())),
        format!("**How sure:** {MEASURED}"),
    ];
    takes.extend(estimate.pictures.as_ref().map(|seen| format!("**Pictures:** {}", pictures::goes(seen))));
    takes.extend(
        estimate.effort.map(|effort| format!("**Effort:** {}, {}", effort.as_str(), effort.meaning())),
    );
    // Of a critique, what it reads says all of it.
    let plain = estimate.reading.is_none() && !options.is_empty();
    takes.extend(plain.then(|| format!("**Options:** {options}")));
    let usual = estimate.usual_modules.then(|| "**Modules:** the usual ones instead of a choice".to_owned());
    takes.extend(usual);
    let without = Some(&estimate.without).filter(|modules| !modules.is_empty());
    takes.extend(without.map(|modules| format!("**Left out:** {}", card::modules(modules))));
    let reading = estimate.reading.as_ref();
    takes.extend(reading.map(|reading| format!("**Depth:** {}", critique::depth(reading))));
    let what = reading.map(|_| format!("{}\n\n", critique::WHAT)).unwrap_or_default();
    let description = format!("{what}{}", takes.join("\n"));
    let mut fields = short_of(document, estimate);
    fields.extend(reading.zip(document).map(|(reading, document)| critique::map(document, reading)));
    fields.push(card::field("What now", state));
    let title = title("Before it starts", document);
    let embed = Embed { title, description, color, fields, ..Embed::default() };
    limits::one(Post { embeds: vec![embed], rows, ..Post::default() })
}

/// What is chosen with its command alone, as it is typed there.
fn options(brief: &Brief) -> String {
    let chosen = brief.own_options().into_iter().filter_map(|(name, value)| match &*value {
        "" | "no" => None,
        "yes" if name.is_switch() => Some(format!("`{}`", name.as_str())),
        value => Some(format!("`{}: {value}`", name.as_str())),
    });
    chosen.collect::<Vec<_>>().join(", ")
}

/// What falls short of what was asked for or of what is in the document.
fn short_of(document: Option<&Document>, estimate: &Estimate) -> Vec<Field> {
    let less = estimate.reading.as_ref().map(critique::less).unwrap_or_default();
    less.into_iter().chain(document.map(critique::omissions).unwrap_or_default()).collect()
}

fn title(what: &str, document: Option<&Document>) -> String {
    match document {
        Some(document) => format!("🧮 {what} · {}", text::label(&document.name, 100)),
        None => format!("🧮 {what}"),
    }
}

/// Why somebody is asked.
fn why(estimate: &Estimate) -> Vec<String> {
    let mut why = Vec::new();
    let reading = estimate.reading.as_ref();
    if reading.is_some() && estimate.calls > Estimate::CALLS_WITHOUT_ASKING {
        why.push(format!("it takes more than {} calls", Estimate::CALLS_WITHOUT_ASKING));
    }
    why.extend(reading.map(critique::why).unwrap_or_default());
    if estimate.wished {
        why.push("somebody wanted to see this first".to_owned());
    } else if why.is_empty() {
        why.push("it may take more than half of what a session may use".to_owned());
    }
    why
}
