//! The brief: all that a session was asked, fixed at its start, so that a restart or an upgrade changes
//! nothing of it.

use serde::{Deserialize, Serialize};

use super::{
    AboutMessage, Budgets, CritiqueBrief, DebateBrief, DelphiBrief, Document, Effort, Estimate, GoesOnFrom,
    InvestigateBrief, ModelName, ModuleName, OptionName, Panel, PicturesRead, Planned, Problem, Proposal,
    Protocol, ReadInSections, ReadPictures, Searching, Seat, TableBrief, TableExtras, UserId, VoteRules,
    Writer,
    measured::{self, Sessions},
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

impl SessionBrief for RoundtableBrief {
    said_alike!(document);

    fn panel(&self) -> Vec<&Seat> {
        self.experts.iter().collect()
    }

    fn beside(&self) -> Vec<&Seat> {
        vec![&self.gatekeeper, &self.notary]
    }

    fn seats_mut(&mut self) -> Vec<&mut Seat> {
        self.experts.iter_mut().chain([&mut self.gatekeeper, &mut self.notary]).collect()
    }

    fn options(&self) -> Vec<(OptionName, String)> {
        vec![
            (OptionName::Experts, self.experts.len().to_string()),
            (OptionName::Search, OptionName::switch(self.searching == Searching::On)),
        ]
    }

    fn phases(&self) -> u8 {
        Writer::Notary.phases()
    }

    fn measured(&self) -> &'static Sessions {
        &measured::ROUNDTABLE
    }

    fn searches(&self) -> u32 {
        let on = self.searching == Searching::On;
        if on { u32::try_from(self.experts.len() * 2).unwrap_or(u32::MAX) } else { 0 }
    }

    fn takes_a_question(&self) -> bool {
        // The gatekeeper puts it in other words, of several sentences.
        true
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
    /// `/delphi`.
    Delphi(DelphiBrief),
}

/// What a protocol's brief says of itself, so that nothing but the table has to know which it is.
pub(crate) trait SessionBrief {
    fn problem(&self) -> &Problem;
    fn language(&self) -> Option<&str>;
    fn effort(&self) -> Effort;
    fn set_effort(&mut self, effort: Effort);
    /// Who compares what was said with the pages that it cites.
    fn checker(&self) -> &Seat;
    fn checker_mut(&mut self) -> &mut Seat;
    /// The document that it has.
    fn document(&self) -> Option<&Document>;
    /// Takes another document in the place of its own; one that has none stays without.
    fn replace_document(&mut self, document: Document);
    /// The seats that deliberate.
    fn panel(&self) -> Vec<&Seat>;
    /// Seats that do not deliberate; their models count among the session's.
    fn beside(&self) -> Vec<&Seat>;
    /// Every seat but the checker's.
    fn seats_mut(&mut self) -> Vec<&mut Seat>;
    /// The options that its command has beside those of all commands, as it has them.
    fn options(&self) -> Vec<(OptionName, String)>;
    /// How many steps the live card counts.
    fn phases(&self) -> u8;
    /// Sessions of its kind, as they were measured.
    fn measured(&self) -> &'static Sessions;
    /// Seats that deliberate at most.
    fn seats(&self) -> usize {
        self.panel().len()
    }
    /// How often it searches the web.
    fn searches(&self) -> u32 {
        0
    }
    /// Whether what has to be decided may have to be said in a sentence of its own.
    fn takes_a_question(&self) -> bool {
        self.problem().is_longer_than_a_line()
    }
    /// Fewest letters and digits that its document needs, where it examines that.
    fn least_letters(&self) -> Option<usize> {
        None
    }
    /// As it was confirmed by somebody, beside the effort.
    fn confirm(&mut self, _estimate: &Estimate) {}
    /// The same with fewer seats. `None` where there is no less.
    fn with_fewer_seats(&self) -> Option<Brief> {
        None
    }
    /// Whether those who deliberate are chosen when it begins.
    fn selects(&self) -> bool {
        false
    }
    /// The modules that are left out of it on purpose.
    fn left_out(&self) -> &[ModuleName] {
        &[]
    }
    /// A sentence on those of its seats who count more or less than usual by how their earlier advice turned out.
    fn trusted(&self) -> Option<String> {
        None
    }
}

/// What every brief has under the same name.
macro_rules! said_alike {
    () => {
        fn problem(&self) -> &crate::Problem {
            &self.problem
        }

        fn language(&self) -> Option<&str> {
            self.language.as_deref()
        }

        fn effort(&self) -> crate::Effort {
            self.effort
        }

        fn set_effort(&mut self, effort: crate::Effort) {
            self.effort = effort;
        }

        fn checker(&self) -> &crate::Seat {
            &self.checker
        }

        fn checker_mut(&mut self) -> &mut crate::Seat {
            &mut self.checker
        }
    };
    (document) => {
        said_alike!();

        fn document(&self) -> Option<&crate::Document> {
            self.document.as_ref()
        }

        fn replace_document(&mut self, document: crate::Document) {
            self.document = self.document.take().map(|_| document);
        }
    };
}
pub(crate) use said_alike;

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
            Self::Delphi(_) => Protocol::Delphi,
        }
    }

    fn own(&self) -> &dyn SessionBrief {
        match self {
            Self::Mediate(brief) => brief,
            Self::Roundtable(brief) => brief,
            Self::Debate(brief) => brief,
            Self::Critique(brief) => brief,
            Self::Investigate(brief) => brief,
            Self::Delphi(brief) => brief,
        }
    }

    fn own_mut(&mut self) -> &mut dyn SessionBrief {
        match self {
            Self::Mediate(brief) => brief,
            Self::Roundtable(brief) => brief,
            Self::Debate(brief) => brief,
            Self::Critique(brief) => brief,
            Self::Investigate(brief) => brief,
            Self::Delphi(brief) => brief,
        }
    }

    /// What has to be decided.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        self.own().problem()
    }

    /// The language the answers should be in, as a name; `None`: that of what is deliberated.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.own().language()
    }

    /// Who compares what was said with the pages that it cites.
    #[must_use]
    pub fn checker(&self) -> &Seat {
        self.own().checker()
    }

    /// Every model that has a seat, each once, by name.
    #[must_use]
    pub fn models(&self) -> Vec<String> {
        let seats = self.own().panel().into_iter().chain(self.own().beside());
        let mut models: Vec<String> = seats.map(|seat| seat.model.to_string()).collect();
        models.sort();
        models.dedup();
        models
    }

    /// Whether its modules are chosen when it begins.
    #[must_use]
    pub fn selects(&self) -> bool {
        self.own().selects()
    }

    /// How much is asked of everybody.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.own().effort()
    }

    /// The same with another effort.
    #[must_use]
    pub fn with_effort(mut self, effort: Effort) -> Self {
        self.own_mut().set_effort(effort);
        self
    }

    /// The same with less asked for: less effort first, then fewer seats. `None` where there is no less.
    #[must_use]
    pub fn smaller(&self) -> Option<Self> {
        match self.effort().and_below().nth(1) {
            Some(less) => Some(self.clone().with_effort(less)),
            None => self.own().with_fewer_seats(),
        }
    }

    /// The same with another in the place of each seat whose model is not `there` any more; `checker` in the place of who
    /// checks.
    #[must_use]
    pub fn reseated(mut self, there: impl Fn(&ModelName) -> bool, instead: &Seat, checker: &Seat) -> Self {
        let own = self.own_mut();
        if !there(&own.checker().model) {
            own.checker_mut().clone_from(checker);
        }
        own.seats_mut()
            .into_iter()
            .filter(|seat| !there(&seat.model))
            .for_each(|seat| seat.clone_from(instead));
        self
    }

    /// The same as it was confirmed by somebody, who may have asked for less.
    #[must_use]
    pub fn as_confirmed(self, estimate: &Estimate) -> Self {
        let effort = estimate.effort.unwrap_or(self.effort());
        let mut brief = self.with_effort(effort);
        brief.own_mut().confirm(estimate);
        brief
    }

    /// Sessions of its kind, as they were measured.
    pub(crate) fn measured(&self) -> &'static Sessions {
        self.own().measured()
    }

    /// Seats that deliberate at most.
    pub(crate) fn seats(&self) -> usize {
        self.own().seats()
    }

    /// How often it searches the web.
    #[must_use]
    pub fn searches(&self) -> u32 {
        self.own().searches()
    }

    /// The modules that are left out of it on purpose.
    #[must_use]
    pub fn left_out(&self) -> &[ModuleName] {
        self.own().left_out()
    }

    /// The same with another document; one that has none stays without.
    #[must_use]
    pub fn with_document(mut self, document: Document) -> Self {
        self.own_mut().replace_document(document);
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
        self.own().trusted()
    }

    /// The document that it has.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        self.own().document()
    }

    /// Whether what has to be decided may have to be said in a sentence of its own.
    #[must_use]
    pub fn takes_a_question(&self) -> bool {
        self.own().takes_a_question()
    }

    /// Whether it examines its document, and so plans by itself what it reads of it, by what that takes.
    #[must_use]
    pub fn plans_its_reading(&self) -> bool {
        self.least_letters().is_some()
    }

    /// Fewest letters and digits that its document needs, where it examines that.
    #[must_use]
    pub fn least_letters(&self) -> Option<usize> {
        self.own().least_letters()
    }

    /// How many steps the live card counts.
    #[must_use]
    pub fn phases(&self) -> u8 {
        self.own().phases()
    }

    /// Whether several seats of the panel are all one model, which makes their agreement mean less.
    #[must_use]
    pub fn one_model(&self) -> bool {
        self.sole_model().is_some()
    }

    /// The model that all seats of the panel have, where there are several.
    #[must_use]
    pub fn sole_model(&self) -> Option<&ModelName> {
        let panel = self.own().panel();
        let same = panel.len() > 1 && panel.windows(2).all(|pair| pair[0].model == pair[1].model);
        panel.first().filter(|_| same).map(|seat| &seat.model)
    }

    /// The options that its command has beside those of all commands, as it has them.
    #[must_use]
    pub fn own_options(&self) -> Vec<(OptionName, String)> {
        self.own().options()
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
