//! `eval --citations FILE`: how often an audit's grounding is wrong about sentences of which it is known whether their
//! page says them. A configured cheap model compares; code holds its verdict to what stands on the page.

use std::path::Path;

use anyhow::Context as _;
use domain::{
    AuditLayer, CitedPage, ClaimVerdict, DOSSIER_VERSION, Dossier, ModelName, Page, PageText, Reached,
    Searching, Speech,
};
use quorum::{
    app::terminal,
    audit::{self, Evidence},
    config::Config,
    prompt,
};

use super::{
    ask::{Asker, asker},
    bench::progress,
    passage::{CitationCase, Known, Tally, told},
    question::read,
};

/// Runs it; gives whether it was wrong about none.
pub(super) async fn citations(config: Config, file: &Path) -> anyhow::Result<bool> {
    let cases = read(file, CitationCase::all).await?;
    let (models, asker) = asker(&config).await.context("what pages say is compared by a model")?;
    let (mut said_so, mut exactly) = (Tally::default(), Tally::default());
    let bar = progress(cases.len());
    for case in &cases {
        bar.set_message(case.id.clone());
        let verdict = verdict(&asker, &models.cheap, case).await;
        let whole = case.verdict == Known::Supported;
        let doubted = match verdict {
            ClaimVerdict::Supported => Some(false),
            ClaimVerdict::Partial | ClaimVerdict::Unsupported => Some(true),
            ClaimVerdict::Unreachable | ClaimVerdict::Unchecked => None,
        };
        said_so.add(&case.id, !whole, doubted);
        // Of those that are not wholly supported, whether the page says some of it.
        if !whole {
            let none = |verdict| verdict == ClaimVerdict::Unsupported;
            exactly.add(&case.id, case.verdict == Known::Unsupported, doubted.map(|_| none(verdict)));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    terminal::say(format_args!(
        "{} cited sentences of {}, compared by {}.\n",
        cases.len(),
        file.display(),
        models.cheap.shown()
    ));
    let tallies =
        [("not wholly supported".to_owned(), said_so), ("of these, not at all".to_owned(), exactly)];
    terminal::say(told(&tallies));
    Ok(tallies.iter().all(|(_, tally)| tally.is_clean()))
}

/// What an audit says of the sentence.
async fn verdict(asker: &Asker, model: &ModelName, case: &CitationCase) -> ClaimVerdict {
    let url = "https://example.org/page".to_owned();
    let source = CitedPage { number: 1, title: case.id.clone(), url: url.clone(), excerpt: String::new() };
    let sentence = case.sentence.trim_end().trim_end_matches('.');
    let dossier = Dossier {
        version: DOSSIER_VERSION,
        searching: Searching::default(),
        given: Vec::new(),
        prompts: Vec::new(),
        said: vec![Speech {
            step: case.id.clone(),
            by: case.id.clone(),
            round: None,
            texts: vec![format!("{sentence} [1].")],
            sources: vec![source],
        }],
    };
    let pages = [Page { url, reached: Reached::There, text: PageText::Read(case.page.clone()) }];
    let mut grounded = Vec::new();
    for ground in audit::grounds(&dossier, &pages) {
        let sentences: Vec<&str> = ground.claims.iter().map(|claim| claim.sentence.as_str()).collect();
        let prompt = prompt::audit::grounding(&asker.prompts, &ground.passages, &sentences);
        let (said, _) =
            asker.ask(model, prompt, |reply| prompt::audit::read_grounding(reply, sentences.len())).await;
        grounded.push(said.ok());
    }
    let evidence = Evidence { pages: &pages, grounded: &grounded, ..Evidence::default() };
    let audit = audit::audit(&dossier, &[AuditLayer::Grounding], &evidence);
    audit.claims.first().map_or(ClaimVerdict::Unchecked, |claim| claim.verdict)
}
