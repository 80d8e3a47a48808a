//! The request for the review: all that was found, told once by whoever was no member.

use forms::Asked;
use minijinja::context;

use super::{Desk, Labels, OTHER, anonymous::Anonymous, material::Shown};
use crate::{asked_of_drafts, drafts, fence};
use domain::{
    ChosenDraft, Claim, DraftsCheck, FirstAnswer, Grouped, Philosopher, Prompt, SaidReview, SelfCritique,
    Tree,
};

/// The label of the group at this place, from 0: `G1`.
#[must_use]
pub fn group_label(place: usize) -> String {
    format!("G{}", place + 1)
}

impl Desk<'_> {
    /// What whoever writes the review would write if nobody else were asked. The reply is a [`FirstAnswer`].
    #[must_use]
    pub fn first_review(&self) -> Prompt {
        let asked = Asked::at(self.brief.effort);
        let prompt =
            self.request::<FirstAnswer>(&["critique/first_review.md"], Shown::Whole, &context! {}, &asked);
        Prompt { temperature: Some(OTHER), ..prompt }
    }

    /// A reader marks several first reviews, which it reads in this order. The reply is a [`DraftsCheck`].
    #[must_use]
    pub fn choice(&self, drafts: &[FirstAnswer], order: &[usize]) -> Prompt {
        let values = context! {
            drafts => drafts::lettered("", drafts::in_order(drafts, order)),
        };
        let asked = asked_of_drafts(self.brief.effort, drafts.len());
        let prompt = self.request::<DraftsCheck>(
            &["critique/choice.md", drafts::READING],
            Shown::Whole,
            &values,
            &asked,
        );
        Prompt { temperature: Some(OTHER), ..prompt }
    }

    /// Whoever writes the review has the draft with what was objected to it, all groups with all their claims, what members said of themselves, what
    /// holds up and what contradicts. The reply is a [`SaidReview`].
    #[must_use]
    pub fn review(
        &self,
        (grouped, labels): (&Grouped, &Labels),
        (trees, critiques): (&[Tree], &[SelfCritique]),
        missing: &[Philosopher],
        draft: Option<&ChosenDraft>,
    ) -> Prompt {
        let names = Anonymous::new(&self.brief.document.text);
        let told = |quoted, all| -> String {
            let groups = grouped.groups.iter().enumerate();
            let groups = groups.map(|(place, group)| self.group(place, group, labels, &names, (quoted, all)));
            groups.collect::<Vec<_>>().join("\n\n")
        };
        let fits = |text: &String| text.chars().count() <= self.brief.room();
        let shorter = [(true, true), (false, true)].into_iter().map(|(quoted, all)| told(quoted, all));
        let groups = { shorter }.find(fits).unwrap_or_else(|| told(false, false));
        let reflections: Vec<String> =
            critiques.iter().map(|critique| format!("- {}", names.text(&critique.reflection))).collect();
        let holds = trees.iter().flat_map(|tree| &tree.holds_up);
        let holds: Vec<String> =
            holds.map(|holds| format!("- “{}”: {}", holds.evidence.quote, names.text(&holds.why))).collect();
        let opposed: Vec<String> = (grouped.oppositions.iter())
            .map(|one| {
                let (own, other) = (labels.label(&one.own), labels.label(&one.other));
                format!(
                    "- {own} against {other}: {} Settled by: {}",
                    names.text(&one.why),
                    names.text(&one.settles)
                )
            })
            .collect();
        let fenced =
            |name: &str, lines: &[String]| (!lines.is_empty()).then(|| fence(name, &lines.join("\n")));
        let beside = groups.chars().count() + draft.map_or(0, ChosenDraft::chars);
        let values = context! {
            draft => draft.map(|draft| drafts::chosen(draft, "")),
            groups => fence("groups", &groups),
            count => grouped.groups.len(),
            last => group_label(grouped.groups.len().saturating_sub(1)),
            reflections => fenced("reflections", &reflections),
            holds => fenced("holds-up", &holds),
            opposed => fenced("contradictions", &opposed),
            readers => Philosopher::ALL.len() - missing.len(),
            missing => missing.len(),
            unread => self.plan.unread.iter().map(ToString::to_string).collect::<Vec<_>>(),
        };
        let asked = Asked::at(self.brief.effort);
        let shown = self.beside(beside);
        let prompt =
            self.request::<SaidReview>(&["critique/review.md", drafts::DRAFT], shown, &values, &asked);
        Prompt { temperature: Some(OTHER), ..prompt }
    }

    /// A group with its claims, or with its first and how many more there are.
    fn group(
        &self,
        place: usize,
        group: &[Claim],
        labels: &Labels,
        names: &Anonymous,
        (quoted, all): (bool, bool),
    ) -> String {
        let holders = Philosopher::ALL.into_iter();
        let holders = holders.filter(|member| group.iter().any(|claim| claim.id.member == *member)).count();
        let shown = if all { group.len() } else { 1 };
        let teller = self.teller(labels, Some(names));
        let lines = group.iter().take(shown).map(|claim| {
            // What a closer look found is told with its claim; how deep it stands in a tree tells nothing here.
            let looked = claim.changes.iter().filter(|change| change.effect.is_some());
            let looked = looked.map(|change| format!("\n   A closer look: {}", names.text(&change.why)));
            format!("{}{}", teller.line(claim, true, quoted).trim_start(), looked.collect::<String>())
        });
        let more = group.len() - shown.min(group.len());
        let more = (more > 0).then(|| format!("({more} more claims say the same.)"));
        let lines: Vec<String> = lines.chain(more).collect();
        let by = if holders == 1 { "one reader".to_owned() } else { format!("{holders} readers") };
        format!("{}, held by {by}:\n{}", group_label(place), lines.join("\n"))
    }
}
