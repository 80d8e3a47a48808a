//! What an audit came to: its score with what lowered it, each layer, each cited sentence with what the page says of it.

use std::fmt::Write as _;

use super::{card, limits, markdown, text};
use domain::{
    Audit, AuditFault, AuditFinding, AuditLayer, CheckedClaim, ClaimVerdict, Color, Embed, Examined, Origin,
    Post, Row, SessionId, StepKey, one_line, readable, shortened,
};

/// Room for a sentence on the card.
const SENTENCE: usize = 160;
/// Below this score the card is red, below the next yellow.
const BAD: u32 = 60;
const FAIR: u32 = 90;

/// The card, for the thread; `by` asked for it.
#[must_use]
pub fn card(session: &SessionId, step: &StepKey, audit: &Audit, by: &str) -> Post {
    let mut fields = Vec::new();
    let found: Vec<String> = audit.findings.iter().map(finding).collect();
    if !found.is_empty() {
        fields.push(card::field("🔎 What was found", card::lines(&found, card::FIELD_ROOM, WHERE_ELSE)));
    }
    let mut claims: Vec<&CheckedClaim> = audit.claims.iter().collect();
    claims.sort_by_key(|claim| rank(claim.verdict));
    let claims: Vec<String> = claims.into_iter().map(claim).collect();
    if !claims.is_empty() {
        let name = format!("📌 Cited sentences: {}", verdicts(audit));
        fields.push(card::field(name, card::lines(&claims, card::FIELD_ROOM, WHERE_ELSE)));
    }
    let layers: Vec<String> = audit.layers.iter().map(|examined| layer(audit, examined)).collect();
    fields.push(card::field("🧪 What was looked at", card::lines(&layers, card::FIELD_ROOM, WHERE_ELSE)));
    if !audit.blocked.is_empty() {
        let blocked: Vec<String> =
            audit.blocked.iter().map(|page| format!("- {}", text::label(page, 120))).collect();
        let name = "🚧 Blocked: these let no program in, which lowers nothing";
        fields.push(card::field(name, card::lines(&blocked, card::FIELD_ROOM, WHERE_ELSE)));
    }
    let color = match audit.score() {
        _ if says_nothing(audit) => Color::Neutral,
        _ if audit.findings.is_empty() => Color::Good,
        score if score < BAD => Color::Danger,
        score if score < FAIR => Color::Caution,
        _ => Color::Neutral,
    };
    let embed = Embed {
        title: title(audit),
        description: format!("{}\n-# Asked for by {}.", lowered(audit), text::label(by, 60)),
        color,
        fields,
        footer: judge(audit),
        ..Embed::default()
    };
    limits::one(Post { embeds: vec![embed], rows: vec![buttons(session, step, audit)], ..Post::default() })
}

/// `🔬 Audit: 84 of 100`; of one layer alone it says so.
fn title(audit: &Audit) -> String {
    let only = audit.only().map(|layer| format!(" ({} only)", layer.title().to_lowercase()));
    format!("🔬 Audit: {}{}", scored(audit), only.unwrap_or_default())
}

/// Whether no layer had anything to look at, so that a score would praise what nobody has seen.
fn says_nothing(audit: &Audit) -> bool {
    audit.findings.is_empty() && audit.layers.iter().all(|examined| examined.count == 0)
}

fn scored(audit: &Audit) -> String {
    if says_nothing(audit) { "nothing to look at".to_owned() } else { format!("{} of 100", audit.score()) }
}

const WHERE_ELSE: &str = "behind the button.";

/// For whoever asks for an audit of a session that was audited.
#[must_use]
pub fn again(session: &SessionId, step: &StepKey, audit: &Audit) -> Post {
    let embed = Embed {
        title: format!("🔬 Audited before: {}", scored(audit)),
        description: format!(
            "{}\nIts card is in the thread. `/audit again:True` looks anew.",
            lowered(audit)
        ),
        footer: judge(audit),
        ..Embed::default()
    };
    limits::one(Post { embeds: vec![embed], rows: vec![buttons(session, step, audit)], ..Post::default() })
}

/// All of it, and what a model was asked where one was.
fn buttons(session: &SessionId, step: &StepKey, audit: &Audit) -> Row {
    let Row::Buttons(mut buttons) = card::whole_and_raw(session, step, "Whole audit") else {
        return Row::Buttons(Vec::new());
    };
    buttons.truncate(if audit.judge.is_some() { 2 } else { 1 });
    Row::Buttons(buttons)
}

/// What lowered the score, a line each.
fn lowered(audit: &Audit) -> String {
    if audit.findings.is_empty() {
        let all = audit.layers.len();
        return match audit.layers.iter().filter(|examined| examined.count == 0).count() {
            0 => "Nothing was found that lowers it.".to_owned(),
            empty if empty == all => "There was nothing to look at, so there is no score.".to_owned(),
            empty => {
                format!("Nothing was found that lowers it; {empty} of {all} checks had nothing to look at.")
            }
        };
    }
    let line = |(fault, count, points): (AuditFault, usize, u32)| {
        let times = if count == 1 { String::new() } else { format!(" ({count} × {})", fault.points()) };
        format!("**−{points}**{times} {}", fault.words())
    };
    let lines: Vec<String> = audit.lowered().into_iter().map(line).collect();
    lines.join("\n")
}

fn judge(audit: &Audit) -> String {
    match &audit.judge {
        Some(model) => format!(
            "{} compared; code looked whether the words it shows stand on the page.",
            text::plain(model, 80)
        ),
        None => "Code looked; no model compared anything.".to_owned(),
    }
}

/// `3 SUPPORTED, 1 PARTIAL`.
fn verdicts(audit: &Audit) -> String {
    use ClaimVerdict::{Partial, Supported, Unchecked, Unreachable, Unsupported};
    let all = [Supported, Partial, Unsupported, Unreachable, Unchecked];
    let some = all.into_iter().map(|verdict| (audit.count(verdict), verdict)).filter(|(count, _)| *count > 0);
    let some: Vec<String> = some.map(|(count, verdict)| format!("{count} {}", verdict.word())).collect();
    some.join(", ")
}

/// What needs to be looked at comes first.
fn rank(verdict: ClaimVerdict) -> u8 {
    match verdict {
        ClaimVerdict::Unsupported => 0,
        ClaimVerdict::Partial => 1,
        ClaimVerdict::Unreachable => 2,
        ClaimVerdict::Unchecked => 3,
        ClaimVerdict::Supported => 4,
    }
}

fn mark(verdict: ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Supported => "🟢",
        ClaimVerdict::Partial => "🟡",
        ClaimVerdict::Unsupported => "🔴",
        ClaimVerdict::Unreachable => "⚪",
        ClaimVerdict::Unchecked => "❔",
    }
}

/// `Market, round 2`; a prompt's step.
fn place(at: &Origin) -> String {
    match (at.by.as_str(), at.round) {
        ("", _) => text::label(&at.step, 60),
        (by, Some(round)) => format!("{}, round {round}", text::label(by, 60)),
        (by, None) => text::label(by, 60),
    }
}

fn claim(claim: &CheckedClaim) -> String {
    format!(
        "{} **{}** · {}: {}",
        mark(claim.verdict),
        claim.verdict.word(),
        place(&claim.at),
        text::label(&claim.sentence, SENTENCE)
    )
}

fn finding(finding: &AuditFinding) -> String {
    let about = [&finding.quote, &finding.detail].into_iter().filter(|part| !part.is_empty());
    let about: Vec<String> = about.map(|part| text::label(part, SENTENCE)).collect();
    let about = if about.is_empty() { String::new() } else { format!(": {}", about.join(" · ")) };
    format!("- **{}** · {}{about}", place(&finding.at), short(finding.fault))
}

/// A fault's words before their colon.
fn short(fault: AuditFault) -> &'static str {
    let words = fault.words();
    words.split_once(':').map_or(words, |(word, _)| word)
}

fn layer(audit: &Audit, Examined { layer, count, unjudged }: &Examined) -> String {
    let found = audit.findings.iter().filter(|finding| finding.fault.layer() == *layer).count();
    let found = match found {
        0 => "nothing found".to_owned(),
        found => card::count(found, "finding"),
    };
    let looked = match count {
        0 => "nothing to look at".to_owned(),
        count => format!("{}, {found}", counted(*layer, *count)),
    };
    let unjudged: Vec<String> = unjudged.iter().map(|why| text::label(why, 160)).collect();
    let unjudged = if unjudged.is_empty() { String::new() } else { format!(" {}", unjudged.join(" ")) };
    format!("**{}. {}:** {looked}.{unjudged}", layer.number(), layer.title())
}

fn counted(layer: AuditLayer, count: usize) -> String {
    match layer {
        AuditLayer::Consistency if count != 1 => format!("{count} new figures and names"),
        layer => card::count(count, layer.counts()),
    }
}

/// All of it, in Markdown.
#[must_use]
pub fn whole(audit: &Audit) -> String {
    let mut out = format!("**{}.** {}\n", scored(audit), lowered(audit));
    for examined in &audit.layers {
        let _ = writeln!(
            out,
            "\n### {}. {}\n{}",
            examined.layer.number(),
            examined.layer.title(),
            layer(audit, examined)
        );
        for found in audit.findings.iter().filter(|found| found.fault.layer() == examined.layer) {
            let _ = writeln!(
                out,
                "- **{}** · −{} · {}{}{}",
                place(&found.at),
                found.fault.points(),
                found.fault.words(),
                said(": ", &found.quote),
                said(" · ", &found.detail)
            );
        }
        if examined.layer == AuditLayer::Reach {
            for page in &audit.blocked {
                let _ = writeln!(out, "- Blocked: {}", code(page));
            }
        }
        if examined.layer == AuditLayer::Grounding {
            for one in &audit.claims {
                let quotation = one
                    .quotation
                    .as_ref()
                    .map(|words| format!(" · the page: “{}”", markdown::inline(words, 300)));
                let why = one.why.as_ref().map(|why| format!(" · {}", text::label(why, 160)));
                let _ = writeln!(
                    out,
                    "- {} {} · {} · [{}] {}{}{}{}",
                    mark(one.verdict),
                    one.verdict.word(),
                    place(&one.at),
                    one.number,
                    code(&one.url),
                    said(": ", &one.sentence),
                    quotation.unwrap_or_default(),
                    why.unwrap_or_default()
                );
            }
        }
    }
    out
}

/// The same for a terminal: a line for the score, one for each layer, one for each finding.
#[must_use]
pub fn plain(audit: &Audit) -> String {
    let mut out = format!("{}\n", scored(audit));
    for (fault, count, points) in audit.lowered() {
        let _ = writeln!(out, "  -{points:<3} {count} x {}", fault.words());
    }
    for examined in &audit.layers {
        let found = audit.findings.iter().filter(|found| found.fault.layer() == examined.layer);
        let looked = match examined.count {
            0 => "nothing to look at".to_owned(),
            count => counted(examined.layer, count),
        };
        let _ = writeln!(
            out,
            "{}. {}: {looked}, {}",
            examined.layer.number(),
            examined.layer.title(),
            card::count(found.clone().count(), "finding")
        );
        if examined.layer == AuditLayer::Grounding && !audit.claims.is_empty() {
            let _ = writeln!(out, "   {}", verdicts(audit));
        }
        for why in &examined.unjudged {
            let _ = writeln!(out, "   {}", bare(why));
        }
        for one in found {
            let at = match (one.at.by.as_str(), one.at.round) {
                ("", _) => one.at.step.clone(),
                (by, Some(round)) => format!("{by}, round {round}"),
                (by, None) => by.to_owned(),
            };
            let about = [&one.quote, &one.detail].into_iter().filter(|part| !part.is_empty());
            let about: Vec<String> = about.map(|part| bare(part)).collect();
            let _ = writeln!(
                out,
                "   - {}: {}{}{}",
                bare(&at),
                short(one.fault),
                if about.is_empty() { "" } else { ": " },
                about.join(" | ")
            );
        }
    }
    for page in &audit.blocked {
        let _ = writeln!(out, "blocked, which lowers nothing: {}", bare(page));
    }
    out + &judge(audit)
}

/// Text of others on one line, without what a terminal would obey.
fn bare(text: &str) -> String {
    shortened(&readable(&one_line(text)), 240)
}

fn said(before: &str, words: &str) -> String {
    if words.trim().is_empty() { String::new() } else { format!("{before}{}", markdown::inline(words, 400)) }
}

/// An address as it is, leading nowhere: whether it may be opened is what was looked at.
fn code(words: &str) -> String {
    format!("`{}`", text::plain(words, 300).replace('`', "'"))
}

#[cfg(test)]
mod tests {
    use super::{super::support::shown, *};

    /// An audit with something of everything.
    fn audit() -> Audit {
        let at = |by: &str, round| Origin { step: "round-1/market".into(), by: by.into(), round };
        let finding = |fault, at, quote: &str, detail: &str| AuditFinding {
            fault,
            at,
            quote: quote.into(),
            detail: detail.into(),
        };
        let claim = |verdict, sentence: &str| CheckedClaim {
            at: at("Market", Some(1)),
            sentence: sentence.into(),
            number: 2,
            url: "https://example.org/fees".into(),
            verdict,
            quotation: (verdict != ClaimVerdict::Unreachable).then(|| "13 to 30 % of an order".into()),
            why: (verdict == ClaimVerdict::Unreachable).then(|| "the page lets no program in".into()),
        };
        let looked = |layer, count, unjudged: &[&str]| Examined {
            layer,
            count,
            unjudged: unjudged.iter().map(|&why| why.to_owned()).collect(),
        };
        Audit {
            layers: vec![
                looked(AuditLayer::Prompts, 24, &[]),
                looked(AuditLayer::Output, 60, &[]),
                looked(AuditLayer::Reach, 7, &[]),
                looked(AuditLayer::Grounding, 3, &["1 not judged: the page lets no program in."]),
                looked(AuditLayer::Consistency, 2, &[]),
            ],
            findings: vec![
                finding(
                    AuditFault::Unsupported,
                    at("Market", Some(1)),
                    "Towns love [it](https://evil.example) [2].",
                    "https://example.org/fees",
                ),
                finding(
                    AuditFault::Partial,
                    at("Cost", Some(2)),
                    "All platforms take 30 % [1].",
                    "https://example.org/fees",
                ),
                finding(
                    AuditFault::NewFact,
                    at("Risk", Some(2)),
                    "Of couriers, 62 % leave @everyone.",
                    "62 %",
                ),
                finding(AuditFault::PromptSources, at("", None), "", ""),
            ],
            claims: vec![
                claim(ClaimVerdict::Supported, "Most take 13 to 30 % [2]."),
                claim(ClaimVerdict::Unsupported, "Towns love it [2]."),
                claim(ClaimVerdict::Unreachable, "So it is [2]."),
            ],
            blocked: vec!["https://example.org/paywall (status 403)".into()],
            judge: Some("small-model".into()),
        }
    }

    #[test]
    fn an_audit_reads_well() {
        let session = crate::sample::session();
        let key = StepKey::from("audit/7");
        let clean = Audit { layers: audit().layers, ..Audit::default() };
        insta::assert_snapshot!(
            "audit",
            shown(&[
                card(&session, &key, &audit(), "Ada"),
                card(&session, &key, &clean, "@here"),
                again(&session, &key, &audit()),
            ])
        );
        insta::assert_snapshot!("audit_whole", whole(&audit()));
    }

    #[test]
    fn what_nobody_looked_at_is_not_praised() {
        let counted = |counts: [usize; 5]| {
            let layers = audit().layers.into_iter().zip(counts);
            let layers = layers.map(|(examined, count)| Examined { count, unjudged: vec![], ..examined });
            Audit { layers: layers.collect(), findings: vec![], claims: vec![], ..audit() }
        };
        let told = |counts| {
            let audit = counted(counts);
            (title(&audit), lowered(&audit))
        };
        assert_eq!(
            told([0; 5]),
            (
                "🔬 Audit: nothing to look at".into(),
                "There was nothing to look at, so there is no score.".into()
            )
        );
        let (title, lowered) = told([24, 60, 0, 0, 0]);
        assert_eq!(title, "🔬 Audit: 100 of 100");
        assert_eq!(lowered, "Nothing was found that lowers it; 3 of 5 checks had nothing to look at.");
        assert_eq!(told([1; 5]).1, "Nothing was found that lowers it.");
    }
}
