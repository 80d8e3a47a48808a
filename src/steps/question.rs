//! The question in its session's row, where its author may change it until it is fixed.

use super::{Steps, Stop};

impl Steps {
    /// Puts down what has to be decided, unless somebody was faster or it is fixed; the live card shows it.
    pub async fn state_question(&self, question: &str) -> Result<(), Stop> {
        self.world.store.state_question(&self.scope.session, question).await?;
        self.live.changed.notify_one();
        Ok(())
    }

    /// Has the thread named after this, where the bot started it. Said again by a run that goes on, it changes nothing.
    pub async fn name_thread(&self, after: &str) -> Result<(), Stop> {
        Ok(self.world.store.name_thread(&self.scope.session, after).await?)
    }

    /// Fixes the question: what is given now is given from now on, by every run.
    pub async fn fix_question(&self) -> Result<Option<String>, Stop> {
        let question = self.world.store.fix_question(&self.scope.session).await?;
        self.live.changed.notify_one();
        Ok(question)
    }
}
