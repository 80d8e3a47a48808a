//! Long texts in parts, each kept once in its session and compressed. Where a text is cut is decided by what stands there
//! (content-defined chunking, after Muthitacharoen et al., "A Low-bandwidth Network File System", 2001): a document is cut
//! alike wherever in a request it stands, whatever stands before it.

use std::{cell::RefCell, io::Read as _, sync::Arc};

use flate2::{Compress, CompressError, Compression, FlushCompress, Status, read::ZlibDecoder};
use sha2::{Digest as _, Sha256, digest::Output};

use super::{StoreError, readers::Readers, script::Script};
use crate::statement::{add, sql_scalar};
use domain::SessionId;

/// Smallest and largest part, in bytes; the last one of a text may be smaller.
const BOUNDS: (usize, usize) = (2 << 10, 64 << 10);
/// A part ends on average after so many bytes beyond the smallest: 2^13.
const BITS: u32 = 13;

/// How much is done to make a part small: 2 is the least at which `zlib-rs`, with which flate2 packs here, counts how often each
/// byte stands there. At 1 a document takes a third more.
const LEVEL: u32 = 2;

/// Texts of so many bytes are compressed at once: that takes 2 ms at most.
const SHORT: usize = 128 << 10;

thread_local! {
    /// What compresses, one for each thread: a new one has to clear a quarter of a megabyte first, which takes longer than
    /// most texts.
    static COMPRESS: RefCell<Compress> = RefCell::new(Compress::new(Compression::new(LEVEL), true));
}

/// A text, cut and compressed; made before the transaction that writes it.
#[derive(Clone, Debug)]
pub(super) struct Packed(Vec<Part>);

/// By which a part is known in its session.
type Hash = Output<Sha256>;

#[derive(Clone, Debug)]
struct Part {
    hash: Hash,
    bytes: Vec<u8>,
}

impl Packed {
    /// Cuts and compresses a text; a long one on a thread that nobody waits for: a megabyte takes some 20 ms. A short one
    /// takes less than the way there, and a hundred sessions that ask at once would have a hundred threads made.
    pub(super) async fn of(text: String) -> Result<Self, StoreError> {
        let packed = if text.len() <= SHORT {
            pack(&text)
        } else {
            tokio::task::spawn_blocking(move || pack(&text)).await.map_err(|_| StoreError::Closed)?
        };
        packed.map_err(|error| StoreError::Failed(error.to_string()))
    }

    /// Compresses a text that is kept whole, under the SHA-256 of all of it.
    pub(super) async fn whole(text: Arc<str>) -> Result<Self, StoreError> {
        let packed = tokio::task::spawn_blocking(move || packed_part(text.as_bytes()));
        let part = packed.await.map_err(|_| StoreError::Closed)?;
        part.map(|part| Self(vec![part])).map_err(|error| StoreError::Failed(error.to_string()))
    }

    /// Writes what the session has not got yet.
    pub(super) fn write<'q>(&'q self, script: &mut Script<'q>, session: &'q SessionId) {
        for part in &self.0 {
            add!(
                script,
                "INSERT INTO part (session_id, hash, bytes) SELECT id, ?2, ?3 FROM session WHERE id = ?1
                     ON CONFLICT DO NOTHING",
                (session.as_str(), &part.hash[..], part.bytes.as_slice())
            );
        }
    }

    /// The parts in their order, by which a statement finds their ids (`part.hash = unhex(…)`).
    pub(super) fn hashes(&self) -> String {
        let hashes: Vec<String> = self.0.iter().map(|part| format!("\"{:x}\"", part.hash)).collect();
        format!("[{}]", hashes.join(","))
    }
}

/// The text of these parts; `None` if they were deleted a moment ago.
pub(super) async fn read(readers: &Readers, ids: &str) -> Result<Option<String>, StoreError> {
    let parts: Vec<Option<Vec<u8>>> = sql_scalar!(
        "SELECT part.bytes FROM json_each(?1) place LEFT JOIN part ON part.id = place.value ORDER BY place.key",
        ids
    )
    .fetch_all(readers)
    .await?;
    let Some(parts) = parts.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
    unpacked(&parts).map(Some)
}

/// The text that these parts are.
pub(super) fn unpacked(parts: &[Vec<u8>]) -> Result<String, StoreError> {
    let corrupt = |problem: String| StoreError::Corrupt(format!("a part of a text: {problem}"));
    let mut text = Vec::new();
    for part in parts {
        ZlibDecoder::new(part.as_slice())
            .read_to_end(&mut text)
            .map_err(|error| corrupt(error.to_string()))?;
    }
    String::from_utf8(text).map_err(|error| corrupt(error.to_string()))
}

fn pack(text: &str) -> Result<Packed, CompressError> {
    cut(text.as_bytes()).into_iter().map(packed_part).collect::<Result<_, _>>().map(Packed)
}

fn packed_part(part: &[u8]) -> Result<Part, CompressError> {
    Ok(Part { hash: Sha256::digest(part), bytes: COMPRESS.with_borrow_mut(|by| compressed(by, part))? })
}

fn compressed(by: &mut Compress, mut bytes: &[u8]) -> Result<Vec<u8>, CompressError> {
    by.reset();
    let mut out = Vec::with_capacity(bytes.len() / 2 + 64);
    loop {
        let before = by.total_in();
        let status = by.compress_vec(bytes, &mut out, FlushCompress::Finish)?;
        bytes = &bytes[usize::try_from(by.total_in() - before).unwrap_or(bytes.len())..];
        if status == Status::StreamEnd {
            out.shrink_to_fit();
            return Ok(out);
        }
        out.reserve(bytes.len().max(256));
    }
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
    fn what_is_cut_and_compressed_is_whole() {
        // As little as can be made smaller.
        let noise = (0..40_000).scan(1_u64, |n, _| {
            *n = n.wrapping_mul(0x5851_F42D_4C95_7F2D) + 1;
            Some(format!("{n:x}"))
        });
        for text in ["", "a", &"x".repeat(200_000), &"Grüße, 日本 ".repeat(9_000), &noise.collect::<String>()]
        {
            assert_eq!(cut(text.as_bytes()).concat(), text.as_bytes());
            let mut whole = Vec::new();
            for part in pack(text).unwrap().0 {
                ZlibDecoder::new(&part.bytes[..]).read_to_end(&mut whole).unwrap();
            }
            assert_eq!(whole, text.as_bytes());
        }
    }
}
