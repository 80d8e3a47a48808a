//! The trees: six members at once, each over all sections at once, and each branch as soon as its own claim is there.
//! Nobody waits for anybody else's: a slow section keeps neither its neighbours nor the other members.

use futures::{FutureExt, future::BoxFuture};
use serde::{Deserialize, Serialize};

use super::{
    branching::{adjusted_by, branches},
    council::Council,
};
use crate::{
    prompt::{
        self,
        critique::{Branch, claims_at_first, claims_below, most_at_first},
        reply::critique::SegmentReply,
    },
    render,
    steps::{Answered, Failure, Question, Stop},
};
use domain::{
    Claim, ContextNote, Countable, Ended, ModelName, Philosopher, Piece, Seat, SectionId, Span, StepKey, Tree,
};

/// What came of the first phase.
#[derive(Default)]
pub(super) struct Critiques {
    /// The trees, in the order of the council.
    pub(super) trees: Vec<Tree>,
    /// Who read nothing because no model answered, and why, as a sentence without its full stop.
    pub(super) missing: Vec<(Philosopher, &'static str)>,
}

/// A tree as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptTree {
    #[serde(flatten)]
    tree: Tree,
    /// The models that stood in for the member's own, each once.
    stand_ins: Vec<ModelName>,
    /// Branches for which no calls were left.
    given_up: u32,
}

/// A member that reads.
#[derive(Clone, Copy)]
struct Reader<'a> {
    council: &'a Council<'a>,
    member: Philosopher,
    seat: &'a Seat,
    /// How many of the seat's models failed above this branch and are not asked in it again.
    failed: usize,
    notes: &'a [ContextNote],
}

/// What was grown from one segment, down to the leaves.
struct Growth {
    claims: Vec<Claim>,
    /// What it says of the claim that it was grown for.
    parent_delta: f64,
    made: Made,
}

/// By whom something was grown, and what of it failed.
#[derive(Default)]
struct Made {
    answered_by: Vec<String>,
    stand_ins: Vec<ModelName>,
    failed_branches: u32,
    given_up: u32,
}

impl Made {
    fn add(&mut self, other: Self) {
        for name in other.answered_by {
            if !self.answered_by.contains(&name) {
                self.answered_by.push(name);
            }
        }
        for model in other.stand_ins {
            if !self.stand_ins.contains(&model) {
                self.stand_ins.push(model);
            }
        }
        self.failed_branches += other.failed_branches;
        self.given_up += other.given_up;
    }
}

/// Has every member grow its tree, all at once; each tree's card goes out when that tree is whole.
pub(super) async fn grow(council: &Council<'_>, notes: &[ContextNote]) -> Result<Critiques, Stop> {
    let reads = |(member, seat)| async move {
        Ok((member, Reader { council, member, seat, failed: 0, notes }.tree().await?))
    };
    let mut critiques = Critiques::default();
    for (member, outcome) in council.steps.all(council.members().map(reads)).await? {
        match outcome {
            Ok(tree) => critiques.trees.push(tree),
            Err(failure) => critiques.missing.push((member, failure.sentence())),
        }
    }
    // Only once somebody has read: where nobody has, the session fails and all of them may be asked again.
    if !critiques.trees.is_empty() {
        for (member, why) in &critiques.missing {
            let key = StepKey::new(format!("critique/{}/missing", member.as_str()));
            council.steps.post(key.clone(), render::critique::missing_card(*member, why)).await?;
            council.steps.note_degraded(key, [Piece::Tree(*member).missing(Some(why))]).await?;
        }
    }
    Ok(critiques)
}

impl<'a> Reader<'a> {
    /// The member's whole tree; a failure where it could read no section at all.
    async fn tree(self) -> Result<Result<Tree, Failure>, Stop> {
        let steps = self.council.steps;
        let key = StepKey::new(format!("critique/{}", self.member.as_str()));
        let KeptTree { tree, stand_ins, given_up } = match steps.kept(key.clone()).await? {
            Some(kept) => kept,
            None => match self.grow(&key).await? {
                Ok(grown) => grown,
                Err(failure) => return Ok(Err(failure)),
            },
        };
        let stood_in = stand_ins.iter().filter_map(|model| Piece::Tree(self.member).stood_in(Some(model)));
        let failed = Countable::FailedBranches.counted(tree.failed_branches);
        let given_up = Countable::BranchesWithoutCalls.counted(given_up);
        steps.note_degraded(key, stood_in.chain(failed).chain(given_up)).await?;
        Ok(Ok(tree))
    }

    async fn grow(self, key: &StepKey) -> Result<Result<KeptTree, Failure>, Stop> {
        let Council { steps, brief, .. } = *self.council;
        let read = &self.council.plan().read;
        let sections = read.iter().zip(0_u16..).map(|(section, place)| self.section(*section, place));
        let outcomes = steps.all(sections).await?;

        let mut tree = Tree {
            member: self.member,
            claims: Vec::new(),
            failed: Vec::new(),
            failed_branches: 0,
            answered_by: Vec::new(),
        };
        let (mut made, mut failures) = (Made::default(), Vec::new());
        for (section, outcome) in read.iter().zip(outcomes) {
            match outcome {
                Ok(growth) => {
                    tree.claims.extend(growth.claims);
                    made.add(growth.made);
                }
                Err(failure) => {
                    tree.failed.push(*section);
                    failures.push(failure);
                }
            }
        }
        if tree.failed.len() == read.len()
            && let Some(failure) = failures.into_iter().next()
        {
            return Ok(Err(failure));
        }
        let Made { answered_by, stand_ins, failed_branches, given_up } = made;
        let tree = Tree { failed_branches, answered_by, ..tree };
        let sections = self.council.sections();
        let cards =
            render::critique::tree_card(steps.session(), key, &tree, &brief.document, sections, &stand_ins);
        Ok(Ok(steps.keep(key.clone(), &KeptTree { tree, stand_ins, given_up }, cards).await?))
    }

    /// What is grown over a section, the one at this place among those that are read.
    async fn section(self, section: SectionId, place: u16) -> Result<Result<Growth, Failure>, Stop> {
        let of = self.council.sections().iter().find(|known| known.id == section);
        let segment = of.map_or(Span { start: 0, end: 0 }, |section| section.span);
        let effort = self.council.brief.effort;
        let apart = u16::try_from(most_at_first(effort)).unwrap_or(u16::MAX);
        let most = claims_at_first(effort, segment.end - segment.start);
        self.segment(Branch { section, segment, parent: None, first: place * apart + 1, most }).await
    }

    /// The claims about a segment, and what is grown from each of them as soon as they are there.
    async fn segment(self, branch: Branch<'_>) -> Result<Result<Growth, Failure>, Stop> {
        let Council { steps, brief, .. } = *self.council;
        let question = Question {
            key: self.key(&branch),
            who: if branch.parent.is_some() {
                format!("{} (deeper)", self.member)
            } else {
                self.member.to_string()
            },
            prompt: prompt::critique::assess(
                steps.prompts(),
                self.council.document_plan(),
                self.member,
                &branch,
                self.notes,
            ),
        };
        let seat = self.seat();
        let grown = steps.ask_seat(
            &seat,
            question,
            |reply, _| {
                let said = prompt::parse::<SegmentReply>(&reply.text)?;
                said.into_grown(&brief.document, self.member, &branch, &reply.answered)
            },
            |_, _, _| Vec::new(),
        );
        let Answered { value: grown, stand_in } = match grown.await? {
            Ok(answered) => answered,
            Err(failure) => return Ok(Err(failure)),
        };
        let below = Self { failed: self.failed + place_of(stand_in.as_ref(), &seat), ..self };
        let mut made = Made {
            answered_by: vec![grown.answered_by],
            stand_ins: stand_in.into_iter().collect(),
            ..Made::default()
        };
        let fates = branches(&brief.document, &grown.claims, self.council.plan());
        let looked = grown.claims.into_iter().zip(fates).map(|(claim, fate)| below.below(claim, fate));
        let mut claims = Vec::new();
        for (claim, below) in steps.all(looked).await? {
            claims.push(claim);
            made.add(below);
        }
        Ok(Ok(Growth { claims, parent_delta: grown.parent_delta, made }))
    }

    /// A claim with what was found by looking into it, which adjusts it, or with why nobody did.
    fn below(
        self,
        mut claim: Claim,
        fate: Result<Span, Ended>,
    ) -> BoxFuture<'a, Result<(Claim, Made), Stop>> {
        async move {
            let segment = match fate {
                Ok(segment) => segment,
                Err(ended) => return Ok((Claim { ended: Some(ended), ..claim }, Made::default())),
            };
            let most = claims_below(self.council.brief.effort);
            let branch = Branch { section: claim.section, segment, parent: Some(&claim), first: 1, most };
            if !self.may_grow(&branch).await? {
                let made = Made { given_up: 1, ..Made::default() };
                return Ok((Claim { ended: Some(Ended::Budget), ..claim }, made));
            }
            let Ok(Growth { claims, parent_delta, made }) = self.segment(branch).await? else {
                claim.ended = Some(Ended::Failed);
                return Ok((claim, Made { failed_branches: 1, ..Made::default() }));
            };
            claim.confidence = adjusted_by(claim.confidence, parent_delta);
            claim.children = claims;
            Ok((claim, made))
        }
        .boxed()
    }

    /// Whether there are calls for a branch that was planned. Answers that had to be asked for again may have used up what
    /// was kept for them; then branches end before what comes after the trees does.
    async fn may_grow(self, branch: &Branch<'_>) -> Result<bool, Stop> {
        let plan = self.council.plan();
        let afterwards = plan.stages.iter().skip(usize::from(plan.depth.levels())).sum();
        self.council.steps.may_ask(&self.key(branch), afterwards).await
    }

    /// The models that are asked, without those that failed above: whatever it was, most of it would fail again, and
    /// every try is paid for from what others were to have.
    fn seat(self) -> Seat {
        let mut models =
            [&self.seat.model].into_iter().chain(&self.seat.fallbacks).skip(self.failed).cloned();
        let model = models.next().unwrap_or_else(|| self.seat.model.clone());
        Seat { model, fallbacks: models.collect() }
    }

    /// `critique/popper/2` for a section, `critique/popper/2/4-1` for what is looked into for the first child of claim 4.
    fn key(&self, branch: &Branch<'_>) -> StepKey {
        let key = StepKey::new(format!("critique/{}/{}", self.member.as_str(), branch.section.0));
        branch.parent.map_or(key.clone(), |claim| key.child(claim.id.number()))
    }
}

/// How many of a seat's models failed before the one that stood in.
fn place_of(stand_in: Option<&ModelName>, seat: &Seat) -> usize {
    let place = |model: &ModelName| seat.fallbacks.iter().position(|fallback| fallback == model);
    stand_in.and_then(place).map_or(0, |place| place + 1)
}
