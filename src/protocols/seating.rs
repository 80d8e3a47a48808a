//! Who sits where: a protocol's room says what was chosen for it and whom it needs, and gets its brief.

use crate::error::UserError;
use domain::{
    Brief, Budgets, Caps, Document, Effort, GuildSettings, Influences, ModelName, OptionName, OptionWords,
    Problem, Searching, Seat,
};

/// The models that whoever runs the bot has named, for each part.
#[derive(Clone, Debug)]
pub struct Appointed {
    /// For the panel, the default first.
    pub panel: Vec<ModelName>,
    /// The mediator's.
    pub mediator: ModelName,
    /// Who restates problems and proposes experts.
    pub gatekeeper: ModelName,
    /// Who writes down what experts came to.
    pub notary: ModelName,
    /// Who sums debates up and answers for neither side.
    pub moderator: ModelName,
    /// Who makes small checks.
    pub cheap: ModelName,
}

impl Appointed {
    /// One model for every part.
    #[must_use]
    pub fn alone(model: &ModelName) -> Self {
        let one = || model.clone();
        Self {
            panel: vec![one()],
            mediator: one(),
            gatekeeper: one(),
            notary: one(),
            moderator: one(),
            cheap: one(),
        }
    }

    /// Every model that can be chosen.
    #[must_use]
    pub fn models(&self) -> Vec<ModelName> {
        let roles = [&self.mediator, &self.gatekeeper, &self.notary, &self.moderator, &self.cheap];
        let mut models: Vec<ModelName> = self.panel.iter().chain(roles).cloned().collect();
        models.sort();
        models.dedup();
        models
    }
}

/// A protocol with what was chosen for it: makes a session's brief of what has to be decided, with whom it is said to
/// sit where.
pub struct Wanted(MakeBrief);

type MakeBrief = Box<dyn FnOnce(&Seating<'_>, Problem, Option<Document>) -> anyhow::Result<Brief> + Send>;

impl Wanted {
    pub(super) fn new(
        brief: impl FnOnce(&Seating<'_>, Problem, Option<Document>) -> anyhow::Result<Brief> + Send + 'static,
    ) -> Self {
        Self(Box::new(brief))
    }

    /// The brief.
    pub fn brief(
        self,
        seating: &Seating<'_>,
        problem: Problem,
        document: Option<Document>,
    ) -> anyhow::Result<Brief> {
        (self.0)(seating, problem, document)
    }
}

/// A sentence for whoever chose something, made of an error of the domain.
pub(super) fn user(error: impl std::fmt::Display) -> anyhow::Error {
    UserError(error.to_string()).into()
}

/// Whether the web is searched: as it was chosen, else as the server has it.
pub(super) fn searching(words: &OptionWords, settings: &GuildSettings) -> Searching {
    let on = words.switched(OptionName::Search).unwrap_or(settings.search);
    if on { Searching::On } else { Searching::Off }
}

/// Who sits where: the one model that was asked for, else the server's models, else the configured ones.
pub struct Seating<'a> {
    /// What whoever runs the bot has named.
    pub appointed: &'a Appointed,
    /// How the server is set.
    pub guild: &'a GuildSettings,
    /// The one model that was asked for.
    pub model: Option<&'a ModelName>,
    /// What the session may use.
    pub budgets: &'a Budgets,
    /// What whoever runs the bot lets a session use; a server can set less.
    pub allowed: Caps,
    /// Most characters of a document that a model reads at once.
    pub document_chars: usize,
    /// How much is asked of everybody.
    pub effort: Effort,
    /// Whether the bot has a search.
    pub searches: bool,
    /// How much modules count by how their advice here turned out; `None` where that is switched off.
    pub trust: Option<Influences>,
    /// When the session begins, in milliseconds since 1970.
    pub now_ms: i64,
}

impl Seating<'_> {
    /// The language that the server has its answers in.
    pub(super) fn language(&self) -> Option<String> {
        self.guild.language.clone()
    }

    /// The date on which the session begins, as people write it, by the clock that all of it goes by (UTC).
    pub(super) fn today(&self) -> String {
        let now = chrono::DateTime::from_timestamp_millis(self.now_ms).unwrap_or_default();
        now.format("%-d %B %Y").to_string()
    }

    /// The panel's seats: its models in turn, the others standing in for each.
    pub(super) fn panel(&self, seats: usize) -> Vec<Seat> {
        let models = self.models();
        (0..seats).filter_map(|place| models.get(place % models.len().max(1))).map(|m| self.seat(m)).collect()
    }

    /// A seat beside the panel: the model that the server has named for it, else the configured one. What is chosen for
    /// the panel says nothing of it.
    #[must_use]
    pub fn beside(&self, configured: &ModelName) -> Seat {
        self.named(self.guild.mediator.as_ref(), configured)
    }

    /// A seat beside those that `speak`, where it may be with another model than theirs. What a server named stays, and what
    /// whoever runs the bot named: another than the panel's first, which stands for none.
    pub(super) fn beside_those(&self, configured: &ModelName, speak: &[Seat]) -> Seat {
        let seat = self.beside(configured);
        let speak: Vec<&ModelName> = speak.iter().map(|seat| &seat.model).collect();
        let is_named = self.guild.mediator.is_some() || self.appointed.panel.first() != Some(configured);
        if is_named { seat } else { self.apart(seat, &speak) }
    }

    /// The seat; where it would have a model of those that `speak` and the panel has another, that one, for it would lean to
    /// what it said there.
    pub(super) fn apart(&self, seat: Seat, speak: &[&ModelName]) -> Seat {
        if !speak.contains(&&seat.model) {
            return seat;
        }
        self.models().iter().find(|model| !speak.contains(model)).map_or(seat, |other| self.seat(other))
    }

    /// Whether the session searches the web where this is wanted.
    pub(super) fn searching(&self, wanted: Searching) -> Searching {
        if self.searches { wanted } else { Searching::NotSetUp }
    }

    /// The seat of whoever checks what others wrote.
    #[must_use]
    pub fn checker(&self) -> Seat {
        self.named(self.guild.checker.as_ref(), &self.appointed.cheap)
    }

    /// A model that the bot no longer has is none.
    fn named(&self, model: Option<&ModelName>, configured: &ModelName) -> Seat {
        self.seat(model.filter(|model| self.appointed.models().contains(model)).unwrap_or(configured))
    }

    /// The models that the panel may have.
    #[must_use]
    pub fn models(&self) -> Vec<ModelName> {
        if let Some(model) = self.model {
            return vec![model.clone()];
        }
        self.usual()
    }

    /// The server's models, as far as the bot still has them; else the configured ones.
    fn usual(&self) -> Vec<ModelName> {
        let there = self.appointed.models();
        let chosen: Vec<ModelName> =
            self.guild.models.iter().filter(|model| there.contains(model)).cloned().collect();
        if chosen.is_empty() { self.appointed.panel.clone() } else { chosen }
    }

    /// A seat; those who stand in are of the server's choice too, for it may have left others out on purpose.
    pub(super) fn seat(&self, model: &ModelName) -> Seat {
        let mut fallbacks: Vec<ModelName> = self.usual().into_iter().filter(|other| other != model).collect();
        fallbacks.dedup();
        Seat { model: model.clone(), fallbacks }
    }
}
