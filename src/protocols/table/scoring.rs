//! Scoring: every module spreads ten points over the solutions. One whose points no model gave abstains; points are never
//! made up for it.

use crate::{
    prompt::{reply::CHANCES, table::Table},
    protocols::points::{self, POINTS, Scorer, Told, degraded},
    render,
    steps::{Steps, Stop},
};
use forms::Asked;

use domain::{ExpertPoints, ModuleOutput, Research, Solution, StepKey, Synthesis};

/// Has every module score the solutions, with the memo and all that it said itself before it, and shows the points.
pub(super) async fn score(
    steps: &Steps,
    table: Table<'_>,
    (outputs, memo, research): (&[ModuleOutput], &Synthesis, Option<&Research>),
    solutions: &[Solution],
) -> Result<Vec<ExpertPoints>, Stop> {
    let brief = table.brief;
    let seats = &brief.panel.seats;
    let scorers = seats.iter().zip(&brief.seats).map(|(seat, model)| Scorer {
        id: seat.module.to_string(),
        step: brief.panel.step_of(&seat.module),
        name: seat.module.title().to_owned(),
        model: &model.model,
        fallbacks: &model.fallbacks,
        prompt: Box::new(move |order, how| {
            let own = (how == Told::All).then_some(outputs);
            table.scoring((&seat.module, own), (memo, research), (solutions, order))
        }),
    });
    let asked = Asked::default().when(CHANCES, true);
    let given = points::spread(steps, solutions, scorers.collect(), &asked).await?;

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
            weight: brief.counts(seat),
            influence: brief.influence(&seat.module),
            allocation: score.allocation,
            basis: score.basis,
            chances: score.chances,
        });
    }
    let key = StepKey::from(POINTS);
    let card = render::points::points_card(steps.session(), &key, solutions, &experts, &abstained);
    steps.post(key.clone(), card).await?;
    steps.note_degraded(key, notes).await?;
    Ok(experts)
}
