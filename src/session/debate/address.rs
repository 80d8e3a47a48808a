//! Whom a question is put to: whom it names, else whoever wrote the post it replies to.

use super::{Sessions, is_debate};
use crate::{
    error::UserError,
    render,
    session::Actor,
    store::{QuestionRow, SessionRow},
};
use domain::{Addressee, MessageId, Modal, SessionId, Side, addressed, readable};

impl Sessions {
    /// The form behind *Ask Pro*, *Ask Con* and *Ask Moderator*.
    pub fn question_form(&self, row: &SessionRow, to: Addressee) -> anyhow::Result<Modal> {
        if !is_debate(row) {
            return only_debates();
        }
        Ok(render::debate::question_form(&row.id, to))
    }

    /// Takes a question from that form.
    pub async fn ask_one(
        &self,
        row: &SessionRow,
        actor: &Actor,
        to: Addressee,
        text: &str,
    ) -> anyhow::Result<String> {
        let question = QuestionRow {
            id: actor.interaction.0,
            session: row.id.clone(),
            author: actor.user,
            author_name: actor.name.clone(),
            text: text.to_owned(),
            reply_to: None,
            addressee: Some(to),
            audit: None,
        };
        self.ask(row, question, None).await
    }

    /// A question, as it was asked, with whom it is put to. What a person chose counts first, then the question's first word, then
    /// whoever wrote the post that it `replies_to`.
    pub(in crate::session) async fn addressed(
        &self,
        row: &SessionRow,
        mut question: QuestionRow,
        replies_to: Option<MessageId>,
    ) -> anyhow::Result<QuestionRow> {
        if !is_debate(row) {
            return if question.addressee.is_some() { only_debates() } else { Ok(question) };
        }
        let (named, rest) = addressed(&question.text);
        let rest = readable(rest);
        match (question.addressee, named) {
            (chosen, Some(named)) if chosen.is_none_or(|chosen| chosen == named) => {
                if rest.is_empty() {
                    let name = named.name();
                    return UserError::of(format!(
                        "That asks {name} nothing. Write the question behind the name, such as “{name}, what would change your mind?”."
                    ));
                }
                question.addressee = Some(named);
            }
            (None, None) => {
                if let Some(message) = replies_to {
                    question.addressee = self.author_of(&row.id, message).await?;
                }
            }
            _ => {}
        }
        Ok(question)
    }

    /// Who wrote a post of a debate; `None` if it is not one of the debate's own.
    async fn author_of(&self, id: &SessionId, message: MessageId) -> anyhow::Result<Option<Addressee>> {
        let store = &self.0.world.store;
        let Some(key) = store.post_key(id, message).await? else { return Ok(None) };
        let parts: Vec<&str> = key.split('/').collect();
        Ok(Some(match parts[..] {
            ["turn", ref place @ ..] if place.contains(&Side::Pro.key()) => Addressee::Advocate(Side::Pro),
            ["turn", ref place @ ..] if place.contains(&Side::Con.key()) => Addressee::Advocate(Side::Con),
            ["followup", question, ..] => {
                let asked = match question.parse() {
                    Ok(question) => store.addressee(id, question).await?,
                    Err(_) => None,
                };
                asked.unwrap_or(Addressee::Moderator)
            }
            _ => Addressee::Moderator,
        }))
    }
}

fn only_debates<T>() -> anyhow::Result<T> {
    UserError::of(
        "Only a debate has Pro, Con and a moderator to ask. Ask again without naming any of them: the answer draws on this session.",
    )
}
