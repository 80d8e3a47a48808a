//! Answering an interaction: acknowledged at once, then told the rest, all of it seen only by the person.

use std::time::Duration;

use poise::serenity_prelude as serenity;

use super::{
    Data,
    rivals::{AnsweredElsewhere, Rivals},
};
use crate::{
    error::{UserError, incident_id},
    render,
    session::{Actor, Sessions},
    store::{PendingReply, StoreError},
};
use discord::{Ack, ApplicationId, Discord, Kind, SendError, Upload};
use domain::{File, FileBody, InteractionId, Modal, Post, RoleId, Secret, UserId};

/// An interaction that is to be answered.
pub(super) struct Call<'a> {
    discord: &'a Discord,
    application: ApplicationId,
    pub(super) interaction: InteractionId,
    token: &'a str,
    sessions: &'a Sessions,
    rivals: &'a Rivals,
}

/// Why a first answer was not taken.
enum Unanswered {
    /// Another process had given one.
    Elsewhere,
    /// Discord did not take it, or nobody knows.
    Refused(SendError),
}

/// How long an answer waits for a session's thread to be there, so that it can link to it.
pub(super) const THREAD_PATIENCE: Duration = Duration::from_secs(5);

/// Logged where somebody may be left with a "thinking…".
pub(super) const UNANSWERED: &str = "an answer that was promised may stay open";

impl<'a> Call<'a> {
    pub(super) fn command(data: &'a Data, command: &'a serenity::CommandInteraction) -> Self {
        Self {
            discord: &data.discord,
            application: ApplicationId(command.application_id.get()),
            interaction: InteractionId(command.id.get()),
            token: &command.token,
            sessions: &data.sessions,
            rivals: &data.rivals,
        }
    }

    pub(super) fn component(data: &'a Data, pressed: &'a serenity::ComponentInteraction) -> Self {
        Self {
            discord: &data.discord,
            application: ApplicationId(pressed.application_id.get()),
            interaction: InteractionId(pressed.id.get()),
            token: &pressed.token,
            sessions: &data.sessions,
            rivals: &data.rivals,
        }
    }

    pub(super) fn form(data: &'a Data, form: &'a serenity::ModalInteraction) -> Self {
        Self {
            discord: &data.discord,
            application: ApplicationId(form.application_id.get()),
            interaction: InteractionId(form.id.get()),
            token: &form.token,
            sessions: &data.sessions,
            rivals: &data.rivals,
        }
    }

    /// "Thinking…", for this person only. A second delivery of the same interaction finds it answered, and a
    /// late one finds it expired; neither keeps the work from being done. What another process has answered does, unless
    /// it is work that no other can do.
    pub(super) async fn defer(&self) -> Result<(), AnsweredElsewhere> {
        match self.first(Ack::DeferPrivate).await {
            Ok(()) => {}
            Err(Unanswered::Elsewhere) => return Err(AnsweredElsewhere),
            Err(Unanswered::Refused(error)) => {
                tracing::info!(interaction = %self.interaction, %error, "an interaction could not be acknowledged");
                return Ok(());
            }
        }
        let reply = PendingReply {
            interaction: self.interaction,
            application: self.application.0,
            token: Secret::new(self.token),
        };
        // Nobody waits for it.
        let (store, now) = (self.sessions.store().clone(), self.sessions.now_ms());
        tokio::spawn(async move {
            if let Err(error) = store.promise_reply(reply, now).await {
                tracing::info!(%error, "{UNANSWERED}");
            }
        });
        Ok(())
    }

    /// The first answer, whichever it is. A process whose database another one has taken over gives none: it can do
    /// nothing any more, and what it answers would be left to it.
    async fn first(&self, ack: Ack<'_>) -> Result<(), Unanswered> {
        if self.sessions.store().is_taken_over().await {
            return Err(Unanswered::Elsewhere);
        }
        self.rivals.answers(self.interaction);
        match self.discord.acknowledge(self.interaction, self.token, ack).await {
            Err(error)
                if error.kind == Kind::AlreadyAcknowledged && self.rivals.is_anothers(self.interaction) =>
            {
                self.rivals.noticed();
                Err(Unanswered::Elsewhere)
            }
            answered => answered.map_err(Unanswered::Refused),
        }
    }

    /// The first answer where it is the whole of it: nothing was done before it, so that nothing is left where another
    /// process was quicker.
    async fn only(&self, ack: Ack<'_>) -> anyhow::Result<()> {
        match self.first(ack).await {
            Ok(()) | Err(Unanswered::Elsewhere) => Ok(()),
            Err(Unanswered::Refused(error)) => Err(error.into()),
        }
    }

    /// Opens a form. It has to be the first answer.
    pub(super) async fn open(&self, modal: &Modal) -> anyhow::Result<()> {
        self.only(Ack::Modal(modal)).await
    }

    /// Makes the private message that was pressed on say this instead.
    pub(super) async fn change(&self, post: &Post) -> anyhow::Result<()> {
        self.only(Ack::Update(post)).await
    }

    /// A first answer that is the whole of it.
    pub(super) async fn say_at_once(&self, post: &Post) -> anyhow::Result<()> {
        self.only(Ack::Private(post)).await
    }

    /// The rest of a deferred answer: the first post in its place, the others after it.
    pub(super) async fn finish(&self, posts: &[Post]) -> anyhow::Result<()> {
        for (place, post) in posts.iter().enumerate() {
            let uploads = uploads(post);
            if place == 0 {
                self.discord.edit_reply(self.application, self.token, post, &uploads).await?;
                self.answered();
            } else {
                self.discord.follow_up_private(self.application, self.token, post, &uploads).await?;
            }
        }
        Ok(())
    }

    /// Notes, in the background, that the answer was given.
    fn answered(&self) {
        let (store, interaction) = (self.sessions.store().clone(), self.interaction);
        tokio::spawn(async move {
            if let Err(error) = store.reply_given(interaction).await {
                tracing::info!(%interaction, %error, "{UNANSWERED}");
            }
        });
    }

    /// A sentence as the rest of a deferred answer.
    pub(super) async fn finish_with(&self, sentence: &str) -> anyhow::Result<()> {
        self.finish(&[render::notices::done(sentence)]).await
    }

    /// Says what went wrong in a deferred answer: the person's own sentence, or a neutral one with an id that
    /// is in the log.
    pub(super) async fn fail(&self, error: &anyhow::Error) {
        if let Err(error) = self.finish(&[apology(error)]).await {
            tracing::info!(interaction = %self.interaction, %error, "nobody could be told what went wrong");
        }
    }
}

/// The private card for an error, which is logged here once if it is not the person's own.
pub(super) fn apology(error: &anyhow::Error) -> Post {
    if let Some(user) = error.downcast_ref::<UserError>() {
        return render::notices::user_error(&user.0);
    }
    if let Some(StoreError::Disk(_)) = error.downcast_ref::<StoreError>() {
        tracing::warn!("somebody was told that nothing was changed, for the disk takes nothing");
        return render::notices::user_error(
            "The bot is waiting for its disk, so nothing was changed. Try again in a few minutes; whoever runs the bot finds the reason in its log.",
        );
    }
    let incident = incident_id();
    tracing::error!(%incident, error = %format!("{error:#}"), "an interaction failed");
    render::notices::internal_error(&incident)
}

/// Who uses an interaction. Moderators are those who may manage threads or the server (in this channel, as
/// Discord computed it for this very interaction).
pub(super) fn actor(
    interaction: InteractionId,
    user: &serenity::User,
    member: Option<&serenity::Member>,
) -> Actor {
    let permissions = member.and_then(|member| member.permissions).unwrap_or_default();
    let may = serenity::Permissions::MANAGE_THREADS | serenity::Permissions::MANAGE_GUILD;
    Actor {
        interaction,
        user: UserId(user.id.get()),
        name: member.map_or_else(|| user.display_name(), |member| member.display_name()).to_owned(),
        moderator: permissions.administrator() || permissions.intersects(may),
        manages: permissions.administrator() || permissions.manage_guild(),
        roles: member
            .map(|member| member.roles.iter().map(|role| RoleId(role.get())).collect())
            .unwrap_or_default(),
    }
}

/// Files of private answers are texts; pictures are only in threads.
fn uploads(post: &Post) -> Vec<Upload> {
    let upload = |file: &File| {
        let FileBody::Text(text) = &file.body else { return None };
        let bytes = text.clone().into_bytes().into();
        Some(Upload {
            name: file.name.clone(),
            alt: file.alt.clone(),
            mime: "text/plain; charset=utf-8".to_owned(),
            bytes,
        })
    };
    post.files.iter().filter_map(upload).collect()
}
