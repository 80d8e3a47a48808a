//! The memo: what the mediator writes of both rounds, as a draft and after all have checked it, and what they find in it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Flag, Severity};
use crate::{ModuleName, Numbered, written::any_case};

/// Two or more modules that cannot both be right.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// The names of the specialists, two or more.
    #[schemars(with = "Vec<String>", extend("items_asked" = "2-4", "names" = "seats", "label" = "Between"))]
    pub modules: Vec<ModuleName>,
    /// A few words.
    #[schemars(extend("line" = true, "label" = "Topic"))]
    pub topic: String,
    /// What can be held and on what ground, one side and the other, without naming who holds it; which ground is better, if
    /// one is.
    #[schemars(extend("label" = "Both sides"))]
    pub description: String,
    /// What would settle it: a fact (which, from whom), a test, or a choice of values that only the team can make.
    #[serde(default)]
    #[schemars(extend("line" = true, "label" = "Settled by"))]
    pub settles: String,
    /// critical: undecided, it sinks the plan. high: settle it before starting. medium: on the way. low: worth knowing.
    #[serde(deserialize_with = "any_case")]
    #[schemars(with = "Severity", extend("label" = "Severity"))]
    pub severity: Severity,
    /// The side that the matter in dispute belongs to, which need not be the side of who argues about it.
    #[serde(default)]
    #[schemars(with = "String", extend("names" = "areas", "label" = "Belongs to", "when" = "raci"))]
    pub area: Option<ModuleName>,
    /// What the specialist accountable for that side holds on it, in a sentence, as it said it, or the word "nothing".
    #[serde(default)]
    #[schemars(with = "String", extend("line" = true, "label" = "Carries", "when" = "raci"))]
    pub carries: Option<String>,
}

/// Something the team could do, with all that whoever votes on it has to know.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoOption {
    /// At most ten words, beginning with a verb, understandable alone on a ballot: no letter, no "as above".
    #[schemars(extend("line" = true, "label" = "Option"))]
    pub title: String,
    /// Markdown, full sentences in short paragraphs. For your answer all that is needed to carry it out and that the plan
    /// does not say: who does what, and how much of it; the safety net while it runs (at which harm it is halted at once and
    /// by whom, on which day it is looked at before the end, what is done with faults found on the way); what each person
    /// or body that the problem names is offered or told, and on which terms; the stage that likely follows, when, and what
    /// it costs; where the choice hangs on the team's own figure, the threshold worked out, in a sentence or three or four
    /// short lines, and what is done on either side. For another option, in a sentence or two, what is done and when it
    /// would be the right one. It is understood without the rest of the memo, since people vote on it.
    #[schemars(extend("label" = "What you do"))]
    pub action: String,
    /// The first thing that somebody does, and by which day. For your answer the message itself, in quotation marks and
    /// with whom it goes to, so that it can be sent or said as it stands and gives nothing away; the plan points to it. For
    /// another option, at most ten words.
    #[schemars(extend("line" = true, "label" = "First step"))]
    pub first_step: String,
    /// What it costs, in money, time or both, as a range. For your answer with the stage that likely follows.
    #[schemars(extend("line" = true, "label" = "Costs"))]
    pub cost: String,
    /// What the team can no longer have if it does this, in a few words; not the cost again.
    #[schemars(extend("line" = true, "label" = "What you give up"))]
    pub gives_up: String,
    /// The lowest chance, of 100, that it achieves what the team wants, by those specialists who would do this or something
    /// near it; the same success is counted for all options. Where none does, your own reading of what they found. No text
    /// speaks of it.
    #[schemars(range(min = 0, max = 100), extend("label" = "Chance, of 100, from"))]
    pub low: u8,
    /// The highest such chance; as far from low as the specialists really are.
    #[schemars(range(min = 0, max = 100), extend("label" = "Chance, of 100, to"))]
    pub high: u8,
    /// The sign by which the whole is given up, with a number and a day, and what is done instead, with the days that then
    /// hold; not the halt for harm that `action` has. A limit stands only where that is better beyond it, and is the same as
    /// in the plan. For another option, at most twelve words.
    #[schemars(extend("line" = true, "label" = "Stop when"))]
    pub stop: String,
    /// The names of those who proposed this, not of all whose findings it rests on; "team" for an option of the team's.
    #[schemars(with = "Vec<String>", extend("items_asked" = "0-6", "names" = "raisers", "label" = "Raised by"))]
    pub raised_by: Vec<ModuleName>,
    /// The titles of other options that can be done together with it; empty if none.
    #[schemars(extend("items_asked" = "0-3", "line" = true, "label" = "Can be done together with"))]
    pub combines: Vec<String>,
}

/// A finding that the answer does not follow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CounterFinding {
    /// The finding, with its number, as a reason and not as somebody's view.
    #[schemars(extend("line" = true, "label" = "Finding"))]
    pub finding: String,
    /// The name of the specialist.
    #[schemars(with = "String", extend("names" = "seats", "label" = "From"))]
    pub from: ModuleName,
    /// What would show it right, with a number.
    #[schemars(extend("line" = true, "label" = "Right if"))]
    pub right_if: String,
}

/// Something that nobody knows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotKnown {
    /// The thing not known, and which way it would turn the choice.
    #[schemars(extend("line" = true, "label" = "Not known"))]
    pub what: String,
    /// The cheapest way to find out: whom to ask or what to look at, and by when.
    #[schemars(extend("line" = true, "label" = "How to find out"))]
    pub find_out: String,
}

/// What became of an objection to the draft.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnsweredObjection {
    /// Its number.
    #[schemars(range(min = 1, max = 99), extend("label" = "Objection"))]
    pub objection: u32,
    /// Whether the memo changes by it.
    #[schemars(extend("label" = "Taken"))]
    pub taken: bool,
    /// The reason; where it is about a sum, the sum.
    #[schemars(extend("line" = true, "label" = "Because"))]
    pub because: String,
}

/// What the mediator writes: first as a draft, then, after all have checked it, as it stands.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "memo")]
pub struct Synthesis {
    /// Every objection once, in the order of their numbers.
    #[serde(default)]
    #[schemars(extend("items_asked" = "0-50", "words" = "0-500", "label" = "Objections", "when" = "final"))]
    pub resolutions: Vec<AnsweredObjection>,
    /// Where specialists still cannot all be right, or their advice cannot all be followed, and it matters for the choice;
    /// the worst first. Not other topics, not the same in other words, and nothing that better reasons have decided: that
    /// belongs to `why`. An empty list is an answer.
    #[schemars(extend(
        "items_asked" = "0-1 | 0-1 | 0-3",
        "words" = "0-70 | 0-70 | 0-150",
        "label" = "Open between the specialists"
    ))]
    pub conflicts: Vec<Conflict>,
    /// What is not known and the choice hangs on; a field that bears on it and that nobody here has is one of them. Nothing
    /// that a conflict has already.
    #[schemars(extend(
        "items_asked" = "1-1 | 1-1 | 1-3",
        "words" = "12-32 | 15-40 | 30-70",
        "label" = "Still unknown"
    ))]
    pub unknown: Vec<NotKnown>,
    /// What the team votes on; the first is your answer, with all that conflicts hang on in it. They differ in what is
    /// done, not in wording. Your answer has nearly all of the words; each other has 45 to 60 words in all its fields
    /// together, in plain sentences: what is done, when it would be right, what it costs. At most two others, unless the
    /// team named more. What is right in any case is no option: it stands in the plan. Every option that the team named is
    /// there, or `why` says why not; "wait" or "stop" only if the findings support it.
    #[schemars(extend(
        "items_asked" = "2-4 | 2-5 | 2-6",
        "words" = "200-310 | 300-480 | 520-800",
        "label" = "What you could do"
    ))]
    pub options: Vec<MemoOption>,
    /// What to do, and by which figure of the team's own it is decided when, without the terms, which the first option has;
    /// what not to sign, send or miss today. Three plain sentences that somebody could say aloud; no chance, no percentage
    /// of sureness.
    #[schemars(extend("words" = "35-50 | 40-60 | 60-85", "line" = true, "label" = "Do this", "needed" = true))]
    pub answer: String,
    /// The reasons that carry the answer, the heaviest first, in full sentences; each with its number, worked out in the
    /// line. What is assumed, from memory or from a page is marked so; what the problem gives or the line works out needs no
    /// mark. What the problem's own figures show comes before what needs others. What the team wants most is weighed in
    /// one of them, and why the strongest rival loses is another.
    #[schemars(extend("items_asked" = "2-4 | 3-5 | 3-5", "words" = "55-85 | 75-115 | 150-240", "label" = "Why"))]
    pub why: Vec<String>,
    /// Findings that the answer does not follow and that may be right all the same.
    #[schemars(extend(
        "items_asked" = "0-1 | 0-1 | 0-2",
        "words" = "0-28 | 0-35 | 0-60",
        "label" = "What speaks against it"
    ))]
    pub kept_against: Vec<CounterFinding>,
    /// For the answer, in order, each line beginning with its day, the first with "Today": what must not be signed, sent,
    /// begun or missed, why, and who is asked first. Then the other calls of today, each in what is asked or told. Then who
    /// does or asks what by when, and what follows from a yes and from a no: a fallback says which later days move, and to
    /// when. The interim look, the day of the decision and the day on which a likely next stage begins are among the days;
    /// a rule or condition that the first option has is pointed to, not said again. It does what the reasons count on, to
    /// the same extent.
    #[schemars(extend(
        "items_asked" = "3-6 | 4-8 | 5-11",
        "words" = "80-170 | 120-240 | 220-430",
        "label" = "Today and next"
    ))]
    pub plan: Vec<String>,
    /// Only what a reader must see and what stands nowhere above, in plain words that name no colour; mostly empty.
    #[schemars(extend("items_asked" = "0-2 | 0-2 | 0-3", "words" = "0-30 | 0-30 | 0-45", "label" = "Watch"))]
    pub flags: Vec<Flag>,
    /// What was not examined because the team left those specialists out, and how that limits the answer.
    #[serde(default)]
    #[schemars(with = "String", extend("words" = "20-40", "label" = "Left out", "when" = "left_out"))]
    pub deactivated_disclaimer: Option<String>,
    /// Whose view is thin, spoken for by another, or missing, which field nobody looked at, and what the team therefore
    /// does not know.
    #[serde(default)]
    #[schemars(with = "String", extend("words" = "20-40", "label" = "Gaps", "when" = "gaps"))]
    pub gaps: Option<String>,
    /// Empty, unless somebody may already have acted on an earlier version: then what that person has to do otherwise, in a
    /// sentence that speaks of no draft.
    #[serde(default)]
    #[schemars(
        with = "String",
        extend("words" = "0-45 | 0-45 | 0-60", "label" = "Corrected", "when" = "final")
    )]
    pub changed: Option<String>,
    /// What was objected to its draft, with whose it is and what became of it.
    #[serde(default)]
    #[schemars(skip)]
    pub objected: Vec<String>,
    /// Objections that it says nothing of, with whose they are.
    #[serde(default)]
    #[schemars(skip)]
    pub unanswered: Vec<String>,
    /// The model that answered, as its provider says.
    #[serde(default)]
    #[schemars(skip)]
    pub answered_by: String,
    /// The pages that its marks point at.
    #[serde(default)]
    #[schemars(skip)]
    pub sources: Vec<Numbered>,
    /// Citations the code took out because there is no page of theirs.
    #[serde(default)]
    #[schemars(skip)]
    pub dropped_citations: u32,
}

/// A sum of the draft, worked out again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The number as the draft has it, and for what.
    #[schemars(extend("line" = true, "label" = "Number"))]
    pub number: String,
    /// The working and the result; whether what the draft concludes follows, and whether its plan does what the sum counts
    /// on.
    #[schemars(extend("label" = "Worked out again"))]
    pub again: String,
    /// Whether number and conclusion both hold.
    #[schemars(extend("label" = "Holds"))]
    pub holds: bool,
}

/// What somebody finds who checks the draft. Empty is an answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "memo_check")]
pub struct MemoCheck {
    /// Two sums: the number that your own advice rests on most, and one that the memo has from somebody else; each worked
    /// out again from what the problem gives.
    #[schemars(extend("items_asked" = "1-2", "words" = "30-80 | 40-120 | 60-200", "label" = "Sums"))]
    pub sums: Vec<Sum>,
    /// What the draft makes you say and you did not, each with what you hold. Empty if nothing.
    #[schemars(extend(
        "items_asked" = "0-2 | 0-2 | 0-3",
        "words" = "0-40 | 0-60 | 0-100",
        "label" = "Reported wrongly"
    ))]
    pub misreported: Vec<String>,
    /// First what the team could lose for good, in whatever field, by doing what the draft says for today, by saying it
    /// carelessly or by waiting, that the draft does not guard against: the sentence to put in, where, and who is asked
    /// before. Then what the recommended way lacks most: a halt for harm or a look at it while it runs, terms for somebody
    /// whom the problem names, the cost and day of a stage that likely follows. Empty only if you find neither.
    #[schemars(extend("words" = "0-60 | 0-90 | 0-130", "label" = "Missing"))]
    pub missing: String,
    /// First two places in the draft that contradict each other, and a date that cannot hold once a fallback is taken; then
    /// what else is wrong in fact, logic, date or sum, beside the two above. Empty if nothing.
    #[schemars(extend("items_asked" = "0-2 | 0-4 | 0-5", "words" = "0-60 | 0-120 | 0-180", "label" = "Wrong"))]
    pub wrong: Vec<DraftFault>,
    /// A change that makes an option better, or a combination of two that beats both, with what it gives up. Empty if none.
    #[schemars(extend("words" = "0-40 | 0-60 | 0-90", "label" = "Better"))]
    pub better: String,
}

/// A fault in a draft.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftFault {
    /// What the draft says, and where.
    #[schemars(extend("line" = true, "label" = "Wrong"))]
    pub what: String,
    /// What is right, with its working, ready to be put in.
    #[schemars(extend("line" = true, "label" = "Right"))]
    pub right: String,
}

impl MemoCheck {
    /// What it objects to, each a text for the mediator: sums that do not hold first.
    #[must_use]
    pub fn objections(&self) -> Vec<String> {
        let sums = self.sums.iter().filter(|sum| !sum.holds);
        let sums = sums.map(|sum| format!("Does not hold: {} Worked out again: {}", sum.number, sum.again));
        let misreported = self.misreported.iter().map(|text| format!("Reported wrongly: {text}"));
        let missing = [&self.missing].into_iter().filter(|text| !text.is_empty());
        let wrong = self.wrong.iter().filter(|wrong| !wrong.what.is_empty() || !wrong.right.is_empty());
        let better = [&self.better].into_iter().filter(|text| !text.is_empty());
        sums.chain(misreported)
            .chain(missing.map(|text| format!("Missing: {text}")))
            .chain(wrong.map(|wrong| format!("Wrong: {} Right is: {}", wrong.what, wrong.right)))
            .chain(better.map(|text| format!("Better: {text}")))
            .collect()
    }
}

impl MemoOption {
    /// The whole of it behind its title, in Markdown: what whoever votes on it has to know.
    #[must_use]
    pub fn whole(&self) -> String {
        let chance = if self.low == self.high {
            format!("{} %", self.low)
        } else {
            format!("{} to {} %", self.low, self.high)
        };
        let lines = [
            ("First step", &self.first_step),
            ("Costs", &self.cost),
            ("Gives up", &self.gives_up),
            ("Chance", &chance),
            ("Stop when", &self.stop),
            ("Goes with", &self.combines.join("; ")),
        ];
        let lines = lines.iter().filter(|(_, text)| !text.is_empty());
        let lines: Vec<String> = lines.map(|(label, text)| format!("**{label}:** {text}")).collect();
        format!("{}\n\n{}", self.action, lines.join("\n")).trim().to_owned()
    }
}
