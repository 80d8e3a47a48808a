//! People who take part in a session: each thing they do is done as soon as its button is there, until they have
//! got an answer to it. Killed bots answer nothing, so the next one is asked again, as people press again what did
//! not seem to work; what was answered is never asked again, so nobody makes up for what a bot forgets.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use quorum::{
    domain::{CustomId, Draft},
    playground::{
        Client, Id, Seen,
        ids::{BOT, DECISIONS},
    },
};
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::{
    scene::{self, PATIENCE},
    support::Stage,
};

/// How often people look at the thread.
const LOOK: Duration = Duration::from_millis(10);
/// How long it takes until something is delivered again.
const AGAIN: Duration = Duration::from_millis(500);
/// Discord's flag of a message that still says "thinking…".
const LOADING: u64 = 1 << 7;

/// What a press leads to.
#[derive(Clone, Copy)]
pub enum Then {
    /// Nothing more to do.
    Over,
    /// A form, which is sent with these texts, from its first box on.
    Send(&'static [&'static str]),
    /// A form with what may be done only once: sent and not answered, it is delivered again, not written again.
    SendOnce(&'static [&'static str]),
    /// A question whether they are sure, answered with the button that means this.
    Sure(&'static str),
    /// A private panel, on which points are spread like this and cast.
    Spread(&'static [u32]),
    /// A private panel, from which a form is opened and sent with these points.
    Type(&'static str),
}

/// Something that somebody does.
#[derive(Clone, Copy)]
pub struct Doing {
    /// Who.
    pub member: Id,
    /// What the button or select means, such as `roles_go`.
    pub verb: &'static str,
    /// What is chosen, where it is a select.
    pub choose: &'static [&'static str],
    /// What comes after.
    pub then: Then,
    /// What the member is told, and the query that gives 1 from then on, whatever happens to the bot.
    pub promise: Option<(&'static str, &'static str)>,
}

impl Doing {
    /// Somebody presses a button, and that is all.
    pub const fn press(member: Id, verb: &'static str) -> Self {
        Self { member, verb, choose: &[], then: Then::Over, promise: None }
    }

    /// The same with what comes after.
    pub const fn then(self, then: Then) -> Self {
        Self { then, ..self }
    }

    /// The same with what it promises.
    pub const fn promises(self, said: &'static str, kept: &'static str) -> Self {
        Self { promise: Some((said, kept)), ..self }
    }
}

/// Things to do, in their order wherever several could be done: three votes come before the vote is closed. With
/// what was done of them, which outlives every bot.
pub struct Script {
    doings: &'static [Doing],
    /// The press or form that each thing came down to, once it was sent.
    sent: Vec<Mutex<Option<Id>>>,
}

impl Script {
    pub fn new(doings: &'static [Doing]) -> Arc<Self> {
        Arc::new(Self { doings, sent: doings.iter().map(|_| Mutex::default()).collect() })
    }

    /// What a member was told about something, if it was answered.
    fn answer(&self, client: &Client, place: usize) -> Option<String> {
        answer(client, (*self.sent[place].lock().unwrap())?)
    }

    /// Holds the database of a dead bot to what members were told.
    pub async fn check_promises(&self, stage: &Stage) {
        let (client, pool) = (stage.discord.client(), scene::database(stage).await);
        for (place, doing) in self.doings.iter().enumerate() {
            let (Some((phrase, query)), Some(told)) = (doing.promise, self.answer(&client, place)) else {
                continue;
            };
            if told.contains(phrase) {
                let kept: i64 = sqlx::query_scalar(query).fetch_one(&pool).await.unwrap();
                assert_eq!(kept, 1, "{} was told {told:?}, and that is not so: {query}", doing.member);
            }
        }
        pool.close().await;
    }

    /// What was promised by the end: which things, by what they mean.
    pub fn promised(&self, stage: &Stage) -> Vec<&'static str> {
        let client = stage.discord.client();
        let promised = self.doings.iter().enumerate().filter(|(place, doing)| {
            let told = self.answer(&client, *place).unwrap_or_default();
            doing.promise.is_some_and(|(phrase, _)| told.contains(phrase))
        });
        promised.map(|(_, doing)| doing.verb).collect()
    }
}

/// People who do what a script says. What cannot be done any more does not hold up what can.
pub struct People(JoinHandle<()>);

impl People {
    /// They look at the one session of #decisions from now on, until they are dropped: with the bot, whose next
    /// life has people of its own.
    pub fn follow(stage: &Stage, script: &Arc<Script>) -> Self {
        let (client, script) = (stage.discord.client(), Arc::clone(script));
        Self(tokio::spawn(async move {
            let opened = client.wait_thread(DECISIONS, Duration::from_mins(10), |_| true).await;
            let hand = Hand { thread: id(&opened.expect("a thread")["id"]), client };
            let open = |place: &usize| script.answer(&hand.client, *place).is_none();
            let mut left: Vec<usize> = (0..script.doings.len()).filter(open).collect();
            while !left.is_empty() {
                let Some((at, control)) = hand.first_possible(&script, &left).await else {
                    tokio::time::sleep(LOOK).await;
                    continue;
                };
                let (doing, sent) = (&script.doings[left[at]], &script.sent[left[at]]);
                if hand.does(doing, sent, control).await {
                    left.remove(at);
                } else {
                    tokio::time::sleep(LOOK).await;
                }
            }
        }))
    }
}

impl Drop for People {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Whoever does something in the thread.
struct Hand {
    client: Client,
    thread: Id,
}

impl Hand {
    /// The first thing left whose control is there, and the newest message that has it. The thread is looked at once
    /// for all: what is posted between two looks would let a later thing be done before an earlier one.
    async fn first_possible(&self, script: &Script, left: &[usize]) -> Option<(usize, (Id, String))> {
        let bot = Value::from(BOT.to_string());
        let found: Mutex<Vec<Option<(Id, String)>>> = Mutex::new(vec![None; left.len()]);
        let look = |message: &Value| {
            if message["author"]["id"] == bot && message["ephemeral_for"].is_null() {
                for (place, found) in left.iter().zip(found.lock().unwrap().iter_mut()) {
                    let there = control(message, script.doings[*place].verb);
                    *found = found.take().or(there.map(|custom_id| (id(&message["id"]), custom_id)));
                }
            }
            false
        };
        // No patience: what is not there now is looked for again soon.
        self.client.wait_message(self.thread, Duration::ZERO, look).await;
        let found = found.into_inner().unwrap();
        found.into_iter().enumerate().find_map(|(at, control)| Some((at, control?)))
    }

    /// Does it with the control that is there; `false` if nobody answered.
    async fn does(&self, doing: &Doing, sent: &Mutex<Option<Id>>, control: (Id, String)) -> bool {
        let last = *sent.lock().unwrap();
        if let (Then::SendOnce(_), Some(form)) = (doing.then, last) {
            // Again and again: a bot that is not connected yet does not hear of it, and one that is may act on it
            // without an answer, for a form is answered only soon after it was sent.
            self.client.redeliver(form).unwrap();
            tokio::time::sleep(AGAIN).await;
            return answer(&self.client, form).is_some();
        }
        let Some((press, seen)) = self.presses(doing.member, control, doing.choose).await else {
            return false;
        };
        let last = match doing.then {
            Then::Over => Some(press),
            Then::Send(texts) | Then::SendOnce(texts) => self.sends(doing, (press, &seen), texts, sent),
            Then::Sure(verb) => self.goes_on(doing.member, (press, &seen), verb, sent),
            Then::Spread(points) => match self.spreads(doing.member, &seen, points).await {
                Some(panel) => self.goes_on(doing.member, (press, &panel), "spread_cast", sent),
                None => None,
            },
            Then::Type(text) => match self.follows(doing.member, &seen, "spread_type").await {
                Some((press, seen)) => self.sends(doing, (press, &seen), &[text], sent),
                None => None,
            },
        };
        let Some(last) = last else { return false };
        // Kept before it is answered: people are gone with the bot, at any instant.
        *sent.lock().unwrap() = Some(last);
        self.client.wait_reply(last).await;
        answer(&self.client, last).is_some()
    }

    /// Presses a button or chooses; `None` if nobody answered, or it is gone by now.
    async fn presses(
        &self,
        member: Id,
        (message, custom_id): (Id, String),
        choose: &[&str],
    ) -> Option<(Id, Seen)> {
        let pressed = if choose.is_empty() {
            self.client.click(member, self.thread, message, &custom_id)
        } else {
            self.client.select(member, self.thread, message, &custom_id, choose)
        };
        let pressed = pressed.ok()?;
        let seen = self.client.wait_reply(pressed).await;
        seen.failed.is_none().then_some((pressed, seen))
    }

    /// Sends the form that opened. None opens where the person is told that it is too late; then that is all.
    fn sends(
        &self,
        doing: &Doing,
        (opener, seen): (Id, &Seen),
        texts: &[&str],
        sent: &Mutex<Option<Id>>,
    ) -> Option<Id> {
        let Some(modal) = &seen.modal else { return Some(opener) };
        let boxes: Vec<String> = inputs(modal);
        let written: Vec<(&str, &str)> =
            boxes.iter().map(String::as_str).zip(texts.iter().copied()).collect();
        match self.client.submit_modal(doing.member, opener, &written) {
            Ok(form) => *sent.lock().unwrap() = Some(form),
            Err(problem) => panic!("the form behind {} takes no {written:?}: {problem}", doing.verb),
        }
        *sent.lock().unwrap()
    }

    /// Presses the last button, on the private message that was shown; none is there where it is too late.
    fn goes_on(
        &self,
        member: Id,
        (press, seen): (Id, &Seen),
        verb: &str,
        sent: &Mutex<Option<Id>>,
    ) -> Option<Id> {
        let Some((message, custom_id)) = private(seen, verb) else { return Some(press) };
        let pressed = self.client.click(member, self.thread, message, &custom_id).ok()?;
        *sent.lock().unwrap() = Some(pressed);
        Some(pressed)
    }

    /// Presses a button of the private message that was shown.
    async fn follows(&self, member: Id, seen: &Seen, verb: &str) -> Option<(Id, Seen)> {
        self.presses(member, private(seen, verb)?, &[]).await
    }

    /// Spreads points on a private panel, with a select and three kinds of buttons; gives the panel.
    async fn spreads(&self, member: Id, seen: &Seen, points: &[u32]) -> Option<Seen> {
        let (message, _) = private(seen, "spread_pick")?;
        for (place, wanted) in (1_usize..).zip(points) {
            let (_, pick) = self.on_panel(message, "spread_pick", |_| true).await?;
            self.presses(member, (message, pick), &[&place.to_string()]).await?;
            // All that is left, and then back to what it shall have.
            let mut now = self.draft(message).await?.rest();
            loop {
                if self.draft(message).await? != now {
                    let (_, step) = self.on_panel(message, "spread", |draft| *draft == now).await?;
                    self.presses(member, (message, step), &[]).await?;
                }
                if now.points[place - 1] <= *wanted {
                    break;
                }
                now = self.draft(message).await?.minus();
            }
        }
        let shown = self.message(message).await?;
        Some(Seen { messages: vec![shown], ..Seen::default() })
    }

    async fn message(&self, message: Id) -> Option<Value> {
        let wanted = Value::from(message.to_string());
        self.client.wait_message(self.thread, PATIENCE, |message| message["id"] == wanted).await
    }

    /// The draft that a private panel holds.
    async fn draft(&self, message: Id) -> Option<Draft> {
        let (_, cast) = self.on_panel(message, "spread_type", |_| true).await?;
        draft(&cast)
    }

    /// A control of the private panel that means `verb` and leads to a draft.
    async fn on_panel(
        &self,
        message: Id,
        verb: &str,
        leads: impl Fn(&Draft) -> bool,
    ) -> Option<(Id, String)> {
        let shown = self.message(message).await?;
        let fits = |custom_id: &String| draft(custom_id).is_some_and(|draft| leads(&draft));
        Some((message, controls(&shown, verb).into_iter().find(fits)?))
    }
}

fn draft(custom_id: &str) -> Option<Draft> {
    Draft::parse(&CustomId::parse(custom_id)?.argument)
}

/// What a member was told, if it was answered for good.
fn answer(client: &Client, interaction: Id) -> Option<String> {
    let seen = client.look(interaction);
    let thinks = |message: &Value| message["flags"].as_u64().unwrap_or(0) & LOADING != 0;
    let told = seen.failed.is_none() && !seen.messages.is_empty() && !seen.messages.iter().any(thinks);
    told.then(|| seen.text())
}

/// The control that means `verb` of a private message that was shown.
fn private(seen: &Seen, verb: &str) -> Option<(Id, String)> {
    seen.messages.iter().find_map(|message| Some((id(&message["id"]), control(message, verb)?)))
}

/// The `custom_id` of a message's control that means `verb` and can be used.
fn control(message: &Value, verb: &str) -> Option<String> {
    controls(message, verb).into_iter().next()
}

/// All of them.
fn controls(message: &Value, verb: &str) -> Vec<String> {
    let rows = message["components"].as_array().into_iter().flatten();
    let controls = rows.filter_map(|row| row["components"].as_array()).flatten();
    let usable = controls.filter(|control| control["disabled"] != true);
    let ids = usable.filter_map(|control| control["custom_id"].as_str());
    ids.filter(|id| id.split(':').nth(2) == Some(verb)).map(str::to_owned).collect()
}

/// The names of a form's boxes, from the top.
fn inputs(modal: &Value) -> Vec<String> {
    let rows = modal["components"].as_array().into_iter().flatten();
    let input = |row: &Value| row["components"][0]["custom_id"].as_str().map(str::to_owned);
    rows.filter_map(input).collect()
}

fn id(value: &Value) -> Id {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value} is no id"))
}
