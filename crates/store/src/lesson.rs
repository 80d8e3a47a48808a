//! What models turned out to refuse, kept so that the next process need not find it out again.
//!
//! Servers learn, too: a process that starts a month later asks the model once more as any other.

use std::path::Path;

use super::{Store, StoreError, readers::Readers, retention::DAY_MS, row::columns, standing::looking};
use crate::statement::{sql, sql_as};

/// Days that a lesson holds.
const LESSON_DAYS: i64 = 30;

/// How a model of a server is asked since it refused to be asked as others are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptLesson {
    /// The server's base URL, without a password.
    pub base: String,
    /// The model, `provider/model`.
    pub model: String,
    /// How it is asked, as JSON.
    pub manner: String,
}

columns!(KeptLesson: base "base", model "model", manner "manner");

impl Store {
    /// Keeps how a model is asked, in place of what was known of it.
    pub async fn keep_lesson(&self, lesson: KeptLesson, at_ms: i64) -> Result<(), StoreError> {
        self.write(move |tx| {
            Box::pin(async move {
                sql!(
                    "INSERT INTO lesson (base, model, manner, at_ms) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO UPDATE SET manner = excluded.manner, at_ms = excluded.at_ms",
                    (lesson.base, lesson.model, lesson.manner, at_ms)
                )
                .execute(tx)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// How models are asked, as far as it was learned in the last month.
    pub async fn lessons(&self, now_ms: i64) -> Result<Vec<KeptLesson>, StoreError> {
        lessons(&self.readers, now_ms).await
    }

    /// The same of a file that is not opened to write.
    pub async fn lessons_of_file(path: &Path, now_ms: i64) -> Result<Vec<KeptLesson>, StoreError> {
        lessons(&Readers::open(&looking(path)).await?, now_ms).await
    }
}

async fn lessons(readers: &Readers, now_ms: i64) -> Result<Vec<KeptLesson>, StoreError> {
    let kept = sql_as!(
        "SELECT base, model, manner FROM lesson WHERE at_ms > ?1 ORDER BY base, model",
        now_ms - LESSON_DAYS * DAY_MS
    );
    Ok(kept.fetch_all(readers).await?)
}
