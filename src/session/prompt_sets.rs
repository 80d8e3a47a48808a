//! The prompts of sessions by their version: a set is read and checked once, and shared by all sessions that were started
//! with it. A set is some 150 KB of text and sixty templates, too much for each session to have its own.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use anyhow::Context as _;

use super::Sessions;
use crate::prompt::Prompts;
use domain::PromptVersion;

/// Most sets that are kept at once: those of the last few versions of which sessions are still open.
const MOST: usize = 8;

/// Sets that were read.
#[derive(Default)]
pub(super) struct PromptSets(Mutex<HashMap<PromptVersion, Prompts>>);

impl PromptSets {
    fn find(&self, version: &PromptVersion) -> Option<Prompts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(version).cloned()
    }

    fn keep(&self, version: &PromptVersion, prompts: Prompts) {
        let mut sets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sets.len() >= MOST {
            sets.clear();
        }
        sets.insert(version.clone(), prompts);
    }
}

impl Sessions {
    /// The prompts that a session was started with: this program's own set, or what was stored.
    pub(super) async fn prompts_of(&self, version: &PromptVersion) -> anyhow::Result<Prompts> {
        let ours = &self.0.settings.prompts;
        if ours.version() == version {
            return Ok(ours.clone());
        }
        if let Some(known) = self.0.prompt_sets.find(version) {
            return Ok(known);
        }
        let files = self.store().prompt_files(version).await?;
        let stored = Prompts::from_files(files).context("the stored prompts")?;
        self.0.prompt_sets.keep(version, stored.clone());
        Ok(stored)
    }
}
