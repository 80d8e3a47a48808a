//! `quorum init`: asks for the bot's token and the keys one by one, tries each as it is given, and writes `.env`.
//!
//! Nothing is written before everything was asked for: whoever stops in the middle has what was there before.

mod answers;

use std::{collections::BTreeMap, path::Path};

use self::answers::Answers;
use super::{assemble, doctor, terminal::say};
use crate::config::{Config, ConfigError, Models, SETTINGS, write_env};
use discord::{Discord, invitation};
use domain::{Pace, Provider, Secret};

/// The file that is written, in the working folder.
const FILE: &str = ".env";

/// A provider of models by its key.
struct Key {
    setting: &'static str,
    provider: Provider,
    name: &'static str,
    from: &'static str,
}

const KEYS: [Key; 4] = [
    Key {
        setting: "ANTHROPIC_API_KEY",
        provider: Provider::Anthropic,
        name: "Anthropic",
        from: "https://console.anthropic.com/settings/keys",
    },
    Key {
        setting: "OPENAI_API_KEY",
        provider: Provider::Openai,
        name: "OpenAI",
        from: "https://platform.openai.com/api-keys",
    },
    Key {
        setting: "OPENROUTER_API_KEY",
        provider: Provider::Openrouter,
        name: "OpenRouter",
        from: "https://openrouter.ai/settings/keys",
    },
    Key {
        setting: "GEMINI_API_KEY",
        provider: Provider::Gemini,
        name: "Gemini",
        from: "https://aistudio.google.com/apikey",
    },
];

/// Settings that name no model: names that stand in `.env` may want for the very key that is asked for.
#[must_use]
pub fn unnamed() -> BTreeMap<&'static str, &'static str> {
    SETTINGS.into_iter().filter(|name| name.starts_with("QUORUM_MODEL")).map(|name| (name, "")).collect()
}

/// Asks, tries, and writes `.env` in the working folder.
///
/// # Errors
/// Where settings that are there already are wrong, or the file cannot be written.
pub async fn init() -> anyhow::Result<()> {
    let mut setup = Setup { typed: BTreeMap::new(), answers: Answers::of_the_terminal() };
    let before = setup.config()?;
    say(
        "Quorum needs a bot's token and a key for at least one model. Each is tried as you give it, and kept in",
    );
    say(
        "the file .env of this folder, which only you can read. Nothing is written before the last question.\n",
    );
    say(
        "1 of 3, Discord. At https://discord.com/developers/applications make a New Application, open Bot in it,",
    );
    say("press Reset Token, and copy the token. No privileged intent is needed.");
    let kept = before.discord.token.is_some();
    let Some(bot) = setup.ask("DISCORD_TOKEN", "Token", kept, Need::Must, try_token).await? else {
        say("Stopped. Nothing was written.");
        return Ok(());
    };
    say("\n2 of 3, models. One key is enough; models of several makers disagree more usefully.");
    say("Azure OpenAI is not asked for here: .env.example explains its address and its deployments.");
    let mut models = 0;
    for Key { setting, provider, name, from } in &KEYS {
        let kept = before.providers.of(*provider).is_some();
        let question = format!("{name} key, from {from}");
        let tried = async |config: Config| try_key(&config, *provider).await;
        models += usize::from(setup.ask(setting, &question, kept, Need::May, tried).await?.is_some());
    }
    say("\n3 of 3, search of the web: optional. Without it, the cards say that nothing was looked up.");
    let kept = before.search.is_some();
    let tried = async |config: Config| doctor::search(&config).await;
    setup.ask("TAVILY_API_KEY", "Tavily key, from https://app.tavily.com", kept, Need::May, tried).await?;
    setup.write()?;
    if models == 0 {
        say(no_model(&setup.config()?).await);
    }
    say(format_args!("\nInvite the bot to your server: {bot}"));
    say("Then start it: quorum run. `quorum doctor` tries all of it again whenever you like.");
    Ok(())
}

/// What was typed so far, and where more comes from.
struct Setup {
    typed: BTreeMap<&'static str, Secret>,
    answers: Answers,
}

/// Whether it goes on without an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Must,
    May,
}

impl Setup {
    /// The settings with what was typed in the place of what is there.
    fn config(&self) -> Result<Config, ConfigError> {
        let mut over: BTreeMap<&str, &str> = unnamed();
        over.extend(self.typed.iter().map(|(name, secret)| (*name, secret.reveal())));
        Config::load_with(&over)
    }

    /// Asks for a secret until one works, and gives what came of trying it. `None`: there is none. Where one is there
    /// already, that is tried first, and stays if it works.
    async fn ask(
        &mut self,
        setting: &'static str,
        question: &str,
        kept: bool,
        need: Need,
        tried: impl AsyncFn(Config) -> Result<String, String>,
    ) -> Result<Option<String>, ConfigError> {
        if kept {
            match tried(self.config()?).await {
                Ok(found) => {
                    say(format_args!("  ok     {question}: set already, and works"));
                    return Ok(Some(found));
                }
                Err(problem) => say(format_args!("  WRONG  {question}: set already, but {problem}")),
            }
        }
        let leave = if need == Need::Must { "Enter stops" } else { "Enter leaves it out" };
        loop {
            let Some(answer) = self.answers.secret(&format!("{question} (not shown; {leave}): ")) else {
                return Ok(None);
            };
            self.typed.insert(setting, answer);
            let outcome = match self.config() {
                Ok(config) => tried(config).await,
                Err(error) => Err(error.to_string()),
            };
            match outcome {
                Ok(found) => {
                    say(format_args!("  ok     {setting} works"));
                    return Ok(Some(found));
                }
                Err(problem) => {
                    self.typed.remove(setting);
                    say(format_args!("  WRONG  {problem}"));
                }
            }
        }
    }

    fn write(&self) -> Result<(), ConfigError> {
        if self.typed.is_empty() {
            say("\nNothing is new, so nothing was written.");
            return Ok(());
        }
        let secrets: Vec<(&str, Secret)> =
            self.typed.iter().map(|(name, secret)| (*name, secret.clone())).collect();
        write_env(Path::new(FILE), &secrets).map_err(|problem| ConfigError { problems: vec![problem] })?;
        say(format_args!("\nWritten to {FILE}, which explains every other setting, too."));
        Ok(())
    }
}

/// The invitation of the bot whose token it is.
async fn try_token(config: Config) -> Result<String, String> {
    let token = config.token().map_err(|error| error.to_string())?.clone();
    let discord = Discord::new(config.discord.api, token, Pace::REAL).map_err(|error| error.to_string())?;
    let me = discord.me().await;
    me.map(|me| invitation(me.id)).map_err(|error| format!("{error}. {}", doctor::TOKEN_REMEDY))
}

/// Whether a provider's model answers.
async fn try_key(config: &Config, provider: Provider) -> Result<String, String> {
    let models = assemble::models(config).await.map_err(|error| error.to_string())?;
    let llm = assemble::llm(config, models.local.clone()).map_err(|error| error.to_string())?;
    let model = models.panel.iter().find(|model| model.provider == provider);
    let model = model.ok_or("no model of this provider is known")?;
    doctor::ask(&llm, model, None).await
}

/// The models where the first of them answers.
async fn answering(config: &Config) -> Option<Models> {
    let models = assemble::models(config).await.ok()?;
    let llm = assemble::llm(config, models.local.clone()).ok()?;
    doctor::ask(&llm, models.panel.first()?, None).await.ok().map(|_| models)
}

/// What is so where no key works: a model on this computer answers, or how to get one.
async fn no_model(config: &Config) -> String {
    if config.providers.azure.is_some() {
        return "\nNo key was given here, but Azure OpenAI is set up: `quorum doctor` tries the deployments that\n\
                QUORUM_MODELS names."
            .to_owned();
    }
    match answering(config).await {
        Some(models) => format!("\nNo key, but {}, which answered.", models.chosen),
        None => "\nThere is no model yet. Without a key: install Ollama (https://ollama.com) and run\n\
                   `ollama pull qwen3:8b`; it is found by itself. Or start `quorum init` again with a key."
            .to_owned(),
    }
}
