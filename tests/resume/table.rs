//! Sessions with everything in them, from the command to a pinned decision: what the models answer in every run,
//! what people do, and what the database holds of it.

use std::{
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
};

use playground::{
    Id,
    ids::{ADA, BEN, CHLOE, DECISIONS},
};
use serde_json::{Value, json};
use sqlx::Row;

use crate::{
    resume::{
        doing::{Doing, Then},
        scene::{PATIENCE, PROBLEM, card, posts, seat_of, snapshot, text_of, thread},
    },
    support::{
        Stage,
        model::{Answer, Call, plausible},
        play::{MEDIATION_CALLS, Part},
    },
    vote::scene::option,
};

/// Model calls of a roundtable of three that nothing disturbs: gatekeeper and question, and a look at its solutions.
pub const ROUNDTABLE_CALLS: usize = MEDIATION_CALLS + 3;

/// Those whom the gatekeeper proposes, and those whom Ada wants.
const PROPOSED: [&str; 3] = ["Baker", "Locksmith", "Cartographer"];
const WANTED: [&str; 3] = ["Baker", "Courier", "Cartographer"];
/// What is voted on, each the favourite of the expert at its place.
const PLANS: [(&str, &str); 3] = [
    ("Bake for every district", "One bakery in each district takes orders by telephone."),
    ("Ride in the rain", "Employed riders with good coats and a guaranteed wage."),
    ("Draw better maps", "Maps of all back yards, so that no rider looks for a door."),
];

const ADA_VOTES: Doing = Doing { choose: &["1"], ..Doing::press(ADA, "vote_all") }.promises(
    "Your vote counts: S1 10",
    "SELECT count(*) FROM ballot WHERE voter_name = 'Ada' AND choice = '[10,0,0]'",
);
const BEN_VOTES: Doing = Doing::press(BEN, "vote_spread").then(Then::Spread(&[3, 7])).promises(
    "Your vote counts: S1 3, S2 7",
    "SELECT count(*) FROM ballot WHERE voter_name = 'Ben' AND json_extract(choice, '$[0]', '$[1]') = '[3,7]'",
);
const CHLOE_PROPOSES: Doing = Doing::press(CHLOE, "propose")
    .then(Then::Send(&["Carry it by boat", "The canal passes every kitchen."]))
    .promises(
        "Added",
        "SELECT count(*) FROM solution WHERE n = 4 AND title = 'Carry it by boat' AND proposer_id IS NOT NULL",
    );
const CHLOE_VOTES: Doing = Doing::press(CHLOE, "vote_spread").then(Then::Type("S2 1\nS4 9")).promises(
    "Your vote counts: S2 1, S4 9",
    "SELECT count(*) FROM ballot WHERE voter_name LIKE 'Chlo%' AND choice = '[0,1,0,9]'",
);
const ADA_DECIDES: Doing = Doing::press(ADA, "decide")
    .then(Then::SendOnce(&[
        "S1",
        "It is the smallest step.",
        "1100000000000000012",
        "",
        "Chloé would rather row.",
    ]))
    .promises("Recorded", "SELECT count(*) FROM decision");

/// The card shows the roles as they were edited: only then is there a Go for them.
const EDITED: &str = "SELECT count(*) FROM panel WHERE key = 'roles' AND shown >= revision";

/// All that people do at a roundtable.
pub const ROUNDTABLE: &[Doing] = &[
    Doing::press(ADA, "roles_edit")
        .then(Then::Send(&[
            "Baker\nAsks for bread.",
            "Courier\nAsks who rides in the rain.",
            "Cartographer\nAsks where it is.",
        ]))
        .promises("Saved", "SELECT count(*) FROM wait WHERE draft LIKE '%Courier%'"),
    Doing::press(ADA, "roles_go")
        .promises(
            "Go. The experts begin",
            "SELECT count(*) FROM wait WHERE kind = 'roles' AND value IS NOT NULL AND by_name = 'Ada'",
        )
        .after(EDITED),
    ADA_VOTES,
    BEN_VOTES,
    CHLOE_PROPOSES,
    CHLOE_VOTES,
    Doing::press(ADA, "vote_close").then(Then::Sure("vote_close_sure")).promises(
        "The vote is closed. The result",
        "SELECT count(*) FROM vote WHERE state <> 'open' AND closed_why = 'person' AND closed_by_name = 'Ada'",
    ),
    ADA_DECIDES,
];

/// All that people do where a vote is closed by its deadline.
pub const MEDIATION: &[Doing] = &[ADA_VOTES, BEN_VOTES, CHLOE_PROPOSES, CHLOE_VOTES, ADA_DECIDES];

/// Starts a roundtable of three.
pub fn roundtable(stage: &Stage) -> Id {
    let options = json!({"problem": PROBLEM, "experts": 3});
    stage.discord.client().run_command(ADA, DECISIONS, "roundtable", options).unwrap()
}

/// Has the models answer by what is asked of whom, whatever the order of what they are shown.
pub fn answer_alike(stage: &Stage) {
    stage.model.on(|call| Some(Answer::Json(usual(call))));
}

fn usual(call: &Call) -> Value {
    let part = call.part();
    let place = place(call, part);
    let mut hasher = DefaultHasher::new();
    (part, place).hash(&mut hasher);
    let mut reply = plausible(call, hasher.finish());
    let plan = |place: usize| format!("{}: {}", PLANS[place].0, PLANS[place].1);
    let is_roundtable = call.system.contains("- Cartographer: ");
    let options = || {
        let from = PLANS.iter().zip(if is_roundtable { WANTED } else { ["market", "cost", "risk"] });
        from.map(|((title, how), by)| option(title, how, &[by])).collect::<Value>()
    };
    match part {
        Part::Gatekeeper => {
            for (role, name) in reply["roles"].as_array_mut().unwrap().iter_mut().zip(PROPOSED) {
                role["role_name"] = name.into();
                role["role_mission"] = format!("Asks what a {} would.", name.to_lowercase()).into();
            }
        }
        Part::First | Part::Revision if is_roundtable => {
            reply["summary"] = plan(place).into();
            reply["position"]["option"] = PLANS[place].0.into();
        }
        Part::Synthesis => reply["options"] = options(),
        Part::Scoring => reply["points"] = points(call, place),
        _ => {}
    }
    reply
}

/// Six to one's own, three to the next, one to the last, under the numbers that everybody knows them by.
fn points(call: &Call, place: usize) -> Value {
    let options = call.user.lines().filter_map(|line| {
        let (number, rest) = line.split_once(". ")?;
        let plan = PLANS.iter().position(|(title, _)| rest.starts_with(title))?;
        ["S1", "S2", "S3"]
            .contains(&number)
            .then(|| (number.to_owned(), json!([6, 3, 1][(plan + 3 - place) % 3])))
    });
    Value::Object(options.collect())
}

/// Who is asked, as a place among the three.
fn place(call: &Call, part: Part) -> usize {
    let (names, name) = match part {
        Part::First | Part::Revision | Part::Check | Part::Scoring
            if call.system.contains("- Cartographer: ") =>
        {
            (WANTED, call.role())
        }
        Part::First | Part::Revision | Part::Scoring => (["market", "cost", "risk"], seat_of(call)),
        _ => return 0,
    };
    names.iter().position(|known| *known == name).unwrap_or_else(|| panic!("who is {name}?"))
}

/// The texts of a thread, the same in every run but for the order of those who speak at the same time. The closing
/// line's counters are left out, so are moments and the session's name, and the order in which an expert read the
/// others.
pub fn texts(stage: &Stage) -> Vec<String> {
    let thread = thread(stage).expect("a thread");
    posts(stage, thread).iter().map(|post| normal(&text_of(post))).collect()
}

/// A post's text, the same in every run.
pub fn normal(text: &str) -> String {
    if text.starts_with("✅ Done") {
        return "closing".to_owned();
    }
    let mut pieces = text.split("<t:");
    let mut normal = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        normal.push_str("<t>");
        normal.push_str(piece.split_once('>').map_or("", |(_, rest)| rest));
    }
    let lines = normal.lines().filter(|line| !line.starts_with("Answers "));
    let lines = lines.map(|line| line.split_once(" · session ").map_or(line, |(before, _)| before));
    lines.collect::<Vec<_>>().join("\n")
}

/// In which part of the session a post belongs. The closing line comes once the vote is open, whatever people have
/// done with it by then.
pub fn phase_of(text: &str) -> usize {
    let first = text.lines().next().unwrap_or_default();
    let parts: [&[&str]; 8] = [
        &["who looks at it"],
        &["round 1"],
        &["round 2"],
        &["The draft was checked", "Do this", "Open between the specialists"],
        &["oints"],
        &["Vote ·"],
        &["What the experts and the team chose"],
        &["Decision 1"],
    ];
    let of = parts.iter().position(|marks| marks.iter().any(|mark| first.contains(mark)));
    of.unwrap_or_else(|| panic!("of no part: {text}"))
}

/// What the database holds of a session's vote, its count and its decisions.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who gave what, in the order of their names.
    pub ballots: Vec<(String, String)>,
    /// What was voted on.
    pub solutions: Vec<String>,
    /// State of the vote and why it closed.
    pub votes: Vec<(String, Option<String>)>,
    /// Posts by key and part, each with its state.
    pub posts: Vec<(String, i64, String)>,
    /// Decisions with what became of their pins.
    pub decisions: Vec<(i64, String)>,
    /// Panels that do not show what is so.
    pub stale: i64,
    /// Whether the session is over.
    pub done: bool,
}

/// What the database holds of a session.
pub trait Held: fmt::Debug + Send + Sized {
    /// What it holds now.
    fn read(stage: &Stage) -> impl Future<Output = Self> + Send;
    /// Whether nothing is left to do.
    fn settled(&self) -> bool;
}

/// What members were told in private, which tells who waits for what.
fn private_answers(stage: &Stage) -> Vec<String> {
    let here = thread(stage).into_iter().chain([DECISIONS]);
    let all = here.flat_map(|channel| stage.discord.messages(channel));
    let private = all.filter(|message| !message["ephemeral_for"].is_null());
    private.map(|message| format!("{}: {}", message["ephemeral_for"], text_of(&message))).collect()
}

/// Waits until the database holds what is wanted.
pub async fn wait_until<H: Held>(stage: &Stage, wanted: impl Fn(&H) -> bool + Send) -> H {
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let outcome = H::read(stage).await;
        if wanted(&outcome) {
            return outcome;
        }
        assert!(
            tokio::time::Instant::now() < until,
            "it did not come to that: {outcome:#?}\nthe card:\n{}\nthe thread:\n{}\nprivate answers:\n{}",
            card(stage),
            thread(stage).map(|_| texts(stage).join("\n---\n")).unwrap_or_default(),
            private_answers(stage).join("\n---\n")
        );
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

impl Held for Outcome {
    async fn read(stage: &Stage) -> Self {
        let pool = snapshot(stage).await;
        let all = async |query: &'static str| sqlx::query(query).fetch_all(&pool).await.unwrap();
        let ballots = all("SELECT voter_name, choice AS points FROM ballot ORDER BY voter_name").await;
        let posts = all("SELECT post_key, part, state FROM outbox ORDER BY post_key, part").await;
        let decisions = all("SELECT n, pin FROM decision ORDER BY n").await;
        let votes = all("SELECT state, closed_why FROM vote").await;
        let solutions = all("SELECT title FROM solution ORDER BY n").await;
        let behind = all("SELECT count(*) FROM panel WHERE shown < revision").await;
        let sessions = all("SELECT state FROM session").await;
        pool.close().await;
        Self {
            ballots: ballots.iter().map(|row| (row.get(0), row.get(1))).collect(),
            solutions: solutions.iter().map(|row| row.get(0)).collect(),
            votes: votes.iter().map(|row| (row.get(0), row.get(1))).collect(),
            posts: posts.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect(),
            decisions: decisions.iter().map(|row| (row.get(0), row.get(1))).collect(),
            stale: behind[0].get(0),
            done: sessions.iter().all(|row| row.get::<&str, _>(0) == "done"),
        }
    }

    /// Nothing is left to do: decided and pinned, everything sent, every panel true.
    fn settled(&self) -> bool {
        self.done
            && self.decisions.iter().any(|(_, pin)| pin == "done")
            && self.posts.iter().all(|(_, _, state)| state == "sent")
            && self.stale == 0
    }
}

/// Waits until nothing is left to do, and the live card says so.
pub async fn wait_settled(stage: &Stage) -> Outcome {
    wait_until(stage, |outcome: &Outcome| outcome.settled() && card(stage).contains("Done")).await
}

/// A key without the numbers that Discord gave.
pub fn nameless(key: &str) -> String {
    let parts = key.split('/').map(|part| {
        let (number, rest) = part.split_at(part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len()));
        if number.len() > 9 { format!("#{rest}") } else { part.to_owned() }
    });
    parts.collect::<Vec<_>>().join("/")
}
