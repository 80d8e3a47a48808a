//! The live card at the top of a session's thread.

use super::{beginning, budget, came_out, card, markdown, sequel, text};
use domain::{
    Action, Brings, ButtonStyle, CameOut, Color, CustomId, Does, Embed, Failing, Field, Grant, Ledger, Modal,
    ModelName, Offer, Opens, Post, Row, Said, SessionId, SessionState, StatedQuestion, Status, TextInput,
    Vote, VoteState, Waiting, Writing, short_model,
};

/// The card as it stands now. It shows times by Discord's own relative timestamps, so it needs no edit merely
/// because time passes.
#[must_use]
pub fn card(session: &SessionId, status: &Status) -> Post {
    let (color, state) = match &status.came_out {
        // It is over for the models, and not yet for the team.
        Some(CameOut { vote: Vote { state: VoteState::Open, .. }, .. }) => {
            (Color::Active, "✅ Done, the vote is open")
        }
        _ => state(status.state),
    };
    let mut description = format!("**{state}** · {}", when(status));
    let standing = status.came_out.as_ref().map_or_else(|| phase(status), came_out::said);
    if !standing.is_empty() {
        description = format!("{description}\n{standing}");
    }
    if let Some(from) = &status.goes_on_from {
        description = format!("{description}\n{}", sequel::goes_on_from(from));
    }
    if let Some(about) = &status.about {
        description = format!("{description}\n{}", beginning::about(about));
    }
    if let Some(waiting) = &status.waiting {
        description = format!("{description}\n\n{}", waits_for(waiting));
    }
    if let Some(notice) = &status.notice {
        description = format!("{description}\n\n{}", markdown::short(notice, 700));
    }
    if let Some(untaken) = super::notices::given_up(status.untaken) {
        description = format!("{description}\n\n{untaken}");
    }
    if let Some(until) = status.thread_late {
        description = format!("{description}\n\n{}", super::notices::late_thread(until));
    }
    let mut fields: Vec<Field> = status.question.as_ref().and_then(question).into_iter().collect();
    if !status.state.is_final() {
        fields.extend(offer(&status.offer));
        if !status.thinking.is_empty() {
            fields.push(card::field("💭 Thinking", seats(&status.thinking)));
        }
        fields.extend(failing(&status.failing));
        fields.extend(status.writing.as_ref().map(writing));
        if !status.answered.is_empty() {
            fields.push(card::field("✅ Answered", seats(&status.answered)));
        }
    }
    fields.extend(status.came_out.iter().flat_map(came_out::fields));
    // Once there is something to read, what it took stands below; not what has to be explained of it.
    let used = used(&status.ledger);
    let (below, explained) = match &status.came_out {
        Some(_) if !used.contains('\n') => (format!(" · {used}"), None),
        _ => (String::new(), Some(used)),
    };
    fields.extend(explained.map(|used| card::field("Used so far", used)));
    if !status.added.is_empty() {
        fields.push(card::field("💵 Budget added", budget::lines(&status.added)));
    }
    if status.came_out.is_none() || status.one_model {
        fields.push(card::field("Models", models(status)));
    }
    let effort = status.effort.map(|effort| format!(" · {}", effort.as_str())).unwrap_or_default();
    let mut footer = format!("{}{effort} · session {session}{below}", status.protocol);
    if status.restarts > 0 {
        footer =
            format!("{footer} · went on after {}, nothing lost", card::count(status.restarts, "restart"));
    }
    let embed = Embed {
        title: text::label(&status.title, card::NAME_ROOM),
        description,
        color,
        fields,
        footer,
        ..Embed::default()
    };
    Post { embeds: vec![embed], rows: buttons(session, status), ..Post::default() }
}

/// The same at the thread's end, where it took the place of an earlier one that Discord lets be edited no longer.
#[must_use]
pub fn card_in_place(session: &SessionId, status: &Status) -> Post {
    let content =
        "-# Discord no longer lets me change the card above, for it is old. This one goes on in its place.";
    Post { content: content.to_owned(), ..card(session, status) }
}

/// A state's colour, and the same with emoji and words.
pub(super) fn state(state: SessionState) -> (Color, &'static str) {
    match state {
        SessionState::Running => (Color::Active, "▶️ Running"),
        SessionState::Paused => (Color::Caution, "⏸️ Paused"),
        SessionState::Waiting => (Color::Active, "⏳ Waiting for an answer"),
        SessionState::Done => (Color::Good, "✅ Done"),
        SessionState::Failed => (Color::Danger, "❌ Failed"),
        SessionState::Cancelled => (Color::Neutral, "⏹️ Cancelled"),
        SessionState::Parked => (Color::Caution, "🅿️ Parked after an upgrade"),
    }
}

/// Whose calls fail and are tried again, how often and since when; a single failure is nothing to tell.
fn failing(all: &[Failing]) -> Option<Field> {
    let told = all.iter().filter(|failing| failing.times > 1);
    let lines: Vec<String> = told
        .map(|failing| {
            let (who, since) = (text::label(&failing.who, 60), failing.since);
            format!("**{who}**: {} times, the first <t:{since}:R>", failing.times)
        })
        .collect();
    (!lines.is_empty()).then(|| {
        card::field("🔁 Calls fail and are tried again", card::lines(&lines, card::FIELD_ROOM, "like these."))
    })
}

/// What has to be decided, and whose words that is in.
fn question(stated: &StatedQuestion) -> Option<Field> {
    let text = text::label(stated.text.as_ref()?, 400);
    let whose = match (&stated.changed_by, stated.open) {
        (Some(name), _) => format!("\n-# As {} put it.", text::label(name, 60)),
        (None, true) => {
            "\n-# As a model put it. Whoever started this can change it until the others are read.".to_owned()
        }
        (None, false) => "\n-# As a model put it.".to_owned(),
    };
    Some(card::field("❓ To decide", format!("{text}{whose}")))
}

/// The last words of an answer that is still coming, or how much of it there is. Nobody has looked at it yet, and it says
/// so.
fn writing(Writing { who, said }: &Writing) -> Field {
    let who = text::label(who, 60);
    match said {
        Said::Words(words) => card::field(
            format!("✍️ {who} · a draft, unchecked"),
            format!("{} …", markdown::inline(&without_torn_link(words), 400)),
        ),
        Said::Thought(0) => card::field(format!("🤔 {who}"), "Still thinking it over."),
        Said::Thought(tokens) => {
            card::field(format!("🤔 {who}"), format!("Still thinking it over: {} so far.", about(*tokens)))
        }
        Said::Unchecked(tokens) => card::field(
            format!("✍️ {who}"),
            format!("Writing: {} so far. It is shown once it is checked.", about(*tokens)),
        ),
    }
}

/// Words that may begin or end within a link, which would then be read as it was written: without its address.
fn without_torn_link(words: &str) -> String {
    let begun = words.split_once("](").filter(|(before, _)| !before.contains('['));
    let words = begun.map_or_else(
        || words.to_owned(),
        |(before, after)| format!("{before}{}", after.split_once(')').map_or("", |(_, rest)| rest)),
    );
    // Its end has not come yet.
    match words.rsplit_once("](").filter(|(_, address)| !address.contains([')', ' '])) {
        Some((before, _)) => before.to_owned(),
        None => words,
    }
}

/// `about 1.2k tokens`: nobody has counted them.
fn about(tokens: u64) -> String {
    format!("about {} tokens", card::tokens(i64::try_from(tokens).unwrap_or(i64::MAX)))
}

/// What may be missed, and who has seen to it.
fn offer(offer: &Offer) -> Option<Field> {
    let said = match offer {
        Offer::None => return None,
        Offer::Open => "A model thinks that what this hangs on is not what these modules look at. **Choose fitting specialists** has others join them; until round 1 has ended.".to_owned(),
        Offer::Taken(by) => {
            format!("As {} wished, fitting specialists join after round 1.", text::label(by, 60))
        }
    };
    Some(card::field("🪑 Do these modules fit?", said))
}

fn when(status: &Status) -> String {
    match status.ended {
        Some(ended) => format!(
            "started <t:{}:f>, took {}",
            status.started,
            card::duration(ended.saturating_sub(status.started))
        ),
        None => format!("started <t:{}:R>", status.started),
    }
}

/// `▰▰▱▱ Round 2 of 4 · revision`, or nothing before the first phase.
fn phase(status: &Status) -> String {
    let phase = &status.phase;
    if phase.number == 0 && phase.title.is_empty() {
        return String::new();
    }
    if phase.number == 0 && status.protocol.words().prelude {
        return text::label(&phase.title, 160);
    }
    let of = phase.of.clamp(1, 20);
    let done = phase.number.min(of);
    let bar: String = (0..of).map(|place| if place < done { '▰' } else { '▱' }).collect();
    let title = text::label(&phase.title, 160);
    let separator = if title.is_empty() { "" } else { " · " };
    format!("{bar} Step {} of {}{separator}{title}", phase.number, phase.of.max(phase.number))
}

/// Whom it waits for, and until when.
pub(super) fn waits_for(waiting: &Waiting) -> String {
    let who = match waiting.grant {
        Grant::Everyone => "anybody here".to_owned(),
        Grant::Starter => format!("{} or a moderator", text::label(&waiting.starter, 100)),
        Grant::Role(role) => format!("somebody with the role <@&{role}> or a moderator"),
    };
    let terms = waiting.kind.terms();
    format!(
        "Waits for {who} to press **{}** under {}. Nothing is spent meanwhile; if nobody does, it ends <t:{}:R>.",
        terms.button, terms.under, waiting.until
    )
}

/// `Popper, Kant (deeper) ×3`: each once, with how often where that is more.
fn seats(titles: &[String]) -> String {
    let mut counted: Vec<(&String, usize)> = Vec::new();
    for title in titles {
        match counted.iter_mut().find(|(known, _)| *known == title) {
            Some((_, times)) => *times += 1,
            None => counted.push((title, 1)),
        }
    }
    let label = |(title, times): (&String, usize)| match times {
        1 => text::label(title, 60),
        more => format!("{} ×{more}", text::label(title, 60)),
    };
    let titles: Vec<String> = counted.into_iter().map(label).collect();
    let mut shown = String::new();
    for (place, title) in titles.iter().enumerate() {
        if text::length(&shown) + text::length(title) > card::FIELD_ROOM - 30 {
            return format!("{shown} and {} more", titles.len() - place);
        }
        shown = if shown.is_empty() { title.clone() } else { format!("{shown}, {title}") };
    }
    shown
}

/// `12 of 60 calls · 18k of 400k tokens · $0.08 of $2.00`.
pub(super) fn used(ledger: &Ledger) -> String {
    let calls = if ledger.calls_cap > 0 {
        format!("{} of {} calls", ledger.calls.max(0), ledger.calls_cap)
    } else {
        card::count(ledger.calls.max(0), "call")
    };
    let tokens = if ledger.tokens_cap > 0 {
        format!("{} of {} tokens", card::tokens(ledger.tokens), card::tokens(ledger.tokens_cap))
    } else {
        format!("{} tokens", card::tokens(ledger.tokens))
    };
    let mut line = format!("{calls} · {tokens} · {}", cost(ledger));
    if ledger.lost_calls > 0 {
        let they = if ledger.lost_calls == 1 { "it" } else { "they" };
        line = format!(
            "{line}\n{} cut off by a crash or a broken connection; {they} may have been billed all the same.",
            card::count(ledger.lost_calls, "call")
        );
    }
    if ledger.uncounted_calls > 0 {
        let they = if ledger.uncounted_calls == 1 { "it" } else { "they" };
        line = format!(
            "{line}\n{} whose use nobody told: charged at the most {they} can have cost.",
            card::count(ledger.uncounted_calls, "call")
        );
    }
    line
}

/// The cost, never flattered: unknown is said to be unknown, a lower bound to be one.
pub(super) fn cost(ledger: &Ledger) -> String {
    let cap = if ledger.cost_cap.0 > 0 { format!(" of {}", ledger.cost_cap) } else { String::new() };
    match ledger.unpriced_calls {
        unpriced if unpriced <= 0 => format!("{}{cap}", ledger.cost.short()),
        _ if ledger.cost.0 == 0 => "cost unknown".to_owned(),
        unpriced => {
            format!(
                "at least {}{cap}, {} without a known price",
                ledger.cost.short(),
                card::count(unpriced, "call")
            )
        }
    }
}

fn models(status: &Status) -> String {
    let names: Vec<String> = status
        .models
        .iter()
        .map(|name| {
            name.parse().map_or_else(|_| short_model(name).to_owned(), |model: ModelName| model.shown())
        })
        .collect();
    let mut shown = seats(&names);
    if shown.is_empty() {
        "none yet".clone_into(&mut shown);
    }
    if status.one_model {
        shown = format!("{shown}\n{}", status.protocol.words().one_model);
    }
    shown
}

fn buttons(session: &SessionId, status: &Status) -> Vec<Row> {
    let of =
        |does: Action, label, emoji, style| card::button(CustomId::new(session, does), label, emoji, style);
    if status.state.is_final() {
        let go_on = || of(Does::GoOn.into(), "Follow-up as…", "➡️", ButtonStyle::Secondary);
        let last = (status.state == SessionState::Done).then(go_on);
        let whole = status.came_out.as_ref().map(|_| {
            of(Does::Result.into(), status.protocol.words().result.label, "📖", ButtonStyle::Primary)
        });
        let again = card::try_again(session);
        let again = (status.state == SessionState::Failed || status.untaken > 0).then_some(again);
        let first = [
            of(Does::Export.into(), "Export", "📄", ButtonStyle::Secondary),
            of(Does::Audit.into(), "Audit", "🔬", ButtonStyle::Secondary),
        ];
        return vec![Row::Buttons(again.into_iter().chain(whole).chain(first).chain(last).collect())];
    }
    let waiting = status.state == SessionState::Waiting;
    let mut buttons = Vec::new();
    match status.state {
        SessionState::Paused if status.spent => {
            buttons.push(of(Opens::AddBudget.into(), "Add budget", "💵", ButtonStyle::Success));
        }
        SessionState::Paused => buttons.push(of(Does::Resume.into(), "Resume", "▶️", ButtonStyle::Success)),
        // Nothing runs that could be paused; what it waits for has buttons of its own.
        SessionState::Waiting => {}
        _ => buttons.push(of(Does::Pause.into(), "Pause", "⏸️", ButtonStyle::Secondary)),
    }
    if status.protocol.words().brings == Brings::Evidence {
        buttons.push(of(Opens::Evidence.into(), "Add evidence", "📎", ButtonStyle::Primary));
        // Before the start the proposition itself can be edited.
        if !waiting {
            buttons.push(of(Opens::Clarify.into(), "Clarify", "❔", ButtonStyle::Secondary));
        }
    } else {
        buttons.push(of(Opens::Context.into(), "Add context", "➕", ButtonStyle::Primary));
    }
    if status.question.as_ref().is_some_and(|question| question.open) {
        buttons.push(of(Opens::Reword.into(), "Change the question", "✏️", ButtonStyle::Secondary));
    }
    if status.offer == Offer::Open {
        buttons.push(of(
            Does::ChooseModules.into(),
            "Choose fitting specialists",
            "🪑",
            ButtonStyle::Secondary,
        ));
    }
    buttons.push(of(Does::Cancel.into(), "Cancel", "⏹️", ButtonStyle::Danger));
    let tell = of(Does::TellMe.into(), "Tell me when it is done", "🔔", ButtonStyle::Secondary);
    vec![Row::Buttons(buttons), Row::Buttons(vec![tell])]
}

/// The form behind *Change the question*, filled with the question as it stands.
#[must_use]
pub fn question_form(session: &SessionId, question: &str) -> Modal {
    Modal {
        id: CustomId::new(session, Does::Reworded),
        title: "What has to be decided".to_owned(),
        inputs: vec![
            TextInput {
                id: "question".to_owned(),
                label: "In one sentence; it titles the vote".to_owned(),
                placeholder: "Should we open the bakery on Sundays from next spring?".to_owned(),
                value: text::clean_line(question),
                paragraph: true,
                required: true,
                // More than it may have, so that one too long gets a sentence about it.
                max: 400,
            }
            .into(),
        ],
    }
}

/// The form behind *Add context*.
#[must_use]
pub fn context_form(session: &SessionId) -> Modal {
    Modal {
        id: CustomId::new(session, Does::Note),
        title: "Add context".to_owned(),
        inputs: vec![
            TextInput {
                id: "note".to_owned(),
                label: "What should the panel know?".to_owned(),
                placeholder:
                    "Facts, constraints, numbers. It is read from the next step on, quoted as yours."
                        .to_owned(),
                value: String::new(),
                paragraph: true,
                required: true,
                max: 2_000,
            }
            .into(),
        ],
    }
}
