//! What the models of the page's test say: two decisions a team could really have, so that what people see while it
//! runs, and on the pictures it keeps, reads like one.

use serde_json::{Value, json};

use crate::{
    support::{
        model::{Answer, Call},
        play::Part,
    },
    week,
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

/// The memo to those who want to deliver food.
const DELIVERY_MEMO: &str = "## Why a pilot, and not the whole town\n\n\
    An app, a support desk and riders for the whole town are paid for before the first order comes in, and \
    nobody knows yet what an order costs here. At 15 an hour (assumed), a rider who brings three orders an \
    hour costs 5 an order; with two it is 7.50, which hardly any fee covers. Whether it is two or three \
    depends on distances and on how many orders come at once, and only the street can tell.\n\n\
    ## The eight weeks\n\n\
    - **Week 1:** ask the twenty restaurants of the district with the most kitchens. Write: “For eight \
    weeks we bring your orders to anybody within two kilometres. You pay 3 an order and nothing else, and \
    either of us can stop on any Friday.”\n\
    - **Weeks 2 to 8:** four riders, from five to nine in the evening; orders by telephone and by a simple \
    form. Note for each order when it was placed, when it arrived, and what it cost.\n\
    - **Every Friday:** work out how many orders each rider brings in an hour.\n\n\
    ## When to stop, and what then\n\n\
    If it is fewer than two in week five, end the pilot after week six and offer the five pick-up points \
    instead: kitchens and customers stay the same, and nobody has to ride. From three on, count what an app \
    would save before you order one. Between two and three, raise the fee by 1 and go on to week eight.\n\n\
    ## What would change this\n\n\
    If fewer than twelve restaurants say yes, begin with the pick-up points at once. A rival who announces \
    a launch changes nothing: the pilot costs the same with or without one.";

/// Who gives what to which solution: in the order of [`DELIVERY`], and for experts of [`week::WEEK`].
const POINTS: [(&str, [u64; 3]); 6] = [
    ("market", [5, 2, 3]),
    ("cost", [6, 4, 0]),
    ("risk", [7, 3, 0]),
    ("Operations lead", [7, 1, 2]),
    ("Wellbeing adviser", [4, 6, 0]),
    ("Employment lawyer", [5, 0, 5]),
];

/// An option of a memo that those raised; what is not said of it stays empty.
pub(crate) fn option(title: &str, action: &str, raised_by: &[&str]) -> Value {
    json!({
        "title": title, "action": action, "cost": "",
        "stop": "", "raised_by": raised_by, "combines": [],
    })
}

/// Answers as the story wants it; nothing where any plausible answer will do.
pub(crate) fn tell(call: &Call) -> Option<Answer> {
    match call.part() {
        Part::Synthesis if call.user.contains("You are the notary.") => Some(week::memo()),
        Part::Synthesis => Some(call.reply(|reply| {
            reply["options"] = DELIVERY.iter().map(|(title, action, by)| option(title, action, by)).collect();
            let answer = "Begin small: a pilot in one district answers the open questions for a tenth of what a \
                               launch costs. Pick-up points are the cheapest way to learn.";
            reply["anew"] = json!([{"answer": answer, "text": DELIVERY_MEMO}]);
        })),
        Part::Gatekeeper => Some(call.reply(week::propose)),
        Part::Question if call.text().contains("five working days") => {
            Some(Answer::Json(json!({"question": "Should our 12-person team move to a four-day week?"})))
        }
        Part::First => week::expert(call).map(|said| Answer::Json(said.alone.told())),
        Part::Revision => week::expert(call).map(|said| Answer::Json(said.revision(call))),
        Part::Scoring => score(call),
        _ => None,
    }
}

/// Ten points, by the titles of the options, whatever their numbers.
fn score(call: &Call) -> Option<Answer> {
    let expert = week::expert(call);
    let titles = match expert {
        Some(_) => week::WEEK.each_ref().map(|choice| choice.title),
        None => DELIVERY.map(|(title, ..)| title),
    };
    let who = expert.map_or_else(|| call.module(), |expert| expert.role.to_owned());
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
