//! Pauses left to chance, for tests: what relies on one thing being sooner than another shows with them.

use std::{sync::Arc, time::Duration};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use rand::Rng as _;

use super::Shared;

/// One in so many waits.
const ONE_IN: u32 = 3;

/// One time in three some part of `most`, else nothing.
#[must_use]
pub fn chance(most: Duration) -> Duration {
    let mut chance = rand::rng();
    if most.is_zero() || !chance.random_ratio(1, ONE_IN) {
        return Duration::ZERO;
    }
    chance.random_range(Duration::ZERO..most)
}

impl Shared {
    /// Before something is done, or after it.
    pub(super) async fn pause(&self) {
        let pause = chance(self.options.unsteady);
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }

    /// A member hesitates between looking and doing; whoever does it waits.
    pub(super) fn hesitate(&self) {
        std::thread::sleep(chance(self.options.unsteady));
    }
}

/// A request of the bot's takes its time to arrive, and its answer as well.
pub(super) async fn on_the_way(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    shared.pause().await;
    let answer = next.run(request).await;
    shared.pause().await;
    answer
}
