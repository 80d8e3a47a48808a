//! What the models of the page's test say in a debate about the four-day week: both sides, and a moderator who takes
//! neither.

use serde_json::{Value, json};

use crate::support::model::{Answer, Call};

/// What an argument claims, its kind, and how sure the side is.
type Claim = (&'static str, &'static str, &'static str);

/// One side's words.
struct Case {
    /// The opening in a sentence.
    in_short: &'static str,
    /// By theme: what each argument claims, with its kind and how sure the side is.
    claims: [(&'static str, [Claim; 2]); 3],
    questions: [(&'static str, &'static str); 2],
    answers: [(&'static str, &'static str); 2],
    rebuttal: [&'static str; 2],
    closing: [&'static str; 4],
    /// Sentences that any part can go on with.
    prose: [&'static str; 16],
}

const PRO: Case = Case {
    in_short: "Four focused days keep the work and give back the rest that good work needs.",
    claims: [
        (
            "economic",
            [
                (
                    "The output that counts is finished work, and rested people finish more of it an hour.",
                    "projection",
                    "medium",
                ),
                ("A job with four days draws and keeps people whom we cannot outbid on pay.", "fact", "high"),
            ],
        ),
        (
            "ethical",
            [
                ("Time is the one part of pay that everybody here is short of.", "value", "high"),
                (
                    "Parents and carers gain most, and they are the ones who leave first today.",
                    "fact",
                    "medium",
                ),
            ],
        ),
        (
            "practical",
            [
                ("Two groups with different free days keep every weekday covered.", "analogy", "medium"),
                ("A trial with an end date can be undone with one meeting.", "fact", "high"),
            ],
        ),
    ],
    questions: [
        ("evidence", "Which customer has left us because of an answer that came a day later?"),
        ("assumptions", "Why do you take the fifth day's hours to be as productive as the first four?"),
    ],
    answers: [
        (
            "direct",
            "We would drop the two weekly status meetings first and move what is left of them into writing.",
        ),
        (
            "does_not_know",
            "We do not know how part-time pay would be settled; that has to be agreed before a trial begins.",
        ),
    ],
    rebuttal: [
        "At its strongest this says that a small team has no slack, so that any gap reaches a customer at once.",
        "Two groups leave six people at work on every weekday, which is more than on most summer Fridays today.",
    ],
    closing: [
        "We part on what a weekday without half the team does to customers, and on how much rest is worth in money.",
        "Con's best point is that rest under pressure is no rest: squeezed days can tire people more than five calm ones.",
        "If first answers took more than a working day longer in the trial, we would drop the proposition.",
        "Nobody knows yet whether the gain of the first months lasts for years; what we have is a projection.",
    ],
    prose: [
        "Finished work is what customers pay for, and nobody has ever been paid for sitting through a fifth afternoon.",
        "The last hours of a long week bring the mistakes that the first hours of the next week have to repair.",
        "A shorter week forces a team to say no to meetings that exist because they have always existed.",
        "Whoever has a free weekday sees the dentist, the school and the authorities then, instead of between two calls.",
        "People who rest come back with judgement, and judgement is most of what this team sells.",
        "Pay stays the same, so nobody has to choose between rent and rest.",
        "The change can begin as a trial of three months with two numbers agreed beforehand.",
        "If the numbers get worse by more than a tenth, the trial ends and the old week returns.",
        "We take it that most of our work can be planned a week ahead, which the calendar of last year supports.",
        "We also take it that customers care more about a reliable answer than about one on the same afternoon.",
        "What stays uncertain is how the busiest month behaves, because no trial has covered one yet.",
        "The four part-time colleagues need an offer of their own, and we would put that first on the list.",
        "None of this asks anybody to work ten hours a day; the hours fall together with the days.",
        "Other small teams have tried similar weeks, and an analogy is all that we claim from them.",
        "Hiring costs us months each time somebody leaves, and the free day is a reason to stay.",
        "A rule that protects the free day from messages belongs in the same decision.",
    ],
};

const CON: Case = Case {
    in_short: "A small team that is away on a weekday hands its customers the bill for its rest.",
    claims: [
        (
            "economic",
            [
                (
                    "A fifth less time is a fifth less work until somebody shows where the rest is to come from.",
                    "projection",
                    "medium",
                ),
                (
                    "Twelve people have no slack: one illness on a four-day week empties a function.",
                    "fact",
                    "high",
                ),
            ],
        ),
        (
            "ethical",
            [
                (
                    "Those who answer customers carry the gap, and they are the lowest paid here.",
                    "value",
                    "medium",
                ),
                (
                    "Part-time colleagues took less pay for what everybody else would now get for nothing.",
                    "fact",
                    "high",
                ),
            ],
        ),
        (
            "practical",
            [
                (
                    "Handing every case over twice a week costs the hours that the free day was to save.",
                    "projection",
                    "medium",
                ),
                (
                    "What is given as a trial is taken as a right, and going back will hurt more than staying.",
                    "analogy",
                    "medium",
                ),
            ],
        ),
    ],
    questions: [
        ("logic", "Which of today's work would you stop doing, and who has agreed to that?"),
        (
            "assumptions",
            "What exactly do part-time colleagues get who already gave up a fifth of their pay for a free day?",
        ),
    ],
    answers: [
        (
            "direct",
            "Two customers named slow answers when they left last year; a day more would not have kept them.",
        ),
        (
            "challenges_premise",
            "We do not take all hours to be alike; we say that somebody has to be there in each of them.",
        ),
    ],
    rebuttal: [
        "At its strongest this says that tired hours are worth little, so that losing them costs little.",
        "What is lost is not the tired hour but the person on call in it, and no rested colleague replaces that.",
    ],
    closing: [
        "We part on who carries the gap: Pro looks at the work that gets done, we look at who is there when it is needed.",
        "Pro's best point is that a trial with agreed numbers costs little and would end the guessing.",
        "If a trial showed first answers as fast as now through a busy month, we would accept the proposition.",
        "Nobody knows how many customers would notice; our own records are too thin to say.",
    ],
    prose: [
        "Customers write on every weekday, and the answer they remember is the one that did not come.",
        "Twelve people share nine functions, so most of them have no second person who could take over.",
        "A free day moves the pressure into the other four, and pressed days are where mistakes are made.",
        "Handing a case over takes a quarter of an hour on each side, and two groups hand over all the time.",
        "The calendar of the last two years has eleven weeks in which nobody could have been away.",
        "Part-time colleagues accepted less pay for fewer days and would feel the change as a slight.",
        "Rest is worth having, and there are ways to it that leave nobody waiting.",
        "An hour less on each day gives the same rest without a single empty weekday.",
        "We take it that the amount of work stays as it is, because nobody has offered to drop any of it.",
        "We also take it that customers compare us with firms that answer on all five days.",
        "What stays uncertain is how much of the work could really be dropped if somebody dared to.",
        "A trial sounds harmless, and ending one means taking a day away from everybody at once.",
        "The lowest paid answer the telephone, and the gap would land on their desks first.",
        "None of this says that people here work too little or complain too much.",
        "Long contracts name times for an answer, and one of them names a penalty.",
        "Before a free day is promised, somebody has to write down which promise to a customer is withdrawn.",
    ],
};

/// Answers as the debate wants it; nothing where it is not one.
pub(crate) fn tell(call: &Call) -> Option<Answer> {
    let case = if call.user.contains("You are Con,") { &CON } else { &PRO };
    let reply = match call.schema_name.as_deref()? {
        "proposition" => json!({
            "context": {"geography": "our office", "timeframe": "from next quarter", "domain": "working time",
                "stakeholders": ["the twelve of us", "customers", "part-time colleagues"],
                "background": "Today everybody works five days; four colleagues are part-time."},
            "normalized_question": "Should our 12-person team move to a four-day week at the same pay?",
            "changed": "“Finally” and “grind” took a side; both are gone.",
            "framing": "practical", "complexity": "medium", "objection": null,
        }),
        "turn_opening" => json!({
            "position": case.prose(0, 10), "preview": [case.prose(9, 3), case.prose(11, 3)],
            "assumptions": [case.prose(13, 1), case.prose(14, 2)], "in_short": case.in_short,
        }),
        "turn_arguments" => case.arguments(call),
        "turn_questions" => json!({
            "questions": case.questions.map(|(aims_at, question)| json!({"aims_at": aims_at, "question": question})),
            "in_short": "Two questions, about what is taken for granted and what it rests on.",
        }),
        "turn_answers" => {
            let answer = |(at, (kind, text)): (usize, &(&str, &str))| json!({"question": at + 1, "answer": format!("{text} {}", case.prose(at * 4, 3)), "kind": kind});
            json!({
                "answers": case.answers.iter().enumerate().map(answer).collect::<Vec<_>>(),
                "in_short": case.answers[0].1,
            })
        }
        "turn_rebuttal" => case.rebut(call),
        "turn_closing" => json!({
            "why_we_disagree": format!("{} {}", case.closing[0], case.prose(0, 3)),
            "opponents_best_point": format!("{} {}", case.closing[1], case.prose(3, 3)),
            "what_would_change_my_mind": format!("{} {}", case.closing[2], case.prose(6, 3)),
            "uncertainty": format!("{} {}", case.closing[3], case.prose(9, 3)),
            "in_short": case.closing[2],
        }),
        "conduct_check" | "neutrality_check" => crate::support::model::debate::reply(call)?,
        "first_answer" => json!({"text": PAPER}),
        "debate_synthesis" => synthesis(),
        "debate_answer" => json!({"draws_on": [], "answer": case.answer(call), "not_in_material": null}),
        "clarification" => json!({
            "answer": "“The same pay” means the monthly pay of today for four days of eight hours. Both sides have \
                read it so; what holds for part-time colleagues is open."
        }),
        "hinge" => json!({
            "if_true": "First answers stay as fast as now while half the team is away",
            "current_evidence": "A member reports a trial of six weeks next door with no change; nobody has checked it.",
            "then_favors": "pro", "confidence": "medium",
        }),
        _ => return None,
    };
    Some(Answer::Json(acknowledged(call, reply)))
}

impl Case {
    /// So many sentences from this one on.
    fn prose(&self, from: usize, many: usize) -> String {
        (from..from + many).map(|at| self.prose[at % self.prose.len()]).collect::<Vec<_>>().join(" ")
    }

    fn arguments(&self, call: &Call) -> Value {
        let theme = ["ethical", "practical"]
            .iter()
            .position(|theme| call.user.contains(&format!("Its theme is {theme}")));
        let (name, claims) = &self.claims[theme.map_or(0, |at| at + 1)];
        let argument = |(at, (claim, kind, confidence)): (usize, &(&str, &str, &str))| {
            json!({
                "claim": claim, "reasoning": self.prose(at * 5 + name.len(), 6),
                "assumptions": [self.prose(8 + at, 1)], "uncertainties": [self.prose(10 + at, 1)],
                "evidence_type": kind, "confidence": confidence,
            })
        };
        let arguments: Vec<Value> = claims.iter().enumerate().map(argument).collect();
        let mut reply = json!({"arguments": arguments, "in_short": claims[0].0});
        if call.schema.as_ref().is_some_and(|schema| schema["properties"].get("framework").is_some()) {
            reply["framework"] = "fairness between those who gain and those who carry the cost".into();
        }
        reply
    }

    fn rebut(&self, call: &Call) -> Value {
        let other = if self.in_short == PRO.in_short { &CON } else { &PRO };
        let said = other.claims.iter().flat_map(|(_, claims)| claims).map(|(claim, ..)| *claim);
        let quoted: Vec<&str> = said.filter(|claim| call.user.contains(claim)).take(2).collect();
        let point = |(at, quotation): (usize, &&str)| {
            json!({
                "quotation": quotation,
                "steel_man": format!("{} {}", self.rebuttal[0], self.prose(at * 3, 2)),
                "answer": if at == 0 { format!("{} {}", self.rebuttal[1], self.prose(2, 2)) } else { self.prose(at * 3 + 1, 3) },
                "even_if": self.prose(at * 3 + 5, 2),
            })
        };
        json!({"points": quoted.iter().enumerate().map(point).collect::<Vec<_>>(), "in_short": self.rebuttal[1]})
    }

    /// What whoever is asked says.
    fn answer(&self, call: &Call) -> String {
        if call.user.contains("You are the moderator") {
            return "Both sides take the question up. Pro holds that two groups keep every weekday covered; Con holds \
                that handing cases over costs the time that is gained. Neither has figures from this team, and both \
                name a trial as the way to find out. What the record does not hold is how customers would see it."
                .to_owned();
        }
        format!("{} {}", self.answers[0].1, self.prose(4, 3))
    }
}

/// With a word on each piece of evidence that was brought in for this side.
fn acknowledged(call: &Call, mut reply: Value) -> Value {
    let numbers = call.schema.as_ref().and_then(|schema| {
        schema
            .pointer("/properties/acknowledged/items/properties/evidence/enum")
            .and_then(Value::as_array)
            .cloned()
    });
    if let Some(numbers) = numbers {
        let how = "It shows what a busy week looks like, and our case has to hold in such a week too.";
        reply["acknowledged"] =
            numbers.iter().map(|number| json!({"evidence": number, "how": how, "bearing": "used"})).collect();
    }
    reply
}

/// The paper that people vote by, which is its draft as it is.
const PAPER: &str = "You vote on whether all twelve work four days at the same pay, with Fridays off. It comes down to \
    whether six people are enough on a weekday, and to who carries the gap when they are not.\n\n\
    ## What the figures show\n\
    A day off is a fifth of the hours: 12 × 8 = 96 hours a week. Two groups with different free days leave six people \
    on two of the five weekdays. Con counts eleven weeks in two years in which six were too few, which is about one in \
    ten; Pro has no other figure. That count says nothing of how long people waited in those weeks, and it was made from \
    memory.\n\n\
    How fast first answers are today nobody has measured. Nor has anybody counted what leaving costs: two of twelve \
    left last year, one of them for shorter hours, and finding somebody new took four months each time.\n\n\
    ## The case for\n\
    Pro holds that rested people finish the same work with fewer mistakes, and that two groups keep every weekday \
    covered. One of two who left went for shorter hours, and a vacant desk is a gap of five days a week, not of one. \
    Weak point: nobody has tried it here. Its voters have to say which work is dropped, and who tells customers.\n\n\
    ## The case against\n\
    Con holds that a small team has no slack, and that the gap lands on those who answer the telephone. Weak point: it \
    has no other answer to tired people, whom both sides see. Its voters have to find one, and to say by when, since \
    whoever is looking for another place will not wait for long.\n\n\
    ## What to ask before the vote\n\
    1. Whoever keeps the ticket list: how fast are first answers in a busy week? Under four hours helps for, over a day helps against.\n\
    2. The two customers with contracts: do they accept a Friday on call? Yes helps for, no helps against.\n\
    3. Part-time colleagues: what would they find fair? An offer that they take helps for.\n\n\
    ## What somebody can move instead\n\
    A trial of two months with agreed numbers, the second of them a busy one. Its price: nobody knows until then what \
    to plan with, and whoever gains a free day by it will not give it back gladly. Or Fridays off in turns, four at a \
    time. Its price: the shared day is gone, and with it the reason that most people named.\n\n\
    ## What a voter can say tomorrow\n\
    **For:** “I believe that rest pays for itself, and I accept a slower week now and then. Slower answers after a month would change my mind.”\n\n\
    **Against:** “I believe that somebody always carries the gap, and I accept that we stay tired for now. A busy month \
    that goes well with six would change my mind.”\n\n\
    Neither can say that anything here was measured.";

fn synthesis() -> Value {
    let hinge = |if_true: &str, evidence: &str, favors: &str| json!({"if_true": if_true, "current_evidence": evidence, "then_favors": favors, "confidence": "low"});
    json!({
        "areas_of_agreement": [],
        "core_disagreements": [
            {"topic": "Cover for customers",
                "pro_position": "Two groups with different free days keep six people at work on every weekday, which is enough for the cases of a normal week.",
                "con_position": "Handing every case over twice a week costs the hours that are gained, and most functions have nobody who could take over.",
                "root_cause": "factual", "bridgeable": true},
            {"topic": "Who carries the cost",
                "pro_position": "Everybody is short of time, and those with children or parents to care for gain most from a free weekday.",
                "con_position": "Those who answer the telephone carry the gap, and part-time colleagues paid for what others would get for nothing.",
                "root_cause": "priorities", "bridgeable": false},
        ],
        "assumption_conflicts": [],
        "evidence_gaps": [],
        "decision_hinges": [
            hinge("First answers stay as fast as now while half the team is away", "Neither side has figures.", "pro"),
            hinge("A busy month leaves no weekday on which six people are enough", "Eleven such weeks in two years, says Con.", "con"),
            hinge("Part-time colleagues are offered something they find fair", "Nobody has asked them.", "neutral"),
        ],
        "complexity_assessment": "What a free day is worth against a promise to a customer cannot be counted.",
        "edits": [],
        "executive_summary": PAPER,
        "neutrality_check": "Each side's positions have the same length and stand in its own words.",
    })
}
