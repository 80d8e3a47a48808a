//! Buttons, selects and forms, routed by their `custom_id`.
//!
//! Invariant: a press leads to one of three first answers. A form has to *be* the first answer, and so has a
//! change of the private message that was pressed on; both are made from the database (and what the message itself says,
//! where it gives back what was written in a form), well within Discord's three seconds. Everything else is acknowledged first and done after. Called by `bot`.

mod answers;
mod apart;
mod forms;

use std::collections::BTreeMap;

use poise::serenity_prelude as serenity;

use super::{
    Data, beginning,
    caller::{Caller, served},
    reply::{Call, actor, apology},
};
use crate::{
    error::UserError,
    render,
    session::{Actor, Allowed},
    store::SessionRow,
};
use domain::{Action, Begins, CustomId, Does, GivenBack, GuildId, Post};

/// A press or a sent form, with all that it carries.
struct Press<'a> {
    data: &'a Data,
    actor: Actor,
    /// What the bot may do where they are.
    allowed: Allowed,
    row: SessionRow,
    /// What was chosen in a select.
    chosen: Vec<String>,
    /// What was written in a form, by the names of its boxes.
    written: BTreeMap<String, String>,
}

/// What a person sees of what they did.
enum Answer {
    /// A sentence.
    Said(String),
    /// Cards to show to whoever pressed.
    Shown(Vec<Post>),
}

/// A button was pressed, or something chosen in a select.
pub(super) async fn pressed(data: &Data, cache: &serenity::Cache, pressed: &serenity::ComponentInteraction) {
    let call = Call::component(data, pressed);
    let actor = actor(call.interaction, &pressed.user, pressed.member.as_ref());
    let id = CustomId::parse(&pressed.data.custom_id);
    let chosen = match &pressed.data.kind {
        serenity::ComponentInteractionDataKind::StringSelect { values } => values.clone(),
        _ => Vec::new(),
    };
    let caller = Caller::of_press(data, cache, pressed);
    match id.as_ref().and_then(CustomId::action) {
        Some(Action::Apart(action)) => return apart::Press { caller, chosen }.answer(&call, action).await,
        Some(Action::Begins(action)) => {
            let option = chosen.first().map(String::as_str).unwrap_or_default();
            return beginning::pressed(&caller, &call, action, option).await;
        }
        _ => {}
    }
    let press = async {
        let row = session(data, id.as_ref(), pressed.guild_id).await?;
        if let Some(action) = id.as_ref().and_then(CustomId::action) {
            data.sessions.may(&row, &actor, action.right()).await?;
            if matches!(action, Action::Does(Does::Export)) {
                caller.readable()?.may_read(row.channel)?;
            }
        }
        anyhow::Ok(Press { data, actor, allowed: caller.allowed(), row, chosen, written: BTreeMap::new() })
    };
    let answered = match id.as_ref().and_then(CustomId::action) {
        Some(Action::Opens(action)) => match async { press.await?.opens(action).await }.await {
            Ok(form) => call.open(&form.filled_again(&given_back(pressed))).await,
            Err(error) => call.say_at_once(&apology(&error)).await,
        },
        Some(Action::Changes(action)) => match async { press.await?.changes(action).await }.await {
            Ok(post) => call.change(&post).await,
            Err(error) => call.say_at_once(&apology(&error)).await,
        },
        Some(Action::Does(action)) => {
            let elsewhere = call.defer().await.is_err();
            finish_if_own(&call, elsewhere, async { press.await?.does(action).await }.await).await;
            Ok(())
        }
        // Answered above, or of another version.
        Some(Action::Apart(_) | Action::Begins(_)) | None => {
            if call.defer().await.is_ok() {
                finish(&call, press.await.and_then(|_| unknown())).await;
            }
            Ok(())
        }
    };
    if let Err(error) = answered {
        tracing::info!(interaction = %call.interaction, %error, "a press could not be answered");
    }
}

/// A form was sent. Whether somebody may do it is looked at by what takes the form, so that one who may not gets their
/// words back.
pub(super) async fn submitted(data: &Data, cache: &serenity::Cache, form: &serenity::ModalInteraction) {
    let call = Call::form(data, form);
    let elsewhere = call.defer().await.is_err();
    let actor = actor(call.interaction, &form.user, form.member.as_ref());
    let id = CustomId::parse(&form.data.custom_id);
    if let Some(Action::Begins(Begins::BeginSent(chosen))) = id.as_ref().and_then(CustomId::action) {
        if elsewhere {
            return;
        }
        let caller = Caller::of_form(data, cache, form);
        return beginning::sent(&caller, &call, chosen, &written(form)).await;
    }
    let done = async {
        let row = session(data, id.as_ref(), form.guild_id).await?;
        let Some(Action::Does(action)) = id.as_ref().and_then(CustomId::action) else { return unknown() };
        let caller = Caller::of_form(data, cache, form);
        let mut written = written(form);
        if !keeps_numbers(&action) {
            for text in written.values_mut() {
                *text = caller.named(text).await;
            }
        }
        let press = Press { data, actor, allowed: caller.allowed(), row, chosen: Vec::new(), written };
        press.does(action).await
    };
    finish_if_own(&call, elsewhere, done.await).await;
}

/// What is done to a session is done by whoever has it, whoever answered first; who does not have it says nothing then.
async fn finish_if_own(call: &Call<'_>, elsewhere: bool, done: anyhow::Result<Answer>) {
    if !elsewhere || done.is_ok() {
        finish(call, done).await;
    }
}

async fn finish(call: &Call<'_>, done: anyhow::Result<Answer>) {
    let told = match done {
        Ok(Answer::Said(sentence)) => call.finish(&[render::notices::done(&sentence)]).await,
        Ok(Answer::Shown(posts)) => call.finish(&posts).await,
        Err(error) => Err(error),
    };
    if let Err(error) = told {
        call.fail(&error).await;
    }
}

fn unknown<T>() -> anyhow::Result<T> {
    UserError::of("This button is from another version of me and does nothing here.")
}

/// The session a press belongs to: one of this server, whatever the button says.
async fn session(
    data: &Data,
    id: Option<&CustomId>,
    guild: Option<serenity::GuildId>,
) -> anyhow::Result<SessionRow> {
    let Some(session) = id.and_then(CustomId::session) else {
        return UserError::of("This is from an older version of me and does nothing any more.");
    };
    let Some(guild) = guild else { return UserError::of("This works only on the server the session is on.") };
    served(data, guild)?;
    data.sessions.find(session, GuildId(guild.get())).await
}

/// What stood in a form that could not be taken, where the button that was pressed opens it again.
fn given_back(pressed: &serenity::ComponentInteraction) -> Vec<GivenBack> {
    let fields = pressed.message.embeds.iter().flat_map(|embed| &embed.fields);
    render::decision::given_back(fields.map(|field| (field.name.as_str(), field.value.as_str())))
}

/// Whether what a form mentions is meant as a number: whoever may vote, and whom a decision record names, which is kept when its
/// session is not, and found by the number when they want their data deleted.
fn keeps_numbers(action: &Does) -> bool {
    matches!(action, Does::EstimateOptionsSent | Does::DecideSent | Does::OutcomeSent(_))
}

/// What was written and chosen in a form; `understood` has made texts of all of it.
fn written(form: &serenity::ModalInteraction) -> BTreeMap<String, String> {
    let inputs = form.data.components.iter().flat_map(|row| &row.components);
    inputs
        .filter_map(|input| match input {
            serenity::ActionRowComponent::InputText(text) => {
                Some((text.custom_id.clone(), text.value.clone().unwrap_or_default()))
            }
            _ => None,
        })
        .collect()
}
