//! The trees: six members at once, each over all sections at once, and each branch as soon as its own claim is there.
//! Nobody waits for anybody else's: a slow section keeps neither its neighbours nor the other members.

use futures::{FutureExt, future::BoxFuture};
use serde::{Deserialize, Serialize};

use super::{
    branching::branches,
    council::{Council, TREES, step_of},
};
use crate::{
    prompt::{
        critique::{ACROSS, Branch},
        reply::critique::{Grown, Reading},
    },
    render::critique::trees_card,
    steps::{Answered, Failure, Question, Stop, Try},
};
use domain::{
    Claim, ContextNote, Countable, Ended, ModelName, Philosopher, Piece, Prompt, Reply, Seat, SectionId,
    Span, StepKey, Tree,
};

/// A member that read nothing, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lost {
    pub(super) member: Philosopher,
    /// Why, as a sentence without its full stop.
    pub(super) why: String,
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

/// Has every member grow its tree, all at once, onto one message; the trees, and who has none. Fails where nobody could read.
pub(super) async fn grow(council: &Council<'_>) -> Result<(Vec<Tree>, Vec<Philosopher>), Stop> {
    let steps = council.steps;
    let notes = &steps.notes("critique/notes").await?[..];
    let reads = |(member, seat)| async move {
        Ok((member, Reader { council, member, seat, failed: 0, notes }.tree().await?))
    };
    let (mut trees, mut lost) = (Vec::new(), Vec::new());
    for (member, outcome) in steps.all(council.members().map(reads)).await? {
        match outcome {
            Ok(tree) => trees.push(tree),
            Err(failure) => lost.push(Lost { member, why: failure.sentence().to_owned() }),
        }
    }
    // Only once somebody has read: where nobody has, the session fails and all of them may be asked again.
    if trees.is_empty() {
        let why = "None of the six critics could read the document, so there is nothing to go on with.";
        return Err(Stop::Fail(why.to_owned()));
    }
    for gone in &lost {
        let key = step_of(TREES, gone.member).child("missing");
        let card = trees_card(steps.session(), &[], &[(gone.member, gone.why.clone())], council.sections());
        steps.onto(TREES.into()).keep_onto(&key, gone, card).await?;
        steps.note_degraded(key, [Piece::Tree(gone.member).missing(Some(&gone.why))]).await?;
    }
    let missing = lost.into_iter().map(|gone| gone.member).collect();
    across(council, &mut trees, notes).await?;
    Ok((trees, missing))
}

/// Has one member compare what the sections of a long text state; what it finds are claims of its own.
async fn across(council: &Council<'_>, trees: &mut [Tree], notes: &[ContextNote]) -> Result<(), Stop> {
    let seat = council.members().find(|(member, _)| *member == ACROSS);
    let Some(tree) = trees.iter_mut().find(|tree| tree.member == ACROSS) else { return Ok(()) };
    let (Some((member, seat)), false) = (seat, tree.stated.is_empty()) else { return Ok(()) };
    let (steps, key) = (council.steps, across_key());
    let reader = Reader { council, member, seat, failed: 0, notes };
    let document = council.brief.document.whole();
    let branch = Branch { section: SectionId(1), segments: vec![document], parent: None, first: tree.next() };
    let prompt = council.desk(notes).across(member, &tree.stated);
    let became = match reader.ask(key.child("said"), prompt, &branch).await? {
        Ok(Answered { value, stand_in }) => {
            let card = trees_card(steps.session(), std::slice::from_ref(tree), &[], council.sections());
            steps.onto(TREES.into()).keep_onto(&key, &value.claims, card).await?;
            tree.claims.extend(value.claims);
            Piece::Across.stood_in(stand_in.as_ref())
        }
        Err(failure) => Some(Piece::Across.missing(Some(failure.sentence()))),
    };
    steps.note_degraded(key, became).await
}

/// The step of what was found across the sections.
pub(super) fn across_key() -> StepKey {
    step_of(TREES, ACROSS).child("across")
}

impl<'a> Reader<'a> {
    /// The member's whole tree; a failure where it could read no section at all.
    async fn tree(self) -> Result<Result<Tree, Failure>, Stop> {
        let steps = self.council.steps;
        let key = step_of(TREES, self.member);
        let tree = match steps.kept(key.clone()).await? {
            Some(kept) => kept,
            None => match self.grow().await? {
                Ok(tree) => {
                    let trees = std::slice::from_ref(&tree);
                    let card = trees_card(steps.session(), trees, &[], self.council.sections());
                    steps.onto(TREES.into()).keep_onto(&key, &tree, card).await?;
                    tree
                }
                Err(failure) => return Ok(Err(failure)),
            },
        };
        let stood_in = tree.stand_ins.iter();
        let stood_in = stood_in.filter_map(|model| Piece::Tree(self.member).stood_in(Some(model)));
        let failed = Countable::FailedBranches.counted(tree.failed_branches);
        let given_up = Countable::BranchesWithoutCalls.counted(tree.given_up);
        steps.note_degraded(key, stood_in.chain(failed).chain(given_up)).await?;
        Ok(Ok(tree))
    }

    async fn grow(self) -> Result<Result<Tree, Failure>, Stop> {
        let read = &self.council.plan().read;
        let outcomes = self.council.steps.all(read.iter().map(|section| self.section(*section))).await?;
        let (mut tree, mut failures) = (Tree::new(self.member), Vec::new());
        for (section, outcome) in read.iter().zip(outcomes) {
            match outcome {
                Ok(part) => take_in(&mut tree, part, *section, read.len() > 1),
                Err(failure) => {
                    tree.failed.push(*section);
                    failures.push(failure);
                }
            }
        }
        let nothing = tree.failed.len() == read.len();
        Ok(failures.into_iter().next().filter(|_| nothing).map_or(Ok(tree), Err))
    }

    /// What is grown over a section, as a tree of its own whose claims are numbered from 1.
    async fn section(self, section: SectionId) -> Result<Result<Tree, Failure>, Stop> {
        let of = self.council.sections().iter().find(|known| known.id == section);
        let segment = of.map_or(Span { start: 0, end: 0 }, |section| section.span);
        let branch = Branch { section, segments: vec![segment], parent: None, first: 1 };
        let prompt = self.council.desk(self.notes).look(self.member, &branch);
        Ok(match self.ask(self.key(&branch), prompt, &branch).await? {
            Ok(answered) => Ok(self.looked_into(answered).await?.1),
            Err(failure) => Err(failure),
        })
    }

    /// What a look gave, and a tree of its claims with what was found by looking into each of them.
    async fn looked_into(self, answered: Answered<Grown>) -> Result<(Grown, Tree), Stop> {
        let Answered { value: mut grown, stand_in } = answered;
        let below = Self { failed: self.failed + place_of(stand_in.as_ref(), &self.seat()), ..self };
        let mut tree = Tree {
            holds_up: std::mem::take(&mut grown.holds_up),
            stated: std::mem::take(&mut grown.stated),
            answered_by: vec![grown.answered_by.clone()],
            stand_ins: stand_in.into_iter().collect(),
            ..Tree::new(self.member)
        };
        let claims = std::mem::take(&mut grown.claims);
        let fates = branches(&self.council.brief.document, &claims, self.council.plan());
        let looked = claims.into_iter().zip(fates).map(|(claim, fate)| below.below(claim, fate));
        for (claim, made) in self.council.steps.all(looked).await? {
            tree.claims.push(claim);
            add_made(&mut tree, made);
        }
        Ok((grown, tree))
    }

    /// A claim with what was found by looking into it, which adjusts it, or with why nobody did; and a tree that says by whom it
    /// was made and what failed.
    fn below(
        self,
        mut claim: Claim,
        fate: Result<Vec<Span>, Ended>,
    ) -> BoxFuture<'a, Result<(Claim, Tree), Stop>> {
        async move {
            let nothing = Tree::new(self.member);
            let segments = match fate {
                Ok(segments) => segments,
                Err(ended) => return Ok((Claim { ended: Some(ended), ..claim }, nothing)),
            };
            let branch = Branch { section: claim.section, segments, parent: Some(&claim), first: 1 };
            let key = self.key(&branch);
            if !self.may_grow(&key).await? {
                return Ok((Claim { ended: Some(Ended::Budget), ..claim }, Tree { given_up: 1, ..nothing }));
            }
            let prompt = self.council.desk(self.notes).closer(self.member, &branch);
            let Ok(answered) = self.ask(key, prompt, &branch).await? else {
                claim.ended = Some(Ended::Failed);
                return Ok((claim, Tree { failed_branches: 1, ..nothing }));
            };
            let (grown, mut below) = self.looked_into(answered).await?;
            let found = std::mem::take(&mut below.claims);
            claim.ended = None;
            claim.looked_into(grown.effect, &grown.why, grown.restated.as_deref(), found);
            Ok((claim, below))
        }
        .boxed()
    }

    /// Asks for claims about a branch.
    async fn ask(
        self,
        key: StepKey,
        prompt: Prompt,
        branch: &Branch<'_>,
    ) -> Result<Result<Answered<Grown>, Failure>, Stop> {
        let closer = branch.parent.is_some();
        let who = if closer { format!("{} (deeper)", self.member) } else { self.member.to_string() };
        let level = branch.parent.map_or(1, |claim| claim.id.path.len() + 1);
        let desk = self.council.desk(self.notes);
        let asked = desk.asked_of_claims(self.member, level);
        let read = |reply: &Reply, attempt| {
            let reading = Reading {
                document: &self.council.brief.document,
                member: self.member,
                branch,
                asked: &asked,
                first: attempt == Try::First,
                answered_by: &reply.answered,
            };
            if closer { reading.closer(&reply.text) } else { reading.look(&reply.text) }
        };
        let seat = self.seat();
        self.council.steps.ask_seat(&seat, Question { key, who, prompt }, read, |_, _, _| Vec::new()).await
    }

    /// Whether there are calls for a branch that was planned. Answers that had to be asked for again may have used up what
    /// was kept for them; then branches end before what comes after the trees does.
    async fn may_grow(self, key: &StepKey) -> Result<bool, Stop> {
        let plan = self.council.plan();
        let afterwards = plan.stages.iter().skip(usize::from(plan.depth.levels())).sum();
        self.council.steps.may_ask(key, afterwards).await
    }

    /// The models that are asked, without those that failed above: whatever it was, most of it would fail again, and
    /// every try is paid for from what others were to have.
    fn seat(self) -> Seat {
        let mut models =
            [&self.seat.model].into_iter().chain(&self.seat.fallbacks).skip(self.failed).cloned();
        let model = models.next().unwrap_or_else(|| self.seat.model.clone());
        Seat { model, fallbacks: models.collect() }
    }

    /// `critique/popper/2` for a section, `critique/popper/2/4-1` for what is looked into for the first child of claim 4 of it.
    fn key(&self, branch: &Branch<'_>) -> StepKey {
        let key = step_of(TREES, self.member).child(branch.section.0);
        branch.parent.map_or(key.clone(), |claim| key.child(claim.id.number()))
    }
}

/// Takes in what was grown over a section; its claims get the numbers after those that are there.
fn take_in(tree: &mut Tree, mut part: Tree, section: SectionId, several: bool) {
    let before = tree.next() - 1;
    for claim in &mut part.claims {
        renumber(claim, before);
    }
    let stated = std::mem::take(&mut part.stated).into_iter();
    tree.stated.extend(stated.filter(|_| several).map(|line| format!("{section} {line}")));
    tree.claims.append(&mut part.claims);
    tree.holds_up.append(&mut part.holds_up);
    add_made(tree, part);
}

fn renumber(claim: &mut Claim, before: u16) {
    if let Some(first) = claim.id.path.first_mut() {
        *first = first.saturating_add(before);
    }
    for child in &mut claim.children {
        renumber(child, before);
    }
}

/// Adds by whom something was made and what of it failed.
fn add_made(tree: &mut Tree, made: Tree) {
    tree.answered_by.extend(made.answered_by);
    tree.stand_ins.extend(made.stand_ins);
    keep_first(&mut tree.answered_by);
    keep_first(&mut tree.stand_ins);
    tree.failed_branches += made.failed_branches;
    tree.given_up += made.given_up;
}

/// Each once, in the order in which they came.
fn keep_first<T: PartialEq + Clone>(list: &mut Vec<T>) {
    let mut kept: Vec<T> = Vec::new();
    for item in list.drain(..) {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    *list = kept;
}

/// How many of a seat's models failed before the one that stood in.
fn place_of(stand_in: Option<&ModelName>, seat: &Seat) -> usize {
    let place = |model: &ModelName| seat.fallbacks.iter().position(|fallback| fallback == model);
    stand_in.and_then(place).map_or(0, |place| place + 1)
}
