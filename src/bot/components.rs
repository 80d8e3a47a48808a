//! Buttons and forms, routed by their `custom_id`, which is all that a press carries.

use poise::serenity_prelude as serenity;

use super::{
    Data,
    reply::{Call, actor, apology},
};
use crate::{
    domain::{CustomId, GuildId, StepKey},
    error::UserError,
    render,
    session::{Actor, Shown},
    store::SessionRow,
};

/// A button was pressed.
pub(super) async fn pressed(data: &Data, pressed: &serenity::ComponentInteraction) {
    let call = Call::component(data, pressed);
    let actor = actor(call.interaction, &pressed.user, pressed.member.as_ref());
    let id = CustomId::parse(&pressed.data.custom_id);
    // A form has to be the first answer, so its session is looked up before anything is acknowledged.
    if let Some(id) = id.as_ref().filter(|id| id.verb == "context") {
        let opened = match live_session(data, id, pressed.guild_id).await {
            Ok(row) => call.open(&render::status::context_form(&row.id)).await,
            Err(error) => call.say_at_once(&apology(&error)).await,
        };
        if let Err(error) = opened {
            tracing::info!(interaction = %call.interaction, %error, "a form could not be opened");
        }
        return;
    }
    call.defer().await;
    let done = async {
        let Some(id) = id else {
            return UserError::of("This button is from an older version and does nothing any more.");
        };
        let row = session(data, &id, pressed.guild_id).await?;
        act(data, &call, &actor, &id, &row).await
    };
    if let Err(error) = done.await {
        call.fail(&error).await;
    }
}

/// A form was sent.
pub(super) async fn submitted(data: &Data, form: &serenity::ModalInteraction) {
    let call = Call::form(data, form);
    call.defer().await;
    let actor = actor(call.interaction, &form.user, form.member.as_ref());
    let done = async {
        let id = CustomId::parse(&form.data.custom_id).filter(|id| id.verb == "note");
        let Some(id) = id else { return UserError::of("This form is from an older version; open it again.") };
        let row = session(data, &id, form.guild_id).await?;
        let said = data.sessions.add_context(&row, &actor, &text_of(form)).await?;
        call.finish_with(&said).await
    };
    if let Err(error) = done.await {
        call.fail(&error).await;
    }
}

async fn act(
    data: &Data,
    call: &Call<'_>,
    actor: &Actor,
    id: &CustomId,
    row: &SessionRow,
) -> anyhow::Result<()> {
    let sessions = &data.sessions;
    let step = || StepKey::new(&id.argument);
    match id.verb.as_str() {
        "whole" => call.finish(&sessions.inspect(&row.id, &step(), Shown::Whole).await?).await,
        "raw" => call.finish(&sessions.inspect(&row.id, &step(), Shown::Raw).await?).await,
        "pause" => call.finish_with(&sessions.pause(row, actor).await?).await,
        "resume" => call.finish_with(&sessions.resume(row, actor).await?).await,
        "cancel" => {
            sessions.may_cancel(row, actor)?;
            call.finish(&[render::notices::confirm_cancel(&row.id)]).await
        }
        "cancel_sure" => call.finish_with(&sessions.cancel(row, actor).await?).await,
        _ => UserError::of("This button is from another version of me and does nothing here."),
    }
}

/// The session a button belongs to: one of this server, whatever the button says.
async fn session(data: &Data, id: &CustomId, guild: Option<serenity::GuildId>) -> anyhow::Result<SessionRow> {
    let Some(guild) = guild else { return UserError::of("This works only on the server the session is on.") };
    data.sessions.find(&id.session, GuildId(guild.get())).await
}

async fn live_session(
    data: &Data,
    id: &CustomId,
    guild: Option<serenity::GuildId>,
) -> anyhow::Result<SessionRow> {
    let row = session(data, id, guild).await?;
    if row.state.is_final() {
        return UserError::of(
            "This session is over, so nothing can be added to it. Ask about it with `/ask` in its thread.",
        );
    }
    Ok(row)
}

fn text_of(form: &serenity::ModalInteraction) -> String {
    let mut inputs = form.data.components.iter().flat_map(|row| &row.components);
    let text = inputs.find_map(|input| match input {
        serenity::ActionRowComponent::InputText(text) => text.value.clone(),
        _ => None,
    });
    text.unwrap_or_default()
}
