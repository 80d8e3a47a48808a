//! Roles: read from what people write, held to their bounds, and five that stand ready when nobody proposes any.

use std::collections::BTreeMap;

use super::{
    Editing, ExpertId, MAX_ROLE_MISSION, MAX_ROLE_NAME, ModelName, Problem, Proposal, Role, RoleError, Terms,
    one_line,
    problem::{is_blank, is_invisible},
};

/// Roles that fit any problem, name and mission, for when the gatekeeper proposes none.
pub const STOCK_ROLES: [(&str, &str); 5] = [
    (
        "Pragmatic operator",
        "Look at what it takes to get this done: people, time, money and the order of steps. Favour what can be tried soon and undone cheaply.",
    ),
    (
        "Critical sceptic",
        "Look for what would make this fail: assumptions nobody has tested, costs nobody has counted, and the case for doing nothing.",
    ),
    (
        "Advocate of those affected",
        "Speak for the people who live with the outcome: what they gain, what they lose, and who was not asked.",
    ),
    (
        "Long-term strategist",
        "Look at where this leads in three years: which doors it opens, which it closes, and what it commits the team to.",
    ),
    (
        "Careful accountant",
        "Look at what it costs to begin, to run and to end, what comes back, and how far the numbers carry.",
    ),
];

impl Role {
    /// A role with a name and a mission as somebody wrote them, trimmed; the name on one line.
    pub fn read(id: ExpertId, name: &str, mission: &str, model: ModelName) -> Result<Self, RoleError> {
        let seen: String = name.chars().filter(|c| !c.is_control() || c.is_whitespace()).collect();
        let name = one_line(&seen);
        let mission = mission.trim();
        match (name.chars().count(), mission.chars().count()) {
            _ if is_blank(&name) => Err(RoleError::NoName(id.0)),
            (long, _) if long > MAX_ROLE_NAME => Err(RoleError::LongName(id.0, long)),
            _ if is_blank(mission) => Err(RoleError::NoMission(id.0)),
            (_, long) if long > MAX_ROLE_MISSION => Err(RoleError::LongMission(id.0, long)),
            _ => Ok(Self { id, name, mission: mission.to_owned(), model }),
        }
    }

    /// A stock role in a seat, one whose name is not among the `taken`.
    #[must_use]
    pub fn stock(id: ExpertId, model: ModelName, taken: &[Self]) -> Self {
        let free = |(name, _): &&(&str, &str)| !taken.iter().any(|role| same_name(&role.name, name));
        let (name, mission) = STOCK_ROLES.iter().find(free).unwrap_or(&STOCK_ROLES[0]);
        Self { id, name: (*name).to_owned(), mission: (*mission).to_owned(), model }
    }

    /// Whether it is one of the stock roles, word for word.
    #[must_use]
    pub fn is_stock(&self) -> bool {
        STOCK_ROLES.contains(&(self.name.as_str(), self.mission.as_str()))
    }

    /// Whether two names would be taken for one.
    #[must_use]
    pub fn has_name_of(&self, other: &Self) -> bool {
        same_name(&self.name, &other.name)
    }
}

/// Two names that nobody could tell apart: case, spaces and what nobody sees left aside.
fn same_name(a: &str, b: &str) -> bool {
    let plain = |name: &str| -> String {
        name.chars()
            .filter(|&c| !c.is_whitespace() && !is_invisible(c))
            .flat_map(char::to_lowercase)
            .collect()
    };
    plain(a) == plain(b)
}

impl Proposal {
    /// What is said around its confirmation.
    pub const TERMS: Terms = Terms {
        button: "Go",
        under: "the proposed roles",
        phase: (1, "The proposed roles wait for a Go"),
        decide: "change or confirm these roles",
        absent: "This session has no proposed roles.",
        begins: "Go. The experts begin with these roles.",
        confirmed: "Confirmed",
        fixed: "has pressed Go already, so the roles are fixed. You can still add context for the next step.",
        edit: Some(Editing {
            button: "Edit roles",
            what: "the roles",
            saved: "Saved. The card in the thread shows the roles as they are now; press Go when they are right.",
            late: "Somebody has edited the roles after you, so theirs stand. The card in the thread shows them.",
            kept: "The roles are as they were.",
        }),
    };

    /// Whether so many experts are edited with a box for each rather than two: a form has five boxes.
    #[must_use]
    pub fn one_box_each(&self) -> bool {
        self.roles.len() > 2
    }

    /// The problem as it is, and a stock role for each of these models.
    #[must_use]
    pub fn stock(problem: &Problem, models: Vec<ModelName>) -> Self {
        let mut roles: Vec<Role> = Vec::new();
        for (model, id) in models.into_iter().zip(1..) {
            roles.push(Role::stock(ExpertId(id), model, &roles));
        }
        Self {
            restated: problem.as_str().to_owned(),
            open: Vec::new(),
            dimensions: Vec::new(),
            roles,
            models: Vec::new(),
            answered_by: None,
        }
    }

    /// The proposal with the roles as somebody wrote them. Boxes are named `name-1` and `mission-1`, or `role-1` where
    /// an expert has one box, whose first line is the name. A box that is not there leaves its text as it is; question and
    /// table have boxes of their own ([`Self::reseated`]).
    pub fn edited(&self, written: &BTreeMap<String, String>) -> Result<Self, RoleError> {
        let seated = self.reseated(written)?;
        let mut roles: Vec<Role> = Vec::new();
        for role in &seated.roles {
            let id = role.id.0;
            let text = |what: &str| written.get(&format!("{what}-{id}")).map(String::as_str);
            let (name, mission) = match text("role").map(str::trim) {
                Some(whole) if is_blank(whole) => ("", ""),
                Some(whole) => whole.split_once('\n').ok_or(RoleError::OneLine(id))?,
                None => (text("name").unwrap_or(&role.name), text("mission").unwrap_or(&role.mission)),
            };
            roles.push(Role::read(role.id, name, mission, role.model.clone())?);
        }
        for (at, role) in roles.iter().enumerate() {
            if let Some(earlier) = roles[..at].iter().find(|earlier| earlier.has_name_of(role)) {
                return Err(RoleError::Twice(earlier.id.0, role.id.0));
            }
        }
        Ok(Self { roles, ..seated })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::roundtable::proposal;

    fn edit(experts: u8, boxes: &[(&str, &str)]) -> Result<Vec<(String, String)>, RoleError> {
        let written = boxes.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect();
        let edited = proposal(experts).edited(&written)?;
        assert_eq!(edited.roles.len(), usize::from(experts));
        assert!(edited.roles.iter().zip(1..).all(|(role, id)| role.id == ExpertId(id)));
        Ok(edited.roles.into_iter().map(|role| (role.name, role.mission)).collect())
    }

    #[test]
    fn stock_roles_differ_and_fill_every_seat() {
        for experts in 2..=5 {
            let roles = proposal(experts).roles;
            assert!(roles.iter().all(Role::is_stock));
            assert!(
                roles.iter().enumerate().all(|(at, role)| !roles[..at].iter().any(|r| r.has_name_of(role)))
            );
            assert!(roles.iter().all(|role| role.mission.chars().count() <= MAX_ROLE_MISSION));
        }
    }

    #[test]
    fn edited_roles_are_read_and_what_is_left_out_stays() {
        let roles = edit(2, &[("name-1", "  Town\nclerk "), ("mission-1", "Count votes.\nTwice.")]).unwrap();
        assert_eq!(roles[0], ("Town clerk".into(), "Count votes.\nTwice.".into()));
        assert_eq!(roles[1].0, "Critical sceptic");
        let roles =
            edit(3, &[("role-2", "\nTown clerk\n\nCount votes.\nTwice."), ("role-9", "x\ny")]).unwrap();
        assert_eq!(roles[1], ("Town clerk".into(), "Count votes.\nTwice.".into()));
        assert_eq!(roles[2].0, STOCK_ROLES[2].0);
    }

    #[test]
    fn texts_that_are_no_roles_say_what_is_valid() {
        let (long, longer) = ("n".repeat(81), "m".repeat(3_000));
        let long_role = format!("{long}\nWhat it looks at.");
        for (experts, boxes, error) in [
            (2, vec![("name-2", "  ")], RoleError::NoName(2)),
            (2, vec![("name-1", "\u{200b}\u{2800}")], RoleError::NoName(1)),
            (2, vec![("mission-1", "\n")], RoleError::NoMission(1)),
            (2, vec![("name-1", long.as_str())], RoleError::LongName(1, 81)),
            (2, vec![("mission-2", longer.as_str())], RoleError::LongMission(2, 3_000)),
            (3, vec![("role-3", "")], RoleError::NoName(3)),
            (3, vec![("role-3", "Only a name")], RoleError::OneLine(3)),
            (3, vec![("role-3", "\nOnly a mission, for the name was deleted.")], RoleError::OneLine(3)),
            (3, vec![("role-1", longer.as_str())], RoleError::OneLine(1)),
            (3, vec![("role-1", long_role.as_str())], RoleError::LongName(1, 81)),
            (2, vec![("name-1", "critical  SCEPTIC")], RoleError::Twice(1, 2)),
            (2, vec![("name-2", "Pragmatic\u{200b} operator")], RoleError::Twice(1, 2)),
        ] {
            let told = edit(experts, &boxes).unwrap_err();
            assert_eq!(told, error, "{boxes:?}");
            assert!(told.to_string().contains("xpert") && told.to_string().ends_with('.'), "{told}");
        }
        let fits = edit(2, &[("name-1", &"é".repeat(80)), ("mission-1", &"é".repeat(600))]);
        assert!(fits.is_ok(), "bounds count characters");
    }
}
