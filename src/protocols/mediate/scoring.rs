//! Scoring: every module spreads ten points over the solutions. One whose points no model gave abstains; points are never
//! made up for it.

use crate::{
    domain::{ExpertPoints, MediateBrief, ModuleOutput, Solution, StepKey},
    prompt,
    protocols::points::{self, POINTS, Scorer, degraded},
    render,
    steps::{Steps, Stop},
};

/// Has every module score the solutions and shows the points. `outputs`: who has spoken before.
pub(super) async fn score(
    steps: &Steps,
    brief: &MediateBrief,
    outputs: &[ModuleOutput],
    solutions: &[Solution],
) -> Result<Vec<ExpertPoints>, Stop> {
    let seats = &brief.panel.seats;
    let scorers = seats.iter().zip(&brief.seats).map(|(seat, model)| Scorer {
        id: seat.module.to_string(),
        name: seat.module.title().to_owned(),
        model: &model.model,
        prompt: Box::new(|order| {
            prompt::mediate::scoring(steps.prompts(), brief, &seat.module, solutions, order)
        }),
    });
    let given = points::spread(steps, solutions, scorers.collect()).await?;

    let (mut experts, mut abstained, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for (seat, score) in seats.iter().zip(given) {
        let title = seat.module.title();
        let Some(score) = score else {
            abstained.push(title.to_owned());
            // Who never spoke is named missing already.
            let spoke = outputs.iter().any(|output| output.module == seat.module);
            notes.extend(degraded(title, None).filter(|_| spoke));
            continue;
        };
        notes.extend(degraded(title, Some(score.basis)));
        experts.push(ExpertPoints {
            title: seat.module.expert(),
            weight: seat.weight.get(),
            allocation: score.allocation,
            basis: score.basis,
        });
    }
    let key = StepKey::from(POINTS);
    let card = render::points::points_card(steps.session(), &key, solutions, &experts, &abstained);
    steps.post(key.clone(), card).await?;
    steps.note_degraded(key, notes).await?;
    Ok(experts)
}
