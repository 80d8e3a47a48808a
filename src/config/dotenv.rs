//! The file `.env` of the working directory.

use std::{collections::BTreeMap, io, path::Path};

use super::Problem;

/// Reads the file, if there is one: its settings, and a problem for each line that cannot be read. A line's
/// text is never shown, for it may hold a secret.
pub(super) fn read(path: &Path) -> (BTreeMap<String, String>, Vec<Problem>) {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return <_>::default(),
        Err(error) => {
            let problem = Problem {
                setting: path.display().to_string(),
                what: format!("cannot be read ({error})"),
                remedy: "Make it a text file in UTF-8 that this user may read, or remove it.".to_owned(),
            };
            return (BTreeMap::new(), vec![problem]);
        }
    };
    read_text(path, &text)
}

/// Reads the text of a file at that path.
pub(super) fn read_text(path: &Path, text: &str) -> (BTreeMap<String, String>, Vec<Problem>) {
    let mut settings = BTreeMap::new();
    let mut problems = Vec::new();
    // A file saved on Windows may begin with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut read_to = 0;
    for line in dotenvy::from_read_iter(text.as_bytes()) {
        match line {
            Ok((name, value)) => {
                // The first one counts, as with dotenv files elsewhere.
                settings.entry(name).or_insert(value);
            }
            Err(dotenvy::Error::LineParse(part, _)) => {
                let (number, line) = find_broken(text, read_to, &part);
                read_to = number;
                problems.push(broken(path, number, line));
            }
            Err(error) => problems.push(Problem {
                setting: path.display().to_string(),
                what: format!("cannot be read ({error})"),
                remedy: "Write one NAME=value a line.".to_owned(),
            }),
        }
    }
    (settings, problems)
}

/// The number, from 1, and text of the first broken line after line `after` that has `part` in it: the reader
/// tells a broken line or only its value, and never its number.
fn find_broken<'a>(text: &'a str, after: usize, part: &str) -> (usize, &'a str) {
    let first = part.lines().next().unwrap_or_default().trim();
    let fails = |line: &str| dotenvy::from_read_iter(line.as_bytes()).any(|read| read.is_err());
    let mut lines = text.lines().enumerate().skip(after);
    let found = lines.find(|(_, line)| line.contains(first) && fails(line));
    found.map_or((after, ""), |(at, line)| (at + 1, line))
}

fn broken(path: &Path, number: usize, line: &str) -> Problem {
    Problem {
        setting: format!("{}, line {number}{}", path.display(), name_of(line)),
        what: "is not a setting".to_owned(),
        remedy: "Write NAME=value, in quotes where the value has spaces or a # in it: NAME=\"two words\". \
                 Begin remarks with #."
            .to_owned(),
    }
}

/// What stands before the `=`, if it is surely a name and no secret.
fn name_of(line: &str) -> String {
    let name = line.split_once('=').map_or("", |(name, _)| name.trim());
    let plain = !name.is_empty()
        && name.len() <= 40
        && name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c == ' ');
    if plain { format!(" ({name})") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_file(text: &str) -> (BTreeMap<String, String>, Vec<Problem>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".env");
        std::fs::write(&path, text).unwrap();
        read(&path)
    }

    #[test]
    fn good_lines_are_kept_and_every_broken_one_is_named_without_its_text() {
        let (settings, problems) = read_file(
            "\u{feff}# a remark\nDISCORD_TOKEN=abc\n\nOPENAI_API_KEY=very secret words\nMTIz.c2VjcmV0\n\
             export LOG_FORMAT=\"json\"\nDISCORD_TOKEN=second\n",
        );
        assert_eq!(settings["DISCORD_TOKEN"], "abc");
        assert_eq!(settings["LOG_FORMAT"], "json");
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains(".env, line 4 (OPENAI_API_KEY) is not a setting"), "{}", said[0]);
        assert!(said[1].contains(".env, line 5 is not a setting"), "{}", said[1]);
        for line in said {
            assert!(!line.contains("secret words") && !line.contains("MTIz"), "{line}");
        }
    }

    #[test]
    fn no_file_is_no_problem_and_an_unreadable_one_is() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(&folder.path().join(".env")), (BTreeMap::new(), Vec::new()));
        let (_, problems) = read(folder.path());
        assert!(problems[0].what.starts_with("cannot be read"), "{problems:?}");
    }
}
