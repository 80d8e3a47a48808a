//! The question and the table of a roundtable as people change them before it begins: another wording, an expert more or
//! fewer, another model.

use std::collections::BTreeMap;

use super::{EXPERTS, ExpertId, MAX_RESTATED, ModelName, Proposal, Role, RoleError, problem::is_blank};

impl Proposal {
    /// The models that experts may be given.
    #[must_use]
    pub fn choice(&self) -> Vec<&ModelName> {
        let seated = self.roles.iter().map(|role| &role.model);
        let mut models: Vec<&ModelName> = self.models.iter().chain(seated).collect();
        let mut seen = Vec::new();
        models.retain(|model| {
            !seen.contains(model) && {
                seen.push(*model);
                true
            }
        });
        models
    }

    /// Who sits at the table, an expert a line: its number, its name, its model.
    #[must_use]
    pub fn seating(&self) -> String {
        let line = |role: &Role| format!("{} {} {}", role.id.0, role.name, role.model);
        self.roles.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The proposal with question and table as somebody wrote them, in boxes named `restated`, `table` and `added`. Whose
    /// line is gone leaves; who is added takes the first free number and a model that has the fewest experts. A box that
    /// is not there leaves everything as it is.
    pub fn reseated(&self, written: &BTreeMap<String, String>) -> Result<Self, RoleError> {
        let text = |of: &str| written.get(of).map(|text| text.trim());
        let restated = match text("restated") {
            None => self.restated.clone(),
            Some(text) if is_blank(text) => return Err(RoleError::NoQuestion),
            Some(text) => match text.chars().count() {
                long if long > MAX_RESTATED => return Err(RoleError::LongQuestion(long)),
                _ => text.to_owned(),
            },
        };
        let mut roles = match text("table") {
            None => self.roles.clone(),
            Some(table) => {
                let lines = table.lines().map(str::trim).filter(|line| !line.is_empty());
                let mut kept: Vec<Role> = Vec::new();
                for line in lines {
                    let role = self.seated(line)?;
                    kept.retain(|other| other.id != role.id);
                    kept.push(role);
                }
                kept
            }
        };
        if let Some(added) = text("added").filter(|text| !is_blank(text)) {
            let free = (1..=u8::MAX).find(|id| !roles.iter().any(|role| role.id.0 == *id)).unwrap_or(u8::MAX);
            let (name, mission) = added.split_once('\n').ok_or(RoleError::OneLine(free))?;
            let busy = |model: &&ModelName| roles.iter().filter(|role| role.model == **model).count();
            let model = self.choice().into_iter().min_by_key(busy).cloned().ok_or(RoleError::Seats(0))?;
            roles.push(Role::read(ExpertId(free), name, mission, model)?);
        }
        roles.sort_by_key(|role| role.id);
        if !EXPERTS.contains(&roles.len()) {
            return Err(RoleError::Seats(roles.len()));
        }
        Ok(Self { restated, roles, ..self.clone() })
    }

    /// The expert of a line, with the model at its end.
    fn seated(&self, line: &str) -> Result<Role, RoleError> {
        let wrong = || RoleError::Line(line.chars().take(80).collect());
        let digits: String = line.chars().take_while(char::is_ascii_digit).collect();
        let id: u8 = digits.parse().map_err(|_| wrong())?;
        let role = self.roles.iter().find(|role| role.id.0 == id).ok_or_else(wrong)?;
        let named = line.split_whitespace().next_back().filter(|last| *last != digits);
        let choice = self.choice();
        let Some(named) = named.filter(|named| named.contains('/')) else { return Err(wrong()) };
        let model = choice.iter().find(|model| model.to_string().eq_ignore_ascii_case(named));
        let model = model.ok_or_else(|| {
            let all: Vec<String> = choice.iter().map(ToString::to_string).collect();
            RoleError::UnknownModel(named.chars().take(80).collect(), all.join(", "))
        })?;
        Ok(Role { model: (*model).clone(), ..role.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposal(experts: u8) -> Proposal {
        let models: Vec<ModelName> = ["openai/alpha", "openai/beta"].map(|name| name.parse().unwrap()).into();
        let mut roles: Vec<Role> = Vec::new();
        for id in 1..=experts {
            roles.push(Role::stock(ExpertId(id), models[0].clone(), &roles));
        }
        Proposal {
            restated: "Which?".into(),
            open: vec![],
            dimensions: vec![],
            roles,
            models,
            answered_by: None,
        }
    }

    fn edit(experts: u8, boxes: &[(&str, &str)]) -> Result<Proposal, RoleError> {
        let written = boxes.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect();
        proposal(experts).reseated(&written)
    }

    #[test]
    fn question_experts_and_models_can_be_changed() {
        let edited = edit(
            3,
            &[
                ("restated", " Sundays or not? "),
                ("table", "3 Advocate OpenAI/Beta\n\n1 Pragmatic operator openai/alpha"),
                ("added", "Baker\nAsks who gets up at three."),
            ],
        )
        .unwrap();
        assert_eq!(edited.restated, "Sundays or not?");
        assert_eq!(
            edited.seating(),
            "1 Pragmatic operator openai/alpha\n2 Baker openai/alpha\n3 Advocate of those affected openai/beta"
        );
        let same = proposal(4);
        let boxes = [("restated", same.restated.as_str()), ("table", &same.seating()), ("added", " ")];
        assert_eq!(edit(4, &boxes).unwrap(), same, "the form as it opens changes nothing");
        assert_eq!(edit(2, &[]).unwrap(), proposal(2));
    }

    #[test]
    fn what_cannot_be_taken_says_what_is_valid() {
        let long = "q".repeat(2_001);
        for (experts, boxes, error) in [
            (2, ("restated", "\u{200b}"), RoleError::NoQuestion),
            (2, ("restated", long.as_str()), RoleError::LongQuestion(2_001)),
            (2, ("table", "1 a openai/alpha"), RoleError::Seats(1)),
            (2, ("table", ""), RoleError::Seats(0)),
            (5, ("added", "Baker\nBakes."), RoleError::Seats(6)),
            (2, ("added", "Baker"), RoleError::OneLine(3)),
            (2, ("table", "9 openai/alpha"), RoleError::Line("9 openai/alpha".into())),
            (2, ("table", "Baker openai/alpha"), RoleError::Line("Baker openai/alpha".into())),
            (2, ("table", "1"), RoleError::Line("1".into())),
            (
                2,
                ("table", "1 openai/gamma"),
                RoleError::UnknownModel("openai/gamma".into(), "openai/alpha, openai/beta".into()),
            ),
        ] {
            assert_eq!(edit(experts, &[boxes]).unwrap_err(), error, "{boxes:?}");
        }
    }
}
