//! Answers that were promised before a restart: "thinking…" ends in a sentence, once, whatever became of the command.
//!
//! Discord takes an answer for 15 minutes. Whether one was given after all is asked of Discord, for the process may have
//! ended between an answer and its note.

use std::time::Duration;

use super::{Data, beginning, reply::UNANSWERED};
use crate::{
    render,
    store::{PendingReply, StoreError},
};
use discord::ApplicationId;
use domain::{Post, SessionId};

/// Finishes, in the background, what the process before this one left unanswered.
pub(super) fn finish_all(data: &Data) {
    let (sessions, discord) = (data.sessions.clone(), data.discord.clone());
    let (documents, me, rivals) = (data.documents.clone(), data.me.clone(), data.rivals.clone());
    let data = Data { sessions, discord, documents, me, rivals };
    let began = data.sessions.now_ms();
    tokio::spawn(async move {
        match data.sessions.store().promised_replies(began).await {
            Ok(promised) => {
                for reply in promised {
                    finish(&data, &reply).await;
                }
            }
            Err(error) => tracing::warn!(%error, "promised answers could not be read"),
        }
    });
}

/// Says what became of it. What Discord refuses is too late, or was dismissed; nothing is tried again.
async fn finish(data: &Data, reply: &PendingReply) {
    let (application, token) = (ApplicationId(reply.application), reply.token.reveal());
    let said = async {
        if data.discord.reply_is_pending(application, token).await? {
            let post = became(data, reply).await?;
            data.discord.edit_reply(application, token, &post, &[]).await?;
        }
        anyhow::Ok(())
    };
    if let Err(error) = said.await {
        tracing::info!(interaction = %reply.interaction, error = %format!("{error:#}"), "{UNANSWERED}");
    }
    if let Err(error) = data.sessions.store().reply_given(reply.interaction).await {
        tracing::info!(interaction = %reply.interaction, %error, "{UNANSWERED}");
    }
}

/// What became of a command whose answer was lost.
async fn became(data: &Data, reply: &PendingReply) -> Result<Post, StoreError> {
    let store = data.sessions.store();
    let Some(effect) = store.applied(reply.interaction.0).await? else {
        if let Some(post) = beginning::became(data, reply.interaction).await? {
            return Ok(post);
        }
        return Ok(render::notices::user_error(
            "I was restarted before I could answer, and nothing was done. Please do it again.",
        ));
    };
    // A start is noted by its session.
    if let Some(session) = SessionId::parse(&effect) {
        return Ok(render::notices::started(data.sessions.thread_of(&session, Duration::ZERO).await?, &[]));
    }
    let done = "I was restarted before I could answer, but it was done.";
    Ok(render::notices::done(format!("{done} {effect}").trim_end()))
}
