//! How long something took, as a step: a protocol has no clock, and a run that goes on must see the same time again.

use tokio::time::Instant;

use super::{Steps, Stop};
use domain::StepKey;

impl Steps {
    /// Does something and keeps how many milliseconds it took. Where that is kept already, `work` recalls what it did, and
    /// it took as long as it did then. What a crash cut off counts from where the next run began with it.
    pub async fn timed<T>(
        &self,
        key: StepKey,
        work: impl Future<Output = Result<T, Stop>>,
    ) -> Result<(T, u64), Stop> {
        let began = Instant::now();
        let done = work.await?;
        let took = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let took: u64 = self.keep(key, &took, Vec::new()).await?;
        Ok((done, took))
    }
}
