//! How a debate's card came about. What it shows was kept by the protocol from one of several tries, so the tries are
//! shown; of the moderator's, in words, only those that took no side.

use serde_json::{Value, json};

use super::Sessions;
use crate::{
    domain::{Addressee, DebateSynthesis, Post, Proposition, SessionId, StepKey, neutrality},
    error::UserError,
    render,
    session::inspect::{NOTHING, inspection},
    store::{AttemptRow, StepRow},
};

/// Stands for a reply that is not shown.
const WITHHELD: &str = "This reply did not pass the neutrality check and is not shown.";
/// Stands for a request that repeats such a reply, with what it broke.
const REPEATS: &str =
    "This request repeats a reply that did not pass the neutrality check, and so is not shown.";

impl Sessions {
    /// How the card that a debate's step made came about.
    pub(in crate::session) async fn behind(
        &self,
        session: &SessionId,
        key: &StepKey,
    ) -> anyhow::Result<Vec<Post>> {
        let card = card_of(key);
        let store = &self.0.world.store;
        let mut attempts: Vec<(StepKey, AttemptRow)> = Vec::new();
        let mut family = self.family(session, &card).await?;
        for (step, _) in &family {
            let rows = store.attempts(session, step).await?;
            attempts.extend(rows.into_iter().map(|row| (step.clone(), row)));
        }
        attempts.sort_by_key(|(_, row)| row.started_ms);
        if self.is_moderators(session, &card).await? {
            let proposition = self.proposition(session).await?;
            withhold(&mut attempts, &family, proposition.as_ref());
            if card.as_str().starts_with("hinge/") {
                let kept =
                    family.iter().find(|(step, _)| *step == card).and_then(|(_, row)| row.output.as_ref());
                withhold_uneven(&mut attempts, kept.is_some_and(|kept| !kept.is_null()));
            }
        }
        // The last try that was read, and not the check of its topic.
        let tried = |(step, row): &(StepKey, AttemptRow)| row.state == "ok" && !is_check(&card, step);
        let Some(at) = attempts.iter().rposition(tried).or(attempts.len().checked_sub(1)) else {
            return UserError::of(NOTHING);
        };
        let (_, last) = attempts.remove(at);
        let kept = family.iter_mut().find(|(step, _)| *step == card);
        let kept = kept.and_then(|(_, row)| row.output.take()).unwrap_or_default();
        Ok(vec![render::inspect::raw(&inspection(&card, &attempts, &last, kept))])
    }

    /// The settled steps of a card: its own and those below it.
    async fn family(&self, session: &SessionId, card: &StepKey) -> anyhow::Result<Vec<(StepKey, StepRow)>> {
        let below = format!("{card}/");
        let steps = self.0.world.store.steps(session, card.as_str()).await?;
        let own = |(key, _): &(StepKey, StepRow)| key == card || key.as_str().starts_with(&below);
        Ok(steps.into_iter().map(|(key, row)| (StepKey::new(key), row)).filter(own).collect())
    }

    /// Whether the moderator wrote a card.
    async fn is_moderators(&self, session: &SessionId, card: &StepKey) -> anyhow::Result<bool> {
        let mut parts = card.as_str().split('/');
        Ok(match parts.next() {
            Some("turn" | "normalise") => false,
            Some("followup") => {
                let question = parts.next().and_then(|id| id.parse().ok()).unwrap_or_default();
                let to = self.0.world.store.addressee(session, question).await?;
                !matches!(to, Some(Addressee::Advocate(_)))
            }
            _ => true,
        })
    }
}

/// The step that a card is made by, from any step below it.
pub(in crate::session) fn card_of(key: &StepKey) -> StepKey {
    let parts: Vec<&str> = key.as_str().split('/').collect();
    let depth = match parts[0] {
        // What people confirmed was made here.
        "proposition" => return "normalise".into(),
        "normalise" | "synthesis" | "hinges" => 1,
        "hinge" => 3,
        // `turn/constructive/ethical/con`: down to the side.
        "turn" => {
            parts.iter().position(|part| ["pro", "con"].contains(part)).map_or(parts.len(), |at| at + 1)
        }
        _ => 2,
    };
    StepKey::new(parts[..depth.min(parts.len())].join("/"))
}

/// Whether a step only looked whether a turn keeps to its topic.
fn is_check(card: &StepKey, step: &StepKey) -> bool {
    let below = step.as_str().strip_prefix(card.as_str()).unwrap_or_default();
    below.starts_with("/topic")
}

/// Takes out of the moderator's attempts, first to last, what did not pass the gate: the reply, what was said of it,
/// and each later request, which repeats it.
fn withhold(
    attempts: &mut [(StepKey, AttemptRow)],
    family: &[(StepKey, StepRow)],
    proposition: Option<&Proposition>,
) {
    let mut repeats = false;
    for (step, row) in attempts {
        if repeats {
            row.request = json!(REPEATS).to_string();
        }
        let Some(reply) = &row.reply else { continue };
        let read = family.iter().find(|(key, _)| key == step).and_then(|(_, step)| step.output.as_ref());
        let neutral = match (proposition, read) {
            (Some(proposition), Some(read)) if row.state == "ok" => takes_no_side(reply, read, proposition),
            _ => false,
        };
        if !neutral {
            row.reply = Some(WITHHELD.to_owned());
            // What was wrong with it may quote it.
            row.problem = row.problem.take().map(|_| WITHHELD.to_owned());
            repeats = true;
        }
    }
}

/// Takes out of the attempts at a hinge those that were asked for again, or withheld in the end. A hinge may take a side
/// beside the others only, and then its words tell nothing of it.
fn withhold_uneven(attempts: &mut [(StepKey, AttemptRow)], passed: bool) {
    let last = attempts.iter().rposition(|(_, row)| row.state == "ok").filter(|_| passed);
    let mut repeats = false;
    for (at, (_, row)) in attempts.iter_mut().enumerate() {
        if repeats {
            row.request = json!(REPEATS).to_string();
        }
        if row.state == "ok" && Some(at) != last {
            row.reply = Some(WITHHELD.to_owned());
            repeats = true;
        }
    }
}

/// Whether a reply passes the gate as it was read, and so does everything in it that was not read.
fn takes_no_side(reply: &str, read: &Value, proposition: &Proposition) -> bool {
    let neutral = |text: &str| neutrality::of_text(text, proposition).is_empty();
    let synthesis = serde_json::from_value::<DebateSynthesis>(read.clone());
    let passes = match &synthesis {
        Ok(synthesis) => neutrality::of_synthesis(synthesis, proposition).is_empty(),
        Err(_) => texts(read).into_iter().all(neutral),
    };
    let known = texts(read);
    passes
        && match serde_json::from_str::<Value>(reply.trim()) {
            Ok(whole) => texts(&whole).into_iter().all(|text| known.contains(&text) || neutral(text)),
            Err(_) => neutral(reply),
        }
}

/// Every text in a value.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_a_debate_leads_to_its_card() {
        for (key, card) in [
            ("turn/opening/pro", "turn/opening/pro"),
            ("turn/opening/pro/try-2/fallback-1", "turn/opening/pro"),
            ("turn/constructive/ethical/con/topic-1", "turn/constructive/ethical/con"),
            ("synthesis", "synthesis"),
            ("synthesis/try-3", "synthesis"),
            ("followup/12/try-1", "followup/12"),
            ("clarified/12/try-1", "clarified/12"),
            ("hinge/2/11/try-1/fallback-1", "hinge/2/11"),
            ("normalise/fallback-1", "normalise"),
            ("proposition", "normalise"),
        ] {
            assert_eq!(card_of(&StepKey::new(key)).as_str(), card, "{key}");
        }
    }
}
