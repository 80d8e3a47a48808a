//! A vote, as people see it.

use super::{card, text};
use crate::domain::{
    ButtonStyle, CustomId, Draft, Electorate, Embed, Modal, Pings, Post, Row, Select, SelectOption,
    SessionId, Tally, TextInput, Vote, VoteState,
};

/// The panel that people vote on.
#[must_use]
pub fn panel(session: &SessionId, vote: &Vote) -> Post {
    let solutions = vote.solutions.iter().map(|s| format!("{} {}", s.id, text::label(&s.title, 100)));
    let state = match &vote.state {
        VoteState::Open => format!("Open until <t:{}:R>.", vote.deadline),
        VoteState::Closed(_) => "Closed.".to_owned(),
    };
    let description = format!(
        "{}\n{}\n{} voted. {state}",
        text::label(&vote.question, 200),
        solutions.collect::<Vec<_>>().join("\n"),
        vote.ballots.len(),
    );
    let embed = Embed { title: "🗳️ Your vote".to_owned(), description, ..Embed::default() };
    let mut post = card::post(embed);
    if vote.state == VoteState::Open {
        let id = CustomId::new(session, "vote_all");
        post.rows = vec![
            select(id, "All 10 points to…", vote),
            Row::Buttons(vec![
                card::button(
                    CustomId::new(session, "vote_spread"),
                    "Spread points",
                    "🎚️",
                    ButtonStyle::Primary,
                ),
                card::button(CustomId::new(session, "propose"), "Propose", "💡", ButtonStyle::Secondary),
                card::button(CustomId::new(session, "vote_close"), "Close", "🔒", ButtonStyle::Secondary),
            ]),
        ];
    }
    post
}

fn select(id: CustomId, placeholder: &str, vote: &Vote) -> Row {
    let options = vote.solutions.iter().map(|s| SelectOption {
        label: format!("{} {}", s.id, text::plain(&s.title, 80)),
        value: s.id.0.to_string(),
        description: String::new(),
    });
    Row::Select(Select { id, placeholder: placeholder.to_owned(), options: options.collect(), range: (1, 1) })
}

/// The private panel on which somebody spreads points.
#[must_use]
pub fn spread(session: &SessionId, vote: &Vote, draft: &Draft) -> Post {
    let description = format!("{}\n{} left", draft.lines(), draft.left());
    let id =
        |verb: &str, argument: String| CustomId { session: session.clone(), verb: verb.to_owned(), argument };
    let change = |draft: Draft, tag: &str| id("spread", format!("{}/{tag}", draft.arg()));
    let mut post =
        card::post(Embed { title: "Spread 10 points".to_owned(), description, ..Embed::default() });
    let second = ButtonStyle::Secondary;
    post.rows = vec![
        select(id("spread_pick", draft.arg()), "Choose a solution", vote),
        Row::Buttons(vec![
            card::button(change(draft.minus(), "minus"), "1 less", "➖", second),
            card::button(change(draft.plus(), "plus"), "1 more", "➕", second),
            card::button(change(draft.rest(), "rest"), "All that is left", "⏫", second),
        ]),
        Row::Buttons(vec![
            card::button(id("spread_type", draft.arg()), "Type them", "⌨️", second),
            card::button(id("spread_cast", draft.arg()), "Cast", "🗳️", ButtonStyle::Success),
        ]),
    ];
    post
}

fn input(id: &str, label: &str, value: String, paragraph: bool, max: u16) -> TextInput {
    TextInput {
        id: id.to_owned(),
        label: label.to_owned(),
        placeholder: String::new(),
        value,
        paragraph,
        required: id != "description",
        max,
    }
}

/// The form in which somebody types points.
#[must_use]
pub fn typed_form(session: &SessionId, _vote: &Vote, draft: &Draft) -> Modal {
    let inputs = vec![input("points", "Points, a solution a line", draft.lines(), true, 400)];
    Modal { id: CustomId::new(session, "spread_typed"), title: "Type your points".to_owned(), inputs }
}

/// The form in which somebody proposes a solution.
#[must_use]
pub fn propose_form(session: &SessionId) -> Modal {
    let title = input("title", "In a few words", String::new(), false, 100);
    let description = input("description", "What, how and why", String::new(), true, 1_000);
    let id = CustomId::new(session, "propose_sent");
    Modal { id, title: "Propose a solution".to_owned(), inputs: vec![title, description] }
}

/// Reminds those who have not voted.
#[must_use]
pub fn reminder(_session: &SessionId, vote: &Vote) -> Post {
    let missing = |id| !vote.ballots.iter().any(|ballot| ballot.voter == id);
    let mut pings = Pings::default();
    match &vote.rules.electorate {
        Electorate::Everyone => {}
        Electorate::Role(role) => pings.roles.push(*role),
        Electorate::Named(members) => pings.users = members.iter().copied().filter(|m| missing(*m)).collect(),
    }
    let named = pings.users.iter().map(|user| format!("<@{user}>"));
    let named: Vec<String> = named.chain(pings.roles.iter().map(|role| format!("<@&{role}>"))).collect();
    let content = format!("⏰ The vote closes <t:{}:R>. {}", vote.deadline, named.join(" "));
    Post { content, pings: if vote.rules.ping { pings } else { Pings::default() }, ..Post::default() }
}

/// Experts and team side by side.
#[must_use]
pub fn result(_session: &SessionId, vote: &Vote) -> Vec<Post> {
    let tally = Tally::count(vote);
    let lines = vote.solutions.iter().zip(&tally.team.points).map(|(s, points)| format!("{} {points}", s.id));
    let description = format!("{}\n{} voted", lines.collect::<Vec<_>>().join("\n"), vote.ballots.len());
    vec![card::post(Embed { title: "📊 Result".to_owned(), description, ..Embed::default() })]
}

/// Asked privately before somebody closes the vote.
#[must_use]
pub fn confirm_close(session: &SessionId, _vote: &Vote) -> Post {
    let id = CustomId::new(session, "vote_close_sure");
    let mut post = card::post(Embed { title: "Close the vote now?".to_owned(), ..Embed::default() });
    post.rows = vec![Row::Buttons(vec![card::button(id, "Yes, close it", "🔒", ButtonStyle::Danger)])];
    post
}
