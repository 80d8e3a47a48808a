//! `quorum audit REPORT.json`: whether what a report says holds. Code looks at what it can; a configured cheap model, called
//! here without a session's budget, compares the rest.

use std::path::Path;

use anyhow::Context as _;
use futures::future::join_all;
use tokio_util::sync::CancellationToken;

use super::{assemble, terminal};
use crate::{
    audit::{self as rules, Evidence},
    config::{Config, program},
    prompt::{self, ParseError, Prompts},
    render,
    report::{self, NoReport},
    steps::{Wanted, look_at},
};
use documents::{Confine, Documents};
use domain::{
    Audit, AuditLayer, AuditScope, Dossier, Grounded, Judged, ModelName, Page, PageText, Prompt, Reply,
};
use models::{
    Llm,
    pages::{Pages, Reach},
};

/// Largest report, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// Who compares, where somebody can.
struct Judge {
    llm: Llm,
    model: ModelName,
    prompts: Prompts,
}

/// Audits the file of a report, all of it or one layer, and says what it found; gives whether that was anything.
pub async fn audit(config: Config, file: &Path, layer: Option<AuditLayer>) -> anyhow::Result<bool> {
    let program = program().context("this program's own file cannot be found")?;
    let audit = audited(&config, file, layer, (Reach::default(), &program)).await?;
    terminal::say(format_args!("{}", render::audit::plain(&audit)));
    Ok(!audit.findings.is_empty())
}

/// What an audit of the file of a report comes to; `doors`: where pages are asked for, and the program that reads them.
pub async fn audited(
    config: &Config,
    file: &Path,
    layer: Option<AuditLayer>,
    doors: (Reach, &Path),
) -> anyhow::Result<Audit> {
    let dossier = read(file).await.with_context(|| format!("{} cannot be audited", file.display()))?;
    let wanted = layer.map_or(AuditScope::Whole, AuditScope::Only).layers();
    let pages = pages(&dossier, &wanted, doors, super::confine(config)).await?;
    let needs_judge =
        wanted.iter().any(|layer| matches!(layer, AuditLayer::Grounding | AuditLayer::Consistency));
    let judge = if needs_judge { judge(config).await } else { Err("none was needed".to_owned()) };
    let (grounded, judged) = match &judge {
        Ok(judge) => judge.compare(&dossier, &pages, &wanted).await,
        Err(_) => (Vec::new(), Vec::new()),
    };
    let said = grounded.iter().any(Option::is_some) || judged.iter().any(|judged| *judged != Judged::Unsaid);
    let evidence = Evidence {
        pages: &pages,
        grounded: &grounded,
        judged: judge.is_ok().then_some(&judged),
        without_judge: judge.as_ref().err().map(String::as_str),
        judge: judge.as_ref().ok().filter(|_| said).map(|judge| judge.model.shown()),
    };
    Ok(rules::audit(&dossier, &wanted, &evidence))
}

async fn read(file: &Path) -> anyhow::Result<Dossier> {
    let size = tokio::fs::metadata(file).await.map_err(|error| NoReport::Unread(error.to_string()))?.len();
    if size > MOST_BYTES {
        return Err(NoReport::Unread("it is larger than any report".to_owned()).into());
    }
    let bytes = tokio::fs::read(file).await.map_err(|error| NoReport::Unread(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| NoReport::NotJson)?;
    Ok(report::dossier(&text)?)
}

/// The pages, as far as a layer that is wanted looks at them.
async fn pages(
    dossier: &Dossier,
    wanted: &[AuditLayer],
    (door, program): (Reach, &Path),
    confine: Confine,
) -> anyhow::Result<Vec<Page>> {
    let asked = rules::pages_for(dossier, wanted);
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let wanted: Vec<Wanted> = asked.into_iter().map(|(url, read)| Wanted { url, read }).collect();
    let door = Pages::new(door)?;
    let documents = Documents::new(None, program.to_owned())?.confined(confine);
    let found = look_at(&door, &documents, &wanted).await;
    let kept = |page: Page| match page.text {
        PageText::Read(text) => {
            Page { text: PageText::Read(rules::bearing(dossier, &page.url, &text)), ..page }
        }
        PageText::Not(_) => page,
    };
    Ok(found.into_iter().map(kept).collect())
}

/// The cheap model that is configured, or why there is none.
async fn judge(config: &Config) -> Result<Judge, String> {
    let none = |_| "no model is configured".to_owned();
    let models = assemble::models(config).await.map_err(none)?;
    let llm = assemble::llm(config, models.local.clone()).map_err(|error| error.to_string())?;
    Ok(Judge { llm, model: models.cheap, prompts: Prompts::embedded() })
}

impl Judge {
    /// What the model says of cited sentences and of what is new, for the layers that are wanted.
    async fn compare(
        &self,
        dossier: &Dossier,
        pages: &[Page],
        wanted: &[AuditLayer],
    ) -> (Vec<Option<Vec<Grounded>>>, Vec<Judged>) {
        let mut grounded = Vec::new();
        if wanted.contains(&AuditLayer::Grounding) {
            let grounds = rules::grounds(dossier, pages);
            let all = grounds.iter().map(async |ground| {
                let sentences: Vec<&str> =
                    ground.claims.iter().map(|claim| claim.sentence.as_str()).collect();
                let prompt = prompt::audit::grounding(&self.prompts, &ground.passages, &sentences);
                self.ask(prompt, |reply| prompt::audit::read_grounding(reply, sentences.len())).await
            });
            grounded = join_all(all).await;
        }
        let mut judged = Vec::new();
        if wanted.contains(&AuditLayer::Consistency) {
            for (round, some) in rules::by_round(&rules::candidates(dossier, pages)) {
                let shown: Vec<(&str, &str)> =
                    some.iter().map(|one| (one.what.as_str(), one.sentence.as_str())).collect();
                let prompt = prompt::audit::facts(&self.prompts, &rules::known(dossier, round), &shown);
                let said = self.ask(prompt, |reply| prompt::audit::read_facts(reply, shown.len())).await;
                judged.extend(said.unwrap_or_else(|| vec![Judged::Unsaid; shown.len()]));
            }
        }
        (grounded, judged)
    }

    /// Asks once; nothing where that fails, which the layer says.
    async fn ask<T>(&self, prompt: Prompt, read: impl Fn(&Reply) -> Result<T, ParseError>) -> Option<T> {
        let room = self.llm.room(&self.model, &prompt);
        let reply = self.llm.send(&self.model, &Prompt { room, ..prompt }, &CancellationToken::new()).await;
        match reply {
            Ok(reply) => read(&reply)
                .inspect_err(|error| tracing::warn!(%error, "what the model said cannot be read"))
                .ok(),
            Err(error) => {
                tracing::warn!(%error, model = %self.model, "the model could not be asked");
                None
            }
        }
    }
}
