//! Who uses an interaction, and where: the same for a command, a press and a form, so that what one of them begins
//! another can go on with.

use poise::serenity_prelude as serenity;

use super::{
    Context, Data,
    mentions::{Names, of_command},
    readable::readable,
    reply::actor,
};
use crate::{
    error::UserError,
    session::{Actor, Allowed, Asker, Readable},
};
use domain::{ChannelId, GuildId, InteractionId, UserId};

/// Who uses an interaction, and where.
#[derive(Clone, Copy)]
pub(super) struct Caller<'a> {
    pub(super) data: &'a Data,
    pub(super) cache: &'a serenity::Cache,
    interaction: InteractionId,
    user: &'a serenity::User,
    member: Option<&'a serenity::Member>,
    pub(super) guild: Option<serenity::GuildId>,
    channel: Option<&'a serenity::PartialChannel>,
    channel_id: serenity::ChannelId,
    /// What the bot may do there.
    permissions: Option<serenity::Permissions>,
    /// What came with a command of what its options name.
    resolved: Option<&'a serenity::CommandDataResolved>,
}

impl<'a> Caller<'a> {
    pub(super) fn of_command(ctx: Context<'a>) -> Self {
        let command = ctx.interaction;
        Self {
            data: ctx.data(),
            cache: &ctx.framework.serenity_context.cache,
            interaction: InteractionId(command.id.get()),
            user: &command.user,
            member: command.member.as_deref(),
            guild: command.guild_id,
            channel: command.channel.as_ref(),
            channel_id: command.channel_id,
            permissions: command.app_permissions,
            resolved: Some(&command.data.resolved),
        }
    }

    pub(super) fn of_press(
        data: &'a Data,
        cache: &'a serenity::Cache,
        pressed: &'a serenity::ComponentInteraction,
    ) -> Self {
        Self {
            data,
            cache,
            interaction: InteractionId(pressed.id.get()),
            user: &pressed.user,
            member: pressed.member.as_ref(),
            guild: pressed.guild_id,
            channel: pressed.channel.as_ref(),
            channel_id: pressed.channel_id,
            permissions: pressed.app_permissions,
            resolved: None,
        }
    }

    pub(super) fn of_form(
        data: &'a Data,
        cache: &'a serenity::Cache,
        form: &'a serenity::ModalInteraction,
    ) -> Self {
        Self {
            data,
            cache,
            interaction: InteractionId(form.id.get()),
            user: &form.user,
            member: form.member.as_ref(),
            guild: form.guild_id,
            channel: form.channel.as_ref(),
            channel_id: form.channel_id,
            permissions: form.app_permissions,
            resolved: None,
        }
    }

    /// The same person there, as of another interaction of theirs: what is done by both is done once.
    pub(super) fn as_of(self, interaction: InteractionId) -> Self {
        Self { interaction, ..self }
    }

    pub(super) fn interaction(&self) -> InteractionId {
        self.interaction
    }

    pub(super) fn user(&self) -> UserId {
        UserId(self.user.id.get())
    }

    pub(super) fn actor(&self) -> Actor {
        actor(self.interaction, self.user, self.member)
    }

    /// What the bot may do there.
    pub(super) fn allowed(&self) -> Allowed {
        Allowed(self.permissions.unwrap_or_default().bits())
    }

    /// Server and channel; a private sentence in a direct message.
    pub(super) fn place(&self) -> anyhow::Result<(GuildId, ChannelId)> {
        let Some(guild) = self.guild else {
            return UserError::of(
                "This works only in a channel of a server, because sessions live in threads there.",
            );
        };
        served(self.data, guild)?;
        Ok((GuildId(guild.get()), ChannelId(self.channel_id.get())))
    }

    /// What kind of channel it is, where Discord says so.
    pub(super) fn kind(&self) -> Option<serenity::ChannelType> {
        self.channel.map(|channel| channel.kind)
    }

    /// Whether it is a thread.
    fn in_thread(&self) -> bool {
        use serenity::ChannelType::{NewsThread, PrivateThread, PublicThread};
        matches!(self.kind(), Some(PublicThread | PrivateThread | NewsThread))
    }

    /// Whether it is a thread that is locked.
    pub(super) fn is_locked(&self) -> bool {
        self.channel.and_then(|channel| channel.thread_metadata).is_some_and(|state| state.locked)
    }

    /// The channel that this belongs to: in a thread, the one it hangs from. What was asked in a channel is shown only
    /// there, for who sees the channel may see it.
    pub(super) fn home(&self) -> anyhow::Result<ChannelId> {
        let (_, channel) = self.place()?;
        if !self.in_thread() {
            return Ok(channel);
        }
        match self.channel.and_then(|channel| channel.parent_id) {
            Some(parent) => Ok(ChannelId(parent.get())),
            None => UserError::of("Use this in the channel that the thread hangs from."),
        }
    }

    /// The channels of the server that they can read.
    pub(super) fn readable(&self) -> anyhow::Result<Readable> {
        let ((guild, _), home) = (self.place()?, self.home()?);
        Ok(readable(self.cache, guild, self.member, home))
    }

    /// A text that they give, with names for what it mentions. Discord may be asked for some, so this is for what was
    /// acknowledged.
    pub(super) async fn named(&self, text: &str) -> String {
        let (true, Ok((guild, _))) = (text.contains('<'), self.place()) else { return text.to_owned() };
        let nothing = Readable { channels: Vec::new(), all_known: false };
        let names = Names {
            discord: &self.data.discord,
            cache: self.cache,
            guild,
            readable: self.readable().unwrap_or(nothing),
            told: self.resolved.map(of_command).unwrap_or_default(),
        };
        names.put_into(text).await
    }

    /// Who asks for what was kept, and what they can read here.
    pub(super) fn asker(&self) -> anyhow::Result<Asker> {
        let ((guild, _), home) = (self.place()?, self.home()?);
        Ok(Asker { actor: self.actor(), guild, home, readable: self.readable()? })
    }
}

/// Refuses everybody on a server that is not among `QUORUM_SERVERS`.
pub(super) fn served(data: &Data, guild: serenity::GuildId) -> anyhow::Result<()> {
    if data.sessions.settings().serves(GuildId(guild.get())) {
        return Ok(());
    }
    UserError::of(
        "I do not work on this server: whoever runs me has named the servers that I serve, and this one is not among them.",
    )
}
