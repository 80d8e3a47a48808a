//! Forms: what is asked for on Discord in a window over the page, before it has Discord's wire form. The room `render`
//! makes them within Discord's limits, the room `discord` sends them.

use serde::{Deserialize, Serialize};

use super::{CustomId, SelectOption, UserId};

/// A form that opens over the page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Modal {
    /// What submitting it does.
    pub id: CustomId,
    /// At most 45 characters.
    pub title: String,
    /// 1 to 5.
    pub inputs: Vec<Input>,
}

/// What one part of a form asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// A text.
    Text(TextInput),
    /// Some of some options.
    Choice(ChoiceInput),
    /// A member of the server.
    Member(MemberInput),
}

/// A text box of a form.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TextInput {
    /// Names the value when the form comes back.
    pub id: String,
    /// At most 45 characters.
    pub label: String,
    /// At most 100 characters.
    pub placeholder: String,
    /// What it holds at first.
    pub value: String,
    /// Several lines.
    pub paragraph: bool,
    /// Must not be left empty.
    pub required: bool,
    /// Most characters, up to 4,000.
    pub max: u16,
}

/// A list in a form, of which some options are chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChoiceInput {
    /// Names the value when the form comes back.
    pub id: String,
    /// At most 45 characters.
    pub label: String,
    /// Below the label, at most 100 characters; may be empty.
    pub description: String,
    /// Shown while nothing is chosen, at most 150 characters.
    pub placeholder: String,
    /// 1 to 25, each with a value of its own.
    pub options: Vec<SelectOption>,
    /// The values of the options that are chosen at first.
    pub chosen: Vec<String>,
    /// Fewest and most that can be chosen.
    pub range: (u8, u8),
}

/// A list of the server's members in a form. One can be chosen, or nobody; whoever is on the server can be found there,
/// whether they see the channel or not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MemberInput {
    /// Names the value when the form comes back.
    pub id: String,
    /// At most 45 characters.
    pub label: String,
    /// Shown while nobody is chosen, at most 150 characters.
    pub placeholder: String,
    /// Who is chosen at first.
    pub chosen: Option<UserId>,
}

impl Input {
    /// Names the value when the form comes back.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Text(input) => &input.id,
            Self::Choice(input) => &input.id,
            Self::Member(input) => &input.id,
        }
    }

    /// What stands above it.
    #[must_use]
    pub fn label(&self) -> &str {
        match self {
            Self::Text(input) => &input.label,
            Self::Choice(input) => &input.label,
            Self::Member(input) => &input.label,
        }
    }

    /// Holds this from now on, as far as it can: a list only what is one of its options, by value or by label.
    fn hold(&mut self, given: &str) {
        match self {
            Self::Text(input) => input.value = given.chars().take(usize::from(input.max)).collect(),
            Self::Choice(input) => {
                let named = |given: &str| {
                    let is = |option: &&SelectOption| option.value == given || option.label == given;
                    input.options.iter().find(is).map(|option| option.value.clone())
                };
                let chosen: Vec<String> = match named(given) {
                    Some(one) => vec![one],
                    None => given.lines().filter_map(named).collect(),
                };
                if !chosen.is_empty() || input.range.0 == 0 {
                    input.chosen = chosen;
                }
            }
            Self::Member(input) => input.chosen = UserId::mentioned(given),
        }
    }
}

impl From<TextInput> for Input {
    fn from(input: TextInput) -> Self {
        Self::Text(input)
    }
}

impl From<ChoiceInput> for Input {
    fn from(input: ChoiceInput) -> Self {
        Self::Choice(input)
    }
}

impl From<MemberInput> for Input {
    fn from(input: MemberInput) -> Self {
        Self::Member(input)
    }
}

/// Something that was given for one part of a form, by the name of that part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenBack {
    /// What stands above the part, without what is in brackets there.
    pub name: String,
    /// What was given; `None` where it is known that something was, and not what.
    pub text: Option<String>,
}

impl Modal {
    /// Has the form hold what somebody gave before. What they left empty is empty again; where nothing of the form is
    /// named, it stays as it is.
    #[must_use]
    pub fn filled_again(mut self, given: &[GivenBack]) -> Self {
        let of =
            |input: &Input| given.iter().find(|given| part_name(&given.name) == part_name(input.label()));
        if self.inputs.iter().all(|input| of(input).is_none()) {
            return self;
        }
        for input in &mut self.inputs {
            match of(input) {
                Some(GivenBack { text: Some(text), .. }) => input.hold(text),
                Some(GivenBack { text: None, .. }) => {}
                None => input.hold(""),
            }
        }
        self
    }
}

/// What stands above a part of a form, without what is in brackets there: `Review on (optional)` is `Review on`.
fn part_name(label: &str) -> &str {
    label.split_once(" (").map_or(label, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Does, SessionId};

    fn form() -> Modal {
        let text = |id: &str, label: &str, value: &str| TextInput {
            id: id.to_owned(),
            label: label.to_owned(),
            placeholder: String::new(),
            value: value.to_owned(),
            paragraph: false,
            required: false,
            max: 5,
        };
        let option = |value: &str, label: &str| SelectOption {
            label: label.to_owned(),
            value: value.to_owned(),
            description: String::new(),
        };
        Modal {
            id: CustomId::new(&SessionId::from_bits(7), Does::DecideSent),
            title: "Record decision".to_owned(),
            inputs: vec![
                ChoiceInput {
                    id: "solution".to_owned(),
                    label: "What is chosen".to_owned(),
                    description: String::new(),
                    placeholder: String::new(),
                    options: vec![option("S1", "S1 · Start"), option("S2", "S2 · Wait")],
                    chosen: vec!["S1".to_owned()],
                    range: (1, 1),
                }
                .into(),
                ChoiceInput {
                    id: "also".to_owned(),
                    label: "What else (optional)".to_owned(),
                    description: String::new(),
                    placeholder: String::new(),
                    options: vec![option("a", "A"), option("b", "B"), option("c", "C")],
                    chosen: vec!["c".to_owned()],
                    range: (0, 3),
                }
                .into(),
                text("why", "Why", "as it was").into(),
                text("review", "Review on (optional)", "as it was").into(),
                MemberInput {
                    id: "member".to_owned(),
                    label: "Who sees to it (optional)".to_owned(),
                    placeholder: String::new(),
                    chosen: Some(UserId(3)),
                }
                .into(),
            ],
        }
    }

    /// What the form holds, part for part.
    fn holds(form: &Modal) -> Vec<String> {
        let held = form.inputs.iter().map(|input| match input {
            Input::Text(input) => input.value.clone(),
            Input::Choice(input) => input.chosen.join("+"),
            Input::Member(input) => input.chosen.map(UserId::mention).unwrap_or_default(),
        });
        held.collect()
    }

    fn given(all: &[(&str, Option<&str>)]) -> Vec<GivenBack> {
        let one = |(name, text): &(&str, Option<&str>)| GivenBack {
            name: (*name).to_owned(),
            text: text.map(str::to_owned),
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn a_form_opens_again_with_what_was_given() {
        let again = form().filled_again(&given(&[
            ("What is chosen", Some("S2 · Wait")),
            ("What else", Some("a\nB\nno such")),
            ("Why", Some("Because")),
            ("Who sees to it", Some("<@123456789012345678>")),
        ]));
        assert_eq!(
            holds(&again),
            ["S2", "a+b", "Becau", "", "<@123456789012345678>"],
            "what was left empty is empty"
        );
        let cut = form().filled_again(&given(&[("Why", None), ("What is chosen", Some("S9"))]));
        assert_eq!(
            holds(&cut),
            ["S1", "", "as it was", "", ""],
            "what is not known, or not in the list, changes nothing"
        );
        for other in [&[][..], &[("Your question", Some("x"))]] {
            assert_eq!(form().filled_again(&given(other)), form(), "of another form");
        }
    }
}
