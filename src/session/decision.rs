//! Decisions: recorded from a vote that has closed, found again, and said how they turned out.

use super::{Actor, Sessions, typed::fits};
use crate::{
    error::UserError,
    render::decision::{self, ListRow},
    steps::{decision_card, thread_posts},
    store::{DecisionRow, NewDecision, Pin, SessionRow, StoreError, VoteRow},
};
use domain::{
    ChannelId, Decision, DecisionDraft, Does, GuildId, MAX_OUTCOME, Modal, Outcome, Post, StepKey, Swing,
    Verdict, Vote, VoteKind, VoteState, sides,
};

/// Most decisions that `/decisions` lists.
const LISTED: u32 = 15;

impl Sessions {
    /// The form that records a decision on a session's vote.
    pub async fn decision_form(&self, row: &SessionRow) -> anyhow::Result<Modal> {
        let (vote, swing) = self.decided_on(row).await?;
        Ok(match swing {
            Some(_) => decision::sides_form(&row.id, &vote),
            None => decision::form(&row.id, &vote, self.now_ms() / 1000),
        })
    }

    /// Records a decision; its card is posted in the thread and pinned there.
    pub async fn decide(
        &self,
        row: &SessionRow,
        actor: &Actor,
        draft: &DecisionDraft,
    ) -> anyhow::Result<String> {
        let store = &self.0.world.store;
        if let Some(said) = store.applied(actor.interaction.0).await? {
            return Ok(said);
        }
        self.may(row, actor, Does::DecideSent.right()).await?;
        let (vote, swing) = self.decided_on(row).await?;
        let (vote, draft) = match draft.clone().among(vote, &actor.name) {
            Ok(named) => named,
            Err(problem) => return UserError::of(problem.to_string()),
        };
        let Some(thread) = row.thread else {
            return UserError::of("This session has no thread, so there is nowhere to post its decision.");
        };
        let now = self.now_ms();
        let choice = match draft.read(&vote, now / 1000) {
            Ok(choice) => choice,
            Err(problem) => return UserError::of(problem.to_string()),
        };
        let decision = Decision {
            number: 0,
            vote,
            swing,
            chosen: choice.chosen,
            rationale: choice.rationale,
            owner: choice.owner,
            dissent: choice.dissent,
            review: choice.review,
            by: actor.user,
            by_name: actor.name.clone(),
            at: now / 1000,
            outcome: None,
        };
        let said = "Recorded. The decision stands in the thread, and `/decisions` finds it.";
        let posts = |decision: &Decision| {
            let row = DecisionRow {
                session: row.id.clone(),
                thread,
                decision: decision.clone(),
                pin: Pin::Wanted,
                replaced_by: None,
            };
            let key = StepKey::new(format!("decision/{}", decision.number));
            thread_posts(&row.session, &key, None, vec![decision_card(&row)])
        };
        let (guild, channel) = (row.guild, row.channel);
        let new = NewDecision { session: row.id.clone(), guild, channel, thread, decision };
        match store.record_decision(new, actor.event("decide", &row.id, said), posts, now).await {
            Ok(number) => {
                self.0.outbox.kick(&row.id);
                if number > 1 {
                    self.0.panels.kick(&row.id, &format!("decision/{}", number - 1));
                }
                self.0.decided.notify_one();
                self.redraw(&row.id);
                Ok(said.to_owned())
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(other) => Err(other.into()),
        }
    }

    /// The form that says how a decision turned out.
    pub async fn outcome_form(
        &self,
        row: &SessionRow,
        number: u32,
        verdict: Verdict,
    ) -> anyhow::Result<Modal> {
        match self.0.world.store.decision(&row.id, number).await? {
            Some(found) => Ok(decision::outcome_form(&row.id, &found.decision, verdict)),
            None => no_decision(),
        }
    }

    /// Takes down how a decision turned out. Said again, the newest counts.
    pub async fn say_outcome(
        &self,
        row: &SessionRow,
        actor: &Actor,
        (number, verdict): (u32, Verdict),
        text: &str,
    ) -> anyhow::Result<String> {
        let store = &self.0.world.store;
        if let Some(said) = store.applied(actor.interaction.0).await? {
            return Ok(said);
        }
        self.may(row, actor, Does::OutcomeSent((number, verdict)).right()).await?;
        let text = text.trim();
        if text.is_empty() {
            return UserError::of("The sentence is empty. Write in a few words what happened.");
        }
        fits("sentence", text, MAX_OUTCOME)?;
        let now = self.now_ms();
        let outcome = Outcome {
            verdict,
            text: text.to_owned(),
            by: actor.user,
            by_name: actor.name.clone(),
            at: now / 1000,
        };
        let said = "Noted. The decision's card and `/decisions` say so now.";
        let event = actor.event("outcome", &row.id, said);
        match store.decision_outcome(number, &row.id, event, outcome, now).await {
            Ok(()) => {
                for panel in ["decision", "review"] {
                    self.0.panels.kick(&row.id, &format!("{panel}/{number}"));
                }
                self.redraw(&row.id);
                Ok(said.to_owned())
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::Missing(_)) => no_decision(),
            Err(other) => Err(other.into()),
        }
    }

    /// The decisions of a channel, or those of them that hold all words of a search.
    pub async fn decisions(
        &self,
        guild: GuildId,
        channel: ChannelId,
        search: Option<&str>,
    ) -> anyhow::Result<Vec<Post>> {
        let words = search.unwrap_or_default();
        let (rows, found) = self.0.world.store.decisions(guild, channel, words, LISTED).await?;
        let rows: Vec<ListRow> = rows
            .into_iter()
            .map(|row| ListRow { decision: row.decision, thread: row.thread, replaced_by: row.replaced_by })
            .collect();
        Ok(decision::list(&rows, found, search))
    }

    /// What is decided on: the vote with its ballots as they stay, or the sides of a debate with how opinions moved.
    async fn decided_on(&self, row: &SessionRow) -> anyhow::Result<(Vote, Option<Swing>)> {
        let Some(VoteRow { vote, .. }) = self.0.world.store.deciding_vote(&row.id).await? else {
            return UserError::of(
                "There has been no vote in this session, so there is nothing to record yet. A decision is recorded once its vote has closed.",
            );
        };
        match (vote.state == VoteState::Open, vote.kind) {
            (true, VoteKind::Points) => UserError::of(
                "The vote is still open. Close the vote first (press **Close vote** on its card), then record the decision.",
            ),
            (true, VoteKind::Opinion) => UserError::of(
                "The team's vote after the debate is still open. Close it first (press **Close** on its card), then record the decision.",
            ),
            (false, VoteKind::Points) => Ok((vote, None)),
            (false, VoteKind::Opinion) => {
                let swing = vote.swing();
                Ok((sides(vote), Some(swing)))
            }
        }
    }
}

fn no_decision<T>() -> anyhow::Result<T> {
    UserError::of("There is no such decision in this session. `/decisions` lists those of this channel.")
}
