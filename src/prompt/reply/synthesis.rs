//! The mediator's reply.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    FlagReply, ParseError, module,
    words::{Cleaner, MAX_ITEMS, active, severity},
};
use crate::domain::{Conflict, ModuleName, Panel, Recommendation, Severity, Synthesis};

/// A conflict as the mediator writes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConflictReply {
    /// The modules that cannot all be right, two at least.
    #[schemars(length(min = 2, max = 4))]
    pub modules: Vec<String>,
    /// About what, in a few words.
    #[schemars(length(max = 100))]
    pub topic: String,
    /// What each says and why both cannot hold.
    #[schemars(length(max = 260))]
    pub description: String,
    /// How bad it is to leave it undecided.
    #[serde(deserialize_with = "severity")]
    #[schemars(with = "Severity")]
    pub severity: Severity,
}

/// A recommendation as the mediator writes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecommendationReply {
    /// What to do, in at most ten words, starting with a verb.
    #[schemars(length(max = 100))]
    pub title: String,
    /// What, how and why.
    #[schemars(length(max = 320))]
    pub description: String,
    /// The modules whose findings it rests on.
    #[schemars(length(min = 1, max = 6))]
    pub raised_by: Vec<String>,
}

/// What the mediator writes: conflicts and flags before the synthesis that weighs them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SynthesisReply {
    /// Where modules cannot all be right.
    #[schemars(length(max = 4))]
    pub conflicts: Vec<ConflictReply>,
    /// What the team must not overlook, over all modules.
    #[schemars(length(max = 6))]
    pub flags: Vec<FlagReply>,
    /// The whole, in Markdown.
    #[schemars(length(max = 1700))]
    pub synthesis: String,
    /// Two to six different things the team could do, to choose between.
    #[schemars(length(min = 2, max = 6))]
    pub recommendations: Vec<RecommendationReply>,
    /// The answer in two or three sentences.
    #[schemars(length(max = 400))]
    pub summary: String,
    /// What was not looked at because its module was left out, and what that means for the answer.
    #[serde(default)]
    #[schemars(length(max = 400))]
    pub deactivated_disclaimer: Option<String>,
}

impl SynthesisReply {
    /// The synthesis, held to the panel: modules that did not speak are dropped from conflicts and
    /// recommendations, a conflict left with fewer than two goes, the worst stands first, and where modules
    /// were left out the disclaimer must be there.
    pub fn into_synthesis(self, panel: &Panel, answered_by: &str) -> Result<Synthesis, ParseError> {
        let seated: Vec<ModuleName> = panel.seats.iter().map(|seat| seat.module.clone()).collect();
        let mut clean = Cleaner::default();
        let synthesis = clean.text(&self.synthesis);
        if !synthesis.chars().any(char::is_alphanumeric) {
            return Err(ParseError::Empty("synthesis"));
        }
        let mut summary = clean.line(&self.summary);
        if summary.is_empty() {
            summary = module::first_sentence(&synthesis);
        }
        let recommendations = recommendations(self.recommendations, &seated, &mut clean);
        if recommendations.is_empty() {
            return Err(ParseError::Empty("recommendations"));
        }
        let disclaimer = self.deactivated_disclaimer.map(|text| clean.text(&text));
        let disclaimer = disclaimer.filter(|text| module::is_a_change(text));
        if disclaimer.is_none() && !panel.deactivated.is_empty() {
            return Err(ParseError::Empty("deactivated_disclaimer"));
        }
        Ok(Synthesis {
            summary,
            conflicts: conflicts(self.conflicts, &seated, &mut clean),
            flags: module::flags(self.flags, &mut clean),
            recommendations,
            deactivated_disclaimer: disclaimer.filter(|_| !panel.deactivated.is_empty()),
            answered_by: answered_by.to_owned(),
            synthesis,
            dropped_citations: clean.dropped,
        })
    }
}

fn conflicts(replies: Vec<ConflictReply>, seated: &[ModuleName], clean: &mut Cleaner) -> Vec<Conflict> {
    let mut conflicts: Vec<Conflict> = replies
        .into_iter()
        .map(|reply| Conflict {
            modules: active(&reply.modules, seated),
            topic: clean.line(&reply.topic),
            description: clean.text(&reply.description),
            severity: reply.severity,
        })
        .filter(|conflict| conflict.modules.len() >= 2)
        .filter(|conflict| !conflict.topic.is_empty() || !conflict.description.is_empty())
        .collect();
    conflicts.sort_by_key(|conflict| conflict.severity);
    conflicts.truncate(MAX_ITEMS);
    conflicts
}

fn recommendations(
    replies: Vec<RecommendationReply>,
    seated: &[ModuleName],
    clean: &mut Cleaner,
) -> Vec<Recommendation> {
    let mut recommendations: Vec<Recommendation> = Vec::new();
    for reply in replies {
        let description = clean.text(&reply.description);
        let mut title = clean.line(&reply.title);
        if title.is_empty() {
            title = module::first_sentence(&description);
        }
        if !title.chars().any(char::is_alphanumeric) {
            continue;
        }
        recommendations.push(Recommendation {
            title,
            description,
            raised_by: active(&reply.raised_by, seated),
        });
    }
    recommendations.truncate(MAX_ITEMS);
    recommendations
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        domain::FlagColor,
        prompt::{parse, sample},
    };

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
                { "color": "red", "text": "Stop" },
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

    fn read(reply: &Value, weights: &str) -> Result<Synthesis, ParseError> {
        parse::<SynthesisReply>(&reply.to_string())?.value.into_synthesis(&sample::panel(weights), "m")
    }

    #[test]
    fn conflicts_flags_and_recommendations_are_held_to_the_panel() {
        let synthesis = read(&reply(), "").unwrap();
        let conflicts: Vec<_> =
            synthesis.conflicts.iter().map(|c| (c.severity, c.topic.as_str(), c.modules.len())).collect();
        assert_eq!(conflicts, [(Severity::High, "Couriers", 2), (Severity::Medium, "Fee", 2)]);
        let colors: Vec<_> = synthesis.flags.iter().map(|flag| flag.color).collect();
        assert_eq!(colors, [FlagColor::Red, FlagColor::Yellow, FlagColor::Green]);
        let titles: Vec<_> = synthesis.recommendations.iter().map(|r| r.title.as_str()).collect();
        assert_eq!(titles, ["Start small", "Ask first."]);
        assert_eq!(synthesis.recommendations[0].raised_by, [sample::name("market")]);
        assert_eq!((synthesis.synthesis.as_str(), synthesis.dropped_citations), ("Start **small**.", 2));
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
