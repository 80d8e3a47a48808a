//! The memory of the process that asks for documents stays flat, whatever it is given.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body, extract, http::Response};
use documents::Fault;
use futures::{StreamExt, stream};
use tokio::{fs::File, io::AsyncReadExt, net::TcpListener};

use crate::documents::{
    borne,
    hostile::{self, PACKAGES, PDFS, TEXTS},
    packages,
    scene::documents,
};

/// Most that it may grow by, in KiB.
const MOST: u64 = 24 * 1_024;

/// A number of this process in KiB, such as `VmRSS`.
fn status(name: &str) -> u64 {
    status_in("/proc/self/status", name).unwrap()
}

/// The same of a process whose status this is; nothing once it has ended.
fn status_in(path: &str, name: &str) -> Option<u64> {
    let status = fs::read_to_string(path).ok()?;
    status.lines().find(|line| line.starts_with(name))?.split_whitespace().nth(1)?.parse().ok()
}

/// How many children this process has.
fn children() -> usize {
    let own = std::process::id().to_string();
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let stats = processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    // `pid (name) state parent ...`
    stats.filter(|stat| stat.rsplit(") ").next().unwrap().split(' ').nth(1) == Some(&*own)).count()
}

/// A server of the files in the working folder, which it holds a piece of at a time.
async fn files() -> String {
    let app = Router::new().route("/{name}", axum::routing::get(give));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    origin
}

async fn give(extract::Path(name): extract::Path<String>) -> Response<Body> {
    let file = File::open(name).await.unwrap();
    let pieces = stream::unfold(file, |mut file| async move {
        let mut piece = vec![0; 16_384];
        let len = file.read(&mut piece).await.unwrap();
        piece.truncate(len);
        (len > 0).then_some((Ok::<_, std::io::Error>(piece), file))
    });
    Response::new(Body::from_stream(pieces))
}

/// In a process of its own: the other tests here make files in their memory.
#[test]
#[cfg(target_os = "linux")]
fn memory_stays_flat() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    for file in [PDFS.as_slice(), &PACKAGES, &TEXTS].into_iter().flatten() {
        write(file.name, &(file.bytes)());
    }
    write("endless.html", &hostile::endless_html());
    write("plan.pdf", include_bytes!("plan.pdf"));
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "documents::memory::through_all_of_them", "--nocapture"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{said}");
}

#[tokio::test]
#[ignore = "run by memory_stays_flat, in a process and a folder of its own"]
async fn through_all_of_them() {
    if !Path::new("endless.html").exists() {
        return;
    }
    let origin = files().await;
    let documents = documents(&origin);
    let good = || async {
        let document = documents.fetch(&format!("{origin}/plan.pdf"), "plan.pdf", 1).await.unwrap();
        assert!(document.text.starts_with("Plan for the second bakery"), "{}", document.text);
    };
    good().await;

    let (over, most) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let (before, peak) = (status("VmRSS:"), status("VmHWM:"));
    let sampler = tokio::spawn({
        let (over, most) = (Arc::clone(&over), Arc::clone(&most));
        async move {
            let mut readers = 0;
            while !over.load(Ordering::SeqCst) {
                most.fetch_max(status("VmRSS:"), Ordering::SeqCst);
                readers = readers.max(children());
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            readers
        }
    });
    // Several at once, as if a server had gathered to do harm.
    let all = [PDFS.as_slice(), &PACKAGES, &TEXTS].into_iter().flatten().map(|file| (file.name, file.fault));
    let bad = all.chain([("endless.html", Fault::BeyondLimits)]).map(|(name, fault)| {
        let (documents, origin) = (&documents, &origin);
        async move {
            let error = documents.fetch(&format!("{origin}/{name}"), name, 1).await.expect_err(name);
            // Nothing was declared here, so it is counted.
            let counted = matches!((error.fault, fault), (Fault::TooLarge(None), Fault::TooLarge(_)));
            assert!(counted || error.fault == fault, "{error:?}");
        }
    });
    assert_eq!(
        stream::iter(bad).buffer_unordered(6).count().await,
        PDFS.len() + PACKAGES.len() + TEXTS.len() + 1
    );
    good().await;
    over.store(true, Ordering::SeqCst);
    let readers = sampler.await.unwrap();

    assert_eq!(readers, 2, "as many documents are read at once");
    let grown = most.load(Ordering::SeqCst).saturating_sub(before);
    assert!(grown < MOST, "grown by {grown} KiB from {before}");
    let higher = status("VmHWM:").saturating_sub(peak);
    assert!(higher < MOST, "its peak is {higher} KiB above {peak}");
    for _ in 0..100 {
        if children() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{} children are left", children());
}

/// Most memory of a process that reads one document, in KiB: of the program that is tested, which is larger than the one that
/// is used.
const MOST_OF_CHILD: u64 = 100 * 1_024;

/// The most memory that a process had which reads this file, in KiB, as far as looks once a millisecond tell.
#[cfg(target_os = "linux")]
fn peak_of_child(bytes: &[u8]) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quorum"))
        .args(["read-document", "10"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    std::thread::scope(|scope| {
        // It may have seen enough before it has all of it.
        scope.spawn(move || stdin.write_all(bytes).is_ok());
        while child.try_wait().unwrap().is_none() {
            peak = peak.max(status_in(&status, "VmHWM:").unwrap_or_default());
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn whoever_reads_an_archive_or_a_text_takes_little_memory() {
    let files = PACKAGES.iter().chain(&TEXTS).map(|file| (file.name, (file.bytes)()));
    let row = |row: u32| format!("<row r=\"{row}\">{}</row>", "<c><v>12345678</v></c>".repeat(20));
    let million: String = (1..=50_000).map(row).collect();
    let corners = "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row>";
    let large = [
        ("million.xlsx", packages::book_with("", &million)),
        ("corners.xlsx", packages::book_with("", corners)),
        ("texts.xlsx", packages::book_of_texts(3_000_000)),
        ("long.epub", packages::book_of_pages(&"<p>A word. </p>".repeat(60_000))),
        ("long.docx", packages::docx_with("", &"<w:p><w:r><w:t>A word.</w:t></w:r></w:p>".repeat(80_000))),
    ];
    let borne = borne::FILES.iter().map(|file| (file.name, (file.bytes)()));
    for (name, bytes) in files.chain(borne).chain(large) {
        // A child that is over at once may be so before it was looked at.
        let seen = (0..50).map(|_| peak_of_child(&bytes)).find(|peak| *peak > 1_024);
        let peak = seen.unwrap_or_else(|| panic!("{name}: nothing was seen of it"));
        assert!(peak < MOST_OF_CHILD, "{name}: {peak} KiB");
    }
}
