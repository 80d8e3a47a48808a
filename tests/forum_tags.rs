//! The tags of a forum's post say where its session stands: each change once, nothing where no tag says it, and nothing lost
//! whenever the bot is killed.

use std::time::Duration;

use playground::{
    Fault, Id, bits,
    ids::{ADA, BEN, CHLOE, RIVERSIDE},
};
use serde_json::{Value, json};

use crate::{
    decision::scene::{form, record},
    support::{
        Actor, Moment, Stage, has, nothing_comes,
        play::{buttons, id, thread_of},
        thirds, wait_for_end,
    },
};

const PROBLEM: &str = "Do we open the bakery on Sundays?";
const STATES: [(&str, bool); 6] = [
    ("Bakery", false),
    ("Running", false),
    ("Voting", false),
    ("Done", false),
    ("Decided", false),
    ("Sticky", true),
];

/// A forum with these tags and a post of Ben's.
fn forum(stage: &Stage, tags: &[(&str, bool)]) -> (Id, Id, Vec<Id>) {
    let client = stage.discord.client();
    let forum = client.add_channel(RIVERSIDE, 15, "ideas");
    let tags = client.set_tags(forum, tags, false);
    (forum, client.open_thread(BEN, forum, "Sundays", false), tags)
}

fn carried(stage: &Stage, post: Id) -> Vec<Id> {
    stage.discord.channel(post).unwrap()["applied_tags"].as_array().into_iter().flatten().map(id).collect()
}

async fn wait_carried(stage: &Stage, post: Id, tags: &[Id]) {
    stage.wait_until(post, &format!("it carries {tags:?}"), async || carried(stage, post) == tags).await;
}

/// How often a channel or thread was asked for, or changed.
fn asked(stage: &Stage, method: &str, channel: Id) -> usize {
    let path = format!("/channels/{channel}");
    stage.discord.requests().iter().filter(|one| one.method == method && one.path == path).count()
}

/// Somebody asks about a message in a post that has its session; gives the session's own post.
async fn own_post(stage: &Stage, post: Id) -> Id {
    let message = stage.attach(CHLOE, post, "Should we bake on Saturdays instead, too?", vec![]);
    let offer = stage.apps(CHLOE, post, message, "Ask the panel about this message").await.messages.remove(0);
    thread_of(&stage.choose(CHLOE, post, &offer, "Choose what it is for", "mediate").await, CHLOE)
}

/// What closes the vote for everyone: the private message, and the button's name.
async fn closing(stage: &Stage, member: Id, post: Id) -> (Value, String) {
    let panel = stage.wait_for(post, "[Close vote]").await;
    let sure = stage.press(member, post, &panel, "Close vote").await.messages.remove(0);
    let (_, close) = buttons(&sure).remove(0);
    (sure, close)
}

async fn close_vote(stage: &Stage, member: Id, post: Id) {
    let (sure, _) = closing(stage, member, post).await;
    stage.press(member, post, &sure, "Close it for everyone").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_of_its_own_carries_the_tag_of_its_state_and_each_change_is_one_request() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let (forum, bens, tags) = forum(&stage, &STATES);
    stage.started(ADA, bens, "mediate", json!({ "problem": PROBLEM })).await;
    wait_for_end(&stage, bens).await;
    stage.model.hold(|_| true);
    let post = own_post(&stage, bens).await;
    assert_eq!(carried(&stage, post), [tags[1]], "from the start");
    // What others put there stays.
    stage.discord.client().tag_post(post, &[tags[5], tags[1], tags[0]]);
    stage.model.let_go();
    wait_for_end(&stage, post).await;
    wait_carried(&stage, post, &[tags[5], tags[0], tags[2]]).await;
    close_vote(&stage, CHLOE, post).await;
    wait_carried(&stage, post, &[tags[5], tags[0], tags[3]]).await;
    let recorded = record(&stage, CHLOE, post, &form(&[("solution", "S1")])).await;
    has(&recorded.text(), &["ecision"]);
    wait_carried(&stage, post, &[tags[5], tags[0], tags[4]]).await;
    assert_eq!(asked(&stage, "PATCH", post), 3, "one for each change");
    // For the first session's tags, before the protocols were offered, before one began, and when its post was opened.
    assert_eq!(asked(&stage, "GET", forum), 4);

    // Ben's own post is his, as long as the bot may not manage threads: tried once, and let be.
    assert_eq!(carried(&stage, bens), Vec::<Id>::new());
    assert_eq!(asked(&stage, "PATCH", bens), 1);

    // After a restart nothing is asked for.
    let before = asked(&stage, "GET", post);
    bot.kill().await;
    let bot = stage.bot().await;
    nothing_comes(Duration::from_millis(500)).await;
    assert_eq!((asked(&stage, "GET", post), asked(&stage, "PATCH", post)), (before, 3));
    stage.nothing_amiss();
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_members_post_carries_it_where_the_bot_manages_threads_also_when_discord_stumbles() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let (forum, post, tags) = forum(&stage, &STATES);
    stage.discord.faults().allow(forum, bits::MANAGE_THREADS);
    stage.discord.client().tag_post(post, &tags[..1]);
    stage.model.hold(|_| true);
    stage.started(ADA, post, "mediate", json!({ "problem": PROBLEM })).await;
    wait_carried(&stage, post, &tags[..2]).await;
    stage.discord.faults().on("PATCH", &format!("/channels/{post}"), 7, Fault::Status(502));
    stage.model.let_go();
    wait_for_end(&stage, post).await;
    wait_carried(&stage, post, &[tags[0], tags[2]]).await;
    // A post that was put aside meanwhile comes back with its tag.
    let (sure, _) = closing(&stage, ADA, post).await;
    stage.discord.faults().set_thread(post, true, false);
    stage.press(ADA, post, &sure, "Close it for everyone").await;
    wait_carried(&stage, post, &[tags[0], tags[3]]).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_tag_says_a_state_nothing_is_asked_for() {
    let stage = Stage::start().await;
    let bot = stage.bot().await;
    let (forum, bens, tags) = forum(&stage, &[("Bakery", false), ("Decided", true)]);
    stage.discord.client().tag_post(bens, &tags);
    stage.started(ADA, bens, "mediate", json!({ "problem": PROBLEM })).await;
    wait_for_end(&stage, bens).await;
    close_vote(&stage, ADA, bens).await;
    stage.wait_for(bens, "[Record decision]").await;
    assert_eq!(carried(&stage, bens), tags);
    assert_eq!((asked(&stage, "GET", bens), asked(&stage, "PATCH", bens)), (0, 0));
    assert_eq!(asked(&stage, "GET", forum), 1);
    // Nor of a thread in a channel.
    let thread = stage.mediate(json!({})).await;
    wait_for_end(&stage, thread).await;
    assert_eq!((asked(&stage, "GET", thread), asked(&stage, "PATCH", thread)), (0, 0));
    stage.nothing_amiss();
    bot.kill().await;
}

/// A post of a session's own whose vote Chloé is about to close.
struct Before {
    moment: Moment,
    post: Id,
    tags: Vec<Id>,
    message: Id,
    close: String,
}

impl Before {
    async fn new() -> Self {
        let stage = Stage::start().await;
        let bot: Actor = stage.bot().await;
        let (_, bens, tags) = forum(&stage, &STATES);
        stage.started(ADA, bens, "mediate", json!({ "problem": PROBLEM })).await;
        wait_for_end(&stage, bens).await;
        let post = own_post(&stage, bens).await;
        wait_for_end(&stage, post).await;
        wait_carried(&stage, post, &[tags[2]]).await;
        let (sure, close) = closing(&stage, CHLOE, post).await;
        bot.rests().await;
        bot.kill().await;
        Self { moment: stage.moment(), post, tags, message: id(&sure["id"]), close }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_every_commit_it_carries_the_tag_of_what_is_so() {
    let before = Before::new().await;
    for commits in thirds::of_this_run(1..=6) {
        let stage = Stage::start().await.back_to(&before.moment).await;
        let bot = stage.bot_that_halts(Some(commits)).await;
        stage.connected().await;
        let client = stage.discord.client();
        let pressed = client.click(CHLOE, before.post, before.message, &before.close).unwrap();
        bot.commits_or_rests(commits).await;
        bot.kill().await;
        let bot = stage.bot().await;
        stage.discord.client().redeliver(pressed).unwrap();
        wait_carried(&stage, before.post, &[before.tags[3]]).await;
        bot.kill().await;
    }
    // And between the request and its answer.
    let stage = Stage::start().await.back_to(&before.moment).await;
    let bot = stage.bot().await;
    let path = format!("/channels/{}", before.post);
    stage.discord.faults().on("PATCH", &path, 1, Fault::Stall(Duration::from_mins(1)));
    stage.discord.client().click(CHLOE, before.post, before.message, &before.close).unwrap();
    stage.wait_for(before.post, "[Record decision]").await;
    // The request is on its way, which nobody sees of one that stalls.
    tokio::time::sleep(Duration::from_millis(300)).await;
    bot.kill().await;
    let bot = stage.bot().await;
    wait_carried(&stage, before.post, &[before.tags[3]]).await;
    bot.kill().await;
}
