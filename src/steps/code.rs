//! Running code that a model wrote: intent first, then the child that runs it, then what came of it in one transaction.

use serde_json::json;

use super::{Steps, Stop};
use crate::store::{AttemptEnd, NewAttempt, Settled};
use domain::{Money, PromptVersion, Ran, StepKey};

const KIND: &str = "code";

/// What stands where an attempt at a model names the model.
const RUNNER: &str = "code";

impl Steps {
    /// What comes of a piece of code. Whatever is wrong with it is in the result, and stops nobody. `who`: the seat's title,
    /// for the live card. Costs nothing but a call.
    pub async fn run_code(&self, key: StepKey, who: &str, code: &str) -> Result<Ran, Stop> {
        if let Some(ran) = self.recall::<Ran>(&key, KIND).await? {
            return ran.map_err(|_| Stop::Drift(key));
        }
        let attempt = NewAttempt {
            key: key.clone(),
            kind: KIND.to_owned(),
            reserve: self.reserve(0, Money(0)),
            model: RUNNER.to_owned(),
            prompt_version: PromptVersion("none".to_owned()),
            request: json!({ "code": code }).to_string(),
            allowed: self.scope.allowed,
        };
        let Some((n, in_flight)) = self.enter(&attempt).await? else {
            // The process is about to end, and the next one goes on from here.
            self.cancel.cancelled().await;
            return Err(Stop::Halted);
        };
        self.live.change(|progress| progress.thinking.push(who.to_owned()));
        let ran = tokio::select! {
            ran = self.world.sandbox.run(code) => Some(ran),
            () = self.cancel.cancelled() => None,
        };
        self.live.change(|progress| progress.thought(who));
        let end = AttemptEnd {
            key: key.clone(),
            n,
            ok: false,
            sent: true,
            answered: None,
            reply: None,
            problem: None,
            request_id: None,
            tokens: Some((0, 0, 0)),
            money: Some(Money(0)),
        };
        let Some(ran) = ran else {
            self.end(AttemptEnd { problem: Some("cancelled".to_owned()), ..end }).await?;
            return Err(Stop::Halted);
        };
        let ran = ran.unwrap_or_else(|error| {
            tracing::error!(session = %self.scope.session, %key, %error, "code could not be run");
            Ran::failed("No code could be run here at this moment.")
        });
        let end = AttemptEnd {
            ok: ran.is_whole(),
            reply: Some(serde_json::to_string(&ran)?),
            problem: ran.error.clone(),
            ..end
        };
        let settled = Settled {
            key,
            kind: KIND.to_owned(),
            failed: false,
            output: serde_json::to_value(&ran)?,
            posts: Vec::new(),
            panel: None,
            allowed: self.scope.allowed,
        };
        self.world.store.settle(&self.scope.session, Some(end), settled, self.world.now_ms()).await?;
        drop(in_flight);
        Ok(ran)
    }
}
