//! Which model is served, and what follows from it.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use super::LocalModelError;

/// What every GGUF file begins with.
const MAGIC: &[u8; 4] = b"GGUF";

/// How many characters of a document it reads at once: a context of 8,000 tokens has to hold the task and the answer too.
const CHARS_OF_SMALL: usize = 6_000;
/// The same of one's own, whose context is twice as long.
const CHARS_OF_OWN: usize = 24_000;

/// The model that is served.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Weights {
    /// The very small one, which is fetched.
    Small,
    /// A file of the person's own.
    Own(PathBuf),
}

/// How a model is served.
pub(super) struct Serving {
    /// Calls that are answered side by side.
    pub(super) parallel: usize,
    /// How many tokens each of them has.
    pub(super) context: usize,
    /// On so many threads.
    pub(super) threads: usize,
}

impl Weights {
    /// By what `--local-model` was given; a file has to be one of weights.
    pub fn named(file: Option<&Path>) -> Result<Self, LocalModelError> {
        let Some(file) = file else { return Ok(Self::Small) };
        let is_gguf = || -> io::Result<bool> {
            let mut begins = [0; MAGIC.len()];
            let mut opened = File::open(file)?;
            match opened.read_exact(&mut begins) {
                Ok(()) => Ok(begins == *MAGIC),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
                Err(error) => Err(error),
            }
        };
        match is_gguf() {
            Ok(true) => Ok(Self::Own(std::path::absolute(file).unwrap_or_else(|_| file.to_owned()))),
            Ok(false) => Err(LocalModelError::NoWeights(file.to_owned())),
            Err(cause) => Err(LocalModelError::Unread { path: file.to_owned(), cause }),
        }
    }

    /// The model's name on cards: of one's own the file's.
    #[must_use]
    pub fn name(&self) -> String {
        let Self::Own(file) = self else { return super::NAME.to_owned() };
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let plain = |sign: char| if sign.is_alphanumeric() || "._-".contains(sign) { sign } else { '-' };
        let name: String = stem.chars().map(plain).take(60).collect();
        if name.is_empty() { "local".to_owned() } else { name }
    }

    /// Most characters of a document that it reads at once.
    #[must_use]
    pub fn document_chars(&self) -> usize {
        if *self == Self::Small { CHARS_OF_SMALL } else { CHARS_OF_OWN }
    }

    /// How it is served. The small one gets by with a thread: two are a fifth faster on an idle machine and collapse on a
    /// busy one. A larger one needs all but one of the machine's.
    pub(super) fn serving(&self) -> Serving {
        if *self == Self::Small {
            return Serving { parallel: 4, context: 8_192, threads: 1 };
        }
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        Serving { parallel: 2, context: 16_384, threads: all.saturating_sub(1).max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_weights_is_known_by_its_beginning_and_lends_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let good = file("Qwen 3 8B `x` (Q4).gguf", b"GGUF\x03\0\0\0");
        let weights = Weights::named(Some(&good)).unwrap();
        assert_eq!(weights.name(), "Qwen-3-8B--x---Q4-");
        assert_eq!(Weights::named(None).unwrap(), Weights::Small);
        for (path, said) in [
            (file("a.gguf", b"<html>not found</html>"), "is no file of weights"),
            (file("b.gguf", b"GG"), "is no file of weights"),
            (file("c.gguf", b""), "is no file of weights"),
            (folder.path().join("none.gguf"), "cannot be read"),
            (folder.path().to_owned(), "cannot be read"),
        ] {
            let error = Weights::named(Some(&path)).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
