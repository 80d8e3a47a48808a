//! Questions to Pro, Con and the moderator: answered in their role from the record, while the debate goes on and
//! after it. What the moderator answers passes the same check as its synthesis, or is not shown.

use super::{
    super::followup::Question,
    gate::{Broken, Gated, GatedAsk, passage, reasons},
    record,
};
use crate::{
    prompt::{
        self,
        debate::{Asked, Mend, Transcript},
        followup::{Answer, Exchange},
    },
    render,
    steps::{Steps, Stop},
};
use domain::{
    Addressee, AnsweredQuestion, DebateBrief, Mark, Post, Proposition, Reply, Seat, StepKey,
    neutrality::{self, Judgement, Violation},
};

/// Fewest and most words.
const WORDS: std::ops::RangeInclusive<u32> = 50..=150;

/// Earlier questions that are given along.
const EARLIER: i64 = 3;

/// The newest so many are part of the record that synthesis and open questions are written from.
const ON_RECORD: i64 = 20;

/// Answers a question to Pro, Con or the moderator; to the moderator where it is put to nobody in particular.
pub(in crate::protocols) async fn answer(
    steps: &Steps,
    brief: &DebateBrief,
    question: &Question<'_>,
) -> Result<(), Stop> {
    let key = key(question.id);
    if steps.kept::<Option<Answer>>(key.clone()).await?.is_some() {
        return Ok(());
    }
    let to = question.to.unwrap_or(Addressee::Moderator);
    let debate = record::read(steps, brief).await?;
    let synthesis = record::synthesis(steps).await?;
    let mut others: Vec<_> =
        steps.counted_vote().await?.iter().map(|vote| prompt::debate::swing_part(&vote.swing())).collect();
    others.extend(steps.decided().await?.iter().map(prompt::decision_part));
    let asked = Asked {
        to,
        text: question.text,
        debate: &debate,
        transcript: Transcript::Full,
        synthesis: synthesis.as_ref(),
        others: &others,
        earlier: &earlier(steps, question.id).await?,
        phase: &steps.phase_now(),
        running: synthesis.is_none(),
    };
    let who = format!("{} answering {}", to.name(), question.author);
    let proposition = &debate.proposition;
    let asking = GatedAsk { steps, brief, proposition, seat: seat(brief, to), key: &key, who: &who };
    let gated = asking.ask(
        |transcript: Transcript, mend: Option<(&Answer, &[String])>| {
            let mend = mend.map(|(last, broken)| Mend { last: &last.text, broken });
            prompt::debate::question(steps.prompts(), brief, &Asked { transcript, ..asked }, mend)
        },
        |reply: &Reply, _| prompt::debate::read_answer(&asked, reply),
        |answer| {
            // An advocate has a side.
            let neutral = to == Addressee::Moderator;
            Broken {
                violations: if neutral { violations(answer, proposition) } else { Vec::new() },
                minor: length(&answer.text).iter().map(Mark::told).collect(),
                passages: if neutral { passage(&shown(answer).join("\n")) } else { Vec::new() },
            }
        },
    );
    let (gated, transcript) = gated.await?;
    let (answer, cards) = match gated {
        Gated::Passed(said, judgement) => {
            let told = Asked { transcript, ..asked };
            let cards = card(steps, &key, question, (&said.value, &judgement), &told);
            (Some(said.value), cards)
        }
        Gated::Biased(_, violations, _) => {
            let asked = (question.author, question.text);
            let why = reasons(&violations);
            (None, render::debate::answer_withheld_card(steps.session(), &key, asked, &why))
        }
        Gated::Failed(failure) => {
            let sentence = format!("This question could not be answered: {}.", failure.sentence());
            return Err(Stop::Fail(sentence));
        }
    };
    steps.keep(key, &answer, cards).await.map(|_: Option<Answer>| ())
}

fn key(question: u64) -> StepKey {
    StepKey::new(format!("followup/{question}"))
}

/// Who answers for whom.
fn seat(brief: &DebateBrief, to: Addressee) -> &Seat {
    match to {
        Addressee::Advocate(side) => brief.advocates.of(side),
        Addressee::Moderator => &brief.moderator,
    }
}

/// What it breaks of its length.
fn length(text: &str) -> Option<Mark> {
    let words = domain::count_words(text);
    // As with turns, a quarter more or less is not worth another call.
    if words < *WORDS.start() * 3 / 4 {
        Some(Mark::Short { words, least: *WORDS.start() })
    } else if words > *WORDS.end() * 5 / 4 {
        Some(Mark::Long { words, most: *WORDS.end() })
    } else {
        None
    }
}

/// What of an answer takes a side, in all that is shown of it.
fn violations(answer: &Answer, proposition: &Proposition) -> Vec<Violation> {
    shown(answer).into_iter().flat_map(|text| neutrality::of_text(text, proposition)).collect()
}

/// What of an answer is shown.
fn shown(answer: &Answer) -> Vec<&str> {
    [Some(answer.text.as_str()), answer.not_in_material.as_deref()].into_iter().flatten().collect()
}

/// The model that answered, and whether it was told all there is.
pub(super) fn read_by(model: &str, transcript: Transcript) -> String {
    match transcript {
        Transcript::Full => model.to_owned(),
        Transcript::Condensed => {
            format!("{model}, which cannot take in the whole debate and read it in short")
        }
    }
}

/// What members have asked and were answered so far, for the record; what was withheld was not answered.
pub(super) async fn answered(steps: &Steps) -> Result<Vec<AnsweredQuestion>, Stop> {
    let mut answered = Vec::new();
    for (id, text) in steps.answered_questions(i64::MAX.cast_unsigned(), ON_RECORD).await? {
        let Some(answer) = steps.kept::<Option<Answer>>(key(id)).await?.flatten() else { continue };
        let to = steps.journal().addressee(id).await?.unwrap_or(Addressee::Moderator);
        answered.push(AnsweredQuestion { to, text, answer: answer.text });
    }
    Ok(answered)
}

/// The last questions that were answered before this one, so that it can refer to them. What was withheld was not
/// answered.
async fn earlier(steps: &Steps, before: u64) -> Result<Vec<Exchange>, Stop> {
    let mut exchanges = Vec::new();
    for (id, text) in steps.answered_questions(before, EARLIER).await? {
        let kept = steps.kept::<Option<Answer>>(key(id)).await?.flatten();
        exchanges.extend(kept.map(|answer| Exchange { question: text, answer: answer.text }));
    }
    Ok(exchanges)
}

fn card(
    steps: &Steps,
    key: &StepKey,
    question: &Question<'_>,
    (answer, judgement): (&Answer, &Judgement),
    asked: &Asked<'_>,
) -> Vec<Post> {
    let grounds: Vec<String> = answer.draws_on.iter().map(|name| asked.shown(name)).collect();
    let answered = render::followup::Answered {
        text: &answer.text,
        grounds: &grounds,
        missing: answer.not_in_material.as_deref(),
        model: &read_by(&answer.answered_by, asked.transcript),
    };
    let put = (question.author, question.text);
    render::debate::addressed_card(steps.session(), key, asked.to, put, (&answered, judgement))
}
