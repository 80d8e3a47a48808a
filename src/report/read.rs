//! Reading a report back: what of `report.json` an audit looks at.

use serde_json::Value;
use thiserror::Error;

use super::FORMAT;
use domain::{DOSSIER_VERSION, Dossier};

/// Why a file is not a report that can be audited.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NoReport {
    /// There is no such file, or it cannot be read.
    #[error("it cannot be read: {0}")]
    Unread(String),
    /// It ends early, or never was JSON.
    #[error("it is not JSON, or it is cut off")]
    NotJson,
    /// Something else.
    #[error("it is not a report of Quorum: `report.json`, as /export and `quorum export` write it")]
    Foreign,
    /// A later version wrote it.
    #[error("a later version of Quorum wrote it; audit it with that version")]
    Later,
    /// It is for people outside.
    #[error(
        "it is a report for people outside, which does not hold what was said inside; export it with kind internal"
    )]
    Customer,
    /// An earlier version wrote it.
    #[error("an earlier version of Quorum wrote it, without what an audit needs; export the session again")]
    Earlier,
    /// Its dossier is not as this version writes it.
    #[error("what it holds for audits cannot be read ({0})")]
    Broken(String),
}

/// What the text of a report holds for an audit.
pub fn dossier(text: &str) -> Result<Dossier, NoReport> {
    let mut report: Value =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|_| NoReport::NotJson)?;
    let format = report.get("format").and_then(Value::as_u64);
    let ours = report.get("session").is_some_and(Value::is_string)
        && report.get("sections").is_some_and(Value::is_array);
    let Some(format) = format.filter(|_| ours) else { return Err(NoReport::Foreign) };
    if format > u64::from(FORMAT) {
        return Err(NoReport::Later);
    }
    let customer = report.get("audience").and_then(Value::as_str) == Some("customer");
    let dossier = match report.get_mut("dossier").map(Value::take) {
        None | Some(Value::Null) if customer => return Err(NoReport::Customer),
        None | Some(Value::Null) => return Err(NoReport::Earlier),
        Some(dossier) => dossier,
    };
    if dossier
        .get("version")
        .and_then(Value::as_u64)
        .is_some_and(|version| version > u64::from(DOSSIER_VERSION))
    {
        return Err(NoReport::Later);
    }
    serde_json::from_value(dossier).map_err(|error| NoReport::Broken(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_report_says_why() {
        let ours = |rest: &str| format!(r#"{{"format":1,"session":"abc","sections":[]{rest}}}"#);
        let dossier_of = |version: u32| format!(r#","dossier":{{"version":{version},"searching":"on"}}"#);
        for (text, why) in [
            (String::new(), NoReport::NotJson),
            (ours("")[..20].to_owned(), NoReport::NotJson),
            ("[]".to_owned(), NoReport::Foreign),
            (r#"{"name":"other"}"#.to_owned(), NoReport::Foreign),
            (r#"{"format":1,"session":"abc"}"#.to_owned(), NoReport::Foreign),
            (ours("").replace("\"format\":1", "\"format\":2"), NoReport::Later),
            (ours(&dossier_of(2)), NoReport::Later),
            (ours(r#","audience":"customer""#), NoReport::Customer),
            (ours(""), NoReport::Earlier),
        ] {
            assert_eq!(dossier(&text), Err(why), "{text}");
        }
        assert!(matches!(dossier(&ours(r#","dossier":{"version":1}"#)), Err(NoReport::Broken(_))));
        assert!(matches!(dossier(&ours(r#","dossier":7"#)), Err(NoReport::Broken(_))));
        let read = dossier(&format!("\u{feff}{}", ours(&dossier_of(1)))).unwrap();
        assert!(read.said.is_empty() && read.prompts.is_empty());
    }
}
