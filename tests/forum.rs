//! Sessions in forums: what begins beside one that lies in a forum's post is a post of its own, opened once, whatever happens
//! in between.

use std::time::Duration;

use playground::{
    Fault, Id, Limited, bits,
    ids::{ADA, BEN, BOT, CHLOE, RIVERSIDE},
};
use serde_json::{Value, json};

use crate::support::{
    Actor, Moment, Stage,
    files::said,
    has,
    play::{id, read, thread_of},
    thirds, wait_for_end,
};

const PROBLEM: &str = "Do we open the bakery on Sundays?";
const ASK: &str = "Ask the panel about this message";
/// What opens a post.
const OPEN: &str = "/channels/*/threads";

/// A forum with Ben's post, in which a mediation came to its end.
struct Scene {
    stage: Stage,
    bot: Actor,
    forum: Id,
    post: Id,
}

impl Scene {
    async fn new() -> Self {
        let stage = Stage::start().await;
        let bot = stage.bot().await;
        let client = stage.discord.client();
        let forum = client.add_channel(RIVERSIDE, 15, "ideas");
        let post = client.open_thread(BEN, forum, "Sundays", false);
        assert_eq!(stage.started(ADA, post, "mediate", json!({ "problem": PROBLEM })).await, post);
        wait_for_end(&stage, post).await;
        let scene = Self { stage, bot, forum, post };
        let client = scene.stage.discord.client();
        let done = client
            .wait_message(post, Duration::from_secs(20), |message| read(message).contains("Follow-up as…"));
        assert!(done.await.is_some(), "{}", scene.stage.read(post));
        scene
    }

    /// What a member is offered to go on with.
    async fn offered(&self, member: Id) -> Value {
        let card = self.stage.message(self.post, "Follow-up as…");
        self.stage.press(member, self.post, &card, "Follow-up as…").await.messages.remove(0)
    }

    /// What a member is told who goes on with this.
    async fn goes_on(&self, member: Id, left: &str) -> String {
        let offered = self.offered(member).await;
        self.stage.choose(member, self.post, &offered, "Go on with…", left).await.text()
    }

    /// The bot's own posts.
    fn own(&self) -> Vec<Value> {
        own(&self.stage, self.forum)
    }
}

fn own(stage: &Stage, forum: Id) -> Vec<Value> {
    let threads = stage.discord.threads(forum).into_iter();
    threads.filter(|thread| id(&thread["owner_id"]) == BOT).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_goes_on_from_a_session_in_a_post_gets_a_post_of_its_own() {
    let scene = Scene::new().await;
    let Scene { stage, post, .. } = &scene;
    let offered = scene.offered(BEN).await;
    let seen = stage.choose(BEN, *post, &offered, "Go on with…", "whole/debate").await;
    let new = thread_of(&seen, BEN);
    let own = scene.own();
    assert_eq!(own.len(), 1);
    assert_eq!(id(&own[0]["id"]), new);
    assert_eq!(own[0]["thread_metadata"]["auto_archive_duration"], 10_080);
    // The live card is its first message, and stays the one that is kept true.
    stage.wait_card(new, &format!("Goes on from <#{post}>")).await;
    stage.wait_for(*post, &format!("It is in <#{new}>.")).await;
    stage.wait_for(new, "[Start]").await;
    stage.model.hold(|call| call.kind() == "turn_rebuttal");
    stage.start_debate(new).await;
    stage.wait_card(new, "Step 2").await;
    stage.model.let_go();
    stage.wait_card(new, "Done").await;
    assert_eq!(stage.discord.messages(scene.forum).len(), 0);
    // It is asked there, and found from there.
    stage.discord.client().reply(BEN, new, new, "Who bakes?", true).unwrap();
    stage.wait_for(new, "Who bakes?").await;
    has(&stage.told(BEN, *post, "history", json!({})).await, &[&format!("<#{new}>"), &format!("<#{post}>")]);
    let again = stage.told(BEN, new, "roundtable", json!({ "problem": PROBLEM })).await;
    has(&again, &["This thread has its session already"]);
    stage.nothing_amiss();
    scene.bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_and_a_message_in_a_post_are_gone_on_with_in_posts_of_their_own() {
    let scene = Scene::new().await;
    let Scene { stage, post, .. } = &scene;
    let none = stage.told(BEN, *post, "mediate", json!({"problem": PROBLEM, "thread_document": true})).await;
    has(&none, &["has no document"]);

    let message = stage.attach(CHLOE, *post, "Should we bake on Saturdays instead, too?", vec![]);
    let offer = stage.apps(CHLOE, *post, message, ASK).await.messages.remove(0);
    let seen = stage.choose(CHLOE, *post, &offer, "Choose what it is for", "mediate").await;
    let asked = thread_of(&seen, CHLOE);
    let link = format!("https://discord.com/channels/{RIVERSIDE}/{post}/{message}");
    has(&read(&stage.card(asked)), &[&format!("About [the message]({link}) by Chloé")]);
    wait_for_end(stage, asked).await;

    let text = "We plan to deliver bread in the town on Sundays. ".repeat(40);
    let message = stage.attach(CHLOE, asked, &text[..1_900], vec![]);
    let critique = thread_of(&stage.apps(CHLOE, asked, message, "Critique this message").await, CHLOE);
    wait_for_end(stage, critique).await;
    let options = json!({"problem": PROBLEM, "thread_document": true});
    let mediated = stage.started(ADA, critique, "mediate", options).await;
    wait_for_end(stage, mediated).await;
    has(&stage.read(mediated), &["message by Chloé"]);
    let mut own: Vec<Id> = scene.own().iter().map(|thread| id(&thread["id"])).collect();
    own.sort_unstable();
    assert_eq!(own, [asked, critique, mediated]);
    stage.nothing_amiss();
    scene.bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_post_can_be_opened_a_sentence_says_why_and_nothing_is_started() {
    let scene = Scene::new().await;
    let Scene { stage, forum, .. } = &scene;
    let client = stage.discord.client();
    let offered = scene.offered(BEN).await;
    let goes_on = async |left| stage.choose(BEN, scene.post, &offered, "Go on with…", left).await;
    stage.discord.faults().deny(*forum, bits::SEND_MESSAGES, true);
    has(&goes_on("whole/debate").await.text(), &["I lack a permission in this forum: Send Messages."]);
    stage.discord.faults().deny(*forum, bits::SEND_MESSAGES, false);

    let _ = client.set_tags(*forum, &[("Decided", true)], true);
    has(
        &goes_on("whole/debate").await.text(),
        &["has to carry a tag", "are for moderators", "nothing was started"],
    );
    assert_eq!(stage.number("SELECT count(*) FROM session").await, 1);

    // Where everybody may use one, it carries that.
    let tags = client.set_tags(*forum, &[("Decided", true), ("Bakery", false), ("Shop", false)], true);
    let new = thread_of(&goes_on("whole/debate").await, BEN);
    let carried = stage.discord.channel(new).unwrap()["applied_tags"].clone();
    assert_eq!(carried, json!([tags[1].to_string()]));

    // What changes in between is said, too.
    let gone = Fault::Refused(404, 10_003, "Unknown Channel");
    stage.discord.faults().on("POST", OPEN, 1, gone);
    has(&goes_on("whole/roundtable").await.text(), &["It could not begin here", "is gone"]);
    let required = Fault::Refused(400, 40_067, "A tag is required to create a forum post in this channel");
    stage.discord.faults().on("POST", OPEN, 1, required);
    has(&goes_on("whole/investigate").await.text(), &["It could not begin here", "A tag is required"]);
    stage.discord.faults().deny(*forum, bits::VIEW_CHANNEL, false);
    let gone = Fault::Refused(404, 10_003, "Unknown Channel");
    stage.discord.faults().on("GET", &format!("/channels/{forum}"), 1, gone);
    has(&goes_on("whole/roundtable").await.text(), &["I cannot see", "nothing was started"]);
    assert_eq!(scene.own().len(), 1);
    scene.bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_that_discord_takes_later_is_spoken_of() {
    let scene = Scene::new().await;
    let client = scene.stage.discord.client();
    let limited = Limited { retry_after: 12.0, ..Limited::default() };
    scene.stage.discord.faults().on("POST", OPEN, 1, Fault::Limited(limited));
    has(&scene.goes_on(BEN, "whole/debate").await, &["It has begun", "opens <t:"]);
    assert!(scene.own().is_empty());
    let opened =
        client.wait_thread(scene.forum, Duration::from_secs(30), |thread| id(&thread["owner_id"]) == BOT);
    let new = id(&opened.await.expect("a post")["id"]);
    scene.stage.wait_for(new, "[Start]").await;
    scene.bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_at_once_have_a_post_each_and_of_the_same_matter_one() {
    let scene = Scene::new().await;
    let Scene { stage, post, .. } = &scene;
    let (ada, ben) = (scene.offered(ADA).await, scene.offered(BEN).await);
    let (first, second) = tokio::join!(
        stage.choose(ADA, *post, &ada, "Go on with…", "whole/debate"),
        stage.choose(BEN, *post, &ben, "Go on with…", "whole/debate"),
    );
    let told = [first.text(), second.text()];
    assert_eq!(told.iter().filter(|told| told.contains("It has begun")).count(), 1, "{told:?}");
    assert_eq!(told.iter().filter(|told| told.contains("has taken this up already")).count(), 1, "{told:?}");
    assert_eq!(scene.own().len(), 1);

    let message = stage.attach(CHLOE, *post, "Should we bake on Saturdays instead, too?", vec![]);
    let ask = async |member| {
        let offer = stage.apps(member, *post, message, ASK).await;
        let offer = offer.messages.first().cloned().unwrap_or_else(|| panic!("{}", said(&offer, member)));
        thread_of(&stage.choose(member, *post, &offer, "Choose what it is for", "mediate").await, member)
    };
    let (ada, chloe) = tokio::join!(ask(ADA), ask(CHLOE));
    assert_ne!(ada, chloe);
    assert_eq!(scene.own().len(), 3);
    stage.nothing_amiss();
    scene.bot.kill().await;
}

/// A mediation that is done, and the select that Ben looks at.
struct Before {
    moment: Moment,
    forum: Id,
    post: Id,
    message: Id,
    custom_id: String,
}

impl Before {
    async fn new() -> Self {
        let scene = Scene::new().await;
        let shown = scene.offered(BEN).await;
        let custom_id = shown["components"][0]["components"][0]["custom_id"].as_str().unwrap().to_owned();
        let Scene { stage, bot, forum, post } = scene;
        bot.rests().await;
        bot.kill().await;
        Self { moment: stage.moment(), forum, post, message: id(&shown["id"]), custom_id }
    }

    /// Ben chooses; gives the interaction.
    fn chosen(&self, stage: &Stage) -> Id {
        let client = stage.discord.client();
        client.select(BEN, self.post, self.message, &self.custom_id, &["whole/debate"]).unwrap()
    }

    /// There is one post, and all of the session is in it.
    async fn is_there_once(&self, stage: &Stage, when: &str) {
        let client = stage.discord.client();
        let opened =
            client.wait_thread(self.forum, Duration::from_secs(30), |thread| id(&thread["owner_id"]) == BOT);
        let new = id(&opened.await.unwrap_or_else(|| panic!("no post {when}"))["id"]);
        stage.wait_for(new, "[Start]").await;
        stage.wait_for(self.post, &format!("It is in <#{new}>.")).await;
        stage.wait_card(new, &format!("Goes on from <#{}>", self.post)).await;
        assert_eq!(own(stage, self.forum).len(), 1, "{when}");
        stage
            .wait_until(new, &format!("it is known {when}"), async || {
                stage.number("SELECT count(*) FROM session WHERE thread_id = status_id").await == 1
            })
            .await;
        assert_eq!(own(stage, self.forum).len(), 1, "{when}");
        assert_eq!(stage.number("SELECT count(*) FROM session").await, 2, "{when}");
        stage.nothing_amiss_but_repeats();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_after_every_commit_one_post_is_opened() {
    let before = Before::new().await;
    for commits in thirds::of_this_run(1..=10) {
        let stage = Stage::start().await.back_to(&before.moment).await;
        let bot = stage.bot_that_halts(Some(commits)).await;
        stage.connected().await;
        let chosen = before.chosen(&stage);
        bot.commits_or_rests(commits).await;
        bot.kill().await;
        let bot = stage.bot().await;
        stage.discord.client().redeliver(chosen).unwrap();
        before.is_there_once(&stage, &format!("after {commits}")).await;
        bot.kill().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_whose_receipt_is_lost_is_there_once() {
    let before = Before::new().await;
    let stage = Stage::start().await.back_to(&before.moment).await;
    let bot = stage.bot().await;
    stage.discord.faults().lose_reply("POST", OPEN, 3);
    before.chosen(&stage);
    before.is_there_once(&stage, "with its receipt lost").await;
    bot.kill().await;
}

/// The bot is killed after Discord has opened the post and before it knows.
async fn killed_before_the_receipt(before: &Before, archived: bool) {
    let stage = Stage::start().await.back_to(&before.moment).await;
    let bot = stage.bot().await;
    stage.discord.faults().on("POST", OPEN, 1, Fault::SlowReply(Duration::from_mins(1)));
    before.chosen(&stage);
    let client = stage.discord.client();
    let opened =
        client.wait_thread(before.forum, Duration::from_secs(20), |thread| id(&thread["owner_id"]) == BOT);
    let opened = id(&opened.await.expect("a post")["id"]);
    bot.kill().await;
    if archived {
        stage.discord.faults().set_thread(opened, true, false);
    }
    let bot = stage.bot().await;
    before.is_there_once(&stage, &format!("killed before its receipt, archived: {archived}")).await;
    bot.kill().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_that_an_earlier_life_opened_is_found_also_where_it_was_put_aside() {
    let before = Before::new().await;
    killed_before_the_receipt(&before, false).await;
    killed_before_the_receipt(&before, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_backup_opens_no_second_post() {
    let before = Before::new().await;
    let stage = Stage::start().await.back_to(&before.moment).await;
    let bot = stage.bot().await;
    before.chosen(&stage);
    before.is_there_once(&stage, "at first").await;
    bot.kill().await;
    // As the database was when nothing was known of the post, though its session was there.
    stage.alter("UPDATE session SET thread_id = NULL, status_id = NULL WHERE thread_id = status_id").await;
    let forgotten = "UPDATE outbox SET state = 'pending', message_id = NULL, first_try_ms = NULL, tries = 0
        WHERE target = 'channel' AND session_id IN (SELECT id FROM session WHERE thread_id IS NULL)";
    assert_eq!(stage.alter(forgotten).await, 1);
    let bot = stage.bot().await;
    before.is_there_once(&stage, "restored").await;
    bot.kill().await;

    // As it was when nothing was known of what stands below its first message either, a while later.
    let new = id(&own(&stage, before.forum)[0]["id"]);
    let posts = stage.public(new).len();
    let unsent = "UPDATE outbox SET state = 'pending', message_id = NULL, first_try_ms = NULL, tries = 0
        WHERE target = 'thread' AND session_id = (SELECT id FROM session WHERE thread_id = status_id)";
    let unsent = stage.alter(unsent).await;
    assert!(unsent > 0);
    stage.alter("UPDATE session SET thread_id = NULL, status_id = NULL WHERE thread_id = status_id").await;
    assert_eq!(stage.alter(forgotten).await, 1);
    stage.discord.faults().forget_nonces(false);
    let bot = stage.bot().await;
    before.is_there_once(&stage, "restored again").await;
    stage
        .wait_until(new, "all is known to be there", async || {
            stage.number("SELECT count(*) FROM outbox WHERE state = 'pending'").await == 0
        })
        .await;
    let shown = stage.read(new);
    assert_eq!(shown.matches("had to be restored from an older copy").count(), 1, "{shown}");
    assert_eq!(stage.public(new).len(), posts + 1, "{unsent} posts are not there twice: {shown}");
    bot.kill().await;
}
