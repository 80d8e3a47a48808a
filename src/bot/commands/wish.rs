//! A session that somebody wants: what they chose for it, kept until they have given its text. A command with its text, a
//! form and a choice under a message all start it the same way; the form in which its options are set again reads them so too.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Call, Caller, Context, begin, examined,
    given::{Given, Read},
    opening::{self, Opened, user},
    voting,
};
use crate::{
    bot::{Data, Error, beginning},
    protocols,
    session::{Actor, Choices, Request},
    store::SessionRow,
};
use domain::{GuildId, GuildSettings, OptionName, OptionWords, Post, Protocol};

/// A session that somebody wants, but for its text.
#[derive(Serialize, Deserialize)]
pub(in crate::bot) struct Wish {
    protocol: Protocol,
    words: OptionWords,
    given: Given,
    /// Somebody has to say *Go* first.
    ask_first: bool,
}

impl Wish {
    /// What a command was used with.
    pub(super) fn new(protocol: Protocol, words: OptionWords, given: Given) -> Self {
        Self { protocol, words, given, ask_first: false }
    }

    /// A session on what is given, with nothing chosen. `None` where a protocol takes no text of its own.
    pub(in crate::bot) fn on(protocol: Protocol, given: Given) -> Option<Self> {
        protocol.words().takes_a_question.then(|| Self::new(protocol, OptionWords::default(), given))
    }

    /// By which protocol.
    pub(in crate::bot) fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Whether a text can be what it is about; else somebody has to say what the question is.
    pub(in crate::bot) fn takes(&self, text: &str) -> bool {
        (self.protocol.words().asks.takes)(text).is_ok()
    }

    /// Whether its text is a question about a message.
    pub(in crate::bot) fn is_about_a_message(&self) -> bool {
        self.given.has_a_message()
    }

    /// The same, which begins only once somebody has seen what it takes, or without.
    #[must_use]
    pub(in crate::bot) fn asking_first(mut self, asks: bool) -> Self {
        self.ask_first = asks;
        self
    }

    /// Whether somebody has to say *Go* first.
    pub(in crate::bot) fn asks_first(&self) -> bool {
        self.ask_first
    }

    /// Whether it could be started here and now, so that nobody writes a text for nothing.
    pub(in crate::bot) async fn check(&self, caller: &Caller<'_>) -> anyhow::Result<()> {
        self.settled(caller).await?;
        self.given.check(caller).await
    }

    /// Starts it with this text, and says where it is.
    pub(in crate::bot) async fn start(self, caller: &Caller<'_>, text: &str) -> anyhow::Result<Post> {
        let (Opened { actor, guild, channel, .. }, chosen) = self.settled(caller).await?;
        // Last: all else is checked before anything is downloaded.
        let (problem, read) = if self.protocol.words().takes_a_question {
            let problem = (self.protocol.words().asks.takes)(&caller.named(text).await).map_err(user)?;
            (problem, self.given.read(caller).await?)
        } else {
            examined(caller, self.given, text).await?
        };
        let Read { document, about, from_others } = read;
        let request = Request { actor, guild, channel, problem, document, about, from_others, chosen };
        opening::start(caller, request).await
    }

    /// Where it opens, and what was chosen for it, looked at.
    async fn settled(&self, caller: &Caller<'_>) -> anyhow::Result<(Opened, Choices)> {
        let used = format!("`/{}`", self.protocol);
        let opened = opening::admit(caller, self.given.goes_beside(), &used).await?;
        let of = (self.protocol, &self.words);
        let chosen = chosen(caller.data, of, (opened.guild, &opened.settings), self.ask_first)?;
        Ok((opened, chosen))
    }
}

/// What these options choose on a server; a private sentence where they cannot be.
fn chosen(
    data: &Data,
    (protocol, words): (Protocol, &OptionWords),
    (guild, settings): (GuildId, &GuildSettings),
    ask_first: bool,
) -> anyhow::Result<Choices> {
    Ok(Choices {
        wanted: protocols::wanted(protocol, words, settings)?,
        model: opening::model(data, words.get(OptionName::Model))?,
        effort: words.one_of(OptionName::Effort).map_err(user)?,
        voting: voting::chosen(words, settings.voting.clone(), guild)?,
        ask_first,
    })
}

/// Sets the options of a session whose estimate waits as they were written into the form; gives what to say.
pub(in crate::bot) async fn set_again(
    data: &Data,
    (row, actor): (&SessionRow, &Actor),
    form: &BTreeMap<String, String>,
) -> anyhow::Result<String> {
    let words = data.sessions.options(row, actor).await?.written(form).map_err(user)?;
    let settings = data.sessions.guild_settings(row.guild).await?;
    let chosen = chosen(data, (row.protocol, &words), (row.guild, &settings), true)?;
    data.sessions.set_options(row, actor, chosen).await
}

/// What a command does: starts the session at once, or asks for its text in a form.
pub(super) async fn begun(ctx: Context<'_>, wish: Wish, text: Option<String>) -> Result<(), Error> {
    let caller = Caller::of_command(ctx);
    if text.is_none() && wish.protocol.words().takes_a_question {
        let call = Call::command(ctx.data(), ctx.interaction);
        beginning::ask(&caller, &call, wish).await;
        return Ok(());
    }
    let call = begin(ctx).await?;
    call.finish(&[wish.start(&caller, &text.unwrap_or_default()).await?]).await
}
