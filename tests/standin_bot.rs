//! A real bot (serenity and poise) against the stand-in: proof that the libraries accept what it says.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use playground::{Options, Playground, Upload, ids};
use poise::serenity_prelude as serenity;
use serde_json::json;
use serenity::all as s;
use serenity::builder as b;

use crate::support::until;

type Error = Box<dyn std::error::Error + Send + Sync>;
type Context<'a> = poise::Context<'a, Heard, Error>;

/// What reached the bot.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Heard {
    fn note(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }
    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

fn silent() -> b::CreateAllowedMentions {
    b::CreateAllowedMentions::new()
}

#[expect(clippy::unused_async, reason = "poise calls it so")]
async fn complete(_: Context<'_>, partial: &str) -> b::CreateAutocompleteResponse {
    b::CreateAutocompleteResponse::new()
        .add_string_choice(format!("{partial}-one"), format!("{partial}-one"))
        .add_string_choice(format!("{partial}-two"), format!("{partial}-two"))
}

/// Opens a discussion.
#[poise::command(slash_command, guild_only)]
async fn open(
    ctx: Context<'_>,
    #[description = "What to decide"]
    #[max_length = 100]
    problem: String,
    #[description = "Which model"]
    #[autocomplete = "complete"]
    model: Option<String>,
    #[description = "A document"] document: Option<s::Attachment>,
) -> Result<(), Error> {
    ctx.defer().await?;
    let poise::Context::Application(app) = ctx else { return Err("not a slash command".into()) };
    let http = ctx.http();
    if let Some(document) = &document {
        let text = reqwest::get(&document.url).await?.text().await?;
        ctx.data().note(format!("document {} {text}", document.filename));
    }
    ctx.data().note(format!("model {}", model.unwrap_or_default()));
    let edit = b::EditInteractionResponse::new().content("Opened").allowed_mentions(silent());
    app.interaction.edit_response(http, edit).await?;

    let embed = b::CreateEmbed::new().title(&problem).image("attachment://chart.png").color(0x00_5865);
    let buttons = b::CreateActionRow::Buttons(vec![b::CreateButton::new("why").label("Why?")]);
    let menu = b::CreateActionRow::SelectMenu(b::CreateSelectMenu::new(
        "pick",
        b::CreateSelectMenuKind::String {
            options: vec![b::CreateSelectMenuOption::new("A", "a"), b::CreateSelectMenuOption::new("B", "b")],
        },
    ));
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x08\0\0\0\x08".to_vec();
    let message = b::CreateMessage::new()
        .embed(embed)
        .components(vec![buttons, menu])
        .add_file(b::CreateAttachment::bytes(png, "chart.png"))
        .allowed_mentions(silent())
        .nonce(s::Nonce::String("card-1".into()))
        .enforce_nonce(true);
    let mut card = ctx.channel_id().send_message(http, message).await?;
    let thread = b::CreateThread::new("Discussion").auto_archive_duration(s::AutoArchiveDuration::OneDay);
    let thread = ctx.channel_id().create_thread_from_message(http, card.id, thread).await?;
    let first = b::CreateMessage::new().content("Welcome <@1100000000000000011>").allowed_mentions(silent());
    let first = thread.id.send_message(http, first).await?;
    thread.id.pin(http, first.id).await?;
    card.edit(http, b::EditMessage::new().content("Edited").allowed_mentions(silent())).await?;
    thread.id.edit_thread(http, b::EditThread::new().name("Discussion, going on")).await?;
    ctx.data()
        .note(format!("messages {}", thread.id.messages(http, b::GetMessages::new().limit(10)).await?.len()));
    Ok(())
}

/// About a message.
#[poise::command(context_menu_command = "About this")]
async fn about(ctx: Context<'_>, message: s::Message) -> Result<(), Error> {
    let mut files = String::new();
    for file in &message.attachments {
        let text = reqwest::get(&file.url).await?.text().await?;
        write!(files, "{}, {} bytes: {text}", file.filename, file.size)?;
    }
    let reply = poise::CreateReply::default()
        .content(format!("It says: {} ({files})", message.content))
        .ephemeral(true)
        .allowed_mentions(silent());
    ctx.send(reply).await?;
    Ok(())
}

async fn event(ctx: &s::Context, event: &s::FullEvent, heard: &Heard) -> Result<(), Error> {
    match event {
        s::FullEvent::Message { new_message } if !new_message.author.bot => {
            let mentioned = new_message.mentions_user_id(ids::BOT);
            heard.note(format!("message {:?} {mentioned}", new_message.content));
        }
        s::FullEvent::InteractionCreate { interaction: s::Interaction::Component(press) } => {
            heard.note(format!("pressed {}", press.data.custom_id));
            if press.data.custom_id == "why" {
                let input = b::CreateInputText::new(s::InputTextStyle::Short, "Your reason", "reason");
                let modal = b::CreateModal::new("reasons", "Why?")
                    .components(vec![b::CreateActionRow::InputText(input)]);
                press.create_response(ctx, b::CreateInteractionResponse::Modal(modal)).await?;
            } else {
                press.create_response(ctx, b::CreateInteractionResponse::Acknowledge).await?;
                let reply = b::CreateInteractionResponseFollowup::new()
                    .content("Noted")
                    .ephemeral(true)
                    .allowed_mentions(silent());
                press.create_followup(ctx, reply).await?;
            }
        }
        s::FullEvent::InteractionCreate { interaction: s::Interaction::Modal(sent) } => {
            let s::ActionRowComponent::InputText(input) = &sent.data.components[0].components[0] else {
                return Err("no text input".into());
            };
            let text = format!("Because {}", input.value.clone().unwrap_or_default());
            let message = b::CreateInteractionResponseMessage::new()
                .content(text)
                .ephemeral(true)
                .allowed_mentions(silent());
            sent.create_response(ctx, b::CreateInteractionResponse::Message(message)).await?;
        }
        _ => {}
    }
    Ok(())
}

/// Starts the bot; it runs until the test ends.
async fn bot(discord: &Playground) -> Heard {
    let heard = Heard::default();
    let data = heard.clone();
    let framework = poise::Framework::<Heard, Error>::builder()
        .options(poise::FrameworkOptions {
            commands: vec![open(), about()],
            event_handler: |framework, what| {
                Box::pin(
                    async move { event(framework.serenity_context, what, framework.user_data().await).await },
                )
            },
            on_error: |error| {
                Box::pin(async move {
                    if let poise::FrameworkError::Command { error, ctx, .. } = &error {
                        ctx.data().note(format!("error {error:?}"));
                    } else if let poise::FrameworkError::EventHandler { error, framework, .. } = &error {
                        framework.user_data().await.note(format!("error {error:?}"));
                    }
                })
            },
            ..Default::default()
        })
        .setup(move |ctx, _, framework| {
            Box::pin(async move {
                poise::builtins::register_globally(ctx, &framework.options().commands).await?;
                Ok(data)
            })
        })
        .build();
    let http = s::HttpBuilder::new(discord.token()).proxy(discord.url()).ratelimiter_disabled(true).build();
    let mut client = s::ClientBuilder::new_with_http(http, s::GatewayIntents::non_privileged())
        .framework(framework)
        .await
        .unwrap();
    tokio::spawn(async move { client.start().await.unwrap() });
    heard
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_bot_works_against_it() {
    let discord = Playground::start(Options::default()).await.unwrap();
    let heard = bot(&discord).await;
    let client = discord.client();
    assert!(client.wait_bot(Duration::from_secs(10)).await, "connected and registered");

    let choices = client
        .autocomplete(ids::ADA, ids::DECISIONS, "open", json!({"problem": "x", "model": "small"}), "model")
        .await
        .unwrap();
    assert_eq!(choices.len(), 2, "{choices:?} {:?}", heard.all());
    assert_eq!(choices[0]["name"], "small-one");

    let files = [("document".to_owned(), Upload::new("notes.txt", "forty thousand people"))].into();
    let options = json!({"problem": "Where to open?", "model": "small-one"});
    let run = client.run_command_with(ids::ADA, ids::DECISIONS, "open", options, files).unwrap();
    let seen = client.wait_reply(run).await;
    assert_eq!(seen.text(), "Opened", "{:?}", heard.all());
    until(|| heard.all().iter().any(|h| h.starts_with("messages")), || "the command ends").await;
    let notes = heard.all();
    assert!(notes.contains(&"document notes.txt forty thousand people".to_owned()), "{notes:?}");
    assert!(
        notes.contains(&"messages 4".to_owned()),
        "starter, welcome, its new name, pin notice: {notes:?}"
    );

    let thread = &discord.threads(ids::DECISIONS)[0];
    assert_eq!(thread["name"], "Discussion, going on");
    let messages = discord.messages(ids::DECISIONS);
    let card = messages.iter().find(|m| m["content"] == "Edited").unwrap();
    assert_eq!(card["thread"]["id"], card["id"], "a thread from a message has its id");
    let image = card["embeds"][0]["image"]["url"].as_str().unwrap();
    assert!(reqwest::get(image).await.unwrap().status().is_success());
    let thread_id: u64 = thread["id"].as_str().unwrap().parse().unwrap();
    let welcome = &discord.messages(thread_id)[1];
    assert_eq!(welcome["pinned"], true);
    assert_eq!(welcome["mentions"], json!([]), "nobody is pinged");

    let card_id: u64 = card["id"].as_str().unwrap().parse().unwrap();
    let press = client.click(ids::BEN, ids::DECISIONS, card_id, "why").unwrap();
    let seen = client.wait_reply(press).await;
    assert_eq!(seen.modal.unwrap()["title"], "Why?", "{:?}", heard.all());
    let sent = client.submit_modal(ids::BEN, press, &[("reason", "I asked")]).unwrap();
    let seen = client.wait_reply(sent).await;
    assert_eq!(seen.text(), "Because I asked");
    assert_eq!(seen.messages[0]["ephemeral_for"], ids::BEN.to_string());
    let pick = client.select(ids::BEN, ids::DECISIONS, card_id, "pick", &["b"]).unwrap();
    until(|| client.look(pick).text() == "Noted", || "a follow-up").await;

    let file = Upload::new("minutes.txt", "we met");
    let said = client.say_with(ids::CHLOE, ids::GENERAL, "only among us", vec![file]).unwrap();
    client.say(ids::CHLOE, ids::GENERAL, &format!("<@{}> what now?", ids::BOT)).unwrap();
    until(|| heard.all().iter().any(|h| h.contains("what now?") && h.ends_with("true")), || "the mention")
        .await;
    assert!(heard.all().contains(&"message \"\" false".to_owned()), "unmentioned, it reads nothing");
    let about = client.message_command(ids::ADA, ids::GENERAL, "About this", said).unwrap();
    assert_eq!(
        client.wait_reply(about).await.text(),
        "It says: only among us (minutes.txt, 6 bytes: we met)"
    );

    let before = discord.connections();
    discord.faults().ask_to_reconnect();
    assert!(client.wait_bot_after(before, Duration::from_secs(10)).await);
    client.say(ids::ADA, ids::GENERAL, &format!("<@{}> still there?", ids::BOT)).unwrap();
    until(|| heard.all().iter().any(|h| h.contains("still there?")), || "after a reconnect").await;

    assert_eq!(discord.violations(), Vec::<String>::new());
    assert!(!heard.all().iter().any(|h| h.starts_with("error")), "{:?}", heard.all());
}
