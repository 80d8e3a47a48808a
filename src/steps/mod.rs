//! The words protocols are written in: ask a model, post, take notes in, throw dice. Every effect is a *step*
//! with a hand-written key; a step found in the journal gives back its stored result instead of happening
//! again, and that is all there is to resuming.
//!
//! Invariant: the row comes first (with its budget, in one transaction), then the effect, then the result with
//! its cost and its posts in one transaction. Called by `protocols`, which touch the world only through here,
//! and by `session`, which owns the tasks.

mod ahead;
mod ask;
mod behind;
mod bill;
mod card;
mod clock;
mod code;
mod confirm;
mod decision;
mod degraded;
mod drain;
mod edit;
mod ending;
mod evidence;
mod failure;
mod forum;
mod held;
mod journal;
mod kicked;
mod late;
mod left;
mod offer;
mod outbox;
mod pace;
mod pages;
mod panel;
mod question;
mod record;
mod search;
mod seat;
mod sequel;
mod servers;
mod shown;
mod stop;
mod strays;
mod tags;
mod timed;
mod tries;
mod underway;
mod vote;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

pub use ask::{Ask, Try, day, month};
pub use behind::{Behind, Lost, behind};
pub use card::{Drawing, keep_card, nothing_priced, status};
pub use confirm::confirmation;
pub use decision::decision_card;
pub use drain::Drain;
pub use edit::{TOO_OLD_LET_BE, edit_text};
pub use ending::CLOSING;
pub use failure::{Failure, FailureClass};
pub use journal::Journal;
pub use kicked::Kicked;
pub use late::LateThreads;
pub use outbox::{Outbox, opening_post};
pub use pace::{RatesAt, prices, rates, rates_up_to};
pub use pages::{Wanted, look_at};
pub use panel::{DrawPanel, Panels, drawn};
pub use search::search_price;
pub use seat::{Answered, Question, Way};
pub use servers::recall;
pub use stop::Stop;
pub(crate) use stop::budget_sentence;
pub use tags::Forums;
pub use vote::vote_key;

pub use crate::store::{AttemptRow, NewVote};
use crate::{
    prompt::Prompts,
    render::Rasterizer,
    store::{NewPost, Store, Target},
};
use discord::{Discord, Nonce};
use documents::{Documents, sandbox::Sandbox};
use domain::{
    Budgets, Caps, Failing, GuildId, MessageId, Pace, Phase, Post, SessionId, SessionState, StepKey, UserId,
};
use models::{Llm, pages::Pages, search::Search};

/// The outside, built once.
pub struct World {
    /// The database.
    pub store: Store,
    /// The models.
    pub llm: Llm,
    /// The web, where whoever runs the bot has set up a search.
    pub search: Option<Search>,
    /// The pages that sessions cite.
    pub pages: Pages,
    /// Reads what is fetched from them.
    pub documents: Documents,
    /// Runs code that models write.
    pub sandbox: Sandbox,
    /// Discord, outbound.
    pub discord: Discord,
    /// Turns drawings into pictures.
    pub rasterizer: Arc<Rasterizer>,
    /// How fast its own pauses pass.
    pub pace: Pace,
    /// Told of what Discord refuses for good.
    pub undeliverable: mpsc::UnboundedSender<Undelivered>,
    /// Whose thread Discord does not let be started yet.
    pub late_threads: LateThreads,
    /// Whose turn it is to draw a live card.
    pub drawing: Drawing,
    /// What is known of forums.
    pub forums: Forums,
    /// Rung when a deadline was made that may be nearer than all others.
    pub deadlines: Notify,
    /// The calls in flight, and whether there may be more.
    pub drain: Drain,
}

/// What Discord does not take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undelivered {
    /// Anything of a session, with a sentence that says why.
    Session(SessionId, String),
    /// One post of a session, which goes on without it.
    Post(SessionId),
    /// A session's thread, for minutes; told once more when it is there.
    Thread(SessionId),
}

/// Milliseconds since 1970 by the clock on the wall. Everything durable goes by [`World::now_ms`], where there is one.
#[must_use]
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// What a session is doing right now. It is in memory only: after a restart the protocol runs from its top and
/// says it again.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Where in the protocol.
    pub phase: Phase,
    /// Titles of the seats that think.
    pub thinking: Vec<String>,
    /// Those among them whose calls fail and are tried again.
    pub failing: Vec<(StepKey, Failing)>,
    /// Titles of the seats that have answered in this phase.
    pub answered: Vec<String>,
}

impl Progress {
    /// A call of a seat failed at this moment, in seconds since 1970, and is tried again.
    fn fails(&mut self, (key, who): (&StepKey, &str), now: i64) {
        match self.failing.iter_mut().find(|(failing, _)| failing == key) {
            Some((_, failing)) => failing.times += 1,
            None => {
                self.failing.push((key.clone(), Failing { who: who.to_owned(), times: 1, since: now }));
            }
        }
    }

    /// A call came through.
    fn came(&mut self, key: &StepKey) {
        self.failing.retain(|(failing, _)| failing != key);
    }

    /// A seat thinks no longer. Once only: somebody may think about several things at the same time.
    fn thought(&mut self, who: &str) {
        if let Some(at) = self.thinking.iter().position(|thinks| thinks == who) {
            self.thinking.remove(at);
        }
    }
}

/// A session's progress and the bell that rings when it changes.
#[derive(Clone, Default)]
pub struct Live {
    progress: Arc<Mutex<Progress>>,
    /// Rung at each change; the live card is redrawn.
    pub changed: Arc<Notify>,
    /// Rings for no word of theirs: the card looks by itself.
    underway: underway::Underway,
}

impl Live {
    /// A progress that begins in a phase.
    #[must_use]
    pub fn at(phase: Phase) -> Self {
        let live = Self::default();
        live.change(|progress| progress.phase = phase);
        live
    }

    /// The progress now.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.lock());
        self.changed.notify_one();
    }
}

/// Whose steps, and within which bounds.
pub struct Scope {
    /// The session.
    pub session: SessionId,
    /// Its server.
    pub guild: GuildId,
    /// On whose account its calls are.
    pub payer: UserId,
    /// What it may use, as copied at its start.
    pub budgets: Budgets,
    /// States in which its steps may go on.
    pub allowed: &'static [SessionState],
    /// The prompts it was started with.
    pub prompts: Prompts,
    /// The message its posts answer, for follow-ups.
    pub reply_to: Option<MessageId>,
}

/// The steps of one run of one protocol. Cheap to clone.
#[derive(Clone)]
pub struct Steps {
    world: Arc<World>,
    outbox: Outbox,
    panels: Panels,
    scope: Arc<Scope>,
    live: Live,
    cancel: CancellationToken,
    /// Questions that may be asked and have no row yet.
    promised: Arc<left::Promised>,
    /// Its calls that hold some of its budget.
    holding: held::Holding,
    /// What was recorded and may not be on the disk yet.
    ahead: ahead::WrittenAhead,
    /// Whether the live card shows words of an answer that is still coming.
    seen: bool,
    /// The panel onto which its answers come; `None`: each has posts of its own.
    panel: Option<StepKey>,
}

impl Steps {
    /// Steps within a scope; `cancel` aborts calls under way.
    #[must_use]
    pub fn new(
        world: Arc<World>,
        (outbox, panels): (Outbox, Panels),
        scope: Scope,
        live: Live,
        cancel: CancellationToken,
    ) -> Self {
        let (promised, holding) = (Arc::default(), held::Holding::default());
        let ahead = ahead::WrittenAhead::default();
        let (scope, seen, panel) = (Arc::new(scope), true, None);
        Self { world, outbox, panels, scope, live, cancel, promised, holding, ahead, seen, panel }
    }

    /// The same steps, going on while the session is paused too: for what was begun before and is to be whole, such as
    /// a turn that has been said and is still to be checked and posted.
    #[must_use]
    pub fn finishing(&self) -> Self {
        let Scope { session, guild, payer, budgets, prompts, reply_to, .. } = &*self.scope;
        let scope = Scope {
            session: session.clone(),
            guild: *guild,
            payer: *payer,
            budgets: *budgets,
            allowed: &[SessionState::Running, SessionState::Paused],
            prompts: prompts.clone(),
            reply_to: *reply_to,
        };
        Self { scope: Arc::new(scope), ..self.clone() }
    }

    /// The same steps, of whose answers nobody sees a word while they come: for what has to pass a check before it is
    /// shown.
    #[must_use]
    pub fn unseen(&self) -> Self {
        Self { seen: false, ..self.clone() }
    }

    /// The same steps, whose answers come onto one panel, each as it is there: the first post that is made of the first is
    /// the panel's, and from then on the protocol draws it.
    #[must_use]
    pub fn onto(&self, panel: StepKey) -> Self {
        Self { panel: Some(panel), ..self.clone() }
    }

    /// The session's name, for the buttons of its cards.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.scope.session
    }

    /// What the session holds up to this moment.
    #[must_use]
    pub fn journal(&self) -> Journal {
        Journal::new(self.world.store.clone(), self.scope.session.clone())
    }

    /// The prompts it was started with.
    #[must_use]
    pub fn prompts(&self) -> &Prompts {
        &self.scope.prompts
    }

    /// What the session may use in all, as copied at its start.
    #[must_use]
    pub fn caps(&self) -> &Caps {
        &self.scope.budgets.session
    }

    /// Says where the protocol is; shown on the live card.
    pub fn phase(&self, number: u8, of: u8, title: &str) {
        self.live.change(|progress| {
            *progress =
                Progress { phase: Phase { number, of, title: title.to_owned() }, ..Progress::default() };
        });
    }

    /// Where the protocol is, in words.
    #[must_use]
    pub fn phase_now(&self) -> String {
        self.live.progress().phase.title
    }

    fn outgoing(&self, key: &StepKey, posts: Vec<Post>) -> Vec<NewPost> {
        thread_posts(&self.scope.session, key, self.scope.reply_to, posts)
    }
}

/// Posts for a session's thread, each with the nonce that its key and part give it.
#[must_use]
pub fn thread_posts(
    session: &SessionId,
    key: &StepKey,
    reply_to: Option<MessageId>,
    posts: Vec<Post>,
) -> Vec<NewPost> {
    (0..)
        .zip(posts)
        .map(|(part, post)| NewPost {
            key: key.to_string(),
            part,
            target: Target::Thread,
            reply_to,
            post,
            nonce: Nonce::new(session, key, part as usize).as_str().to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_is_counted_for_each_call_and_forgotten_once_one_came_through() {
        let (mut progress, [one, other]) = (Progress::default(), ["draft/1", "draft/2"].map(StepKey::from));
        for (key, now) in [(&one, 10), (&other, 20), (&one, 30)] {
            progress.fails((key, "Mediator"), now);
        }
        let told = |progress: &Progress| -> Vec<(u32, i64)> {
            progress.failing.iter().map(|(_, failing)| (failing.times, failing.since)).collect()
        };
        assert_eq!(told(&progress), [(2, 10), (1, 20)]);
        progress.came(&one);
        assert_eq!(told(&progress), [(1, 20)]);
    }
}
