//! Reports: the cards of a session as they stand, with what is behind them, for the thread and for the command line.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Actor, Sessions, typed::told};
use crate::{
    error::UserError,
    protocols, render,
    report::{Audience, Facts, Report, Shown},
    steps::{Journal, confirmation, drawn, thread_posts},
    store::{SessionRow, Store, StoreError},
};
use domain::{Action, Does, Estimate, File, Post, SessionState, StepKey, WaitKind};

/// Most reports of one session in its thread.
const MOST_REPORTS: i64 = 20;

/// Most bytes of a report's files together: Discord takes 10 MiB with a message.
const MOST_BYTES: usize = 9 << 20;

impl Sessions {
    /// Puts a report on a session that has ended into its thread; gives what to say.
    pub async fn export(
        &self,
        row: &SessionRow,
        actor: &Actor,
        audience: Audience,
    ) -> anyhow::Result<String> {
        if !row.state.is_final() {
            return UserError::of(
                "This session has not ended yet, so there is nothing to report on. Export it when it has; until then each card's buttons show the whole text.",
            );
        }
        let Some(thread) = row.thread else {
            return UserError::of(
                "This session has no thread to put a report into: it ended before one was opened.",
            );
        };
        let files = report(self.store(), row, audience).await?.files();
        if files.iter().map(|file| file.body.len()).sum::<usize>() > MOST_BYTES {
            return UserError::of(
                "The report is larger than Discord takes. Whoever runs me can write it with `quorum export`.",
            );
        }
        let said = format!("The report is in <#{thread}>.");
        let event = actor.event("export", &row.id, &said);
        let key = StepKey::new(format!("export/{}/{}", audience.as_str(), actor.interaction));
        let card = render::notices::report(audience.as_str(), audience.meaning(), &actor.name, files);
        let posts = thread_posts(&row.id, &key, None, vec![card]);
        match self.store().post_report(&row.id, event, posts, MOST_REPORTS, self.now_ms()).await {
            Ok(()) => {
                self.0.outbox.kick(&row.id);
                Ok(said)
            }
            Err(StoreError::Duplicate(said)) => Ok(said),
            Err(other) => Err(told(other)),
        }
    }
}

/// The files of a report on a session, for the command line; refused while the session goes on.
pub async fn report_files(store: &Store, row: &SessionRow, audience: Audience) -> anyhow::Result<Vec<File>> {
    if !row.state.is_final() {
        return UserError::of(format!(
            "session {} has not ended yet ({}); export it when it has",
            row.id,
            row.state.as_str()
        ));
    }
    Ok(report(store, row, audience).await?.files())
}

/// The report on a session, whether or not it has ended.
pub(super) async fn report(store: &Store, row: &SessionRow, audience: Audience) -> anyhow::Result<Report> {
    let journal = Journal::new(store.clone(), row.id.clone());
    let mut cards = Vec::new();
    for post in store.thread_posts(&row.id).await? {
        // What is kept true shows what is so now; what has nothing to show any more keeps its last words.
        let now =
            if post.panel { drawn(store, protocols::panel, row, post.key.as_str()).await? } else { None };
        let shown = now.unwrap_or(post.post);
        let (mut texts, mut said) = (Vec::new(), BTreeMap::new());
        for step in behind(&shown) {
            let full = protocols::full_text(&journal, row.protocol, &step).await?;
            texts.extend(full.map(|full| (full.title.clone(), full.with_sources())));
            let each: Vec<(StepKey, Value)> = match journal.stands(&step).await? {
                Some(stands) => vec![(step, stands)],
                // What several said together, such as their points, stands below it.
                None => journal.all_stored(&format!("{step}/")).await?,
            };
            said.extend(each.into_iter().map(|(key, value)| (key.to_string(), value)));
        }
        cards.push(Shown { key: post.key, post: shown, whole: together(texts), said });
    }
    Ok(Report::new(&facts(store, row).await?, &cards, audience))
}

/// The steps whose whole texts a card's buttons and lists show.
fn behind(post: &Post) -> Vec<StepKey> {
    let step = |action| if let Action::Does(Does::Whole(step)) = action { Some(step) } else { None };
    post.actions().into_iter().filter_map(step).chain(render::chosen::wholes(post)).collect()
}

/// The whole texts behind a card, with their title: of one its own, of several all their own above each.
fn together(mut texts: Vec<(String, String)>) -> Option<(String, String)> {
    if texts.len() < 2 {
        return texts.pop();
    }
    let each = texts.iter().map(|(title, text)| format!("**{title}**\n\n{text}"));
    Some(("All of it".to_owned(), each.collect::<Vec<_>>().join("\n\n")))
}

async fn facts(store: &Store, row: &SessionRow) -> anyhow::Result<Facts> {
    let plan = store.plan(&row.id).await?;
    let confirmed: Option<Estimate> = confirmation(store, &row.id, WaitKind::Estimate).await?;
    let stated = store.stated_question(&row.id).await?;
    Ok(Facts {
        session: row.id.clone(),
        protocol: row.protocol,
        title: row.title.clone(),
        question: stated.and_then(|stated| stated.text),
        problem: plan.brief.problem().as_str().to_owned(),
        state: row.state,
        started: row.started_ms / 1000,
        ended: row.ended_ms.map(|ms| ms / 1000),
        notice: row.notice.clone().filter(|_| row.state != SessionState::Done),
        starter: row.starter_name.clone(),
        models: store.models_used(&row.id).await?.into_iter().map(|(model, _)| model).collect(),
        effort: confirmed.and_then(|estimate| estimate.effort).unwrap_or_else(|| plan.brief.effort()),
        ledger: store.ledger(&row.id).await?,
        degraded: render::degraded::sentences(&store.degraded(&row.id).await?),
        prompts: row.prompt_version.clone(),
        dossier: Some(protocols::dossier(&Journal::new(store.clone(), row.id.clone())).await?),
    })
}
