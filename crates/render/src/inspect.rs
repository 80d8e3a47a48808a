//! Behind the buttons: the whole of a text, and how it came about.

use super::{card, limits, markdown, sources, text};
use domain::{Color, Embed, File, FileBody, Money, Numbered, Post, PromptVersion, StepKey};

/// All there is to say about one step.
#[derive(Clone, PartialEq, Debug)]
pub struct Inspection {
    /// The step that the card was made by.
    pub step: StepKey,
    /// What people call the card; the step's own key where it has no other name.
    pub title: String,
    /// The model that was asked.
    pub asked: String,
    /// The model the provider says answered.
    pub answered: String,
    /// Which prompt files it was made from.
    pub prompt_version: PromptVersion,
    /// Tokens in and out; `None` where the provider did not say.
    pub tokens: Option<u64>,
    /// Of these, read from the provider's cache.
    pub cached: u64,
    /// What it cost; `None` where the price is not known.
    pub cost: Option<Money>,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// How often it was tried.
    pub attempts: u32,
    /// `done`, `failed`.
    pub state: String,
    /// The request as it was sent, keys left out; `None`: neither it nor the reply is kept any more.
    pub request: Option<serde_json::Value>,
    /// The reply as it came.
    pub reply: String,
    /// Why the last attempt before it, or the step itself, failed.
    pub problem: Option<String>,
    /// Every attempt before the last, those of steps it stands in for too: who was asked what, what came back,
    /// and what was wrong with it.
    pub earlier: serde_json::Value,
    /// What the reply was read as.
    pub read: serde_json::Value,
}

/// A whole text, in as many posts as it takes. The title stands on the first.
#[must_use]
pub fn whole(title: &str, markdown: &str, pages: &[Numbered]) -> Vec<Post> {
    let most = limits::DESCRIPTION - 96;
    let mut parts = sources::below(markdown::parts(markdown, most), pages, most);
    if parts.is_empty() {
        parts.push("There is no more to it than the card shows.".to_owned());
    }
    let of = parts.len();
    let embed = |(place, description)| Embed {
        title: if place == 0 { text::label(title, card::NAME_ROOM) } else { String::new() },
        description,
        footer: if of > 1 { format!("{} of {of}", place + 1) } else { String::new() },
        ..Embed::default()
    };
    let posts = parts.into_iter().enumerate().map(embed).map(card::post);
    posts.flat_map(limits::fit).collect()
}

/// Instead of texts that were deleted.
const GONE: &str = "The request and the reply were deleted: this server keeps them only so long after a session has ended (`/settings show`). Attached: what the reply was read as.";

/// How a step came about, with request and reply as files.
#[must_use]
pub fn raw(inspection: &Inspection) -> Post {
    let Inspection { asked, answered, .. } = inspection;
    let who = if asked.ends_with(answered.as_str()) {
        text::label(asked, 200)
    } else {
        format!("asked {}, answered by {}", text::label(asked, 200), text::label(answered, 200))
    };
    let tokens = match inspection.tokens {
        Some(tokens) if inspection.cached > 0 => format!(
            "{} tokens, {} of them from the cache",
            card::thousands(tokens),
            card::thousands(inspection.cached)
        ),
        Some(tokens) => card::count(tokens, "token"),
        None => "not said by the provider".to_owned(),
    };
    let cost = inspection.cost.map_or_else(|| "unknown".to_owned(), |cost| cost.to_string());
    let seconds = inspection.millis / 1_000;
    let tenths = inspection.millis % 1_000 / 100;
    let mut embed = Embed {
        title: format!("🧾 {}", text::label(&inspection.title, 100)),
        description: match inspection.request {
            Some(_) => "Attached: the request and the reply as they were, and what the reply was read as.",
            None => GONE,
        }
        .to_owned(),
        color: Color::Neutral,
        fields: vec![
            card::field("Model", who),
            card::inline("Tokens", tokens),
            card::inline("Cost", cost),
            card::inline(
                "Time",
                format!("{seconds}.{tenths} s, {}", card::count(inspection.attempts, "attempt")),
            ),
            card::inline("State", text::label(&inspection.state, 60)),
            card::inline("Prompt", text::label(&inspection.prompt_version.0, 60)),
        ],
        ..Embed::default()
    };
    if inspection.title != inspection.step.as_str() {
        embed.fields.push(card::inline("Step", text::label(inspection.step.as_str(), 100)));
    }
    if let Some(problem) = &inspection.problem {
        embed.fields.push(card::field("What went wrong before", markdown::inline(problem, 500)));
    }
    let name = file_name(inspection.step.as_str());
    let json = serde_json::from_str::<serde_json::Value>(inspection.reply.trim()).is_ok();
    let file = |name: String, alt: &str, body: &str| File {
        name,
        alt: alt.to_owned(),
        body: FileBody::Text(body.to_owned()),
    };
    let pretty = |value: &serde_json::Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let mut files = Vec::new();
    if let Some(request) = &inspection.request {
        let ending = if json { "json" } else { "md" };
        files.push(file(format!("{name}-request.json"), "The request as it was sent", &pretty(request)));
        files.push(file(format!("{name}-reply.{ending}"), "The model's reply as it came", &inspection.reply));
    }
    files.push(file(format!("{name}-read.json"), "What the reply was read as", &pretty(&inspection.read)));
    if inspection.earlier.as_array().is_some_and(|earlier| !earlier.is_empty()) {
        files.push(file(
            format!("{name}-earlier.json"),
            "Every attempt before it",
            &pretty(&inspection.earlier),
        ));
    }
    Post { embeds: vec![embed], files, ..Post::default() }
}

/// Further calls behind a card, too many to be shown one by one: a file with all of them.
#[must_use]
pub fn further(card: &StepKey, calls: usize, listed: &serde_json::Value) -> Post {
    let name = format!("{}-further.json", file_name(card.as_str()));
    let embed = Embed {
        title: format!("🧾 {}", card::count(calls, "further call")),
        description: "Attached: each with its model, tokens, cost, time and reply, and what that was read as. Their requests are left out, for each repeats the document."
            .to_owned(),
        color: Color::Neutral,
        ..Embed::default()
    };
    let file = File {
        name,
        alt: "The calls that are not shown one by one".to_owned(),
        body: FileBody::Text(serde_json::to_string_pretty(listed).unwrap_or_default()),
    };
    Post { embeds: vec![embed], files: vec![file], ..Post::default() }
}

/// A step's key as the name of a file.
fn file_name(step: &str) -> String {
    let spell = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' };
    step.chars().map(spell).collect()
}
