//! A module's reply in round 1 and in round 2.

use forms::Asked;

use super::ParseError;
use domain::{
    Alone, Challenge, Citing, Flag, ModuleName, ModuleOutput, Offered, Round, Spoken, first_sentence,
    one_line, shortened, without_letters,
};

/// What a reply is held to.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// Who speaks, or for whom it is spoken.
    pub module: &'a ModuleName,
    /// In which round.
    pub round: Round,
    /// What was asked for.
    pub asked: &'a Asked,
    /// What may be cited. Marks stay for what was offered, and that is listed with the output; everything else that names a
    /// source is taken out and counted.
    pub offered: &'a Offered,
    /// The first time, a text that is far too long is an error.
    pub first: bool,
    /// The model that answered, as its provider says.
    pub answered_by: &'a str,
}

impl Reading<'_> {
    /// What a module says alone. An analysis with nothing in it is an error.
    pub fn alone(&self, text: &str) -> Result<ModuleOutput, ParseError> {
        let read = forms::read::<Alone>(text, self.asked, self.offered.len(), self.first)?;
        let mut alone = read.said;
        if alone.summary.is_empty() {
            alone.summary = begins(&alone.analysis);
        }
        alone.flags = worst_first(alone.flags);
        Ok(self.output(Spoken::Alone(alone), read.dropped))
    }

    /// What it says after reading the others. `letters`: who was *Analysis A*, *Analysis B* … to this reader, whose letters
    /// mean nothing to anybody else.
    pub fn challenge(&self, text: &str, letters: &[ModuleName]) -> Result<ModuleOutput, ParseError> {
        let read = forms::read::<Challenge>(text, self.asked, self.offered.len(), self.first)?;
        let mut challenge = read.said;
        for response in &mut challenge.responses {
            response.of = whose(&response.of, letters);
        }
        forms::each_text(&mut challenge, &mut |text| *text = named(text, letters));
        challenge.revised = challenge.revised.filter(|text| is_a_change(text));
        challenge.flags = worst_first(challenge.flags);
        Ok(self.output(Spoken::Challenge(challenge), read.dropped))
    }

    fn output(&self, said: Spoken, dropped_citations: u32) -> ModuleOutput {
        let output = ModuleOutput {
            module: self.module.clone(),
            round: self.round,
            said,
            sources: Vec::new(),
            searched: None,
            filled: None,
            spoken_for_by: None,
            answered_by: self.answered_by.to_owned(),
            dropped_citations,
        };
        output.citing(self.offered)
    }
}

/// Whose a letter was: the module's title; nothing for a letter that stood for nobody.
fn whose(letter: &str, letters: &[ModuleName]) -> String {
    let mut words = letter.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() == 1);
    let letter = words.next_back().and_then(|word| word.chars().next()).unwrap_or_default();
    let place = ('A'..='Z').position(|known| known == letter.to_ascii_uppercase());
    place.and_then(|place| letters.get(place)).map(|module| module.title().to_owned()).unwrap_or_default()
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
        let place = ('A'..='Z').position(|known| known == letter)?;
        Some(letters.get(place).map_or("another analysis", ModuleName::title).to_owned())
    })
}

/// Flags worst first, the empty and the repeated left out.
pub(super) fn worst_first(mut flags: Vec<Flag>) -> Vec<Flag> {
    let mut seen: Vec<String> = Vec::new();
    flags.retain(|flag| {
        let keep = !flag.text.is_empty() && !seen.iter().any(|text| text.eq_ignore_ascii_case(&flag.text));
        seen.push(flag.text.clone());
        keep
    });
    flags.sort_by_key(|flag| flag.color);
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
mod tests;
