//! What the council of the page's test says of the proposal in `warehouse.md`: claims with words that stand in it, some of
//! them held by several, two that cannot both be so, and what a closer look adds.

use serde_json::{Value, json};

use crate::support::model::{
    Answer, Call,
    critique::{claims, groups},
};

/// What a member claims of a passage.
struct Said {
    quote: &'static str,
    claim: &'static str,
    area: &'static str,
    severity: &'static str,
    confidence: u8,
    /// Where a closer look is wanted, and at what.
    deeper: Option<(&'static str, &'static str)>,
}

const fn said(
    area: &'static str,
    quote: &'static str,
    claim: &'static str,
    (severity, confidence): (&'static str, u8),
    deeper: Option<(&'static str, &'static str)>,
) -> Said {
    Said { quote, claim, area, severity, confidence, deeper }
}

const RENT: &str = "costs the same rent per square metre";
const LOWER: &str = "Two thirds of this sum are covered by the lower rent in the first year";
const SILENCE: &str = "Nobody has raised an objection, so the team is in favour of the move.";
const LET: &str = "Should sales grow more slowly than planned, the second half of the hall can be let";
const BOTH: &str = "deliveries go on from both places while the move lasts";
const SATISFIED: &str = "We will know that the move was right if the team is satisfied with it after a year.";
const SIGN: &str = "The board is asked to sign the lease for ten years before the end of the month";
const FLOOD: &str = "the harbour office expects that once in thirty years";
const AGREES: &str = "Everybody who has seen it agrees that it is the better place.";
const BUS: &str = "the last one leaves at half past nine, which is enough for the late shift";

/// The words by which the two claims are known that contradict one another.
const NO_CASE: &str =
    "No growth is named that would be too little, so nothing could show that the hall is too large.";
const CONCEDES: &str =
    "Planning to let half of the hall concedes that it is larger than what the growth planned for needs.";

/// What each says of the whole text, by the member's name.
const FIRST: [(&str, [Said; 3]); 6] = [
    (
        "Aristotle",
        [
            said(
                "Cost of two places",
                BOTH,
                "Working from two places for a month needs two rents and two crews, and neither is in the sum of 73,000 euros.",
                ("high", 74),
                Some((BOTH, "Which costs of the weeks with two warehouses are left out")),
            ),
            said(
                "Purpose of the move",
                SATISFIED,
                "The end for which the move is made is cheaper and quicker delivery, and contentment after a year measures neither.",
                ("medium", 66),
                None,
            ),
            said(
                "Better place",
                AGREES,
                "What makes the hall the better place is not said, so agreement stands where a cause should stand.",
                ("low", 55),
                None,
            ),
        ],
    ),
    (
        "Descartes",
        [
            said(
                "Payback within a year",
                LOWER,
                "The year of payback stands on a lower rent whose amount is never given, and what can be doubted carries nothing.",
                ("critical", 70),
                Some((LOWER, "Whether the year of payback stands without the lower rent")),
            ),
            said(
                "Consent of the team",
                SILENCE,
                "From silence about a paper on a wall nothing certain follows about what the team thinks.",
                ("high", 70),
                None,
            ),
            said(
                "Better place",
                AGREES,
                "Agreement of those who have seen the hall is no ground that survives doubt; none of its measures is compared with Mill Street.",
                ("low", 60),
                None,
            ),
        ],
    ),
    (
        "Kant",
        [
            said(
                "Consent of the team",
                SILENCE,
                "Silence is taken for consent of the team; as a rule for every decision it would make consent something that nobody can refuse.",
                ("high", 78),
                Some((SILENCE, "What must be given before silence can count as consent")),
            ),
            said(
                "Late shift",
                BUS,
                "When the late shift ends is not said, so that the last bus is enough for it is asserted and not shown.",
                ("low", 58),
                None,
            ),
            said(
                "Ten years",
                SIGN,
                "Binding the firm for ten years rests on the date of an offer and on no ground in the matter itself.",
                ("medium", 50),
                None,
            ),
        ],
    ),
    (
        "Leibniz",
        [
            said(
                "Lower rent",
                RENT,
                "Twice the floor at the same rent per square metre doubles the rent, while two thirds of the costs are said to be covered by a lower one; both cannot be.",
                ("critical", 93),
                Some((RENT, "What the rent of the whole hall comes to")),
            ),
            said(
                "Other choices",
                SIGN,
                "No other choice is weighed: neither staying in Mill Street for a third more nor a smaller hall or a shorter lease has a figure.",
                ("high", 72),
                Some((SIGN, "Which choices there are besides signing for ten years")),
            ),
            said("Size of the hall", LET, CONCEDES, ("high", 61), None),
        ],
    ),
    (
        "Popper",
        [
            said(
                "Test of success",
                SATISFIED,
                "Contentment of the team after a year is compatible with a move that lost money, so no result could show that the move was wrong.",
                ("high", 80),
                Some((SATISFIED, "Which measurable outcome would count against the move")),
            ),
            said("Growth of sales", LET, NO_CASE, ("high", 66), None),
            said(
                "Flood",
                FLOOD,
                "Once in thirty years is about one in four within a lease of ten; only the stock is said to be insured, not the weeks in which nothing leaves.",
                ("medium", 68),
                None,
            ),
        ],
    ),
    (
        "Russell",
        [
            said(
                "Lower rent",
                RENT,
                "“The same rent per square metre” of twice the floor and “the lower rent” contradict each other, and the year of payback falls with one of them.",
                ("critical", 90),
                None,
            ),
            said(
                "Consent of the team",
                SILENCE,
                "That the team is in favour does not follow from the absence of an objection; the two propositions are different.",
                ("high", 73),
                None,
            ),
            said(
                "Late shift",
                BUS,
                "“Enough for the late shift” has no meaning until the end of the late shift and the way to the stop are given.",
                ("low", 52),
                None,
            ),
        ],
    ),
];

/// What a closer look adds, by its topic, and what it makes of the claim that was looked into.
const DEEPER: [(&str, &str, Said, &str); 6] = [
    (
        "Which costs of the weeks",
        "Four weekends",
        said(
            "Length of the move",
            "The removal firm has offered 48,000 euros for four weekends in spring.",
            "Four weekends are a month in which stock is in two places, and who fetches what from where is left open.",
            ("medium", 60),
            None,
        ),
        "borne_out",
    ),
    (
        "Whether the year of payback",
        "Payback",
        said(
            "Saving for each order",
            "With the new shelves it will be seven, so that each order costs 40 cents less.",
            "The 40 cents are counted for the shelves, which could be bought for Mill Street too; they say nothing for the move.",
            ("high", 69),
            Some((
                "Pickers walk eleven kilometres a day now. With the new shelves it will be seven",
                "What the seven kilometres rest on",
            )),
        ),
        "borne_out",
    ),
    (
        "What the seven kilometres",
        "Walking",
        said(
            "Ways in the hall",
            "Pickers walk eleven kilometres a day now.",
            "In a hall of twice the floor ways grow longer unless stock is laid out anew, and no layout is given.",
            ("medium", 56),
            None,
        ),
        "stronger",
    ),
    (
        "What must be given",
        "Consent",
        said(
            "Way of asking",
            "The plan hung in the canteen for two weeks.",
            "Nobody was asked: a notice that calls for no answer leaves those who are against it without an occasion to say so.",
            ("medium", 64),
            None,
        ),
        "stronger",
    ),
    (
        "Which choices there are",
        "Choices",
        said(
            "Length of the lease",
            "Ten years give us the peace to grow.",
            "Ten years bind the firm longer than its growth is known for, and a way out before their end is not mentioned.",
            ("medium", 55),
            None,
        ),
        "nothing",
    ),
    (
        "Which measurable outcome",
        "Outcome",
        said(
            "Cost of waiting",
            "A move later would cost more, whatever the reason for it.",
            "That a later move would cost more is put beyond every test by “whatever the reason for it”.",
            ("low", 50),
            None,
        ),
        "borne_out",
    ),
];

/// What each gives its ten points to, by areas.
const POINTS: [(&str, [(&str, u64); 2]); 6] = [
    ("Aristotle", [("Cost of two places", 5), ("Lower rent", 5)]),
    ("Descartes", [("Payback within a year", 6), ("Lower rent", 4)]),
    ("Kant", [("Consent of the team", 6), ("Lower rent", 4)]),
    ("Leibniz", [("Lower rent", 6), ("Other choices", 4)]),
    ("Popper", [("Test of success", 6), ("Lower rent", 4)]),
    ("Russell", [("Lower rent", 7), ("Consent of the team", 3)]),
];

/// What the review says of the whole.
const VERDICT: &str = "The figures on which the proposal rests do not agree with one another: the hall has twice the floor at the \
    same rent per square metre, while the payback within a year is counted from a lower rent.";

/// The review's paragraphs, each with the areas whose findings it tells.
const TEXT: [(&[&str], &str); 9] = [
    (&[], "## What stops it"),
    (
        &["Lower rent", "Payback within a year"],
        "**The rent doubles instead of falling (“Why now”, “What it costs”).** Twice the floor at the same rent per square metre is \
         twice the rent. The lower rent that is to cover two thirds of 73,000 euros, some 48,700, does not exist, so the move does \
         not pay for itself within a year.",
    ),
    (
        &["Consent of the team"],
        "**Nobody has agreed (“Staff and customers”).** That a paper in the canteen met no objection in two weeks shows neither that \
         all eighteen have read it nor that anybody agrees.",
    ),
    (&[], "## What changes the decision"),
    (
        &["Cost of two places"],
        "**The weeks with two warehouses cost nothing (“What it costs”).** Deliveries from both places need two rents and two crews. \
         Neither is in 48,000 + 31,000 − 6,000 = 73,000 euros.",
    ),
    (
        &["Other choices", "Size of the hall"],
        "**Nothing else is weighed (“What is asked of the board”).** Mill Street for a third more, a smaller hall and a shorter lease \
         have no figure; that half of the hall may be let says that it is too large.",
    ),
    (
        &["Test of success", "Growth of sales"],
        "**Nothing could show that it was wrong (“What is asked of the board”).** Contentment after a year measures neither cost nor \
         delivery, and no growth is named that would be too little.",
    ),
    (&[], "## What to put in, and what can be decided now"),
    (
        &[],
        "> The rent of the hall is [sum] a year, against [sum] in Mill Street after the increase.\n\nThe harbour can be asked today for \
         that sum in writing, and for an offer that stands a month longer. Nothing is signed before it is there.",
    ),
];

/// Answers as the critique wants it; nothing where it is not one of `warehouse.md`.
pub(crate) fn tell(call: &Call) -> Option<Answer> {
    let about = ["# Proposal: move the warehouse", "lower rent in the first year"];
    if !about.iter().any(|words| call.text().contains(words)) {
        return None;
    }
    let reply = match call.kind() {
        "critique_closer" => look_closer(call),
        "critique_look" => {
            let (_, said) = FIRST.iter().find(|(name, _)| call.member() == Some(name))?;
            claims(call, said.iter().map(Said::json).collect())
        }
        "critique_self" => look_back(call)?,
        "critique_same" => compare(call),
        "critique_review" => review(call),
        "first_answer" => json!({"text": VERDICT}),
        "points" => score(call)?,
        _ => return None,
    };
    Some(Answer::Json(reply))
}

impl Said {
    fn json(&self) -> Value {
        let (passage, topic) = self.deeper.unzip();
        json!({
            "quotes": [self.quote], "claim": self.claim, "severity": self.severity,
            "confidence": self.confidence, "closer": topic.unwrap_or_default(),
            "closer_at": passage.into_iter().collect::<Vec<_>>(),
        })
    }
}

/// All that anybody says.
fn all() -> impl Iterator<Item = &'static Said> {
    FIRST.iter().flat_map(|(_, said)| said).chain(DEEPER.iter().map(|(_, _, said, _)| said))
}

fn look_closer(call: &Call) -> Value {
    let found =
        DEEPER.iter().find(|(topic, ..)| call.fenced("topic").is_some_and(|said| said.starts_with(topic)));
    let stands = found.filter(|(_, _, said, _)| call.segment().contains(said.quote));
    let mut reply = claims(call, stands.iter().map(|(_, _, said, _)| said.json()).collect());
    let reading = "The passage gives the figures that the claim speaks of, and it gives no others that would answer it, so that it stands.";
    reply["reading"] = reading.into();
    reply["effect"] = stands.map_or("nothing", |(_, _, _, effect)| effect).into();
    reply
}

/// The number under which a reader sees a claim, if it does.
fn number(call: &Call, claim: &str) -> Option<String> {
    let told = call.user.lines().find(|line| line.trim_start().starts_with('#') && line.contains(claim))?;
    Some(told.trim_start().split_once(". ")?.0.to_owned())
}

fn look_back(call: &Call) -> Option<Value> {
    let (_, said) = FIRST.iter().find(|(name, _)| call.member() == Some(name))?;
    let own = number(call, said[2].claim)?;
    let change = json!({
        "claim": own, "reasoning": "The passage carries a weaker claim than this one.", "confidence": 45,
        "severity": "low", "restated": null,
    });
    let mut reply = json!({
        "reflection": "The method looks for grounds and finds their absence everywhere; the last of the claims leans on that most, and says more than its passage.",
        "same": [], "contradictions": [], "adjustments": [change], "missed": [],
    });
    if call.member() == Some("Popper") {
        reply["contradictions"] = json!([{
            "own": number(call, NO_CASE)?, "other": number(call, CONCEDES)?,
            "why": "Either nothing in the text could show the hall to be too large, or the text itself shows it.",
            "settles": "The growth at which half of the hall is let.",
        }]);
    }
    Some(reply)
}

/// Claims about the same matter are the same, whoever makes them.
fn compare(call: &Call) -> Value {
    let mut areas: Vec<&str> = all().map(|said| said.area).collect();
    areas.sort_unstable();
    areas.dedup();
    let group = |area: &str| {
        let of = all().filter(|said| said.area == area).filter_map(|said| number(call, said.claim));
        let claims: Vec<String> = of.collect();
        (claims.len() > 1).then(|| json!({"fault": area, "claims": claims}))
    };
    json!({"groups": areas.into_iter().filter_map(group).collect::<Vec<_>>()})
}

/// Each group in the words of its first claim.
fn review(call: &Call) -> Value {
    let area_of = |says: &str| all().find(|said| says.contains(said.claim)).map_or("Rest", |said| said.area);
    let told: Vec<String> = TEXT
        .iter()
        .map(|(areas, words)| {
            let of = groups(call).into_iter().filter(|(_, _, says)| areas.contains(&area_of(says)));
            let labels: Vec<String> = of.map(|(group, ..)| group).collect();
            if labels.is_empty() { (*words).to_owned() } else { format!("{words} ({})", labels.join(", ")) }
        })
        .collect();
    let findings = groups(call).into_iter().map(|(group, best, says)| {
        let area = area_of(&says);
        let says = if TEXT.iter().any(|(areas, _)| areas.contains(&area)) { "" } else { &says };
        let theme = if ["Lower rent", "Payback within a year", "Saving for each order"].contains(&area) {
            "Figures"
        } else {
            "Grounds"
        };
        json!({
            "group": group, "also": [], "apart": [], "best": best, "theme": theme, "title": area, "line": says,
        })
    });
    json!({
        "findings": findings.collect::<Vec<_>>(), "verdict": VERDICT, "text": told.join("\n\n"),
        "holds_up": ["The removal is paid by an offer that the text gives, with its sum and its length."],
    })
}

/// Ten points by the areas of the findings, whatever their order.
fn score(call: &Call) -> Option<Value> {
    let (_, given) = POINTS.iter().find(|(name, _)| call.member() == Some(name))?;
    let numbers = call.schema.as_ref()?.pointer("/properties/points/properties")?.as_object()?.keys();
    let of = |number: &String| {
        let line =
            call.user.lines().find(|line| line.starts_with(&format!("{number}. "))).unwrap_or_default();
        given.iter().find(|(area, _)| line.contains(area)).map_or(0, |(_, points)| *points)
    };
    let points: serde_json::Map<String, Value> =
        numbers.map(|number| (number.clone(), of(number).into())).collect();
    Some(json!({
        "reasoning": "What the sum and the year of payback hang on falls first if the finding holds.",
        "points": points,
    }))
}
