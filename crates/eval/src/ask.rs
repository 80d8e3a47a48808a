//! Asking a model outside a session: tried again as the door advises, mended once, and counted.

use std::time::Duration;

use domain::{ModelName, Money, Prompt, Reply, Usage};
use models::Llm;
use quorum::{
    app::assemble,
    config::{Config, Models},
    prompt::{self, ParseError, Prompts},
};
use tokio_util::sync::CancellationToken;

/// What asking took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Took {
    /// Calls that were made.
    pub calls: u32,
    /// Tokens; nothing where a provider did not say.
    pub tokens: Option<u64>,
    /// Cost; nothing where it is not known.
    pub money: Option<Money>,
}

impl Default for Took {
    fn default() -> Self {
        Self { calls: 0, tokens: Some(0), money: Some(Money(0)) }
    }
}

impl Took {
    /// Both together.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.zip(other.tokens).map(|(one, more)| one.saturating_add(more)),
            money: self.money.zip(other.money).map(|(one, more)| Money(one.0.saturating_add(more.0))),
        }
    }
}

/// Who asks.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    /// The door.
    pub llm: Llm,
    /// The prompts.
    pub prompts: Prompts,
    /// Ends calls under way.
    pub cancel: CancellationToken,
}

/// The models by the settings, and who asks them.
pub(super) async fn asker(config: &Config) -> anyhow::Result<(Models, Asker)> {
    let models = assemble::models(config).await?;
    let llm = assemble::llm(config, models.local.clone())?;
    let cancel = CancellationToken::new();
    Ok((models, Asker { llm, prompts: Prompts::embedded(), cancel }))
}

/// Most tries of one question: those of the door, and one to mend what cannot be read.
const MOST_TRIES: u32 = 6;

impl Asker {
    /// What a model says, or a sentence why there is nothing to use; and what it took.
    pub(super) async fn ask<T>(
        &self,
        model: &ModelName,
        prompt: Prompt,
        read: impl Fn(&Reply) -> Result<T, ParseError>,
    ) -> (Result<T, String>, Took) {
        let mut prompt = Prompt { room: self.llm.room(model, &prompt), ..prompt };
        let mut took = Took::default();
        let mut tries = 0;
        loop {
            tries += 1;
            match self.llm.send(model, &prompt, &self.cancel).await {
                Ok(reply) => {
                    took = took.and(self.paid(&reply));
                    match read(&reply) {
                        Ok(value) => return (Ok(value), took),
                        Err(error) if prompt.turns.is_empty() && tries < MOST_TRIES => {
                            prompt = prompt::repair(&self.prompts, &prompt, &reply.text, &error);
                        }
                        Err(error) => return (Err(format!("its reply could not be used: {error}")), took),
                    }
                }
                Err(error) => {
                    let spent = Took {
                        calls: u32::from(error.sent),
                        tokens: if error.sent { error.usage.map(Usage::total) } else { Some(0) },
                        money: if error.sent {
                            error.usage.zip(self.llm.price(model)).map(|(usage, price)| price.of(usage))
                        } else {
                            Some(Money(0))
                        },
                    };
                    took = took.and(spent);
                    let Some(pause) = error.pause(tries, 0.5).filter(|_| tries < MOST_TRIES) else {
                        return (Err(format!("it did not answer: {error}")), took);
                    };
                    tokio::select! {
                        () = tokio::time::sleep(pause.min(Duration::from_mins(2))) => {}
                        () = self.cancel.cancelled() => return (Err("it was ended".to_owned()), took),
                    }
                }
            }
        }
    }

    fn paid(&self, reply: &Reply) -> Took {
        let served = ModelName { provider: reply.asked.provider, model: reply.answered.clone() };
        let price = self.llm.price(&served).or_else(|| self.llm.price(&reply.asked));
        Took {
            calls: 1,
            tokens: reply.usage.map(Usage::total),
            money: reply.cost.or_else(|| reply.usage.zip(price).map(|(usage, price)| price.of(usage))),
        }
    }
}
