//! The gatekeeper's reply.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    words::{Cleaner, needed},
};
use domain::{ExpertId, MAX_ROLE_MISSION, MAX_ROLE_NAME, ModelName, Proposal, Role, shortened};

/// Longest restatement that is kept, in characters.
const MAX_RESTATED: usize = 1_200;
/// Most open points that are kept, and the longest of them, in characters.
const MAX_OPEN: usize = 3;
const MAX_OPEN_POINT: usize = 200;
/// Most dimensions that are kept.
const MAX_DIMENSIONS: usize = 6;
/// Longest dimension that is kept, in characters.
const MAX_DIMENSION: usize = 120;

/// An expert as the gatekeeper proposes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleReply {
    /// What the expert is, in two to four words.
    #[schemars(length(max = 60))]
    pub role_name: String,
    /// What it looks at, for whom, and what it must not overlook.
    #[schemars(length(max = 150))]
    pub role_mission: String,
}

/// What the gatekeeper writes: the question first, then who should look at it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GatekeeperReply {
    /// What has to be decided, without ambiguity.
    #[schemars(length(max = 400))]
    pub restated_problem: String,
    /// Questions that only the team can answer and whose answers could turn the choice.
    #[schemars(length(max = 3), inner(length(max = 80)))]
    pub open_points: Vec<String>,
    /// What the decision hangs on, a few words each.
    #[schemars(length(min = 2, max = 4), inner(length(max = 45)))]
    pub key_dimensions: Vec<String>,
    /// Who should look at it.
    pub roles: Vec<RoleReply>,
}

impl GatekeeperReply {
    /// The proposal, with an expert for each of the `models`. Roles without a name or a mission, or with another's
    /// name, are no roles: where that leaves too few, it is an error, or, `filling` them, stock roles take the places.
    pub fn into_proposal(
        self,
        models: &[ModelName],
        answered_by: &str,
        filling: bool,
    ) -> Result<Proposal, ParseError> {
        let mut clean = Cleaner::default();
        let restated = shortened(&clean.text(&self.restated_problem), MAX_RESTATED);
        needed("restated_problem", &restated)?;
        let dimensions = clean.lines(&self.key_dimensions);
        let dimensions = dimensions.iter().take(MAX_DIMENSIONS).map(|line| shortened(line, MAX_DIMENSION));
        let open = clean.lines(&self.open_points);
        let open = open.iter().take(MAX_OPEN).map(|line| shortened(line, MAX_OPEN_POINT)).collect();
        let mut roles: Vec<Role> = Vec::new();
        for reply in self.roles {
            let Some((id, model)) = seat(models, roles.len()) else { break };
            let name = shortened(&clean.line(&reply.role_name), MAX_ROLE_NAME);
            let mission = shortened(&clean.text(&reply.role_mission), MAX_ROLE_MISSION);
            let Ok(role) = Role::read(id, &name, &mission, model) else { continue };
            if !roles.iter().any(|earlier| earlier.has_name_of(&role)) {
                roles.push(role);
            }
        }
        if roles.len() < models.len() && !filling {
            return Err(ParseError::Shape(format!(
                "`roles` needs {} experts, each with a name of its own and a mission; {} could be used",
                models.len(),
                roles.len()
            )));
        }
        while let Some((id, model)) = seat(models, roles.len()) {
            roles.push(Role::stock(id, model, &roles));
        }
        Ok(Proposal {
            restated,
            open,
            dimensions: dimensions.collect(),
            roles,
            models: Vec::new(),
            answered_by: Some(answered_by.to_owned()),
        })
    }
}

/// Who sits at a place, and by which model.
fn seat(models: &[ModelName], place: usize) -> Option<(ExpertId, ModelName)> {
    Some((ExpertId(u8::try_from(place + 1).ok()?), models.get(place)?.clone()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{parse, sample::model};
    use domain::STOCK_ROLES;

    fn read(roles: &Value, experts: usize, filling: bool) -> Result<Proposal, ParseError> {
        let models = vec![model(); experts];
        let reply = json!({ "restated_problem": "Which one? [1]", "open_points": ["Who pays?", " "], "key_dimensions": ["cost", " ", "Cost", "time"], "roles": roles });
        parse::<GatekeeperReply>(&reply.to_string())?.into_proposal(&models, "m", filling)
    }

    fn role(name: &str, mission: &str) -> Value {
        json!({ "role_name": name, "role_mission": mission })
    }

    #[test]
    fn a_proposal_has_an_expert_for_each_seat_with_an_id_of_the_system() {
        let proposal =
            read(&json!([role("A\nclerk", "x"), role("B", "y"), role("C", "z")]), 2, false).unwrap();
        assert_eq!(
            (proposal.restated.as_str(), proposal.open, proposal.dimensions),
            ("Which one?", vec!["Who pays?".to_owned()], vec!["cost".into(), "time".into()])
        );
        let roles: Vec<_> = proposal.roles.iter().map(|role| (role.id.0, role.name.as_str())).collect();
        assert_eq!(roles, [(1, "A clerk"), (2, "B")]);
        assert_eq!(proposal.answered_by.as_deref(), Some("m"));
    }

    #[test]
    fn too_few_roles_are_told_and_then_filled_with_stock_ones() {
        for roles in [
            json!([]),
            json!([role("A", "x")]),
            json!([role("A", "x"), role(" a ", "y")]),
            json!([role("A", "x"), role("B", " ")]),
            json!([role("A", "x"), role("\u{200b}", "y")]),
        ] {
            assert!(
                matches!(read(&roles, 2, false), Err(ParseError::Shape(why)) if why.contains("2 experts"))
            );
            let filled = read(&roles, 2, true).unwrap().roles;
            assert_eq!(filled.len(), 2, "{roles}");
            assert!(filled[1].is_stock() && !filled[0].has_name_of(&filled[1]), "{filled:?}");
        }
        let taken = read(&json!([role(STOCK_ROLES[0].0, "x")]), 2, true).unwrap().roles;
        assert_eq!(taken[1].name, STOCK_ROLES[1].0, "a stock role whose name is taken is passed over");
    }

    #[test]
    fn texts_of_any_length_are_kept_within_bounds() {
        let numbers = |sep: &str| (100..1_000).map(|n| n.to_string()).collect::<Vec<_>>().join(sep);
        let role = role(&numbers("-"), &numbers(" "));
        let proposal = read(&json!([role]), 2, true).unwrap();
        assert_eq!(proposal.roles[0].name.chars().count(), MAX_ROLE_NAME);
        assert!(proposal.roles[0].mission.chars().count() <= MAX_ROLE_MISSION);
    }
}
