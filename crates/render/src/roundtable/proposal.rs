//! The gatekeeper's proposal: the question, what it hangs on, and who should look at it.

use std::collections::BTreeMap;

use super::super::{card, confirmation, decision, limits, markdown, text};
use domain::{
    ButtonStyle, Color, CustomId, Does, EXPERTS, Embed, Field, Input, Modal, Opens, Post, Proposal, Role,
    Row, SessionId, Standing, StepKey, TextInput, WaitKind,
};

/// The step that made the proposal, behind *Raw output* and *Whole proposal*.
const GATEKEEPER: &str = "gatekeeper";

/// Longest text that a box of a form takes. More than a role may have, so that one too long gets a sentence about it
/// rather than being cut by Discord.
const BOX: u16 = 4_000;

/// The proposal: with buttons while it waits for somebody.
#[must_use]
pub fn proposal(session: &SessionId, proposal: &Proposal, standing: &Standing) -> Post {
    let behind = card::whole_and_raw(session, &StepKey::from(GATEKEEPER), "Whole proposal");
    if let Some((color, state)) = confirmation::closed(WaitKind::Roles, &standing.outcome) {
        return panel(proposal, &standing.answered, (color, &state), vec![behind]);
    }
    let buttons = confirmation::buttons(session, WaitKind::Roles, Some(standing.revision));
    let (mut behind, mut answer) = (behind, "");
    if let (Row::Buttons(row), false) = (&mut behind, proposal.open.is_empty()) {
        let id = CustomId::new(session, Opens::OpenPoints);
        row.insert(0, card::button(id, "Answer", "💬", ButtonStyle::Primary));
        answer = " Press **Answer** to say what only you know: every expert reads it.";
    }
    let state = format!(
        "⏳ Press **Go** to begin, or change the roles first.{answer} I wait for a day, then I end the session; until \
         then nothing more is spent."
    );
    panel(proposal, &standing.answered, (Color::Active, &state), vec![buttons, behind])
}

/// The form in which somebody answers what only the team can say, a box each.
#[must_use]
pub fn open_points_form(session: &SessionId, proposal: &Proposal) -> Modal {
    let boxed = |(place, point): (usize, &String)| TextInput {
        id: open_point(place),
        label: text::plain(point, 45),
        placeholder: text::plain(point, 100),
        value: String::new(),
        paragraph: true,
        required: proposal.open.len() == 1,
        max: ANSWER,
    };
    Modal {
        id: CustomId::new(session, Does::OpenPointsSent),
        title: OPEN.to_owned(),
        inputs: proposal.open.iter().enumerate().take(5).map(|point| Input::Text(boxed(point))).collect(),
    }
}

/// The box of an open point by its place, from 0.
#[must_use]
pub fn open_point(place: usize) -> String {
    format!("point-{}", place + 1)
}

/// Longest answer to an open point: three of them are one note of at most 2,000 characters.
const ANSWER: u16 = 450;

/// The form in which the roles are edited: two boxes for each of two experts, one for each of more.
#[must_use]
pub fn roles_form(session: &SessionId, proposal: &Proposal) -> Modal {
    let boxed =
        |what: &str, role: &Role, label: &str, placeholder: &str, value: String, paragraph| TextInput {
            id: format!("{what}-{}", role.id.0),
            label: format!("Expert {}: {label}", role.id.0),
            placeholder: placeholder.to_owned(),
            value,
            paragraph,
            required: true,
            max: BOX,
        };
    let (name, mission) =
        ("such as Procurement lawyer; up to 80 characters", "What it looks at; up to 600 characters");
    let inputs = proposal.roles.iter().flat_map(|role| {
        if proposal.one_box_each() {
            let value = format!("{}\n{}", role.name, role.mission);
            vec![boxed("role", role, "name, below it the mission", mission, value, true)]
        } else {
            vec![
                boxed("name", role, "name", name, role.name.clone(), false),
                boxed("mission", role, "mission", mission, role.mission.clone(), true),
            ]
        }
    });
    Modal {
        id: CustomId::new(session, Does::RolesSent),
        title: "Who looks at it".to_owned(),
        inputs: inputs.take(5).map(Input::Text).collect(),
    }
}

/// The form in which the question is put in other words, an expert is added or taken out, and models are changed.
#[must_use]
pub fn table_form(session: &SessionId, proposal: &Proposal) -> Modal {
    let boxed = |id: &str, label: &str, placeholder: &str, value: String| TextInput {
        id: id.to_owned(),
        label: label.to_owned(),
        placeholder: text::cut(placeholder, 100),
        value,
        paragraph: true,
        required: id != "added",
        max: BOX,
    };
    let models: Vec<String> = proposal.choice().iter().map(ToString::to_string).collect();
    let inputs = [
        boxed("restated", "The question", "What has to be decided", proposal.restated.clone()),
        boxed(
            "table",
            "Who sits there: number, name, model",
            &format!("Delete a line to take an expert out. Models: {}", models.join(", ")),
            proposal.seating(),
        ),
        boxed(
            "added",
            "One more expert (2 to 5 in all)",
            "Its name, and below it what it looks at",
            String::new(),
        ),
    ];
    Modal {
        id: CustomId::new(session, Does::RolesSent),
        title: "The question and the table".to_owned(),
        inputs: inputs.map(Input::Text).into(),
    }
}

/// A refusal of edited roles that gives back what was written, by the names of the form's boxes, with a button that
/// opens the form again. What is too long to be shown whole comes as a file too.
#[must_use]
pub fn roles_refused(session: &SessionId, refusal: Post, written: &BTreeMap<String, String>) -> Post {
    let mut boxes: Vec<(String, &str)> = Vec::new();
    for expert in 1..=EXPERTS.end().to_owned() {
        for (box_of, what) in [("role", ""), ("name", ", name"), ("mission", ", mission")] {
            if let Some(text) = written.get(&format!("{box_of}-{expert}")) {
                boxes.push((format!("Expert {expert}{what}"), text));
            }
        }
    }
    for (id, name) in [("restated", "The question"), ("table", "The table"), ("added", "One more expert")] {
        boxes.extend(written.get(id).map(|text| (name.to_owned(), text.as_str())));
    }
    let form = if written.contains_key("table") { Opens::TableEdit } else { Opens::RolesEdit };
    let shown: Vec<(&str, &str)> = boxes.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    decision::give_back_whole(refusal, &shown, CustomId::new(session, form))
}

/// The whole proposal as Markdown.
#[must_use]
pub fn whole_proposal(proposal: &Proposal) -> String {
    let mut lines = vec![proposal.restated.clone()];
    if !proposal.open.is_empty() {
        lines.push(format!("\n**{OPEN}**\n"));
        lines.extend(proposal.open.iter().map(|point| format!("- {point}")));
    }
    if !proposal.dimensions.is_empty() {
        lines.push("\n**What it hangs on**\n".to_owned());
        lines.extend(proposal.dimensions.iter().map(|dimension| format!("- {dimension}")));
    }
    for role in &proposal.roles {
        let model = text::label(&role.model.shown(), 100);
        lines.push(format!(
            "\n**{}. {}** ({model})\n\n{}",
            role.id.0,
            text::label(&role.name, 160),
            role.mission
        ));
    }
    lines.join("\n")
}

/// Above what only the team can say.
const OPEN: &str = "Only you can say";

/// One post whatever is in it, for it is edited in place.
fn panel(
    proposal: &Proposal,
    answered: &[Option<String>],
    (color, state): (Color, &str),
    rows: Vec<Row>,
) -> Post {
    let mut description = markdown::short(&proposal.restated, 1_100);
    if !proposal.open.is_empty() {
        let open = |(place, point): (usize, &String)| {
            let point = markdown::inline(point, 210);
            match answered.get(place) {
                Some(Some(by)) => format!("- ✅ {point} *(answered by {})*", text::label(by, 60)),
                _ => format!("- {point}"),
            }
        };
        let lines: Vec<String> = proposal.open.iter().enumerate().map(open).collect();
        let lines = card::lines(&lines, 660, "in the whole proposal.");
        description = format!("{description}\n\n**{OPEN}**\n{lines}");
    }
    if !proposal.dimensions.is_empty() {
        let lines: Vec<String> =
            proposal.dimensions.iter().map(|line| format!("- {}", markdown::inline(line, 100))).collect();
        let lines = card::lines(&lines, 560, "in the whole proposal.");
        description = format!("{description}\n\n**What it hangs on**\n{lines}");
    }
    let mut fields: Vec<Field> = proposal.roles.iter().map(|role| field(role, proposal)).collect();
    if proposal.answered_by.is_none() {
        let degraded = "The gatekeeper could not answer, so the problem stands as you wrote it and these are stock \
                        roles. Edit them to fit.";
        fields.push(card::field("⚠️ Degraded", degraded));
    }
    fields.push(card::field("What now", state));
    let author = proposal.answered_by.as_deref().map(card::answered_by).unwrap_or_default();
    let title = "🧭 The question, and who looks at it".to_owned();
    let embed = Embed { title, description, color, fields, author, ..Embed::default() };
    limits::fit(Post { embeds: vec![embed], rows, ..Post::default() }).into_iter().next().unwrap_or_default()
}

fn field(role: &Role, proposal: &Proposal) -> Field {
    let stock = if role.is_stock() && proposal.answered_by.is_some() { " · stock role" } else { "" };
    let model = text::label(&role.model.shown(), 90);
    card::field(
        format!("{}. {}", role.id.0, text::label(&role.name, 120)),
        format!("{}\n-# {model}{stock}", markdown::inline(&role.mission, 420)),
    )
}
