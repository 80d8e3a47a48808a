//! The whole of a turn and of the synthesis, as Markdown, behind their buttons.

use super::{
    super::text,
    LINE, favors, level,
    synthesis::{bridgeable, knowledge, root_cause, withheld},
    turn::{NO_SOURCE, aim, bearing, heading, kind, taken},
};
use domain::{
    Argument, Body, CrossAnswer, CrossQuestion, DebateSynthesis, DebateTurn, NeutralSynthesis, RebuttalPoint,
    Section,
};

/// Title and whole text of a turn, as Markdown.
#[must_use]
pub fn whole_turn(turn: &DebateTurn) -> (String, String) {
    let mut out = Markdown::default();
    out.paragraph(&turn.in_short);
    match &turn.body {
        Body::Opening { position, preview, assumptions } => {
            out.part("Position", position);
            out.list("Strongest arguments", preview);
            out.list("It takes for granted", assumptions);
        }
        Body::Arguments { position, framework, arguments } => {
            out.part("Position", position.as_deref().unwrap_or_default());
            out.part("Ethical framework", framework.as_deref().unwrap_or_default());
            (1..).zip(arguments).for_each(|(number, part)| argument(&mut out, turn, number, part));
        }
        Body::Questions { questions } if questions.is_empty() => out.paragraph("No further question."),
        Body::Questions { questions } => {
            (1..).zip(questions).for_each(|(number, part)| question(&mut out, number, part));
        }
        Body::Answers { answers } => answers.iter().for_each(|part| answer(&mut out, part)),
        Body::Rebuttal { points } => {
            (1..).zip(points).for_each(|(number, part)| point(&mut out, number, part));
        }
        Body::Closing { why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty } => {
            out.part("Why we disagree", why_we_disagree);
            out.part("The other side's best point", opponents_best_point);
            out.part("What would change my mind", what_would_change_my_mind);
            out.part("What stays uncertain", uncertainty);
        }
    }
    let evidence = turn.acknowledged.iter();
    let evidence: Vec<String> = evidence
        .map(|taken| format!("**E{}** {}: {}", taken.evidence, bearing(taken.bearing), taken.how))
        .collect();
    out.list("On the team's evidence", &evidence);
    let marks: Vec<String> = turn.marks.iter().map(|mark| text::label(&mark.shown(), 200)).collect();
    out.list("Marked", &marks);
    (heading(turn.slot), out.0)
}

fn argument(out: &mut Markdown, turn: &DebateTurn, number: usize, argument: &Argument) {
    let lacking = if turn.lacks_source(argument) { NO_SOURCE } else { "" };
    out.part(&format!("Argument {number}"), &format!("**{}**{lacking}", text::label(&argument.claim, 600)));
    out.paragraph(&argument.reasoning);
    out.paragraph(&format!(
        "*Rests on: {} · confidence: {}*",
        kind(argument.evidence),
        level(argument.confidence)
    ));
    out.list("It takes for granted", &argument.assumptions);
    out.list("What is not known", &argument.uncertainties);
}

fn question(out: &mut Markdown, number: usize, question: &CrossQuestion) {
    out.part(&format!("Question {number}"), &question.question);
    out.paragraph(&format!("*Aims at {}*", aim(question.aims_at)));
}

fn answer(out: &mut Markdown, answer: &CrossAnswer) {
    out.part(
        &format!("To question {}", answer.question),
        &format!("{}{}", taken(answer.kind), answer.answer),
    );
}

fn point(out: &mut Markdown, number: usize, point: &RebuttalPoint) {
    out.heading(&format!("Point {number}"));
    if !point.quotation.trim().is_empty() {
        out.paragraph("The other side said:");
        out.quote(&point.quotation);
    }
    out.part("In its strongest form", &point.steel_man);
    out.part("Why it fails or is outweighed", &point.answer);
    out.part("Even if it holds", &point.even_if);
}

/// Title and whole text of the synthesis, as Markdown. What was withheld is named where it would stand.
#[must_use]
pub fn whole_synthesis(synthesis: &NeutralSynthesis) -> (String, String) {
    let mut out = Markdown::default();
    for section in Section::ALL {
        match synthesis.withheld.iter().find(|part| part.section == section) {
            Some(part) => {
                out.heading(section.name());
                out.paragraph(&format!("*Withheld, because it took a side:*\n\n{}", withheld(part)));
            }
            None => part(&mut out, section, &synthesis.synthesis),
        }
    }
    let marks: Vec<String> = synthesis.marks.iter().map(|mark| text::label(&mark.shown(), 200)).collect();
    out.list("Marked", &marks);
    ("⚖️ Moderator · synthesis".to_owned(), out.0)
}

fn part(out: &mut Markdown, section: Section, said: &DebateSynthesis) {
    let name = section.name();
    match section {
        Section::Summary => out.part(name, &said.executive_summary),
        Section::Complexity => out.part(name, &said.complexity_assessment),
        Section::Check => out.part(name, &said.neutrality_check),
        Section::Agreements => out.parts(name, &said.areas_of_agreement, |out, part| {
            out.paragraph(&format!("**{}**", text::label(&part.topic, LINE)));
            out.paragraph(&part.description);
            if !part.shared_evidence.is_empty() {
                out.paragraph("Both rest it on:");
                out.items(&part.shared_evidence);
            }
        }),
        Section::Disagreements => out.parts(name, &said.core_disagreements, |out, part| {
            out.paragraph(&format!("**{}**", text::label(&part.topic, LINE)));
            out.paragraph(&format!("🔵 **Pro holds:** {}", part.pro_position));
            out.paragraph(&format!("🔶 **Con holds:** {}", part.con_position));
            out.paragraph(&format!(
                "*Why they disagree: {}; {}.*",
                root_cause(part.root_cause),
                bridgeable(part.bridgeable)
            ));
        }),
        Section::Between => out.parts(name, &said.between, |out, part| {
            out.paragraph(&format!("**{}** (named by {})", part.position, text::label(&part.named_by, LINE)));
            out.paragraph(&format!("🔵 **Pro would object:** {}", part.pro_objection));
            out.paragraph(&format!("🔶 **Con would object:** {}", part.con_objection));
        }),
        Section::Assumptions => out.parts(name, &said.assumption_conflicts, |out, part| {
            out.paragraph(&format!("🔵 **Pro assumes:** {}", part.pro_assumption));
            out.paragraph(&format!("🔶 **Con assumes:** {}", part.con_assumption));
            out.paragraph(&format!("What depends on it: {}", part.impact_on_debate));
        }),
        Section::Gaps => out.parts(name, &said.evidence_gaps, |out, part| {
            out.paragraph(&format!(
                "**{}** ({})",
                text::label(&part.question, LINE),
                knowledge(part.current_state)
            ));
            out.paragraph(&part.why_it_matters);
        }),
        Section::Hinges => out.parts(name, &said.decision_hinges, |out, part| {
            out.paragraph(&format!("**If true:** {}", part.if_true));
            out.paragraph(&format!("It {}.", favors(part.then_favors)));
            if !part.current_evidence.is_empty() {
                out.paragraph(&format!("Known so far: {}", part.current_evidence));
            }
            out.paragraph(&format!("*Confidence: {}*", level(part.confidence)));
        }),
    }
}

/// Markdown as it is put together, every part a paragraph of its own. Empty texts leave no trace.
#[derive(Default)]
struct Markdown(String);

impl Markdown {
    fn paragraph(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            if !self.0.is_empty() {
                self.0.push_str("\n\n");
            }
            self.0.push_str(text);
        }
    }

    fn heading(&mut self, name: &str) {
        self.paragraph(&format!("### {name}"));
    }

    fn part(&mut self, name: &str, text: &str) {
        if !text.trim().is_empty() {
            self.heading(name);
            self.paragraph(text);
        }
    }

    fn parts<T>(&mut self, name: &str, parts: &[T], write: impl Fn(&mut Self, &T)) {
        if !parts.is_empty() {
            self.heading(name);
            for part in parts {
                write(self, part);
            }
        }
    }

    /// Items on a line each, whatever line ends are in them.
    fn items(&mut self, items: &[String]) {
        let lines = items.iter().map(|item| text::clean_line(item)).filter(|item| !item.is_empty());
        let lines: Vec<String> = lines.map(|item| format!("- {item}")).collect();
        self.paragraph(&lines.join("\n"));
    }

    fn list(&mut self, name: &str, items: &[String]) {
        if items.iter().any(|item| !item.trim().is_empty()) {
            self.paragraph(&format!("**{name}**"));
            self.items(items);
        }
    }

    fn quote(&mut self, text: &str) {
        self.paragraph(&format!("> {}", text::clean_line(text)));
    }
}
