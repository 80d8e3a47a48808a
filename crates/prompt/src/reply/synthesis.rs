//! The mediator's reply.

use super::{
    ParseError, module,
    words::{Cleaner, MAX_ITEMS, active, is_said, needed},
};
use domain::{Conflict, ModuleName, Panel, RaciRow, SourceList, Synthesis, citations, one_line};

/// What a synthesis is held to.
#[derive(Clone, Copy, Debug)]
pub struct SynthesisBounds<'a> {
    /// Who sits there, and who was left out.
    pub panel: &'a Panel,
    /// Who answers for what; empty where nobody asked for it.
    pub raci: &'a [RaciRow],
    /// Whether somebody's view is thin, spoken for by another or missing.
    pub gaps: bool,
    /// What there is to cite.
    pub sources: &'a SourceList,
}

/// As it is kept, held to the panel: modules that did not speak are dropped from conflicts and
/// recommendations, a conflict left with fewer than two goes, the worst stands first, and where modules
/// were left out, or their views are thin, what is therefore not known must be there. By the matrix, which is
/// empty where there is none, a conflict is about a side that somebody answers for.
pub fn checked_synthesis(
    mut said: Synthesis,
    bounds: &SynthesisBounds<'_>,
    answered_by: &str,
) -> Result<Synthesis, ParseError> {
    let SynthesisBounds { panel, raci, gaps, sources } = *bounds;
    let seated: Vec<ModuleName> = panel.seats.iter().map(|seat| seat.module.clone()).collect();
    let mut clean = Cleaner::offering(sources.sources().len());
    each_text(&mut said, |text| *text = module::named(text, &[]));
    clean.texts([&mut said.synthesis]);
    needed("synthesis", &said.synthesis)?;
    clean.one_line([&mut said.summary]);
    if said.summary.is_empty() {
        said.summary = module::begins(&said.synthesis);
    }
    clean.items(&mut said.recommendations, usize::MAX, |clean, recommendation| {
        clean.texts([&mut recommendation.description]);
        clean.one_line([&mut recommendation.title]);
        recommendation.title = unmarked(&recommendation.title);
        if recommendation.title.is_empty() {
            recommendation.title = module::begins(&recommendation.description);
        }
        recommendation.raised_by = active(&recommendation.raised_by, &seated);
        is_said(&[&recommendation.title])
    });
    said.recommendations.truncate(MAX_ITEMS);
    if said.recommendations.is_empty() {
        return Err(ParseError::Empty("recommendations"));
    }
    let mut needed_where = |field, text: Option<String>, wanted: bool| {
        let said = text.map(|text| clean.text(&text)).filter(|text| module::is_a_change(text));
        if wanted && said.is_none() { Err(ParseError::Empty(field)) } else { Ok(said.filter(|_| wanted)) }
    };
    let left_out = !panel.deactivated.is_empty();
    said.deactivated_disclaimer =
        needed_where("deactivated_disclaimer", said.deactivated_disclaimer.take(), left_out)?;
    said.gaps = needed_where("gaps", said.gaps.take(), gaps)?;
    // The flags name them by the places they were written in.
    let mut conflicts: Vec<(usize, Conflict)> = (1..).zip(std::mem::take(&mut said.conflicts)).collect();
    clean.items(&mut conflicts, usize::MAX, |clean, (_, conflict)| {
        conflict.modules = active(&conflict.modules, &seated);
        clean.one_line([&mut conflict.topic]);
        conflict.topic = unmarked(&conflict.topic);
        clean.texts([&mut conflict.description]);
        let areas: Vec<ModuleName> = raci.iter().map(|row| row.area.clone()).collect();
        conflict.area = conflict.area.take().and_then(|area| active(&[area], &areas).pop());
        let carries = conflict.carries.take().map(|text| clean.text(&text));
        conflict.carries = carries.filter(|text| conflict.area.is_some() && module::is_a_change(text));
        conflict.modules.len() >= 2 && !(conflict.topic.is_empty() && conflict.description.is_empty())
    });
    conflicts.sort_by_key(|(_, conflict)| conflict.severity);
    conflicts.truncate(MAX_ITEMS);
    let (written, conflicts): (Vec<usize>, Vec<Conflict>) = conflicts.into_iter().unzip();
    said.conflicts = conflicts;
    for flag in &mut said.flags {
        flag.raised_by = active(&flag.raised_by, &seated);
        let place = |number| written.iter().position(|written| *written == number);
        flag.conflict = flag.conflict.and_then(place).map(|place| place + 1);
    }
    said.flags = module::flags(said.flags, &mut clean);
    answered_by.clone_into(&mut said.answered_by);
    said.dropped_citations = clean.dropped;
    said.sources = sources.cited_by(&said);
    Ok(said)
}

/// A heading, which stands where no list of sources is, without marks.
fn unmarked(heading: &str) -> String {
    one_line(&citations::renumbered(heading, |_| None))
}

/// Each text that people read.
fn each_text(said: &mut Synthesis, change: impl Fn(&mut String)) {
    [&mut said.synthesis, &mut said.summary].into_iter().for_each(&change);
    said.conflicts.iter_mut().flat_map(|part| [&mut part.topic, &mut part.description]).for_each(&change);
    said.gaps.iter_mut().for_each(&change);
    said.conflicts.iter_mut().filter_map(|part| part.carries.as_mut()).for_each(&change);
    said.flags.iter_mut().map(|flag| &mut flag.text).for_each(&change);
    let recommendations = said.recommendations.iter_mut();
    recommendations.flat_map(|part| [&mut part.title, &mut part.description]).for_each(&change);
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use serde_json::{Value, json};

    use super::*;
    use crate::{parse, sample};
    use domain::{FlagColor, Severity};

    fn reply() -> Value {
        json!({
            "conflicts": [
                { "modules": ["Market", "legal"], "topic": "Gone", "description": "legal did not speak", "severity": "critical" },
                { "modules": ["market", "COST", "cost"], "topic": "Fee [1]", "description": "3 or 4.50", "severity": "medium" },
                { "modules": ["risk", "cost"], "topic": "Couriers", "description": "own or not", "severity": "High" },
            ],
            "flags": [
                { "color": "green", "text": "Go" },
                { "color": "yellow", "text": "Care" },
                { "color": "red", "text": "Stop", "raised_by": ["RISK", "legal", "risk"] },
                { "color": "red", "text": " " },
            ],
            "synthesis": "Start **small** [2].",
            "recommendations": [
                { "title": "Start small", "description": "One district.", "raised_by": ["market", "legal", "nobody"] },
                { "title": " ", "description": "Ask first. Then decide.", "raised_by": [] },
                { "title": "", "description": "", "raised_by": [] },
            ],
            "summary": "Small.",
        })
    }

    static NONE: LazyLock<SourceList> = LazyLock::new(SourceList::default);

    fn bounds<'a>(panel: &'a Panel, raci: &'a [RaciRow]) -> SynthesisBounds<'a> {
        SynthesisBounds { panel, raci, gaps: false, sources: &NONE }
    }

    fn read(reply: &Value, weights: &str) -> Result<Synthesis, ParseError> {
        let said = parse::<Synthesis>(&reply.to_string())?;
        checked_synthesis(said, &bounds(&sample::mediate::panel(weights), &[]), "m")
    }

    #[test]
    fn conflicts_flags_and_recommendations_are_held_to_the_panel() {
        let synthesis = read(&reply(), "").unwrap();
        let conflicts: Vec<_> =
            synthesis.conflicts.iter().map(|c| (c.severity, c.topic.as_str(), c.modules.len())).collect();
        assert_eq!(conflicts, [(Severity::High, "Couriers", 2), (Severity::Medium, "Fee", 2)]);
        let colors: Vec<_> = synthesis.flags.iter().map(|flag| flag.color).collect();
        assert_eq!(colors, [FlagColor::Red, FlagColor::Yellow, FlagColor::Green]);
        assert_eq!(synthesis.flags[0].raised_by, [sample::mediate::name("risk")]);
        let titles: Vec<_> = synthesis.recommendations.iter().map(|r| r.title.as_str()).collect();
        assert_eq!(titles, ["Start small", "Ask first."]);
        assert_eq!(synthesis.recommendations[0].raised_by, [sample::mediate::name("market")]);
        assert_eq!((synthesis.synthesis.as_str(), synthesis.dropped_citations), ("Start **small**.", 2));
    }

    #[test]
    fn whose_position_carries_is_held_to_who_answers_for_what() {
        let mut told = reply();
        let areas = [("market", "Gone."), ("Cost", "4.50 [1], as it said."), ("legal", "Nobody's side.")];
        for (conflict, (area, carries)) in told["conflicts"].as_array_mut().unwrap().iter_mut().zip(areas) {
            (conflict["area"], conflict["carries"]) = (json!(area), json!(carries));
        }
        let read = |told: &Value, raci: &[RaciRow]| {
            let synthesis = parse::<Synthesis>(&told.to_string()).unwrap();
            let synthesis =
                checked_synthesis(synthesis, &bounds(&sample::mediate::panel(""), raci), "m").unwrap();
            let said = synthesis.conflicts.into_iter();
            said.map(|one| (one.area.map(|area| area.0), one.carries)).collect::<Vec<_>>()
        };
        let cost = |carries: Option<&str>| (Some("cost".to_owned()), carries.map(str::to_owned));
        assert_eq!(read(&told, &sample::mediate::raci()), [(None, None), cost(Some("4.50, as it said."))]);
        assert_eq!(read(&told, &[]), [(None, None), (None, None)], "nobody asked for it");
        told["conflicts"][1]["carries"] = json!("Nothing.");
        assert_eq!(read(&told, &sample::mediate::raci())[1], cost(None));
    }

    #[test]
    fn the_disclaimer_is_there_exactly_when_modules_were_left_out() {
        assert_eq!(read(&reply(), "legal=0"), Err(ParseError::Empty("deactivated_disclaimer")));
        let mut with = reply();
        for nothing in ["", "None", "n/a"] {
            with["deactivated_disclaimer"] = json!(nothing);
            assert_eq!(read(&with, "legal=0"), Err(ParseError::Empty("deactivated_disclaimer")), "{nothing}");
        }
        with["deactivated_disclaimer"] = json!("Law was not looked at.");
        let read_with = |weights| read(&with, weights).unwrap().deactivated_disclaimer;
        assert_eq!(read_with("legal=0").as_deref(), Some("Law was not looked at."));
        assert_eq!(read_with(""), None, "nothing was left out, so there is nothing to disclaim");
    }

    #[test]
    fn thin_views_are_spoken_of_exactly_where_there_are_any() {
        let panel = sample::mediate::panel("");
        let read = |gaps: &Value, are: bool| {
            let mut reply = reply();
            reply["gaps"] = gaps.clone();
            let synthesis = parse::<Synthesis>(&reply.to_string()).unwrap();
            checked_synthesis(
                synthesis,
                &SynthesisBounds { panel: &panel, raci: &[], gaps: are, sources: &NONE },
                "m",
            )
            .map(|told| told.gaps)
        };
        for nothing in [json!(null), json!(" "), json!("None.")] {
            assert_eq!(read(&nothing, true), Err(ParseError::Empty("gaps")));
            assert_eq!(read(&nothing, false), Ok(None));
        }
        let said = json!("Risk is missing.");
        assert_eq!(read(&said, true).unwrap().as_deref(), said.as_str());
        assert_eq!(read(&said, false), Ok(None), "nothing is missing");
    }

    #[test]
    fn a_synthesis_without_text_or_options_is_none() {
        for (field, empty) in [("synthesis", json!(" ")), ("recommendations", json!([]))] {
            let mut broken = reply();
            broken[field] = empty;
            assert!(matches!(read(&broken, ""), Err(ParseError::Empty(name)) if name == field));
        }
        let mut broken = reply();
        broken["conflicts"][0]["severity"] = json!("catastrophic");
        assert!(matches!(read(&broken, ""), Err(ParseError::Shape(why)) if why.contains("catastrophic")));
    }
}
