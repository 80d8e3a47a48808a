//! The live status card: drawn from the session's row, its ledger and its progress, edited in place, never
//! more often than people can read.

use std::{
    future::pending,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{
    Live, Outbox, Progress, World, confirmation,
    edit::{TOO_OLD_LET_BE, edit},
    now_ms,
    tags::keep_tags,
    thread_posts,
    underway::{LOOKS_AGAIN, WORDS_AT_MOST_EVERY, takes_words},
};
use crate::{
    discord::Kind,
    domain::{
        AboutMessage, ChannelId, Effort, Estimate, GoesOnFrom, MessageId, Money, Pace, Phase, Plan,
        SessionId, SessionState, Status, WaitKind, Waiting, Writing,
    },
    error::caught,
    llm::Llm,
    render,
    store::{CardAt, SessionRow, Store, StoreError, Target, next_card},
};

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

/// What a card shows of a session's plan, which never changes; nothing of one that cannot be read.
#[derive(Clone, Default)]
struct Planned {
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
    let mut ledger = world.store.ledger(&row.id).await?;
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
    let given_up = if row.state == SessionState::Failed { 0 } else { world.store.given_up(&row.id).await? };
    let notices = [disk.or_else(|| row.notice.clone()).or(standing), render::notices::given_up(given_up)];
    let notice = notices.into_iter().flatten().reduce(|first, second| format!("{first}\n\n{second}"));
    Ok(Status {
        protocol: row.protocol,
        title: row.title.clone(),
        question: world.store.stated_question(&row.id).await?,
        offer: world.store.offer(&row.id).await?,
        state: row.state,
        phase,
        thinking: progress.thinking,
        answered: progress.answered,
        writing: None,
        started: row.started_ms / 1000,
        ended: row.ended_ms.map(|ms| ms / 1000),
        ledger,
        one_model,
        effort,
        models,
        restarts: row.restarts,
        notice,
        spent: row.state == SessionState::Paused
            && world.store.waits_for(&row.id).await?.is_some_and(|wait| wait.is_spent()),
        added: world.store.additions(&row.id).await?,
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

/// What is known of a card while it is kept.
#[derive(Default)]
struct Card {
    /// What which message shows.
    shown: Option<(MessageId, Status)>,
    /// What which message was too old to show.
    refused: Option<(MessageId, Status)>,
    /// When it was edited last, and where.
    edited: Option<(ChannelId, Instant)>,
    /// Read once, for the plan may hold a whole document.
    planned: Option<Planned>,
}

impl Card {
    /// The words that a message may show now: for words alone, one that took no edit is not asked again.
    fn writing(&self, live: &Live, pace: Pace, message: MessageId) -> Option<Writing> {
        let took_edits = self.shown.is_none() || self.edited.is_some();
        let takes_edits = self.refused.is_none() && took_edits && takes_words(message, now_ms());
        live.underway.writing(pace).filter(|_| takes_edits)
    }

    /// Whether nothing but words is new, and that too soon after the last edit.
    fn can_wait(&self, (message, status): &(MessageId, Status), pace: Pace) -> bool {
        let (Some((shown_by, shown)), Some((_, edited))) = (&self.shown, self.edited) else { return false };
        let soon = edited.elapsed() < pace.of(WORDS_AT_MOST_EVERY);
        soon && shown_by == message
            && status.writing.is_some()
            && *shown == Status { writing: shown.writing.clone(), ..status.clone() }
    }

    /// Returns once there are other words to show than it does, and nothing else waits for Discord: words take nothing
    /// from posts.
    async fn words_change(&self, world: &World, live: &Live) {
        let (Some((message, shown)), Some((channel, edited))) = (&self.shown, self.edited) else {
            return pending().await;
        };
        // A call that begins rings the bell.
        if live.underway.is_empty() {
            return pending().await;
        }
        let pace = world.pace;
        tokio::time::sleep(pace.of(WORDS_AT_MOST_EVERY).saturating_sub(edited.elapsed())).await;
        while self.writing(live, pace, *message) == shown.writing || !world.discord.can_spare_edit(channel) {
            tokio::time::sleep(pace.of(LOOKS_AGAIN)).await;
        }
    }
}

/// The same with nothing of an answer that is coming.
fn wordless((message, status): (MessageId, Status)) -> (MessageId, Status) {
    (message, Status { writing: None, ..status })
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
        let last = end.is_cancelled();
        let drawn = caught(draw(&world, &outbox, &session, &live, &mut card, last)).await;
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

/// Draws the card if it has changed. `last`: nothing will be drawn after this unless something happens.
async fn draw(
    world: &World,
    outbox: &Outbox,
    session: &SessionId,
    live: &Live,
    card: &mut Card,
    last: bool,
) -> Result<Drawn, StoreError> {
    let row = world.store.session(session).await?;
    let (target, message) = match world.store.card_at(session).await? {
        CardAt::Posted(target, message) => (target, message),
        CardAt::Waiting | CardAt::Never if row.state.is_final() && gone(world, session).await? => {
            return Ok(Drawn::Settled);
        }
        CardAt::Waiting | CardAt::Never => return Ok(Drawn::NotYet),
    };
    let planned = match &mut card.planned {
        Some(planned) => planned,
        none => none.insert(Planned::of(&world.store, session).await?),
    };
    let mut status = status_of(world, &row, planned.clone(), live.progress()).await?;
    let tagged = keep_tags(world, &row, &status).await?;
    let settled = if tagged { Drawn::Settled } else { Drawn::NotYet };
    // Looked at last: nothing is shown of a call that has ended since.
    status.writing = card.writing(live, world.pace, message).filter(|_| !row.state.is_final());
    let now = (message, status);
    if card.shown.as_ref() == Some(&now) || card.can_wait(&now, world.pace) {
        if tagged && row.card_state != Some(row.state) {
            world.store.card_shows(session, row.state).await?;
        }
        return Ok(settled);
    }
    let (channel, post) = match (target, row.thread) {
        (Target::Thread, Some(thread)) => (thread, render::status::card_in_place(session, &now.1)),
        _ => (row.card_stands_in(), render::status::card(session, &now.1)),
    };
    // What was refused is not asked for again.
    let refused = card.refused.as_ref().is_some_and(|refused| *refused == now);
    let edited = if refused { None } else { Some(edit(&world.discord, channel, message, &post).await) };
    match edited {
        Some(Ok(())) => {
            // Until the tags say the same, both are done again after a restart.
            if tagged && row.card_state != Some(row.state) {
                world.store.card_shows(session, row.state).await?;
            }
            (card.shown, card.refused) = (Some(now), None);
            card.edited = Some((channel, Instant::now()));
            Ok(settled)
        }
        Some(Err(error)) if !error.is_final() => Ok(Drawn::NotYet),
        Some(Err(error)) if error.kind != Kind::TooOldToEdit => {
            // Deleted by somebody, or out of reach: there is no card to keep any more.
            tracing::warn!(%session, %error, "the live card cannot be edited");
            world.store.card_shows(session, row.state).await?;
            (card.shown, card.edited) = (Some(wordless(now)), None);
            Ok(settled)
        }
        too_old => {
            if let Some(Err(error)) = too_old {
                tracing::warn!(%session, %error, "the live card is too old for this edit");
            }
            let again = card.refused.as_ref().is_some_and(|(refused, _)| *refused == message);
            let status = now.1.clone();
            (card.refused, card.edited) = (Some(wordless(now)), None);
            if last || (again && !refused) {
                return replace(world, outbox, session, message, &status).await;
            }
            Ok(Drawn::LetBe)
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
