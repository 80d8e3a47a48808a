//! How a debate is written into a prompt: turns, what they come to, the team's evidence and clarifications. All of it
//! stands between tags: models wrote the turns, people the rest.

use crate::fence;
use domain::{
    Acknowledgement, AnswerKind, AnsweredQuestion, Argument, Bearing, Body, Clarification, CrossAnswer,
    CrossQuestion, Debate, DebateTurn, Evidence, EvidenceKind, Level, Side, citations::without_marks,
    one_line,
};

/// All that was said at a place.
pub(super) fn whole(turn: &DebateTurn) -> String {
    fence(tag(turn), &body(turn).join("\n"))
}

/// The same, with what it says of the team's evidence.
pub(super) fn with_evidence(turn: &DebateTurn) -> String {
    let lines = body(turn).into_iter().chain(turn.acknowledged.iter().map(acknowledgement));
    fence(tag(turn), &lines.collect::<Vec<_>>().join("\n"))
}

/// The same as [`whole`], with what it breaks: for whoever reports on it and must not take it for more than it is.
pub(super) fn with_marks(turn: &DebateTurn) -> String {
    let lines = body(turn).into_iter().chain(marks(turn));
    fence(tag(turn), &lines.collect::<Vec<_>>().join("\n"))
}

/// All that there is of a turn.
pub(super) fn everything(turn: &DebateTurn) -> String {
    let lines =
        body(turn).into_iter().chain(turn.acknowledged.iter().map(acknowledgement)).chain(marks(turn));
    fence(tag(turn), &lines.collect::<Vec<_>>().join("\n"))
}

/// What a turn comes to: its sentence, its claims, what it quotes.
pub(super) fn compact(turn: &DebateTurn) -> String {
    let mut lines = in_short(turn);
    match &turn.body {
        Body::Opening { preview, .. } => lines.extend(preview.iter().map(|line| format!("- {line}"))),
        Body::Arguments { framework, arguments, .. } => {
            lines.extend(framework.iter().map(|text| format!("Ethical framework: {text}")));
            lines.extend(arguments.iter().map(|argument| format!("- {}", argument.claim)));
        }
        Body::Questions { questions } => lines.extend(questions.iter().enumerate().map(question)),
        Body::Answers { answers } => {
            lines.extend(answers.iter().map(|a| format!("To Q{}: {}.", a.question, kind_name(a.kind))));
        }
        Body::Rebuttal { points } => lines.extend(points.iter().map(|p| format!("- on “{}”", p.quotation))),
        Body::Closing { opponents_best_point, .. } => {
            lines.push(format!("The other side's best point: {opponents_best_point}"));
        }
    }
    fence(tag(turn), &lines.join("\n"))
}

/// An exchange of the cross-examination: each question, and under it its answer.
pub(super) fn exchange(asked: &DebateTurn, answered: &DebateTurn) -> String {
    let (Body::Questions { questions }, Body::Answers { answers }) = (&asked.body, &answered.body) else {
        return with_evidence(answered);
    };
    let mut lines = in_short(answered);
    let answer_to = |place: usize| answers.iter().find(|answer| usize::from(answer.question) == place + 1);
    for (place, asked_there) in questions.iter().enumerate() {
        lines.push(question((place, asked_there)));
        lines.push(answer_to(place).map_or_else(|| "(not answered)".to_owned(), answer));
    }
    lines.extend(answered.acknowledged.iter().map(acknowledgement));
    fence("answers", &lines.join("\n"))
}

/// A piece of evidence as a member brought it.
pub(super) fn evidence(evidence: &Evidence) -> String {
    fence("evidence", &evidence_lines(evidence))
}

/// Evidence with what each side has made of it so far.
pub(super) fn evidence_taken(evidence: &Evidence, debate: &Debate) -> String {
    let mut text = evidence_lines(evidence);
    for side in [Side::Pro, Side::Con] {
        let said = match acknowledged(debate, side, evidence.number) {
            Some(said) => format!("{}: {}", bearing_name(said.bearing), said.how),
            None => "has not said anything of it".to_owned(),
        };
        text = format!("{text}\n{}, {said}", side.name());
    }
    fence("evidence", &text)
}

/// What a side made of the team's evidence before, a line each; `None` if there is nothing.
pub(super) fn acknowledged_before(debate: &Debate, side: Side, pending: &[Evidence]) -> Option<String> {
    let is_pending = |evidence: &&Evidence| pending.iter().any(|other| other.number == evidence.number);
    let lines: Vec<String> = (debate.evidence.iter())
        .filter(|evidence| !is_pending(evidence))
        .filter_map(|evidence| Some((evidence, acknowledged(debate, side, evidence.number)?)))
        .map(|(evidence, said)| {
            let claim = one_line(&evidence.claim);
            format!("E{} “{claim}” ({}): {}", evidence.number, bearing_name(said.bearing), said.how)
        })
        .collect();
    (!lines.is_empty()).then(|| fence("acknowledged", &lines.join("\n")))
}

/// A clarification with its answer; `None` while it has none.
pub(super) fn clarification(clarification: &Clarification) -> Option<String> {
    let answer = clarification.answer.as_ref()?;
    let Clarification { author_name, text, .. } = clarification;
    Some(fence("clarification", &format!("{author_name} asked:\n{text}\nThe moderator answered:\n{answer}")))
}

/// What a member asked, whom, and what was answered.
pub(super) fn question_answered(asked: &AnsweredQuestion) -> String {
    let AnsweredQuestion { to, text, answer } = asked;
    fence(
        "question",
        &format!("A member asked {}:\n{text}\n{} answered:\n{}", to.name(), to.name(), without_marks(answer)),
    )
}

fn acknowledged(debate: &Debate, side: Side, number: u32) -> Option<&Acknowledgement> {
    let of_side = debate.turns.iter().filter(|turn| turn.slot.side == side);
    of_side.flat_map(|turn| &turn.acknowledged).find(|said| said.evidence == number)
}

fn acknowledgement(said: &Acknowledgement) -> String {
    format!("On the team's evidence E{} ({}): {}", said.evidence, bearing_name(said.bearing), said.how)
}

fn marks(turn: &DebateTurn) -> impl Iterator<Item = String> + '_ {
    turn.marks.iter().map(|mark| format!("(Marked: {}.)", mark.shown()))
}

fn evidence_lines(evidence: &Evidence) -> String {
    let source = if evidence.source.trim().is_empty() { "none named" } else { evidence.source.as_str() };
    let on = evidence.hinge.map(|hinge| format!(" on hinge {hinge}")).unwrap_or_default();
    let Evidence { number, author_name, claim, .. } = evidence;
    format!("E{number}, brought by {author_name}{on}:\n{claim}\nSource: {source}")
}

/// The tag a turn stands between: what it is, and nothing that its text could choose.
fn tag(turn: &DebateTurn) -> &'static str {
    match turn.body {
        Body::Opening { .. } => "opening",
        Body::Arguments { position: Some(_), .. } => "case",
        Body::Arguments { .. } => "arguments",
        Body::Questions { .. } => "questions",
        Body::Answers { .. } => "answers",
        Body::Rebuttal { .. } => "rebuttal",
        Body::Closing { .. } => "closing",
    }
}

fn in_short(turn: &DebateTurn) -> Vec<String> {
    let text = turn.in_short.trim();
    if text.is_empty() { Vec::new() } else { vec![format!("In short: {text}")] }
}

fn body(turn: &DebateTurn) -> Vec<String> {
    let mut lines = in_short(turn);
    match &turn.body {
        Body::Opening { position, preview, assumptions } => {
            lines.push(format!("\n{position}\n"));
            lines.extend(preview.iter().map(|line| format!("- {line}")));
            lines.extend(listed("Takes for granted", assumptions));
        }
        Body::Arguments { position, framework, arguments } => {
            lines.extend(position.iter().map(|position| format!("\n{position}\n")));
            lines.extend(framework.iter().map(|text| format!("Ethical framework: {text}")));
            lines.extend(arguments.iter().enumerate().map(|numbered| argument(turn, numbered)));
        }
        Body::Questions { questions } if questions.is_empty() => lines.push("(no question)".to_owned()),
        Body::Questions { questions } => lines.extend(questions.iter().enumerate().map(question)),
        Body::Answers { answers } => {
            lines.extend(answers.iter().map(|reply| format!("To Q{}. {}", reply.question, answer(reply))));
        }
        Body::Rebuttal { points } => lines.extend(points.iter().map(|point| {
            format!(
                "\nOn “{}”\nAt its strongest: {}\nAnswer: {}\nEven if it holds: {}",
                point.quotation, point.steel_man, point.answer, point.even_if
            )
        })),
        Body::Closing { why_we_disagree, opponents_best_point, what_would_change_my_mind, uncertainty } => {
            lines.push(format!("Why we disagree: {why_we_disagree}"));
            lines.push(format!("The other side's best point: {opponents_best_point}"));
            lines.push(format!("What would change my mind: {what_would_change_my_mind}"));
            lines.push(format!("What stays uncertain: {uncertainty}"));
        }
    }
    lines
}

fn argument(turn: &DebateTurn, (place, argument): (usize, &Argument)) -> String {
    let Argument { claim, reasoning, evidence, confidence, .. } = argument;
    let lacking = if turn.lacks_source(argument) { ", without a source" } else { "" };
    let (rests, sure) = (format!("{}{lacking}", kind_of_evidence(*evidence)), level_name(*confidence));
    let mut lines = vec![format!("\nArgument {}: {claim}\n{reasoning}", place + 1)];
    lines.push(format!("Rests on: {rests}. Confidence: {sure}."));
    lines.extend(listed("Takes for granted", &argument.assumptions));
    lines.extend(listed("Not known", &argument.uncertainties));
    lines.join("\n")
}

fn listed(what: &str, lines: &[String]) -> Option<String> {
    (!lines.is_empty()).then(|| format!("{what}: {}", lines.join(" / ")))
}

fn question((place, asked): (usize, &CrossQuestion)) -> String {
    format!("Q{}. {}", place + 1, asked.question)
}

fn answer(answer: &CrossAnswer) -> String {
    format!("({}) {}", kind_name(answer.kind), answer.answer)
}

fn kind_name(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Direct => "answered",
        AnswerKind::DoesNotKnow => "admits not to know",
        AnswerKind::ChallengesPremise => "challenges the premise",
    }
}

fn bearing_name(bearing: Bearing) -> &'static str {
    match bearing {
        Bearing::Used => "used",
        Bearing::DoesNotBear => "does not bear",
    }
}

fn kind_of_evidence(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::Fact => "fact",
        EvidenceKind::Projection => "projection",
        EvidenceKind::Analogy => "analogy",
        EvidenceKind::Value => "value",
    }
}

/// A level as models write it.
pub(super) fn level_name(level: Level) -> &'static str {
    match level {
        Level::Low => "low",
        Level::Medium => "medium",
        Level::High => "high",
    }
}
