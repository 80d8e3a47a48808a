//! People who take part in a session: each thing they do is done as soon as its button is there, until they have
//! got an answer to it. Killed bots answer nothing, so the next one is asked again, as people press again what did
//! not seem to work; what was answered is never asked again, so nobody makes up for what a bot forgets.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use domain::Draft;
use playground::{
    Client, Id, Seen,
    ids::{BOT, DECISIONS},
};
use serde_json::{Value, json};
use sqlx::SqlitePool;
use tokio::task::JoinHandle;

use crate::{
    resume::{
        controls::{Control, answer, control, controls, draft, id, inputs, private, too_early},
        doing::{Doing, Then},
        scene::{self, PATIENCE},
    },
    support::Stage,
};

/// How often people look at the thread.
const LOOK: Duration = Duration::from_millis(50);
/// How long it takes until something is delivered again.
const AGAIN: Duration = Duration::from_millis(500);

/// Things to do, in their order wherever several could be done: three votes come before the vote is closed. With
/// what was done of them, which outlives every bot.
pub struct Script {
    doings: &'static [Doing],
    /// The press or form that each thing came down to, once it was sent.
    sent: Vec<Mutex<Option<Id>>>,
    /// Whether each is done: answered, or to be seen in the database.
    done: Vec<AtomicBool>,
    /// Each only once everything before it is done.
    in_turn: bool,
    /// Held while something is done and noted, so that a copy of all there is has both or neither.
    hand: Mutex<()>,
}

impl Script {
    pub fn new(doings: &'static [Doing]) -> Arc<Self> {
        Arc::new(Self::of(doings, false))
    }

    /// The same where each thing waits for the one before it. What was done counts as done without an answer too:
    /// people see it on the cards.
    pub fn in_turn(doings: &'static [Doing]) -> Arc<Self> {
        Arc::new(Self::of(doings, true))
    }

    fn of(doings: &'static [Doing], in_turn: bool) -> Self {
        let sent = doings.iter().map(|_| Mutex::default()).collect();
        Self {
            doings,
            sent,
            done: doings.iter().map(|_| AtomicBool::default()).collect(),
            in_turn,
            hand: Mutex::default(),
        }
    }

    /// What was done so far, for people who go on from here, and with it what `take` takes of the rest at that moment.
    pub fn moment<T>(&self, take: impl FnOnce() -> T) -> (Self, T) {
        let _hand = self.hand.lock().unwrap();
        (self.copy(), take())
    }

    /// The same script, as far done as this one.
    pub fn copy(&self) -> Self {
        let sent = self.sent.iter().map(|sent| Mutex::new(*sent.lock().unwrap())).collect();
        let done = self.done.iter().map(|done| AtomicBool::new(done.load(Ordering::SeqCst))).collect();
        Self { doings: self.doings, sent, done, in_turn: self.in_turn, hand: Mutex::default() }
    }

    /// Whether everything is done.
    pub fn is_done_with(&self) -> bool {
        self.done.iter().all(|done| done.load(Ordering::SeqCst))
    }

    /// Whether everything is done that means one of these.
    pub fn has_done(&self, verbs: &[&str]) -> bool {
        let mut of = self.doings.iter().zip(&self.done);
        of.all(|(doing, done)| !verbs.contains(&doing.verb) || done.load(Ordering::SeqCst))
    }

    /// Whether something needs no more doing.
    async fn is_done(&self, client: &Client, pool: &SqlitePool, place: usize) -> bool {
        let kept = async {
            let Some((_, query)) = self.doings[place].promise else { return false };
            self.in_turn && holds(pool, query).await
        };
        let done = self.answer(client, place).is_some() || kept.await;
        self.done[place].fetch_or(done, Ordering::SeqCst) || done
    }

    /// What can be done next of what is left, as far as its time has come.
    async fn next(&self, client: &Client, pool: &SqlitePool, left: &mut Vec<usize>) -> Vec<usize> {
        let mut next = Vec::new();
        while let Some(first) = left.first().copied().filter(|_| self.in_turn) {
            if !self.is_done(client, pool, first).await {
                break;
            }
            left.remove(0);
        }
        for place in left.iter().take(if self.in_turn { 1 } else { left.len() }) {
            let is_time = match self.doings[*place].after {
                Some(query) => holds(pool, query).await,
                None => true,
            };
            next.extend(is_time.then_some(*place));
        }
        next
    }

    /// What a member was told about something, if it was answered.
    fn answer(&self, client: &Client, place: usize) -> Option<String> {
        answer(client, (*self.sent[place].lock().unwrap())?)
    }

    /// What members were told so far, each in their place.
    pub fn told(&self, stage: &Stage) -> Vec<Option<String>> {
        let client = stage.discord.client();
        (0..self.doings.len()).map(|place| self.answer(&client, place)).collect()
    }

    /// Holds the database of a dead bot to what members were told.
    pub async fn check_promises(&self, stage: &Stage) {
        let (client, pool) = (stage.discord.client(), stage.rows().await);
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

    /// What everything means that is to be done.
    pub fn verbs(&self) -> Vec<&'static str> {
        self.doings.iter().map(|doing| doing.verb).collect()
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
        let pool = scene::database_when_asked(stage);
        Self(tokio::spawn(async move {
            let opened = client.wait_thread(DECISIONS, Duration::from_mins(10), |_| true).await;
            let thread = id(&opened.expect("a thread")["id"]);
            let hand = Hand { client, thread, script: Arc::clone(&script) };
            let open = |place: &usize| {
                let answered = script.answer(&hand.client, *place).is_some();
                !script.done[*place].fetch_or(answered, Ordering::SeqCst) && !answered
            };
            let mut left: Vec<usize> = (0..script.doings.len()).filter(open).collect();
            while !left.is_empty() {
                let next = script.next(&hand.client, &pool, &mut left).await;
                if let Some(place) = hand.does_one(&script, &next).await {
                    script.done[place].store(true, Ordering::SeqCst);
                    left.retain(|other| *other != place);
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
    script: Arc<Script>,
}

impl Hand {
    /// Does the first of these things that can be done; gives it if it was answered.
    async fn does_one(&self, script: &Script, next: &[usize]) -> Option<usize> {
        for place in next {
            let (doing, last) = (&script.doings[*place], self.last(&script.sent[*place]));
            if let (true, Some(sent)) = (doing.is_once(), last) {
                // Again and again: a bot that is not connected yet does not hear of it, and one that is may act on
                // it without an answer, for a form is answered only soon after it was sent.
                self.client.redeliver(sent).unwrap();
                tokio::time::sleep(AGAIN).await;
                return answer(&self.client, sent).map(|_| *place);
            }
            if let Then::Ask(question) = doing.then {
                let asked = json!({"question": question});
                let sent = {
                    let _hand = self.script.hand.lock().unwrap();
                    let sent = self.client.run_command(doing.member, self.thread, "ask", asked).ok()?;
                    *script.sent[*place].lock().unwrap() = Some(sent);
                    sent
                };
                self.client.wait_reply(sent).await;
                return answer(&self.client, sent).map(|_| *place);
            }
        }
        let (place, control) = self.first_possible(script, next).await?;
        self.does(&script.doings[place], &script.sent[place], control).await.then_some(place)
    }

    /// What was sent last, unless the answer was to press again.
    fn last(&self, sent: &Mutex<Option<Id>>) -> Option<Id> {
        let mut sent = sent.lock().unwrap();
        *sent = sent.filter(|sent| !too_early(&self.client, *sent));
        *sent
    }

    /// The first thing whose control is there, and the newest message that has it: in the thread, else the live
    /// card. The thread is looked at once for all: what is posted between two looks would let a later thing be done
    /// before an earlier one.
    async fn first_possible(&self, script: &Script, next: &[usize]) -> Option<(usize, Control)> {
        let bot = Value::from(BOT.to_string());
        let found: Mutex<Vec<Option<Control>>> = Mutex::new(vec![None; next.len()]);
        for channel in [self.thread, DECISIONS] {
            let look = |message: &Value| {
                if message["author"]["id"] == bot && message["ephemeral_for"].is_null() {
                    for (place, found) in next.iter().zip(found.lock().unwrap().iter_mut()) {
                        let there = control(message, script.doings[*place].verb);
                        let here = |custom_id| Control { channel, message: id(&message["id"]), custom_id };
                        *found = found.take().or(there.map(here));
                    }
                }
                false
            };
            // No patience: what is not there now is looked for again soon.
            self.client.wait_message(channel, Duration::ZERO, look).await;
        }
        let found = found.into_inner().unwrap();
        found.into_iter().zip(next).find_map(|(control, place)| Some((*place, control?)))
    }

    /// Does it with the control that is there; `false` if nobody answered.
    async fn does(&self, doing: &Doing, sent: &Mutex<Option<Id>>, control: Control) -> bool {
        let kept = matches!(doing.then, Then::Once).then_some(sent);
        let Some((press, seen)) = self.presses(doing.member, control, doing.choose, kept).await else {
            return false;
        };
        let last = match doing.then {
            Then::Over | Then::Once | Then::Ask(_) => Some(press),
            Then::Send(texts) | Then::SendOnce(texts) => self.sends(doing, (press, &seen), texts, sent),
            Then::Sure(verb) | Then::SureOnce(verb) => self.goes_on(doing.member, (press, &seen), verb, sent),
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
        Control { channel, message, custom_id }: Control,
        choose: &[&str],
        kept: Option<&Mutex<Option<Id>>>,
    ) -> Option<(Id, Seen)> {
        let pressed = {
            let _hand = self.script.hand.lock().unwrap();
            let pressed = if choose.is_empty() {
                self.client.click(member, channel, message, &custom_id)
            } else {
                self.client.select(member, channel, message, &custom_id, choose)
            };
            let pressed = pressed.ok()?;
            if let Some(kept) = kept {
                *kept.lock().unwrap() = Some(pressed);
            }
            pressed
        };
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
        let _hand = self.script.hand.lock().unwrap();
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
        let _hand = self.script.hand.lock().unwrap();
        let pressed = self.client.click(member, self.thread, message, &custom_id).ok()?;
        *sent.lock().unwrap() = Some(pressed);
        Some(pressed)
    }

    /// Presses a button of the private message that was shown.
    async fn follows(&self, member: Id, seen: &Seen, verb: &str) -> Option<(Id, Seen)> {
        let (message, custom_id) = private(seen, verb)?;
        self.presses(member, self.shown(message, custom_id), &[], None).await
    }

    /// Spreads points on a private panel, with a select and three kinds of buttons; gives the panel.
    async fn spreads(&self, member: Id, seen: &Seen, points: &[u32]) -> Option<Seen> {
        let (message, _) = private(seen, "spread_pick")?;
        for (place, wanted) in (1_usize..).zip(points) {
            let (_, pick) = self.on_panel(message, "spread_pick", |_| true).await?;
            self.presses(member, self.shown(message, pick), &[&place.to_string()], None).await?;
            // All that is left, and then back to what it shall have.
            let mut now = self.draft(message).await?.rest();
            loop {
                if self.draft(message).await? != now {
                    let (_, step) = self.on_panel(message, "spread", |draft| *draft == now).await?;
                    self.presses(member, self.shown(message, step), &[], None).await?;
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

    /// A control of a private message.
    fn shown(&self, message: Id, custom_id: String) -> Control {
        Control { channel: self.thread, message, custom_id }
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

/// Whether a query gives 1.
async fn holds(pool: &SqlitePool, query: &'static str) -> bool {
    sqlx::query_scalar::<_, i64>(query).fetch_one(pool).await.unwrap() == 1
}
