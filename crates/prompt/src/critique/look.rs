//! What members are asked: to look at a section, to look closer, to look across sections, to look at their own claims.

use minijinja::{Value, context};

use super::{Branch, Desk, Labels, MEMBER, OTHER, anonymous::Anonymous, claims::Teller, material::Shown};
use crate::{fence, shuffled};
use domain::{Philosopher, Prompt, SaidCloser, SaidLook, SaidOfItself, SaidToBeSame, Tree, stayed};
use forms::Asked;

impl Desk<'_> {
    /// A member looks at a section, or at the whole text. The reply is a [`SaidLook`].
    #[must_use]
    pub fn look(&self, member: Philosopher, branch: &Branch<'_>) -> Prompt {
        let number = (self.sections.len() > 1).then_some(branch.section.0);
        let asked = self.asked_of_claims(member, 1);
        let shown = Shown::Section(branch.section);
        self.request_of::<SaidLook>(member, "critique/look.md", shown, &context! { number }, &asked)
    }

    /// A member looks into one of its claims: the claim with its quotations, and the passages. The reply is a
    /// [`SaidCloser`].
    #[must_use]
    pub fn closer(&self, member: Philosopher, branch: &Branch<'_>) -> Prompt {
        let document = &self.brief.document;
        let teller = Teller { labels: None, anonymous: None, document, sections: false };
        let claim = branch.parent.map(|claim| {
            let topic = claim.deeper.as_ref().map_or("", |deeper| &deeper.topic);
            context! {
                text => fence("claim", &teller.list(&[claim], true, true)),
                topic => fence("topic", topic),
            }
        });
        let segments: Vec<String> =
            branch.segments.iter().map(|span| fence("segment", document.part(*span))).collect();
        let level = branch.parent.map_or(1, |claim| claim.id.path.len() + 1);
        let asked = self.asked_of_claims(member, level);
        let values = context! { claim, segments };
        self.request_of::<SaidCloser>(
            member,
            "critique/closer.md",
            Shown::Section(branch.section),
            &values,
            &asked,
        )
    }

    /// A member compares what the sections state. The reply is a [`SaidLook`].
    #[must_use]
    pub fn across(&self, member: Philosopher, stated: &[String]) -> Prompt {
        let values = context! { stated => fence("stated", &stated.join("\n")) };
        let asked = Asked::at(self.brief.effort);
        self.request_of::<SaidLook>(member, "critique/across.md", Shown::Map, &values, &asked)
    }

    /// A member reads its own claims and the others', each list unsigned and in an order of the reader's own, made of `seed`.
    /// The reply is a [`SaidOfItself`].
    #[must_use]
    pub fn self_critique(&self, own: &Tree, trees: &[Tree], labels: &Labels, seed: u64) -> Prompt {
        let others: Vec<&Tree> = trees.iter().filter(|tree| tree.member != own.member).collect();
        let order = shuffled(others.len(), seed).into_iter().filter_map(|at| others.get(at).copied());
        let names = Anonymous::new(&self.brief.document.text);
        let lists: Vec<_> =
            std::iter::once((own.all(), true)).chain(order.map(|tree| (tree.all(), false))).collect();
        let lists: Vec<_> = lists.iter().map(|(claims, sure)| (&claims[..], *sure)).collect();
        let mut told = self.teller(labels, Some(&names)).within(self.brief.room(), &lists);
        let length = told.iter().map(|text| text.chars().count()).sum();
        let peers: Vec<Value> =
            told.split_off(1).iter().map(|text| Value::from(fence("claims", text))).collect();
        let values = context! { own => told.first().map(|text| fence("own", text)), peers };
        let asked = Asked::at(self.brief.effort);
        let prompt = self.request_of::<SaidOfItself>(
            own.member,
            "critique/self_critique.md",
            self.beside(length),
            &values,
            &asked,
        );
        Prompt { temperature: Some(MEMBER), ..prompt }
    }

    /// Whoever compares reads all claims that stay. The reply is a [`SaidToBeSame`].
    #[must_use]
    pub fn compare(&self, trees: &[Tree], labels: &Labels) -> Prompt {
        let names = Anonymous::new(&self.brief.document.text);
        let claims = stayed(trees);
        let told = self.teller(labels, Some(&names)).within(self.brief.room(), &[(&claims, false)]);
        let values = context! { claims => told.first().map(|text| fence("claims", text)) };
        let asked = Asked::at(self.brief.effort);
        let prompt = self.request::<SaidToBeSame>(&["critique/same.md"], Shown::Map, &values, &asked);
        Prompt { temperature: Some(OTHER), ..prompt }
    }

    pub(super) fn teller<'a>(&'a self, labels: &'a Labels, anonymous: Option<&'a Anonymous>) -> Teller<'a> {
        let document = &self.brief.document;
        Teller { labels: Some(labels), anonymous, document, sections: self.sections.len() > 1 }
    }

    /// What fits beside so many characters that were found: the whole text, or its map.
    pub(super) fn beside(&self, others: usize) -> Shown {
        let whole = self.brief.document.text.chars().count();
        if whole + others <= self.brief.room() { Shown::Whole } else { Shown::Map }
    }
}
