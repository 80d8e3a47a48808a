//! Ten points from every scorer, the same in every protocol: all at once, each sees the solutions in an order of its own,
//! is asked once more where they are not ten, and what is still not ten is scaled. Then people vote on the solutions.

use crate::{
    prompt::{
        self, ParseError,
        reply::{CHANCES, PointsReply},
    },
    render::{self, points::Reasoned},
    steps::{Ask, Failure, FailureClass, Steps, Stop, Try},
};
use forms::Asked;

use domain::{
    Allocation, Basis, Degraded, ExpertPoints, Influence, ModelName, Piece, Prompt, Reply, Score, Scored,
    Solution, StepKey,
};

/// The step that shows the points.
pub(super) const POINTS: &str = "points";

/// Makes a scorer's question from the order in which it sees the solutions, with or without all that was said before.
type PromptFor<'a> = Box<dyn Fn(&[usize], Told) -> Prompt + Send + Sync + 'a>;

/// How much of what was said a scorer is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// All of it.
    All,
    /// Its own last word: its model cannot take in more.
    Own,
}

/// Who is asked for points, and how.
pub(super) struct Scorer<'a> {
    /// What its points are kept under.
    pub(super) id: String,
    /// As its step spells it.
    pub(super) step: String,
    /// As people read it.
    pub(super) name: String,
    /// Who is asked.
    pub(super) model: &'a ModelName,
    /// Who is asked, in order, where that one's server takes no request of it.
    pub(super) fallbacks: &'a [ModelName],
    /// Makes its question, from the order in which it sees the solutions and how much it is told.
    pub(super) prompt: PromptFor<'a>,
}

/// Has all scorers spread their points, and say what else is asked for. In their order; `None` for one whose model gave none.
pub(super) async fn spread(
    steps: &Steps,
    solutions: &[Solution],
    scorers: Vec<Scorer<'_>>,
    asked_for: &Asked,
) -> Result<Vec<Option<Score>>, Stop> {
    let seed = steps.seed("scoring/order").to_string();
    let asked = scorers.into_iter().map(|Scorer { id, step, name, model, fallbacks, prompt }| {
        let order = prompt::shuffled(solutions.len(), prompt::seed(&[&seed, &id]));
        async move {
            let key = StepKey::new(format!("points/{step}"));
            let asked = |key: StepKey, model: &ModelName, told| Ask {
                key,
                who: name.clone(),
                model: model.clone(),
                prompt: prompt(&order, told),
            };
            let read = |reply: &Reply, attempt| read(&id, reply, solutions, (asked_for, attempt));
            let nothing = |_: &Result<Score, Failure>| Vec::new();
            let given = match steps.ask(asked(key.clone(), model, Told::All), read, nothing).await? {
                Err(failure) if failure.may_be_its_length() => {
                    steps.ask(asked(key.child("short"), model, Told::Own), read, nothing).await?
                }
                given => given,
            };
            let refused = given
                .as_ref()
                .is_err_and(|failure| failure.class == FailureClass::Barred || failure.may_be_its_length());
            if !refused {
                return Ok(given.ok());
            }
            // As in the rounds, another speaks for it, and is named.
            for (place, stand_in) in (1..).zip(fallbacks) {
                let key = key.child(format!("fallback-{place}"));
                if let Ok(score) = steps.ask(asked(key.clone(), stand_in, Told::All), read, nothing).await? {
                    let piece = Piece::Points(name.clone());
                    steps.note_degraded(key, piece.stood_in(Some(stand_in))).await?;
                    return Ok(Some(score));
                }
            }
            Ok(None)
        }
    });
    steps.all(asked).await
}

/// Has all scorers spread their points, keeps and shows them. One that gave none is shown with ten spread evenly, which
/// is said on the card and counted nowhere. Once kept, nobody is asked again.
pub(super) async fn score(
    steps: &Steps,
    solutions: &[Solution],
    scorers: Vec<Scorer<'_>>,
) -> Result<Scored, Stop> {
    let scored = if let Some(kept) = steps.kept::<Scored>(POINTS).await? {
        kept
    } else {
        let names: Vec<String> = scorers.iter().map(|scorer| scorer.name.clone()).collect();
        let given = spread(steps, solutions, scorers, &Asked::default()).await?;
        let mut scored = Scored { solutions: solutions.to_vec(), experts: Vec::new(), reasons: Vec::new() };
        for (title, score) in names.into_iter().zip(given) {
            let Some(score) = score.or_else(|| even(solutions.len())) else { continue };
            let Score { allocation, basis, reasoning, chances, .. } = score;
            scored.experts.push(ExpertPoints {
                title,
                weight: 1.0,
                influence: Influence::default(),
                allocation,
                basis,
                chances,
            });
            scored.reasons.push(reasoning);
        }
        let key = StepKey::from(POINTS);
        let cards = render::points::points_card(steps.session(), &key, solutions, &scored.experts, &[]);
        steps.keep(key, &scored, cards).await?
    };
    let notes = scored.experts.iter().filter_map(|expert| degraded(&expert.title, Some(expert.basis)));
    steps.note_degraded(POINTS, notes).await?;
    Ok(scored)
}

/// What is to be said of an expert's points; nothing where they are as it gave them.
pub(super) fn degraded(expert: &str, basis: Option<Basis>) -> Option<Degraded> {
    (basis != Some(Basis::Given)).then(|| Degraded::Points { expert: expert.to_owned(), basis })
}

/// Ten points spread evenly; none where there is nothing to spread them over.
fn even(solutions: usize) -> Option<Score> {
    let allocation = Allocation::scaled(&vec![1; solutions]).ok()?;
    let (scorer, reasoning) = (String::new(), String::new());
    Some(Score { scorer, allocation, basis: Basis::Even, reasoning, chances: Vec::new() })
}

/// Reads a scorer's reply, which names the solutions by their numbers. A chance that is asked for and is none is asked for
/// once more, and left out after that.
fn read(
    scorer: &str,
    reply: &Reply,
    solutions: &[Solution],
    (asked, attempt): (&Asked, Try),
) -> Result<Score, ParseError> {
    let said = forms::read::<PointsReply>(&reply.text, asked, 0, attempt == Try::First)?.said;
    let asks = asked.when.contains(&CHANCES);
    let (chances, unsaid) = if asks { said.chances(solutions) } else { (Vec::new(), Vec::new()) };
    let reasoning = said.reasoning.clone();
    let given = said.into_allocation(solutions);
    if attempt == Try::First && !unsaid.is_empty() {
        let wrong = given.err().map(|error| format!("; {error}")).unwrap_or_default();
        return Err(ParseError::Shape(format!(
            "`success` needs a number from 0 to 100 for {}{wrong}",
            unsaid.join(", ")
        )));
    }
    let (allocation, basis) = allocation(given, attempt)?;
    Ok(Score { scorer: scorer.to_owned(), allocation, basis, reasoning, chances })
}

/// Ten points as given; once asked to correct them, what is not ten is scaled to it.
fn allocation(read: Result<Allocation, ParseError>, attempt: Try) -> Result<(Allocation, Basis), ParseError> {
    match (read, attempt) {
        (Ok(allocation), _) => Ok((allocation, Basis::Given)),
        (Err(ParseError::Points { points, error }), Try::Repaired) => Allocation::scaled(&points)
            .map(|allocation| (allocation, Basis::Scaled))
            .map_err(|_| ParseError::Points { points, error }),
        (Err(error), _) => Err(error),
    }
}

/// Every expert's points with its reasons: title and text.
pub(super) fn full_text(scored: &Scored) -> (String, String) {
    let reasoned = scored.experts.iter().zip(&scored.reasons).map(|(expert, reasoning)| Reasoned {
        title: &expert.title,
        allocation: &expert.allocation,
        basis: expert.basis,
        reasoning,
        chances: &expert.chances,
    });
    let reasoned: Vec<_> = reasoned.collect();
    ("All points".to_owned(), render::points::all_points(&scored.solutions, &reasoned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Finish, MemoOption, PointsError};

    #[test]
    fn points_are_scaled_only_after_the_repair_turn_and_never_made_up() {
        let wrong = |points: Vec<u32>| Err(ParseError::Points { points, error: PointsError::Sum(20) });
        assert!(allocation(wrong(vec![15, 5]), Try::First).is_err());
        let (scaled, basis) = allocation(wrong(vec![15, 5]), Try::Repaired).unwrap();
        assert_eq!((scaled.points(), basis), (&[8, 2][..], Basis::Scaled));
        assert!(allocation(wrong(vec![0, 0]), Try::Repaired).is_err());
    }

    #[test]
    fn a_chance_that_is_none_is_asked_for_once_more_and_then_left_out() {
        let solutions: Vec<Solution> = Solution::distinct(
            &["Pilot", "Wait"].map(|title| MemoOption { title: title.to_owned(), ..MemoOption::default() }),
        );
        let asked = Asked::default().when(CHANCES, true);
        let said = |points: &str, success: &str, asked: &Asked, attempt| {
            let text = format!(r#"{{"reasoning":"r","points":{points},"success":{success}}}"#);
            let reply = Reply {
                text,
                finish: Finish::Stop,
                usage: None,
                cost: None,
                asked: "openai/alpha".parse().unwrap(),
                answered: "alpha".to_owned(),
                request_id: None,
            };
            read("cost", &reply, &solutions, (asked, attempt))
        };
        let (ten, wrong) = (r#"{"S1":6,"S2":4}"#, r#"{"S1":"high","S2":35}"#);
        let error = said(ten, wrong, &asked, Try::First).unwrap_err().to_string();
        assert!(error.contains("`success` needs a number from 0 to 100 for S1"), "{error}");
        let both = said(r#"{"S1":6,"S2":5}"#, wrong, &asked, Try::First).unwrap_err().to_string();
        assert!(both.contains("for S1") && both.contains("add up to 11"), "{both}");
        let left_out = said(ten, wrong, &asked, Try::Repaired).unwrap();
        assert_eq!((left_out.chances, left_out.basis), (vec![None, Some(35)], Basis::Given));
        let elsewhere = said(ten, "{}", &Asked::default(), Try::First).unwrap();
        assert!(elsewhere.chances.is_empty(), "who is not asked says none");
    }
}
