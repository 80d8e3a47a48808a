//! Layer 4: whether pages say what they are cited for. A model compares, and code looks whether the words that it shows for
//! its verdict stand on the page and bear on the sentence: a page that orders a verdict shows nothing for it.

use std::collections::BTreeSet;

use super::{
    Evidence, Looked, examined,
    figures::{figures, values},
    output::origin,
    sentences::sentences,
};
use domain::{
    AuditFinding, AuditLayer, CheckedClaim, ClaimVerdict, Dossier, Grounded, Origin, Page, PageText, Reached,
    SourceUrl, Span, citations::cited, find_quote, shortened,
};

/// Most cited sentences that one audit looks at.
const MOST_CLAIMS: usize = 80;
/// Most of them that one call compares with a page.
const MOST_AT_ONCE: usize = 8;
/// Most of a page that is read by a model, in characters.
const MOST_PASSAGES: usize = 6_000;
/// Most of a page that is kept, in characters.
const MOST_KEPT: usize = 12_000;
/// Most characters of a sentence.
const SENTENCE: usize = 600;
/// Most characters of the words that a verdict goes by.
const QUOTED: usize = 300;
/// Letters of a word that tells something.
const TELLING: usize = 4;

/// A sentence that cites a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Where it was said.
    pub at: Origin,
    /// The sentence.
    pub sentence: String,
    /// The number that it cites.
    pub number: usize,
    /// The page's address.
    pub url: String,
}

/// What one call compares with a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grounds {
    /// The page, by its address.
    pub url: String,
    /// Its passages that bear on the claims.
    pub passages: String,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// The sentences that cite pages, each once for each page.
pub(super) fn claims(dossier: &Dossier) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    let mut seen = BTreeSet::new();
    for speech in &dossier.said {
        for sentence in speech.texts.iter().flat_map(|text| sentences(text)) {
            for number in cited(&sentence) {
                let Some(page) = speech.page(number).filter(|page| SourceUrl::new(&page.url).is_some())
                else {
                    continue;
                };
                if seen.insert((sentence.clone(), page.url.clone())) {
                    claims.push(Claim {
                        at: origin(speech),
                        sentence: shortened(&sentence, SENTENCE),
                        number,
                        url: page.url.clone(),
                    });
                }
            }
        }
    }
    claims
}

/// What has to be compared, of the pages that were read: each call one page with some of the claims that cite it.
#[must_use]
pub fn grounds(dossier: &Dossier, pages: &[Page]) -> Vec<Grounds> {
    let claims: Vec<Claim> = claims(dossier).into_iter().take(MOST_CLAIMS).collect();
    let mut grounds = Vec::new();
    for page in pages {
        let Some(text) = page.read() else { continue };
        let of_page: Vec<Claim> = claims.iter().filter(|claim| claim.url == page.url).cloned().collect();
        for some in of_page.chunks(MOST_AT_ONCE) {
            let said: Vec<&str> = some.iter().map(|claim| claim.sentence.as_str()).collect();
            let passages = passages(text, &said, MOST_PASSAGES);
            grounds.push(Grounds { url: page.url.clone(), passages, claims: some.to_vec() });
        }
    }
    grounds
}

/// What is kept of a page: what bears on the sentences that cite it.
#[must_use]
pub fn bearing(dossier: &Dossier, url: &str, text: &str) -> String {
    let claims = claims(dossier);
    let said: Vec<&str> =
        claims.iter().filter(|claim| claim.url == url).map(|claim| claim.sentence.as_str()).collect();
    passages(text, &said, MOST_KEPT)
}

/// The addresses of pages that are worth reading: those that sentences cite, as far as they are looked at.
pub(super) fn to_read(dossier: &Dossier) -> BTreeSet<String> {
    claims(dossier).into_iter().take(MOST_CLAIMS).map(|claim| claim.url).collect()
}

/// The parts of a page that bear on what was said of it, in their order and at most so many characters: those that share
/// most words and figures with it. A page that is short enough stays whole.
fn passages(text: &str, said: &[&str], most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let wanted: BTreeSet<String> = said.iter().flat_map(|said| telling(said)).collect();
    let parts: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).flat_map(cut).collect();
    let mut ranked: Vec<(usize, usize)> = parts
        .iter()
        .enumerate()
        .map(|(place, part)| (telling(part).intersection(&wanted).count(), place))
        .collect();
    ranked.sort_by_key(|(shared, place)| (std::cmp::Reverse(*shared), *place));
    let (mut chosen, mut length) = (BTreeSet::new(), 0);
    for (_, place) in ranked {
        let long = parts.get(place).map_or(0, |part| part.chars().count()) + 1;
        if length + long <= most {
            length += long;
            chosen.insert(place);
        }
    }
    let chosen: Vec<&str> = chosen.into_iter().filter_map(|place| parts.get(place).copied()).collect();
    chosen.join("\n")
}

/// A line in parts that are not too long to choose between.
fn cut(line: &str) -> Vec<&str> {
    const LONG: usize = 800;
    let (mut parts, mut rest) = (Vec::new(), line);
    while rest.len() > LONG {
        let within =
            rest.char_indices().take_while(|(at, _)| *at <= LONG).last().map_or(rest.len(), |(at, _)| at);
        let end = rest[..within].rfind(". ").map_or(within, |at| at + 1).max(1);
        let end = (end..=rest.len()).find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
        parts.push(rest[..end].trim());
        rest = &rest[end..];
    }
    parts.push(rest.trim());
    parts
}

/// What a text is about: its longer words, and its figures.
fn telling(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= TELLING);
    let words = words.map(str::to_lowercase);
    words.chain(values(text)).collect()
}

/// The claims with their verdicts, and what that comes to.
pub(super) fn look(dossier: &Dossier, evidence: &Evidence<'_>) -> (Vec<CheckedClaim>, Looked) {
    let all = claims(dossier);
    let grounds = grounds(dossier, evidence.pages);
    let checked: Vec<CheckedClaim> = all.iter().map(|claim| checked(claim, &grounds, evidence)).collect();
    let findings = checked.iter().filter_map(|claim| {
        Some(AuditFinding {
            fault: claim.verdict.fault()?,
            at: claim.at.clone(),
            quote: claim.sentence.clone(),
            detail: match &claim.quotation {
                Some(quotation) => format!("{}: “{quotation}”", claim.url),
                None => claim.url.clone(),
            },
        })
    });
    let findings = findings.collect();
    let mut whys: Vec<(String, usize)> = Vec::new();
    for why in checked.iter().filter_map(|claim| claim.why.as_ref()) {
        match whys.iter_mut().find(|(known, _)| known == why) {
            Some((_, count)) => *count += 1,
            None => whys.push((why.clone(), 1)),
        }
    }
    let unjudged = whys.into_iter().map(|(why, count)| format!("{count} not judged: {why}.")).collect();
    (checked, (examined(AuditLayer::Grounding, all.len(), unjudged), findings))
}

fn checked(claim: &Claim, grounds: &[Grounds], evidence: &Evidence<'_>) -> CheckedClaim {
    let (verdict, quotation, why) = verdict(claim, grounds, evidence);
    CheckedClaim {
        at: claim.at.clone(),
        sentence: claim.sentence.clone(),
        number: claim.number,
        url: claim.url.clone(),
        verdict,
        quotation,
        why: why.map(str::to_owned),
    }
}

type Said<'a> = (ClaimVerdict, Option<String>, Option<&'a str>);

fn verdict<'a>(claim: &Claim, grounds: &[Grounds], evidence: &Evidence<'a>) -> Said<'a> {
    let unread = |why| (ClaimVerdict::Unreachable, None, Some(why));
    let unchecked = |why| (ClaimVerdict::Unchecked, None, Some(why));
    match evidence.pages.iter().find(|page| page.url == claim.url) {
        None => return unchecked("the page was not asked for"),
        Some(Page { text: PageText::Read(_), .. }) => {}
        Some(Page { reached: Reached::There, text: PageText::Not(why), .. }) => return unchecked(why),
        Some(Page { reached: Reached::Blocked(_), .. }) => return unread("the page lets no program in"),
        Some(_) => return unread("the page cannot be reached"),
    }
    let place = grounds.iter().position(|ground| ground.url == claim.url && ground.claims.contains(claim));
    let Some((place, ground)) = place.and_then(|place| Some((place, grounds.get(place)?))) else {
        return unchecked("there are more cited sentences than one audit looks at");
    };
    let Some(said) = evidence.grounded.get(place).and_then(Option::as_ref) else {
        return unchecked(evidence.without_judge.unwrap_or("no model could compare them"));
    };
    let number = ground.claims.iter().position(|one| one == claim).map(|place| place + 1);
    let Some(said) = said.iter().find(|said| Some(said.claim) == number) else {
        return unchecked("the model passed over the sentence");
    };
    held_to(said, claim, &ground.passages)
}

/// A verdict as far as it holds: the words that it goes by have to stand on the page and bear on the sentence, and a
/// sentence is not wholly supported whose figures the page does not have.
fn held_to<'a>(said: &Grounded, claim: &Claim, page: &str) -> Said<'a> {
    let whole = Span { start: 0, end: page.len() };
    let quotation = find_quote(page, whole, &said.quotation).and_then(|span| page.get(span.start..span.end));
    let quotation = quotation.map(|words| shortened(words, QUOTED));
    match (said.verdict, quotation) {
        // Nothing can be shown for what is not there.
        (ClaimVerdict::Unsupported, quotation) => (ClaimVerdict::Unsupported, quotation, None),
        (_, None) => {
            (ClaimVerdict::Unchecked, None, Some("the words shown for the verdict do not stand on the page"))
        }
        (_, Some(words))
            if telling(&words).is_disjoint(&telling(&claim.sentence)) && bears_by_words(&words, claim) =>
        {
            (
                ClaimVerdict::Unchecked,
                None,
                Some("the words shown for the verdict do not bear on the sentence"),
            )
        }
        (ClaimVerdict::Supported, Some(words)) if !has_figures(&claim.sentence, page) => {
            (ClaimVerdict::Partial, Some(words), None)
        }
        (verdict, Some(words)) => (verdict, Some(words), None),
    }
}

/// Whether words in common can be expected: both are written in the letters of one alphabet.
fn bears_by_words(words: &str, claim: &Claim) -> bool {
    let latin = |text: &str| text.chars().filter(|c| c.is_alphabetic()).all(|c| c < '\u{250}');
    latin(words) == latin(&claim.sentence)
}

/// Whether a page has every figure of a sentence.
fn has_figures(sentence: &str, page: &str) -> bool {
    let known = values(page);
    let wanted = figures(sentence);
    wanted
        .iter()
        .filter(|figure| !figure.small)
        .all(|figure| figure.values.iter().any(|value| known.contains(value)))
}
