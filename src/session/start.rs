//! Starting a session: everything it will ever need is copied into its row, and the live card waits in the
//! outbox, before anybody is told that it has started.

use super::{Actor, Sessions, Settings};
use crate::{
    domain::{
        Advocates, Brief, Budgets, Caps, ChannelId, CritiqueBrief, DebateBrief, Document, Grant, GuildId,
        GuildSettings, Ledger, MediateBrief, ModelName, Panel, Phase, Philosopher, Plan, Preset, Problem,
        RoundtableBrief, Seat, SessionId, SessionState, Status, TreeDepth, VoteRules, plan_calls, sections,
    },
    error::UserError,
    protocols::critique,
    render,
    steps::{nothing_priced, now_ms, opening_post},
    store::{NewSession, StoreError},
};

/// Longest thread name and title, in characters (Discord allows 100).
const TITLE: usize = 90;

/// What somebody asked for with a command, checked.
#[derive(Debug)]
pub struct Request {
    /// Who, and by which interaction.
    pub actor: Actor,
    /// Where.
    pub guild: GuildId,
    /// The channel.
    pub channel: ChannelId,
    /// What has to be decided.
    pub problem: Problem,
    /// By which protocol.
    pub wanted: Wanted,
    /// A text for everybody.
    pub document: Option<Document>,
    /// One model for all seats instead of the configured panel.
    pub model: Option<ModelName>,
    /// How the vote is held.
    pub voting: VoteRules,
}

impl Request {
    /// The document that is read, whatever it is read for.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        match &self.wanted {
            Wanted::Critique(document, _) => Some(document),
            Wanted::Mediate(_) | Wanted::Roundtable(_) | Wanted::Debate(_) => self.document.as_ref(),
        }
    }
}

/// A protocol, with what was chosen for it.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// `/mediate` with these modules.
    Mediate(Panel),
    /// `/roundtable` with so many experts.
    Roundtable(usize),
    /// `/debate` of this length.
    Debate(Preset),
    /// `/critique` of this document, with trees of this depth.
    Critique(Document, TreeDepth),
}

impl Sessions {
    /// Starts a session. The same interaction delivered again gives the session it started the first time.
    pub async fn start(&self, request: Request) -> anyhow::Result<SessionId> {
        let settings = &self.0.settings;
        let guild = self.guild_settings(request.guild).await?;
        if !request.actor.may(guild.may_start, None) {
            return UserError::of(match guild.may_start {
                Grant::Role(role) => format!(
                    "On this server, only members with the role <@&{role}> start sessions. Ask one of them, or somebody who manages the server to give you the role."
                ),
                Grant::Everyone | Grant::Starter => {
                    "On this server, only moderators start sessions. Ask one of them.".to_owned()
                }
            });
        }
        let seating = Seating { settings, guild: &guild, model: request.model.as_ref() };
        let title = request.problem.title(TITLE);
        let mut brief = seating.brief(request.problem, request.wanted, request.document);
        let budgets = settings.budgets_of(&guild);
        if let Brief::Critique(brief) = &mut brief {
            brief.at_once = critique::at_once(brief, &budgets.session);
            suffices(brief, &budgets, settings.budgets.session)?;
        }
        let id = SessionId::from_bits(rand::random());
        let now = now_ms();
        let mut status = opening_status(&title, &brief, now, settings.notice.clone(), budgets.session);
        status.ledger.unpriced_calls = i64::from(nothing_priced(&self.0.world.llm, &status.models));
        let new = NewSession {
            id: id.clone(),
            interaction: request.actor.interaction,
            guild: request.guild,
            channel: request.channel,
            starter: request.actor.user,
            starter_name: request.actor.name,
            protocol: brief.protocol(),
            title,
            plan: serde_json::to_value(Plan {
                brief,
                budgets,
                voting: request.voting,
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
}

/// Refuses a critique whose session may not call often enough for even one section at depth 1. `allowed` is what whoever
/// runs the bot lets a session use; a server can set less.
fn suffices(brief: &CritiqueBrief, budgets: &Budgets, allowed: Caps) -> anyhow::Result<()> {
    let calls = budgets.session.calls;
    let sections = sections(&brief.document, brief.at_once);
    let fits = |calls| plan_calls(&sections, brief.members.len(), brief.depth, calls).is_some();
    if fits(calls) {
        return Ok(());
    }
    let least = (calls..=calls.saturating_add(1_000)).find(|calls| fits(*calls));
    let needs = least.map_or_else(String::new, |least| format!(" even the shortest takes {least}."));
    let remedy = if calls < allowed.calls {
        "Somebody who manages this server can allow more with `/settings budget`."
    } else {
        "Whoever runs me can allow more with `QUORUM_BUDGET_SESSION_CALLS`."
    };
    UserError::of(format!(
        "A session here may make {calls} calls to models, which is too few for a critique:{needs} {remedy} Nothing was started."
    ))
}

/// Who sits where: the one model that was asked for, else the server's models, else the configured ones.
struct Seating<'a> {
    settings: &'a Settings,
    guild: &'a GuildSettings,
    model: Option<&'a ModelName>,
}

impl Seating<'_> {
    fn brief(&self, problem: Problem, wanted: Wanted, document: Option<Document>) -> Brief {
        let language = self.guild.language.clone();
        match wanted {
            Wanted::Mediate(panel) => Brief::Mediate(MediateBrief {
                problem,
                seats: self.panel(panel.seats.len()),
                panel,
                document,
                mediator: self.role(&self.settings.mediator),
                language,
            }),
            Wanted::Roundtable(experts) => Brief::Roundtable(RoundtableBrief {
                problem,
                document,
                experts: self.panel(experts),
                gatekeeper: self.role(&self.settings.gatekeeper),
                notary: self.role(&self.settings.notary),
                language,
            }),
            Wanted::Critique(document, depth) => Brief::Critique(CritiqueBrief {
                problem,
                document,
                depth,
                at_once: self.settings.document_chars,
                members: self.panel(Philosopher::ALL.len()),
                assessor: self.role(&self.settings.mediator),
                language,
            }),
            Wanted::Debate(preset) => Brief::Debate(DebateBrief {
                problem,
                preset,
                document,
                advocates: self.advocates(),
                gatekeeper: self.role(&self.settings.gatekeeper),
                moderator: self.role(&self.settings.moderator),
                checker: self.role(&self.settings.cheap),
                language,
            }),
        }
    }

    /// The panel's seats: its models in turn, the others standing in for each.
    fn panel(&self, seats: usize) -> Vec<Seat> {
        let models = self.models();
        (0..seats).filter_map(|place| models.get(place % models.len().max(1))).map(|m| self.seat(m)).collect()
    }

    /// The first two models of the panel, one a side; where there is only one, it argues both.
    fn advocates(&self) -> Advocates {
        let models = self.models();
        let of = |place: usize| models.get(place).or(models.first()).unwrap_or(&self.settings.moderator);
        Advocates { pro: self.seat(of(0)), con: self.seat(of(1)) }
    }

    /// A seat beside the panel: its configured model, unless the command or the server chose others.
    fn role(&self, configured: &ModelName) -> Seat {
        match self.models().first() {
            Some(first) if self.model.is_some() || !self.guild.models.is_empty() => self.seat(first),
            _ => self.seat(configured),
        }
    }

    fn models(&self) -> Vec<ModelName> {
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
    fn seat(&self, model: &ModelName) -> Seat {
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
        models: brief.models(),
        restarts: 0,
        notice,
        waiting: None,
    }
}
