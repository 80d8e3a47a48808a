//! A session that somebody wants: what they chose for it, kept until they have given its text. A command with its text, a
//! form and a choice under a message all start it the same way.

use serde::{Deserialize, Serialize};

use super::{
    By, Call, Caller, Context, begin,
    given::{Given, Read},
    opening::{self, Opened},
    voting::Chosen,
};
use crate::{
    bot::{Error, beginning},
    session::{Choices, Request, Wanted},
};
use domain::{Effort, GuildSettings, Post, Protocol, TreeDepth};

/// A session that somebody wants, but for its text.
#[derive(Serialize, Deserialize)]
pub(in crate::bot) struct Wish {
    pub(super) by: By,
    pub(super) usual: Usual,
}

/// What can be chosen for all of them.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Usual {
    /// One model for all seats of the panel.
    pub(super) model: Option<String>,
    pub(super) effort: Option<Effort>,
    pub(super) voting: Chosen,
    pub(super) given: Given,
    /// Somebody has to say *Go* first.
    pub(super) ask_first: bool,
}

impl Wish {
    /// A session on what is given, with nothing chosen. `None` where a protocol takes no text of its own.
    pub(in crate::bot) fn on(protocol: Protocol, given: Given) -> Option<Self> {
        let by = By::of(protocol)?;
        Some(Self { by, usual: Usual { given, ..Usual::default() } })
    }

    /// By which protocol.
    pub(in crate::bot) fn protocol(&self) -> Protocol {
        self.by.protocol()
    }

    /// Whether a text can be what it is about; else somebody has to say what the question is.
    pub(in crate::bot) fn takes(&self, text: &str) -> bool {
        self.by.problem(text).is_ok()
    }

    /// Whether its text is a question about a message.
    pub(in crate::bot) fn is_about_a_message(&self) -> bool {
        self.usual.given.has_a_message()
    }

    /// The same, which begins only once somebody has seen what it takes, or without.
    #[must_use]
    pub(in crate::bot) fn asking_first(mut self, asks: bool) -> Self {
        self.usual.ask_first = asks;
        self
    }

    /// Whether somebody has to say *Go* first.
    pub(in crate::bot) fn asks_first(&self) -> bool {
        self.usual.ask_first
    }

    /// Whether it could be started here and now, so that nobody writes a text for nothing.
    pub(in crate::bot) async fn check(&self, caller: &Caller<'_>) -> anyhow::Result<()> {
        self.settled(caller).await?;
        self.usual.given.check(caller).await
    }

    /// Starts it with this text, and says where it is.
    pub(in crate::bot) async fn start(self, caller: &Caller<'_>, text: &str) -> anyhow::Result<Post> {
        let (Opened { actor, guild, channel, settings }, wanted) = self.settled(caller).await?;
        let problem = self.by.problem(&caller.named(text).await)?;
        let Usual { model, effort, voting, given, ask_first } = self.usual;
        let model = opening::model(caller.data, model.as_deref())?;
        let voting = voting.over(settings.voting, guild)?;
        let chosen = Choices { wanted, model, effort, voting, ask_first };
        // Last: all else is checked before anything is downloaded.
        let Read { document, about, from_others } = given.read(caller).await?;
        let request = Request { actor, guild, channel, problem, document, about, from_others, chosen };
        opening::start(caller, request).await
    }

    /// Where it opens, and what is wanted of its protocol; everything that was chosen is looked at.
    async fn settled(&self, caller: &Caller<'_>) -> anyhow::Result<(Opened, Wanted)> {
        let used = format!("`/{}`", self.protocol());
        let opened = opening::admit(caller, self.usual.given.goes_beside(), &used).await?;
        let wanted = self.by.wanted(&opened.settings)?;
        self.usual.voting.over(opened.settings.voting.clone(), opened.guild)?;
        opening::model(caller.data, self.usual.model.as_deref())?;
        Ok((opened, wanted))
    }
}

/// A protocol with nothing chosen, as a server is set.
pub(in crate::bot) fn usual(protocol: Protocol, settings: &GuildSettings) -> anyhow::Result<Wanted> {
    match Wish::on(protocol, Given::default()) {
        Some(wish) => wish.by.wanted(settings),
        None => Ok(Wanted::critique(TreeDepth::USUAL)),
    }
}

/// What a command does: starts the session at once, or asks for its text in a form.
pub(super) async fn begun(ctx: Context<'_>, wish: Wish, text: Option<String>) -> Result<(), Error> {
    let caller = Caller::of_command(ctx);
    let Some(text) = text else {
        let call = Call::command(ctx.data(), ctx.interaction);
        beginning::ask(&caller, &call, wish).await;
        return Ok(());
    };
    let call = begin(ctx).await?;
    call.finish(&[wish.start(&caller, &text).await?]).await
}
