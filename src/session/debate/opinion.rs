//! What the team thinks of the proposition: a vote before the debate, which the start of it closes, and another after it.

use crate::{
    error::UserError,
    protocols::debate::opinion_key,
    session::{Actor, Sessions, vote::applied},
    store::{SessionRow, StoreError, VoteRefusal},
};
use domain::{BallotChoice, Opinion, WaitKind};

impl Sessions {
    /// Takes what somebody thinks before the debate. `revision` is the edit of the proposition on whose card they
    /// pressed.
    pub async fn opine_before(
        &self,
        row: &SessionRow,
        actor: &Actor,
        opinion: Opinion,
        revision: i64,
    ) -> anyhow::Result<String> {
        let until = "until the debate starts; you vote once more at its end";
        let choice = BallotChoice::Opinion(opinion);
        let said = said(opinion, until);
        match self.cast((row, &WaitKind::Proposition.key()), actor, (choice, revision), said).await {
            Err(StoreError::Vote(VoteRefusal::Over)) => UserError::of(
                "The debate has started, so the first vote is closed. You can vote again after the synthesis.",
            ),
            Err(StoreError::NotRunning(_)) => self.too_late(&row.id, WaitKind::Proposition).await,
            cast => opined(cast),
        }
    }

    /// Takes what somebody thinks with the debate behind them.
    pub async fn opine_after(
        &self,
        row: &SessionRow,
        actor: &Actor,
        opinion: Opinion,
    ) -> anyhow::Result<String> {
        let choice = BallotChoice::Opinion(opinion);
        let said = said(opinion, "until the vote closes");
        opined(self.cast((row, &opinion_key()), actor, (choice, 0), said).await)
    }
}

fn said(opinion: Opinion, until: &str) -> String {
    format!("Your vote: **{}**. Nobody sees that it is yours. You can change it {until}.", opinion.name())
}

fn opined(cast: Result<String, StoreError>) -> anyhow::Result<String> {
    match cast {
        Err(StoreError::Vote(VoteRefusal::Absent)) => UserError::of(
            "This vote is not open yet. The team votes before the debate starts, and again after the synthesis.",
        ),
        cast => applied(cast),
    }
}
