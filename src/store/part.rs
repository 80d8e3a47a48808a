//! Long texts in parts, each kept once in its session and compressed. Where a text is cut is decided by what stands there
//! (content-defined chunking, after Muthitacharoen et al., "A Low-bandwidth Network File System", 2001): a document is cut
//! alike wherever in a request it stands, whatever stands before it.

use std::io::{Read as _, Write as _};

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use sha2::{Digest as _, Sha256};
use sqlx::{SqliteConnection, SqlitePool};

use super::StoreError;
use crate::domain::SessionId;

/// Smallest and largest part, in bytes; the last one of a text may be smaller.
const BOUNDS: (usize, usize) = (2 << 10, 64 << 10);
/// A part ends on average after so many bytes beyond the smallest: 2^13.
const BITS: u32 = 13;

/// How much is done to make a part small: 2 is the least at which `zlib-rs`, with which flate2 packs here, counts how often each
/// byte stands there. At 1 a document takes a third more.
const LEVEL: u32 = 2;

/// A text, cut and compressed; made before the transaction that writes it.
#[derive(Clone, Debug)]
pub(super) struct Packed(Vec<Part>);

#[derive(Clone, Debug)]
struct Part {
    hash: [u8; 32],
    bytes: Vec<u8>,
}

impl Packed {
    /// Cuts and compresses a text, on a thread that nobody waits for: a megabyte takes some 20 ms.
    pub(super) async fn of(text: String) -> Result<Self, StoreError> {
        let packed = tokio::task::spawn_blocking(move || pack(&text)).await;
        packed.map_err(|_| StoreError::Closed)?.map_err(|error| StoreError::Failed(error.to_string()))
    }

    /// Writes what the session has not got yet; gives the parts' ids as they are stored with what they are parts of.
    pub(super) async fn write(
        &self,
        tx: &mut SqliteConnection,
        session: &SessionId,
    ) -> Result<String, StoreError> {
        let mut ids = Vec::with_capacity(self.0.len());
        for part in &self.0 {
            let known = sqlx::query_scalar("SELECT id FROM part WHERE session_id = ?1 AND hash = ?2")
                .bind(session.as_str())
                .bind(part.hash.as_slice())
                .fetch_optional(&mut *tx)
                .await?;
            let id: i64 = match known {
                Some(id) => id,
                None => {
                    sqlx::query_scalar(
                        "INSERT INTO part (session_id, hash, bytes) VALUES (?1, ?2, ?3) RETURNING id",
                    )
                    .bind(session.as_str())
                    .bind(part.hash.as_slice())
                    .bind(part.bytes.as_slice())
                    .fetch_one(&mut *tx)
                    .await?
                }
            };
            ids.push(id.to_string());
        }
        Ok(format!("[{}]", ids.join(",")))
    }
}

/// The text of these parts; `None` if they were deleted a moment ago.
pub(super) async fn read(readers: &SqlitePool, ids: &str) -> Result<Option<String>, StoreError> {
    let parts: Vec<Option<Vec<u8>>> = sqlx::query_scalar(
        "SELECT part.bytes FROM json_each(?1) place LEFT JOIN part ON part.id = place.value ORDER BY place.key",
    )
    .bind(ids)
    .fetch_all(readers)
    .await?;
    let corrupt = |problem: String| StoreError::Corrupt(format!("a part of a text: {problem}"));
    let mut text = Vec::new();
    for part in parts {
        let Some(part) = part else { return Ok(None) };
        ZlibDecoder::new(part.as_slice())
            .read_to_end(&mut text)
            .map_err(|error| corrupt(error.to_string()))?;
    }
    String::from_utf8(text).map(Some).map_err(|error| corrupt(error.to_string()))
}

fn pack(text: &str) -> std::io::Result<Packed> {
    let packed = cut(text.as_bytes()).into_iter().map(|part| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
        encoder.write_all(part)?;
        Ok(Part { hash: Sha256::digest(part).into(), bytes: encoder.finish()? })
    });
    packed.collect::<std::io::Result<_>>().map(Packed)
}

/// Cuts where the last 64 bytes add up to a number that begins with [`BITS`] zeros.
fn cut(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    while !bytes.is_empty() {
        let mut sum: u64 = 0;
        let end = bytes.iter().take(BOUNDS.1).enumerate().find_map(|(at, byte)| {
            sum = (sum << 1).wrapping_add(GEAR[usize::from(*byte)]);
            (at + 1 >= BOUNDS.0 && sum >> (u64::BITS - BITS) == 0).then_some(at + 1)
        });
        let (part, rest) = bytes.split_at(end.unwrap_or_else(|| bytes.len().min(BOUNDS.1)));
        parts.push(part);
        bytes = rest;
    }
    parts
}

/// A number for each byte, the same in every version: other numbers would cut elsewhere and store a text again.
static GEAR: [u64; 256] = gear();

/// Numbers without a pattern, by `SplitMix64` (Steele, Lea, Flood, 2014).
const fn gear() -> [u64; 256] {
    let (mut table, mut state, mut at) = ([0; 256], 0_u64, 0);
    while at < table.len() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        table[at] = mixed ^ (mixed >> 31);
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_document_is_cut_alike_wherever_it_stands() {
        let lines: Vec<String> = (0..20_000).map(|n| format!("line {} of it\n", n * 7919)).collect();
        let document = lines.concat();
        let (one, other) =
            (format!("as Market: {document}"), format!("{document} and a longer task, as Risk"));
        let parts = |text: &str| -> HashSet<Vec<u8>> {
            cut(text.as_bytes()).into_iter().map(<[u8]>::to_vec).collect()
        };
        let (first, second) = (parts(&one), parts(&other));
        let shared: usize = first.intersection(&second).map(Vec::len).sum();
        assert!(shared * 10 > document.len() * 9, "{shared} of {} bytes", document.len());
        assert!(first.iter().all(|part| part.len() <= BOUNDS.1), "none is too large");
    }

    #[test]
    fn what_is_cut_is_whole() {
        for text in ["", "a", &"x".repeat(200_000), &"Grüße, 日本 ".repeat(9_000)] {
            assert_eq!(cut(text.as_bytes()).concat(), text.as_bytes());
        }
    }
}
