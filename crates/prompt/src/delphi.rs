//! The requests of a session of /delphi: the number asked for plainly, an estimate in a round, and what the estimators part on.

use forms::Asked;
use minijinja::{Value, context};
use serde_json::json;

use super::{Prompts, RULES, fence, followup::Part, quote, schema, shuffled};
use domain::{
    ContextNote, DelphiBrief, Estimated, Estimates, NumberAsked, Outlook, Pooled, Prompt, ROUNDS,
    SaidEstimate, figures,
};

const MATERIAL: &str = "delphi/material.md";

/// What everybody has before them beside the question.
#[derive(Clone, Copy, Debug)]
pub struct Desk<'a> {
    /// The prompts that the session was started with.
    pub prompts: &'a Prompts,
    /// What it was asked.
    pub brief: &'a DelphiBrief,
    /// What the team added.
    pub notes: &'a [ContextNote],
}

impl Desk<'_> {
    fn form<T: forms::Form>(&self, file: &str, task: Value, asked: &Asked) -> Prompt {
        let document = self.brief.document.as_ref();
        let material = context! {
            problem => fence("problem", self.brief.problem.as_str()),
            document => document.map(|document| fence("document", &document.text)),
            document_name => document.map(|document| quote::plain_name(&document.name)),
            language => self.brief.language,
            today => self.brief.today,
        };
        let task = context! { notes => quote::notes_text(self.notes), ..task };
        self.prompts.form::<T>(&[RULES, MATERIAL, file], (&material, &task), asked, asked.effort)
    }

    /// The number asked for plainly. The reply is a [`NumberAsked`].
    #[must_use]
    pub fn number(&self) -> Prompt {
        let unit = self.brief.unit.as_ref().map(|unit| fence("unit", unit));
        self.form::<NumberAsked>("delphi/number.md", context! { unit }, &Asked::at(self.brief.effort))
    }

    /// An estimate in a round. From the second round on an estimator reads its `own` last word and those of the others, in an
    /// order of its own by this number. The reply is a [`SaidEstimate`].
    #[must_use]
    pub fn estimate(&self, so_far: &Estimates, (round, own): (u8, Option<&Estimated>), order: u64) -> Prompt {
        let asked = Asked::at(self.brief.effort).when("again", own.is_some()).when("alone", own.is_none());
        let mut others = so_far.last();
        let outside = own.zip(Pooled::of(&others)).is_some_and(|(own, Pooled { middles, .. })| {
            !(middles[1]..=middles[3]).contains(&own.numbers[1])
        });
        others.retain(|one| own.is_some_and(|own| own.estimator != one.estimator));
        let order = shuffled(others.len(), order);
        let task = context! {
            round,
            of => ROUNDS,
            asked => asked_text(so_far),
            own => own.map(|own| said_text("own", own)),
            others => order.iter().map(|at| said_text("estimate", &others[*at])).collect::<Vec<_>>(),
            pooled => pooled_text(so_far),
            outside,
        };
        let mut prompt = self.form::<SaidEstimate>("delphi/estimate.md", task, &asked);
        // Forms know whole numbers only.
        for number in ["low", "middle", "high"] {
            let at = format!("/properties/{number}");
            prompt.schema.iter_mut().for_each(|schema| schema::set(schema, &at, "type", json!("number")));
        }
        prompt
    }

    /// What the estimators part on. The reply is an [`Outlook`].
    #[must_use]
    pub fn outlook(&self, so_far: &Estimates) -> Prompt {
        let estimates: Vec<_> = so_far.last().iter().map(|one| said_text("estimate", one)).collect();
        let (asked, pooled) = (asked_text(so_far), pooled_text(so_far));
        let task = context! { asked, estimates, pooled };
        self.form::<Outlook>("delphi/answer.md", task, &Asked::at(self.brief.effort))
    }
}

fn asked_text(so_far: &Estimates) -> String {
    let NumberAsked { question, unit, counts } = &so_far.number;
    fence("number", &format!("{question}\nUnit: {unit}\nWhat counts: {counts}"))
}

/// An estimate without its author.
fn said_text(name: &str, one: &Estimated) -> String {
    let said = forms::whole(&one.said);
    fence(name, &format!("10 % · 50 % · 90 %: {}\n\n{said}", figures(one.numbers)))
}

/// What the panel comes to, in figures; nothing where nobody has said anything.
fn pooled_text(so_far: &Estimates) -> Option<String> {
    Pooled::of(&so_far.last()).map(|pooled| fence("panel", &pooled.told(&so_far.number.unit)))
}

/// What a session holds for questions about it.
#[must_use]
pub fn parts(so_far: &Estimates) -> Vec<Part> {
    let name = |one: &Estimated| format!("{}, round {}", one.title(), one.round);
    let estimates = so_far.all.iter().map(|one| Part::new(name(one), said_text("estimate", one)));
    let pooled = pooled_text(so_far).map(|pooled| Part::new("pooled numbers", pooled));
    let answer = |said| Part::new("answer", fence("answer", &forms::whole(said)));
    let number = std::iter::once(Part::new("number", asked_text(so_far)));
    number.chain(estimates).chain(pooled).chain(so_far.outlook.as_ref().map(answer)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::sample::{self, delphi::*};

    #[test]
    fn what_estimators_are_asked() {
        let prompts = Prompts::embedded();
        let brief = DelphiBrief { document: Some(sample::survey()), ..brief(5) };
        let notes = sample::notes();
        let desk = Desk { prompts: &prompts, brief: &brief, notes: &notes };
        let first = desk.estimate(&estimates(0), (1, None), 7);
        let again = desk.estimate(&estimates(1), (2, estimates(1).all.get(4)), 7);
        assert_eq!((&first.rules, &first.shared), (&again.rules, &again.shared), "one beginning for all");
        let outlook = desk.outlook(&estimates(3));
        let all = [&first.shared, &desk.number().task, &first.task, &again.task, &outlook.task];
        insta::assert_snapshot!("delphi", all.map(String::as_str).join("\n\n=====\n\n"));
        let schema = again.schema.unwrap().json;
        assert!(forms::schema::violations(&schema, "estimate").is_empty());
        for number in ["low", "middle", "high"] {
            assert_eq!(schema["properties"][number]["type"], "number");
        }
        let fields = |schema: &serde_json::Value| schema["properties"].as_object().unwrap().len();
        assert_eq!((fields(&first.schema.unwrap().json), fields(&schema)), (6, 6));
    }

    #[test]
    fn each_reads_the_others_unsigned_in_an_order_of_its_own() {
        let (prompts, brief, before) = (Prompts::embedded(), brief(5), estimates(1));
        let desk = Desk { prompts: &prompts, brief: &brief, notes: &[] };
        let mut orders = BTreeSet::new();
        for own in &before.all {
            let task = desk.estimate(&before, (2, Some(own)), own.estimator.into()).task;
            assert!(!task.contains("Estimator ") && !task.contains("estimator-"), "{task}");
            let own_reason = format!("Moves of {} tables", 40 + own.estimator);
            assert_eq!(task.matches(&own_reason).count(), 1, "nobody reads itself twice");
            let at = |who: u8| task.find(&format!("Moves of {} tables", 40 + who)).unwrap();
            assert!(at(own.estimator) < task.find("What the others said").unwrap(), "its own comes first");
            let mut others: Vec<u8> = (1..=5).filter(|other| *other != own.estimator).collect();
            others.sort_by_key(|other| at(*other));
            // As places among the others, for each leaves out another one.
            orders.insert(
                others.iter().map(|other| other - u8::from(*other > own.estimator)).collect::<Vec<_>>(),
            );
            assert_eq!(task.contains("Your middle lies outside"), [1, 5].contains(&own.estimator));
        }
        assert!(orders.len() > 1, "the orders differ");
    }

    #[test]
    fn forms_say_how_long_everything_may_be() {
        let shapes = [
            forms::Shape::of::<NumberAsked>(),
            forms::Shape::of::<SaidEstimate>(),
            forms::Shape::of::<Outlook>(),
        ];
        let faults: Vec<String> = shapes.iter().flat_map(|shape| shape.faults()).collect();
        // The three numbers, which are no words.
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(
            ["low", "middle", "high"].iter().zip(&faults).all(|(number, fault)| fault.contains(number)),
            "{faults:?}"
        );
    }
}
