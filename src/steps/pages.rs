//! Looking at the pages that a session cites: all at once, each asked for once, and kept with what bears on it. Nothing of it
//! costs money, so nothing is reserved; cut off by the end of the process, it is done again.

use futures::future::join_all;

use super::{Steps, Stop, World};
use documents::Documents;
use domain::{Page, PageText, StepKey};
use models::pages::Pages;

/// A page to look at.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its address.
    pub url: String,
    /// Whether it is to be read.
    pub read: bool,
}

impl Steps {
    /// The pages as they were found the first time this step was reached; `bears` takes from an address and a page's text
    /// what is kept of it.
    pub async fn pages(
        &self,
        key: StepKey,
        wanted: &[Wanted],
        bears: impl Fn(&str, &str) -> String,
    ) -> Result<Vec<Page>, Stop> {
        if let Some(kept) = self.kept(key.clone()).await? {
            return Ok(kept);
        }
        let World { pages, documents, .. } = &*self.world;
        let found = tokio::select! {
            found = look_at(pages, documents, wanted) => found,
            () = self.cancel.cancelled() => return Err(Stop::Halted),
        };
        let kept: Vec<Page> = found
            .into_iter()
            .map(|page| match page.text {
                PageText::Read(text) => Page { text: PageText::Read(bears(&page.url, &text)), ..page },
                PageText::Not(_) => page,
            })
            .collect();
        self.keep(key, &kept, Vec::new()).await
    }
}

/// Looks at pages, all at once as far as there are places.
pub async fn look_at(pages: &Pages, documents: &Documents, wanted: &[Wanted]) -> Vec<Page> {
    join_all(wanted.iter().map(|Wanted { url, read }| async move {
        // Before anything is fetched, so that nothing waits in memory.
        let _place = if *read { Some(documents.page_place().await) } else { None };
        let found = pages.find(url, *read).await;
        let text = match found.bytes {
            Ok(bytes) => match documents.text_of(url, &bytes).await {
                Ok(text) => PageText::Read(text),
                Err(error) => {
                    tracing::debug!(%error, "a page could not be read");
                    PageText::Not("what it holds is no text that can be read".to_owned())
                }
            },
            Err(why) => PageText::Not(why),
        };
        Page { url: url.clone(), reached: found.reached, text }
    }))
    .await
}
