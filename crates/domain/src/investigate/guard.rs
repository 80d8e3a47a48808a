//! The guard of the investigator's loop. It is code, and holds whatever a model says: so many calls, tokens and seconds;
//! a checkpoint every few calls; five calls on a path want a reason for a sixth; calls alike are warned of once and then end
//! the loop; what is not finished properly is sent back once.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::LoopLimits;
use crate::Source;

/// Calls after which a checkpoint is due.
const CHECKPOINT_AFTER: usize = 4;
/// Calls on a path after which going on with it wants a reason.
const PATH: usize = 5;
/// Calls after which the investigator sums up or asks the team, whatever else.
const SUM_UP_AFTER: usize = 10;
/// Calls alike that are warned of; one more ends the loop.
const ALIKE: usize = 3;
/// Share of words that two calls have in common to be alike, in percent.
const NEAR: usize = 85;
/// Calls in a row that brought nothing new, after which there is nothing more to learn.
const NOTHING_NEW: usize = 3;
/// The same where the investigator ends by itself.
const ENDS_BY_ITSELF: usize = 2;

/// What the investigator can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Tool {
    /// Asks a model something.
    QueryModel,
    /// Asks a model in a role.
    QueryModelAsRole,
    /// Has a claim looked at by a model that has no part in it.
    VerifyClaim,
    /// Runs a calculation.
    RunCode,
    /// Looks something up.
    WebSearch,
    /// Has two models argue, once each.
    Argue,
    /// Asks the team.
    AskTeam,
    /// Says what was learnt, what is held to be so, and what would change it.
    Checkpoint,
    /// Ends with an answer.
    Done,
}

impl Tool {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 9] = [
        Self::QueryModel,
        Self::QueryModelAsRole,
        Self::VerifyClaim,
        Self::RunCode,
        Self::WebSearch,
        Self::Argue,
        Self::AskTeam,
        Self::Checkpoint,
        Self::Done,
    ];

    /// As models spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether it brings something from outside the investigator.
    #[must_use]
    pub fn explores(self) -> bool {
        !matches!(self, Self::Checkpoint | Self::Done)
    }
}

/// By what an enquiry may stop, besides its budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, IntoStaticStr, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum StopRule {
    /// Each step from cause to symptom is there.
    ChainComplete,
    /// What to do is found, down to the step.
    FixFound,
    /// Of the main alternatives none is left.
    AlternativesRuledOut,
    /// The last calls brought nothing new.
    NothingNew,
}

impl StopRule {
    /// All of them. Prompts list them in this order.
    pub const ALL: [Self; 4] =
        [Self::ChainComplete, Self::FixFound, Self::AlternativesRuledOut, Self::NothingNew];

    /// As models spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// As cards say it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::ChainComplete => "the chain from cause to symptom is complete",
            Self::FixFound => "what to do is found",
            Self::AlternativesRuledOut => "the main alternatives are ruled out",
            Self::NothingNew => "its last calls brought nothing new",
        }
    }

    /// Whether the calls bear it out: what is found was found in one, alternatives fell in one that looked for what would
    /// show the answer wrong, and of the last two neither was called new.
    fn is_borne_out(self, calls: &[Call], done: &Action) -> bool {
        match self {
            // What the team answers is a wish or a fact of theirs: no finding.
            Self::ChainComplete | Self::FixFound => calls.iter().any(|call| {
                call.action.tool.explores()
                    && call.action.tool != Tool::AskTeam
                    && matches!(call.called, Called::Answered(_))
            }),
            Self::AlternativesRuledOut => calls.iter().any(looked_against),
            Self::NothingNew => stale(calls, done, ENDS_BY_ITSELF),
        }
    }
}

/// What the investigator wants to do next. Which fields count hangs on the tool; the others are empty.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Action {
    /// What.
    pub tool: Tool,
    /// Why, in a sentence: it stands on the live card.
    pub purpose: String,
    /// The line of enquiry in a few words.
    pub path: String,
    /// Why a path is followed further after five calls on it.
    pub why_go_on: String,
    /// What it says, asks, looks up or runs.
    pub text: String,
    /// The model that is asked, by its number; 0 for any.
    pub model: usize,
    /// In which role.
    pub role: String,
    /// Whether it looks for what would show the hypothesis wrong.
    pub disproves: bool,
    /// Which disagreement or which claim a calculation or a search settles, word for word; mostly none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub settles: String,
    /// Whether the call before told something new.
    pub last_was_new: bool,
    /// At a checkpoint, or at the end: what is held to be so.
    pub hypothesis: String,
    /// At a checkpoint: whether that is firm, so that it is checked from now on and no longer explored.
    pub firm: bool,
    /// What would change it.
    pub would_change: String,
    /// At the end: the strongest other answer, and why this one beats it.
    pub alternative: String,
    /// At the end: how sure it is, of 100.
    #[serde(default)]
    pub confidence: Option<u8>,
    /// At the end: by which rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopRule>,
    /// What shows that it holds, in a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why_stop: String,
}

/// What became of an action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Called {
    /// It gave something back.
    Answered(String),
    /// It gave back an error, which is a result too.
    Failed(String),
    /// The guard did not let it through, and says why.
    SentBack(String),
}

/// A call with what it took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// What was wanted.
    pub action: Action,
    /// What became of it.
    pub called: Called,
    /// Tokens, as near as their text tells: what the investigator said in this turn, and what was said to whom it asked and by
    /// them. What stands in every request, and what a model thinks, is no part of it.
    pub tokens: u64,
    /// Milliseconds.
    pub ms: u64,
    /// The pages that it found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<Source>,
    /// What a model read off as settled by it: a claim of that model, and no part of what was given back.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub settled: String,
}

impl Call {
    /// A turn in which nothing was carried out.
    #[must_use]
    pub fn of_turn(action: Action, called: Called, tokens: u64, ms: u64) -> Self {
        Self { action, called, tokens, ms, pages: Vec::new(), settled: String::new() }
    }
}

/// Why the loop ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The investigator was done.
    Done,
    /// No calls are left.
    Calls,
    /// No tokens are left.
    Tokens,
    /// No time is left.
    Time,
    /// It went round in circles.
    Circles,
    /// Its last calls brought nothing new.
    NothingNew,
    /// The investigator's model could not answer.
    Silent,
}

impl StopReason {
    /// As cards say it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Done => "the investigator had its answer",
            Self::Calls => "its calls were used up",
            Self::Tokens => "its tokens were used up",
            Self::Time => "its time was used up",
            Self::Circles => "it asked for the same again and again",
            Self::NothingNew => "its last three calls brought nothing new",
            Self::Silent => "its model could not answer",
        }
    }
}

/// What the guard says of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Nudge {
    /// It is carried out.
    Through,
    /// It is carried out, and its result comes with a warning.
    Warned(&'static str),
    /// It is not, for this reason.
    Back(&'static str),
    /// The loop is over.
    Stop(StopReason),
}

/// The guard, which looks at all calls so far.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// What the loop may use.
    pub limits: LoopLimits,
    /// Whether steps on the way are prescribed; without them only the limits hold.
    pub strict: bool,
}

impl Guard {
    /// What is left: calls, tokens, seconds.
    #[must_use]
    pub fn left(&self, calls: &[Call]) -> LoopLimits {
        let tokens = calls.iter().map(|call| call.tokens).sum();
        let seconds = calls.iter().map(|call| call.ms).sum::<u64>() / 1_000;
        LoopLimits {
            calls: self.limits.calls.saturating_sub(used(calls)),
            tokens: self.limits.tokens.saturating_sub(tokens),
            seconds: self.limits.seconds.saturating_sub(seconds),
        }
    }

    /// Whether another turn may be taken at all.
    #[must_use]
    pub fn over(&self, calls: &[Call]) -> Option<StopReason> {
        let left = self.left(calls);
        match (left.calls, left.tokens, left.seconds) {
            (0, ..) => Some(StopReason::Calls),
            (_, 0, _) => Some(StopReason::Tokens),
            (.., 0) => Some(StopReason::Time),
            _ => None,
        }
    }

    /// Whether an action is carried out.
    #[must_use]
    pub fn judge(&self, calls: &[Call], next: &Action) -> Nudge {
        let alike = calls.iter().filter(|call| is_alike(&call.action, next)).count() + 1;
        if next.tool.explores() && alike > ALIKE {
            return Nudge::Stop(StopReason::Circles);
        }
        // Who is done after calls that brought nothing new has an end of its own.
        if next.tool == Tool::Done {
            return self.finish(calls, next);
        }
        if self.strict && stale(calls, next, NOTHING_NEW) {
            return Nudge::Stop(StopReason::NothingNew);
        }
        if let Some(back) = on_the_way(calls, next).filter(|_| self.strict) {
            return Nudge::Back(back);
        }
        if next.tool.explores() && alike == ALIKE {
            return Nudge::Warned(
                "This is the third call alike. Try something else: one more ends the loop.",
            );
        }
        Nudge::Through
    }

    /// What is not finished properly is sent back once; then it stands as it is, and its card says what is missing.
    fn finish(&self, calls: &[Call], done: &Action) -> Nudge {
        let sent_back = calls.iter().any(|call| call.action.tool == Tool::Done);
        if sent_back || missing(calls, done, self.strict).is_empty() {
            return Nudge::Stop(StopReason::Done);
        }
        Nudge::Back(
            "Not yet. Before you are done: the strongest other answer and why yours beats it (alternative), what would change your mind (would_change), one call that looked for what would show you wrong (disproves), and a rule to stop by (stop) that your calls bear out, with what shows it (why_stop): chain_complete or fix_found by a call that gave something back, alternatives_ruled_out by one that was marked disproves, nothing_new by two in a row that told nothing new.",
        )
    }
}

/// How many calls count: one that was sent back and what is done in its place are one.
#[must_use]
pub fn used(calls: &[Call]) -> u32 {
    let is_back = |call: &&Call| matches!(call.called, Called::SentBack(_));
    let again = calls.windows(2).filter(|pair| pair.iter().all(|call| is_back(&call)));
    let through = calls.iter().filter(|call| !is_back(call));
    u32::try_from(through.count() + again.count()).unwrap_or(u32::MAX)
}

/// What an ending lacks, as its card says it.
#[must_use]
pub fn missing(calls: &[Call], done: &Action, strict: bool) -> Vec<&'static str> {
    let mut lacks = Vec::new();
    if done.alternative.trim().is_empty() {
        lacks.push("the strongest other answer");
    }
    if done.would_change.trim().is_empty() {
        lacks.push("what would change it");
    }
    if strict && !calls.iter().any(looked_against) {
        lacks.push("a look for what would show it wrong");
    }
    let is_over =
        done.stop.is_some_and(|rule| !done.why_stop.trim().is_empty() && rule.is_borne_out(calls, done));
    if strict && !is_over {
        lacks.push("a reason to stop that its calls bear out");
    }
    lacks
}

/// Whether a call looked for what would show the answer wrong, and gave something back.
fn looked_against(call: &Call) -> bool {
    call.action.disproves && matches!(call.called, Called::Answered(_))
}

/// Steps that are due on the way.
fn on_the_way(calls: &[Call], next: &Action) -> Option<&'static str> {
    if !next.tool.explores() {
        return None;
    }
    let let_through =
        |call: &&Call| call.action.tool.explores() && !matches!(call.called, Called::SentBack(_));
    let through: Vec<&Call> = calls.iter().filter(let_through).collect();
    let since = calls.iter().rev().take_while(|call| call.action.tool != Tool::Checkpoint);
    let since = since.filter(let_through).count();
    if since >= CHECKPOINT_AFTER {
        return Some(
            "A checkpoint is due: say what you have learnt, what you hold to be so, and what would change it.",
        );
    }
    let summed_up =
        calls.last().is_some_and(|call| matches!(call.action.tool, Tool::Checkpoint | Tool::AskTeam));
    if through.len() == SUM_UP_AFTER && !summed_up && next.tool != Tool::AskTeam {
        return Some("After ten calls: sum up at a checkpoint, or ask the team.");
    }
    let on_path = through.iter().filter(|call| equal(&call.action.path, &next.path)).count();
    if on_path >= PATH && next.why_go_on.trim().is_empty() {
        return Some(
            "Five calls are on this path already. Say in why_go_on why a further one pays, or take another path.",
        );
    }
    let explored = matches!(next.tool, Tool::QueryModel | Tool::QueryModelAsRole | Tool::Argue);
    let firm = calls.iter().rev().find(|call| call.action.tool == Tool::Checkpoint);
    if firm.is_some_and(|call| call.action.firm) && explored && !next.disproves {
        return Some(
            "Your hypothesis is firm. Stop exploring: verify it directly, check the boring alternative, or look for what would show it wrong.",
        );
    }
    None
}

/// Whether the last so many calls brought nothing new, by what the investigator says of each in the turn after it.
fn stale(calls: &[Call], next: &Action, last: usize) -> bool {
    let said = calls.iter().skip(1).map(|call| (call.action.last_was_new, call.action.tool));
    let mut said: Vec<(bool, Tool)> = said.collect();
    said.push((next.last_was_new, next.tool));
    let explored: Vec<bool> = calls
        .iter()
        .zip(&said)
        .filter(|(call, _)| call.action.tool.explores())
        .map(|(_, (new, _))| *new)
        .collect();
    explored.len() >= last && explored.iter().rev().take(last).all(|new| !new)
}

fn equal(one: &str, other: &str) -> bool {
    one.trim().eq_ignore_ascii_case(other.trim())
}

/// Whether two calls are of one tool and say nearly the same.
fn is_alike(one: &Action, other: &Action) -> bool {
    if one.tool != other.tool || !equal(&one.role, &other.role) || one.model != other.model {
        return false;
    }
    let (one, other) = (words(&one.text), words(&other.text));
    let shared = one.intersection(&other).count();
    let all = one.union(&other).count();
    all == 0 || shared * 100 >= all * NEAR
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests;
