//! Starting a session: everything it will ever need is copied into its row, and the live card waits in the
//! outbox, before anybody is told that it has started.

use std::sync::Arc;

use super::{Actor, Sessions, plan::Making, typed::told};
use crate::{
    error::UserError,
    protocols::Wanted,
    render,
    steps::{nothing_priced, opening_post, thread_posts},
    store::{FromOthers, NewSequel, NewSession, StoreError, sequel_key},
};
use domain::{
    AboutMessage, Document, Effort, GoesOnFrom, Grant, GuildId, GuildSettings, Home, Ledger, Left, ModelName,
    Offer, Phase, Plan, Problem, Protocol, Sequel as SequelCard, SessionId, SessionState, StatedQuestion,
    Status, VoteRules,
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
    /// A text for everybody.
    pub document: Option<Document>,
    /// The message that it is about.
    pub about: Option<AboutMessage>,
    /// What of others is in that.
    pub from_others: FromOthers,
    /// What was chosen for it.
    pub chosen: Choices,
}

/// What is chosen for a session, but for what it is about.
pub struct Choices {
    /// By which protocol, with what is chosen for that alone.
    pub wanted: Wanted,
    /// One model for all seats of the panel instead of the usual ones.
    pub model: Option<ModelName>,
    /// How much is asked of everybody; as on the server where nothing was chosen.
    pub effort: Option<Effort>,
    /// How the vote is held.
    pub voting: VoteRules,
    /// Somebody has to say *Go* first, whether it takes much or not.
    pub ask_first: bool,
}

impl Choices {
    /// A protocol with nothing chosen but how the vote is held.
    #[must_use]
    pub fn usual(wanted: Wanted, voting: VoteRules) -> Self {
        Self { wanted, model: None, effort: None, voting, ask_first: false }
    }
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
            store
                .may_open(guild, actor.user, self.0.settings.most_open, self.now_ms())
                .await
                .map_err(told)?;
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
        let title = request.problem.title(TITLE);
        let plan = self
            .plan(Making {
                guild: request.guild,
                settings: &guild,
                budgets: settings.budgets_of(&guild),
                of: (request.problem, request.document),
                chosen: request.chosen,
                about: request.about,
                goes_on_from: sequel.as_ref().map(|sequel| sequel.from.clone()),
            })
            .await?;
        let pictures = plan.brief.document().map(|document| document.pictures.clone()).unwrap_or_default();
        let in_a_thread = request.channel.thread().is_some();
        let id = SessionId::from_bits(rand::random());
        let now = self.now_ms();
        let protocol = plan.brief.protocol();
        let mut status = opening_status(&title, &plan, now);
        let card = sequel.as_ref().and_then(|sequel| sequel.card(&id, protocol, &title));
        status.ledger.unpriced_calls = i64::from(nothing_priced(&self.0.world.llm, &status.models));
        let new = NewSession {
            id: id.clone(),
            interaction: request.actor.interaction,
            guild: request.guild,
            home: request.channel,
            starter: request.actor.user,
            starter_name: request.actor.name,
            protocol,
            title,
            plan: serde_json::to_value(plan)?,
            pictures: pictures.into_iter().map(|picture| picture.base64).collect(),
            prompt_version: settings.prompts.version().clone(),
            prompt_files: Arc::clone(settings.prompts.files()),
            card: opening_post(&id, render::status::card(&id, &status)),
            most_open: settings.most_open,
            sequel: card,
            from_others: request.from_others,
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

/// The card as it stands before anything has happened.
fn opening_status(title: &str, plan: &Plan, now: i64) -> Status {
    let (brief, caps) = (&plan.brief, plan.budgets.session);
    let open = StatedQuestion { text: None, changed_by: None, open: true };
    Status {
        protocol: brief.protocol(),
        title: title.to_owned(),
        question: plan.question.is_some().then_some(open),
        offer: Offer::None,
        state: SessionState::Running,
        phase: Phase { number: 0, of: brief.phases(), title: "Starting".to_owned() },
        thinking: Vec::new(),
        failing: Vec::new(),
        answered: Vec::new(),
        writing: None,
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
        notice: plan.notice.clone(),
        untaken: 0,
        spent: false,
        added: Vec::new(),
        waiting: None,
        thread_late: None,
        goes_on_from: plan.goes_on_from.clone(),
        about: plan.about.clone(),
        came_out: None,
    }
}
