//! Layer 5: facts that appear in a later round and that nobody had before: not what was given, not the rounds before, not
//! the pages that their speaker found. Code finds figures and names; whether one follows from what was known, such as a sum,
//! takes a model. Without one, new figures are told as what they are, and new names are only counted.

use std::collections::BTreeSet;

use super::{
    Evidence, Looked, examined,
    figures::{figures, names, values},
    output::origin,
    sentences::sentences,
};
use domain::{
    AuditFault, AuditFinding, AuditLayer, Dossier, Judged, Origin, Page, Speech, citations::cited, shortened,
};

/// Most candidates that are looked at.
const MOST: usize = 40;
/// Most of what was known before that a model is shown, in characters.
const KNOWN: usize = 10_000;
/// Most of what a document gives, in bytes.
const GIST: usize = 60_000;
/// Most characters of a sentence.
const SENTENCE: usize = 400;

/// Words by which a sentence says itself that its figure is no fact, or shows how it comes about.
const DECLARED: [&str; 10] = [
    "assum",
    "from memory",
    "unverified",
    "estimate",
    "angenommen",
    "annahme",
    "geschätzt",
    "supposé",
    "supuest",
    "=",
];

/// A figure or a name that nobody had before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// Where it was said.
    pub at: Origin,
    /// The figure or name, as it is written.
    pub what: String,
    /// The sentence.
    pub sentence: String,
    /// Whether it is a figure.
    pub figure: bool,
}

/// What nobody had before, in the order in which it was said, each once.
#[must_use]
pub fn candidates(dossier: &Dossier, pages: &[Page]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for speech in dossier.said.iter().filter(|speech| speech.round.is_some_and(|round| round > 1)) {
        let before = Before::of(dossier, speech, pages);
        for sentence in speech.texts.iter().flat_map(|text| sentences(text)) {
            // What a page is cited for is compared with that page.
            if !cited(&sentence).is_empty() {
                continue;
            }
            let lower = sentence.to_lowercase();
            let declared = DECLARED.iter().any(|word| lower.contains(word));
            let new = figures(&sentence)
                .into_iter()
                .filter(|figure| !declared && !figure.small && !before.has(&figure.values));
            let new: Vec<(String, bool)> = (new.map(|figure| (figure.shown, true)))
                .chain(
                    names(&sentence).into_iter().filter(|name| !before.names(name)).map(|name| (name, false)),
                )
                .collect();
            for (what, figure) in new {
                let known = found.iter().any(|one| one.what == what && one.at.step == speech.step);
                if !known && found.len() < MOST {
                    found.push(Candidate {
                        at: origin(speech),
                        what,
                        sentence: shortened(&sentence, SENTENCE),
                        figure,
                    });
                }
            }
        }
    }
    found
}

/// What was known before a speech.
struct Before {
    values: BTreeSet<String>,
    text: String,
}

impl Before {
    fn of(dossier: &Dossier, speech: &Speech, pages: &[Page]) -> Self {
        let mut texts: Vec<&str> = dossier.given.iter().map(String::as_str).collect();
        for earlier in dossier.said.iter().filter(|earlier| earlier.round < speech.round) {
            texts.extend(earlier.texts.iter().map(String::as_str));
            texts.extend(
                earlier.sources.iter().flat_map(|source| [source.title.as_str(), source.excerpt.as_str()]),
            );
        }
        for source in &speech.sources {
            texts.extend([source.title.as_str(), source.excerpt.as_str()]);
            texts.extend(pages.iter().filter(|page| page.url == source.url).filter_map(Page::read));
        }
        let text = texts.join("\n");
        Self { values: values(&text), text: text.to_lowercase() }
    }

    fn has(&self, values: &[String]) -> bool {
        values.iter().any(|value| self.values.contains(value))
    }

    fn names(&self, name: &str) -> bool {
        self.text.contains(&name.to_lowercase())
    }
}

/// The candidates by the round in which they were said; those of one round follow one another.
pub fn by_round(candidates: &[Candidate]) -> impl Iterator<Item = (u8, &[Candidate])> {
    let rounds = candidates.chunk_by(|one, other| one.at.round == other.at.round);
    rounds.filter_map(|some| Some((some.first()?.at.round?, some)))
}

/// What was known before a round, for a model that judges its candidates: the sentences with figures or names first of
/// all, within bounds.
#[must_use]
pub fn known(dossier: &Dossier, round: u8) -> String {
    let said = dossier.said.iter().filter(|speech| speech.round.is_some_and(|before| before < round));
    let found = dossier.said.iter().filter(|speech| speech.round.is_some_and(|before| before <= round));
    let excerpts = found.flat_map(|speech| &speech.sources).map(|source| &source.excerpt);
    let texts = dossier.given.iter().chain(said.flat_map(|speech| &speech.texts)).chain(excerpts);
    let (mut seen, mut telling, mut others) = (BTreeSet::new(), Vec::new(), Vec::new());
    for sentence in texts.flat_map(|text| sentences(text)) {
        if seen.insert(sentence.clone()) {
            let tells = !figures(&sentence).is_empty() || !names(&sentence).is_empty();
            if tells { telling.push(sentence) } else { others.push(sentence) }
        }
    }
    let mut out = String::new();
    for sentence in telling.into_iter().chain(others) {
        if out.len() + sentence.len() < KNOWN {
            out.push_str(&sentence);
            out.push('\n');
        }
    }
    out
}

pub(super) fn look(dossier: &Dossier, evidence: &Evidence<'_>) -> Looked {
    let candidates = candidates(dossier, evidence.pages);
    let finding = |fault, one: &Candidate| AuditFinding {
        fault,
        at: one.at.clone(),
        quote: one.sentence.clone(),
        detail: one.what.clone(),
    };
    let mut unjudged = Vec::new();
    let findings = if let Some(judged) = evidence.judged {
        let with = || candidates.iter().zip(judged.iter().copied().chain(std::iter::repeat(Judged::Unsaid)));
        let unsaid = with().filter(|(_, judged)| *judged == Judged::Unsaid).count();
        if unsaid > 0 {
            let why = evidence.without_judge.unwrap_or("no model said what they are");
            unjudged.push(format!("{unsaid} not judged: {why}."));
        }
        with()
            .filter(|(_, judged)| *judged == Judged::New)
            .map(|(one, _)| finding(AuditFault::NewFact, one))
            .collect()
    } else {
        let why = evidence.without_judge.unwrap_or("no model could be asked");
        let names = candidates.iter().filter(|one| !one.figure).count();
        if !candidates.is_empty() {
            unjudged.push(format!("Whether what is new follows from what was known was not judged: {why}."));
        }
        if names > 0 {
            unjudged.push(format!("{names} new names were passed over."));
        }
        candidates.iter().filter(|one| one.figure).map(|one| finding(AuditFault::NewFigure, one)).collect()
    };
    let has_rounds = dossier.said.iter().any(|speech| speech.round.is_some_and(|round| round > 1));
    if !has_rounds {
        unjudged.push("Nobody spoke in a second round.".to_owned());
    }
    (examined(AuditLayer::Consistency, candidates.len(), unjudged), findings)
}

/// What a text gives of figures and names, for whoever looks for them later and has not the text.
#[must_use]
pub fn gist(text: &str) -> String {
    let mut parts = BTreeSet::new();
    parts.extend(figures(text).into_iter().map(|figure| figure.shown));
    parts.extend(text.lines().flat_map(names));
    let mut out = String::new();
    for part in parts {
        if out.len() + part.len() < GIST {
            out.push_str(&part);
            out.push_str("; ");
        }
    }
    out
}
