//! Writing `.env`: the settings that are given are set, and all else stays as it was, line by line.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use super::{Problem, dotenv};
use domain::Secret;

/// What a new file begins as: every setting with its meaning.
const EXAMPLE: &str = include_str!("../../.env.example");

/// Sets secrets in the file, which only its owner can read afterwards. It is replaced as a whole or not at all.
///
/// # Errors
/// Where it cannot be read or written, or is written in a way in which a line cannot be set without changing another.
pub fn write_env(path: &Path, secrets: &[(&str, Secret)]) -> Result<(), Problem> {
    let failed = |what: String| Problem {
        setting: path.display().to_string(),
        what,
        remedy: "Mend that and start again, or write the lines yourself: .env.example shows how.".to_owned(),
    };
    let broken = |error: io::Error| failed(format!("cannot be written ({error})"));
    // A link stays one.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => EXAMPLE.to_owned(),
        Err(error) => return Err(broken(error)),
    };
    let text = set(&before, secrets);
    let as_meant = {
        let (mut meant, _) = dotenv::read_text(&path, &before);
        for (name, secret) in secrets {
            meant.insert((*name).to_owned(), secret.reveal().to_owned());
        }
        let (found, problems) = dotenv::read_text(&path, &text);
        problems.is_empty() && found == meant
    };
    if !as_meant {
        return Err(failed("has lines that could not be kept as they are".to_owned()));
    }
    replace(&path, &text).map_err(broken)
}

/// A file's text with these settings in it: in the place of the first line that sets one, or that shows it as a remark,
/// or else at the end.
fn set(text: &str, secrets: &[(&str, Secret)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (name, secret) in secrets {
        let sets = |line: &String| {
            let line = line.trim_start_matches('\u{feff}').trim_start();
            let line = line.strip_prefix("export ").unwrap_or(line).trim_start();
            line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        let shows = |line: &String| line.strip_prefix('#').is_some_and(|line| sets(&line.to_owned()));
        let line = format!("{name}={}", secret.reveal());
        let place = lines.iter().position(sets).or_else(|| lines.iter().position(shows));
        match place.and_then(|place| lines.get_mut(place)) {
            Some(there) => *there = line,
            None => lines.push(line),
        }
    }
    lines.join("\n") + "\n"
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside: PathBuf = folder.join(format!(".env.{}.new", std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    if written.is_err() {
        // Nothing of a secret is left lying about.
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> [(&'static str, Secret); 1] {
        [("DISCORD_TOKEN", Secret::new(text))]
    }

    #[test]
    fn a_setting_takes_its_line_and_no_other() {
        for (before, after) in [
            ("", "DISCORD_TOKEN=t\n"),
            ("# mine\nDISCORD_TOKEN=old\nLOG_FORMAT=json\n", "# mine\nDISCORD_TOKEN=t\nLOG_FORMAT=json\n"),
            ("export DISCORD_TOKEN = old", "DISCORD_TOKEN=t\n"),
            (
                "# DISCORD_TOKEN is secret\n#DISCORD_TOKEN=\nA=b\n",
                "# DISCORD_TOKEN is secret\nDISCORD_TOKEN=t\nA=b\n",
            ),
            ("DISCORD_TOKEN_OLD=x\n", "DISCORD_TOKEN_OLD=x\nDISCORD_TOKEN=t\n"),
            ("\u{feff}DISCORD_TOKEN=old\r\nA=b\r\n", "DISCORD_TOKEN=t\nA=b\n"),
        ] {
            assert_eq!(set(before, &token("t")), after, "{before:?}");
        }
    }

    #[test]
    fn a_new_file_explains_every_setting_and_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".env");
        write_env(&path, &token("t")).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, EXAMPLE.replace("\nDISCORD_TOKEN=\n", "\nDISCORD_TOKEN=t\n"));
        #[cfg(unix)]
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions()) & 0o777,
            0o600
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_would_lose_something_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".env");
        for before in ["DISCORD_TOKEN=\"a\nLOG_FORMAT=json\"\n", "DISCORD_TOKEN=a\nnonsense\n"] {
            fs::write(&path, before).unwrap();
            let said = write_env(&path, &token("t")).unwrap_err().to_string();
            assert!(said.contains("could not be kept as they are") && !said.contains("nonsense"), "{said}");
            assert_eq!(fs::read_to_string(&path).unwrap(), before);
        }
        assert!(write_env(folder.path(), &token("t")).is_err(), "a folder");
    }
}
