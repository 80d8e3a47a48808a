//! `eval --neutrality FILE`: how often the check of a debate's moderator is wrong about passages of which it is known
//! whether they take a side. As in a debate, code looks for phrases, and a cheap model judges, where one is configured.

use std::path::Path;

use domain::{
    Advocates, DebateBrief, Effort, ModelName, Preset, Problem, Searching, Seat, Section, neutrality,
};
use quorum::{app::terminal, config::Config, prompt};

use super::{
    ask::asker,
    bench::progress,
    passage::{NeutralityCase, Tally, told},
    question::read,
};

/// Runs it; gives whether no check was wrong about any.
pub(super) async fn neutrality(config: Config, file: &Path) -> anyhow::Result<bool> {
    let cases = read(file, NeutralityCase::all).await?;
    let judge = asker(&config).await;
    let (mut code, mut model, mut both) = (Tally::default(), Tally::default(), Tally::default());
    let bar = progress(cases.len());
    for case in &cases {
        bar.set_message(case.id.clone());
        let brief = brief(&case.proposition)?;
        let proposition = brief.typed();
        let phrases = !neutrality::of_text(&case.text, &proposition).is_empty();
        code.add(&case.id, case.takes_a_side, Some(phrases));
        if let Ok((models, asker)) = &judge {
            let passages = vec![(Section::Summary, case.text.clone())];
            let prompt = prompt::debate::neutrality(&asker.prompts, &brief, &proposition, &passages);
            let read = |reply: &_| prompt::debate::read_neutrality(reply, &passages);
            let (said, _) = asker.ask(&models.cheap, prompt, read).await;
            let found = said.map(|taken| !taken.is_empty()).ok();
            model.add(&case.id, case.takes_a_side, found);
            both.add(&case.id, case.takes_a_side, if phrases { Some(true) } else { found });
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    terminal::say(format_args!("{} passages of {}.\n", cases.len(), file.display()));
    let mut tallies = vec![("phrases".to_owned(), code)];
    match judge {
        Ok((models, _)) => {
            tallies.push((format!("judge {}", models.cheap.shown()), model));
            tallies.push(("either of them".to_owned(), both));
        }
        Err(_) => terminal::note("No model is configured, so only the phrases were looked for."),
    }
    terminal::say(told(&tallies));
    Ok(tallies.iter().all(|(_, tally)| tally.is_clean()))
}

/// What the check is given of a debate: its proposition. No seat of it is asked anything.
fn brief(proposition: &str) -> anyhow::Result<DebateBrief> {
    let nobody = || -> anyhow::Result<Seat> {
        let model: ModelName = "local/nobody".parse()?;
        Ok(Seat { model, fallbacks: Vec::new() })
    };
    Ok(DebateBrief {
        problem: Problem::new(proposition)?,
        preset: Preset::Quick,
        document: None,
        advocates: Advocates { pro: nobody()?, con: nobody()? },
        gatekeeper: nobody()?,
        moderator: nobody()?,
        checker: nobody()?,
        language: None,
        effort: Effort::Standard,
        today: String::new(),
        searching: Searching::default(),
    })
}
