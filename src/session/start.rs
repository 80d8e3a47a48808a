//! Starting a session: everything it will ever need is copied into its row, and the live card waits in the
//! outbox, before anybody is told that it has started.

use super::Sessions;
use crate::{
    domain::{
        Brief, ChannelId, Document, GuildId, InteractionId, Ledger, ModelName, Panel, Phase, Plan, Problem,
        Seat, SessionId, SessionState, Status, UserId,
    },
    error::UserError,
    render,
    steps::{nothing_priced, now_ms, opening_post},
    store::{NewSession, StoreError},
};

/// Longest thread name and title, in characters (Discord allows 100).
const TITLE: usize = 90;

/// What somebody asked for with `/mediate`, checked.
#[derive(Debug)]
pub struct Request {
    /// The command's interaction.
    pub interaction: InteractionId,
    /// Where.
    pub guild: GuildId,
    /// The channel.
    pub channel: ChannelId,
    /// Who.
    pub starter: UserId,
    /// The name they go by.
    pub starter_name: String,
    /// What has to be decided.
    pub problem: Problem,
    /// Who speaks.
    pub panel: Panel,
    /// A text for all modules.
    pub document: Option<Document>,
    /// One model for all seats instead of the configured panel.
    pub model: Option<ModelName>,
}

impl Sessions {
    /// Starts a mediation. The same interaction delivered again gives the session it started the first time.
    pub async fn start(&self, request: Request) -> anyhow::Result<SessionId> {
        let settings = &self.0.settings;
        let seats: Vec<Seat> =
            (0..request.panel.seats.len()).map(|place| self.chosen(&request, place)).collect();
        let mediator = match &request.model {
            Some(model) => Seat { model: model.clone(), fallbacks: settings.others(model) },
            None => Seat { model: settings.mediator.clone(), fallbacks: settings.others(&settings.mediator) },
        };
        let title = request.problem.title(TITLE);
        let brief = Brief {
            problem: request.problem,
            panel: request.panel,
            document: request.document,
            seats,
            mediator,
            language: None,
        };
        let id = SessionId::from_bits(rand::random());
        let now = now_ms();
        let mut status =
            opening_status(&title, &brief, now, settings.notice.clone(), settings.budgets.session);
        status.ledger.unpriced_calls = i64::from(nothing_priced(&self.0.world.llm, &status.models));
        let new = NewSession {
            id: id.clone(),
            interaction: request.interaction,
            guild: request.guild,
            channel: request.channel,
            starter: request.starter,
            starter_name: request.starter_name,
            protocol: "mediate",
            title,
            plan: serde_json::to_value(Plan {
                brief,
                budgets: settings.budgets,
                notice: settings.notice.clone(),
            })?,
            prompt_version: settings.prompts.version(),
            prompt_files: settings.prompts.files().clone(),
            card: opening_post(&id, render::status::card(&id, &status)),
            most_live: i64::from(settings.most_live),
        };
        match self.0.world.store.start_session(new, now).await {
            Ok(()) => {
                self.spawn(&id);
                Ok(id)
            }
            Err(StoreError::Duplicate(first)) => {
                SessionId::parse(&first).ok_or_else(|| StoreError::Missing("session").into())
            }
            Err(StoreError::NotRunning(_)) => UserError::of(format!(
                "{} sessions are already open on this server, which is as many as may be open at once. Wait for one to end, or cancel one.",
                settings.most_live
            )),
            Err(other) => Err(other.into()),
        }
    }

    fn chosen(&self, request: &Request, place: usize) -> Seat {
        match &request.model {
            Some(model) => Seat { model: model.clone(), fallbacks: self.0.settings.others(model) },
            None => self.0.settings.seat(place),
        }
    }
}

/// The card as it stands before anything has happened.
fn opening_status(
    title: &str,
    brief: &Brief,
    now: i64,
    notice: Option<String>,
    caps: crate::domain::Caps,
) -> Status {
    let mut models: Vec<String> =
        brief.seats.iter().chain([&brief.mediator]).map(|seat| seat.model.to_string()).collect();
    models.sort();
    models.dedup();
    Status {
        protocol: "mediate".to_owned(),
        title: title.to_owned(),
        state: SessionState::Running,
        phase: Phase { number: 0, of: 4, title: "Starting".to_owned() },
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
        one_model: brief.seats.len() > 1 && brief.only_model().is_some(),
        models,
        restarts: 0,
        notice,
    }
}
