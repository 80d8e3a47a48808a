//! How much time Quorum adds to that of the models.

use std::{collections::HashMap, time::Duration};

use super::{
    scene::{Case, Scene, now_ms},
    table::{Measured, Table, ms, percentile},
};

/// Calls that wait for one another: round 1, round 2 (beside which the memo is drafted), its check, the memo, points.
const DEPTH: u32 = 5;

fn overhead(took: &[Duration], latency: Duration) -> Vec<f64> {
    took.iter().map(|took| ms(took.saturating_sub(latency * DEPTH))).collect()
}

/// Long enough for a session, whatever its models take.
fn patience(latency: Duration) -> Duration {
    latency * DEPTH * 2 + Duration::from_mins(2)
}

/// One session at a time, five times.
pub async fn one_session(table: &mut Table, latency: Duration) {
    let (mut beyond, mut posted) = (Vec::new(), Vec::new());
    let scene = Scene::new(5, latency).await;
    let _bot = scene.bot().await;
    for n in 0..5 {
        let case = scene.ask(n..n + 1);
        beyond.extend(overhead(&scene.wait_done(&case, patience(latency)).await, latency));
        posted.extend(overhead(&scene.wait_posted(&case, patience(latency)).await, latency));
    }
    let value = percentile(&beyond, 50.0);
    let measured = Measured { value, goal: 30.0, limit: 100.0, unit: "ms" };
    table.check("one session: time beyond 5 D (median of 5)", measured);
    table.note("slowest", format!("{:.0} ms", percentile(&beyond, 100.0)));
    table.note("until its last post (Discord: 5 in 5 s)", format!("{:.0} ms", percentile(&posted, 50.0)));
}

/// So many sessions at once: what is added to the models' time, and what of the processor each takes.
pub async fn many_sessions(table: &mut Table, sessions: usize, latency: Duration) {
    let scene = Scene::new(sessions, latency).await;
    let bot = scene.bot().await;
    let idle = bot.processor();
    let cases = scene.ask(0..sessions);
    let took = scene.wait_done(&cases, patience(latency)).await;
    let done = bot.processor();
    let beyond = overhead(&took, latency);
    let share = |ms: f64| ms / (1e3 * latency.as_secs_f64() * f64::from(DEPTH)) * 100.0;
    // At fifty it is promised; at two hundred only aimed at.
    let (goal, limit) = if sessions > 50 { (2.0, 25.0) } else { (1.0, 5.0) };
    for (which, part) in [("median", 50.0), ("slowest", 100.0)] {
        let value = share(percentile(&beyond, part));
        let what = format!("{sessions} sessions: time beyond 5 D ({which})");
        table.check(&what, Measured { value, goal, limit, unit: "%" });
        table.note("in time", format!("{:.0} ms", percentile(&beyond, part)));
    }
    let posted: Vec<f64> =
        scene.wait_posted(&cases, Duration::from_mins(5)).await.into_iter().map(ms).collect();
    #[allow(clippy::cast_precision_loss)]
    let each = |until: Duration| ms(until.saturating_sub(idle)) / sessions as f64;
    table.check(
        &format!("{sessions} sessions: processor time of each until it is done"),
        Measured { value: each(done), goal: 40.0, limit: 100.0, unit: "ms" },
    );
    table.note("until its last post, with its pictures", format!("{:.0} ms", each(bot.processor())));
    let requests = scene.discord.requests().len();
    table.note(
        "until its last post (Discord: 50 a second), slowest",
        format!("{:.1} s", percentile(&posted, 100.0) / 1e3),
    );
    #[allow(clippy::cast_precision_loss)]
    let value = scene.discord.limited() as f64;
    table.check(
        &format!("{sessions} sessions: requests answered 429"),
        Measured { value, goal: 0.0, limit: 0.0, unit: "" },
    );
    table.note("of requests in all", requests.to_string());
    assert_eq!(scene.discord.violations(), Vec::<String>::new());
}

/// From a round's first reply to its first card. The models take long enough that Discord's own limit of five
/// messages in 5 s holds no card back.
pub async fn first_card(table: &mut Table) {
    let scene = Scene::new(6, Duration::from_secs(6)).await;
    let _bot = scene.bot().await;
    let cases = scene.ask(0..6);
    scene.wait_done(&cases, Duration::from_mins(2)).await;
    scene.wait_posted(&cases, Duration::from_mins(2)).await;
    let waits = waits(&scene, &cases);
    let value = percentile(&waits, 100.0);
    table.check(
        "first card after a round's first reply (slowest of 18)",
        Measured { value, goal: 300.0, limit: 300.0, unit: "ms" },
    );
    table.note("median", format!("{:.0} ms", percentile(&waits, 50.0)));
}

fn waits(scene: &Scene, cases: &[Case]) -> Vec<f64> {
    let (calls, requests) = (scene.model.calls(), scene.discord.requests());
    let mut first_replies: HashMap<(usize, String), u64> = HashMap::new();
    for call in &calls {
        let ended = call.ended.expect("all calls are over");
        let at = now_ms().saturating_sub(u64::try_from(ended.elapsed().as_millis()).unwrap());
        let text = call.text();
        let case = cases.iter().find(|case| text.contains(&format!("Case {}:", case.n)));
        let first =
            first_replies.entry((case.expect("a case's call").n, call.kind().to_owned())).or_insert(at);
        *first = at.min(*first);
    }
    let mut waits = Vec::new();
    for case in cases {
        let path = format!("channels/{}/messages", scene.thread(case));
        let cards: Vec<(u64, String)> = requests
            .iter()
            .filter(|request| request.method == "POST" && request.path.trim_start_matches('/') == path)
            .map(|request| {
                let title = request.body.as_ref().map(|body| body["embeds"][0]["title"].to_string());
                (request.at_ms, title.unwrap_or_default())
            })
            .collect();
        let shown = [("round 1", "module_analysis"), ("round 2", "module_revision"), ("Do this", "memo")];
        for (title, kind) in shown {
            let first = first_replies[&(case.n, kind.to_owned())];
            let card = cards.iter().find(|(_, card)| card.contains(title));
            let Some((at, _)) = card else { panic!("no card with {title:?} among {cards:?}") };
            #[allow(clippy::cast_precision_loss)]
            waits.push(at.saturating_sub(first) as f64);
        }
    }
    waits
}
