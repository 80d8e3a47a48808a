//! What people look at: where a session stands, what there has been, the whole of a card, its raw output.

use std::time::{Duration, Instant};

use super::Sessions;
use crate::{
    domain::{
        ChannelId, GuildId, MessageId, ModelName, ModuleOutput, Plan, Post, PromptVersion, SessionId,
        Solution, StepKey, Synthesis,
    },
    error::UserError,
    prompt::{self, followup::Answer, reply::PointsReply},
    protocols::mediate::Score,
    render::{self, inspect::Inspection, lists::HistoryRow},
    steps::{now_ms, status},
    store::{AttemptRow, SessionRow, StepState},
};

/// Most sessions that `/history` lists.
pub const HISTORY: i64 = 15;

/// How long after its end a session's thread is still read back for questions after a restart.
const WATCHED_FOR: Duration = Duration::from_hours(3 * 24);

/// Which side of a card somebody wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The whole text.
    Whole,
    /// Request, reply, tokens, cost and time.
    Raw,
}

impl Sessions {
    /// A session of this server by its name; a session of another server does not exist here.
    pub async fn find(&self, id: &SessionId, guild: GuildId) -> anyhow::Result<SessionRow> {
        match self.0.world.store.session(id).await {
            Ok(row) if row.guild == guild => Ok(row),
            Ok(_) | Err(crate::store::StoreError::Missing(_)) => UserError::of(
                "There is no such session on this server. `/history` lists the ones of this channel.",
            ),
            Err(other) => Err(other.into()),
        }
    }

    /// The session whose thread this is.
    pub async fn of_thread(&self, thread: ChannelId) -> anyhow::Result<Option<SessionRow>> {
        Ok(self.0.world.store.session_of_thread(thread).await?)
    }

    /// Its thread, waited for at most as long as `patience`: it opens when the live card has been posted.
    pub async fn thread_of(&self, id: &SessionId, patience: Duration) -> anyhow::Result<Option<ChannelId>> {
        let until = Instant::now() + patience;
        loop {
            let thread = self.0.world.store.session(id).await?.thread;
            if thread.is_some() || Instant::now() >= until {
                return Ok(thread);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Every model that can be chosen.
    #[must_use]
    pub fn models(&self) -> Vec<ModelName> {
        let settings = self.settings();
        let mut models: Vec<ModelName> = settings.panel.iter().chain([&settings.mediator]).cloned().collect();
        models.sort();
        models.dedup();
        models
    }

    /// Threads in which questions may have come while the bot was away.
    pub async fn watched_threads(&self) -> anyhow::Result<Vec<(SessionId, ChannelId, MessageId)>> {
        let since = now_ms() - i64::try_from(WATCHED_FOR.as_millis()).unwrap_or(i64::MAX);
        Ok(self.0.world.store.watched_threads(since).await?)
    }

    /// Remembers how far a thread was read.
    pub async fn seen(&self, thread: ChannelId, message: MessageId) -> anyhow::Result<()> {
        Ok(self.0.world.store.seen(thread, message).await?)
    }

    /// Where a session stands, as its live card shows it.
    pub async fn show(&self, row: &SessionRow) -> anyhow::Result<Post> {
        let progress = self.runs().get(&row.id).map(|run| run.live.progress()).unwrap_or_default();
        let status = status(&self.0.world, row, progress).await?;
        let mut card = render::status::card(&row.id, &status);
        // A private copy: the buttons stay on the one live card.
        card.rows.clear();
        Ok(card)
    }

    /// The newest sessions of a channel.
    pub async fn history(&self, guild: GuildId, channel: ChannelId) -> anyhow::Result<Vec<Post>> {
        let rows = self.0.world.store.history(guild, channel, HISTORY).await?;
        let rows: Vec<HistoryRow> = rows
            .into_iter()
            .map(|row| HistoryRow {
                session: row.id,
                protocol: row.protocol,
                title: row.title,
                state: row.state,
                started: row.started_ms / 1000,
                thread: row.thread,
            })
            .collect();
        Ok(render::lists::history(&rows))
    }

    /// The whole or the raw side of the card that a step made.
    pub async fn inspect(
        &self,
        session: &SessionId,
        key: &StepKey,
        shown: Shown,
    ) -> anyhow::Result<Vec<Post>> {
        let store = &self.0.world.store;
        let step = store.step(session, key).await?.filter(|step| step.state != StepState::Intent);
        let Some(step) = step else { return UserError::of("There is nothing stored for this card.") };
        let output = step.output.unwrap_or_default();
        match shown {
            Shown::Whole if key.as_str() == "points" => self.whole_points(session).await,
            Shown::Whole => {
                let (title, text) = whole_of(key, &output);
                Ok(render::inspect::whole(&title, &text))
            }
            Shown::Raw => {
                let attempts = store.attempts(session, key).await?;
                match attempts.last() {
                    Some(last) => {
                        Ok(vec![render::inspect::raw(&inspection(key, &attempts, last, step.state, &output))])
                    }
                    // Points are drawn from several models' steps: their raw outputs are the scorers'.
                    None => self.raw_points(session).await,
                }
            }
        }
    }

    /// Who gave which solution how many points, and why.
    async fn whole_points(&self, session: &SessionId) -> anyhow::Result<Vec<Post>> {
        let store = &self.0.world.store;
        let plan: Plan = serde_json::from_value(store.session(session).await?.plan)?;
        let mut solutions = Vec::new();
        for (_, step) in store.steps(session, "synthesis").await? {
            if let Some(Ok(synthesis)) = step.output.map(serde_json::from_value::<Synthesis>) {
                solutions = Solution::distinct(&synthesis.recommendations);
            }
        }
        let mut lines = Vec::new();
        for seat in &plan.brief.panel.seats {
            let key = StepKey::new(format!("scoring/{}", seat.module));
            let step = store.step(session, &key).await?.filter(|step| step.state == StepState::Done);
            let given = step.and_then(|step| step.output).map(serde_json::from_value::<Score>);
            let Some(Ok(Score { allocation, .. })) = given else { continue };
            lines.push(format!("### {}", seat.module.title()));
            let points = solutions.iter().zip(allocation.points());
            lines.extend(points.map(|(what, points)| format!("- {points} · {} · {}", what.id, what.title)));
            let reply = store.attempts(session, &key).await?.pop().and_then(|last| last.reply);
            let why = reply.and_then(|reply| prompt::parse::<PointsReply>(&reply).ok());
            lines.extend(why.map(|why| format!("\n{}", why.value.reasoning)));
        }
        Ok(render::inspect::whole("The experts' points", &lines.join("\n")))
    }

    async fn raw_points(&self, session: &SessionId) -> anyhow::Result<Vec<Post>> {
        let store = &self.0.world.store;
        let mut posts = Vec::new();
        for (key, step) in store.steps(session, "scoring/").await? {
            let key = StepKey::new(key);
            let attempts = store.attempts(session, &key).await?;
            if let Some(last) = attempts.last() {
                let output = step.output.unwrap_or_default();
                posts.push(render::inspect::raw(&inspection(&key, &attempts, last, step.state, &output)));
            }
        }
        if posts.is_empty() { UserError::of("There is nothing stored for this card.") } else { Ok(posts) }
    }
}

/// Title and text of the whole side, for each kind of thing a step can have made.
fn whole_of(key: &StepKey, output: &serde_json::Value) -> (String, String) {
    if let Ok(output) = serde_json::from_value::<ModuleOutput>(output.clone()) {
        return (format!("{} · round {}", output.module.title(), output.round.number()), output.analysis);
    }
    if let Ok(synthesis) = serde_json::from_value::<Synthesis>(output.clone()) {
        return ("Synthesis".to_owned(), synthesis.synthesis);
    }
    if let Ok(answer) = serde_json::from_value::<Answer>(output.clone()) {
        return ("Answer".to_owned(), answer.text);
    }
    (key.to_string(), String::new())
}

fn inspection(
    key: &StepKey,
    attempts: &[AttemptRow],
    last: &AttemptRow,
    state: StepState,
    output: &serde_json::Value,
) -> Inspection {
    let whole = |tokens: Option<i64>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    let sum = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
    Inspection {
        step: key.clone(),
        asked: last.model.clone(),
        answered: last.answered.clone().unwrap_or_else(|| last.model.clone()),
        prompt_version: PromptVersion(last.prompt_version.clone()),
        tokens: sum(sum(whole(last.input_tokens), whole(last.cached_tokens)), whole(last.output_tokens)),
        cached: whole(last.cached_tokens).unwrap_or_default(),
        cost: last.money,
        millis: last.millis.and_then(|ms| u64::try_from(ms).ok()).unwrap_or_default(),
        attempts: u32::try_from(attempts.len()).unwrap_or(u32::MAX),
        state: if state == StepState::Failed { "failed".to_owned() } else { "done".to_owned() },
        request: serde_json::from_str(&last.request).unwrap_or_default(),
        reply: last.reply.clone().unwrap_or_default(),
        parsed: match &last.problem {
            Some(problem) => problem.clone(),
            None => serde_json::to_string_pretty(output).unwrap_or_default(),
        },
    }
}
