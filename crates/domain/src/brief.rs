//! The brief: all that a session was asked, fixed at its start, so that a restart or an upgrade changes
//! nothing of it.

use serde::{Deserialize, Serialize};

use super::{
    AboutMessage, Advocates, Budgets, CritiqueBrief, DebateBrief, Document, Effort, Estimate, GoesOnFrom,
    InvestigateBrief, MOST_RESEARCHED, ModelName, ModuleName, OptionName, Panel, PicturesRead, Planned,
    Problem, Proposal, Protocol, ReadInSections, ReadPictures, Searching, Seat, TableBrief, TableExtras,
    UserId, VoteRules, Writer,
};

/// What a member added with *Add context*; quoted to the next round as data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ContextNote {
    /// Who said it.
    pub author: UserId,
    /// The name they went by.
    pub author_name: String,
    /// What they said.
    pub text: String,
}

/// A roundtable's brief.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RoundtableBrief {
    /// What has to be decided.
    pub problem: Problem,
    /// A document for everybody.
    pub document: Option<Document>,
    /// The experts' models, 2 to 5; who they are is proposed by the gatekeeper.
    pub experts: Vec<Seat>,
    /// Who restates the problem and proposes the experts.
    pub gatekeeper: Seat,
    /// Who writes down what they came to.
    pub notary: Seat,
    /// Who checks the solutions that were written down.
    pub checker: Seat,
    /// The language the answers should be in, as a name (`English`); `None`: the problem's own.
    pub language: Option<String>,
    /// How much is asked of everybody.
    pub effort: Effort,
    /// The date on which it began, as people write it: `27 November 2026`.
    #[serde(default)]
    pub today: String,
    /// Experts look up on the web what bears on the question.
    #[serde(default)]
    pub searching: Searching,
}

impl RoundtableBrief {
    /// The table at which these experts sit, by these models in their order, and what is asked of it.
    #[must_use]
    pub fn table(&self, proposal: &Proposal, seats: Vec<Seat>) -> TableBrief {
        TableBrief {
            problem: self.problem.clone(),
            panel: Panel::of_roles(&proposal.roles),
            document: self.document.clone(),
            seats,
            writer: Writer::Notary,
            writer_seat: self.notary.clone(),
            checker: self.checker.clone(),
            language: self.language.clone(),
            effort: self.effort,
            today: self.today.clone(),
            restated: Some(proposal.restated.clone())
                .filter(|restated| restated.trim() != self.problem.as_str()),
            dimensions: proposal.dimensions.clone(),
            trust: None,
            extras: TableExtras { searching: self.searching, ..TableExtras::default() },
            selecting: None,
        }
    }
}

/// What a session was asked, by its protocol.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "protocol")]
pub enum Brief {
    /// `/mediate`.
    Mediate(TableBrief),
    /// `/roundtable`.
    Roundtable(RoundtableBrief),
    /// `/debate`.
    Debate(DebateBrief),
    /// `/critique`.
    Critique(CritiqueBrief),
    /// `/investigate`.
    Investigate(InvestigateBrief),
}

impl Brief {
    /// By which protocol.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        match self {
            Self::Mediate(_) => Protocol::Mediate,
            Self::Roundtable(_) => Protocol::Roundtable,
            Self::Debate(_) => Protocol::Debate,
            Self::Critique(_) => Protocol::Critique,
            Self::Investigate(_) => Protocol::Investigate,
        }
    }

    /// What has to be decided.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        match self {
            Self::Mediate(brief) => &brief.problem,
            Self::Roundtable(brief) => &brief.problem,
            Self::Debate(brief) => &brief.problem,
            Self::Critique(brief) => &brief.problem,
            Self::Investigate(brief) => &brief.problem,
        }
    }

    /// The language the answers should be in, as a name; `None`: that of what is deliberated.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        match self {
            Self::Mediate(brief) => brief.language.as_deref(),
            Self::Roundtable(brief) => brief.language.as_deref(),
            Self::Debate(brief) => brief.language.as_deref(),
            Self::Critique(brief) => brief.language.as_deref(),
            Self::Investigate(brief) => brief.language.as_deref(),
        }
    }

    /// Every model that has a seat, each once, by name.
    #[must_use]
    pub fn models(&self) -> Vec<String> {
        let others: Vec<&Seat> = match self {
            Self::Mediate(brief) => vec![&brief.writer_seat],
            Self::Roundtable(brief) => vec![&brief.gatekeeper, &brief.notary],
            Self::Debate(brief) => vec![&brief.gatekeeper, &brief.moderator, &brief.checker],
            Self::Critique(brief) => vec![&brief.reviewer, &brief.checker],
            Self::Investigate(brief) => vec![&brief.investigator, &brief.checker],
        };
        let seats = self.panel().into_iter().chain(others);
        let mut models: Vec<String> = seats.map(|seat| seat.model.to_string()).collect();
        models.sort();
        models.dedup();
        models
    }

    /// Whether its modules are chosen when it begins.
    #[must_use]
    pub fn selects(&self) -> bool {
        matches!(self, Self::Mediate(brief) if brief.selects().is_some())
    }

    /// How much is asked of everybody.
    #[must_use]
    pub fn effort(&self) -> Effort {
        match self {
            Self::Mediate(brief) => brief.effort,
            Self::Roundtable(brief) => brief.effort,
            Self::Debate(brief) => brief.effort,
            Self::Critique(brief) => brief.effort,
            Self::Investigate(brief) => brief.effort,
        }
    }

    /// The same with another effort.
    #[must_use]
    pub fn with_effort(mut self, effort: Effort) -> Self {
        match &mut self {
            Self::Mediate(brief) => brief.effort = effort,
            Self::Roundtable(brief) => brief.effort = effort,
            Self::Debate(brief) => brief.effort = effort,
            Self::Critique(brief) => brief.effort = effort,
            Self::Investigate(brief) => brief.effort = effort,
        }
        self
    }

    /// The same with less asked for: less effort first, then the usual modules instead of a choice, then fewer of them, down
    /// to two. `None` where there is no less.
    #[must_use]
    pub fn smaller(&self) -> Option<Self> {
        if let Some(less) = self.effort().and_below().nth(1) {
            return Some(self.clone().with_effort(less));
        }
        let Self::Mediate(brief) = self else { return None };
        if brief.selects().is_some() {
            return Some(Self::Mediate(TableBrief { selecting: None, ..brief.clone() }));
        }
        let least = brief.panel.least().map(|at| brief.panel.seats[at].module.clone())?;
        let mut brief = brief.clone();
        brief.leave_out(&least);
        Some(Self::Mediate(brief))
    }

    /// The same with another in the place of each seat whose model is not `there` any more; `checker` in the place of who
    /// checks solutions.
    #[must_use]
    pub fn reseated(mut self, there: impl Fn(&ModelName) -> bool, instead: &Seat, checker: &Seat) -> Self {
        if let Self::Mediate(TableBrief { checker: seat, .. })
        | Self::Roundtable(RoundtableBrief { checker: seat, .. }) = &mut self
            && !there(&seat.model)
        {
            seat.clone_from(checker);
        }
        let (panel, beside): (&mut [Seat], Vec<&mut Seat>) = match &mut self {
            Self::Mediate(brief) => (&mut brief.seats, vec![&mut brief.writer_seat]),
            Self::Roundtable(brief) => (&mut brief.experts, vec![&mut brief.gatekeeper, &mut brief.notary]),
            Self::Debate(brief) => {
                let Advocates { pro, con } = &mut brief.advocates;
                let others = [&mut brief.gatekeeper, &mut brief.moderator, &mut brief.checker];
                (&mut [], [pro, con].into_iter().chain(others).collect())
            }
            Self::Critique(brief) => (&mut brief.members, vec![&mut brief.reviewer, &mut brief.checker]),
            Self::Investigate(brief) => {
                (&mut brief.scouts, vec![&mut brief.investigator, &mut brief.checker])
            }
        };
        let gone = |seat: &&mut Seat| !there(&seat.model);
        panel.iter_mut().chain(beside).filter(gone).for_each(|seat| seat.clone_from(instead));
        self
    }

    /// The same as it was confirmed by somebody, who may have asked for less.
    #[must_use]
    pub fn as_confirmed(self, estimate: &Estimate) -> Self {
        let effort = estimate.effort.unwrap_or(self.effort());
        let mut brief = self.with_effort(effort);
        if let Self::Mediate(brief) = &mut brief {
            if estimate.usual_modules {
                brief.selecting = None;
            }
            estimate.without.iter().for_each(|module| brief.leave_out(module));
        }
        if let (Self::Critique(brief), Some(reading)) = (&mut brief, &estimate.reading) {
            brief.depth = reading.plan.wanted;
        }
        brief
    }

    /// How often it searches the web.
    #[must_use]
    pub fn searches(&self) -> u32 {
        match self {
            Self::Mediate(brief) if brief.extras.searching == Searching::On => {
                let matters = if brief.extras.researches() { MOST_RESEARCHED } else { 0 };
                u32::try_from(brief.seats_at_most() * 2 + matters).unwrap_or(u32::MAX)
            }
            Self::Debate(brief) => brief.searches(),
            Self::Investigate(brief) => brief.searches(),
            Self::Roundtable(brief) if brief.searching == Searching::On => {
                u32::try_from(brief.experts.len() * 2).unwrap_or(u32::MAX)
            }
            Self::Mediate(_) | Self::Roundtable(_) | Self::Critique(_) => 0,
        }
    }

    /// The modules that are left out of it on purpose.
    #[must_use]
    pub fn left_out(&self) -> &[ModuleName] {
        match self {
            Self::Mediate(brief) => &brief.panel.deactivated,
            _ => &[],
        }
    }

    /// The same with another document; one that has none stays without.
    #[must_use]
    pub fn with_document(mut self, document: Document) -> Self {
        match &mut self {
            Self::Mediate(TableBrief { document: old, .. })
            | Self::Roundtable(RoundtableBrief { document: old, .. })
            | Self::Debate(DebateBrief { document: old, .. })
            | Self::Investigate(InvestigateBrief { document: old, .. }) => {
                *old = old.take().map(|_| document);
            }
            Self::Critique(brief) => brief.document = document,
        }
        self
    }

    /// The same with what stands on its document's pictures in the text.
    #[must_use]
    pub fn with_pictures_read(self, read: &PicturesRead) -> Self {
        match self.document().filter(|document| !document.pictures.is_empty()) {
            Some(document) => {
                let document = document.with_pictures_read(Some(read));
                self.with_document(document)
            }
            None => self,
        }
    }

    /// A sentence on those of its seats who count more or less than usual by how their earlier advice turned out.
    #[must_use]
    pub fn trusted(&self) -> Option<String> {
        match self {
            Self::Mediate(brief) => brief.trusted(),
            _ => None,
        }
    }

    /// The document that it has.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        match self {
            Self::Mediate(brief) => brief.document.as_ref(),
            Self::Roundtable(brief) => brief.document.as_ref(),
            Self::Debate(brief) => brief.document.as_ref(),
            Self::Critique(brief) => Some(&brief.document),
            Self::Investigate(brief) => brief.document.as_ref(),
        }
    }

    /// Whether what has to be decided may have to be said in a sentence of its own: a debate has its proposition and a
    /// critique its document.
    #[must_use]
    pub fn takes_a_question(&self) -> bool {
        match self {
            // The gatekeeper puts it in other words, of several sentences.
            Self::Roundtable(_) => true,
            Self::Mediate(_) | Self::Investigate(_) => self.problem().is_longer_than_a_line(),
            Self::Debate(_) | Self::Critique(_) => false,
        }
    }

    /// Whether it examines its document, and so plans by itself what it reads of it, by what that takes.
    #[must_use]
    pub fn plans_its_reading(&self) -> bool {
        matches!(self, Self::Critique(_))
    }

    /// Fewest letters and digits that its document needs, where it examines that.
    #[must_use]
    pub fn least_letters(&self) -> Option<usize> {
        matches!(self, Self::Critique(_)).then_some(CritiqueBrief::LEAST_LETTERS)
    }

    /// How many steps the live card counts.
    #[must_use]
    pub fn phases(&self) -> u8 {
        match self {
            Self::Investigate(_) => 4,
            Self::Critique(_) => 5,
            Self::Mediate(_) => Writer::Mediator.phases(),
            Self::Roundtable(_) => Writer::Notary.phases(),
            Self::Debate(brief) => brief.preset.count(),
        }
    }

    /// The seats that deliberate, without those beside the panel.
    fn panel(&self) -> Vec<&Seat> {
        match self {
            Self::Mediate(brief) => match brief.selects() {
                Some(selecting) => selecting.seats.iter().collect(),
                None => brief.seats.iter().collect(),
            },
            Self::Roundtable(brief) => brief.experts.iter().collect(),
            Self::Debate(brief) => vec![&brief.advocates.pro, &brief.advocates.con],
            Self::Critique(brief) => brief.members.iter().collect(),
            Self::Investigate(brief) => brief.scouts.iter().collect(),
        }
    }

    /// Whether several seats of the panel are all one model, which makes their agreement mean less.
    #[must_use]
    pub fn one_model(&self) -> bool {
        self.sole_model().is_some()
    }

    /// The model that all seats of the panel have, where there are several.
    #[must_use]
    pub fn sole_model(&self) -> Option<&ModelName> {
        let panel = self.panel();
        let same = panel.len() > 1 && panel.windows(2).all(|pair| pair[0].model == pair[1].model);
        panel.first().filter(|_| same).map(|seat| &seat.model)
    }

    /// The options that its command has beside those of all commands, as it has them.
    #[must_use]
    pub fn own_options(&self) -> Vec<(OptionName, String)> {
        match self {
            Self::Mediate(brief) => brief.options(),
            Self::Roundtable(brief) => vec![
                (OptionName::Experts, brief.experts.len().to_string()),
                (OptionName::Search, OptionName::switch(brief.searching == Searching::On)),
            ],
            Self::Debate(brief) => brief.options(),
            Self::Critique(brief) => vec![(OptionName::Depth, brief.depth.levels().to_string())],
            Self::Investigate(brief) => brief.options(),
        }
    }
}

/// What a session stores at its start: what it was asked and what it may use.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// What it was asked.
    pub brief: Brief,
    /// What it may use.
    pub budgets: Budgets,
    /// How its vote will be held.
    pub voting: VoteRules,
    /// A sentence for its status card all along, such as that its model gives no advice.
    pub notice: Option<String>,
    /// Who says in a sentence what has to be decided; `None` where the problem is that sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Seat>,
    /// What it takes, where people are told beforehand or asked; `None` for a critique too, which plans what it reads by
    /// that and so works it out itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Planned>,
    /// Who reads the pictures of its document, where it has some and a model here sees pictures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pictures: Option<ReadPictures>,
    /// How its document is read, where it is longer than the seats read at once; a critique sees to that itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<ReadInSections>,
    /// Which session left open what this one goes on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goes_on_from: Option<GoesOnFrom>,
    /// The message that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<AboutMessage>,
}
