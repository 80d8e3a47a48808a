//! What is pressed on private answers that belong to no one session: the pages of `/history`, and `/privacy`. What somebody
//! can read and may do is looked at with every press, for it may have changed since the answer was given.

use super::{Answer, finish_if_own, unknown};
use crate::bot::{
    caller::Caller,
    reply::{Call, apology},
};
use domain::{Apart, Post, SessionId};

/// Such a press, with all that it carries.
pub(super) struct Press<'a> {
    pub(super) caller: Caller<'a>,
    /// What was chosen in a select.
    pub(super) chosen: Vec<String>,
}

impl Press<'_> {
    /// Does what the press asks for, and says so.
    pub(super) async fn answer(self, call: &Call<'_>, action: Apart) {
        if !action.changes() {
            // Both processes may hold something of whoever asks that it be deleted.
            let elsewhere = call.defer().await.is_err();
            finish_if_own(call, elsewhere, self.does(action).await).await;
            return;
        }
        let answered = match self.shows(action).await {
            Ok(post) => call.change(&post).await,
            Err(error) => call.say_at_once(&apology(&error)).await,
        };
        if let Err(error) = answered {
            tracing::info!(interaction = %call.interaction, %error, "a press could not be answered");
        }
    }

    /// What the message that was pressed on says now.
    async fn shows(&self, action: Apart) -> anyhow::Result<Post> {
        let (sessions, asker) = (&self.caller.data.sessions, self.caller.asker()?);
        match action {
            Apart::HistoryPage(page) => sessions.history_page(&asker, page).await,
            Apart::HistoryPick(page) => {
                let chosen = self.chosen.first().and_then(|chosen| SessionId::parse(chosen));
                match chosen {
                    Some(session) => sessions.history_session(&asker, (session, page)).await,
                    None => unknown(),
                }
            }
            Apart::HistoryShow(found) => sessions.history_session(&asker, found).await,
            Apart::HistoryDelete(found) => sessions.history_delete(&asker, found).await,
            Apart::Privacy => sessions.privacy(&asker).await,
            Apart::ForgetMe => sessions.forget_me(&asker).await,
            Apart::ForgetServer => sessions.forget_server(&asker).await,
            Apart::HistoryExport(_)
            | Apart::HistoryDeleteSure(_)
            | Apart::ForgetMeSure
            | Apart::ForgetServerSure => unknown(),
        }
    }

    /// What a press does that takes as long as it takes.
    async fn does(&self, action: Apart) -> anyhow::Result<Answer> {
        let (sessions, asker) = (&self.caller.data.sessions, self.caller.asker()?);
        let said = match action {
            Apart::HistoryExport(session) => sessions.history_export(&asker, &session).await?,
            Apart::HistoryDeleteSure(session) => sessions.history_delete_sure(&asker, &session).await?,
            Apart::ForgetMeSure => sessions.forget_me_sure(&asker).await?,
            Apart::ForgetServerSure => sessions.forget_server_sure(&asker).await?,
            Apart::HistoryPage(_)
            | Apart::HistoryPick(_)
            | Apart::HistoryShow(_)
            | Apart::HistoryDelete(_)
            | Apart::Privacy
            | Apart::ForgetMe
            | Apart::ForgetServer => return unknown(),
        };
        Ok(Answer::Said(said))
    }
}
