//! The text of a page of the web, whose bytes somebody else has fetched. They are as untrusted as any attachment, so they
//! are read in the same child process.

use super::{DocumentError, Documents, Fault, text::shown};

impl Documents {
    /// The text of what was fetched from `name`.
    pub async fn text_of(&self, name: &str, bytes: &[u8]) -> Result<String, DocumentError> {
        self.read_bytes(bytes).await.map_err(|fault| fault.of(&shown(name)))
    }

    async fn read_bytes(&self, bytes: &[u8]) -> Result<String, Fault> {
        if bytes.is_empty() {
            return Err(Fault::Empty);
        }
        let _place = self.place().await?;
        let mut reading = self.child(false)?;
        reading.feed(bytes).await;
        let extract = reading.finish().await;
        // Before the next one has its turn, so that there are never more.
        reading.stop().await;
        Ok(extract?.into_document(String::new(), String::new()).text)
    }
}
