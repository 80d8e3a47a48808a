//! The outbox's pump: one task for each session with something to send, in order, one post at a time.
//!
//! A post has its nonce from the moment it is written. As long as Discord remembers nonces (minutes), trying
//! again is safe; after that, and before the first post of each life of the bot, the thread is read (`strays`). A post that Discord does not take is
//! given up, at once if it says why, after a while if pages come back that are not its own: the others go on, the live
//! card says so, and somebody can have it tried again. If it was the live card or the thread itself, the session is told.

use std::{borrow::Cow, sync::Arc, time::Duration};

use tokio::sync::{Notify, Semaphore};

use super::{
    Kicked, Undelivered, World,
    behind::Lost,
    strays::{Stray, Strays},
    tries::Tries,
};
use crate::store::{NewPost, OutboxRow, SessionRow, StoreError, Target};
use discord::{Kind, Nonce, SendError, Upload};
use domain::{ChannelId, Embed, File, FileBody, Lies, MessageId, Post, SessionId, StepKey};

/// How many posts are read at a time: one that is dropped meanwhile is not sent, by `post_tried`.
const AT_ONCE: u32 = 8;
/// First pause between two tries.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Longest pause between two tries, unless Discord asks for a longer one.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// Longest pause that Discord is granted: then one request finds out.
const LONGEST_ASKED: Duration = Duration::from_mins(15);
/// A thread that is late by less is not spoken of: it opens before anybody has read why it does not.
const UNSAID: Duration = Duration::from_secs(8);

/// All pumps. Cheap to clone.
#[derive(Clone)]
pub struct Outbox {
    pub(super) world: Arc<World>,
    pumps: Kicked<SessionId>,
    /// A picture takes some megabytes while it is drawn, so a hundred sessions that end together draw in turn.
    drawing: Arc<Semaphore>,
    /// What earlier lives of the bot may have posted that the database does not know.
    pub(super) strays: Strays,
    /// When what is not there yet was first tried.
    pub(super) tries: Tries,
    /// Rung when a session's last line is told.
    pub(super) told: Arc<Notify>,
}

/// The live card that opens a session: the thread is started from it, or the forum's post opened with it.
#[must_use]
pub fn opening_post(session: &SessionId, post: Post) -> NewPost {
    let key = StepKey::from("status");
    let nonce = Nonce::new(session, &key, 0).as_str().to_owned();
    NewPost { key: key.to_string(), part: 0, target: Target::Channel, reply_to: None, post, nonce }
}

/// What to do after a post was tried.
pub(super) enum Next {
    Post,
    Later(Duration),
    End,
}

/// Discord's code for a message that its filter of harmful links blocks (documentation, topics/opcodes-and-status-codes).
const HARMFUL_LINK: u32 = 240_000;

/// Why nothing of a session can be posted that has no card to open a thread from.
const NO_CARD: &str = "its card could not be posted";

/// Why a file is not there to be sent.
enum Undrawn {
    /// The process is ending.
    CutOff,
    /// It cannot be drawn, and never will be.
    Refused(String),
}

impl Outbox {
    /// Pumps for the world.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        Self {
            world,
            pumps: Kicked::default(),
            drawing: Arc::new(Semaphore::new(1)),
            strays: Strays::default(),
            tries: Tries::default(),
            told: Arc::default(),
        }
    }

    /// A session begins now, so that no earlier life of the bot can have posted anything of it.
    pub fn begins(&self, session: &SessionId) {
        self.strays.none(session);
    }

    /// Sees to it that a session's posts go out. Returns at once.
    pub fn kick(&self, session: &SessionId) {
        let (outbox, id) = (self.clone(), session.clone());
        self.pumps.kick("the outbox", session, move || {
            let (outbox, id) = (outbox.clone(), id.clone());
            async move { outbox.drain(&id).await }
        });
    }

    async fn drain(&self, session: &SessionId) -> Result<(), StoreError> {
        let World { store, pace, .. } = &*self.world;
        let mut pause = FIRST_PAUSE;
        let mut home = store.session(session).await?;
        'lines: loop {
            let rows = store.next_posts(session, AT_ONCE).await?;
            if rows.is_empty() {
                break;
            }
            for row in &rows {
                // From when it has its thread, nothing of it changes that posts depend on.
                if home.thread.is_none() {
                    home = store.session(session).await?;
                }
                let next = self.send(&home, row).await?;
                self.is_told(row);
                match next {
                    Next::Post => pause = FIRST_PAUSE,
                    Next::Later(at_least) => {
                        tokio::time::sleep(pace.of(pause).max(at_least.min(LONGEST_ASKED))).await;
                        pause = (pause * 2).min(LONGEST_PAUSE);
                        // It was tried meanwhile, or dropped.
                        continue 'lines;
                    }
                    Next::End => break 'lines,
                }
            }
        }
        if home.thread.is_none() {
            // A killed process may have left a card that was sent without its thread.
            home = store.session(session).await?;
        }
        self.thread_of(&home).await.map(|_| ())
    }

    async fn send(&self, home: &SessionRow, row: &OutboxRow) -> Result<Next, StoreError> {
        let World { store, discord, .. } = &*self.world;
        let channel = match row.target {
            Target::Channel if home.lies == Lies::OwnPost => return self.open_post(home, row).await,
            Target::Channel => home.card_stands_in(),
            Target::Thread if home.thread.is_none() && home.status_message.is_none() => {
                // The card, which comes before all else, was given up while this was being written: nobody will ever open a
                // thread for it, and whoever waits for one has to hear that.
                store.drop_unsent(&home.id, NO_CARD.to_owned()).await?;
                return Ok(Next::End);
            }
            Target::Thread => match self.thread_of(home).await? {
                Ok(thread) => thread,
                Err(next) => return Ok(next),
            },
        };
        self.after_earlier_ends(home, row).await?;
        let old = self.tries.is_old(row);
        let found = match self.posted_in_another_life(home, channel, row).await {
            Ok(None) if old => self.find(home, channel, row).await,
            found => found,
        };
        match found {
            Ok(Some(Stray { message, differs })) => {
                if differs {
                    self.say_anew(home, channel, message, row).await;
                }
                store.post_sent(row.id, message).await?;
                self.tries.ends(row.id);
                return Ok(Next::Post);
            }
            Ok(None) => {}
            Err(Lost::Store(error)) => return Err(error),
            Err(Lost::Discord(error)) => return self.refused(home, row, &error).await,
        }
        // Cut off by the end of the process: the next one draws it and sends it.
        let Some(uploads) = self.uploads(&row.post).await else { return Ok(Next::End) };
        if !store.post_tried(row.id, self.world.now_ms()).await? {
            return Ok(Next::Post);
        }
        self.tries.begins(row.id);
        let nonce = Nonce::stored(&row.nonce);
        let post = with_pictures_there_are(&row.post, &uploads);
        match discord.create_message(channel, &post, &uploads, &nonce, row.reply_to).await {
            Ok(message) => {
                store.post_sent(row.id, message).await?;
                self.tries.ends(row.id);
                if row.target == Target::Channel {
                    self.strays.none(&home.id);
                    // The thread hangs from the live card; it is opened at once, not with its first post.
                    return Ok(self
                        .thread_of(&store.session(&home.id).await?)
                        .await?
                        .err()
                        .unwrap_or(Next::Post));
                }
                Ok(Next::Post)
            }
            Err(error) if error.is_transient() && self.tried_long_enough(row) => {
                match self.find(home, channel, row).await {
                    Ok(Some(found)) => store.post_sent(row.id, found.message).await.map(|()| Next::Post),
                    // Discord is there, and does not take this one.
                    Ok(None) => self.given_up(home, row, &error).await,
                    Err(Lost::Store(error)) => Err(error),
                    Err(Lost::Discord(error)) => self.refused(home, row, &error).await,
                }
            }
            Err(error) => self.refused(home, row, &error).await,
        }
    }

    /// Has a card say what its step came to now: the model was asked again after a backup was restored. One that Discord
    /// takes no edit of keeps its words, and `Raw output` behind it shows the others.
    async fn say_anew(&self, home: &SessionRow, channel: ChannelId, message: MessageId, row: &OutboxRow) {
        tracing::warn!(session = %home.id, key = %row.key, "a card was posted after the backup was taken; it says now what its step came to");
        let Some(uploads) = self.uploads(&row.post).await else { return };
        let post = with_pictures_there_are(&row.post, &uploads);
        if let Err(error) = self.world.discord.edit_message(channel, message, &post, &uploads).await {
            tracing::warn!(session = %home.id, key = %row.key, %error, "it could not be changed and keeps its old words");
        }
    }

    /// Goes on without a post, until somebody has it tried again; without its live card a session has no thread.
    pub(super) async fn given_up(
        &self,
        home: &SessionRow,
        row: &OutboxRow,
        error: &SendError,
    ) -> Result<Next, StoreError> {
        if row.target == Target::Channel {
            self.undeliverable(home, error, NO_CARD).await?;
            return Ok(Next::End);
        }
        tracing::error!(session = %home.id, key = %row.key, %error, "Discord does not take a post; it is left out");
        self.tries.ends(row.id);
        self.world.store.give_up_post(row.id, error.to_string()).await?;
        let _ = self.world.undeliverable.send(Undelivered::Post(home.id.clone()));
        Ok(Next::Post)
    }

    /// The session's thread, started from its live card if it is not there yet.
    async fn thread_of(&self, home: &SessionRow) -> Result<Result<ChannelId, Next>, StoreError> {
        if let Some(thread) = home.thread {
            return Ok(Ok(thread));
        }
        let Some(card) = home.status_message else { return Ok(Err(Next::End)) };
        match self.world.discord.start_thread(home.channel, card, &home.title).await {
            Ok(thread) => {
                self.world.store.thread_opened(&home.id, thread).await?;
                self.thread_is_there(&home.id).await?;
                Ok(Ok(thread))
            }
            // Discord takes few new threads a channel in a while. Until it takes this one, its session goes on without,
            // and says so.
            Err(error) if !error.is_final() => Ok(Err(self.late(&home.id, &error))),
            Err(error) => {
                self.no_longer_late(&home.id);
                self.undeliverable(home, &error, "no thread could be started from its card").await?;
                Ok(Err(Next::End))
            }
        }
    }

    /// A session has its thread: whoever waits for it and whoever names it hears so.
    pub(super) async fn thread_is_there(&self, session: &SessionId) -> Result<(), StoreError> {
        self.no_longer_late(session);
        if self.world.store.sequel_of(session).await?.is_some() {
            let _ = self.world.undeliverable.send(Undelivered::Thread(session.clone()));
        }
        Ok(())
    }

    /// A session's thread comes later, and if that is much later, the session says so.
    pub(super) fn late(&self, session: &SessionId, error: &SendError) -> Next {
        tracing::warn!(%session, %error, wait = ?error.retry_after, "its thread cannot be started yet");
        let wait = error.retry_after.unwrap_or_default().min(LONGEST_ASKED);
        if wait > UNSAID && self.world.late_threads.wait(session, wait, self.world.now_ms()) {
            let _ = self.world.undeliverable.send(Undelivered::Thread(session.clone()));
        }
        Next::Later(wait)
    }

    /// A session has its thread, or never will: nobody waits for it any more.
    pub(super) fn no_longer_late(&self, session: &SessionId) {
        if self.world.late_threads.over(session) {
            let _ = self.world.undeliverable.send(Undelivered::Thread(session.clone()));
        }
    }

    pub(super) async fn refused(
        &self,
        home: &SessionRow,
        row: &OutboxRow,
        error: &SendError,
    ) -> Result<Next, StoreError> {
        // A limit that outlasts the patience of one request is no refusal either.
        if !error.is_final() {
            tracing::info!(session = %home.id, key = %row.key, %error, "a post will be tried again");
            return Ok(Next::Later(error.retry_after.unwrap_or_default()));
        }
        // The nonce was known, and the message it led to is gone: it was posted, then deleted by somebody.
        if row.target == Target::Thread && row.tries > 0 && error.code == Some(10008) {
            tracing::warn!(session = %home.id, key = %row.key, %error, "a post was deleted as soon as it was there");
            self.world.store.post_dead(row.id, error.to_string()).await?;
            return Ok(Next::Post);
        }
        if error.code == Some(HARMFUL_LINK)
            && let Some(post) = without_addresses(&row.post)
        {
            tracing::warn!(session = %home.id, key = %row.key, "Discord holds an address in a post for harmful; it is sent without");
            self.world.store.reword_post(row.id, &post).await?;
            return Ok(Next::Later(Duration::ZERO));
        }
        if row.target == Target::Thread && matches!(error.kind, Kind::Invalid | Kind::TooLarge) {
            return self.given_up(home, row, error).await;
        }
        self.undeliverable(home, error, "its posts could not be delivered").await?;
        Ok(Next::End)
    }

    /// Gives up all that the session wanted to post and tells whoever runs it.
    async fn undeliverable(
        &self,
        home: &SessionRow,
        error: &SendError,
        what: &str,
    ) -> Result<(), StoreError> {
        tracing::warn!(session = %home.id, %error, what, "Discord takes no posts for a session");
        self.world.store.drop_unsent(&home.id, error.to_string()).await?;
        let sentence = refusal(error, what);
        // Nobody listens only while the process is going down.
        let _ = self.world.undeliverable.send(Undelivered::Session(home.id.clone(), sentence));
        Ok(())
    }

    /// A post's files; one that cannot be drawn is left out. `None`: the process ended while one was drawn.
    pub(super) async fn uploads(&self, post: &Post) -> Option<Vec<Upload>> {
        let mut uploads = Vec::with_capacity(post.files.len());
        for file in &post.files {
            match self.upload(file).await {
                Ok(upload) => uploads.push(upload),
                Err(Undrawn::CutOff) => return None,
                Err(Undrawn::Refused(problem)) => {
                    tracing::error!(file = file.name, problem, "a file is left out of a post");
                }
            }
        }
        Some(uploads)
    }

    async fn upload(&self, file: &File) -> Result<Upload, Undrawn> {
        let (mime, bytes) = match &file.body {
            FileBody::Text(text) => ("text/plain; charset=utf-8", text.clone().into_bytes()),
            FileBody::Bytes(bytes) => ("application/octet-stream", bytes.clone()),
            FileBody::Svg(svg) => {
                let _turn = self.drawing.acquire().await.map_err(|_| Undrawn::CutOff)?;
                let (rasterizer, svg) = (Arc::clone(&self.world.rasterizer), svg.clone());
                match tokio::task::spawn_blocking(move || rasterizer.png(&svg)).await {
                    Ok(drawn) => ("image/png", drawn.map_err(|error| Undrawn::Refused(error.to_string()))?),
                    Err(error) if error.is_cancelled() => return Err(Undrawn::CutOff),
                    Err(error) => return Err(Undrawn::Refused(error.to_string())),
                }
            }
        };
        Ok(Upload {
            name: file.name.clone(),
            alt: file.alt.clone(),
            mime: mime.to_owned(),
            bytes: bytes.into(),
        })
    }
}

/// The post with its addresses taken out, and a line that says so; `None` where it has none.
fn without_addresses(post: &Post) -> Option<Post> {
    let mut post = post.clone();
    let mut found = false;
    let mut take_out = |text: &mut String| {
        if let Some(without) = discord::text::without_addresses(text) {
            (*text, found) = (without, true);
        }
    };
    take_out(&mut post.content);
    for embed in &mut post.embeds {
        take_out(&mut embed.title);
        take_out(&mut embed.description);
        for field in &mut embed.fields {
            take_out(&mut field.name);
            take_out(&mut field.value);
        }
    }
    if !found {
        return None;
    }
    let said = "-# Discord took this only without its addresses: it holds one of them for harmful.";
    post.content =
        if post.content.is_empty() { said.to_owned() } else { format!("{}\n{said}", post.content) };
    Some(post)
}

/// The post without references to pictures that could not be drawn: Discord takes no embed whose picture is missing.
pub(super) fn with_pictures_there_are<'a>(post: &'a Post, uploads: &[Upload]) -> Cow<'a, Post> {
    let lacks = |embed: &Embed| {
        embed.image.as_ref().is_some_and(|image| !uploads.iter().any(|upload| upload.name == *image))
    };
    if !post.embeds.iter().any(lacks) {
        return Cow::Borrowed(post);
    }
    let mut post = post.clone();
    for embed in post.embeds.iter_mut().filter(|embed| lacks(embed)) {
        embed.image = None;
    }
    Cow::Owned(post)
}

/// Why a session cannot be shown any more, and what to do about it.
fn refusal(error: &SendError, what: &str) -> String {
    let retry = "then **Try again** goes on from there, and everything so far is kept";
    match error.kind {
        Kind::MissingPermission(Some(name)) => {
            format!(
                "Discord refused: I lack a permission in this channel ({name}). Give it to me again; {retry}."
            )
        }
        Kind::MissingPermission(None) => {
            format!("Discord refused: I may not write here any more ({error}). Let me in again; {retry}.")
        }
        Kind::Locked => format!("Discord refused: its thread is locked. Unlock it; {retry}."),
        Kind::Gone => {
            "Discord refused: its thread or channel is gone. Start the command again for a new session."
                .to_owned()
        }
        _ => format!("Discord refused: {what} ({error}). Once that is put right, **Try again** goes on."),
    }
}
