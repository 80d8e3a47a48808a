//! The four-day week: what a notary, three experts and the one that a gatekeeper proposes in error say of it.

use serde_json::{Value, json};

use crate::support::model::{Answer, Call};

/// An option of the notary's memo on the four-day week.
pub(crate) struct Choice {
    pub(crate) title: &'static str,
    action: &'static str,
    cost: &'static str,
    stop: &'static str,
    raised_by: &'static [&'static str],
}

pub(crate) const WEEK: [Choice; 3] = [
    Choice {
        title: "Try a four-day week in two groups",
        action: "All sign a page with an end date; then, for three months, half the team is off on \
                 Wednesdays and half on Fridays, so every weekday stays covered. Right if two people know \
                 each task that cannot wait. You give up having everybody there on five days.",
        cost: "96 hours of work a week, and a lawyer for a few hours",
        stop: "A number worse by more than a tenth in week six: end it after week eight",
        raised_by: &["Operations lead", "Employment lawyer"],
    },
    Choice {
        title: "Give everyone the same Friday off",
        action: "Find an answering service for urgent calls, then close on Fridays for three months. Right \
                 if hardly anybody writes on a Friday, for rest works when nobody is writing. You give up \
                 answers on one weekday.",
        cost: "96 hours of work a week, and 300 to 600 a month for the service (assumed)",
        stop: "First answers slower by more than a tenth in week six: change to two groups",
        raised_by: &["Wellbeing adviser"],
    },
    Choice {
        title: "Shorten each day by an hour first",
        action: "Say in writing that for three months each day ends an hour earlier; no contract changes. \
                 Right if somebody does not sign, or if a task has one person only. Easy to undo, but you \
                 keep five commutes, and nobody has a free day.",
        cost: "60 hours of work a week",
        stop: "Nobody more rested after three months: go back, or try the free day",
        raised_by: &["Employment lawyer"],
    },
];

/// The notary's answer to those who think of a four-day week, and the memo below it.
const WEEK_ANSWER: &str = "Try the four-day week for three months in two groups, one off on Wednesdays and \
    one on Fridays, with four days of eight hours at the same pay. It hangs on one thing: all twelve have \
    signed a page with an end date before the first free day.";
const WEEK_MEMO: &str = "## Why two groups, and not one free day for all\n\n\
    Four days of eight hours are 32 instead of 40. Twelve people then work 96 hours a week less, and \
    whatever is not dropped has to be done a quarter faster (40 ÷ 32 = 1.25). That is so whichever day is \
    free. The first task is therefore to find work that nobody would miss.\n\n\
    What the day decides is how long your customers wait. With the same Friday off for all, what is written \
    that morning waits until Monday. In two groups, six of you are at work on Wednesdays and Fridays and \
    all twelve on the other three days. The best case for the same Friday is quiet: nobody writes when \
    nobody works. A rule gives you most of that quiet, and you keep the weekday.\n\n\
    ## From today to the first free day\n\n\
    1. **Today:** look whether a contract promises a customer an answer within a day. Until you know, \
    announce nothing.\n\
    2. **This week:** list each task that cannot wait, with one person in each group who knows it. \
    Everybody names eight hours a week that could go.\n\
    3. **The next four weeks:** note how long first answers take and how much is finished each week. Change \
    nothing yet.\n\
    4. **Before the first free day:** a lawyer has read the page, and all twelve have signed it.\n\n\
    The page says: “For three months I work four days of eight hours at the same pay, and nobody is \
    expected to answer on a free day. Whoever works part-time works a fifth less at the same pay. In week \
    six we compare first answers and finished work with the four weeks before. If either is worse by more \
    than a tenth, this ends after week eight; otherwise after three months. Then the old contract holds \
    again.”\n\n\
    ## If somebody says no, or a number falls\n\n\
    If one of you does not sign, nobody takes a free day yet: a team in which some work four days and some \
    five would be two teams. Shorten each day by an hour for all instead, and ask again after three \
    months.\n\n\
    In week six, ask everybody as well, without names, whether they are more rested, and whether they are \
    more rushed. If three or more are more rushed, drop more work before week eight. If the trial ends \
    early, go on with days that are an hour shorter, which asks for 60 hours a week less instead of 96.\n\n\
    ## What would change this\n\n\
    - Fewer than one in twenty of a month's requests come on a Friday: then take the same Friday for all.\n\
    - A task that cannot wait has one person only, and nobody can learn it within four weeks: then begin \
    with shorter days.\n\
    - Who gets Wednesday and who gets Friday changes nothing. Swap after week six.";

/// An expert, and what it says in both rounds.
pub(crate) struct Expert {
    pub(crate) role: &'static str,
    mission: &'static str,
    pub(crate) alone: Alone,
    challenge: Challenge,
}

/// What somebody would do.
struct Position {
    option: &'static str,
    success: u64,
    crux: &'static str,
}

/// What an expert says before it has read the others.
pub(crate) struct Alone {
    reference: &'static str,
    analysis: &'static str,
    position: Position,
    red: &'static str,
    yellow: &'static str,
    summary: &'static str,
}

/// What it says after it has read them.
struct Challenge {
    against: &'static str,
    responses: [Rejoinder; 2],
    position: Position,
    analysis: &'static str,
    yellow: &'static str,
    summary: &'static str,
    revised: Option<&'static str>,
}

/// An answer to a finding of somebody else.
struct Rejoinder {
    of: &'static str,
    finding: &'static str,
    verdict: &'static str,
    /// With `@` where the reader's word for the other stands.
    because: &'static str,
    effect: &'static str,
}

const EXPERTS: [Expert; 3] = [
    Expert {
        role: "Operations lead",
        mission: "Looks at the week as customers live it: who answers on which day, what moves, what is dropped.",
        alone: Alone {
            reference: "Teams that try a shorter week with numbers agreed beforehand mostly keep it, in \
                        perhaps eight of ten reported trials (from memory). But those teams chose \
                        themselves, and most are larger than twelve. Where one was given up, late answers \
                        to customers were often the reason, and the smaller the team, the thinner its cover.",
            analysis: "**What decides it is who answers on the free day.** Twelve people on five days are \
                       60 days of work a week; on four days they are 48. One free day for all leaves a \
                       fifth of the week with nobody, and what is written on a Friday waits until Monday. \
                       Two groups with different free days keep six people at work on Wednesdays and \
                       Fridays, and all twelve on the other three days.\n\n\
                       Six are enough as long as each task that cannot wait has two people who know it, one \
                       in each group. With one of them ill, five are left, so the test is a Wednesday with \
                       five.\n\n\
                       **How I would do it:**\n\
                       - This week, list each task that has to be done on the day it comes, with two names \
                       beside it.\n\
                       - For four weeks, note how long a first answer takes and how much is finished. \
                       Nothing changes yet.\n\
                       - Then three months in two groups, with a look at both numbers in week six. If \
                       either is worse by more than a tenth, go back.\n\n\
                       Where no second name can be found, shorter days are right instead; where hardly \
                       anybody writes on Fridays, one free day for all is.",
            position: Position {
                option: "Try a four-day week in two groups",
                success: 65,
                crux: "A task that cannot wait and that only one of you knows; then I would begin with \
                       shorter days.",
            },
            red: "If a contract promises an answer within a day, the first free day can break it and cost \
                  you the customer. Look before you announce anything.",
            yellow: "At a quarter of an hour on each side (assumed), sixteen cases handed over in a week \
                     use up one person's free day.",
            summary: "Two groups with different free days keep at least six people at work on every \
                      weekday; one free day for all leaves a fifth of the week unanswered.",
        },
        challenge: Challenge {
            against: "Suppose that two groups were tried and failed. The best reason is one that I left \
                      out: the free day was never free. Those at work asked those at home all day long, \
                      because half of what you know is in one person's head. Answers came in time, \
                      everybody was as tired as before, and the trial was remembered as proof that a \
                      shorter week does not work. That costs three months and the will to try again.",
            responses: [
                Rejoinder {
                    of: "Wellbeing adviser",
                    finding: "When nobody is working, nobody writes, so the same day off rests people more",
                    verdict: "in_part",
                    because: "The @ is right that rest needs quiet, but an empty Friday leaves a fifth of \
                              the week unanswered. A rule gives most of the quiet: nobody is written to on \
                              a free day.",
                    effect: "The rule becomes part of the trial",
                },
                Rejoinder {
                    of: "Employment lawyer",
                    finding: "A free day without an end date can become a right",
                    verdict: "holds",
                    because: "The @ names the one thing that cannot be mended later, and a signed page \
                              costs a few hours.",
                    effect: "No free day before all have signed",
                },
            ],
            position: Position {
                option: "Try a four-day week in two groups",
                success: 65,
                crux: "A task that cannot wait and that only one of you knows; then I would begin with \
                       shorter days.",
            },
            analysis: "Two things come to the plan. Nobody is written to on a free day; whatever can wait \
                       goes on a list for the next morning. And the second name beside each task is found \
                       before the first free day, which also shows where only one of you knows something.",
            yellow: "Where only one of you knows a task, the rule will be broken in the first week.",
            summary: "Two groups still, with two names for each task and nobody written to on a free day.",
            revised: None,
        },
    },
    Expert {
        role: "Wellbeing adviser",
        mission: "Looks at rest, workload and fairness: who gains, who squeezes five days into four, who is left out.",
        alone: Alone {
            reference: "Trials of a shorter week mostly report less exhaustion and fewer days of illness, \
                        and most where the hours really fell (from memory). Where five days of work were \
                        pressed into four, the gain was gone within months. I know of no counts for teams \
                        of twelve, so take this as a direction and not as a size.",
            analysis: "**What decides it is whether the free day is free.** Four days of eight hours are 32 \
                       instead of 40. To finish the same work, each hour would have to yield a quarter more \
                       (40 ÷ 32 = 1.25). Nobody keeps that up by hurrying: it comes from work that is \
                       dropped, 96 hours a week for the twelve of you, or it does not come.\n\n\
                       The same day off for all has a strength that no rota has: when nobody is working, \
                       nobody writes. With two rotas, somebody is always at work who has a question.\n\n\
                       **How I would do it:**\n\
                       - Before anything begins, everybody names eight hours a week that nobody would miss: \
                       a meeting, a report, a mail to five people.\n\
                       - Then three months with the same Friday off. An answering service takes urgent \
                       calls.\n\
                       - Every four weeks, three questions without names: how rested, how rushed, how fair? \
                       If three of you are more rushed than before, drop more work first.\n\
                       - Part-time colleagues get the same: a fifth fewer hours at the same pay, or a \
                       quarter more pay.\n\n\
                       If Friday is your busiest day, another day is right; if no day is quiet, two rotas \
                       are.",
            position: Position {
                option: "Give everyone the same Friday off",
                success: 50,
                crux: "A count by weekday that shows more than a fifth of all requests coming on Fridays.",
            },
            red: "Whoever took less pay for a shorter week would see others get it for nothing. Announce \
                  nothing before they have an offer; that trust does not come back.",
            yellow: "Days of ten hours would take back with one hand what the free day gives with the other.",
            summary: "A free day rests people only if nobody writes to them on it, and 96 hours of work a \
                      week have to be dropped first.",
        },
        challenge: Challenge {
            against: "Suppose that everybody had the same Friday off and it failed. The best reason is one \
                      that nobody gave: the work did not go away. It waited until Monday, with three days \
                      of questions on top, and Monday became the hardest day of the week. People rested on \
                      Friday and paid for it, and after two months they asked for the old week back. That \
                      would have been the end of every other try as well.",
            responses: [
                Rejoinder {
                    of: "Operations lead",
                    finding: "One free day for all leaves a fifth of the week unanswered",
                    verdict: "holds",
                    because: "The @ is right: what is written on a Friday morning waits until Monday, and \
                              an answering service can do no more than take it down.",
                    effect: "My chance falls",
                },
                Rejoinder {
                    of: "Employment lawyer",
                    finding: "Shorter days are easy to undo",
                    verdict: "in_part",
                    because: "The @ is right about undoing them, but 5 hours a week in five pieces give \
                              nobody a day of rest, and the commutes stay.",
                    effect: "nothing",
                },
            ],
            position: Position {
                option: "Give everyone the same Friday off",
                success: 45,
                crux: "Free days in two groups that stay free: broken no more than twice a month for \
                       anybody.",
            },
            analysis: "I would accept two groups if free days are protected by a rule that everybody signs: \
                       no message and no call, and whoever breaks it says so on the next day that all are \
                       there. The workload stays my first worry: without a list of 96 hours that can go, \
                       the days only become longer.",
            yellow: "Without a list of what is dropped, four days of eight hours turn into four of ten.",
            summary: "Still one day for all; two groups would do if free days are protected in writing.",
            revised: Some("an empty Friday lets customers wait three days"),
        },
    },
    Expert {
        role: "Employment lawyer",
        mission: "Looks at contracts, overtime and working-time rules: what has to be agreed in writing, and undone.",
        alone: Alone {
            reference: "Disputes about a shorter week mostly begin at its end: what was given for months \
                        without an end date is claimed as a right (from memory). Where the end stood in \
                        writing and all had signed it, I know of few. How far this holds depends on your \
                        country, which the question does not name.",
            analysis: "**What decides it is how you get out again.** A free day that is announced in a \
                       meeting and given for months can become part of the contract in many countries (from \
                       memory). The same day with an end date on a signed page ends by itself.\n\n\
                       Four days of ten hours are no way around it: many places allow eight hours a day, \
                       and ten only for a while (from memory). So the hours have to fall to 32, and with \
                       them changes what the contracts say of overtime and holidays.\n\n\
                       **How I would do it:**\n\
                       - First end each day an hour earlier, for three months: 35 hours instead of 40, for \
                       all alike. You say in writing that it is for three months; no contract changes.\n\
                       - Whoever wants the whole day at once signs one page: “From … to … I work four days \
                       of eight hours at the same pay. After that my contract holds again as it stands.”\n\
                       - The same page says what a day of holiday is worth, when overtime begins, and what \
                       part-time colleagues get.\n\n\
                       If one of you does not sign, stay with shorter days for all. If all twelve sign, the \
                       trial is right.",
            position: Position {
                option: "Shorten each day by an hour first",
                success: 70,
                crux: "A page with an end date that all twelve have signed before the first free day.",
            },
            red: "A free day that is announced without an end date can become a right that you cannot take \
                  back. Have a lawyer read the page first.",
            yellow: "In a week of four days a day of holiday is worth more than in one of five; count \
                     holidays in weeks.",
            summary: "Shorter days need no new contracts and are easy to undo; a free day needs an end date \
                      that everybody has signed.",
        },
        challenge: Challenge {
            against: "Suppose that the days were shortened by an hour and it failed. The best reason is one \
                      that nobody gave: nobody noticed. Five commutes stayed, the hour went into longer \
                      lunches and late calls, and after three months no number had moved. The team then \
                      says that shorter hours do not work, and never tries the day off, although it never \
                      had one.",
            responses: [
                Rejoinder {
                    of: "Operations lead",
                    finding: "Two numbers, agreed beforehand, decide whether the trial goes on",
                    verdict: "holds",
                    because: "The @ names what a contract can point to. With the numbers on the signed \
                              page, going back is what was agreed and no punishment.",
                    effect: "The numbers stand on the page beside the end date",
                },
                Rejoinder {
                    of: "Wellbeing adviser",
                    finding: "Part-time colleagues need a fifth fewer hours or a quarter more pay",
                    verdict: "holds",
                    because: "The @ has the sum right: 40 ÷ 32 = 1.25, so an hour of the others is paid a \
                              quarter better. To leave part-time colleagues out is forbidden in many \
                              countries (from memory).",
                    effect: "Their offer stands on the same page",
                },
            ],
            position: Position {
                option: "Shorten each day by an hour first",
                success: 55,
                crux: "A page with an end date that all twelve have signed before the first free day.",
            },
            analysis: "The page now has four parts: days and hours, the end date, the two numbers, and what \
                       part-time colleagues get. With all four on it, I have nothing against a trial in two \
                       groups. Shorter days stay the safer first step where somebody does not sign.",
            yellow: "A page without the two numbers leaves it to a quarrel whether the trial has failed.",
            summary: "Two groups are fine with an end date in writing; shorter days remain the safer first step.",
            revised: Some("five shorter days give nobody a free day, so less is gained"),
        },
    },
];

/// The question without ambiguity, what only the team can say, and three experts of whom one does not fit, so that there is
/// something to edit.
pub(crate) fn propose(reply: &mut Value) {
    reply["restated_problem"] = "Decide whether all 12 people move from five working days to four at the same pay: at \
        once, as a trial first, or not at all. Whether the hours fall with the days is not said; take it that they do."
        .into();
    reply["open_points"] = json!([
        "On which weekdays do customers need an answer on the same day?",
        "How many of you work part-time, and on which days?"
    ]);
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

/// Which of the experts is asked; none where a module of a mediation is.
pub(crate) fn expert(call: &Call) -> Option<&'static Expert> {
    EXPERTS.iter().find(|expert| call.user.contains(&format!("from the side of {} (", expert.role)))
}

/// The letter under which this reader sees whoever says this.
fn letter(call: &Call, mark: &str) -> Option<char> {
    ('A'..='D').find(|letter| {
        let said = call.user.split_once(&format!("Analysis {letter}:\n")).map_or("", |(_, rest)| rest);
        said.split("\nAnalysis ").next().is_some_and(|own| own.contains(mark))
    })
}

impl Position {
    fn told(&self) -> Value {
        json!({"option": self.option, "success": self.success, "crux": self.crux})
    }
}

impl Alone {
    pub(crate) fn told(&self) -> Value {
        json!({
            "reference": self.reference, "analysis": self.analysis, "position": self.position.told(),
            "flags": flags(self.red, self.yellow), "summary": self.summary,
        })
    }
}

impl Expert {
    /// What it says to this call, which shows it the others under letters. What it had flagged red stands.
    pub(crate) fn revision(&self, call: &Call) -> Value {
        let Challenge { against, responses, position, analysis, yellow, summary, revised } = &self.challenge;
        let responses: Vec<Value> = responses.iter().map(|response| response.told(call)).collect();
        json!({
            "against": against, "responses": responses, "position": position.told(), "analysis": analysis,
            "flags": flags(self.alone.red, yellow), "summary": summary, "revised": revised,
        })
    }
}

impl Rejoinder {
    fn told(&self, call: &Call) -> Value {
        let other = EXPERTS.iter().find(|expert| expert.role == self.of);
        let letter = other.and_then(|other| letter(call, other.alone.summary));
        let letter = letter.map(String::from).unwrap_or_default();
        json!({
            "of": letter, "finding": self.finding, "verdict": self.verdict,
            "because": self.because.replace('@', &format!("analysis {letter}")), "effect": self.effect,
        })
    }
}

fn flags(red: &str, yellow: &str) -> Value {
    json!([{"color": "red", "text": red}, {"color": "yellow", "text": yellow}])
}

impl Choice {
    fn told(&self) -> Value {
        json!({
            "title": self.title, "action": self.action, "cost": self.cost, "stop": self.stop, "raised_by": self.raised_by, "combines": [],
        })
    }
}

/// The notary's memo: nobody objects to anything in its draft.
pub(crate) fn memo() -> Answer {
    let options: Vec<Value> = WEEK.iter().map(Choice::told).collect();
    Answer::Json(json!({
        "resolutions": [], "edits": [], "anew": [{"answer": WEEK_ANSWER, "text": WEEK_MEMO}], "options": options, "conflicts": [],
        "kept_against": [{
            "finding": "Shorter days ask for 60 hours a week less instead of 96, and a sentence undoes them",
            "from": "Employment lawyer",
            "right_if": "You cannot name 96 hours a week that nobody would miss",
        }],
        "unknown": [{
            "what": "How many requests come on a Friday; hardly any would speak for the same day off for all",
            "find_out": "Count last month's by weekday, this week",
        }],
        "flags": [],
    }))
}
