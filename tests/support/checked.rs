//! What tests look at when something is over: the stand-in's violations, the database, the words of a text.

use std::time::Duration;

use sqlx::{
    AssertSqlSafe, SqlitePool,
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};

use super::{Stage, play::PATIENCE};

impl Stage {
    /// The bot broke no rule of Discord's and asked no model what nobody expected.
    pub fn nothing_amiss(&self) {
        assert_eq!(self.discord.violations(), Vec::<String>::new());
        assert_eq!(self.model.strays(), Vec::<String>::new());
    }

    /// The same, where events were delivered twice: they are acknowledged twice, and that is no fault.
    pub fn nothing_amiss_but_repeats(&self) {
        assert_eq!(self.violations_but_repeats(), Vec::<String>::new());
        assert_eq!(self.model.strays(), Vec::<String>::new());
    }

    /// Rules of Discord's that the bot broke, but for acknowledging twice what is delivered twice.
    pub fn violations_but_repeats(&self) -> Vec<String> {
        let mut broken = self.discord.violations();
        broken.retain(|sentence| !sentence.ends_with("Interaction has already been acknowledged."));
        broken
    }

    /// Waits until the models were asked so often, whether or not they have answered.
    pub async fn wait_calls(&self, calls: usize) {
        for _ in 0..600 {
            if self.model.calls().len() >= calls {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{} calls instead of {calls}", self.model.calls().len());
    }

    /// The database of a bot, dead or alive. Reading never waits for the writer.
    pub async fn rows(&self) -> SqlitePool {
        let connect = SqliteConnectOptions::new()
            .filename(self.database())
            .busy_timeout(Duration::from_secs(10))
            .foreign_keys(true)
            .pragma("secure_delete", "ON");
        SqlitePoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(connect)
            .await
            .unwrap()
    }

    /// Changes something in the database of a bot, dead or alive; gives how many rows it changed.
    pub async fn alter(&self, sql: &str) -> u64 {
        let rows = self.rows().await;
        let changed =
            sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&rows).await.unwrap().rows_affected();
        rows.close().await;
        changed
    }

    /// The one number that a query gives.
    pub async fn number(&self, sql: &str) -> i64 {
        let rows = self.rows().await;
        let number = sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&rows).await.unwrap();
        rows.close().await;
        number
    }

    /// Waits until a query gives a number.
    pub async fn wait_number(&self, sql: &str, wanted: i64) {
        let until = tokio::time::Instant::now() + PATIENCE;
        loop {
            let number = self.number(sql).await;
            if number == wanted {
                return;
            }
            assert!(tokio::time::Instant::now() < until, "{number}, not {wanted}: {sql}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// From here on, everybody on the server may decide.
    pub async fn everyone_decides(&self) {
        let sql = "INSERT INTO guild_settings (guild_id, settings, changed_ms)
                   SELECT guild_id, '{\"may_decide\": \"everyone\"}', 0 FROM session";
        assert_eq!(self.alter(sql).await, 1);
    }
}

/// All of these stand in a text.
pub fn has(text: &str, phrases: &[&str]) {
    for phrase in phrases {
        assert!(text.contains(phrase), "{phrase:?} is missing from\n{text}");
    }
}

/// None of these stands in a text.
pub fn has_not(text: &str, phrases: &[&str]) {
    for phrase in phrases {
        assert!(!text.contains(phrase), "{phrase:?} stands in\n{text}");
    }
}
