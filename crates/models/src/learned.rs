//! What models turned out to refuse, and how they are asked since. Vendors retire parameters model by model, and servers
//! that speak the same dialect know different parts of it; a table would be wrong within weeks, so the refusal itself
//! teaches.
//!
//! A refusal becomes a [`Change`] of the next request, changes add up to the [`Manner`] in which one model is asked, and a
//! manner that a server has taken is a [`Lesson`], which is kept across restarts. What teaches nothing keeps the server's
//! own words.

mod refusal;

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

pub(super) use refusal::{Sent, change};

use domain::ModelName;

/// A part of a request without which it still makes sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// `temperature`.
    #[strum(serialize = "temperature")]
    Temperature,
    /// `stream_options`; usage is then unknown.
    #[strum(serialize = "stream_options")]
    StreamOptions,
    /// `prompt_cache_key`.
    #[strum(serialize = "prompt_cache_key")]
    CacheKey,
    /// `max_completion_tokens`, instead of which older servers want `max_tokens`.
    #[strum(serialize = "max_completion_tokens")]
    CompletionTokens,
    /// `max_tokens`, instead of which newer models want `max_completion_tokens`.
    #[strum(serialize = "max_tokens")]
    MaxTokens,
    /// The role `developer`, instead of which older servers want `system`.
    #[strum(serialize = "role developer")]
    Developer,
    /// `frequency_penalty` and `cache_prompt`.
    #[strum(serialize = "frequency_penalty")]
    Extras,
    /// How much to think, in each provider's own word for it.
    #[strum(serialize = "reasoning effort")]
    Effort,
    /// That no more than one tool is called.
    #[strum(serialize = "parallel_tool_calls")]
    Parallel,
    /// That a tool has to be called; the model is then asked to.
    #[strum(serialize = "tool_choice")]
    Forced,
    /// That a call's arguments have exactly their shape.
    #[strum(serialize = "strict tools")]
    Strict,
    /// The provider's own tool calls; structured output takes their place.
    #[strum(serialize = "tools")]
    Tools,
}

/// How the shape of a reply is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SchemaForm {
    /// As the provider's structured output, with all that it usually takes.
    #[default]
    Whole,
    /// The same without lengths, ranges, patterns and strictness: some make a grammar of a schema and know no more.
    Plain,
    /// In words at the end of the task.
    Words,
}

/// One way in which the next request differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// It leaves this out.
    Without(Parameter),
    /// The reply comes in one piece.
    Unstreamed,
    /// The reply's shape is asked for so.
    Schema(SchemaForm),
    /// The rules stand before the task, for the model knows no role for them.
    RulesBeforeTask,
    /// The model can write no more than so many tokens.
    Shorter(u32),
    /// So many are left beside this prompt, which says nothing of the next.
    ShorterNow(u32),
}

/// How one model is asked at one server.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Manner {
    without: Vec<Parameter>,
    schema: SchemaForm,
    unstreamed: bool,
    rules_before_task: bool,
    /// Most tokens that it can write.
    most_output: Option<u32>,
    /// The same for the prompt at hand.
    #[serde(skip)]
    room_now: Option<u32>,
}

impl Manner {
    pub(super) fn lacks(&self, parameter: Parameter) -> bool {
        self.without.contains(&parameter)
    }

    pub(super) fn schema(&self) -> SchemaForm {
        self.schema
    }

    pub(super) fn is_streamed(&self) -> bool {
        !self.unstreamed
    }

    pub(super) fn puts_rules_before_task(&self) -> bool {
        self.rules_before_task
    }

    /// The bound of a reply that is to have at most so many tokens.
    pub(super) fn bound(&self, tokens: u32) -> u32 {
        [self.most_output, self.room_now].into_iter().flatten().fold(tokens, u32::min)
    }

    #[must_use]
    pub(super) fn with(mut self, change: Change) -> Self {
        match change {
            Change::Without(parameter) if self.lacks(parameter) => {}
            Change::Without(parameter) => self.without.push(parameter),
            Change::Unstreamed => self.unstreamed = true,
            Change::Schema(form) => self.schema = form,
            Change::RulesBeforeTask => self.rules_before_task = true,
            Change::Shorter(tokens) => self.most_output = Some(tokens),
            Change::ShorterNow(tokens) => self.room_now = Some(tokens),
        }
        self
    }

    /// With what was learned at the same time: a round's seats are refused side by side.
    fn and(mut self, other: &Self) -> Self {
        for parameter in &other.without {
            self = self.with(Change::Without(*parameter));
        }
        self.schema = self.schema.max(other.schema);
        self.unstreamed |= other.unstreamed;
        self.rules_before_task |= other.rules_before_task;
        self.most_output = [self.most_output, other.most_output].into_iter().flatten().min();
        self
    }

    /// Without what is about one prompt alone.
    fn lasting(mut self) -> Self {
        self.room_now = None;
        self
    }

    /// Whether it is asked as any other.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Manner {
    /// `no temperature; schema in words`, for whoever runs the bot; empty for the usual one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> =
            self.without.iter().map(|parameter| format!("no {}", <&str>::from(*parameter))).collect();
        parts.extend(match self.schema {
            SchemaForm::Whole => None,
            SchemaForm::Plain => Some("a plain schema".to_owned()),
            SchemaForm::Words => Some("schema in words".to_owned()),
        });
        if self.unstreamed {
            parts.push("not streamed".to_owned());
        }
        if self.rules_before_task {
            parts.push("no system role".to_owned());
        }
        parts.extend(self.most_output.map(|most| format!("at most {most} tokens of output")));
        f.write_str(&parts.join("; "))
    }
}

/// How a model at a server is asked since it refused to be asked as others are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// The server's base URL, without what may be secret in it.
    pub base: String,
    /// The model.
    pub model: ModelName,
    /// How it is asked.
    pub manner: Manner,
}

/// What is known of all models.
#[derive(Debug, Default)]
pub(super) struct Learned(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    manners: HashMap<ModelName, Manner>,
    /// How a model is asked next whose server wanted more changes than are tried in one call.
    supposed: HashMap<ModelName, Manner>,
    /// Models whose manner has changed since somebody last asked which.
    news: Vec<ModelName>,
    /// Models that thought until there was no room left to answer, though no list says that they think.
    thinkers: HashSet<ModelName>,
    /// Contexts as servers told them while they had the model in memory, in tokens.
    contexts: HashMap<ModelName, u32>,
}

impl Learned {
    /// How a model has been asked that took it.
    pub(super) fn of(&self, model: &ModelName) -> Manner {
        self.lock().manners.get(model).cloned().unwrap_or_default()
    }

    /// How it is asked next.
    pub(super) fn next(&self, model: &ModelName) -> Manner {
        let known = self.lock();
        known.supposed.get(model).or_else(|| known.manners.get(model)).cloned().unwrap_or_default()
    }

    /// Notes how a model may be content to be asked, though it has taken nothing yet; `None`: that leads nowhere.
    pub(super) fn suppose(&self, model: &ModelName, manner: Option<Manner>) {
        let mut known = self.lock();
        match manner {
            Some(manner) => known.supposed.insert(model.clone(), manner.lasting()),
            None => known.supposed.remove(model),
        };
    }

    /// Keeps a manner in which the model has just answered, with what others have learned of it meanwhile; gives whether
    /// there is anything new in it.
    pub(super) fn keep(&self, model: &ModelName, manner: Manner) -> bool {
        let mut known = self.lock();
        known.supposed.remove(model);
        let kept = known.manners.get(model).cloned().unwrap_or_default();
        let manner = manner.lasting().and(&kept);
        if manner == kept {
            return false;
        }
        known.manners.insert(model.clone(), manner);
        known.news.push(model.clone());
        true
    }

    /// Takes over what was known before.
    pub(super) fn recall(&self, model: ModelName, manner: Manner) {
        self.lock().manners.insert(model, manner);
    }

    /// Whose manner has changed since this was last asked, and how they are asked now.
    pub(super) fn news(&self) -> Vec<(ModelName, Manner)> {
        let mut known = self.lock();
        let models = std::mem::take(&mut known.news);
        models.into_iter().map(|model| (model.clone(), known.manners[&model].clone())).collect()
    }

    pub(super) fn thinks(&self, model: &ModelName) -> bool {
        self.lock().thinkers.contains(model)
    }

    pub(super) fn add_thinker(&self, model: &ModelName) {
        self.lock().thinkers.insert(model.clone());
    }

    pub(super) fn context(&self, model: &ModelName) -> Option<u32> {
        self.lock().contexts.get(model).copied()
    }

    pub(super) fn add_context(&self, model: &ModelName, tokens: u32) {
        self.lock().contexts.insert(model.clone(), tokens);
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // Whole between any two statements.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_add_up_are_told_and_outlive_the_process() {
        let changes = [
            Change::Without(Parameter::CompletionTokens),
            Change::Without(Parameter::CompletionTokens),
            Change::Schema(SchemaForm::Words),
            Change::Unstreamed,
            Change::RulesBeforeTask,
            Change::Shorter(8_192),
            Change::ShorterNow(900),
        ];
        let manner = changes.into_iter().fold(Manner::default(), Manner::with);
        let told = "no max_completion_tokens; schema in words; not streamed; no system role; at most 8192 tokens of output";
        assert_eq!(manner.to_string(), told);
        assert_eq!((manner.bound(40_000), manner.bound(700)), (900, 700));

        let learned = Learned::default();
        let model: ModelName = "openai/m".parse().unwrap();
        assert!(!learned.keep(&model, Manner::default()) && learned.news().is_empty(), "nothing to learn");
        assert!(learned.keep(&model, manner.clone()) && !learned.keep(&model, manner.clone()));
        let news = learned.news();
        assert_eq!(news.len(), 1);
        assert_eq!(news[0].1.bound(40_000), 8_192, "what is about one prompt is forgotten with it");
        assert!(learned.news().is_empty(), "told once");

        // Two that are refused side by side, each for another reason, leave one manner, in whichever order they end.
        let other: ModelName = "openai/other".parse().unwrap();
        for change in [Change::Without(Parameter::Temperature), Change::Shorter(900), Change::Shorter(1_200)]
        {
            learned.keep(&other, Manner::default().with(change));
        }
        learned.keep(&other, Manner::default());
        assert_eq!(learned.of(&other).to_string(), "no temperature; at most 900 tokens of output");

        let kept = serde_json::to_string(&news[0].1).unwrap();
        assert_eq!(serde_json::from_str::<Manner>(&kept).unwrap(), news[0].1);
        assert!(serde_json::from_str::<Manner>("{}").unwrap().is_usual());
        assert!(Manner::default().to_string().is_empty());
    }

    #[test]
    fn what_is_supposed_is_tried_next_and_no_more_once_it_is_taken_or_leads_nowhere() {
        let (learned, model): (_, ModelName) = (Learned::default(), "openai/m".parse().unwrap());
        let supposed = Manner::default().with(Change::Unstreamed).with(Change::ShorterNow(900));
        learned.suppose(&model, Some(supposed.clone()));
        assert_eq!(learned.next(&model).to_string(), "not streamed");
        assert_eq!(learned.next(&model).bound(5_000), 5_000, "what is about one prompt is forgotten with it");
        assert!(learned.of(&model).is_usual() && learned.news().is_empty());
        learned.suppose(&model, None);
        assert!(learned.next(&model).is_usual());

        learned.suppose(&model, Some(supposed));
        learned.keep(&model, Manner::default().with(Change::RulesBeforeTask));
        assert_eq!(learned.next(&model).to_string(), "no system role");
        learned.recall("openai/other".parse().unwrap(), Manner::default().with(Change::Unstreamed));
        assert_eq!(learned.news().len(), 1, "what was known before is no news");
    }

    #[test]
    fn all_that_is_learned_side_by_side_is_kept() {
        let learned = Learned::default();
        let last: ModelName = "openai/last".parse().unwrap();
        let whole = [
            Change::Unstreamed,
            Change::RulesBeforeTask,
            Change::Schema(SchemaForm::Words),
            Change::Schema(SchemaForm::Plain),
        ];
        for change in whole {
            learned.keep(&last, Manner::default().with(change));
        }
        assert_eq!(learned.of(&last).to_string(), "schema in words; not streamed; no system role");
    }
}
