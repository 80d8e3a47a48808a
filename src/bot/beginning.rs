//! Sessions that begin in two steps: a command without its text, which opens a form, and *Ask the panel about this
//! message*, which lets choose a protocol.
//!
//! Invariants: what was chosen in the first step is a row before anything is shown, and a button, select or form carries
//! its number, so that a restart in between loses nothing; what was typed is in that row before anything comes of it. The
//! session is started as by the command of the first step, so that a second press of the same starts none. Nothing is
//! first answered by more than the database and one look at Discord. Of two processes that answer for the same servers
//! (`rivals`) both keep the row, so that whichever answers the form first can begin the session. Called by `commands`, `components` and `unanswered`.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::{
    Data,
    caller::Caller,
    commands::{self, About, Given, Wish, started},
    reply::{Call, apology},
};
use crate::{
    error::UserError,
    render,
    store::{Opening, SessionRow, StoreError},
};
use domain::{Begins, InteractionId, Modal, Post, Protocol, SessionId};

/// Time for a first answer: Discord waits three seconds for it, and sending it takes some of them.
const AT_ONCE: Duration = Duration::from_millis(1_800);

/// How the entry in a message's menu is called, as sentences name it.
const ENTRY: &str = "**Apps → Ask the panel about this message**";

/// What was chosen in the first step.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Chosen {
    /// A session, but for its text.
    Wish(Box<Wish>),
    /// A message, but by no protocol yet.
    Message(About),
}

/// The first answer of a step.
enum First {
    Form(Modal),
    Said(Post),
}

/// Opens the form for the text of a session.
pub(super) async fn ask(caller: &Caller<'_>, call: &Call<'_>, wish: Wish) {
    let form = async {
        wish.check(caller).await?;
        let form = form(caller.interaction(), &wish, "");
        keep(caller, &Chosen::Wish(Box::new(wish))).await?;
        Ok(First::Form(form))
    };
    answer(call, form).await;
}

/// Offers the protocols for a message.
pub(super) async fn offer(caller: &Caller<'_>, call: &Call<'_>, message: About, is_own: bool) {
    let offered = async {
        if is_own {
            return UserError::of(
                "This message is one of my own, and what can be done with it stands beneath it: press its buttons. To ask about what it says, use `/ask` in its session's thread, or reply to it; to tell a running panel more, press **Add context** on the session's card.",
            );
        }
        if message.is_nothing() {
            return UserError::of(
                "This message has no text and no file of its own: embeds, stickers and polls are not read. Write what it is about in a command, such as `/mediate`.",
            );
        }
        let (guild, _) = caller.place()?;
        commands::may_begin(caller, ENTRY).await?;
        let shown = render::beginning::choice(
            caller.interaction(),
            &message.named(guild),
            &message.content,
            message.files.len(),
        );
        keep(caller, &Chosen::Message(message)).await?;
        Ok(First::Said(shown))
    };
    answer(call, offered).await;
}

/// A button was pressed, or a protocol chosen, before there is a session.
pub(super) async fn pressed(caller: &Caller<'_>, call: &Call<'_>, action: Begins, option: &str) {
    match action {
        Begins::BeginWrite(id) => answer(call, again(caller, id)).await,
        Begins::BeginAbout(id) => chose(caller, call, id, option).await,
        // A form, which nobody can press.
        Begins::BeginSent(_) => answer(call, async { late_choice() }).await,
    }
}

/// The form again, with what was typed.
async fn again(caller: &Caller<'_>, id: InteractionId) -> anyhow::Result<First> {
    let Some((row, Chosen::Wish(wish))) = kept(caller, id).await? else { return late_choice() };
    let typed = row.typed.unwrap_or_default();
    Ok(First::Form(form(id, &wish, &typed)))
}

/// The form for the text of a session.
fn form(id: InteractionId, wish: &Wish, typed: &str) -> Modal {
    let of = (wish.protocol(), wish.is_about_a_message());
    render::beginning::form(id, of, typed, wish.asks_first())
}

/// A protocol was chosen for a message: starts it, or asks for the question where the message is none.
async fn chose(caller: &Caller<'_>, call: &Call<'_>, id: InteractionId, option: &str) {
    let found = async {
        match (kept(caller, id).await?, Protocol::parse(option)) {
            (Some((_, Chosen::Message(message))), Some(protocol)) => Ok((message, protocol)),
            _ => late_choice(),
        }
    };
    let (message, protocol) = match timeout(AT_ONCE, found).await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => return answer(call, async { Err(error) }).await,
        Err(_) => return answer(call, async { Ok(busy()) }).await,
    };
    let wish = Wish::on(protocol, Given::about(message.clone()));
    if let Some(wish) = wish.filter(|wish| !wish.takes(&message.content)) {
        return ask(caller, call, wish).await;
    }
    if call.defer().await.is_err() {
        return;
    }
    finish(call, start_on(caller, id, (message, protocol)).await).await;
}

/// Starts a session on a message as it is now.
async fn start_on(
    caller: &Caller<'_>,
    id: InteractionId,
    (message, protocol): (About, Protocol),
) -> anyhow::Result<Post> {
    if let Some((session, row)) = begun(caller, id).await? {
        return if row.protocol == protocol {
            started(caller.data, &session, &[]).await
        } else {
            UserError::of(format!(
                "From this choice {} was started already. For another one, choose {ENTRY} in the message's menu again.",
                named(&row)
            ))
        };
    }
    caller.data.sessions.store().opening_sent(id, caller.interaction(), None).await?;
    let message = message.now(caller).await?;
    let (as_first, text) = (caller.as_of(id), message.content.clone());
    match Wish::on(protocol, Given::files_of(message.clone(), caller.place()?.0)) {
        Some(wish) => wish.start(&as_first, &text).await,
        None => commands::on_message(&as_first, &message, ENTRY).await,
    }
}

/// A form was sent: starts the session with what was typed, or gives it back.
pub(super) async fn sent(
    caller: &Caller<'_>,
    call: &Call<'_>,
    id: InteractionId,
    written: &BTreeMap<String, String>,
) {
    let (typed, asks_first) = render::beginning::read(written);
    let given_back = |error: &anyhow::Error, protocol| {
        Ok(render::beginning::given_back(apology(error), protocol, typed, id))
    };
    let done = match kept(caller, id).await {
        Ok(Some((row, Chosen::Wish(wish)))) => {
            let (protocol, wish) = (wish.protocol(), wish.asking_first(asks_first));
            match start_with(caller, &row, wish, typed).await {
                Ok(post) => Ok(post),
                Err(error) => given_back(&error, protocol),
            }
        }
        Ok(_) => {
            let sentence = "This form was opened more than a day ago, or by another version of me, so what was chosen with its command is forgotten, and nothing was started. Use the command again; what you wrote stands here, to be copied.";
            let late = apology(&UserError(sentence.to_owned()).into());
            Ok(render::beginning::too_late(late, typed, id))
        }
        Err(error) => Ok(render::beginning::too_late(apology(&error), typed, id)),
    };
    finish(call, done).await;
}

async fn start_with(caller: &Caller<'_>, row: &Opening, wish: Wish, typed: &str) -> anyhow::Result<Post> {
    if let Some((session, begun)) = begun(caller, row.id).await? {
        // Read again: another press of the same form may have written it since.
        let before = caller.data.sessions.store().opening(row.id, row.guild, row.member).await?;
        return if before.and_then(|row| row.typed).as_deref() == Some(typed) {
            started(caller.data, &session, &[]).await
        } else {
            UserError::of(format!(
                "From this form {} was started already. For another one, use `/{}` again.",
                named(&begun),
                wish.protocol()
            ))
        };
    }
    let store = caller.data.sessions.store();
    let chosen = Chosen::Wish(Box::new(wish));
    let written = (typed.to_owned(), serde_json::to_string(&chosen)?);
    store.opening_sent(row.id, caller.interaction(), Some(written)).await?;
    let Chosen::Wish(wish) = chosen else { return late_choice() };
    wish.start(&caller.as_of(row.id), typed).await
}

/// What became of a form or a choice that an earlier process was at; `None` where it was none, or nothing was typed.
pub(super) async fn became(data: &Data, sent_by: InteractionId) -> Result<Option<Post>, StoreError> {
    let store = data.sessions.store();
    let Some(row) = store.opening_sent_by(sent_by).await? else { return Ok(None) };
    if let Some(session) = store.applied(row.id.0).await?.as_deref().and_then(SessionId::parse) {
        let thread = data.sessions.thread_of(&session, Duration::ZERO).await?;
        return Ok(Some(render::notices::started(thread, &[])));
    }
    let (Some(typed), Some(Chosen::Wish(wish))) = (&row.typed, read(&row)) else { return Ok(None) };
    let sentence = "I was restarted before I could start it, and nothing was done. Open the form again, your text is in it, and send it once more.";
    let refusal = render::notices::user_error(sentence);
    Ok(Some(render::beginning::given_back(refusal, wish.protocol(), typed, row.id)))
}

/// Keeps what was chosen, under the number of this interaction.
async fn keep(caller: &Caller<'_>, chosen: &Chosen) -> anyhow::Result<()> {
    let (guild, _) = caller.place()?;
    let opening = Opening {
        id: caller.interaction(),
        guild,
        member: caller.user(),
        chosen: serde_json::to_string(chosen)?,
        typed: None,
    };
    Ok(caller.data.sessions.store().keep_opening(opening).await?)
}

/// What the person chose in the first step, if it is still kept.
async fn kept(caller: &Caller<'_>, id: InteractionId) -> anyhow::Result<Option<(Opening, Chosen)>> {
    let (guild, _) = caller.place()?;
    let row = caller.data.sessions.store().opening(id, guild, caller.user()).await?;
    Ok(row.and_then(|row| read(&row).map(|chosen| (row, chosen))))
}

/// What another version of the bot has kept is as good as gone.
fn read(row: &Opening) -> Option<Chosen> {
    serde_json::from_str(&row.chosen).ok()
}

/// The session that was started from this before.
async fn begun(caller: &Caller<'_>, id: InteractionId) -> anyhow::Result<Option<(SessionId, SessionRow)>> {
    let applied = caller.data.sessions.store().applied(id.0).await?;
    let Some(session) = applied.as_deref().and_then(SessionId::parse) else { return Ok(None) };
    let row = caller.data.sessions.find(&session, caller.place()?.0).await?;
    Ok(Some((session, row)))
}

/// A session, by its thread where it has one.
fn named(row: &SessionRow) -> String {
    row.thread.map_or_else(|| "a session".to_owned(), |thread| format!("<#{thread}>"))
}

fn late_choice<T>() -> anyhow::Result<T> {
    UserError::of(format!(
        "This was offered more than a day ago, or by another version of me, and is forgotten. Use the command again, or choose {ENTRY} in the message's menu again; nothing was started."
    ))
}

fn busy() -> First {
    First::Said(render::notices::user_error(
        "I have too much to do to answer this in time, so nothing was started. Try it again in a minute.",
    ))
}

/// Gives the first answer, in time.
async fn answer(call: &Call<'_>, first: impl Future<Output = anyhow::Result<First>>) {
    let first = match timeout(AT_ONCE, first).await {
        Ok(Ok(first)) => first,
        Ok(Err(error)) => First::Said(apology(&error)),
        Err(_) => busy(),
    };
    let answered = match &first {
        First::Form(form) => call.open(form).await,
        First::Said(post) => call.say_at_once(post).await,
    };
    if let Err(error) = answered {
        tracing::info!(interaction = %call.interaction, %error, "the first step of a session could not be answered");
    }
}

async fn finish(call: &Call<'_>, done: anyhow::Result<Post>) {
    let told = match done {
        Ok(post) => call.finish(&[post]).await,
        Err(error) => Err(error),
    };
    if let Err(error) = told {
        call.fail(&error).await;
    }
}
