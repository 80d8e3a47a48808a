//! Several statements that go to the database's thread together. Under load the writer's time is what the way there and
//! back costs, and that is the same for one statement and for ten.

use futures::TryStreamExt as _;
use sqlx::{
    Arguments as _, AssertSqlSafe, Either, Encode, Executor as _, Sqlite, SqliteConnection, Type,
    error::BoxDynError,
    sqlite::{SqliteArguments, SqliteRow},
};

use super::StoreError;

/// Writes a value as the database holds it.
type Value<'q> = Box<dyn Fn(&mut SqliteArguments) -> Result<(), BoxDynError> + Send + Sync + 'q>;

/// Statements in the order in which they are done. Each numbers its values from `?1`, as if it stood alone.
#[derive(Default)]
pub(super) struct Script<'q> {
    sql: String,
    values: SqliteArguments,
    /// The statement that was added last, and its values so far.
    last: (&'static str, Vec<Value<'q>>),
    /// The first value that could not be written as the database holds it.
    unfit: Option<BoxDynError>,
}

/// What came of one statement.
#[derive(Default)]
pub(super) struct Came {
    /// The rows it gave.
    pub(super) rows: Vec<SqliteRow>,
    /// How many rows were changed by the last statement, up to this one, that changes any.
    pub(super) changed: u64,
}

impl<'q> Script<'q> {
    /// Adds a statement; its values follow by [`Script::bind`].
    pub(super) fn add(&mut self, statement: &'static str) -> &mut Self {
        self.write();
        self.last.0 = statement;
        self
    }

    /// The next value of the statement that was added last.
    pub(super) fn bind<T>(&mut self, value: T) -> &mut Self
    where
        T: Encode<'q, Sqlite> + Type<Sqlite> + Clone + Send + Sync + 'q,
    {
        self.last.1.push(Box::new(move |values| values.add(value.clone())));
        self
    }

    /// Writes the last statement with its values in the order in which they stand there: sqlx gives all statements that go
    /// together one list of values, and counts on from where the one before ended only where they have no numbers.
    fn write(&mut self) {
        let (statement, values) = std::mem::take(&mut self.last);
        if statement.is_empty() {
            return;
        }
        let mut pieces = statement.split('?');
        self.sql.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = piece.split_at(digits);
            let value = number.parse::<usize>().ok().and_then(|number| values.get(number.checked_sub(1)?));
            let written = match value {
                Some(value) => value(&mut self.values),
                // As for a statement alone: what has no value is NULL.
                None => self.values.add(None::<i64>),
            };
            if let Err(error) = written {
                self.unfit.get_or_insert(error);
            }
            self.sql.push('?');
            self.sql.push_str(rest);
        }
        self.sql.push_str(";\n");
    }

    /// Does them all, up to the first that fails; gives what came of each.
    pub(super) async fn run(mut self, tx: &mut SqliteConnection) -> Result<Vec<Came>, StoreError> {
        self.write();
        if let Some(error) = self.unfit {
            return Err(sqlx::Error::Encode(error).into());
        }
        if self.sql.is_empty() {
            return Ok(Vec::new());
        }
        let mut results = tx.fetch_many(sqlx::query_with(AssertSqlSafe(self.sql), self.values));
        let (mut all, mut now) = (Vec::new(), Came::default());
        while let Some(result) = results.try_next().await? {
            match result {
                Either::Right(row) => now.rows.push(row),
                Either::Left(done) => {
                    now.changed = done.rows_affected();
                    all.push(std::mem::take(&mut now));
                }
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use sqlx::{Connection as _, Row as _};

    use super::*;

    #[tokio::test]
    async fn each_statement_numbers_its_own_values_and_gives_its_own_rows() {
        let mut database = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let mut script = Script::default();
        script.add("CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT CHECK (text <> ''))");
        script.add("INSERT INTO word (text) VALUES (?1), (?2)").bind("one").bind("two?");
        script.add("UPDATE word SET text = text || ?2 WHERE id >= ?1 AND ?1 > 0").bind(1).bind("!");
        script.add("SELECT text, ?3 AS said, ?1 || ?2 AS all_said FROM word ORDER BY id");
        script.bind("a").bind("b").bind(7);
        let came = script.run(&mut database).await.unwrap();
        assert_eq!(came.iter().map(|came| came.rows.len()).collect::<Vec<_>>(), [0, 0, 0, 2]);
        assert_eq!((came[1].changed, came[2].changed), (2, 2));
        let texts: Vec<String> = came[3].rows.iter().map(|row| row.get("text")).collect();
        assert_eq!(texts, ["one!", "two?!"]);
        let said = came[3].rows.iter().map(|row| (row.get("said"), row.get("all_said")));
        assert_eq!(said.collect::<Vec<(i64, &str)>>(), [(7, "ab"), (7, "ab")]);

        let mut script = Script::default();
        script.add("DELETE FROM word");
        script.add("INSERT INTO word (text) VALUES (?1)").bind("");
        script.add("INSERT INTO word (text) VALUES (?1)").bind("never");
        assert!(script.run(&mut database).await.is_err(), "what fails ends it");
        let left: i64 =
            sqlx::query_scalar("SELECT count(*) FROM word").fetch_one(&mut database).await.unwrap();
        assert_eq!(left, 0);
        assert!(Script::default().run(&mut database).await.unwrap().is_empty());
    }
}
