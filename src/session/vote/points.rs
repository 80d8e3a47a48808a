//! Giving points: all ten to one solution, or spread in a private panel, by buttons or typed.

use super::{applied, refused};
use crate::{
    error::UserError,
    render,
    session::{Actor, Sessions},
    steps::vote_key,
    store::{SessionRow, VoteRefusal, VoteRow},
};
use domain::{Allocation, Ballot, BallotChoice, Draft, Modal, POINTS_PER_VOTER, Post, SolutionId};

/// What somebody is told whose vote is as it was.
const UNCHANGED: &str = "Nothing was changed: your vote and your private panel are as they were.";

impl Sessions {
    /// Gives all of a member's points to one solution, by its number.
    pub async fn cast_all(&self, row: &SessionRow, actor: &Actor, chosen: &str) -> anyhow::Result<String> {
        let solutions = self.vote(&row.id, &vote_key()).await?.vote.solutions.len();
        let place = chosen.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let Some(place) = place.filter(|place| *place < solutions) else {
            return refused(VoteRefusal::Unknown(solutions));
        };
        let mut points = vec![0; solutions];
        points[place] = POINTS_PER_VOTER;
        self.give(row, actor, Allocation::exact(points, solutions)?).await
    }

    /// Casts what somebody has spread.
    pub async fn cast_draft(&self, row: &SessionRow, actor: &Actor, draft: &Draft) -> anyhow::Result<String> {
        if let Some(said) = self.said_before(actor).await? {
            return Ok(said);
        }
        let vote = self.open_points(&row.id, actor).await?;
        match draft.clone().over(vote.vote.solutions.len()).allocation() {
            Ok(allocation) => self.give(row, actor, allocation).await,
            Err(error) => UserError::of(format!("{error} {UNCHANGED}")),
        }
    }

    /// Casts what somebody has typed.
    pub async fn cast_typed(&self, row: &SessionRow, actor: &Actor, text: &str) -> anyhow::Result<String> {
        if let Some(said) = self.said_before(actor).await? {
            return Ok(said);
        }
        let vote = self.open_points(&row.id, actor).await?;
        let typed = Draft::typed(text, vote.vote.solutions.len()).and_then(|draft| draft.allocation());
        match typed {
            Ok(allocation) => self.give(row, actor, allocation).await,
            Err(error) => UserError::of(format!("{error} {UNCHANGED}")),
        }
    }

    /// What was said to a press that is delivered again: the same is said, also when the vote has closed since.
    async fn said_before(&self, actor: &Actor) -> anyhow::Result<Option<String>> {
        Ok(self.0.world.store.applied(actor.interaction.0).await?)
    }

    async fn give(&self, row: &SessionRow, actor: &Actor, points: Allocation) -> anyhow::Result<String> {
        let given = Draft::of(Some(&points), 0).lines().replace('\n', ", ");
        let said = format!("Your vote counts: {given}. You can change it until the vote closes.");
        applied(self.cast((row, &vote_key()), actor, (BallotChoice::Points(points), 0), said).await)
    }

    /// The private panel on which somebody spreads points: as `draft` has them, or as they voted before.
    pub async fn spread(
        &self,
        row: &SessionRow,
        actor: &Actor,
        draft: Option<Draft>,
    ) -> anyhow::Result<Post> {
        let (vote, draft) = self.drafted(row, actor, draft).await?;
        Ok(render::vote::spread(&row.id, &vote.vote, &draft))
    }

    /// The form in which somebody types points instead.
    pub async fn typed_form(&self, row: &SessionRow, actor: &Actor, draft: Draft) -> anyhow::Result<Modal> {
        let (vote, draft) = self.drafted(row, actor, Some(draft)).await?;
        Ok(render::vote::typed_form(&row.id, &vote.vote, &draft))
    }

    async fn drafted(
        &self,
        row: &SessionRow,
        actor: &Actor,
        draft: Option<Draft>,
    ) -> anyhow::Result<(VoteRow, Draft)> {
        let vote = self.open_points(&row.id, actor).await?;
        let solutions = vote.vote.solutions.len();
        let draft = draft.unwrap_or_else(|| {
            let mine = vote.vote.ballots.iter().find(|ballot| ballot.voter == actor.user);
            // Ready to be changed without another choice.
            Draft::of(mine.and_then(Ballot::points), solutions).pick(SolutionId(1))
        });
        let draft = draft.over(solutions);
        if draft.points.len() > solutions {
            return refused(VoteRefusal::Unknown(solutions));
        }
        Ok((vote, draft))
    }
}
