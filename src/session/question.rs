//! Follow-up questions: recorded when they arrive, answered by a task of their own while the session goes on,
//! and again after a restart if they were not.

use super::{
    Run, Sessions,
    typed::{fits, told},
};
use crate::{
    error::{UserError, incident_id},
    protocols, render,
    steps::{Live, Scope, Steps, Stop, thread_posts},
    store::{QuestionRow, SessionRow, StoreError, caught},
};
use domain::{MessageId, Post, SessionId, SessionState, StepKey, UserId, is_blank};

/// Longest question, in characters.
const QUESTION: usize = 1_500;
/// Questions are answered whatever has become of the session.
const ALWAYS: &[SessionState] = &[
    SessionState::Running,
    SessionState::Paused,
    SessionState::Waiting,
    SessionState::Done,
    SessionState::Failed,
    SessionState::Cancelled,
    SessionState::Parked,
];

impl Sessions {
    /// Takes a question; the answer comes into the thread. In a debate, a message that `replies_to` one of the bot's
    /// posts asks whoever wrote that post, unless it names somebody.
    pub async fn ask(
        &self,
        row: &SessionRow,
        question: QuestionRow,
        replies_to: Option<MessageId>,
    ) -> anyhow::Result<String> {
        let mut question = self.addressed(row, question, replies_to).await?;
        let text = question.text.trim();
        if is_blank(text) {
            return UserError::of("The question is empty. Ask something about this session.");
        }
        fits("question", text, QUESTION)?;
        question.text = text.to_owned();
        let whom = question.addressee.map(|to| format!(" {}", to.name())).unwrap_or_default();
        let said = format!("Asked{whom}. The answer appears in the thread in a moment.");
        match self.0.world.store.ask(question.clone(), said.clone(), self.now_ms()).await {
            Ok(()) => self.answer(row.clone(), question),
            Err(StoreError::Duplicate(_)) => {}
            Err(other) => return Err(told(other)),
        }
        Ok(said)
    }

    /// Says under a message, once, why it was not taken as a question.
    pub async fn refuse(&self, row: &SessionRow, message: MessageId, card: Post) -> anyhow::Result<()> {
        let key = StepKey::new(format!("question/{message}"));
        let posts = thread_posts(&row.id, &key, Some(message), vec![card]);
        self.0.world.store.refuse_question(&row.id, message, posts, self.now_ms()).await?;
        self.0.outbox.kick(&row.id);
        Ok(())
    }

    /// Answers what an earlier process left unanswered.
    pub(super) async fn answer_open_questions(&self, id: &SessionId) -> Result<(), StoreError> {
        let row = self.0.world.store.session(id).await?;
        for question in self.0.world.store.open_questions(id).await? {
            self.answer(row.clone(), question);
        }
        Ok(())
    }

    pub(super) fn answer(&self, row: SessionRow, question: QuestionRow) {
        let sessions = self.clone();
        tokio::spawn(async move {
            let problem = match caught(Box::pin(sessions.try_answer(&row, &question))).await {
                Ok(()) => None,
                Err(error) if question.audit.is_some() => Some(super::audit::why_not(&row.id, &error)),
                Err(error) => Some(why_not(&row.id, &error)),
            };
            let posts = problem.map(|card| {
                // By the question, for two may be given up in the same millisecond.
                let key = StepKey::new(format!("notice/question/{}", question.id));
                thread_posts(&row.id, &key, question.reply_to, vec![card])
            });
            let store = &sessions.0.world.store;
            if let Err(error) =
                store.close_question(&question, posts.unwrap_or_default(), sessions.now_ms()).await
            {
                tracing::error!(session = %row.id, question = question.id, %error, "a question could not be closed");
            }
            sessions.0.outbox.kick(&row.id);
            // What it cost stands on the card of a session that sleeps.
            sessions.redraw_if_changed(&row.id).await;
        });
    }

    async fn try_answer(&self, row: &SessionRow, question: &QuestionRow) -> anyhow::Result<()> {
        let plan = self.0.world.store.plan(&row.id).await?;
        let plan = self.reseated(row.guild, plan).await?;
        let steps = self.beside(row, question.author, question.reply_to).await?;
        if let Some(scope) = question.audit {
            let (id, by) = (question.id, &question.author_name);
            return Ok(protocols::audit(&steps, &plan, scope, (id, by)).await?);
        }
        let asked = protocols::Question {
            id: question.id,
            author: &question.author_name,
            text: &question.text,
            to: question.addressee,
        };
        Ok(protocols::answer(&steps, &plan, &asked).await?)
    }

    /// Steps beside a session's run, whatever has become of it, on a member's account.
    pub(super) async fn beside(
        &self,
        row: &SessionRow,
        payer: UserId,
        reply_to: Option<MessageId>,
    ) -> anyhow::Result<Steps> {
        let plan = self.0.world.store.plan(&row.id).await?;
        let run = self.runs().get(&row.id).cloned();
        // Its own progress, so that the panel's live card goes on showing the panel; only the phase is taken over.
        let live = Live::at(run.as_ref().map(|run: &Run| run.live.progress().phase).unwrap_or_default());
        let scope = Scope { payer, reply_to, ..self.scope(row, &plan, ALWAYS).await? };
        let cancel = tokio_util::sync::CancellationToken::new();
        Ok(Steps::new(
            self.0.world.clone(),
            (self.0.outbox.clone(), self.0.panels.clone()),
            scope,
            live,
            cancel,
        ))
    }
}

/// What the person who asked is told.
fn why_not(id: &SessionId, error: &anyhow::Error) -> Post {
    let sentence = match error.downcast_ref::<Stop>() {
        Some(Stop::Fail(sentence)) => format!("{sentence} Ask again in a moment."),
        Some(Stop::Pause(sentence, _)) => format!("This question was not answered. {sentence}"),
        Some(Stop::Spent(sentence, _)) => {
            let sentence = format!("This question was not answered. {sentence} Then ask again.");
            return render::budget::with_button(id, render::notices::user_error(&sentence));
        }
        _ => {
            let incident = incident_id();
            tracing::error!(session = %id, %incident, error = %format!("{error:#}"), "a question could not be answered");
            format!("This question could not be answered because of an error of the bot ({incident}).")
        }
    };
    render::notices::user_error(&sentence)
}
