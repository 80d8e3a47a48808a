//! The answer of an investigation, and what may stand in it as a fact.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Check, CheckFinding, CheckedBy, Compared};
use crate::{
    Anew, AnsweredObjection, Edit, Numbered, Provenance, Raised, Solution, equal_words,
    figures::{Figures, Quantity, worked_out},
    written::any_case,
};

/// How somebody knows what they say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceTag {
    /// Seen in what a tool or a page gave back.
    Observed,
    /// Follows from what was seen.
    Derived,
    /// Taken for granted.
    #[default]
    Assumed,
    /// A guess.
    Speculative,
}

impl EvidenceTag {
    /// As cards show it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Observed => "Observed",
            Self::Derived => "Derived",
            Self::Assumed => "Assumed",
            Self::Speculative => "Speculative",
        }
    }
}

/// A piece of evidence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Stated {
    /// What it says.
    #[schemars(extend("line" = true, "label" = "Evidence"))]
    pub text: String,
    /// observed: a call or a check gave it back. derived: it follows from what was observed. assumed: taken for granted.
    /// speculative: a guess.
    #[serde(default, deserialize_with = "any_case")]
    #[schemars(with = "EvidenceTag", extend("label" = "Known as"))]
    pub tag: EvidenceTag,
    /// The numbers of the calls and checks that show it; none for what is assumed.
    #[schemars(extend("items_asked" = "0-6"))]
    pub calls: Vec<usize>,
    /// It was called observed or derived, and no call shows it.
    #[serde(default)]
    #[schemars(skip)]
    pub lowered: bool,
}

impl Stated {
    /// The same held to the calls that gave something back: what was observed was observed in one of them.
    #[must_use]
    pub fn held_to(mut self, answered: &[usize]) -> Self {
        self.calls.retain(|call| answered.contains(call));
        self.calls.sort_unstable();
        self.calls.dedup();
        let claims = matches!(self.tag, EvidenceTag::Observed | EvidenceTag::Derived);
        self.lowered = claims && self.calls.is_empty();
        if self.lowered {
            self.tag = EvidenceTag::Assumed;
        }
        self
    }
}

/// Another answer that was considered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Rival {
    /// At most ten words, beginning with a verb where it is something to do, understandable alone on a ballot.
    #[schemars(extend("line" = true, "label" = "Other answer"))]
    pub title: String,
    /// As much as is said of your own: what is done, and what speaks for it.
    #[schemars(extend("label" = "What speaks for it"))]
    pub description: String,
}

/// How sure somebody is of a part of an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Sure {
    /// What is right or wrong, in at most eight words: "that the valve is the cause", "that both changes matter".
    #[schemars(extend("line" = true, "label" = "Of"))]
    pub of: String,
    /// How often, of 100, you would be right with answers that stand on as much.
    #[schemars(range(min = 0, max = 100), extend("label" = "Of 100"))]
    pub chance: u8,
}

/// What whoever writes the answer says, after all have checked its draft.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "answer")]
pub struct InvestigationAnswer {
    /// Every objection to the draft once, in the order of their numbers.
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
    /// An empty list, unless what was found turns the answer itself: then the whole told anew, and no change above.
    #[serde(default)]
    #[schemars(extend(
        "items_asked" = "0-1",
        "words" = "0-500 | 0-940 | 0-1500",
        "label" = "Told anew",
        "when" = "drafted"
    ))]
    pub anew: Vec<Anew>,
    /// What is the case and what to do first, in two or three sentences that somebody could say aloud and act on. Of what cannot
    /// be told, that, and what would tell. People read this first, above the text.
    #[serde(default)]
    #[schemars(extend(
        "words" = "25-45 | 35-60 | 50-85",
        "line" = true,
        "label" = "Answer",
        "needed" = true,
        "when" = "undrafted"
    ))]
    pub answer: String,
    /// Markdown: what to act by. It goes on where `answer` ends and does not say it again. Under two to four headings of your
    /// own (`##`) that say something: why, with the numbers worked, as far as it carries what is to be done; what to do, in
    /// order, each step ready to be run, asked or sent, with the reading to expect and what each other reading means; where
    /// others decide, the words to say to them.
    #[serde(default, alias = "reasoning")]
    #[schemars(extend(
        "words" = "340-450 | 730-880 | 1000-1400",
        "label" = "To act by",
        "needed" = true,
        "when" = "undrafted"
    ))]
    pub text: String,
    /// How sure: of the answer, and of a part of it of which you are much surer or less sure and whose chance the text does not
    /// give.
    #[serde(default)]
    #[schemars(extend("items_asked" = "1-2 | 1-3 | 1-4", "words" = "1-16 | 1-24 | 1-40", "label" = "How sure"))]
    pub sure: Vec<Sure>,
    /// The strongest other answer, and the one test that parts the two, with the reading for each. Empty where the text tells both.
    #[schemars(extend("words" = "0-40 | 0-30 | 0-80", "line" = true, "label" = "Strongest rival"))]
    pub alternative: String,
    /// What else would change the answer, with its number. Nothing that stands above: mostly empty.
    #[schemars(extend("words" = "0-20 | 0-20 | 0-40", "line" = true, "label" = "What would change it"))]
    pub would_change: String,
    /// What nobody knows and the answer hangs on, each with the cheapest way to find out. Nothing that stands above: mostly an
    /// empty list.
    #[schemars(extend(
        "items_asked" = "0-1 | 0-1 | 0-4",
        "words" = "0-35 | 0-25 | 0-120",
        "line" = true,
        "label" = "Not known"
    ))]
    pub unresolved: Vec<String>,
    /// The answer itself in at most ten words, so that nobody takes it for another: "15 cents", not "the price of the pen".
    #[schemars(extend("words" = "1-12", "line" = true, "label" = "In a line"))]
    pub title: String,
    /// What the answer stands on.
    #[schemars(extend("items_asked" = "0-4 | 2-5 | 2-8", "words" = "0-80 | 20-110 | 30-200", "label" = "Evidence"))]
    pub evidence: Vec<Stated>,
    /// Other answers or courses that somebody could choose instead; where one look settles which is right, that look is one.
    #[schemars(extend("items_asked" = "0-2 | 0-3 | 0-3", "words" = "0-70 | 0-110 | 0-160", "label" = "Other answers"))]
    pub rivals: Vec<Rival>,
    /// The model that wrote it; `None`: nobody could, and it is the scouts' own.
    #[serde(default)]
    #[schemars(skip)]
    pub answered_by: Option<String>,
    /// Sentences that code left out, for they state as a fact what one scout alone says.
    #[serde(default)]
    #[schemars(skip)]
    pub left_out: Vec<String>,
    /// Lines of a table or a program that do, and stand: a table with a line cut out says something else.
    #[serde(default)]
    #[schemars(skip)]
    pub one_alone: Vec<String>,
    /// What was found wrong or missing in the draft and corrected, with who found it and what became of it.
    #[serde(default)]
    #[schemars(skip)]
    pub corrected: Vec<String>,
    /// What was found and not followed, with the reason; or nothing was said of it.
    #[serde(default)]
    #[schemars(skip)]
    pub refused: Vec<String>,
    /// The pages that it cites, with their numbers on the session's list.
    #[serde(default)]
    #[schemars(skip)]
    pub sources: Vec<Numbered>,
    /// Citations the code took out.
    #[serde(default)]
    #[schemars(skip)]
    pub dropped_citations: u32,
}

impl InvestigationAnswer {
    /// The answer that most scouts give, where nobody writes one, with the draft of one, if there is any, as it stands.
    #[must_use]
    pub fn of_scouts(compared: &Compared, draft: Option<&str>) -> Self {
        let mut groups = compared.answers.iter();
        let most = groups.next();
        let of = compared.scouts();
        let held = most.map_or(0, |group| group.scouts.len());
        let rivals = groups.map(|group| Rival {
            title: group.answer.clone(),
            description: format!("{} of {of} scouts answered this.", group.scouts.len()),
        });
        let answer = most.map(|group| group.answer.clone()).unwrap_or_default();
        Self {
            title: answer.clone(),
            answer,
            text: match draft {
                Some(draft) => format!(
                    "{held} of {of} scouts answered this; nobody wrote it down. Below is a draft by one model alone, which nobody has mended.\n\n{draft}"
                ),
                None => format!("{held} of {of} scouts answered this; nobody summed it up."),
            },
            rivals: rivals.collect(),
            ..Self::default()
        }
    }

    /// How sure, in words: `the cause 95 of 100; which of the two changes 60`.
    #[must_use]
    pub fn how_sure(&self) -> String {
        let part = |(place, sure): (usize, &Sure)| {
            let of = if place == 0 { " of 100" } else { "" };
            format!("{} {}{of}", sure.of.trim_end_matches(['.', ':', ',']), sure.chance)
        };
        self.sure.iter().enumerate().map(part).collect::<Vec<_>>().join("; ")
    }

    /// The answer with how sure it is, in a paragraph.
    #[must_use]
    pub fn in_short(&self) -> String {
        let sure = self.how_sure();
        if sure.is_empty() { self.answer.clone() } else { format!("{} (How sure: {sure}.)", self.answer) }
    }

    /// What is voted on: the answer and its rivals.
    #[must_use]
    pub fn solutions(&self, compared: &Compared) -> Vec<Solution> {
        // Whose answer it is follows from equal words only: whoever wrote it may have come to another than the scouts.
        let by = |title: &str| {
            let group = compared.answers.iter().find(|group| equal_words(&group.answer, title));
            group.into_iter().flat_map(|group| &group.scouts).map(|scout| scout.title()).collect::<Vec<_>>()
        };
        let own = Raised {
            title: self.title.clone(),
            description: self.answer.clone(),
            by: by(&self.title),
            provenance: Provenance::default(),
        };
        let rivals = self.rivals.iter().map(|rival| Raised {
            title: rival.title.clone(),
            description: rival.description.clone(),
            by: by(&rival.title),
            provenance: Provenance::default(),
        });
        Solution::merged(std::iter::once(own).chain(rivals))
    }

    /// The sentences that state as a fact what one scout alone says and nobody confirmed: those with a number that stands
    /// in such a claim only. Numbers are what code can be certain of; words are judged by a model.
    #[must_use]
    pub fn unconfirmed(&self, compared: &Compared, checks: &[Check], given: &Given<'_>) -> Vec<String> {
        let texts = [self.title.as_str(), self.answer.as_str(), self.text.as_str()];
        // What everybody can follow from other numbers needs nobody to confirm it.
        let worked: Vec<Figures> = texts.iter().flat_map(|text| worked_out(text)).collect();
        let mut lone = Lone::of(compared, checks, given);
        lone.0.retain(|(quantity, claim)| !worked.iter().any(|said| said.have(quantity, claim)));
        let sentences = texts.iter().flat_map(|text| sentences(text));
        sentences.map(str::trim).filter(|sentence| lone.is_stated_in(sentence)).map(str::to_owned).collect()
    }

    /// The answer without these sentences, which it names. A title that goes becomes a plain one. What stands in a table or a
    /// program stays there, and is named.
    #[must_use]
    pub fn without(mut self, sentences: &[String]) -> Self {
        let (stay, go): (Vec<String>, Vec<String>) =
            sentences.iter().cloned().partition(|sentence| is_bound(&self.text, sentence));
        let strip = |text: &mut String| {
            for sentence in &go {
                text.replace(sentence.as_str(), "").trim().clone_into(text);
            }
        };
        strip(&mut self.title);
        strip(&mut self.answer);
        strip(&mut self.text);
        if self.answer.is_empty() {
            "What the answer said rests on what one scout alone says, so it is not shown as an answer."
                .clone_into(&mut self.answer);
            self.sure.clear();
        }
        if self.title.is_empty() {
            "Nothing that is confirmed".clone_into(&mut self.title);
        }
        (self.left_out, self.one_alone) = (go, stay);
        self
    }
}

/// What is nobody's claim alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// What the question gives, and what was run or found for it.
    pub text: &'a str,
    /// What the draft says, whose author had read nobody: what a scout says, too, two say, unless a check denies it.
    pub first: Option<&'a str>,
}

/// The numbers that only one scout's unconfirmed claims have, with the claims; those of the question and of its document are
/// given.
struct Lone(Vec<(Quantity, Figures)>);

impl Lone {
    fn of(compared: &Compared, checks: &[Check], Given { text, first }: &Given<'_>) -> Self {
        let held = |claim: &str| checks.iter().any(|check| check.confirms(claim));
        let shared = compared.answers.iter().filter(|group| group.scouts.len() > 1);
        let refuted = |side: &str| {
            checks.iter().any(|check| check.is_settled() && check.has(side) && check.holds() != Some(side))
        };
        let sides = compared.splits.iter().flat_map(|split| &split.sides).map(|side| side.position.as_str());
        let by_first = first.map(Figures::of);
        let confirmed: Vec<Figures> = (compared.consensus.iter().map(|shared| shared.claim.as_str()))
            .chain(shared.map(|group| group.answer.as_str()))
            .chain(sides.filter(|side| !refuted(side)))
            .chain(checks.iter().flat_map(Check::confirmed))
            .map(Figures::of)
            .collect();
        let given = Figures::of(text);
        let alone = compared.lone.iter().filter(|lone| !held(&lone.claim)).flat_map(|lone| {
            let claim = Figures::of(&lone.claim);
            let denied = checks.iter().any(|check| check.topic == lone.claim && check.denies());
            let by_first = by_first.as_ref().filter(|_| !denied);
            // A single digit stands in too much to say anything.
            let telling = claim.quantities.iter().filter(|quantity| quantity.number.len() > 1);
            let open = telling.filter(|quantity| {
                !given.name(quantity)
                    && !confirmed.iter().chain(by_first).any(|said| said.have(quantity, &claim))
            });
            open.map(|quantity| (quantity.clone(), claim.clone())).collect::<Vec<_>>()
        });
        Self(alone.collect())
    }

    fn is_stated_in(&self, sentence: &str) -> bool {
        let said = Figures::of(sentence);
        self.0.iter().any(|(quantity, claim)| said.have(quantity, claim))
    }
}

impl Check {
    /// What it bears out: the position that holds, and what a program or a page that it goes by says. What denies a claim says
    /// its numbers too, and so does a program that was run for it.
    fn confirmed(&self) -> Vec<&str> {
        if !matches!(self.finding, CheckFinding::Holds(_)) || self.denies() {
            return Vec::new();
        }
        let by = match &self.by {
            CheckedBy::Code { printed, .. } => Some(printed.as_str()),
            CheckedBy::Pages | CheckedBy::Model(_) => None,
        };
        self.holds().into_iter().chain(by).collect()
    }
}

/// Whether a sentence stands in a line of a table, or between the fences of a program.
fn is_bound(text: &str, sentence: &str) -> bool {
    let mut fenced = false;
    text.lines().any(|line| {
        fenced ^= line.trim_start().starts_with("```");
        line.contains(sentence) && (fenced || line.trim_start().starts_with('|'))
    })
}

/// The sentences of a text; a line of a table is one.
fn sentences(text: &str) -> Vec<&str> {
    use unicode_segmentation::UnicodeSegmentation as _;
    let parts = |line| {
        if str::trim_start(line).starts_with('|') { vec![line] } else { line.unicode_sentences().collect() }
    };
    text.lines().flat_map(parts).collect()
}

#[cfg(test)]
mod tests;
