//! The rules of the house that a test can check, on the text of the source.

#![allow(clippy::unwrap_used)] // what reads the source for the tests fails with them

mod owners;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use self::owners::OWNERS;

/// What each room (a file or folder directly in `src`) may import of the others.
const MAY_IMPORT: [(&str, &[&str]); 27] = [
    ("main", EVERYTHING),
    ("cli", EVERYTHING),
    ("app", EVERYTHING),
    ("example", &["playground", "domain"]),
    ("lib", &[]),
    ("metrics", &["bot", "discord", "llm", "store", "domain"]),
    (
        "bot",
        &[
            "session",
            "protocols",
            "steps",
            "discord",
            "store",
            "documents",
            "prompt",
            "render",
            "report",
            "domain",
            "error",
        ],
    ),
    (
        "session",
        &[
            "protocols",
            "steps",
            "discord",
            "llm",
            "documents",
            "store",
            "prompt",
            "render",
            "report",
            "domain",
            "error",
        ],
    ),
    ("protocols", &["steps", "prompt", "render", "audit", "domain", "error"]),
    (
        "steps",
        &[
            "discord",
            "llm",
            "search",
            "pages",
            "documents",
            "sandbox",
            "store",
            "prompt",
            "render",
            "domain",
            "error",
        ],
    ),
    ("discord", &["domain", "error"]),
    ("llm", &["domain", "error"]),
    ("search", &["domain", "error"]),
    ("pages", &["domain", "error"]),
    ("documents", &["confine", "domain", "error"]),
    ("sandbox", &["confine", "domain", "error"]),
    ("confine", &[]),
    ("store", &["domain", "error"]),
    ("prompt", &["domain", "error"]),
    ("render", &["domain", "error"]),
    ("report", &["domain"]),
    ("audit", &["domain"]),
    ("config", &["domain", "error"]),
    ("domain", &[]),
    ("error", &["domain"]),
    ("playground", &[]),
    // Compiled for unit tests alone, which may be in any room.
    ("sample", &["domain"]),
];

const EVERYTHING: &[&str] = &[
    "app",
    "audit",
    "bot",
    "cli",
    "confine",
    "config",
    "discord",
    "documents",
    "domain",
    "error",
    "example",
    "llm",
    "metrics",
    "pages",
    "playground",
    "prompt",
    "protocols",
    "render",
    "report",
    "sandbox",
    "search",
    "session",
    "steps",
    "store",
];

/// Rooms without clock, chance, disk, network and environment.
const PURE: [&str; 6] = ["domain", "prompt", "render", "report", "audit", "sample"];

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
    "tokio::",
    "std::net",
    "std::thread",
    "std::process",
    "thread_rng",
];

const FORBIDDEN_NAMES: [&str; 12] = [
    "utils", "util", "helpers", "helper", "common", "types", "manager", "handler", "handlers", "misc",
    "shared", "managers",
];

/// A source file of `src`.
struct Source {
    /// Path below `src`, `/` between its parts.
    path: String,
    /// Everything in it.
    text: String,
    /// Its code: no remarks, no text in quotes, nothing after `#[cfg(test)]`.
    code: String,
}

impl Source {
    fn room(&self) -> &str {
        self.path.split('/').next().unwrap().trim_end_matches(".rs")
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
    let src = root().join("src");
    let rust = files_below(&src).into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    rust.map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        let path = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        Source { path, code: code_of(&text), text }
    })
    .collect()
}

/// The text without remarks, without what stands in quotes, and without the tests at its end.
fn code_of(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
    let mut code = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if let Some(raw) = raw_text(rest) {
            code.push_str("\"\"");
            rest = &rest[raw..];
        } else if c == '"' {
            code.push_str("\"\"");
            rest = &rest[quoted(rest)..];
        } else if let Some(end) = character(rest) {
            code.push_str("' '");
            rest = &rest[end..];
        } else {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    code
}

/// Bytes of the text in quotes that begins here.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Bytes of the `r"…"` or `r#"…"#` that begins here.
fn raw_text(rest: &str) -> Option<usize> {
    let marks = rest.strip_prefix('r')?;
    let fence = marks.chars().take_while(|&c| c == '#').count();
    let inside = marks[fence..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(fence));
    Some(inside.find(&end).map_or(rest.len(), |at| 1 + fence + 1 + at + end.len()))
}

/// Bytes of the character in quotes that begins here; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    if let Some(escaped) = inside.strip_prefix('\\') {
        return escaped.char_indices().skip(1).find(|(_, c)| *c == '\'').map(|(at, _)| 2 + at + 1);
    }
    let c = inside.chars().next()?;
    inside[c.len_utf8()..].starts_with('\'').then(|| 1 + c.len_utf8() + 1)
}

/// The rooms that some code names: `crate::room`, and each of `crate::{room, room::…}`.
fn rooms_named(code: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let after = &code[at + "crate::".len()..];
        if let Some(group) = after.strip_prefix('{') {
            let mut depth = 0;
            let mut at_start = true;
            for (place, c) in group.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => at_start = true,
                    _ if c.is_whitespace() => {}
                    _ if at_start => {
                        rooms.insert(word(&group[place..]));
                        at_start = false;
                    }
                    _ => {}
                }
            }
        } else {
            rooms.insert(word(after));
        }
    }
    rooms
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Whether the code has the word with no letter or digit before it and, where it ends in one, after it.
fn names(code: &str, wanted: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(wanted).any(|(at, _)| {
        let begins_a_word = !code[..at].ends_with(part_of_word);
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
        .map(|(path, lines)| format!("src/{path}: {lines} lines"))
        .collect();
    none(&broken, "A file has at most 500 lines; cut it in two by its nouns:");
}

#[test]
fn nothing_imports_to_its_left() {
    let mut broken = Vec::new();
    for source in sources() {
        let room = source.room();
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == room) else {
            broken.push(format!("src/{}: the room {room} has no line in MAY_IMPORT", source.path));
            continue;
        };
        for named in rooms_named(&source.code) {
            // Words that are no rooms are macros and items of the crate's root.
            if EVERYTHING.contains(&named.as_str()) && named != room && !allowed.contains(&named.as_str()) {
                broken.push(format!("src/{}: {room} imports {named}", source.path));
            }
        }
    }
    none(&broken, "A room imports what it must not (the allowed ones stand in MAY_IMPORT):");
}

#[test]
fn each_outside_crate_has_its_owners() {
    let mut broken = Vec::new();
    for source in sources() {
        for (outside, owners) in OWNERS {
            let used = names(&source.code, &format!("{outside}::"))
                || names(&source.code, &format!("use {outside}"));
            if used && !owners.contains(&source.room()) {
                broken.push(format!("src/{}: {outside} belongs to {}", source.path, owners.join(", ")));
            }
        }
        let environment = ["std::env", "env::var", "env::vars", "env::var_os", "env::vars_os"];
        if source.room() != "config" && environment.iter().any(|way| names(&source.code, way)) {
            broken.push(format!("src/{}: the environment is read in config only", source.path));
        }
    }
    none(&broken, "A crate is used outside the rooms that own it:");
}

/// Most files that name a protocol and are not its own: where its parts are listed in each room, and the registries.
const NAME_A_PROTOCOL: usize = 14;

/// What knows no protocol by name.
const KNOW_NO_PROTOCOL: [&str; 2] = ["steps", "store"];

/// What does all the same, until there is one kind of vote.
const STILL_KNOW: [&str; 2] = ["steps/mod.rs", "steps/opinion.rs"];

#[test]
fn a_protocol_is_named_by_its_own_files_and_where_it_is_listed() {
    let sources = sources();
    let for_tests = ["tests", "sample", "support"];
    let mut broken = Vec::new();
    for protocol in ["mediate", "roundtable", "debate", "critique"] {
        let others = sources.iter().filter(|source| {
            let parts: Vec<&str> = source.path.trim_end_matches(".rs").split('/').collect();
            let own = parts.iter().any(|part| part.starts_with(protocol) || for_tests.contains(part));
            !own && source.room() != "playground" && source.code.to_lowercase().contains(protocol)
        });
        let others: Vec<&Source> = others.collect();
        let knows = |source: &&&Source| {
            KNOW_NO_PROTOCOL.contains(&source.room()) && !STILL_KNOW.contains(&source.path.as_str())
        };
        for source in others.iter().filter(knows) {
            broken.push(format!("src/{} knows {protocol}", source.path));
        }
        if others.len() > NAME_A_PROTOCOL {
            let paths: Vec<&str> = others.iter().map(|source| source.path.as_str()).collect();
            broken.push(format!(
                "{} files that are not its own name {protocol}: {}",
                paths.len(),
                paths.join(", ")
            ));
        }
    }
    none(&broken, "A protocol is in its own files, and listed in protocols/mod.rs and domain/protocol.rs:");
}

#[test]
fn pure_rooms_know_no_clock_chance_disk_or_network() {
    let mut broken = Vec::new();
    for source in sources().iter().filter(|source| PURE.contains(&source.room())) {
        for impure in IMPURE.iter().filter(|impure| names(&source.code, impure)) {
            broken.push(format!("src/{}: {impure}", source.path));
        }
    }
    none(&broken, "A pure room reaches outside; hand it the value instead:");
}

#[test]
fn files_are_named_by_nouns_of_the_field() {
    let broken: Vec<String> = sources()
        .into_iter()
        .map(|source| source.path)
        .filter(|path| path.trim_end_matches(".rs").split('/').any(|part| FORBIDDEN_NAMES.contains(&part)))
        .collect();
    none(&broken, "A file's name says nothing about what is in it:");
}

#[test]
fn every_room_opens_with_what_it_is_for() {
    let is_room = |path: &str| path.ends_with("mod.rs") || !path.contains('/');
    let broken: Vec<String> = sources()
        .into_iter()
        .filter(|source| is_room(&source.path) && !source.text.starts_with("//!"))
        .map(|source| format!("src/{}", source.path))
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
         use crate::{domain::{A, llm}, store};\n#[cfg(test)]\nmod tests { use crate::bot; }",
    );
    let rooms: Vec<String> = rooms_named(&code).into_iter().collect();
    assert_eq!(rooms, ["domain", "store"], "{code}");
    assert!(code.contains("let d: &'a str"), "{code}");
    assert!(names("a(rand::x)", "rand::") && !names("strand::x", "rand::"));
    assert!(names("SystemTime::now", "SystemTime") && !names("SystemTimes", "SystemTime"));
}
