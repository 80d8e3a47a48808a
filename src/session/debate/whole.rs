//! The whole text behind a debate's cards.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    domain::{DebateTurn, NeutralSynthesis, Proposition, StepKey},
    render,
};

/// Title and text of the whole side of a step's card; `None` if it is not a debate's.
pub(in crate::session) fn whole_of(key: &StepKey, output: &Value) -> Option<(String, String)> {
    match key.as_str().split('/').next()? {
        "turn" => read::<DebateTurn>(output).map(|turn| render::debate::whole_turn(&turn)),
        "synthesis" => {
            read::<NeutralSynthesis>(output).map(|synthesis| render::debate::whole_synthesis(&synthesis))
        }
        "normalise" | "proposition" => {
            read::<Proposition>(output).map(|proposition| render::debate::whole_proposition(&proposition))
        }
        _ => None,
    }
}

fn read<T: DeserializeOwned>(output: &Value) -> Option<T> {
    serde_json::from_value(output.clone()).ok()
}
