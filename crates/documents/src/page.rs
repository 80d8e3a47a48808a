//! The text of a page of the web, whose bytes somebody else has fetched. They are as untrusted as any attachment, so they
//! are read in the same child process. Pages come by the dozen, so they have one place at a time among what is read, whoever
//! wants them, and few are fetched before it is their turn.

use tokio::sync::{Semaphore, SemaphorePermit};

use super::{DocumentError, Documents, Fault, text::shown};

/// Most pages that are fetched, or wait with their bytes to be read, at the same time: each has up to two megabytes,
/// a PDF four.
const HELD: usize = 4;

/// The places of pages.
#[derive(Debug)]
pub(super) struct Pages {
    held: Semaphore,
    read: Semaphore,
}

impl Default for Pages {
    fn default() -> Self {
        Self { held: Semaphore::new(HELD), read: Semaphore::new(1) }
    }
}

/// A place for the bytes of a page, to be had before they are fetched; free when it is dropped.
#[derive(Debug)]
#[must_use]
pub struct PagePlace<'a> {
    _held: Option<SemaphorePermit<'a>>,
}

impl Documents {
    /// Waits for a place for a page's bytes.
    pub async fn page_place(&self) -> PagePlace<'_> {
        // Nothing closes it.
        PagePlace { _held: self.pages.held.acquire().await.ok() }
    }

    /// The text of what was fetched from `name`.
    pub async fn text_of(&self, name: &str, bytes: &[u8]) -> Result<String, DocumentError> {
        self.read_bytes(bytes).await.map_err(|fault| fault.of(&shown(name)))
    }

    async fn read_bytes(&self, bytes: &[u8]) -> Result<String, Fault> {
        if bytes.is_empty() {
            return Err(Fault::Empty);
        }
        let _places = self.place_of_page().await?;
        let mut reading = self.child(false)?;
        reading.feed(bytes).await;
        let extract = reading.finish().await;
        // Before the next one has its turn, so that there are never more.
        reading.stop().await;
        Ok(extract?.into_document(String::new(), String::new()).text)
    }

    /// Waits for other pages first, and then as one attachment would.
    async fn place_of_page(&self) -> Result<(SemaphorePermit<'_>, SemaphorePermit<'_>), Fault> {
        let page = self.pages.read.acquire().await.map_err(|_| Fault::Busy)?;
        Ok((page, self.place().await?))
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, time::Duration};

    use tokio::time::timeout;

    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn a_member_waits_for_one_page_however_many_there_are() {
        let documents = Documents::new(None, "quorum".into()).unwrap();
        let _first = documents.place_of_page().await.unwrap();
        for _ in 0..40 {
            let documents = documents.clone();
            tokio::spawn(async move {
                let _read = documents.place_of_page().await;
                pending::<()>().await;
            });
        }
        assert!(timeout(SOON, documents.place_of_page()).await.is_err(), "one page at a time");
        let attachment = timeout(SOON, documents.place()).await.unwrap().unwrap();
        assert!(timeout(SOON, documents.place()).await.is_err(), "both places are taken");
        drop(attachment);
    }

    #[tokio::test]
    async fn few_pages_are_held_in_memory() {
        let documents = Documents::new(None, "quorum".into()).unwrap();
        let mut held = Vec::new();
        for _ in 0..HELD {
            held.push(timeout(SOON, documents.page_place()).await.unwrap());
        }
        assert!(timeout(SOON, documents.page_place()).await.is_err());
        held.pop();
        assert!(timeout(SOON, documents.page_place()).await.is_ok());
    }
}
