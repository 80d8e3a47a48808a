//! What did not go as planned in a session, as it is noted beside the step in which it happened.

use serde::{Deserialize, Serialize};

use super::{
    Basis, Mark, ModelName, ModuleName, Philosopher, Redelegation, Round, Searched, Searching, Section,
    SectionId, Side, Slot,
};

/// One thing that was degraded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Degraded {
    /// Another model wrote it than was meant to.
    StandIn {
        /// What it wrote.
        piece: Piece,
        /// Which model.
        model: ModelName,
    },
    /// A model's provider does not let it be used from here.
    Barred {
        /// Which model.
        model: ModelName,
        /// What the provider said, in one line.
        why: String,
    },
    /// A model's server did not take a request, and nobody could put it otherwise.
    NotTaken {
        /// Which model.
        model: ModelName,
        /// What the server said, in one line.
        why: String,
    },
    /// A server has read less of a request than it was sent, and did not say so.
    CutPrompt {
        /// Which model.
        model: ModelName,
        /// How many tokens it has read.
        tokens: u64,
    },
    /// No model wrote it: it is missing, or something plain stands in its place.
    Missing {
        /// The piece that is missing.
        piece: Piece,
        /// Why, as a sentence without its full stop.
        why: Option<String>,
    },
    /// How a module's place was filled, or not.
    Redelegated(Redelegation),
    /// A module wrote without what it wanted to look up.
    Unsearched {
        /// Which.
        module: ModuleName,
        /// In which round.
        round: Round,
        /// What became of the search.
        searched: Searched,
    },
    /// Deep research was wanted, and nothing could be looked up.
    Unresearched(Searching),
    /// What became of searching on a matter of deep research, where that failed.
    MatterUnsearched {
        /// The matter.
        topic: String,
        /// What became of it.
        searched: Searched,
    },
    /// An advocate spoke without what it wanted to look up.
    TurnUnsearched {
        /// Which turn.
        slot: Slot,
        /// What became of the search.
        searched: Searched,
    },
    /// What became of searching on a hinge of a debate that evidence was brought on, where that failed.
    HingeUnsearched {
        /// Which, from 1.
        hinge: u8,
        /// What became of it.
        searched: Searched,
    },
    /// Matters that deep research had no room for.
    MattersLeftOut(Vec<String>),
    /// An expert's points are not as it gave them.
    Points {
        /// Its name.
        expert: String,
        /// Where they come from; `None`: it has none.
        basis: Option<Basis>,
    },
    /// Several of a kind; they are added up.
    Counted {
        /// What is counted.
        what: Countable,
        /// How many, at least one.
        number: u32,
    },
    /// Stock roles took the places for which none were proposed.
    TooFewRoles,
    /// A side said nothing of what the team brought.
    Evidence {
        /// Which side.
        side: Side,
        /// It came after that side's last turn.
        late: bool,
        /// The evidence, by its numbers.
        numbers: Vec<u32>,
    },
    /// Parts of a debate's synthesis that took a side and are not shown.
    Withheld(Vec<Section>),
    /// Parts of a debate's synthesis that are shown though the judge says that they take a side.
    Leaning(Vec<Section>),
    /// What a debate's synthesis breaks.
    Marked(Mark),
    /// Trees may not grow as deep as was wanted.
    Depth {
        /// How deep they may.
        levels: u8,
        /// How deep was wanted.
        wanted: u8,
    },
    /// Sections for which the budget does not suffice.
    Unread(Vec<SectionId>),
    /// Sections of a long document on which there are no notes.
    NotNoted(Vec<SectionId>),
    /// So many pictures of the document that no model could read.
    PicturesUnread(u32),
    /// Sections that nobody could read.
    Unreadable(Vec<SectionId>),
    /// Sections that one member could not read, though others did.
    Skipped {
        /// The member who skipped them.
        member: Philosopher,
        /// The sections that it did not read.
        sections: Vec<SectionId>,
    },
}

/// Something that a model is asked to write.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// The mediator's memo.
    Memo,
    /// A draft: what one answered alone.
    FirstAnswer(Written),
    /// What was made of several first answers, written anew.
    MergedDraft(Written),
    /// The choice among several first answers, by all who were to read them.
    DraftChoice(Written),
    /// Somebody's check of the drafts, by whose it is, and what is written from them.
    DraftCheck(String, Written),
    /// A question restated, and the roles proposed for it.
    Roles,
    /// An expert's points, by the expert's name.
    Points(String),
    /// What has to be decided, in a sentence.
    Question,
    /// The look for the same option twice.
    DuplicatesCheck,
    /// What the pages found say on a matter of deep research, by its topic.
    Resolution(String),
    /// The plain answer that a deliberation is compared with.
    Baseline,
    /// That comparison.
    BaselinesCheck,
    /// The choice of modules.
    Selection,
    /// The look for what the chosen modules leave unseen.
    GapCheck,
    /// A proposition in neutral words.
    Proposition,
    /// A turn of a debate.
    Turn(Slot),
    /// The moderator's synthesis.
    ModeratorsSynthesis,
    /// A member's tree of claims.
    Tree(Philosopher),
    /// What a member says of its own tree.
    SelfCritique(Philosopher),
    /// The look across the sections of a long text.
    Across,
    /// The comparison of all claims.
    Comparing,
    /// The review.
    Review,
    /// A scout's answer, by its title.
    Scout(String),
    /// What the scouts' answers have in common.
    Comparison,
    /// How an investigation begins.
    Opening,
    /// A check, by what it is about.
    Check(String),
    /// A turn of the investigator, from 1.
    Wish(usize),
    /// The answer of an investigation.
    Answer,
}

/// What is written from a draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Written {
    /// The memo of a table.
    Memo,
    /// The review of a text.
    Review,
    /// The answer of an investigation.
    Answer,
    /// The synthesis of a debate's moderator.
    Synthesis,
}

impl Written {
    /// As a sentence has it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Memo => "memo",
            Self::Review => "review",
            Self::Answer => "answer",
            Self::Synthesis => "synthesis",
        }
    }
}

/// What is counted, over all steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Countable {
    /// Citations that were taken out where nothing was searched.
    Citations,
    /// Citations that were taken out because they named no page that was found.
    Unfounded,
    /// Turns with a mark for what they break.
    MarkedTurns,
    /// Turns whose model read the debate in short.
    TurnsReadInShort,
    /// Turns whose topic nobody has checked.
    UncheckedTurns,
    /// Texts of the moderator whose neutrality no judge could be asked about.
    UnjudgedTexts,
    /// Clarifications withheld, for the answer took a side.
    WithheldClarifications,
    /// Clarifications that no model answered.
    UnansweredClarifications,
    /// Branches whose calls failed.
    FailedBranches,
    /// Branches for which no calls were left.
    BranchesWithoutCalls,
    /// Remarks on claims that are not the critic's.
    Remarks,
    /// First answers that no model gave, beside those that were given.
    FirstAnswers,
    /// Sentences of an answer that stated as a fact what one scout alone says, and were left out.
    LoneSentences,
    /// Sentences of a review that are personal, praise or advise, and stand all the same.
    MarkedSentences,
    /// Quotations of a review that stand nowhere in the text.
    Misquotations,
}

impl Countable {
    /// So many of it; nothing if there are none.
    #[must_use]
    pub fn counted(self, number: u32) -> Option<Degraded> {
        (number > 0).then_some(Degraded::Counted { what: self, number })
    }
}

impl Piece {
    /// That the model that stood in wrote it, if one did.
    #[must_use]
    pub fn stood_in(self, model: Option<&ModelName>) -> Option<Degraded> {
        Some(Degraded::StandIn { piece: self, model: model?.clone() })
    }

    /// That no model wrote it, and why.
    #[must_use]
    pub fn missing(self, why: Option<&str>) -> Degraded {
        Degraded::Missing { piece: self, why: why.map(str::to_owned) }
    }
}
