//! The memo: what the mediator writes after all have checked its draft.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Flag, Severity};
use crate::{Anew, Edit, ModuleName, Numbered, solution::same_title, written::any_case};

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
    /// In one plain sentence what is done and when it would be the right way, by the same sign and the same figure as in the
    /// text: people have read it.
    #[schemars(extend("label" = "What you do"))]
    pub action: String,
    /// What it costs, in money, time or both, as a range, with what it brings in if it does; at most ten words.
    #[schemars(extend("line" = true, "label" = "Costs"))]
    pub cost: String,
    /// Of your answer the sign by which it is given up, with its number and day, and what is done then, as in the text. Empty
    /// for another option.
    #[schemars(extend("line" = true, "label" = "Stop when"))]
    pub stop: String,
    /// The names of those who proposed this, not of all whose findings it rests on; "team" for an option of the team's.
    #[schemars(with = "Vec<String>", extend("items_asked" = "0-6", "names" = "raisers", "label" = "Raised by"))]
    pub raised_by: Vec<ModuleName>,
    /// The titles of all other options that can be done together with it: people are told that it excludes the rest. Empty if none.
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
    /// What would show it right, with a number, ready to stand after "It would be right if".
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
    /// Whether the text changes by it.
    #[schemars(extend("label" = "Taken"))]
    pub taken: bool,
    /// The reason; where it is about a sum, the sum.
    #[schemars(extend("line" = true, "label" = "Because"))]
    pub because: String,
}

/// What the mediator writes, after all have checked its draft.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "memo")]
pub struct Synthesis {
    /// Every objection once, in the order of their numbers.
    #[serde(default)]
    #[schemars(extend("items_asked" = "0-50", "words" = "0-500", "label" = "Objections", "when" = "objected"))]
    pub resolutions: Vec<AnsweredObjection>,
    /// The changes to the draft: its text stays but for these. Mostly one to four.
    #[serde(default)]
    #[schemars(extend(
        "items_asked" = "0-12 | 0-12 | 0-20",
        "words" = "0-300 | 0-360 | 0-800",
        "label" = "Changes to the draft",
        "when" = "drafted"
    ))]
    pub edits: Vec<Edit>,
    /// An empty list, unless an objection turns the choice itself: then the whole told anew in the better way, and no change above.
    #[serde(default)]
    #[schemars(extend(
        "items_asked" = "0-1",
        "words" = "0-540 | 0-850 | 0-1600",
        "label" = "Told anew",
        "when" = "drafted"
    ))]
    pub anew: Vec<Anew>,
    /// What to do, and the one condition it hangs on, if there is one: two or three sentences that somebody could say aloud.
    /// People read this first, above the text.
    #[serde(default)]
    #[schemars(extend(
        "words" = "30-50 | 30-50 | 50-85",
        "line" = true,
        "label" = "Do this",
        "needed" = true,
        "when" = "undrafted"
    ))]
    pub answer: String,
    /// Markdown: the memo itself, under headings (`##`) of your own. It goes on where `answer` ends and does not say it
    /// again: why this and not its strongest rival, what to do today and in the days after, and what would change it.
    #[serde(default)]
    #[schemars(extend(
        "words" = "380-490 | 700-800 | 1100-1500",
        "label" = "The memo",
        "needed" = true,
        "when" = "undrafted"
    ))]
    pub text: String,
    /// What the team votes on: your answer first, then every way that the team itself named, and at most one more. They differ in
    /// what is done, not in wording. What belongs together is one option. "Wait" or "stop" only if the findings support it.
    #[schemars(extend(
        "items_asked" = "2-4 | 2-5 | 2-7",
        "words" = "40-140 | 50-110 | 90-260",
        "label" = "What you could do"
    ))]
    pub options: Vec<MemoOption>,
    /// Where specialists still cannot all be right, or their advice cannot all be followed, and the choice hangs on it; the
    /// worst first. Nothing that the text decides or speaks of: an empty list is the usual answer.
    #[schemars(extend(
        "items_asked" = "0-1 | 0-1 | 0-3",
        "words" = "0-60 | 0-30 | 0-150",
        "label" = "Open between the specialists"
    ))]
    pub conflicts: Vec<Conflict>,
    /// Findings that the answer does not follow, that may be right all the same, and that the text does not have; understood
    /// without having heard the discussion.
    #[serde(default)]
    #[schemars(extend(
        "items_asked" = "0-1 | 0-1 | 0-2",
        "words" = "0-28 | 0-24 | 0-70",
        "label" = "What speaks against it",
        "when" = "kept_against"
    ))]
    pub kept_against: Vec<CounterFinding>,
    /// What is not known and the choice hangs on, that the text does not speak of; a field that bears on it and that nobody
    /// here has is one of them. Mostly an empty list.
    #[schemars(extend(
        "items_asked" = "0-1 | 0-1 | 0-3",
        "words" = "0-30 | 0-20 | 0-70",
        "label" = "Still unknown"
    ))]
    pub unknown: Vec<NotKnown>,
    /// Only what a reader must see and what stands nowhere above, in plain words that name no colour; mostly empty.
    #[schemars(extend("items_asked" = "0-1 | 0-1 | 0-3", "words" = "0-28 | 0-16 | 0-45", "label" = "Watch"))]
    pub flags: Vec<Flag>,
    /// What the objections changed, in a sentence for people who have not seen the draft: what stands now, and what stood there.
    /// No number of an objection, and not who made it; empty if nothing.
    #[serde(default)]
    #[schemars(extend("words" = "0-18 | 0-18 | 0-40", "line" = true, "label" = "Changed by the check", "when" = "objected"))]
    pub changed: String,
    /// What was not examined because the team left those specialists out, and how that limits the answer.
    #[serde(default)]
    #[schemars(with = "String", extend("words" = "20-40", "label" = "Left out", "when" = "left_out"))]
    pub deactivated_disclaimer: Option<String>,
    /// Whose view is thin, spoken for by another, or missing, which field nobody looked at, and what the team therefore
    /// does not know.
    #[serde(default)]
    #[schemars(with = "String", extend("words" = "20-40", "label" = "Gaps", "when" = "gaps"))]
    pub gaps: Option<String>,
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

impl MemoOption {
    /// The whole of it behind its title, in Markdown: what whoever votes on it has to know, and what else of `all` can be done with
    /// it. Its chance is no part of it: whoever gives points says it.
    #[must_use]
    pub fn whole(&self, all: &[Self]) -> String {
        let others = all.iter().filter(|other| !same_title(&other.title, &self.title));
        let (with, without): (Vec<&Self>, Vec<&Self>) =
            others.partition(|other| self.combines_with(other) || other.combines_with(self));
        let (with, without) = match (with.is_empty(), without.is_empty()) {
            (true, false) => (String::new(), "every other option".to_owned()),
            (false, true) if with.len() > 1 => ("every other option".to_owned(), String::new()),
            _ => (titles(&with), titles(&without)),
        };
        let lines =
            [("Costs", &self.cost), ("Stop when", &self.stop), ("Goes with", &with), ("Excludes", &without)];
        let lines = lines.iter().filter(|(_, text)| !text.is_empty());
        let lines: Vec<String> = lines.map(|(label, text)| format!("**{label}:** {text}")).collect();
        format!("{}\n\n{}", self.action, lines.join(" · ")).trim().to_owned()
    }

    /// Whether it names that one among those that can be done together with it.
    fn combines_with(&self, other: &Self) -> bool {
        self.combines.iter().any(|title| same_title(title, &other.title))
    }
}

fn titles(options: &[&MemoOption]) -> String {
    options.iter().map(|option| option.title.as_str()).collect::<Vec<_>>().join("; ")
}
