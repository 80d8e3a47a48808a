//! The offer to have fitting modules chosen beside the usual ones, in its session's row: made where those may not fit, and
//! open until round 1 has ended.

use super::{Steps, Stop};

impl Steps {
    /// Makes the offer, unless it was made before or is over; the live card shows it.
    pub async fn make_offer(&self) -> Result<(), Stop> {
        self.world.store.make_offer(&self.scope.session).await?;
        self.live.changed.notify_one();
        Ok(())
    }

    /// Ends the offer and gives who took it: what is given now is given from now on, by every run.
    pub async fn close_offer(&self) -> Result<Option<String>, Stop> {
        let taken = self.world.store.close_offer(&self.scope.session).await?;
        self.live.changed.notify_one();
        Ok(taken)
    }
}
