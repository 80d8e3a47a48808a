//! The live status card: drawn from the session's row, its ledger and its progress, edited in place, never
//! more often than people can read, and drawn when its turn has come: what changes while it waits is in it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::{Duration, Instant},
};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard, watch};
use tokio_util::sync::CancellationToken;

use super::{
    Live, Outbox, Progress, World, confirmation,
    edit::{InTurn, TOO_OLD_LET_BE, edit, in_turn},
    shown::{Card, wordless},
    tags::keep_tags,
    thread_posts,
};
use crate::{
    render,
    store::{CardAt, OnCard, SessionRow, Store, StoreError, Target, caught, next_card},
};
use discord::{EditTurn, Kind};
use domain::{
    AboutMessage, ChannelId, Effort, Estimate, GoesOnFrom, MessageId, Money, Phase, Plan, Post, SessionId,
    SessionState, Status, WaitKind, Waiting,
};
use models::Llm;

/// Edits of one card are at least this far apart; what changes meanwhile comes with the next.
const AT_MOST_EVERY: Duration = Duration::from_millis(2_500);

/// How soon drawing is tried again when it could not be done.
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// How often the last drawing is tried again when the database does not let it be done.
const LAST_TRIES: u32 = 5;

/// How long a change waits for others: replies of a round come together, and their cards go first.
const SETTLES: Duration = Duration::from_millis(300);

/// What the card says while nothing can be written.
const WAITS_FOR_DISK: &str = "Waiting for the disk: the database cannot be written at the moment. Nothing is lost and nothing is asked twice; it goes on by itself.";

/// Whose turn it is to draw a session's card. A run that ends draws it for the last time while the next one draws it already,
/// and so does whoever changes a session that sleeps: of two edits that are under way together the older may arrive last,
/// and would stand.
#[derive(Default)]
pub struct Drawing(Mutex<HashMap<SessionId, Weak<Turn<()>>>>);

impl Drawing {
    /// Waits for the turn of one session's card.
    async fn turn(&self, session: &SessionId) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let waited_for = turns.get(session).and_then(Weak::upgrade);
            waited_for.unwrap_or_else(|| {
                turns.retain(|_, turn| turn.strong_count() > 0);
                let turn = Arc::default();
                turns.insert(session.clone(), Arc::downgrade(&turn));
                turn
            })
        };
        turn.lock_owned().await
    }
}

/// What a card shows of a session's plan, which never changes; nothing of one that cannot be read.
#[derive(Clone, Default)]
pub(super) struct Planned {
    models: Vec<String>,
    one_model: bool,
    effort: Option<Effort>,
    phases: Option<u8>,
    notice: Option<String>,
    estimated: bool,
    goes_on_from: Option<GoesOnFrom>,
    about: Option<AboutMessage>,
}

impl Planned {
    async fn of(store: &Store, session: &SessionId) -> Result<Self, StoreError> {
        let Plan { brief, notice, estimate, goes_on_from, about, .. } = match store.plan(session).await {
            Err(StoreError::Corrupt(_)) => return Ok(Self::default()),
            plan => plan?,
        };
        let (models, one_model, phases) = (brief.models(), brief.one_model(), Some(brief.phases()));
        Ok(Self {
            models,
            one_model,
            effort: Some(brief.effort()),
            phases,
            notice,
            estimated: estimate.is_some_and(|planned| planned.asks),
            goes_on_from,
            about,
        })
    }
}

/// Where a session stands, for its card.
pub async fn status(world: &World, row: &SessionRow, progress: Progress) -> Result<Status, StoreError> {
    status_of(world, row, Planned::of(&world.store, &row.id).await?, progress).await
}

async fn status_of(
    world: &World,
    row: &SessionRow,
    planned: Planned,
    progress: Progress,
) -> Result<Status, StoreError> {
    let Planned { models, one_model, mut effort, phases, notice: standing, estimated, goes_on_from, about } =
        planned;
    if estimated {
        // Less may have been confirmed than was asked for.
        let confirmed: Option<Estimate> = confirmation(&world.store, &row.id, WaitKind::Estimate).await?;
        effort = confirmed.and_then(|estimate| estimate.effort).or(effort);
    }
    let OnCard { mut ledger, untaken, added, question, offer } = world.store.on_card(&row.id).await?;
    if ledger.cost == Money(0) && nothing_priced(&world.llm, &models) {
        ledger.unpriced_calls = ledger.unpriced_calls.max(1);
    }
    let waiting = waiting(world, row).await?;
    let disk = (*world.store.waits_for_disk().borrow()).then(|| WAITS_FOR_DISK.to_owned());
    // A session that waits has no run to say where it is.
    let phase = match (&waiting, phases) {
        (Some(waiting), Some(of)) => {
            let (number, title) = waiting.kind.terms().phase;
            Phase { number, of, title: title.to_owned() }
        }
        _ => progress.phase,
    };
    // One that failed for want of Discord says so, and why, itself.
    let untaken = if row.state == SessionState::Failed { 0 } else { untaken };
    Ok(Status {
        protocol: row.protocol,
        title: row.title.clone(),
        question,
        offer,
        state: row.state,
        phase,
        thinking: progress.thinking,
        failing: progress.failing.into_iter().map(|(_, failing)| failing).collect(),
        answered: progress.answered,
        writing: None,
        started: row.started_ms / 1000,
        ended: row.ended_ms.map(|ms| ms / 1000),
        ledger,
        one_model,
        effort,
        models,
        restarts: row.restarts,
        notice: disk.or_else(|| row.notice.clone()).or(standing),
        untaken,
        spent: row.state == SessionState::Paused
            && world.store.waits_for(&row.id).await?.is_some_and(|wait| wait.is_spent()),
        added,
        waiting,
        thread_late: world.late_threads.until(&row.id),
        goes_on_from,
        about,
        came_out: if row.state == SessionState::Done { world.store.came_out(&row.id).await? } else { None },
    })
}

/// Whom a waiting session waits for.
async fn waiting(world: &World, row: &SessionRow) -> Result<Option<Waiting>, StoreError> {
    if row.state != SessionState::Waiting {
        return Ok(None);
    }
    let Some(wait) = world.store.waits_for(&row.id).await? else { return Ok(None) };
    let Some(kind) = WaitKind::parse(&wait.kind) else { return Ok(None) };
    Ok(Some(Waiting {
        kind,
        grant: world.store.guild_settings(row.guild).await?.may_decide,
        starter: row.starter_name.clone(),
        until: wait.deadline_ms / 1000,
    }))
}

/// Whether no model that will be called has a known price: then not even a cost of zero is known.
#[must_use]
pub fn nothing_priced(llm: &Llm, models: &[String]) -> bool {
    !models.iter().any(|name| name.parse().is_ok_and(|model| llm.price(&model).is_some()))
}

/// What came of drawing a card.
enum Drawn {
    /// It shows what is so, or never will.
    Settled,
    /// It is not posted yet, or Discord stumbled.
    NotYet,
    /// It is too old for more edits, and is let be for a while.
    LetBe,
}

/// Keeps a session's card true until `end`, and once more after it. One that is too old to be edited is let be for
/// minutes; refused again, or when it was the last word, another takes its place at the thread's end, by `outbox`.
pub async fn keep_card(
    world: Arc<World>,
    outbox: Outbox,
    session: SessionId,
    live: Live,
    end: CancellationToken,
) {
    let (pace, mut card) = (world.pace, Card::default());
    let mut broken = 0;
    let mut disk = world.store.waits_for_disk();
    loop {
        let turn = world.drawing.turn(&session).await;
        let last = end.is_cancelled();
        let drawn = caught(draw(&world, &outbox, &session, &live, &mut card, last)).await;
        drop(turn);
        broken = if drawn.is_err() { broken + 1 } else { 0 };
        let let_be = match drawn {
            Ok(Drawn::Settled) if last => return,
            Ok(Drawn::Settled) => AT_MOST_EVERY,
            Ok(Drawn::LetBe) => TOO_OLD_LET_BE,
            Ok(Drawn::NotYet) => {
                tokio::time::sleep(pace.of(TRY_AGAIN)).await;
                continue;
            }
            Err(error) => {
                tracing::error!(%session, %error, "the live card cannot be drawn");
                if !error.may_pass() || (last && broken > LAST_TRIES) {
                    return;
                }
                tokio::time::sleep(TRY_AGAIN * broken.min(20)).await;
                continue;
            }
        };
        tokio::select! {
            () = end.cancelled() => {}
            () = async {
                tokio::time::sleep(pace.of(let_be)).await;
                tokio::select! {
                    () = changed(&live, &mut disk) => tokio::time::sleep(pace.of(SETTLES)).await,
                    () = card.words_change(&world, &live) => {}
                }
            } => {}
        }
    }
}

/// Returns once the card may have to be drawn again.
async fn changed(live: &Live, disk: &mut watch::Receiver<bool>) {
    tokio::select! {
        () = live.changed.notified() => {}
        Ok(()) = disk.changed() => {}
    }
}

/// A card as it has to look now.
struct Look {
    row: SessionRow,
    target: Target,
    /// The message, and what it has to show.
    now: (MessageId, Status),
    /// Whether the tags of its forum's post say the same.
    tagged: bool,
    /// Whether it stays true: what it says of the disk stands in no row.
    lasts: bool,
}

impl Look {
    /// The channel of its message, and what that has to say.
    fn drawn(&self, session: &SessionId) -> (ChannelId, Post) {
        match (self.target, self.row.thread) {
            (Target::Thread, Some(thread)) => (thread, render::status::card_in_place(session, &self.now.1)),
            _ => (self.row.card_stands_in(), render::status::card(session, &self.now.1)),
        }
    }

    /// Notes that the card shows this, after which nothing is drawn if it is the `last` time.
    async fn is_shown(&self, store: &Store, last: bool) -> Result<Drawn, StoreError> {
        // Until the tags say the same, both are done again after a restart.
        if self.tagged && self.lasts && self.row.card_is_due() {
            store.card_shows(&self.row.id, self.row.state, self.row.card_due).await?;
        }
        Ok(if self.tagged && (self.lasts || !last) { Drawn::Settled } else { Drawn::NotYet })
    }
}

/// What a card has to look like, unless there is none to be drawn.
async fn look(
    world: &World,
    session: &SessionId,
    live: &Live,
    card: &mut Card,
) -> Result<Result<Look, Drawn>, StoreError> {
    let row = world.store.session(session).await?;
    // Read before where the card is: what is posted in between is found there.
    let nothing_comes = row.state.is_final() && gone(world, session).await?;
    let (target, message) = match world.store.card_at(session).await? {
        CardAt::Posted(target, message) => (target, message),
        CardAt::Waiting | CardAt::Never if nothing_comes => return Ok(Err(Drawn::Settled)),
        CardAt::Waiting | CardAt::Never => return Ok(Err(Drawn::NotYet)),
    };
    let planned = match &card.planned {
        Some(planned) => planned.clone(),
        None => card.planned.insert(Planned::of(&world.store, session).await?).clone(),
    };
    let lasts = !*world.store.waits_for_disk().borrow();
    let mut status = status_of(world, &row, planned, live.progress()).await?;
    let tagged = keep_tags(world, &row, &status).await?;
    // Looked at last: nothing is shown of a call that has ended since.
    status.writing = card.writing(live, world, message).filter(|_| !row.state.is_final());
    Ok(Ok(Look { row, target, now: (message, status), tagged, lasts }))
}

/// Draws the card if it has changed. `last`: nothing will be drawn after this unless something happens.
async fn draw(
    world: &World,
    outbox: &Outbox,
    session: &SessionId,
    live: &Live,
    card: &mut Card,
    last: bool,
) -> Result<Drawn, StoreError> {
    let mut turn: Option<EditTurn<'_>> = None;
    loop {
        let look = match look(world, session, live, card).await? {
            Ok(look) => look,
            Err(none) => return Ok(none),
        };
        if card.shown.as_ref() == Some(&look.now) || card.can_wait(&look.now, world.pace) {
            return look.is_shown(&world.store, last).await;
        }
        let (channel, post) = look.drawn(session);
        // What was refused is not asked for again.
        let refused = card.refused.as_ref().is_some_and(|refused| *refused == look.now);
        let edited = if refused {
            None
        } else {
            match in_turn(&world.discord, turn.take(), (channel, look.now.0)).await {
                Ok(InTurn::Now(turn)) => Some(edit(&world.discord, turn, &post).await),
                Ok(InTurn::Waited(waited)) => {
                    turn = Some(waited);
                    continue;
                }
                Err(error) => Some(Err(error)),
            }
        };
        match edited {
            Some(Ok(())) => {
                let drawn = look.is_shown(&world.store, last).await?;
                (card.shown, card.refused) = (Some(look.now), None);
                card.edited = Some((channel, Instant::now()));
                return Ok(drawn);
            }
            Some(Err(error)) if !error.is_final() => return Ok(Drawn::NotYet),
            Some(Err(error)) if error.kind != Kind::TooOldToEdit => {
                // Deleted by somebody, or out of reach: there is no card to keep any more.
                tracing::warn!(%session, %error, "the live card cannot be edited");
                world.store.card_shows(session, look.row.state, look.row.card_due).await?;
                (card.shown, card.edited) = (Some(wordless(look.now)), None);
                return Ok(if look.tagged { Drawn::Settled } else { Drawn::NotYet });
            }
            too_old => {
                if let Some(Err(error)) = too_old {
                    tracing::warn!(%session, %error, "the live card is too old for this edit");
                }
                let message = look.now.0;
                let again = card.refused.as_ref().is_some_and(|(refused, _)| *refused == message);
                let status = look.now.1.clone();
                (card.refused, card.edited) = (Some(wordless(look.now)), None);
                if last || (again && !refused) {
                    return replace(world, outbox, session, message, &status).await;
                }
                return Ok(Drawn::LetBe);
            }
        }
    }
}

/// Posts another card at the thread's end, which is the live one from then on. The thread still hangs from the first,
/// and the buttons of all of them do the same.
async fn replace(
    world: &World,
    outbox: &Outbox,
    session: &SessionId,
    old: MessageId,
    status: &Status,
) -> Result<Drawn, StoreError> {
    let post = render::status::card_in_place(session, status);
    let Some(post) = thread_posts(session, &next_card(old), None, vec![post]).pop() else {
        return Ok(Drawn::Settled);
    };
    if world.store.replace_card(session, post).await? {
        outbox.kick(session);
        return Ok(Drawn::NotYet);
    }
    tracing::warn!(%session, "the live card can be neither edited nor replaced");
    Ok(Drawn::Settled)
}

/// Whether the card will never be posted: nothing of the session is left to send.
async fn gone(world: &World, session: &SessionId) -> Result<bool, StoreError> {
    Ok(world.store.next_post(session).await?.is_none())
}
