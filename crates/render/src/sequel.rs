//! What a session left open, for whoever wants to go on with it; and the card that names the session that does.

use super::{card, text};
use domain::{
    CustomId, Does, Embed, GoesOnFrom, Left, LeftOpen, Post, Row, Select, SelectOption, Sequel, SessionId,
    Solution,
};

/// Most characters of an option's label and of its description (Discord takes 100 of each).
const OPTION: usize = 100;

/// The choice of what to go on with. One session is begun by it at once.
#[must_use]
pub fn choice(session: &SessionId, offered: &[LeftOpen]) -> Post {
    let select = Select {
        id: CustomId::new(session, Does::GoOnWith),
        placeholder: "Go on with…".to_owned(),
        options: offered.iter().map(option).collect(),
        range: (1, 1),
    };
    let embed = Embed {
        title: "➡️ Follow-up as…".to_owned(),
        description: "Choose what to go on with. It starts at once, in a new thread of this channel: a session that has read this one's record. Both threads link to one another."
            .to_owned(),
        ..Embed::default()
    };
    Post { rows: vec![Row::Select(select)], ..card::post(embed) }
}

fn option(left: &LeftOpen) -> SelectOption {
    let protocol = left.left.protocol();
    let whole = if matches!(left.left, Left::Whole(_)) { " on the whole" } else { "" };
    let said = if left.said.is_empty() { protocol.words().purpose } else { &left.said };
    SelectOption {
        label: text::cut(&format!("/{protocol}{whole}: {}", text::clean_line(&left.topic)), OPTION),
        value: left.left.spelled(),
        description: text::cut(&text::clean_line(said), OPTION),
    }
}

/// The card in the thread of the session that left something open.
#[must_use]
pub fn card(sequel: &Sequel) -> Post {
    let thread = match sequel.thread {
        Some(thread) => format!("It is in <#{thread}>."),
        None => "Its thread opens in a moment.".to_owned(),
    };
    let title = text::label(&sequel.title, 200);
    card::post(Embed {
        title: format!("➡️ Goes on as a /{}", sequel.protocol),
        description: format!("**{title}**\n{thread}"),
        footer: format!("session {}", sequel.session),
        ..Embed::default()
    })
}

/// The line on the card of a session that goes on with what another left open.
pub(super) fn goes_on_from(from: &GoesOnFrom) -> String {
    format!("➡️ Goes on from <#{}>: {}", from.thread, text::label(&from.topic, 200))
}

/// A solution as a text of its own, for those who examine it.
#[must_use]
pub fn solution_text(solution: &Solution, question: &str) -> String {
    let mut text = format!("# {}\n\n{}\n", solution.title.trim(), solution.description.trim());
    for sharper in &solution.provenance.sharper {
        text = format!("{text}\n{}: {}\n", sharper.topic.trim(), sharper.text.trim());
    }
    if !solution.raised_by.is_empty() {
        text = format!("{text}\nRaised by: {}\n", solution.raised_by.join(", "));
    }
    format!("{text}\n## What it is to answer\n\n{}\n", question.trim())
}

#[cfg(test)]
mod tests {
    use super::{
        super::{bell, status, support::shown},
        *,
    };
    use crate::sample::{self, mediate::running, session};
    use domain::{ChannelId, OpenMatter, OpenMatters, Protocol, SessionState, Status, UserId};

    /// What can be chosen, the card in the first thread, and the live card of the new session.
    #[test]
    fn a_session_that_goes_on_with_another() {
        let matter = |topic: &str, said: &str| OpenMatter { topic: topic.into(), said: said.into() };
        let matters = OpenMatters {
            conflicts: vec![matter(
                "What riders cost",
                "Market wants low fees, Cost cannot pay riders from them.",
            )],
            facts: vec![matter("The town forbids **mopeds** @here", "")],
        };
        let solutions = sample::mediate::solutions();
        let offered = LeftOpen::of((Protocol::Mediate, "Do we build it?"), matters, &solutions);
        let named = |thread| Sequel {
            session: session(),
            protocol: Protocol::Debate,
            title: "What riders cost: *Market* wants low fees".into(),
            thread,
        };
        let from =
            GoesOnFrom { session: session(), thread: ChannelId(4242), topic: "What *riders* cost".into() };
        let begun = status::card(&session(), &Status { goes_on_from: Some(from), ..running() });
        let cards =
            [choice(&session(), &offered), card(&named(None)), card(&named(Some(ChannelId(77)))), begun];
        insta::assert_snapshot!("sequel", shown(&cards));
        insta::assert_snapshot!("sequel_solution", solution_text(&solutions[0], "Do we build it?"));
    }

    #[test]
    fn a_ping_names_those_who_asked_for_it_and_nobody_else() {
        let told = [UserId(1), UserId(2)];
        for state in [
            SessionState::Done,
            SessionState::Waiting,
            SessionState::Paused,
            SessionState::Failed,
            SessionState::Cancelled,
            SessionState::Parked,
        ] {
            let ping = bell::ping(&told, &Status { state, ..running() });
            assert!(ping.content.starts_with("🔔 <@1> <@2> it "), "{}", ping.content);
            assert_eq!((&ping.pings.users[..], ping.pings.roles.len()), (&told[..], 0));
        }
        let many: Vec<UserId> = (0..60).map(|n| UserId(u64::MAX - n)).collect();
        assert!(bell::ping(&many, &running()).content.chars().count() <= 2_000);
    }
}
