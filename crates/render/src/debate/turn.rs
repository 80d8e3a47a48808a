//! What one side said at one place, whole.

use super::{
    super::{card, limits, markdown, sources, text},
    ask, bring, color, marked, sign, stood_in,
};
use domain::{
    Acknowledgement, Act, Addressee, Aim, AnswerKind, Argument, Bearing, Body, Color, CrossAnswer, Debate,
    DebateTurn, Embed, Evidence, EvidenceKind, Field, ModelName, Post, RebuttalPoint, Row, Searched,
    SessionId, Slot, StepKey, citations::without_marks, whole_sentences,
};

/// What stands where a list had to be cut.
const WHOLE: &str = "in the whole turn.";

/// Stands behind an argument that claims a fact and cites no page for it.
pub(super) const NO_SOURCE: &str = " · ⚠️ no source";

/// Room for what was said, in units: more than a turn of 400 words needs in any language, and with title, marks and
/// evidence within one message.
const ROOM: usize = 4_800;

/// Room for what stands on one line, in units: many times what the form of a turn asks for.
const LINE: usize = 1_200;

/// A turn, whole: nobody presses a button to read a debate. Only what is longer than any turn should be is cut, at a
/// sentence, and then the button leads to all of it. `step` is what its buttons lead to; `stand_in` answered where the
/// side's own model could not.
#[must_use]
pub fn turn_cards(
    session: &SessionId,
    step: &StepKey,
    turn: &DebateTurn,
    debate: &Debate,
    stand_in: Option<&ModelName>,
) -> Vec<Post> {
    let who = Addressee::Advocate(turn.slot.side);
    let mut fields: Vec<Field> = stood_in(stand_in).into_iter().collect();
    let mut said = Said::of(turn, debate);
    if !turn.acknowledged.is_empty() {
        let lines: Vec<String> =
            turn.acknowledged.iter().map(|taken| acknowledged(taken, &debate.evidence)).collect();
        let lines = card::lines(&lines, card::FIELD_ROOM, WHOLE);
        said.cut |= lines.contains('…');
        fields.push(card::field("📎 On the team's evidence", lines));
    }
    fields.extend(marked(&turn.marks));
    let cited = sources::field(&turn.numbered(), WHOLE);
    said.cut |= cited.as_ref().is_some_and(|field| field.value.ends_with(WHOLE));
    fields.extend(cited);
    let embed = Embed {
        author: card::answered_by(&turn.answered_by),
        title: heading(turn.slot),
        description: said.text,
        color: color(who),
        fields,
        footer: footer(turn, debate),
        ..Embed::default()
    };
    let mut row = if said.cut {
        card::whole_and_raw(session, step, "Whole turn")
    } else {
        card::raw_only(session, step)
    };
    if let Row::Buttons(buttons) = &mut row {
        buttons.push(ask(session, who));
        // After the closings nobody takes it up any more.
        if turn.slot.act != Act::Closing {
            buttons.push(bring(session));
        }
    }
    limits::fit(Post { rows: vec![row], ..card::post(embed) })
}

/// What was looked up for a turn, and what the code took out of it.
fn footer(turn: &DebateTurn, debate: &Debate) -> String {
    let shown = |turn: &DebateTurn| turn.searched.as_ref().is_some_and(Searched::was_tried);
    if turn.searched.is_none() && debate.turns.iter().any(shown) {
        return sources::removed(turn.dropped_citations);
    }
    sources::footer(turn.searched.as_ref(), turn.dropped_citations, true)
}

/// The card of a turn for which no model answered, with the reason as a sentence without its full stop.
#[must_use]
pub fn missing_card(session: &SessionId, step: &StepKey, slot: Slot, why: &str) -> Vec<Post> {
    let why = markdown::inline(why, 600);
    let embed = Embed {
        title: format!("{}: missing", heading(slot)),
        description: format!("⚠️ {} The debate goes on without it.", text::sentence(&why)),
        color: Color::Caution,
        ..Embed::default()
    };
    limits::fit(Post { rows: vec![card::raw_only(session, step)], ..card::post(embed) })
}

/// `🔵 Pro · opening`, `🔶 Con · answers to Pro`.
pub(super) fn heading(slot: Slot) -> String {
    let who = Addressee::Advocate(slot.side);
    let to = match slot.act {
        Act::Questions | Act::FollowUp | Act::Answers => format!(" to {}", slot.side.other().name()),
        _ => String::new(),
    };
    match slot.act {
        Act::Constructive(theme) => {
            format!("{} {} · arguments: {}", sign(who), slot.side.name(), theme.name())
        }
        _ => format!("{} {slot}{to}", sign(who)),
    }
}

/// What was said, as it stands on the card.
#[derive(Default)]
struct Said {
    text: String,
    /// Something stands only in part, or not at all.
    cut: bool,
    /// Nothing more fits.
    full: bool,
}

impl Said {
    fn of(turn: &DebateTurn, debate: &Debate) -> Self {
        let mut said = Self::default();
        match &turn.body {
            Body::Opening { position, preview, assumptions } => {
                said.part("Position", position);
                said.list("Strongest arguments", preview);
                said.list("Taken for granted", assumptions);
            }
            Body::Arguments { position, framework, arguments } => {
                said.prose(position.as_deref().unwrap_or_default());
                said.part("Ethical framework", framework.as_deref().unwrap_or_default());
                for (number, argument) in (1..).zip(arguments) {
                    said.argument(number, argument, turn.lacks_source(argument));
                }
            }
            Body::Questions { questions } if questions.is_empty() => said.line("No further question."),
            Body::Questions { questions } => {
                for (number, asked) in (1_usize..).zip(questions) {
                    said.line(&format!("\n**Question {number}**"));
                    said.prose(&asked.question);
                    said.line(&format!("-# aims at {}", aim(asked.aims_at)));
                }
            }
            Body::Answers { answers } => {
                for answer in answers {
                    said.answer(answer, turn.slot, debate);
                }
            }
            Body::Rebuttal { points } => {
                for (number, point) in (1..).zip(points) {
                    said.point(number, point);
                }
            }
            Body::Closing {
                why_we_disagree,
                opponents_best_point,
                what_would_change_my_mind,
                uncertainty,
            } => {
                said.part("Why we disagree", why_we_disagree);
                said.part("Their best point", opponents_best_point);
                said.part("Would change my mind", what_would_change_my_mind);
                said.part("Uncertain", uncertainty);
            }
        }
        let text = said.text.trim().to_owned();
        Self { text, ..said }
    }

    /// A line of the card's own form; one that does not fit any more is left out.
    fn line(&mut self, line: &str) {
        self.full |= text::length(&self.text) + text::length(line) > ROOM;
        self.cut |= self.full;
        if !(self.full || (line.trim().is_empty() && self.text.is_empty())) {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// A model's words, their Markdown kept; cut at a sentence where they do not fit.
    fn prose(&mut self, words: &str) {
        if self.full || words.trim().is_empty() {
            return;
        }
        let room = ROOM.saturating_sub(text::length(&self.text) + 2);
        let mut parts = markdown::prose(words, room).into_iter();
        if let (Some(only), None) = (parts.next(), parts.next()) {
            return self.line(&only);
        }
        // Escaping may need more room than the words themselves.
        let kept = markdown::short(whole_sentences(words, room * 2 / 3), room);
        self.line(&format!("{} …", kept.trim_end_matches('…').trim_end()));
        (self.cut, self.full) = (true, true);
    }

    /// A model's words on one line, without the line being written.
    fn on_a_line(&mut self, words: &str) -> String {
        self.cut |= text::length(words) > LINE;
        markdown::inline(words, LINE)
    }

    /// The same for what is a name on the card: no Markdown of the model's.
    fn label(&mut self, words: &str) -> String {
        self.cut |= text::length(words) > LINE;
        text::label(words, LINE)
    }

    /// A part with its name, where there is something to put into it.
    fn part(&mut self, name: &str, words: &str) {
        if !words.trim().is_empty() {
            self.line(&format!("\n**{name}**"));
            self.prose(words);
        }
    }

    fn list(&mut self, name: &str, items: &[String]) {
        if items.iter().any(|item| !item.trim().is_empty()) {
            self.line(&format!("\n**{name}**"));
            for (number, item) in (1..).zip(items) {
                let item = self.on_a_line(item);
                self.line(&format!("{number}. {item}"));
            }
        }
    }

    fn argument(&mut self, number: usize, argument: &Argument, lacks_source: bool) {
        let claim = self.label(&argument.claim);
        let lacking = if lacks_source { NO_SOURCE } else { "" };
        self.line(&format!("\n**{number}. {claim}**{lacking}"));
        self.prose(&argument.reasoning);
        self.beside("Taken for granted", &argument.assumptions);
        self.beside("Not known", &argument.uncertainties);
        let (rests_on, sure) = (kind(argument.evidence), super::level(argument.confidence));
        self.line(&format!("-# {rests_on} · {sure} confidence"));
    }

    /// What stands beside an argument, on a line.
    fn beside(&mut self, name: &str, items: &[String]) {
        let items: Vec<String> = items.iter().map(|item| self.on_a_line(item)).collect();
        let items: Vec<&str> = items.iter().map(|item| item.trim()).filter(|item| !item.is_empty()).collect();
        if !items.is_empty() {
            self.line(&format!("*{name}:* {}", items.join(" · ")));
        }
    }

    /// An answer below the question it answers, so that nobody has to scroll back for it.
    fn answer(&mut self, answer: &CrossAnswer, slot: Slot, debate: &Debate) {
        let name = match question(answer.question, slot, debate) {
            // Its marks have other numbers here.
            Some(question) => format!("{}. {}", answer.question, text::label(&without_marks(question), 300)),
            None => format!("Question {}", answer.question),
        };
        self.part(&name, &format!("{}{}", taken(answer.kind), answer.answer));
    }

    /// What the other side said, at its strongest, before what is held against it.
    fn point(&mut self, number: usize, point: &RebuttalPoint) {
        if number > 1 {
            self.line("");
        }
        if !point.quotation.trim().is_empty() {
            let quotation = self.on_a_line(&point.quotation);
            self.line(&format!("> {quotation}\n"));
        }
        for (name, words) in [("At its strongest", &point.steel_man), ("Against it", &point.answer)] {
            if !words.trim().is_empty() {
                self.line(&format!("*{name}*"));
                self.prose(words);
            }
        }
        // It begins so itself, and is no part of what stands against it.
        if !point.even_if.trim().is_empty() {
            self.line("");
        }
        self.prose(&point.even_if);
    }
}

/// What was asked, by its number.
pub(super) fn question(number: u8, slot: Slot, debate: &Debate) -> Option<&str> {
    let act = if slot.act == Act::FollowUpAnswer { Act::FollowUp } else { Act::Questions };
    let asked = debate.turn(Slot::new(act, slot.side.other()))?;
    let Body::Questions { questions } = &asked.body else { return None };
    let question = questions.get(usize::from(number).checked_sub(1)?)?;
    Some(&question.question)
}

/// `E1 (Output rose …) used: …`.
fn acknowledged(taken: &Acknowledgement, evidence: &[Evidence]) -> String {
    let brought = evidence.iter().find(|evidence| evidence.number == taken.evidence);
    let claim = brought.map_or_else(String::new, |brought| format!(" ({})", text::label(&brought.claim, 40)));
    format!(
        "**E{}**{claim} {}: {}",
        taken.evidence,
        bearing(taken.bearing),
        markdown::inline(&taken.how, 400)
    )
}

pub(super) fn bearing(bearing: Bearing) -> &'static str {
    match bearing {
        Bearing::Used => "used",
        Bearing::DoesNotBear => "does not apply",
    }
}

pub(super) fn kind(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::Fact => "fact",
        EvidenceKind::Projection => "projection",
        EvidenceKind::Analogy => "analogy",
        EvidenceKind::Value => "value",
    }
}

pub(super) fn aim(aim: Aim) -> &'static str {
    match aim {
        Aim::Assumptions => "what the other side takes for granted",
        Aim::Evidence => "what its case rests on",
        Aim::Logic => "how one thing follows from another",
    }
}

/// Stands before an answer that is not simply one.
pub(super) fn taken(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Direct => "",
        AnswerKind::DoesNotKnow => "**Does not know:** ",
        AnswerKind::ChallengesPremise => "**Challenges the premise:** ",
    }
}
