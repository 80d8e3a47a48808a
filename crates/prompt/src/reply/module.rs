//! A module's reply in round 1 and in round 2.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    words::{Cleaner, MAX_ITEMS, needed},
};
use domain::{
    Citing, Flag, ModuleName, ModuleOutput, Offered, Round, first_sentence, one_line, shortened,
    without_letters,
};

/// What a module writes in round 1; apart from [`ModuleOutput`], which both rounds come to. The analysis stands before what is drawn from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModuleReply {
    /// The whole analysis, in Markdown.
    #[schemars(length(max = 1500))]
    pub analysis: String,
    /// Two to five things to take away, a sentence each.
    #[schemars(length(min = 2, max = 5), inner(length(max = 180)))]
    pub key_points: Vec<String>,
    /// What must not be overlooked.
    #[schemars(length(max = 4))]
    pub flags: Vec<Flag>,
    /// The finding in one or two sentences.
    #[schemars(length(max = 260))]
    pub summary: String,
    /// Empty: what is cited is listed by code.
    #[serde(default)]
    #[schemars(length(max = 0))]
    pub sources: Vec<String>,
}

/// What a module writes in round 2: what it makes of the others first, then its revised analysis, then
/// whether that is a change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevisionReply {
    /// Which of the others' findings bear on yours, and whether they hold.
    #[schemars(length(max = 300))]
    pub weighed: String,
    /// The whole analysis as it stands now, in Markdown.
    #[schemars(length(max = 1300))]
    pub analysis: String,
    /// Two to five things to take away, a sentence each.
    #[schemars(length(min = 2, max = 5), inner(length(max = 180)))]
    pub key_points: Vec<String>,
    /// What must not be overlooked.
    #[schemars(length(max = 4))]
    pub flags: Vec<Flag>,
    /// The finding in one or two sentences.
    #[schemars(length(max = 260))]
    pub summary: String,
    /// What changed since your first analysis and why; null if it stands.
    #[schemars(length(max = 260))]
    pub revised: Option<String>,
    /// Empty: what is cited is listed by code.
    #[serde(default)]
    #[schemars(length(max = 0))]
    pub sources: Vec<String>,
}

impl ModuleReply {
    /// The output of round 1. Marks stay for what was offered, and that is listed with it; everything else that names a
    /// source is taken out and counted. An analysis with nothing in it is an error.
    pub fn into_output(
        self,
        (module, round): (ModuleName, Round),
        offered: &Offered,
        answered_by: &str,
    ) -> Result<ModuleOutput, ParseError> {
        Ok(self.cleaned((module, round), offered, answered_by)?.citing(offered))
    }

    /// The same, with marks as they were written.
    fn cleaned(
        self,
        (module, round): (ModuleName, Round),
        offered: &Offered,
        answered_by: &str,
    ) -> Result<ModuleOutput, ParseError> {
        let mut clean = Cleaner::offering(offered.len());
        let analysis = clean.text(&self.analysis);
        needed("analysis", &analysis)?;
        let mut summary = clean.line(&self.summary);
        if summary.is_empty() {
            summary = begins(&analysis);
        }
        clean.sources(&self.sources);
        let mut flags = flags(self.flags, &mut clean);
        for flag in &mut flags {
            flag.conflict = None;
        }
        Ok(ModuleOutput {
            module,
            round,
            summary,
            key_points: clean.lines(&self.key_points),
            flags,
            analysis,
            sources: Vec::new(),
            searched: None,
            revised: None,
            spoken_for_by: None,
            answered_by: answered_by.to_owned(),
            dropped_citations: clean.dropped,
        })
    }
}

impl RevisionReply {
    /// The output of round 2, by the same rules. `revised` is `None` where the module says in whatever words
    /// that nothing changed. What it weighed stays in the raw reply. `letters`: who was *Analysis A*, *Analysis B* … to
    /// this reader, whose letters mean nothing to anybody else.
    pub fn into_output(
        self,
        (module, round): (ModuleName, Round),
        letters: &[ModuleName],
        offered: &Offered,
        answered_by: &str,
    ) -> Result<ModuleOutput, ParseError> {
        let Self { weighed: _, mut analysis, mut key_points, mut flags, mut summary, mut revised, sources } =
            self;
        let texts = [&mut analysis, &mut summary].into_iter().chain(&mut key_points).chain(&mut revised);
        for text in texts.chain(flags.iter_mut().map(|flag| &mut flag.text)) {
            *text = named(text, letters);
        }
        let reply = ModuleReply { analysis, key_points, flags, summary, sources };
        let mut output = reply.cleaned((module, round), offered, answered_by)?;
        let mut clean = Cleaner { offered: offered.len(), dropped: output.dropped_citations };
        output.revised = revised.map(|text| clean.line(&text)).filter(|text| is_a_change(text));
        output.dropped_citations = clean.dropped;
        Ok(output.citing(offered))
    }
}

/// A text with modules' titles in place of the letters of a reader; a letter that stood for nobody goes.
pub(super) fn named(text: &str, letters: &[ModuleName]) -> String {
    const WORDS: [&str; 9] = [
        "analyses",
        "analysis",
        "analysen",
        "analyse",
        "análisis",
        "análises",
        "análise",
        "analisi",
        "analiza",
    ];
    without_letters(text, &WORDS, |letter| {
        let place = ('A'..='H').position(|known| known == letter)?;
        Some(letters.get(place).map_or("another analysis", ModuleName::title).to_owned())
    })
}

/// Flags worst first, the empty and the repeated left out.
pub(super) fn flags(mut flags: Vec<Flag>, clean: &mut Cleaner) -> Vec<Flag> {
    let mut seen: Vec<String> = Vec::new();
    clean.items(&mut flags, usize::MAX, |clean, flag| {
        clean.one_line([&mut flag.text]);
        let keep = !flag.text.is_empty() && !seen.iter().any(|text| text.eq_ignore_ascii_case(&flag.text));
        if keep {
            seen.push(flag.text.clone());
        }
        keep
    });
    flags.sort_by_key(|flag| flag.color);
    flags.truncate(MAX_ITEMS);
    flags
}

/// Whether a text tells of a change, rather than being one of the words models write for null.
pub(super) fn is_a_change(text: &str) -> bool {
    const NOTHING: [&str; 14] = [
        "",
        "null",
        "none",
        "nil",
        "no",
        "false",
        "n a",
        "na",
        "nothing",
        "nothing changed",
        "no change",
        "no changes",
        "unchanged",
        "not revised",
    ];
    let plain: String =
        text.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let plain = one_line(&plain);
    !NOTHING.contains(&plain.as_str())
}

/// What a text begins by saying: the first sentence of its first line, at most 300 characters.
pub(super) fn begins(text: &str) -> String {
    let line =
        text.lines().map(|line| line.trim_start_matches(['#', '*', '-', ' '])).find(|line| !line.is_empty());
    shortened(first_sentence(line.unwrap_or_default()), 300)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use domain::{FlagColor, Source};

    fn read(analysis: &str, rest: &str) -> Result<ModuleOutput, ParseError> {
        let analysis = serde_json::to_string(analysis).unwrap();
        let reply = format!(r#"{{"analysis":{analysis},{rest}}}"#);
        let parsed = parse::<ModuleReply>(&reply)?;
        parsed.into_output((ModuleName("market".into()), Round::Independent), &Offered::default(), "m")
    }

    fn market_again() -> (ModuleName, Round) {
        (ModuleName("market".into()), Round::Revision)
    }

    fn revised(revised: &str) -> Option<String> {
        let reply = format!(
            r#"{{"weighed":"w","analysis":"It grows.","key_points":[],"flags":[],"summary":"s","revised":{revised}}}"#
        );
        let reply = parse::<RevisionReply>(&reply).unwrap();
        reply.into_output(market_again(), &[], &Offered::default(), "m").unwrap().revised
    }

    #[test]
    fn what_was_never_searched_for_is_taken_out_and_counted() {
        let output = read(
            "It grows [1].\n\nSource: https://a.example",
            r#""key_points":["Half [2] do","  ","half do"],"flags":[{"color":"green","text":"Up [3, 4]"},{"color":"RED","text":"Down"}],"summary":"Yes [5]","sources":["https://a.example"," "]"#,
        )
        .unwrap();
        assert_eq!((output.analysis.as_str(), output.summary.as_str()), ("It grows.", "Yes"));
        assert_eq!(output.key_points, ["Half do"]);
        let flags: Vec<_> = output.flags.iter().map(|flag| (flag.color, flag.text.as_str())).collect();
        assert_eq!(flags, [(FlagColor::Red, "Down"), (FlagColor::Green, "Up")]);
        assert!(output.sources.is_empty());
        assert_eq!(output.dropped_citations, 6);
        assert_eq!(
            (output.module.0.as_str(), output.answered_by.as_str(), output.revised),
            ("market", "m", None)
        );
    }

    #[test]
    fn what_was_offered_is_cited_and_listed() {
        let page = |name: &str| Source::new(name, &format!("https://a.example/{name}"), "").unwrap();
        let offered = Offered { known: vec![page("one")], found: vec![page("two"), page("three")] };
        let reply = r#"{"weighed":"w","analysis":"It grows [3], not [4].","key_points":["Half do [1]."],"flags":[],
            "summary":"Yes [3].","revised":"By [3] [7]","sources":["https://a.example/three"]}"#;
        let reply = parse::<RevisionReply>(reply).unwrap();
        let output = reply.into_output(market_again(), &[], &offered, "m").unwrap();
        assert_eq!((output.analysis.as_str(), output.summary.as_str()), ("It grows [2], not.", "Yes [2]."));
        assert_eq!(
            (output.key_points, output.revised.as_deref()),
            (vec!["Half do [1].".into()], Some("By [2]"))
        );
        assert_eq!((output.sources, output.dropped_citations), (vec![page("one"), page("three")], 3));
    }

    #[test]
    fn an_analysis_with_nothing_in_it_is_no_output() {
        let rest = r#""key_points":["a"],"flags":[],"summary":"s""#;
        for empty in ["", " \n", "...", "[1]", "Source: https://a.example", "\u{0}"] {
            assert_eq!(read(empty, rest), Err(ParseError::Empty("analysis")), "{empty:?}");
        }
    }

    #[test]
    fn a_missing_summary_is_the_first_sentence() {
        let rest = r#""key_points":[],"flags":[],"summary":" ""#;
        assert_eq!(read("## It grows. Fast.\nMore.", rest).unwrap().summary, "It grows.");
        assert_eq!(read("很".repeat(900).as_str(), rest).unwrap().summary.chars().count(), 300);
    }

    #[test]
    fn revised_is_there_only_for_a_change() {
        for nothing in ["null", r#""""#, r#""None.""#, r#""N/A""#, r#""No changes""#, r#""null""#] {
            assert_eq!(revised(nothing), None, "{nothing}");
        }
        assert_eq!(revised(r#""No longer\n for it [1].""#).as_deref(), Some("No longer for it."));
        let without = r#"{"weighed":"w","analysis":"a","key_points":[],"flags":[],"summary":"s"}"#;
        assert_eq!(parse::<RevisionReply>(without).unwrap().revised, None);
    }

    #[test]
    fn a_readers_letters_become_the_modules_names_or_go() {
        let letters = [ModuleName("cost".into()), ModuleName("risk".into())];
        for (text, shown) in [
            ("Analysis B overlooks rent.", "Risk overlooks rent."),
            (
                "I side with analyses A and B; Analysis C is new.",
                "I side with Cost and Risk; another analysis is new.",
            ),
            ("Anders als Analyse A, aber wie Analyse B.", "Anders als Cost, aber wie Risk."),
            ("El análisis A exagera.", "El Cost exagera."),
            (
                "In this analysis I assume a lease; Plan A; B2B.",
                "In this analysis I assume a lease; Plan A; B2B.",
            ),
        ] {
            assert_eq!(named(text, &letters), shown);
        }
        let reply = r#"{"weighed":"Analysis A holds.","analysis":"As Analysis A says.","key_points":["Analysis B errs."],
            "flags":[{"color":"red","text":"Analysis B"}],"summary":"Like Analysis A.","revised":"Analysis A persuaded me."}"#;
        let reply = parse::<RevisionReply>(reply).unwrap();
        let output = reply.into_output(market_again(), &letters, &Offered::default(), "m").unwrap();
        let shown = serde_json::to_string(&output).unwrap();
        assert!(!shown.contains("nalysis A") && !shown.contains("nalysis B"), "{shown}");
    }

    #[test]
    fn long_lists_are_cut() {
        let points: Vec<String> = (0..50).map(|n| format!("Point {n}.")).collect();
        let rest =
            format!(r#""key_points":{},"flags":[],"summary":"s""#, serde_json::to_string(&points).unwrap());
        assert_eq!(read("a", &rest).unwrap().key_points.len(), MAX_ITEMS);
    }
}
