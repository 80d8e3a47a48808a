//! What stands on `/metrics`. Labels have few values, all of them known here or fixed by the settings.

use std::time::Duration;

use super::{Sources, health, text::Text};
use crate::store::Tally;
use discord::Requests;
use domain::Money;

/// The page while the bot starts.
pub(super) fn starting(begun: Duration) -> String {
    let mut text = Text::default();
    head(&mut text, begun, false);
    text.done()
}

/// The whole page; without what only the database knows where that does not answer.
pub(super) fn whole(begun: Duration, sources: &Sources, tally: Result<&Tally, &String>) -> String {
    let Sources { store, connections, .. } = sources;
    let mut text = Text::default();
    head(&mut text, begun, health::wrong(sources, tally).is_empty());
    if let Some(range) = connections.range() {
        let [first, last, of] = [range.first(), range.last(), range.of()].map(|number| number.to_string());
        text.gauge(
            "quorum_shards_info",
            "Always 1; the shards that this process runs are in the labels: the first, the last, of how many.",
        )
        .is(&[("range", &range.to_string()), ("first", &first), ("last", &last), ("of", &of)], 1);
    }
    text.gauge(
        "quorum_gateway_connections_wanted",
        "Connections to Discord's gateway that there should be, one a shard; 0 until Discord has said it.",
    )
    .is(&[], connections.wanted());
    text.gauge("quorum_gateway_connections_served", "Connections to Discord's gateway on which events come.")
        .is(&[], connections.served());
    text.counter(
        "quorum_interactions_answered_elsewhere_total",
        "Interactions since the start that another process with the same token had answered; there should be none.",
    )
    .is(&[], connections.elsewhere());
    text.gauge(
        "quorum_database_up",
        "1 if the database was read for this page; 0: what it knows is left out.",
    )
    .is(&[], u8::from(tally.is_ok()));
    text.gauge("quorum_database_disk_waits", "1 while the disk takes nothing and everything written waits.")
        .is(&[], u8::from(*store.waits_for_disk().borrow()));
    text.times(
        "quorum_commit_seconds",
        "How long transactions took until they were on the disk.",
        &store.commit_times(),
    );
    let requests = sources.discord.requests();
    queues(&mut text, sources, requests, tally.ok());
    discord(&mut text, requests);
    models(&mut text, sources);
    if let Ok(tally) = tally {
        counted(&mut text, tally);
    }
    text.done()
}

fn head(text: &mut Text, begun: Duration, healthy: bool) {
    text.gauge("quorum_build_info", "Always 1; the version is in the label.")
        .is(&[("version", env!("CARGO_PKG_VERSION"))], 1);
    text.gauge("quorum_start_time_seconds", "When the process began, in seconds since 1970.")
        .is(&[], begun.as_secs());
    text.gauge("quorum_healthy", "1 if /healthz says 200 at this moment.").is(&[], u8::from(healthy));
}

fn queues(text: &mut Text, sources: &Sources, requests: Requests, tally: Option<&Tally>) {
    let mut queue = text.gauge(
        "quorum_queue_length",
        "What waits: writes for the database's writer, requests for their turn by Discord's limits, posts for \
         Discord to take them, questions of members for their answer.",
    );
    queue.is(&[("queue", "writes")], sources.store.queued_writes());
    queue.is(&[("queue", "discord_requests")], requests.waiting);
    if let Some(tally) = tally {
        queue.is(&[("queue", "posts")], tally.unsent_posts);
        queue.is(&[("queue", "questions")], tally.open_questions);
    }
}

fn discord(text: &mut Text, requests: Requests) {
    text.counter(
        "quorum_discord_requests_total",
        "Attempts at requests to Discord's API since the start, by how they ended; limited: answered 429.",
    )
    .is(&[("outcome", "done")], requests.done)
    .is(&[("outcome", "limited")], requests.limited)
    .is(&[("outcome", "refused")], requests.refused)
    .is(&[("outcome", "unanswered")], requests.unanswered);
}

fn models(text: &mut Text, sources: &Sources) {
    let asked = sources.llm.asked();
    let mut calls = text.counter(
        "quorum_model_calls_total",
        "Attempts at calls of models since the start, by how they ended; rate_limited: told to go slower, as with 429.",
    );
    for (provider, asked) in &asked {
        for (outcome, count) in &asked.ended {
            calls.is(&[("provider", provider.as_str()), ("outcome", outcome)], count);
        }
    }
    let mut tokens = text.counter(
        "quorum_model_tokens_total",
        "Tokens since the start as providers counted them; each is of one kind.",
    );
    for (provider, asked) in &asked {
        let kinds = [
            ("input", asked.tokens.input),
            ("cached", asked.tokens.cached),
            ("cache_write", asked.tokens.cache_write),
            ("output", asked.tokens.output),
        ];
        for (kind, count) in kinds {
            tokens.is(&[("provider", provider.as_str()), ("kind", kind)], count);
        }
    }
    let mut running = text.gauge("quorum_model_calls_running", "Calls of models under way.");
    for (provider, asked) in &asked {
        running.is(&[("provider", provider.as_str())], asked.running);
    }
    let mut waiting = text
        .gauge("quorum_model_calls_waiting", "Calls of models that wait for a free place at the provider.");
    for (provider, asked) in &asked {
        waiting.is(&[("provider", provider.as_str())], asked.waiting);
    }
}

fn counted(text: &mut Text, tally: &Tally) {
    let mut sessions = text.gauge("quorum_sessions", "Sessions in the database, by state.");
    for (state, count) in &tally.sessions {
        sessions.is(&[("state", state)], count);
    }
    let mut steps = text.counter(
        "quorum_steps_total",
        "Steps of sessions that were settled, by how; kept in the database over restarts, as all that follows.",
    );
    for (outcome, count) in &tally.steps {
        steps.is(&[("outcome", outcome)], count);
    }
    let charged = tally.charged;
    text.counter("quorum_charged_calls_total", "Calls and searches that budgets were charged for.")
        .is(&[], charged.calls);
    text.counter(
        "quorum_charged_tokens_total",
        "Tokens that budgets were charged for; the worst case where nobody counted.",
    )
    .is(&[], charged.tokens);
    text.counter(
        "quorum_charged_dollars_total",
        "US dollars that budgets were charged, where the price is known.",
    )
    .is(&[], dollars(charged.money));
    text.counter("quorum_charged_calls_unpriced_total", "Charged calls whose price is not known.")
        .is(&[], charged.unpriced);
    text.counter("quorum_charged_calls_lost_total", "Charged calls that the end of a process cut off.")
        .is(&[], charged.lost);
}

/// To the millionth, as it is kept.
fn dollars(Money(millionths): Money) -> String {
    let millionths = millionths.max(0);
    format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_told_to_the_millionth() {
        assert_eq!(dollars(Money(1_234_567)), "1.234567");
        assert_eq!(dollars(Money(50)), "0.000050");
    }
}
