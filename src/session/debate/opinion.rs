//! What the team thinks of the proposition: said before the debate and after it, and counted once. Like a vote it
//! lives in the database alone.

use crate::{
    domain::{Opinion, OpinionStage, OpinionState, Post, SessionId, StepKey, Swing, WaitKind},
    error::UserError,
    render,
    session::{Actor, Sessions},
    steps::{debated, now_ms, opinion_key, thread_posts},
    store::{Cast, Closing, NewOpinion, OpinionRefusal, OpinionRow, SessionRow, StoreError},
};

/// What is said to a press that a newer one has overtaken.
const OLDER: &str = "A newer vote of yours counts already, so this one changed nothing.";

impl Sessions {
    /// Takes what somebody thinks before the debate. `revision` is the edit of the proposition on whose card they
    /// pressed.
    pub async fn opine_before(
        &self,
        row: &SessionRow,
        actor: &Actor,
        opinion: Opinion,
        revision: i64,
    ) -> anyhow::Result<String> {
        let said = format!(
            "Your vote: **{}**. Nobody sees that it is yours. You can change it until the debate starts; you vote once more at its end.",
            opinion.name()
        );
        let new = new(row, actor, opinion, &said);
        match self.0.world.store.opine_before(&row.id, revision, new, now_ms()).await {
            Ok(Cast::Older) => Ok(OLDER.to_owned()),
            Ok(Cast::Counts | Cast::Last) => {
                self.0.panels.kick(&row.id, WaitKind::Proposition.as_str());
                Ok(said)
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::Opinion(refusal)) => refused(refusal),
            Err(StoreError::NotRunning(_)) => self.too_late(&row.id, WaitKind::Proposition).await,
            Err(other) => Err(other.into()),
        }
    }

    /// Takes what somebody thinks with the debate behind them.
    pub async fn opine_after(
        &self,
        row: &SessionRow,
        actor: &Actor,
        opinion: Opinion,
    ) -> anyhow::Result<String> {
        let said = format!(
            "Your vote: **{}**. Nobody sees that it is yours. You can change it until the vote closes.",
            opinion.name()
        );
        let new = new(row, actor, opinion, &said);
        match self.0.world.store.opine_after(&row.id, new, now_ms()).await {
            Ok(Cast::Older) => Ok(OLDER.to_owned()),
            Ok(cast) => {
                if cast == Cast::Last {
                    self.count_opinions_soon(&row.id);
                }
                self.0.panels.kick(&row.id, opinion_key().as_str());
                Ok(said)
            }
            Err(error) => applied(Err(error), said),
        }
    }

    /// Whether somebody may close the second asking, and it can be closed; gives the question whether they are sure.
    pub async fn may_close_opinions(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<Post> {
        self.may_decide(row, actor, CLOSE).await?;
        let Some(asking) = self.0.world.store.opinions(&row.id, OpinionStage::After).await? else {
            return refused(OpinionRefusal::Absent);
        };
        if asking.vote.state != OpinionState::Open {
            return refused(OpinionRefusal::Over);
        }
        Ok(render::debate::confirm_opinion_close(&row.id, asking.vote.ballots.len()))
    }

    /// Closes the second asking at somebody's wish and counts it.
    pub async fn close_opinions(&self, row: &SessionRow, actor: &Actor) -> anyhow::Result<String> {
        self.may_decide(row, actor, CLOSE).await?;
        let said = "Closed. How opinions moved is in the thread.";
        let event = actor.event("close opinions", &row.id, said);
        let closing = Closing::Person { event, by: actor.user, by_name: actor.name.clone() };
        let closed = self.0.world.store.close_opinions(&row.id, closing, now_ms()).await;
        if closed.is_ok() {
            self.0.panels.kick(&row.id, opinion_key().as_str());
            self.count_opinions_soon(&row.id);
        }
        applied(closed.map(|_| ()), said.to_owned())
    }

    /// Keeps what is due of all askings: deadlines, counts that a crash cut off, reminders.
    pub(in crate::session) async fn keep_opinion_votes(&self, now: i64) {
        if let Err(error) = self.close_overdue_opinions(now).await {
            tracing::error!(%error, "overdue askings for opinions could not be read");
        }
        match self.0.world.store.uncounted_opinions().await {
            Ok(closed) => closed.iter().for_each(|session| self.count_opinions_soon(session)),
            Err(error) => tracing::error!(%error, "closed askings for opinions could not be read"),
        }
        match self.0.world.store.opinions_to_remind(now).await {
            Ok(due) => {
                for session in due {
                    if let Err(error) = self.remind_opinions(&session).await {
                        tracing::error!(%session, %error, "nobody could be reminded to say what they think");
                    }
                }
            }
            Err(error) => tracing::error!(%error, "askings for opinions to remind of could not be read"),
        }
    }

    async fn close_overdue_opinions(&self, now: i64) -> Result<(), StoreError> {
        for session in self.0.world.store.overdue_opinions(now).await? {
            match self.0.world.store.close_opinions(&session, Closing::Deadline, now).await {
                Ok(_) => self.0.panels.kick(&session, opinion_key().as_str()),
                Err(error) => {
                    tracing::error!(%session, %error, "the deadline of an asking for opinions could not be kept");
                }
            }
        }
        Ok(())
    }

    /// Counts a closed asking in a task of its own. What goes wrong is tried again by the watcher of deadlines, and
    /// nothing is counted twice.
    fn count_opinions_soon(&self, session: &SessionId) {
        let (sessions, session) = (self.clone(), session.clone());
        tokio::spawn(async move {
            if let Err(error) = sessions.count_opinions(&session).await {
                tracing::error!(%session, %error, "opinions could not be counted");
            }
        });
    }

    async fn count_opinions(&self, session: &SessionId) -> Result<(), StoreError> {
        let store = &self.0.world.store;
        let Some(row) = store.opinions(session, OpinionStage::After).await? else { return Ok(()) };
        if row.counted || row.vote.state == OpinionState::Open {
            return Ok(());
        }
        let swing = self.swing(session, &row).await?;
        let question = debated(&self.0.world, session).await?;
        let cards = render::debate::swing_card(session, &question, &swing, &row.vote);
        let posts = thread_posts(session, &StepKey::from("swing"), None, cards);
        if store.count_opinions(session, posts).await? {
            self.0.outbox.kick(session);
            self.0.panels.kick(session, opinion_key().as_str());
        }
        Ok(())
    }

    /// How opinions moved, as far as they are said.
    pub(in crate::session) async fn swing(
        &self,
        session: &SessionId,
        after: &OpinionRow,
    ) -> Result<Swing, StoreError> {
        let before = self.0.world.store.opinions(session, OpinionStage::Before).await?;
        let before = before.map(|before| before.vote.ballots).unwrap_or_default();
        Ok(Swing::of(&before, &after.vote.ballots))
    }

    async fn remind_opinions(&self, session: &SessionId) -> Result<(), StoreError> {
        let store = &self.0.world.store;
        let Some(row) = store.opinions(session, OpinionStage::After).await? else { return Ok(()) };
        let question = debated(&self.0.world, session).await?;
        let reminder = render::debate::opinion_reminder(session, &question, &row.vote);
        let posts = thread_posts(session, &StepKey::from("opinion-reminder"), None, vec![reminder]);
        if store.remind_opinions(session, posts, now_ms()).await? {
            self.0.outbox.kick(session);
        }
        Ok(())
    }
}

/// What not everybody may do here.
const CLOSE: &str = "close this vote";

fn new(row: &SessionRow, actor: &Actor, opinion: Opinion, said: &str) -> NewOpinion {
    NewOpinion {
        event: actor.event("opinion", &row.id, said),
        older: OLDER.to_owned(),
        voter: actor.user,
        voter_name: actor.name.clone(),
        roles: actor.roles.clone(),
        opinion,
    }
}

/// The sentence for somebody whose opinion, or whose wish to close, is not taken.
fn refused<T>(refusal: OpinionRefusal) -> anyhow::Result<T> {
    UserError::of(match refusal {
        OpinionRefusal::Absent => {
            "This vote is not open yet. The team votes before the debate starts, and again after the synthesis."
        }
        OpinionRefusal::Started => {
            "The debate has started, so the first vote is closed. You can vote again after the synthesis."
        }
        OpinionRefusal::Over => "This vote is closed; the result is in the thread.",
        OpinionRefusal::Ineligible => {
            "This vote is for others. Ask whoever started the session if you should be among them."
        }
        OpinionRefusal::Reread => {
            "The proposition was edited since you read it. Read it again on the card in the thread, then vote."
        }
    })
}

/// What is said when something was applied, now or before, or was refused.
fn applied(outcome: Result<(), StoreError>, said: String) -> anyhow::Result<String> {
    match outcome {
        Ok(()) => Ok(said),
        Err(StoreError::Duplicate(said)) => Ok(said),
        Err(StoreError::Opinion(refusal)) => refused(refusal),
        Err(other) => Err(other.into()),
    }
}
