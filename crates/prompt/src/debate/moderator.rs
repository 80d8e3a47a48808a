//! What the moderator is asked: the analysis of the whole debate, a clarification, a hinge to be looked at again.

use minijinja::{Value, context};

use super::{
    MATERIAL, MAX_CLARIFICATION_TOKENS, MAX_HINGE_TOKENS, MAX_SYNTHESIS_TOKENS, MODERATOR, Mend, Transcript,
    broken_text, given, last_text, material,
    parts::{hinge_line, synthesis_text},
    question_text, transcript, warm,
};
use crate::{
    ParseError, Prompts, RULES, drafts, fence,
    length::Length,
    looked_up::MAX_QUERIES_TOKENS,
    parse,
    quote::found_text,
    reply::{
        QueriesReply,
        debate::{ClarificationReply, checked_debate_synthesis, checked_hinge},
        mending::Mending,
    },
    schema,
};
use domain::{
    ChosenDraft, Clarification, Debate, DebateBrief, DebateSynthesis, DebateTurn, Effort, Evidence, Hinge,
    Offered, Prompt, Proposition, Reply, Written, citations::without_marks, paper_bounds,
};

/// What the moderator reads of a debate.
pub(super) const RECORD: &str = "debate/record.md";

/// The moderator's analysis of the whole debate. `draft`: what its summary is written from; `mend`: its last try, and what that broke. The reply is a
/// [`DebateSynthesis`].
#[must_use]
pub fn synthesis(
    prompts: &Prompts,
    brief: &DebateBrief,
    (debate, transcript): (&Debate, Transcript),
    draft: Option<&ChosenDraft>,
    mend: Option<(&DebateSynthesis, &[String])>,
) -> Prompt {
    let record = record(debate, transcript);
    let words = paper_bounds(brief.effort);
    let values = context! {
        draft => draft.map(|draft| drafts::chosen(draft, &given(&debate.proposition))),
        room => drafts::room(Written::Synthesis, brief.effort),
        least => words.start(),
        most => words.end(),
        last_try => mend.map(|(last, _)| synthesis_text(last)),
        broken => mend.and_then(|(_, broken)| broken_text(broken)),
        ..record.clone()
    };
    let mut schema = schema::strict::<DebateSynthesis>("debate_synthesis");
    schema::remove(&mut schema, if draft.is_some() { "executive_summary" } else { "edits" });
    let shared = material(brief, Some(&debate.proposition));
    let files = [RULES, MATERIAL, "debate/synthesis.md", RECORD, drafts::DRAFT];
    let length = Length::growing(brief.effort, MAX_SYNTHESIS_TOKENS);
    let mut prompt = prompts.request(&files, (&shared, &values), schema, length);
    // The longest part of it: with what is shared, so that the next try finds it in the provider's cache.
    prompt.shared = format!("{}\n\n{}", prompt.shared, prompts.render(RECORD, &record));
    warm(prompt, MODERATOR)
}

/// Reads it: its summary is the draft with its changes, where there is one. The `first` time a change that cannot be made is an error.
pub fn read_synthesis(
    reply: &Reply,
    (draft, effort): (Option<&ChosenDraft>, Effort),
    first: bool,
) -> Result<DebateSynthesis, ParseError> {
    let mut synthesis = checked_debate_synthesis(parse::<DebateSynthesis>(&reply.text)?, &reply.answered)?;
    if let Some(draft) = draft {
        let (edits, anew, resolutions) = (&mut synthesis.edits, &mut Vec::new(), &mut [][..]);
        let mending = Mending {
            draft,
            room: drafts::room(Written::Synthesis, effort),
            first,
            edits,
            anew,
            resolutions,
        };
        synthesis.executive_summary = mending.make()?.text;
    }
    Ok(synthesis)
}

/// What a member wants made clear, put to the moderator. The reply is a [`ClarificationReply`].
#[must_use]
pub fn clarification(
    prompts: &Prompts,
    brief: &DebateBrief,
    (debate, transcript): (&Debate, Transcript),
    asked: &Clarification,
    mend: Option<Mend<'_>>,
) -> Prompt {
    let values = context! {
        asked => fence("to-clarify", &format!("{} asks:\n{}", asked.author_name, asked.text)),
        last_try => last_text(mend),
        broken => mend.and_then(|mend| broken_text(mend.broken)),
        ..record(debate, transcript)
    };
    let schema = schema::strict::<ClarificationReply>("clarification");
    let shared = material(brief, Some(&debate.proposition));
    let files = [RULES, MATERIAL, "debate/clarification.md"];
    warm(
        prompts.request(
            &files,
            (&shared, &values),
            schema,
            Length::fixed(brief.effort, MAX_CLARIFICATION_TOKENS),
        ),
        MODERATOR,
    )
}

/// Reads its answer.
pub fn read_clarification(reply: &Reply) -> Result<String, ParseError> {
    parse::<ClarificationReply>(&reply.text)?.into_answer()
}

/// A hinge that evidence was brought on, to be looked at again; `at` is its place in `hinges`, from 0. The reply is a
/// [`Hinge`].
#[must_use]
pub fn hinge(
    prompts: &Prompts,
    brief: &DebateBrief,
    (debate, transcript): (&Debate, Transcript),
    (hinges, at): (&[Hinge], usize),
    (evidence, offered): (&Evidence, &Offered),
    mend: Option<Mend<'_>>,
) -> Prompt {
    let numbered = || hinges.iter().enumerate();
    let others: Vec<String> = numbered().filter(|(place, _)| *place != at).map(hinge_line).collect();
    let own = numbered().find(|(place, _)| *place == at);
    let of_it =
        |other: &&Evidence| other.number < evidence.number && other.hinge.map(usize::from) == Some(at + 1);
    let before: Vec<String> = debate.evidence.iter().filter(of_it).map(transcript::evidence).collect();
    let values = context! {
        hinge => own.map(|own| fence("hinge", &hinge_line(own))),
        others => (!others.is_empty()).then(|| fence("other-hinges", &others.join("\n"))),
        before,
        new => transcript::evidence(evidence),
        found => found_text(offered),
        last_try => last_text(mend),
        broken => mend.and_then(|mend| broken_text(mend.broken)),
        ..record(debate, transcript)
    };
    let schema = schema::strict::<Hinge>("hinge");
    let shared = material(brief, Some(&debate.proposition));
    let files = [RULES, MATERIAL, "debate/hinge.md"];
    warm(
        prompts.request(&files, (&shared, &values), schema, Length::fixed(brief.effort, MAX_HINGE_TOKENS)),
        MODERATOR,
    )
}

/// What the web is searched for before that; `hinge` with its place, from 0. The reply is a [`QueriesReply`].
#[must_use]
pub fn hinge_queries(
    prompts: &Prompts,
    brief: &DebateBrief,
    proposition: &Proposition,
    hinge: (usize, &Hinge),
    evidence: &Evidence,
) -> Prompt {
    let values = context! {
        hinge => fence("hinge", &hinge_line(hinge)),
        new => transcript::evidence(evidence),
        question => question_text(proposition),
    };
    let schema = schema::strict::<QueriesReply>("search_queries");
    let shared = material(brief, Some(proposition));
    let files = [RULES, MATERIAL, "debate/hinge_queries.md"];
    let length = Length::fixed(brief.effort, MAX_QUERIES_TOKENS);
    warm(prompts.request(&files, (&shared, &values), schema, length), MODERATOR)
}

/// Reads it: the hinge as it stands now, citing what was offered.
pub fn read_hinge(reply: &Reply, offered: &Offered) -> Result<Hinge, ParseError> {
    checked_hinge(parse::<Hinge>(&reply.text)?, offered)
}

/// The complete record: every turn with its marks, what is missing, the team's evidence with what each side made of
/// it, what was made clear, what members asked and were answered.
pub(super) fn record(debate: &Debate, transcript: Transcript) -> Value {
    // Each turn cites by numbers of its own, and the moderator cites no page.
    let text = |turn: &DebateTurn| {
        without_marks(&match transcript {
            Transcript::Full => transcript::with_marks(turn),
            Transcript::Condensed => transcript::compact(turn),
        })
    };
    let turns: Vec<Value> = (debate.turns.iter())
        .map(|turn| context! { slot => turn.slot.to_string(), text => text(turn) })
        .collect();
    let missing: Vec<String> = debate.missing.iter().map(|missing| missing.slot.to_string()).collect();
    let for_turns = debate.evidence.iter().filter(|evidence| evidence.hinge.is_none());
    context! {
        turns,
        missing,
        evidence => for_turns.map(|evidence| transcript::evidence_taken(evidence, debate)).collect::<Vec<_>>(),
        clarifications => debate.clarifications.iter().filter_map(transcript::clarification).collect::<Vec<_>>(),
        questions => debate.questions.iter().map(transcript::question_answered).collect::<Vec<_>>(),
        question => question_text(&debate.proposition),
    }
}
