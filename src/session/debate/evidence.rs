//! Evidence for the advocates: each acknowledges it in its next turn.

use super::{Sessions, fits, is_debate, told};
use crate::{
    error::UserError,
    render,
    session::Actor,
    steps::thread_posts,
    store::{NewPost, SessionRow, StoreError, TOO_LATE},
};
use domain::{Act, Evidence, Modal, SessionId, Side, Slot, StepKey, readable};

/// Longest claim, in characters.
const CLAIM: usize = 1_000;
/// The step in which evidence for the advocates is taken in for the last time: the moderator's.
const LAST: &str = "synthesis/evidence";
/// Longest source, in characters.
const SOURCE: usize = 300;

impl Sessions {
    /// The form behind *Add evidence*, if evidence could be taken.
    pub fn evidence_form(&self, row: &SessionRow) -> anyhow::Result<Modal> {
        only_debates(row)?;
        if row.state.is_final() {
            return over(row.state.as_str());
        }
        Ok(render::debate::evidence_form(&row.id, None))
    }

    /// Takes a piece of evidence for the advocates; its card is posted in the thread.
    pub async fn add_evidence(
        &self,
        row: &SessionRow,
        actor: &Actor,
        claim: &str,
        source: &str,
    ) -> anyhow::Result<String> {
        let store = &self.0.world.store;
        if let Some(said) = store.applied(actor.interaction.0).await? {
            return Ok(said);
        }
        only_debates(row)?;
        if row.state.is_final() {
            return over(row.state.as_str());
        }
        let evidence = read((actor, self.now_ms()), None, claim, source)?;
        let takes_it_up = self.takes_it_up(row).await?;
        let say = |number: u32| format!("Noted as E{number}. {takes_it_up}");
        self.note_evidence(row, actor, evidence, (takes_it_up.as_str(), say)).await
    }

    /// Writes a piece of evidence down, with its card, which says who takes it up; `say` makes the sentence of its number.
    pub(super) async fn note_evidence(
        &self,
        row: &SessionRow,
        actor: &Actor,
        evidence: Evidence,
        (taken_up, say): (&str, impl Fn(u32) -> String),
    ) -> anyhow::Result<String> {
        let write = |evidence: &Evidence| {
            (say(evidence.number), card(&row.id, actor.interaction.0, evidence, taken_up))
        };
        // What is said holds the number, so the store makes it.
        let event = actor.event("evidence", &row.id, "");
        let store = &self.0.world.store;
        match store.add_evidence(&row.id, event, (evidence, LAST), write, self.now_ms()).await {
            Ok(said) => {
                self.0.outbox.kick(&row.id);
                Ok(said)
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(StoreError::NotRunning(state)) => over(&state),
            Err(other) => Err(told(other)),
        }
    }

    /// Who takes evidence up that is brought now, as a sentence.
    async fn takes_it_up(&self, row: &SessionRow) -> anyhow::Result<String> {
        let mut spoken = Vec::new();
        for side in [Side::Con, Side::Pro] {
            // What a turn takes up is settled when it begins.
            let began = Slot::new(Act::Closing, side).step().child("evidence");
            let step = self.0.world.store.step(&row.id, &began).await?;
            spoken.extend(step.map(|_| side));
        }
        Ok(match spoken[..] {
            [] => "Pro and Con each take it up in their next turn: they use it, or say why it does not apply.".to_owned(),
            [one] => format!(
                "{} takes it up in its last turn; {} has had its last. The moderator reads it, and the open questions below its synthesis can be looked at again with it.",
                one.other().name(),
                one.name()
            ),
            _ => "Pro and Con have had their last turns. The moderator reads it, and the open questions below its synthesis can be looked at again with it.".to_owned(),
        })
    }
}

/// What was written in the form as evidence, now; its number comes with being written down.
pub(super) fn read(
    (actor, now_ms): (&Actor, i64),
    hinge: Option<u8>,
    claim: &str,
    source: &str,
) -> anyhow::Result<Evidence> {
    let (claim, source) = (readable(claim), readable(source));
    if claim.is_empty() {
        return UserError::of(
            "Evidence needs a claim: say in a sentence or two what is so. The source is where it is from. Nothing was added.",
        );
    }
    fits("claim", &claim, CLAIM)?;
    fits("source", &source, SOURCE)?;
    Ok(Evidence {
        number: 0,
        author: actor.user,
        author_name: actor.name.clone(),
        claim,
        source,
        hinge,
        at: now_ms / 1000,
    })
}

pub(super) fn only_debates(row: &SessionRow) -> anyhow::Result<()> {
    if is_debate(row) {
        return Ok(());
    }
    UserError::of(
        "Only a debate takes evidence. Here, press **Add context** on the status card: it is read from the next step on.",
    )
}

fn over<T>(state: &str) -> anyhow::Result<T> {
    if state == "failed" {
        return UserError::of(
            "This debate could not go on, so nobody takes evidence up now. **Try again**, on its card, asks once more for what failed; bring it after that.",
        );
    }
    if state == TOO_LATE {
        return UserError::of(
            "Pro and Con have had their last turns, and the moderator is summing up. As soon as the card **Open questions** is in the thread, choose there under **Bring evidence on…** what it is about.",
        );
    }
    UserError::of(
        "This debate is over, so Pro and Con have no more turns. On the card **Open questions** in the thread, choose under **Bring evidence on…** what it is about; or ask about it with `/ask`.",
    )
}

fn card(session: &SessionId, id: u64, evidence: &Evidence, taken_up: &str) -> Vec<NewPost> {
    let key = StepKey::new(format!("evidence/{id}"));
    thread_posts(session, &key, None, vec![render::debate::evidence_card(session, evidence, taken_up)])
}
