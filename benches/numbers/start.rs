//! Starting, and what it takes to do nothing.

use std::time::Duration;

use super::{
    scene::Scene,
    table::{Measured, Table, percentile},
};

/// Five starts on a fresh database, and the memory of the last one a few seconds later.
pub async fn start_and_idle(table: &mut Table) {
    let mut ready = Vec::new();
    for run in 0..5 {
        let scene = Scene::new(2, Duration::from_secs(1)).await;
        let (process, took) = scene.start().await;
        ready.push(took);
        if run == 4 {
            let value = percentile(&ready, 50.0);
            table.check(
                "start to gateway READY (median of 5)",
                Measured { value, goal: 100.0, limit: 500.0, unit: "ms" },
            );
            table.note("slowest", format!("{:.0} ms", percentile(&ready, 100.0)));
            tokio::time::sleep(Duration::from_secs(4)).await;
            let (value, most) = process.memory();
            table.check("memory idle", Measured { value, goal: 20.0, limit: 30.0, unit: "MB" });
            table.note("most on the way", format!("{most:.1} MB"));
        }
    }
}
