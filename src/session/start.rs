//! Starting a session: everything it will ever need is copied into its row, and the live card waits in the
//! outbox, before anybody is told that it has started.

use std::{collections::BTreeMap, sync::Arc};

use super::{Actor, Sessions, Settings, typed::told};
use crate::{
    domain::{
        AboutMessage, Brief, Budgets, Caps, Choosing, Document, Effort, GoesOnFrom, Grant, GuildId,
        GuildSettings, Home, Influences, Ledger, Left, MOST_CHOSEN, MediateBrief, MediateExtras, ModelName,
        ModuleName, Offer, Panel, Phase, Plan, Problem, Protocol, Provider, RoundtableBrief, Searching, Seat,
        Selecting, Sequel as SequelCard, SessionId, SessionState, StatedQuestion, Status, VoteRules, Weight,
        thousands,
    },
    error::UserError,
    render,
    steps::{nothing_priced, now_ms, opening_post, thread_posts},
    store::{NewSequel, NewSession, StoreError, sequel_key},
};

/// What is said where a thread has got its session meanwhile.
const HAS_ONE: &str = "This thread has its session already. Ask about it with `/ask`; for another session, use the command in the channel.";

/// Longest thread name and title, in characters (Discord allows 100).
const TITLE: usize = 90;

/// What somebody asked for with a command, checked.
pub struct Request {
    /// Who, and by which interaction.
    pub actor: Actor,
    /// The server where the command was used.
    pub guild: GuildId,
    /// Where it begins.
    pub channel: Home,
    /// What has to be decided.
    pub problem: Problem,
    /// By which protocol.
    pub wanted: Wanted,
    /// A text for everybody.
    pub document: Option<Document>,
    /// The message that it is about.
    pub about: Option<AboutMessage>,
    /// One model for all seats of the panel instead of the usual ones.
    pub model: Option<ModelName>,
    /// How much is asked of everybody; as on the server where nothing was chosen.
    pub effort: Option<Effort>,
    /// How the vote is held.
    pub voting: VoteRules,
}

/// With what a session goes on.
pub(super) struct Sequel {
    pub(super) from: GoesOnFrom,
    pub(super) left: Left,
}

impl Sequel {
    /// The card in the first session's thread that names the new one.
    fn card(&self, id: &SessionId, protocol: Protocol, title: &str) -> Option<NewSequel> {
        let from = self.from.session.clone();
        let named = SequelCard { session: id.clone(), protocol, title: title.to_owned(), thread: None };
        let posts = thread_posts(&from, &sequel_key(id), None, vec![render::sequel::card(&named)]);
        posts.into_iter().next().map(|card| NewSequel { from, left: self.left, card })
    }
}

/// A protocol with what was chosen for it: makes a session's brief of what has to be decided, with whom it is said to
/// sit where. Each protocol has a function of its name that gives one.
pub struct Wanted(MakeBrief);

type MakeBrief = Box<dyn FnOnce(&Seating<'_>, Problem, Option<Document>) -> anyhow::Result<Brief> + Send>;

impl Wanted {
    pub(super) fn new(
        brief: impl FnOnce(&Seating<'_>, Problem, Option<Document>) -> anyhow::Result<Brief> + Send + 'static,
    ) -> Self {
        Self(Box::new(brief))
    }

    /// `/mediate` with these modules, and what more is wanted of it. Where others are chosen for it, these are for the case
    /// that nobody can, and what the team wants modules to count holds for the choice.
    #[must_use]
    pub fn mediate(
        panel: Panel,
        extras: MediateExtras,
        (choosing, weights): (Choosing, BTreeMap<ModuleName, Weight>),
    ) -> Self {
        Self::new(move |seating, problem, document| {
            let selecting = (choosing != Choosing::Never).then(|| Selecting {
                seats: seating.panel(MOST_CHOSEN),
                weights,
                offered: choosing == Choosing::IfWished,
            });
            let searching = seating.searching(extras.searching);
            Ok(Brief::Mediate(MediateBrief {
                problem,
                seats: seating.panel(panel.seats.len()),
                panel,
                document,
                mediator: seating.beside(&seating.settings.mediator),
                language: seating.language(),
                effort: seating.effort,
                trust: seating.trust.clone(),
                extras: MediateExtras { searching, ..extras },
                selecting,
            }))
        })
    }

    /// `/roundtable` with so many experts.
    #[must_use]
    pub fn roundtable(experts: usize) -> Self {
        Self::new(move |seating, problem, document| {
            Ok(Brief::Roundtable(RoundtableBrief {
                problem,
                document,
                experts: seating.panel(experts),
                gatekeeper: seating.beside(&seating.settings.gatekeeper),
                notary: seating.beside(&seating.settings.notary),
                language: seating.language(),
                effort: seating.effort,
            }))
        })
    }
}

impl Sessions {
    /// Whether somebody may start a session here now, with the server's settings: asked before anything is fetched or
    /// read for one.
    pub async fn admit(&self, actor: &Actor, guild: GuildId) -> anyhow::Result<GuildSettings> {
        let settings = self.guild_settings(guild).await?;
        if !actor.may(settings.may_start, None) {
            return UserError::of(match settings.may_start {
                Grant::Role(role) => format!(
                    "On this server, only members with the role <@&{role}> start sessions. Ask one of them, or somebody who manages the server to give you the role."
                ),
                Grant::Everyone | Grant::Starter => {
                    "On this server, only moderators start sessions. Ask one of them.".to_owned()
                }
            });
        }
        let store = &self.0.world.store;
        // The same interaction again gets the session that it started.
        if store.applied(actor.interaction.0).await?.is_none() {
            store.may_open(guild, actor.user, self.0.settings.most_open).await.map_err(told)?;
        }
        Ok(settings)
    }

    /// Starts a session. The same interaction delivered again gives the session it started the first time.
    pub async fn start(&self, request: Request) -> anyhow::Result<SessionId> {
        self.begin(request, None).await
    }

    /// Starts one that goes on with what another left open; refused with [`StoreError::TakenUp`] while another does.
    pub(super) async fn start_sequel(&self, request: Request, of: Sequel) -> anyhow::Result<SessionId> {
        self.begin(request, Some(of)).await
    }

    async fn begin(&self, request: Request, sequel: Option<Sequel>) -> anyhow::Result<SessionId> {
        let settings = &self.0.settings;
        let guild = self.admit(&request.actor, request.guild).await?;
        let budgets = settings.budgets_of(&guild);
        let mut seating = Seating {
            settings,
            guild: &guild,
            model: request.model.as_ref(),
            budgets: &budgets,
            effort: request.effort.unwrap_or(guild.effort),
            searches: self.0.world.search.is_some(),
            trust: self.trust(request.guild, &guild).await?,
        };
        let kept_brief = self.kept_brief(&mut seating).await;
        let title = request.problem.title(TITLE);
        let Wanted(brief) = request.wanted;
        let brief = brief(&seating, request.problem, request.document)?;
        let notice = [settings.notice.clone(), kept_brief, brief.trusted()];
        let notice = notice.into_iter().flatten().reduce(|first, second| format!("{first}\n\n{second}"));
        let question = brief.takes_a_question().then(|| seating.checker());
        let checker = brief.sums_up_solutions().then(|| seating.checker());
        let reading = self.in_sections(&brief, &seating).await;
        let estimate = self.estimated(&brief, reading.as_ref(), &budgets.session).await?;
        let in_a_thread = request.channel.thread().is_some();
        let id = SessionId::from_bits(rand::random());
        let now = now_ms();
        let mut status = opening_status(&title, &brief, now, notice.clone(), budgets.session);
        status.about.clone_from(&request.about);
        status.goes_on_from = sequel.as_ref().map(|sequel| sequel.from.clone());
        let card = sequel.as_ref().and_then(|sequel| sequel.card(&id, brief.protocol(), &title));
        status.question =
            question.is_some().then_some(StatedQuestion { text: None, changed_by: None, open: true });
        status.ledger.unpriced_calls = i64::from(nothing_priced(&self.0.world.llm, &status.models));
        let new = NewSession {
            id: id.clone(),
            interaction: request.actor.interaction,
            guild: request.guild,
            home: request.channel,
            starter: request.actor.user,
            starter_name: request.actor.name,
            protocol: brief.protocol(),
            title,
            plan: serde_json::to_value(Plan {
                brief,
                budgets,
                voting: request.voting,
                notice,
                question,
                checker,
                estimate,
                reading,
                goes_on_from: sequel.map(|sequel| sequel.from),
                about: request.about,
            })?,
            prompt_version: settings.prompts.version().clone(),
            prompt_files: Arc::clone(settings.prompts.files()),
            card: opening_post(&id, render::status::card(&id, &status)),
            most_open: settings.most_open,
            sequel: card,
        };
        match self.0.world.store.start_session(new, now).await {
            Ok(()) => {
                self.0.outbox.begins(&id);
                self.spawn(&id);
                Ok(id)
            }
            Err(StoreError::Duplicate(first)) => {
                SessionId::parse(&first).ok_or_else(|| StoreError::Missing("session").into())
            }
            Err(StoreError::TakenUp(_)) if in_a_thread => UserError::of(HAS_ONE),
            Err(other) => Err(told(other)),
        }
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
        };
        let (mediator, checker) = (seating.beside(&settings.mediator), seating.checker());
        let checker = plan.checker.map(|seat| if there(&seat.model) { seat } else { checker });
        Ok(Plan { brief: plan.brief.reseated(there, &mediator), checker, ..plan })
    }
}

/// Who sits where: the one model that was asked for, else the server's models, else the configured ones.
pub(super) struct Seating<'a> {
    pub(super) settings: &'a Settings,
    guild: &'a GuildSettings,
    model: Option<&'a ModelName>,
    /// What the session may use.
    pub(super) budgets: &'a Budgets,
    /// How much is asked of everybody.
    pub(super) effort: Effort,
    /// Whether the bot has a search.
    searches: bool,
    /// How much modules count by how their advice here turned out; `None` where that is switched off.
    trust: Option<Influences>,
}

impl Seating<'_> {
    /// The language that the server has its answers in.
    pub(super) fn language(&self) -> Option<String> {
        self.guild.language.clone()
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

/// The card as it stands before anything has happened.
fn opening_status(title: &str, brief: &Brief, now: i64, notice: Option<String>, caps: Caps) -> Status {
    Status {
        protocol: brief.protocol(),
        title: title.to_owned(),
        question: None,
        offer: Offer::None,
        state: SessionState::Running,
        phase: Phase { number: 0, of: brief.phases(), title: "Starting".to_owned() },
        thinking: Vec::new(),
        answered: Vec::new(),
        started: now / 1000,
        ended: None,
        ledger: Ledger {
            calls_cap: caps.calls,
            tokens_cap: caps.tokens,
            cost_cap: caps.money,
            ..Ledger::default()
        },
        one_model: brief.one_model(),
        effort: Some(brief.effort()),
        models: brief.models(),
        restarts: 0,
        notice,
        spent: false,
        added: Vec::new(),
        waiting: None,
        thread_late: None,
        goes_on_from: None,
        about: None,
        came_out: None,
    }
}
