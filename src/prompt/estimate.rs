//! About how many tokens requests take, worked out from the requests themselves, so that the two cannot part. Counted as
//! budgets count: a token for every three bytes.

use crate::domain::{CallsTogether, Prompt};

/// Calls of this request, each with so many tokens more of what others wrote, which is not there yet.
pub(super) fn together(calls: usize, request: &Prompt, read: u64) -> CallsTogether {
    CallsTogether {
        calls: u32::try_from(calls).unwrap_or(u32::MAX),
        sent: tokens(bytes(request)).saturating_add(read),
        received: written(request),
    }
}

/// Most tokens of an answer to it.
pub(super) fn written(request: &Prompt) -> u64 {
    u64::from(request.max_tokens)
}

pub(super) fn bytes(request: &Prompt) -> usize {
    let schema = request.schema.as_ref().map_or(0, |schema| schema.json.to_string().len());
    request.rules.len() + request.shared.len() + request.task.len() + schema + request.tool_bytes()
}

pub(super) fn tokens(bytes: usize) -> u64 {
    bytes as u64 / 3 + 64
}

/// About how many tokens a request sends.
#[must_use]
pub fn estimated_tokens(request: &Prompt) -> u64 {
    tokens(bytes(request))
}
