//! What a critique will take: planned against the session's budget before anything is called, shown, and above a limit
//! confirmed by somebody.

use crate::{
    protocols::estimate,
    steps::{RatesAt, Steps, Stop},
};
use domain::{
    CallPlan, Caps, CritiqueBrief, Degraded, Estimate, ModelName, Planned, Rates, Reading, TreeDepth,
    estimate as worked_out, plan_calls, sections, takes_reading,
};

/// Into how many parts what a model reads at once may be taken.
const PARTS: [usize; 5] = [1, 2, 3, 4, 6];
/// Sections are not made smaller than this for the sake of a budget, in characters.
const SMALLEST: usize = 4_000;
/// Rates before anything was asked of a model: nothing but tokens counts.
const UNKNOWN: Rates = Rates { price: None, parallel: 1, call_ms: None, room: 0 };

/// What is read, by the plan that holds to the end, and the brief with the effort that was confirmed.
pub(super) async fn planned(steps: &Steps, brief: &CritiqueBrief) -> Result<(Reading, CritiqueBrief), Stop> {
    let told = Some(&brief.document);
    let estimate = estimate::settled(steps, told, async || {
        let rates = steps.rates_up_to(&models(brief), brief.effort).await?;
        let estimate = work_out(brief, steps.caps(), &rates)?;
        Ok(Planned { asks: estimate.needs_go(steps.caps()), estimate })
    })
    .await?;
    let effort = estimate.effort.unwrap_or(brief.effort);
    let reading = estimate.reading.ok_or_else(|| Stop::Drift("plan".into()))?;
    steps.note_degraded("plan", less(&reading.plan)).await?;
    Ok((reading, CritiqueBrief { effort, ..brief.clone() }))
}

/// What of the plan is less than was asked for.
fn less(plan: &CallPlan) -> impl Iterator<Item = Degraded> {
    let (levels, wanted) = (plan.depth.levels(), plan.wanted.levels());
    let depth = (levels < wanted).then_some(Degraded::Depth { levels, wanted });
    let unread = (!plan.unread.is_empty()).then(|| Degraded::Unread(plan.unread.clone()));
    depth.into_iter().chain(unread)
}

/// What was asked for, and behind it the same with less effort, and then with less depth. `rates` are those of the
/// session's models at an effort. Fails where its calls suffice for nothing.
pub fn work_out(brief: &CritiqueBrief, caps: &Caps, rates: &RatesAt) -> Result<Estimate, Stop> {
    let briefs = smaller(brief).into_iter();
    let estimates: Vec<Estimate> =
        briefs.filter_map(|smaller| most(&smaller, caps, *rates.get(&smaller.effort)?)).collect();
    Estimate::chain(estimates.into_iter()).ok_or_else(|| {
        Stop::Fail(format!(
            "The {} calls that a session may make here do not suffice to read even one section of this document. Whoever manages the server can allow more with `/settings budget`; then start anew.",
            caps.calls
        ))
    })
}

/// The brief, and what can be asked for instead of it, each less than the one before.
fn smaller(brief: &CritiqueBrief) -> Vec<CritiqueBrief> {
    let with = |effort| CritiqueBrief { effort, ..brief.clone() };
    let mut briefs: Vec<CritiqueBrief> = brief.effort.and_below().map(with).collect();
    let least = briefs.last().cloned();
    let levels = (1..brief.depth.levels()).rev().filter_map(TreeDepth::new);
    briefs.extend(
        levels
            .zip(std::iter::repeat(least))
            .filter_map(|(depth, least)| Some(CritiqueBrief { depth, ..least? })),
    );
    briefs
}

/// As much as was asked for, as far as the session's calls, tokens and money suffice. Where its tokens or money do not
/// even suffice for the least there is, that is what is asked about: it may take half of what was measured.
fn most(brief: &CritiqueBrief, caps: &Caps, rates: Rates) -> Option<Estimate> {
    let sections = sections(&brief.document, brief.at_once);
    let within = |calls| {
        let plan = plan_calls(&sections, brief.members.len(), (brief.depth, brief.effort), calls)?;
        let reading = Reading { plan, sections: sections.clone() };
        let estimate = worked_out(takes_reading(brief, &reading), rates);
        Some(Estimate { reading: Some(reading), effort: Some(brief.effort), ..estimate })
    };
    let whole = within(caps.calls)?;
    if whole.fits(caps) {
        return Some(whole);
    }
    // Fewer calls take fewer tokens: the most calls are looked for whose plan fits.
    let (mut fewer, mut more) = (0, caps.calls.min(i64::from(whole.calls).saturating_mul(2)));
    let (mut fitting, mut least) = (None, whole);
    while more - fewer > 1 {
        let calls = fewer + (more - fewer) / 2;
        match within(calls) {
            Some(plan) if !plan.fits(caps) => (more, least) = (calls, plan),
            plan => (fewer, fitting) = (calls, plan),
        }
    }
    Some(fitting.unwrap_or(least))
}

/// How many characters of the document a model of this session best reads at once, for the brief at its start: as many
/// as the brief says, unless smaller sections let more of the text be read, or deeper. Six readers of one long text take
/// more tokens than a session has; the same text in parts takes fewer, for what comes after the trees is then asked
/// beside a map and not beside all of it.
#[must_use]
pub fn at_once(brief: &CritiqueBrief, caps: &Caps) -> usize {
    let chars = brief.document.text.chars().count();
    let whole = brief.at_once.min(chars.max(1));
    let mut best: Option<((bool, usize, u8, u8), usize)> = None;
    for part in PARTS {
        let at_once = if part == 1 { brief.at_once } else { whole.div_ceil(part) };
        if part > 1 && at_once < SMALLEST {
            break;
        }
        let tried = CritiqueBrief { at_once, ..brief.clone() };
        let Some(estimate) = most(&tried, caps, UNKNOWN) else { continue };
        let Some(Reading { plan, sections }) = &estimate.reading else { continue };
        let read = sections.iter().filter(|section| plan.read.contains(&section.id));
        let read = read.map(|section| section.span.len()).sum();
        let much = (estimate.fits(caps), read, plan.depth.levels(), plan.branches);
        if best.is_none_or(|(most, _)| much > most) {
            best = Some((much, at_once));
        }
        // Nothing was left out, so nothing could be gained.
        if estimate.fits(caps) && plan.unread.is_empty() && plan.depth == plan.wanted {
            break;
        }
    }
    best.map_or(brief.at_once, |(_, at_once)| at_once)
}

/// Every model that has a seat, each once.
fn models(brief: &CritiqueBrief) -> Vec<ModelName> {
    let mut models: Vec<ModelName> = Vec::new();
    for seat in brief.members.iter().chain([&brief.reviewer, &brief.checker]) {
        if !models.contains(&seat.model) {
            models.push(seat.model.clone());
        }
    }
    models
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use domain::{Budgets, TreeDepth};

    /// A text of about so many characters, in chapters of paragraphs.
    fn brief(chars: usize, depth: u8) -> CritiqueBrief {
        let paragraph =
            format!("{}\n\n", "A sentence of the plan that holds nothing of weight. ".repeat(12).trim_end());
        let chapter = |number: usize| format!("# Chapter {number}\n\n{}", paragraph.repeat(6));
        let text: String = (1..=chars.div_ceil(chapter(1).len())).map(chapter).collect();
        CritiqueBrief {
            document: sample::document(&text),
            depth: TreeDepth::new(depth).unwrap(),
            at_once: 60_000,
            ..sample::critique::session().brief
        }
    }

    fn of(estimate: &Estimate) -> &Reading {
        estimate.reading.as_ref().unwrap()
    }

    fn planned(brief: &CritiqueBrief, caps: &Caps) -> Estimate {
        let at_once = at_once(brief, caps);
        most(&CritiqueBrief { at_once, ..brief.clone() }, caps, UNKNOWN).unwrap()
    }

    #[test]
    fn a_text_is_read_whole_where_the_budget_allows_it() {
        let caps = Caps { tokens: Caps::NO_LIMIT, ..Budgets::default().session };
        for chars in [500, 20_000, 55_000] {
            let brief = brief(chars, 2);
            assert_eq!(at_once(&brief, &caps), 60_000, "{chars}");
            assert_eq!(of(&planned(&brief, &caps)).sections.len(), 1);
        }
    }

    #[test]
    fn a_long_text_is_read_in_parts_where_all_at_once_takes_more_tokens_than_there_are() {
        let long = brief(50_000, 1);
        let whole =
            most(&long, &Caps { tokens: Caps::NO_LIMIT, ..Budgets::default().session }, UNKNOWN).unwrap();
        // A little less than what a plan of it all has to leave room for.
        let tokens = i64::try_from(whole.tokens + whole.tokens / 3 - 1_000).unwrap();
        let caps = Caps { tokens, ..Budgets::default().session };
        assert!(!whole.fits(&caps), "six readers of all of it take {} tokens", whole.tokens);
        let parts = planned(&long, &caps);
        assert!(parts.fits(&caps), "in parts they take {}", parts.tokens);
        assert!(of(&parts).sections.len() > 1 && of(&parts).plan.unread.is_empty(), "{:?}", of(&parts).plan);
    }

    #[test]
    fn whatever_the_budget_a_plan_fits_it_or_is_the_least_there_is() {
        for (chars, depth, tokens) in
            [(3_000, 3, 100_000), (30_000, 2, 200_000), (200_000, 3, 400_000), (9_000, 1, 10_000)]
        {
            let caps = Caps { tokens, ..Budgets::default().session };
            let brief = brief(chars, depth);
            let estimate = planned(&brief, &caps);
            let least = of(&estimate).plan.depth.levels() == 1 && of(&estimate).plan.read.len() == 1;
            assert!(estimate.fits(&caps) || least, "{chars} {depth} {tokens}: {:?}", of(&estimate).plan);
            assert!(estimate.fits(&caps) || estimate.needs_go(&caps), "somebody is asked");
        }
    }
}
