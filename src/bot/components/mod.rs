//! Buttons, selects and forms, routed by their `custom_id`, which is all that a press carries.
//!
//! Invariant: a press leads to one of three first answers. A form has to *be* the first answer, and so has a
//! change of the private message that was pressed on; both are made from the database alone, well within
//! Discord's three seconds. Everything else is acknowledged first and done after. Called by `bot`.

mod confirm;
mod critique;
mod debate;
mod decision;
mod evidence;
mod session;
mod vote;

use std::collections::BTreeMap;

use poise::serenity_prelude as serenity;

use super::{
    Data,
    reply::{Call, actor, apology},
};
use crate::{
    domain::{CustomId, GuildId, Modal, Post, WaitKind},
    error::UserError,
    render,
    session::Actor,
    store::SessionRow,
};

/// A press or a sent form, with all that it carries.
struct Press<'a> {
    data: &'a Data,
    actor: Actor,
    id: CustomId,
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
    /// Cards.
    Shown(Vec<Post>),
}

/// How a press is first answered.
enum First {
    /// By a form.
    Form,
    /// By changing the private message that was pressed on.
    Change,
    /// By "thinking…", and the rest later.
    Later,
}

fn first(verb: &str) -> First {
    match verb {
        // A select too can open a form: `hinge`.
        "context" | "spread_type" | "propose" | "roles_edit" | "decide" | "outcome" | "prop_edit"
        | "evidence" | "clarify" | "question" | "hinge" => First::Form,
        "spread" | "spread_pick" => First::Change,
        _ => First::Later,
    }
}

impl Press<'_> {
    /// The form that a press opens.
    async fn form(&self) -> anyhow::Result<Modal> {
        match self.id.verb.as_str() {
            "context" => self.context_form(),
            "spread_type" | "propose" => self.vote_form().await,
            "roles_edit" => self.confirmation_form(WaitKind::Roles).await,
            "prop_edit" => self.confirmation_form(WaitKind::Proposition).await,
            "decide" => self.decision_form().await,
            "outcome" => self.outcome_form().await,
            "evidence" | "clarify" | "question" | "hinge" => self.record_form().await,
            _ => unknown(),
        }
    }

    /// What the private message that was pressed on says now.
    async fn change(&self) -> anyhow::Result<Post> {
        match self.id.verb.as_str() {
            "spread" | "spread_pick" => self.spread_changed().await,
            _ => unknown(),
        }
    }

    /// What a press or a sent form does.
    async fn act(&self) -> anyhow::Result<Answer> {
        match self.id.verb.as_str() {
            "whole" | "raw" => self.inspect().await,
            "pause" | "resume" | "cancel" | "cancel_sure" => self.steer().await,
            "note" => self.note().await,
            "vote_all" | "vote_spread" | "spread_cast" | "spread_typed" | "propose_sent" | "vote_close"
            | "vote_close_sure" => self.vote().await,
            "roles_go" => self.confirm(WaitKind::Roles).await,
            "prop_start" => self.confirm(WaitKind::Proposition).await,
            "estimate_go" => self.confirm(WaitKind::Estimate).await,
            "roles_sent" => self.confirmation_sent(WaitKind::Roles).await,
            "prop_sent" => self.confirmation_sent(WaitKind::Proposition).await,
            "roles_cancel" | "prop_cancel" | "estimate_cancel" => self.confirm_cancel(),
            "opinion_before" | "opinion_after" | "opinion_close" | "opinion_close_sure" => {
                self.opinion().await
            }
            "triage_accept" | "triage_reject" | "triage_fixed" | "triage_undo" | "triage_list" => {
                self.triage().await
            }
            "decide_sent" => Ok(self.decide().await),
            "outcome_sent" => self.say_outcome().await,
            "evidence_sent" | "clarify_sent" | "question_sent" | "hinge_sent" => self.record().await,
            _ => unknown(),
        }
    }
}

/// A button was pressed, or something chosen in a select.
pub(super) async fn pressed(data: &Data, pressed: &serenity::ComponentInteraction) {
    let call = Call::component(data, pressed);
    let actor = actor(call.interaction, &pressed.user, pressed.member.as_ref());
    let id = CustomId::parse(&pressed.data.custom_id);
    let chosen = match &pressed.data.kind {
        serenity::ComponentInteractionDataKind::StringSelect { values } => values.clone(),
        _ => Vec::new(),
    };
    let found = async {
        let (id, row) = session(data, id.clone(), pressed.guild_id).await?;
        anyhow::Ok(Press { data, actor, id, row, chosen, written: BTreeMap::new() })
    };
    let answered = match id.as_ref().map_or(First::Later, |id| first(&id.verb)) {
        First::Form => match async { found.await?.form().await }.await {
            Ok(form) => call.open(&form).await,
            Err(error) => call.say_at_once(&apology(&error)).await,
        },
        First::Change => match async { found.await?.change().await }.await {
            Ok(post) => call.change(&post).await,
            Err(error) => call.say_at_once(&apology(&error)).await,
        },
        First::Later => {
            call.defer().await;
            finish(&call, async { found.await?.act().await }.await).await;
            Ok(())
        }
    };
    if let Err(error) = answered {
        tracing::info!(interaction = %call.interaction, %error, "a press could not be answered");
    }
}

/// A form was sent.
pub(super) async fn submitted(data: &Data, form: &serenity::ModalInteraction) {
    let call = Call::form(data, form);
    call.defer().await;
    let actor = actor(call.interaction, &form.user, form.member.as_ref());
    let done = async {
        let (id, row) = session(data, CustomId::parse(&form.data.custom_id), form.guild_id).await?;
        Press { data, actor, id, row, chosen: Vec::new(), written: written(form) }.act().await
    };
    finish(&call, done.await).await;
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
    id: Option<CustomId>,
    guild: Option<serenity::GuildId>,
) -> anyhow::Result<(CustomId, SessionRow)> {
    let Some(id) = id else {
        return UserError::of("This is from an older version of me and does nothing any more.");
    };
    let Some(guild) = guild else { return UserError::of("This works only on the server the session is on.") };
    let row = data.sessions.find(&id.session, GuildId(guild.get())).await?;
    Ok((id, row))
}

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
