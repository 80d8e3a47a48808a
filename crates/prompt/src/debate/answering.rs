//! Questions to the three: answered in role, and from the record only.

use minijinja::{Value, context};
use serde_json::json;

use super::{
    ADVOCATE, MATERIAL, MODERATOR, Mend, Transcript, broken_text, last_text, material, parts::parts,
    question_text, stance, warm,
};
use crate::{
    ParseError, Prompts, RULES, fence,
    followup::{Answer, Exchange, MAX_ANSWER_TOKENS, Part},
    length::Length,
    parse, schema,
};
use domain::{Addressee, Debate, DebateBrief, NeutralSynthesis, Prompt, Reply, Side};

/// What somebody asks during or after a debate, and what there is to answer it from.
pub struct Asked<'a> {
    /// Who is asked.
    pub to: Addressee,
    /// The question.
    pub text: &'a str,
    /// The record so far.
    pub debate: &'a Debate,
    /// How it is told.
    pub transcript: Transcript,
    /// The moderator's synthesis, once there is one, its hinges as they were last looked at.
    pub synthesis: Option<&'a NeutralSynthesis>,
    /// What else there is: the swing of opinions, decisions.
    pub others: &'a [Part],
    /// Earlier questions with their answers.
    pub earlier: &'a [Exchange],
    /// Where the debate is.
    pub phase: &'a str,
    /// Whether it is still going on.
    pub running: bool,
}

impl Asked<'_> {
    /// The names of the parts an answer may draw on.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.parts().into_iter().map(|part| part.name).collect()
    }

    /// A part's name as people read it.
    #[must_use]
    pub fn shown(&self, name: &str) -> String {
        let part = self.parts().into_iter().find(|part| part.name == name);
        part.map_or_else(|| name.to_owned(), |part| part.shown)
    }

    fn parts(&self) -> Vec<Part> {
        let mut parts = parts((self.debate, self.transcript), self.synthesis);
        parts.extend_from_slice(self.others);
        parts
    }
}

/// A question to one of the three. The reply is an [`Answer`].
#[must_use]
pub fn question(prompts: &Prompts, brief: &DebateBrief, asked: &Asked<'_>, mend: Option<Mend<'_>>) -> Prompt {
    let names = asked.names();
    // The proposition stands in the material and in the task already.
    let parts: Vec<Value> = (asked.parts().into_iter().skip(1))
        .map(|part| context! { part => part.name, text => part.text })
        .collect();
    let earlier: Vec<Value> = (asked.earlier.iter())
        .map(|turn| context! { question => fence("question", &turn.question), answer => fence("answer", &turn.answer) })
        .collect();
    let (side, file) = match asked.to {
        Addressee::Advocate(side) => (Some(side), "debate/ask_advocate.md"),
        Addressee::Moderator => (None, "debate/ask_moderator.md"),
    };
    let missing: Vec<String> = asked.debate.missing.iter().map(|missing| missing.slot.to_string()).collect();
    let values = context! {
        parts,
        missing,
        names,
        earlier,
        side => side.map(Side::name),
        other => side.map(|side| side.other().name()),
        stance => side.map(stance),
        phase => asked.phase,
        running => asked.running,
        question => question_text(&asked.debate.proposition),
        asked => fence("question", asked.text),
        last_try => last_text(mend),
        broken => mend.and_then(|mend| broken_text(mend.broken)),
    };
    let mut schema = schema::strict::<Answer>("debate_answer");
    schema::set(&mut schema, "/properties/draws_on/items", "enum", json!(names));
    let shared = material(brief, Some(&asked.debate.proposition));
    let prompt = prompts.request(
        &[RULES, MATERIAL, file],
        (&shared, &values),
        schema,
        Length::fixed(brief.effort, MAX_ANSWER_TOKENS),
    );
    warm(prompt, if side.is_some() { ADVOCATE } else { MODERATOR })
}

/// Reads its answer.
pub fn read_answer(asked: &Asked<'_>, reply: &Reply) -> Result<Answer, ParseError> {
    parse::<Answer>(&reply.text)?.checked(&asked.names(), &reply.answered)
}
