//! What a call is charged: what its provider counted, at the price of the model that answered; what was seen to come
//! where nobody counted and the provider itself gave up; else its worst case. Never less than it can have cost, and
//! nothing for what never left this machine.

use super::Steps;
use crate::store::AttemptEnd;
use domain::{ModelName, Money, Price, Prompt, Reply, StepKey, Usage};
use models::{CallError, Class};

impl Steps {
    /// The end of an attempt that brought a reply. Where its usage is not told it is charged its worst case.
    pub(super) fn paid(&self, key: &StepKey, n: i64, reply: &Reply) -> AttemptEnd {
        AttemptEnd {
            key: key.clone(),
            n,
            ok: true,
            sent: true,
            answered: Some(reply.answered.clone()),
            reply: Some(reply.text.clone()),
            problem: None,
            request_id: reply.request_id.clone(),
            tokens: reply.usage.map(counts),
            // What the provider charged goes before any table.
            money: reply
                .cost
                .or_else(|| reply.usage.and_then(|usage| Some(self.served_at(reply)?.of(usage)))),
        }
    }

    /// The end of an attempt that brought no reply: `None` as its tokens charges its worst case.
    pub(super) fn unpaid(
        &self,
        (key, model): (&StepKey, &ModelName),
        prompt: &Prompt,
        n: i64,
        error: &CallError,
    ) -> AttemptEnd {
        let usage = if error.sent { used(prompt, error) } else { Some(Usage::default()) };
        let price = self.world.llm.price(model);
        let free = usage.is_some_and(|usage| usage == Usage::default());
        AttemptEnd {
            key: key.clone(),
            n,
            ok: false,
            sent: error.sent,
            answered: None,
            reply: None,
            problem: Some(format!("{:?}: {}", error.class, error.message)),
            request_id: error.request_id.clone(),
            tokens: usage.map(counts),
            money: if free { Some(Money(0)) } else { usage.and_then(|usage| Some(price?.of(usage))) },
        }
    }

    /// The price of the model that answered, or of the one that was asked where that one has no known price.
    fn served_at(&self, reply: &Reply) -> Option<Price> {
        let llm = &self.world.llm;
        let served = ModelName { provider: reply.asked.provider, model: reply.answered.clone() };
        llm.price(&served).or_else(|| llm.price(&reply.asked))
    }
}

/// What a call that left and failed has used; `None`: nobody knows. Refused before it began it has used nothing.
fn used(prompt: &Prompt, error: &CallError) -> Option<Usage> {
    if error.usage.is_some() {
        return error.usage;
    }
    match error.class {
        Class::Timeout | Class::Broken | Class::Malformed | Class::Cancelled | Class::Server => None,
        _ if error.received == 0 => Some(Usage::default()),
        // A token for every two characters: no less, so that other scripts than Latin are not flattered.
        _ => Some(Usage {
            cache_write: most_input(prompt),
            output: (error.received / 2 + 1).min(u64::from(prompt.bound())),
            ..Usage::default()
        }),
    }
}

fn counts(usage: Usage) -> (i64, i64, i64) {
    let whole = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
    (whole(usage.input.saturating_add(usage.cache_write)), whole(usage.cached), whole(usage.output))
}

/// Most tokens of a request.
fn most_input(prompt: &Prompt) -> u64 {
    let schema = prompt.schema.as_ref().map(|schema| schema.json.to_string());
    let turns = prompt.turns.iter().flat_map(|turn| [turn.reply.as_str(), turn.correction.as_str()]);
    let texts = [prompt.rules.as_str(), &prompt.shared, &prompt.task].into_iter().chain(turns);
    most_tokens(texts.chain(schema.as_deref()), prompt.tool_bytes()) + prompt.picture_tokens()
}

/// One for every three bytes of ASCII (of text, it has about one for four), and one for every byte of all else: of emoji
/// and of scripts that a model saw little of, every byte may be a token of its own.
fn most_tokens<'a>(texts: impl Iterator<Item = &'a str>, tool_bytes: usize) -> u64 {
    let (mut ascii, mut other) = (tool_bytes, 0);
    for text in texts {
        let beyond = text.bytes().filter(|byte| !byte.is_ascii()).count();
        ascii += text.len() - beyond;
        other += beyond;
    }
    (ascii / 3 + other + 64) as u64
}

/// What a call may use at most: all that is sent, and all the output it is allowed.
pub(super) fn worst_case(prompt: &Prompt, price: Option<Price>) -> (i64, Money) {
    let (input, output) = (most_input(prompt), u64::from(prompt.bound()));
    let money =
        price.map_or(Money(0), |price| price.of(Usage { cache_write: input, output, ..Usage::default() }));
    (i64::try_from(input + output).unwrap_or(i64::MAX), money)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_of_emoji_or_of_a_rare_script_may_be_a_token_a_byte() {
        for text in ["🜁🜂🜃🜄".repeat(50), "ᚠᚢᚦᚨᚱᚲ".repeat(50), "日本語".repeat(50)] {
            assert!(most_tokens([text.as_str()].into_iter(), 0) >= text.len() as u64, "{text}");
        }
        let english = "Plain words of a language that every model knows. ".repeat(50);
        assert_eq!(most_tokens([english.as_str()].into_iter(), 0), english.len() as u64 / 3 + 64);
    }
}
