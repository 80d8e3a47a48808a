//! `quorum doctor`: tries everything that is configured, says what it found and what to do.

use std::time::Duration;

use anyhow::bail;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{Fleet, assemble, behind, fleet, terminal};
use crate::{
    config::{Config, Models, program},
    steps::{now_ms, recall},
    store::{OpenError, Standing, Store},
};
use discord::{Discord, SendError, invitation};
use documents::{
    Confine, Documents,
    sandbox::{self, Sandbox},
};
use domain::{
    Effort, Finish, ModelName, Pace, Picture, Prompt, PromptVersion, RestRate, Schema, SearchFault,
};
use models::{Class, Llm};

/// What to do where Discord does not take the token.
pub(super) const TOKEN_REMEDY: &str = "Copy the token anew from the developer portal (Bot, Reset Token).";

/// How long Discord's API may take for a question: whoever waits in front of a terminal does not wait out every repetition.
pub(super) const ANSWERS_WITHIN: Duration = Duration::from_secs(20);

/// Most of something that is wrong in many places that are named.
const MOST_NAMED: usize = 5;

/// What passes within this time is waited for once.
const PASSES: Duration = Duration::from_secs(10);

/// Checks the token, the shards, the database, the search and each configured model, plain and with structured output.
pub async fn doctor(config: Config, of: Fleet) -> anyhow::Result<()> {
    let of = &of.or_set(&config);
    let mut wrong = 0;
    let mut tell = |what: &str, outcome: Result<String, String>| match outcome {
        Ok(found) => terminal::say(format_args!("  ok     {what}: {found}")),
        Err(problem) => {
            wrong += 1;
            terminal::say(format_args!("  WRONG  {what}: {problem}"));
        }
    };
    let (who, range) = tokio::join!(discord(&config), shards(&config, of));
    tell("Discord", who);
    tell("shards", range);
    if let Some(found) = fleet::servers(&config, of).await {
        tell("servers", found);
    }
    let standing = Store::standing(&config.database).await;
    let unopened = matches!(standing, Ok(Standing::Current | Standing::Behind(_)));
    let is_there = unopened || matches!(standing, Ok(Standing::InUse));
    tell("database", database(&config, standing));
    if is_there {
        tell("rows", rows(&config).await);
    }
    if unopened && let Some(found) = behind::threads(&config).await {
        tell("threads", found);
    }
    tell("documents", documents(super::confine(&config)).await);
    tell("calculations", calculations(super::confine(&config)).await);
    tell("search", search(&config).await);
    match assemble::models(&config).await {
        Err(error) => tell("models", Err(error.to_string())),
        Ok(models) => {
            tell("models", Ok(models.chosen.clone()));
            // Boxed, or this future would be as large as all that it asks.
            Box::pin(try_models(&config, &models, is_there, &mut tell)).await?;
        }
    }
    if wrong > 0 {
        bail!("{wrong} of the checks failed; each line above says what to do");
    }
    Ok(())
}

/// Tries each model that has a seat, and says what was learned of how it is asked, before and now.
async fn try_models(
    config: &Config,
    models: &Models,
    is_there: bool,
    tell: &mut impl FnMut(&str, Result<String, String>),
) -> anyhow::Result<()> {
    let llm = assemble::llm(config, models.local.clone())?;
    if is_there {
        // Of a file that cannot be read, another line tells.
        recall(&llm, Store::lessons_of_file(&config.database, now_ms()).await.unwrap_or_default());
    }
    let mut names = models.panel.clone();
    let roles = [&models.mediator, &models.moderator, &models.gatekeeper, &models.notary, &models.cheap];
    names.extend(roles.into_iter().cloned());
    names.sort();
    names.dedup();
    for model in names {
        tell(&format!("{model}, plain"), ask(&llm, &model, None).await);
        tell(&format!("{model}, structured"), ask(&llm, &model, Some(yes_or_no())).await);
        let manner = llm.manner(&model);
        if !manner.is_usual() {
            tell(&format!("{model}, learned"), Ok(manner.to_string()));
        }
    }
    tell("pictures", pictures(&llm, models.pictures.as_ref()).await);
    Ok(())
}

async fn discord(config: &Config) -> Result<String, String> {
    let token = config.token().map_err(|error| error.to_string())?.clone();
    let discord =
        Discord::new(config.discord.api.clone(), token, Pace::REAL).map_err(|error| error.to_string())?;
    let me = answered(config, discord.me()).await?;
    Ok(format!(
        "the token is {}'s; needed intents are never privileged. Invite it: {}",
        me.username,
        invitation(me.id)
    ))
}

/// What Discord's API answers, or why not and what to do.
async fn answered<T>(
    config: &Config,
    asked: impl Future<Output = Result<T, SendError>>,
) -> Result<T, String> {
    let look = || where_to_look(&config.discord.api, config.discord.rest);
    match tokio::time::timeout(ANSWERS_WITHIN, asked).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) if error.is_final() => Err(format!("{error}. {TOKEN_REMEDY}")),
        Ok(Err(error)) => Err(format!("{error}. {}", look())),
        Err(_) => Err(format!("no answer came within {} s. {}", ANSWERS_WITHIN.as_secs(), look())),
    }
}

/// What to do where Discord's API does not answer as it should.
pub(super) fn where_to_look(api: &Url, rest: RestRate) -> String {
    match rest {
        RestRate::Proxy => {
            format!("Look whether the rate-limit proxy runs at {api} (DISCORD_API_BASE) and reaches Discord.")
        }
        RestRate::Own(_) => format!("Look whether this machine reaches {api}, then try again."),
    }
}

/// Whether this process, and the others if they are named, run the shards that Discord recommends.
async fn shards(config: &Config, of: &Fleet) -> Result<String, String> {
    let token = config.token().map_err(|error| error.to_string())?.clone();
    let discord =
        Discord::new(config.discord.api.clone(), token, Pace::REAL).map_err(|error| error.to_string())?;
    match answered(config, discord.gateway()).await {
        Ok(gateway) => fleet::shards(config, of, &gateway),
        Err(why) => Err(format!("Discord does not say how many it recommends: {why}")),
    }
}

fn database(config: &Config, standing: Result<Standing, OpenError>) -> Result<String, String> {
    let path = config.database.display();
    match standing {
        Ok(Standing::Absent) => Ok(format!("{path} is not there yet; the first start makes it")),
        Ok(Standing::InUse) => Ok(format!("{path} is in use by a Quorum that runs")),
        Ok(Standing::Current) => Ok(format!(
            "{path} can be written and is up to date; requests and replies are deleted 90 days after a session's end unless its server sets otherwise"
        )),
        Ok(Standing::Behind(changes)) => Ok(format!(
            "{path} can be written; the next start brings it up to date ({}). An earlier Quorum cannot open it after that: `quorum backup` copies it as it is",
            changes.join(", ")
        )),
        Err(error) => Err(error.to_string()),
    }
}

/// Whether all that is stored can be read, and which sessions are parked.
async fn rows(config: &Config) -> Result<String, String> {
    let (unread, parked) = Store::unreadable_in(&config.database)
        .await
        .map_err(|error| format!("they cannot be read: {error}"))?;
    let parked = match parked.len() {
        0 => String::new(),
        many => format!("; parked: {}", first_of(&parked, many)),
    };
    if unread.is_empty() {
        return Ok(format!("all that goes on by itself can be read{parked}"));
    }
    Err(format!(
        "{} cannot be read and {} passed over; all others go on. {}. The next start parks the sessions; a backup may have them whole{parked}",
        unread.len(),
        if unread.len() == 1 { "is" } else { "are" },
        first_of(&unread, unread.len()),
    ))
}

/// The first few of many.
fn first_of(all: &[String], many: usize) -> String {
    let shown = all.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(" · ");
    if many > MOST_NAMED { format!("{shown} and {} more", many - MOST_NAMED) } else { shown }
}

/// Whether documents, which may be anybody's, are read where they can do no harm.
async fn documents(confine: Confine) -> Result<String, String> {
    let unknown = |error: anyhow::Error| {
        format!("it could not be found out how the process that reads them is shut in: {error}")
    };
    let documents = program().map_err(Into::into).and_then(|program| Documents::new(None, program));
    let found = documents.map_err(unknown)?.confinement().await.map_err(unknown)?;
    match (found.wrong(confine), confine) {
        (None, _) => {
            Ok("they are read in a process that can open, write, remove, start, signal and reach nothing"
                .to_owned())
        }
        (Some(wrong), Confine::Weakly) => Ok(format!("DEGRADED: {wrong}")),
        (Some(wrong), Confine::Strictly) => Err(wrong),
    }
}

/// Whether code that a model writes to find something out can be run. Its process is shut in as the one for documents is.
async fn calculations(confine: Confine) -> Result<String, String> {
    let broken = |why: String| {
        format!("the process that runs them does not work, so that investigations go on without: {why}")
    };
    let sandbox = Sandbox::new(program().map_err(|error| broken(error.to_string()))?).confined(confine);
    let ran = sandbox.run("console.log(6 * 7)").await.map_err(|error| broken(error.to_string()))?;
    match (ran.error.as_deref(), ran.printed.trim()) {
        (None, "42") => Ok(format!(
            "investigations run them in a process that is shut in as the one for documents is ({} MB, {} s)",
            sandbox::BOUNDS.memory >> 20,
            sandbox::BOUNDS.seconds
        )),
        _ => Err(broken(ran.told())),
    }
}

/// Whether what is claimed can be looked up.
pub(super) async fn search(config: &Config) -> Result<String, String> {
    let search = assemble::search(config, Pace::REAL).map_err(|error| format!("{error:#}"))?;
    let Some(search) = search else {
        return Ok(
            "not set up: sessions go on without, and their cards say so; set TAVILY_API_KEY or SEARXNG_URL"
                .to_owned(),
        );
    };
    match search.find("Quorum decision making").await {
        Ok(found) if found.is_empty() => Err(format!(
            "{} answers, but found nothing. Check that its engines work, in a browser.",
            search.name()
        )),
        Ok(found) => Ok(format!("{} answered; results of one query: {}", search.name(), found.len())),
        Err(error) => Err(format!("{error}. {}", search_remedy(error.fault))),
    }
}

/// A PNG of 64 points a side, all of them red.
const RED: &str = "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAS0lEQVR42u3PQQkAAAgAsetfWiP4FgYrsKZeS0BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEDgsqnc8OJg6Ln3AAAAAElFTkSuQmCC";

/// Whether the model that reads pictures sees them. Some servers leave pictures out without a word, so it has to say what it sees.
async fn pictures(llm: &Llm, model: Option<&ModelName>) -> Result<String, String> {
    let Some(model) = model else {
        return Ok(
            "no model reads them: pages without text are named as not read, and attached pictures are refused; set QUORUM_MODEL_PICTURES to a model that sees pictures"
                .to_owned(),
        );
    };
    let red = Picture { media: "image/png".to_owned(), base64: RED.to_owned() };
    let task = "Which colour is this picture? Reply with the English name of the colour alone.";
    let prompt = Prompt { pictures: vec![red], ..words(task, None) };
    let (said, reply) = said(llm, model, prompt).await.map_err(|why| format!("{model}: {why}"))?;
    if reply.to_lowercase().contains("red") {
        return Ok(format!("{model} reads them; it saw a small one and {said}"));
    }
    let reply: String = reply.chars().take(60).collect();
    Err(format!(
        "{model} was sent a picture that is red all over and said {reply:?}, so it may see none. Set QUORUM_MODEL_PICTURES to a model that sees pictures, or take it out."
    ))
}

fn yes_or_no() -> Schema {
    let json = json!({
        "type": "object", "additionalProperties": false, "required": ["ready"],
        "properties": {"ready": {"type": "boolean"}},
    });
    Schema { name: "readiness".to_owned(), json }
}

pub(super) async fn ask(llm: &Llm, model: &ModelName, schema: Option<Schema>) -> Result<String, String> {
    let task = if schema.is_some() { "Reply with {\"ready\": true}." } else { "Reply with the word ready." };
    said(llm, model, words(task, schema)).await.map(|(said, _)| said)
}

/// A request in a few words.
fn words(task: &str, schema: Option<Schema>) -> Prompt {
    Prompt {
        rules: "You answer in as few words as possible.".to_owned(),
        shared: String::new(),
        task: task.to_owned(),
        pictures: Vec::new(),
        turns: Vec::new(),
        schema,
        tools: Vec::new(),
        max_tokens: 200,
        room: 0,
        effort: Effort::Brief,
        temperature: None,
        version: PromptVersion("doctor".to_owned()),
    }
}

/// How a model answered, and what.
async fn said(llm: &Llm, model: &ModelName, prompt: Prompt) -> Result<(String, String), String> {
    let prompt = Prompt { room: llm.room(model, &prompt), ..prompt };
    let begun = std::time::Instant::now();
    let mut answer = llm.send(model, &prompt, &CancellationToken::new()).await;
    // A session would ask again, too.
    if let Some(pause) =
        answer.as_ref().err().and_then(|error| error.pause(1, 0.5)).filter(|pause| *pause <= PASSES)
    {
        tokio::time::sleep(pause).await;
        answer = llm.send(model, &prompt, &CancellationToken::new()).await;
    }
    match answer {
        Ok(reply) if reply.is_only_thought() => Err(format!(
            "it spent all {} tokens on reasoning and said nothing. Sessions give such a model more room, which costs more; if that is too much, choose a model that reasons less.",
            prompt.bound()
        )),
        Ok(reply) => {
            let place = if reply.finish == Finish::InThoughts { ", among its thoughts" } else { "" };
            let (seconds, answered) = (begun.elapsed().as_secs_f64(), &reply.answered);
            Ok((format!("answered in {seconds:.1} s as {answered}{place}"), reply.text))
        }
        Err(error) => {
            let said = error.to_string();
            Err(format!("{}. {}", said.trim_end_matches('.'), remedy(error.class)))
        }
    }
}

fn remedy(class: Class) -> &'static str {
    match class {
        Class::Auth => "Set a valid API key for this provider.",
        Class::MoneyGone => "Top up the account or raise its spending limit.",
        Class::NotFound => "Check the model's name in QUORUM_MODELS.",
        Class::Forbidden => {
            "This model is not for this key or place: allow it at the provider, or choose another. Sessions go on with \
             the other models of the panel."
        }
        Class::RateLimited | Class::Overloaded | Class::Server | Class::Malformed => "Try again in a minute.",
        Class::Unavailable | Class::Timeout | Class::Broken | Class::Cancelled => {
            "Check the base URL and the network."
        }
        Class::TooLarge => "Give the model a larger context or its key a larger limit, or choose another.",
        Class::BadRequest => "This model may not take the request; choose another.",
    }
}

fn search_remedy(fault: SearchFault) -> &'static str {
    match fault {
        SearchFault::Key => "Set a valid TAVILY_API_KEY.",
        SearchFault::Spent => "Raise the plan or its limit, or use SEARXNG_URL.",
        SearchFault::Limited => "Try again in a minute.",
        SearchFault::Down => "Check the address and the network, or try again in a minute.",
        SearchFault::Unreadable | SearchFault::Gone => "Check TAVILY_BASE_URL or SEARXNG_URL.",
        SearchFault::Refused => "Check the engine's own settings.",
        SearchFault::Engines => {
            "Look in its settings.yml at the engines that are named; some refuse servers for a while."
        }
    }
}
