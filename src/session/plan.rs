//! What a session is going to be, worked out of what somebody asked for: at its start, and again where its options are set
//! before it begins.

use super::{Choices, Sessions, Settings, Wanted};
use domain::{
    AboutMessage, Budgets, Document, Effort, GoesOnFrom, GuildId, GuildSettings, Influences, ModelName,
    Pictured, Plan, Problem, Provider, ReadPictures, Searching, Seat, thousands,
};

/// What a plan is made of.
pub(super) struct Making<'a> {
    /// For which server, and how that is set.
    pub(super) guild: GuildId,
    pub(super) settings: &'a GuildSettings,
    /// What the session may use.
    pub(super) budgets: Budgets,
    /// What has to be decided, with a text for everybody.
    pub(super) of: (Problem, Option<Document>),
    /// What was chosen for it.
    pub(super) chosen: Choices,
    /// The message that it is about.
    pub(super) about: Option<AboutMessage>,
    /// Which session left open what this one goes on with.
    pub(super) goes_on_from: Option<GoesOnFrom>,
}

impl Sessions {
    /// The plan of a session: who sits where, what it may use, what it takes.
    pub(super) async fn plan(&self, making: Making<'_>) -> anyhow::Result<Plan> {
        let Making { guild, settings: set, budgets, of: (problem, document), chosen, about, goes_on_from } =
            making;
        let settings = &self.0.settings;
        let Choices { wanted: Wanted(brief), model, effort, voting, ask_first } = chosen;
        let mut seating = Seating {
            settings,
            guild: set,
            model: model.as_ref(),
            budgets: &budgets,
            effort: effort.unwrap_or(set.effort),
            searches: self.0.world.search.is_some(),
            trust: self.trust(guild, set).await?,
            now_ms: self.now_ms(),
        };
        let kept_brief = self.kept_brief(&mut seating).await;
        let most = if settings.pictures.is_some() { Pictured::most(budgets.session.calls) } else { 0 };
        let document = document.map(|document| document.with_pictures(most));
        let pictures = self.reads_pictures(document.as_ref());
        let brief = brief(&seating, problem, document)?;
        let notice = [settings.notice.clone(), kept_brief, brief.trusted()];
        let notice = notice.into_iter().flatten().reduce(|first, second| format!("{first}\n\n{second}"));
        let question = brief.takes_a_question().then(|| seating.checker());
        let reading = self.in_sections(&brief, &seating).await;
        let how = (pictures.as_ref(), reading.as_ref());
        let estimate = self.estimated(&brief, how, &budgets.session, ask_first).await?;
        Ok(Plan {
            brief,
            budgets,
            voting,
            notice,
            question,
            estimate,
            pictures,
            reading,
            goes_on_from,
            about,
        })
    }

    /// Who reads the pictures of a document, where it has any.
    fn reads_pictures(&self, document: Option<&Document>) -> Option<ReadPictures> {
        let model = self.0.settings.pictures.clone()?;
        let has = document.is_some_and(|document| !document.pictures.is_empty());
        has.then(|| ReadPictures { reader: Seat { model, fallbacks: Vec::new() } })
    }
}

/// Below so many tokens of context, a model is asked for little: two rounds of a page each, and what the others wrote,
/// do not fit it.
const SMALL_CONTEXT: u32 = 16_384;

impl Sessions {
    /// Asks a panel with a small model for little, whatever was chosen: more would not fit it. A model on one's own machine
    /// of which nobody says how much it takes in counts as small. Gives the sentence that says so.
    async fn kept_brief(&self, seating: &mut Seating<'_>) -> Option<String> {
        if seating.effort == Effort::Brief {
            return None;
        }
        for model in seating.models() {
            let why = match self.0.world.llm.context(&model).await {
                Some(tokens) if tokens < SMALL_CONTEXT => {
                    format!("takes in only {} tokens at a time", thousands(u64::from(tokens)))
                }
                None if model.provider == Provider::Local => {
                    "does not say how much it takes in at a time".to_owned()
                }
                _ => continue,
            };
            let asked = std::mem::replace(&mut seating.effort, Effort::Brief);
            return Some(format!("Kept brief instead of {}: `{model}` {why}.", asked.as_str()));
        }
        None
    }
}

impl Sessions {
    /// A session's plan for what it is asked later: where the bot has a model no longer, who would sit there today answers.
    pub(super) async fn reseated(&self, guild: GuildId, plan: Plan) -> anyhow::Result<Plan> {
        let settings = &self.0.settings;
        let there = settings.models();
        let there = |model: &ModelName| there.contains(model);
        let guild = self.guild_settings(guild).await?;
        let seating = Seating {
            settings,
            guild: &guild,
            model: None,
            budgets: &plan.budgets,
            effort: plan.brief.effort(),
            searches: false,
            trust: None,
            now_ms: self.now_ms(),
        };
        let (mediator, checker) = (seating.beside(&settings.mediator), seating.checker());
        Ok(Plan { brief: plan.brief.reseated(there, &mediator, &checker), ..plan })
    }
}

/// Who sits where: the one model that was asked for, else the server's models, else the configured ones.
pub(super) struct Seating<'a> {
    pub(super) settings: &'a Settings,
    pub(super) guild: &'a GuildSettings,
    model: Option<&'a ModelName>,
    /// What the session may use.
    pub(super) budgets: &'a Budgets,
    /// How much is asked of everybody.
    pub(super) effort: Effort,
    /// Whether the bot has a search.
    pub(super) searches: bool,
    /// How much modules count by how their advice here turned out; `None` where that is switched off.
    pub(super) trust: Option<Influences>,
    now_ms: i64,
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
    pub(super) fn beside(&self, configured: &ModelName) -> Seat {
        self.named(self.guild.mediator.as_ref(), configured)
    }

    /// A seat beside those that `speak`, where it may be with another model than theirs. What a server named stays, and what
    /// whoever runs the bot named: another than the panel's first, which stands for none.
    pub(super) fn beside_those(&self, configured: &ModelName, speak: &[Seat]) -> Seat {
        let seat = self.beside(configured);
        let speak: Vec<&ModelName> = speak.iter().map(|seat| &seat.model).collect();
        let is_named = self.guild.mediator.is_some() || self.settings.panel.first() != Some(configured);
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
    pub(super) fn checker(&self) -> Seat {
        self.named(self.guild.checker.as_ref(), &self.settings.cheap)
    }

    /// A model that the bot no longer has is none.
    fn named(&self, model: Option<&ModelName>, configured: &ModelName) -> Seat {
        self.seat(model.filter(|model| self.settings.models().contains(model)).unwrap_or(configured))
    }

    pub(super) fn models(&self) -> Vec<ModelName> {
        if let Some(model) = self.model {
            return vec![model.clone()];
        }
        self.usual()
    }

    /// The server's models, as far as the bot still has them; else the configured ones.
    fn usual(&self) -> Vec<ModelName> {
        let there = self.settings.models();
        let chosen: Vec<ModelName> =
            self.guild.models.iter().filter(|model| there.contains(model)).cloned().collect();
        if chosen.is_empty() { self.settings.panel.clone() } else { chosen }
    }

    /// A seat; those who stand in are of the server's choice too, for it may have left others out on purpose.
    pub(super) fn seat(&self, model: &ModelName) -> Seat {
        let mut fallbacks: Vec<ModelName> = self.usual().into_iter().filter(|other| other != model).collect();
        fallbacks.dedup();
        Seat { model: model.clone(), fallbacks }
    }
}
