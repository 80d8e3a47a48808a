//! The rules of the house that Cargo does not keep: the order of the rooms in `src`, who may name which crate, what is pure,
//! and how files are called. Cargo keeps the order of the crates.

#![allow(clippy::unwrap_used)] // what reads the source for the tests fails with them

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use regex::{Captures, Regex};

/// What each room (a file or folder directly in `src`) may import of the others. Those not named may import all.
const MAY_IMPORT: [(&str, &[&str]); 10] = [
    ("lib", &[]),
    ("error", &[]),
    ("config", &[]),
    ("report", &[]),
    ("audit", &[]),
    ("example", &[]),
    ("metrics", &["bot", "store"]),
    ("steps", &["store", "prompt", "render", "error"]),
    ("protocols", &["steps", "prompt", "render", "audit", "error"]),
    ("session", &["protocols", "steps", "store", "prompt", "render", "report", "error"]),
];

/// What `bot` may import, and what may import all.
const BOT: &[&str] = &["session", "protocols", "steps", "store", "prompt", "render", "report", "error"];
const ASSEMBLE: [&str; 3] = ["main", "cli", "app"];

/// Crates, ours and others', and the rooms that may name them: what is exchanged for another has one place to be changed in.
/// `main`, `cli` and `app` may name all of ours.
const OWNERS: [(&str, &[&str]); 16] = [
    ("discord", &["bot", "session", "steps", "report", "metrics"]),
    ("documents", &["bot", "session", "steps"]),
    // `config` has a file of this name.
    ("models", &["session", "steps", "metrics", "example", "config"]),
    ("playground", &["example"]),
    ("poise", &["bot"]),
    ("serenity", &["bot"]),
    ("websocket", &["bot"]),
    ("sqlx", &[]),
    ("flate2", &["bot"]),
    ("axum", &["example", "metrics"]),
    ("dotenvy", &["config"]),
    ("clap", &["cli"]),
    ("comrak", &["report"]),
    ("console", &["app"]),
    ("indicatif", &["cli"]),
    ("tracing_subscriber", &["cli", "config"]),
];

/// What `main`, `cli` and `app` put together.
const OURS: [&str; 4] = ["discord", "documents", "models", "playground"];

/// Without clock, chance, disk, network and environment.
const PURE: [&str; 6] = [
    "crates/domain/src/",
    "crates/forms/src/",
    "crates/prompt/src/",
    "crates/render/src/",
    "src/report/",
    "src/audit/",
];

const IMPURE: [&str; 16] = [
    "Utc::now",
    "Local::now",
    "Instant::now",
    "SystemTime",
    "rand::",
    "std::fs",
    "fs::read",
    "fs::write",
    "File::open",
    "std::env",
    "env::var",
    "thread_rng",
    "tokio::",
    "std::net",
    "std::thread",
    "std::process",
];

const FORBIDDEN_NAMES: [&str; 12] = [
    "utils", "util", "helpers", "helper", "common", "types", "manager", "handler", "handlers", "misc",
    "shared", "managers",
];

/// A source file of ours that is compiled into the program.
struct Source {
    /// `src/bot/mod.rs`, `crates/domain/src/lib.rs`.
    path: String,
    text: String,
    /// Its code: no remarks, no text in quotes, nothing after `#[cfg(test)] mod`.
    code: String,
}

impl Source {
    /// Of a file in `src`: the room it is in.
    fn room(&self) -> Option<&str> {
        Some(self.path.strip_prefix("src/")?.split('/').next()?.trim_end_matches(".rs"))
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

fn sources() -> Vec<Source> {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let files = crates.chain([root().join("src")]).flat_map(|folder| files_below(&folder));
    let rust = files.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    rust.map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        let path = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        Source { path, code: code_of(&text), text }
    })
    .collect()
}

/// The text without remarks, without what stands in quotes, and without the tests at its end.
fn code_of(text: &str) -> String {
    static LEFT_OUT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r##"(?s)//[^\n]*|/\*.*?\*/|r#+".*?"#+|r"[^"]*"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])'"##)
            .unwrap()
    });
    LEFT_OUT.replace_all(text.split("\n#[cfg(test)]\nmod ").next().unwrap(), "''").into_owned()
}

/// The rooms that some code names: `crate::room`, and each of `crate::{room, room::…}`.
fn rooms_named(code: &str) -> BTreeSet<String> {
    static INNER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(\w+)::\{[^{}]*\}").unwrap());
    static NAMED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bcrate::(?:(\w+)|\{([^{}]*)\})").unwrap());
    let mut code = code.to_owned();
    loop {
        let flat = INNER.replace_all(&code, |inner: &Captures<'_>| {
            if &inner[1] == "crate" { inner[0].to_owned() } else { inner[1].to_owned() }
        });
        if flat == code {
            break;
        }
        code = flat.into_owned();
    }
    let mut rooms = BTreeSet::new();
    for named in NAMED.captures_iter(&code) {
        let all = named.get(1).or_else(|| named.get(2)).unwrap().as_str().split(',');
        let first = |path: &str| path.trim().split(':').next().unwrap_or_default().to_owned();
        rooms.extend(all.map(first).filter(|room| !room.is_empty()));
    }
    rooms
}

/// Whether the code has the word with no letter or digit before it and, where it ends in one, after it.
fn names(code: &str, wanted: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(wanted).any(|(at, _)| {
        let begins_a_word = !code[..at].ends_with(|c: char| part_of_word(c) || c == ':');
        let goes_on = wanted.ends_with(part_of_word) && code[at + wanted.len()..].starts_with(part_of_word);
        begins_a_word && !goes_on
    })
}

fn none(broken: &[String], rule: &str) {
    assert!(broken.is_empty(), "{rule}\n  {}\n", broken.join("\n  "));
}

#[test]
fn no_file_is_longer_than_500_lines() {
    let long = sources().into_iter().map(|source| (source.path, source.text.lines().count()));
    let broken: Vec<String> = long
        .filter(|(_, lines)| *lines > 500)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    none(&broken, "A file has at most 500 lines; cut it in two by its nouns:");
}

#[test]
fn nothing_imports_to_its_left() {
    let sources = sources();
    // Rooms that are crates keep their places in the order.
    let crates = ["prompt", "render", "store"];
    let rooms: BTreeSet<&str> = sources.iter().filter_map(Source::room).chain(crates).collect();
    let mut broken = Vec::new();
    for source in &sources {
        let Some(room) = source.room().filter(|room| !ASSEMBLE.contains(room)) else { continue };
        let listed = MAY_IMPORT.iter().find(|(name, _)| *name == room).map(|(_, allowed)| *allowed);
        let Some(allowed) = listed.or((room == "bot").then_some(BOT)) else {
            broken.push(format!("{}: the room {room} has no line in MAY_IMPORT", source.path));
            continue;
        };
        for named in rooms_named(&source.code) {
            // Words that are no rooms are items of the crate's root.
            if rooms.contains(&*named) && named != room && !allowed.contains(&&*named) {
                broken.push(format!("{}: {room} imports {named}", source.path));
            }
        }
    }
    none(&broken, "A room imports what it must not (the allowed ones stand in MAY_IMPORT):");
}

#[test]
fn each_crate_is_named_by_its_owners() {
    let mut broken = Vec::new();
    for source in sources() {
        let environment = ["std::env", "env::var", "env::vars", "env::var_os", "env::vars_os"];
        // `embed` runs while others are built: what Cargo tells a build script stands in the environment.
        let may_read = source.room() == Some("config") || source.path.starts_with("crates/embed/");
        if !may_read && environment.iter().any(|way| names(&source.code, way)) {
            broken.push(format!("{}: the environment is read in config only", source.path));
        }
        let Some(room) = source.room() else { continue };
        for (name, owners) in OWNERS {
            if OURS.contains(&name) && ASSEMBLE.contains(&room) {
                continue;
            }
            let used =
                [format!("{name}::"), format!("use {name}")].iter().any(|way| names(&source.code, way));
            if used && !owners.contains(&room) {
                broken.push(format!("{}: {name} belongs to {}", source.path, owners.join(", ")));
            }
        }
    }
    none(&broken, "A crate is used outside the rooms that own it:");
}

/// Most files that name a protocol and are not its own: where its parts are listed in each room, and the registries.
const NAME_A_PROTOCOL: usize = 13;

/// What knows no protocol by name, and what does all the same, until there is one kind of vote.
const KNOW_NO_PROTOCOL: [&str; 2] = ["src/steps/", "crates/store/src/"];
const STILL_KNOW: [&str; 2] = ["src/steps/mod.rs", "src/steps/opinion.rs"];

#[test]
fn a_protocol_is_named_by_its_own_files_and_where_it_is_listed() {
    let sources = sources();
    // What the command of each takes, and what was measured of it, is a table.
    let listed = ["tests", "sample", "support", "measured", "command"];
    let mut broken = Vec::new();
    for protocol in ["mediate", "roundtable", "debate", "critique", "delphi"] {
        let others = sources.iter().filter(|source| {
            let mut parts = source.path.trim_end_matches(".rs").split('/');
            let own = parts.any(|part| part.starts_with(protocol) || listed.contains(&part));
            let of_the_bot = ["src/", "crates/domain/", "crates/prompt/", "crates/render/", "crates/store/"]
                .iter()
                .any(|place| source.path.starts_with(place));
            of_the_bot && !own && source.code.to_lowercase().contains(protocol)
        });
        let paths: Vec<&str> = others.map(|source| source.path.as_str()).collect();
        let knows = |path: &&&str| {
            KNOW_NO_PROTOCOL.iter().any(|room| path.starts_with(room)) && !STILL_KNOW.contains(*path)
        };
        broken.extend(paths.iter().filter(knows).map(|path| format!("{path} knows {protocol}")));
        if paths.len() > NAME_A_PROTOCOL {
            broken.push(format!(
                "{} files that are not its own name {protocol}: {}",
                paths.len(),
                paths.join(", ")
            ));
        }
    }
    none(&broken, "A protocol is in its own files, and listed in protocols/mod.rs and domain's protocol.rs:");
}

#[test]
fn pure_rooms_know_no_clock_chance_disk_or_network() {
    let mut broken = Vec::new();
    let sources = sources();
    let is_test = |path: &str| path.split(['/', '.']).any(|part| part == "tests");
    for source in sources.iter().filter(|source| !is_test(&source.path)) {
        if !PURE.iter().any(|room| source.path.starts_with(room)) {
            continue;
        }
        for impure in IMPURE.iter().filter(|impure| names(&source.code, impure)) {
            broken.push(format!("{}: {impure}", source.path));
        }
    }
    none(&broken, "A pure room reaches outside; hand it the value instead:");
}

/// A clock on the wall may stand anywhere: rooms that write what lasts, or hold it against a time, ask the world, which knows
/// Discord's too.
#[test]
fn what_lasts_goes_by_the_clock_of_the_world() {
    static ON_THE_WALL: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?:^|[^.\w])now_ms\(\)|SystemTime::now|Utc::now").unwrap());
    const ROOMS: [&str; 4] = ["src/session/", "src/steps/", "src/protocols/", "src/bot/"];
    // Where it is read, and where it is held against Discord's.
    const READ: [&str; 2] = ["src/steps/mod.rs", "src/steps/clock.rs"];
    let sources = sources();
    let held = |path: &str| ROOMS.iter().any(|room| path.starts_with(room)) && !READ.contains(&path);
    let broken: Vec<String> = sources
        .iter()
        .filter(|source| held(&source.path) && ON_THE_WALL.is_match(&source.code))
        .map(|source| source.path.clone())
        .collect();
    none(&broken, "A room goes by the clock on the wall; ask the world:");
}

#[test]
fn files_are_named_by_nouns_of_the_field() {
    let paths = sources().into_iter().map(|source| source.path);
    let broken: Vec<String> = paths
        .filter(|path| path.trim_end_matches(".rs").split('/').any(|part| FORBIDDEN_NAMES.contains(&part)))
        .collect();
    none(&broken, "A file's name says nothing about what is in it:");
}

#[test]
fn every_room_opens_with_what_it_is_for() {
    let is_room =
        |path: &str| path.ends_with("/mod.rs") || path.ends_with("/lib.rs") || path.matches('/').count() == 1;
    let broken: Vec<String> = sources()
        .into_iter()
        .filter(|source| is_room(&source.path) && !source.text.starts_with("//!"))
        .map(|source| source.path)
        .collect();
    none(&broken, "A room opens with //!: what it is for, its invariant, who calls it:");
}

#[test]
fn nothing_names_the_place_where_it_was_made() {
    // In parts, so that this file does not name them itself.
    let marks = [["/wo", "rk/"].concat(), ["../sh", "ared"].concat(), ["/tmp/", "wt/"].concat()];
    let mut broken = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !matches!(name.as_str(), ".git" | "target" | "node_modules") {
                    folders.push(path);
                }
            } else if name != ".git"
                && name != ".env"
                && let Ok(text) = fs::read_to_string(&path)
            {
                for (number, line) in text.lines().enumerate() {
                    if marks.iter().any(|mark| line.contains(mark.as_str())) {
                        broken.push(format!(
                            "{}:{}",
                            path.strip_prefix(root()).unwrap().display(),
                            number + 1
                        ));
                    }
                }
            }
        }
    }
    none(&broken, "A file names a path of one particular machine:");
}

/// A file that no program names is compiled by nobody, and its tests are as good as none.
#[test]
fn every_file_of_tests_belongs_to_a_program() {
    let tests = root().join("tests");
    let (main, manifest) = (tests.join("main.rs"), root().join("Cargo.toml"));
    let (main, manifest) = (fs::read_to_string(main).unwrap(), fs::read_to_string(manifest).unwrap());
    let files = fs::read_dir(&tests).unwrap().map(|entry| entry.unwrap().path());
    let names = files.filter(|file| file.extension().is_some_and(|ending| ending == "rs"));
    let names = names.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned());
    let lost = |name: &String| {
        let listed = main.lines().any(|line| line == format!("mod {name};"));
        name != "main" && !listed && !manifest.contains(&format!("name = \"{name}\""))
    };
    none(&names.filter(lost).collect::<Vec<_>>(), "tests that nothing compiles");
}

#[test]
fn this_test_reads_source_as_it_should() {
    let code = code_of(
        "// crate::bot\nlet a = \"crate::bot \\\" x\"; let b = r#\"crate::bot \" \"#; let c = '\"'; let d: &'a str;\n\
         use crate::{prompt::{A, render}, store};\n#[cfg(test)]\nmod tests { use crate::bot; }",
    );
    let rooms: Vec<String> = rooms_named(&code).into_iter().collect();
    assert_eq!(rooms, ["prompt", "store"], "{code}");
    assert!(code.contains("let d: &'a str"), "{code}");
    assert!(names("a(rand::x)", "rand::") && !names("strand::x", "rand::"));
    assert!(names("SystemTime::now", "SystemTime") && !names("SystemTimes", "SystemTime"));
}
