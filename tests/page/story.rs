//! What the models of the page's test say: two decisions a team could really have, so that what people see while it
//! runs, and on the pictures it keeps, reads like one.

use serde_json::{Value, json};

use crate::support::{
    model::{Answer, Call},
    play::Part,
};

/// What the mediator recommends to those who want to deliver food, and which modules it has it from.
const DELIVERY: [(&str, &str, [&str; 2]); 3] = [
    (
        "Pilot with twenty restaurants in one district",
        "Eight weeks with four riders. It shows what an order costs before money goes into an app of our own.",
        ["market", "risk"],
    ),
    (
        "Offer pick-up points instead of delivery",
        "Five shops keep the meals warm. No riders and hardly any fixed cost, but people have to leave the house.",
        ["cost", "risk"],
    ),
    (
        "Launch across the whole town at once",
        "Known everywhere from the first day, for the price of a fleet that may stand still in the outer districts.",
        ["market", "cost"],
    ),
];

/// What the notary writes down of the talk about the four-day week, and which experts proposed it.
const WEEK: [(&str, &str, &[&str]); 3] = [
    (
        "Try a four-day week in two groups",
        "Three months; half the team is off on Wednesdays, half on Fridays, so every weekday stays covered.",
        &["expert-1", "expert-3"],
    ),
    (
        "Give everyone the same Friday off",
        "Rest works when nobody is writing. An answering service takes urgent calls.",
        &["expert-2"],
    ),
    (
        "Shorten each day by an hour first",
        "No new contracts and easy to undo, but people keep commuting on five days.",
        &["expert-3"],
    ),
];

/// Who gives what to which solution: in the order of [`DELIVERY`], and for experts of [`WEEK`].
const POINTS: [(&str, [u64; 3]); 6] = [
    ("market", [5, 2, 3]),
    ("cost", [6, 4, 0]),
    ("risk", [7, 3, 0]),
    ("Operations lead", [7, 1, 2]),
    ("Wellbeing adviser", [4, 6, 0]),
    ("Employment lawyer", [5, 0, 5]),
];

/// What an expert says in its two turns.
struct Expert {
    role: &'static str,
    mission: &'static str,
    reasons: [&'static str; 2],
    stance: &'static str,
    summary: &'static str,
    /// Part of another's stance, and what it says to it.
    answers: (&'static str, &'static str),
    last: &'static str,
}

const EXPERTS: [Expert; 3] = [
    Expert {
        role: "Operations lead",
        mission: "Looks at the week as customers live it: who answers on which day, what moves, what is dropped.",
        reasons: [
            "Customers write on every weekday; one free day for all leaves a fifth of the week without an answer.",
            "Two groups with different free days keep six people at work on every weekday.",
        ],
        stance: "**Try a four-day week for three months in two groups.** Half the team is off on Wednesdays, half on \
                 Fridays, so every weekday stays covered. Agree beforehand on two numbers: the time to a first \
                 answer, and the work finished in a week. If either gets worse by more than a tenth, go back.",
        summary: "Try a four-day week for three months in two groups, so that every weekday stays covered.",
        answers: (
            "same Friday",
            "is right that rest needs quiet, but an empty Friday costs us the customers who write then.",
        ),
        last: "I stay with two groups, and agree that nobody may be written to on a free day.",
    },
    Expert {
        role: "Wellbeing adviser",
        mission: "Looks at rest, workload and fairness: who gains, who squeezes five days into four, who is left out.",
        reasons: [
            "Free days on which colleagues write are no rest; that is why staggered models lose support within months.",
            "The four part-time colleagues gain nothing unless their hours or pay change as well.",
        ],
        stance: "**Give everyone the same Friday off, as a trial of three months.** Rest works when nobody is \
                 writing. An answering service can take the urgent calls. Raise the pay of part-time colleagues by \
                 the same share, or it is unfair to them.",
        summary: "Give everyone the same Friday off, because rest works when nobody is writing.",
        answers: (
            "in two groups",
            "keeps every weekday covered, but half the team would be written to on its free day.",
        ),
        last: "I still want one day for all, and would accept two groups if free days are protected in writing.",
    },
    Expert {
        role: "Employment lawyer",
        mission: "Looks at contracts, overtime and working-time rules: what has to be agreed in writing, and undone.",
        reasons: [
            "A trial with an end date needs a one-page addition to each contract; a change for good needs new ones.",
            "Four days of ten hours would break the daily limit in many places, so the hours have to fall as well.",
        ],
        stance: "**Shorten each day by an hour first, or try two groups with an end date in writing.** Shorter days \
                 need no new contracts and are easy to undo. Whatever you choose, write down what happens to \
                 holidays, overtime and part-time pay before it starts.",
        summary: "Shorten each day by an hour first; it needs no new contracts and is easy to undo.",
        answers: (
            "in two groups",
            "names numbers to judge by; the end date belongs in each contract, or a trial becomes a right.",
        ),
        last: "Two groups are fine with an end date in writing; shorter days remain the safer first step.",
    },
];

/// An option of a memo that those raised; what is not said of it stays empty.
pub(crate) fn option(title: &str, action: &str, raised_by: &[&str]) -> Value {
    json!({
        "title": title, "action": action, "first_step": "", "cost": "", "gives_up": "", "low": 40, "high": 60,
        "stop": "", "raised_by": raised_by, "combines": [],
    })
}

/// Answers as the story wants it; nothing where any plausible answer will do.
pub(crate) fn tell(call: &Call) -> Option<Answer> {
    match call.part() {
        Part::Draft | Part::Synthesis => Some(call.reply(|reply| {
            reply["options"] = DELIVERY.iter().map(|(title, action, by)| option(title, action, by)).collect();
            reply["answer"] = "Begin small: a pilot in one district answers the open questions for a tenth of what a \
                               launch costs. Pick-up points are the cheapest way to learn."
                .into();
        })),
        Part::Gatekeeper => Some(call.reply(propose)),
        Part::Analysis => expert(call).map(|said| {
            call.reply(|reply| {
                reply["key_reasoning_points"] = json!(said.reasons);
                reply["initial_recommendation"] = said.stance.into();
                reply["one_sentence_summary"] = said.summary.into();
            })
        }),
        Part::Rebuttal => expert(call).map(|said| {
            let (mark, point) = said.answers;
            call.reply(|reply| {
                let answer = letter(call, mark).map(|letter| format!("Response {letter} {point}"));
                reply["key_reasoning_points"] = json!([answer.unwrap_or_default(), said.reasons[1]]);
                reply["final_stance"] = format!("{} {}", said.last, said.reasons[0]).into();
                reply["one_sentence_summary"] = said.last.into();
            })
        }),
        Part::Notary => Some(call.reply(|reply| {
            reply["synthesis"] = "All three want **a trial of three months** before anything is settled for good, \
                and all want part-time colleagues to gain as well.\n\nThey differ on **the free day**: one for all \
                gives real rest and leaves a weekday without answers; two groups keep every weekday covered, and \
                free days then need protection. The lawyer would begin with shorter days, which need no new contracts."
                .into();
            let one = |(title, description, by): &(&str, &str, &[&str])| json!({"title": title, "description": description, "statements": by});
            reply["solutions"] = WEEK.iter().map(one).collect();
        })),
        Part::Scoring => score(call),
        _ => None,
    }
}

/// The question without ambiguity, and three experts of whom one does not fit, so that there is something to edit.
fn propose(reply: &mut Value) {
    reply["restated_problem"] = "Decide whether all 12 people move from five working days to four at the same pay: at \
        once, as a trial first, or not at all. Which weekdays customers need an answer on is not said; take all five."
        .into();
    reply["key_dimensions"] = json!([
        "Cover for customers on every weekday",
        "Rest, workload and fairness",
        "How easily it can be undone"
    ]);
    let roles = EXPERTS.each_ref().map(|expert| match expert.role {
        "Employment lawyer" => json!({
            "role_name": "Finance controller",
            "role_mission": "Looks at the cost of an hour, deadlines with penalties, and what a fifth less time earns.",
        }),
        _ => json!({"role_name": expert.role, "role_mission": expert.mission}),
    });
    reply["roles"] = json!(roles);
}

fn expert(call: &Call) -> Option<&'static Expert> {
    EXPERTS.iter().find(|expert| expert.role == call.role())
}

/// The letter under which this reader sees whoever says this.
fn letter(call: &Call, mark: &str) -> Option<char> {
    ('A'..='D').find(|letter| {
        let said = call.user.split_once(&format!("Response {letter}:\n")).map_or("", |(_, rest)| rest);
        said.split("\nResponse ").next().is_some_and(|own| own.contains(mark))
    })
}

/// Ten points, by the titles of the options, whatever their numbers.
fn score(call: &Call) -> Option<Answer> {
    let week = call.user.contains(WEEK[0].0);
    let titles = if week { WEEK.map(|(title, ..)| title) } else { DELIVERY.map(|(title, ..)| title) };
    let who = if week { call.role() } else { call.module() };
    let (_, given) = POINTS.iter().find(|(name, _)| *name == who)?;
    let mut points = serde_json::Map::new();
    for (title, given) in titles.iter().zip(given) {
        let mut numbered = call.user.lines().filter_map(|line| line.split_once(". "));
        let is_its = |(number, rest): &(&str, &str)| {
            number.starts_with('S') && rest.starts_with(&format!("{title}: "))
        };
        let (number, _) = numbered.find(is_its)?;
        points.insert(number.to_owned(), (*given).into());
    }
    Some(call.reply(|reply| {
        reply["points"] = points.into();
        reply["reasoning"] = "What can be tried soon and undone cheaply counts most from my side.".into();
    }))
}
