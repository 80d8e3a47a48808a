//! Who should look at a problem, as a model put it, held to the registry and to what the team left out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ParseError,
    words::{Cleaner, is_said, needed},
};
use domain::{
    AdHocModule, Choosable, Gaps, MAX_MADE_PROMPT, MAX_MADE_SIDE, MODULES, MOST_MADE, Module, ModuleName,
    Picked, Picks, Unfit, shortened,
};

/// Longest reasoning that is kept, in characters.
const MAX_REASONING: usize = 900;
/// Longest reason for one module that is kept, in characters.
const MAX_WHY: usize = 280;
/// Longest line on a gap that stays, in characters.
const MAX_OPEN: usize = 160;
/// Most such lines.
const MOST_OPEN: usize = 4;
/// Longest name that is repeated to people which is none.
const MAX_NAMED: usize = 60;

/// A module as the model chooses it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PickReply {
    /// Its name.
    pub module: String,
    /// What its side could change.
    #[schemars(length(max = 240))]
    pub why: String,
}

/// Which modules should look at a problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectReply {
    /// What kind of problem it is.
    #[schemars(length(max = 700))]
    pub reasoning: String,
    /// Who is chosen, the weightiest first.
    pub modules: Vec<PickReply>,
}

/// A module as the model makes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecialistReply {
    /// What it is called.
    #[schemars(length(max = 30))]
    pub name: String,
    /// What it looks at.
    #[schemars(length(max = 120))]
    pub looks_at: String,
    /// What its side could change.
    #[schemars(length(max = 240))]
    pub why: String,
    /// Who is nearest to it.
    pub nearest: String,
    /// How it works.
    #[schemars(length(max = 2000))]
    pub instructions: String,
}

/// What the chosen modules leave unseen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GapsReply {
    /// What is missing, or why nothing is.
    #[schemars(length(max = 700))]
    pub reasoning: String,
    /// Modules for what is missing.
    pub specialists: Vec<SpecialistReply>,
    /// What stays unseen.
    #[schemars(length(max = 3), inner(length(max = 140)))]
    pub open: Vec<String>,
}

impl SelectReply {
    /// The modules, each once. What may not be chosen, is not there or is too much is an error, or, `mending` it, left out
    /// and said; too few are always an error.
    pub fn into_picks(self, who: &Choosable, answered_by: &str, mending: bool) -> Result<Picks, ParseError> {
        let Choosable { allowed, left_out, seated, picks } = who;
        let mut clean = Cleaner::default();
        let reasoning = shortened(&clean.text(&self.reasoning), MAX_REASONING);
        needed("reasoning", &reasoning)?;
        let (mut picked, mut unfit): (Vec<Picked>, Vec<Unfit>) = (Vec::new(), Vec::new());
        for PickReply { module, why } in self.modules {
            let named = shortened(&clean.line(&module), MAX_NAMED);
            let like = |name: &&ModuleName| name.is_like(&ModuleName(named.clone()));
            if seated.iter().any(|name| like(&name)) {
                // It sits there anyway.
                continue;
            }
            if let Some(out) = left_out.iter().find(like) {
                unfit.push(Unfit::LeftOut(out.clone()));
            } else if let Some(module) = allowed.iter().find(like) {
                if picked.iter().any(|one| one.module == *module) {
                    continue;
                }
                let why = shortened(&clean.line(&why), MAX_WHY);
                if picked.len() < *picks.end() {
                    picked.push(Picked { module: module.clone(), why });
                } else {
                    unfit.push(Unfit::BeyondMost(module.title().to_owned()));
                }
            } else {
                unfit.push(Unfit::Unknown(named));
            }
        }
        unfit.dedup();
        let enough = picks.contains(&picked.len());
        if !enough || !(unfit.is_empty() || mending) {
            let names: Vec<&str> = allowed.iter().map(|name| name.0.as_str()).collect();
            return Err(ParseError::Shape(format!(
                "`modules` needs {} to {} different ones of these, by these names: {}",
                picks.start(),
                picks.end(),
                names.join(", ")
            )));
        }
        Ok(Picks { reasoning, picked, unfit, answered_by: answered_by.to_owned() })
    }
}

impl GapsReply {
    /// The gaps, and the modules made for them beside those that sit. One that cannot sit, or whose instructions are too
    /// long, is an error, or, `mending` it, left out or cut, and said.
    pub fn into_gaps(self, seated: &[ModuleName], mending: bool) -> Result<Gaps, ParseError> {
        let mut clean = Cleaner::default();
        let reasoning = shortened(&clean.text(&self.reasoning), MAX_REASONING);
        needed("reasoning", &reasoning)?;
        let (mut made, mut unfit): (Vec<AdHocModule>, Vec<Unfit>) = (Vec::new(), Vec::new());
        for reply in self.specialists {
            match specialist(&mut clean, &reply, seated, &made) {
                Err(fault) => unfit.push(fault),
                Ok((module, cut)) if made.len() < MOST_MADE => {
                    unfit.extend(cut.then(|| Unfit::Cut(module.name.clone())));
                    made.push(module);
                }
                Ok((module, _)) => unfit.push(Unfit::BeyondMost(module.name.0)),
            }
        }
        if !(unfit.is_empty() || mending) {
            return Err(ParseError::Shape(format!(
                "`specialists` takes at most {MOST_MADE}; each with a `name` of one to three words, letters only, that no \
                 specialist of the lists has, with something in `looks_at`, and with `instructions` of at most 250 words"
            )));
        }
        let open = clean.lines(&self.open).into_iter().filter(|line| is_said(&[line]));
        let open = open.take(MOST_OPEN).map(|line| shortened(&line, MAX_OPEN)).collect();
        Ok(Gaps { reasoning, made, open, unfit })
    }
}

/// A module made of what a model wrote, and whether its instructions had to be cut.
fn specialist(
    clean: &mut Cleaner,
    reply: &SpecialistReply,
    seated: &[ModuleName],
    made: &[AdHocModule],
) -> Result<(AdHocModule, bool), Unfit> {
    let named = shortened(&clean.line(&reply.name), MAX_NAMED);
    let Some(name) = ModuleName::made(&named) else { return Err(Unfit::Name(named)) };
    let mut others = MODULES.iter().map(Module::name).chain(made.iter().map(|module| module.name.clone()));
    if others.any(|other| other.is_like(&name)) {
        return Err(Unfit::Taken(named));
    }
    let looks_at = shortened(&clean.line(&reply.looks_at), MAX_MADE_SIDE);
    let told = clean.text(&reply.instructions);
    if !is_said(&[&looks_at]) || !is_said(&[&told]) {
        return Err(Unfit::Bare(named));
    }
    let system_prompt = shortened(&told, MAX_MADE_PROMPT);
    let near = ModuleName(clean.line(&reply.nearest));
    let nearest = seated.iter().find(|module| module.is_like(&near)).cloned();
    let why = shortened(&clean.line(&reply.why), MAX_WHY);
    let cut = system_prompt.chars().count() < told.chars().count();
    Ok((AdHocModule { name, looks_at, why, system_prompt, nearest }, cut))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{parse, sample::mediate::selecting};

    fn select(modules: &[&str], mending: bool) -> Result<Picks, ParseError> {
        let modules: Vec<Value> =
            modules.iter().map(|name| json!({ "module": name, "why": "It decides. [1]" })).collect();
        let reply = json!({ "reasoning": "A matter of law.", "modules": modules }).to_string();
        parse::<SelectReply>(&reply).unwrap().into_picks(&selecting("cost=0").choosable(), "m", mending)
    }

    fn names(picks: &Picks) -> Vec<&str> {
        picks.picked.iter().map(|one| one.module.0.as_str()).collect()
    }

    #[test]
    fn three_to_seven_different_modules_that_the_team_has_not_left_out() {
        let picks = select(&["legal", "Ethics", "market", "Market"], false).unwrap();
        assert_eq!(
            (names(&picks), &*picks.picked[0].why),
            (vec!["legal", "ethics", "market"], "It decides.")
        );
        let twelve = MODULES.map(|module| module.name);
        for (modules, unfit, mended) in [
            (&["legal", "ethics"][..], None, 0),
            (&[], None, 0),
            (&["cost", "legal", "risk"], None, 0),
            (&["legal", "wizardry", "ethics", "risk"], Some(Unfit::Unknown("wizardry".into())), 3),
            (&["legal", "cost", "ethics", "risk"], Some(Unfit::LeftOut(ModuleName("cost".into()))), 3),
            (&twelve, Some(Unfit::BeyondMost("Environmental".into())), 7),
        ] {
            let told = select(modules, false).unwrap_err().to_string();
            assert!(told.contains("3 to 7 different") && !told.contains("market, cost"), "{told}");
            let after = select(modules, true);
            assert_eq!(after.as_ref().map_or(0, |picks| picks.picked.len()), mended, "{modules:?}");
            if let Some(unfit) = unfit {
                assert!(after.unwrap().unfit.contains(&unfit), "{unfit:?}");
            }
        }
    }

    fn one(name: &str, instructions: &str) -> Value {
        json!({ "name": name, "looks_at": "how bees fare", "why": "They pollinate.", "nearest": "social", "instructions": instructions })
    }

    fn check(specialists: &[Value], mending: bool) -> Result<Gaps, ParseError> {
        let seated = ["market", "social", "ethics"].map(|name| ModuleName(name.into()));
        let reply = json!({ "reasoning": "Nobody sees the bees.", "specialists": specialists, "open": ["Weather; ask the farmers", " ", "…"] });
        parse::<GapsReply>(&reply.to_string()).unwrap().into_gaps(&seated, mending)
    }

    #[test]
    fn a_module_that_is_made_has_a_name_of_its_own_and_instructions_within_bounds() {
        let gaps =
            check(&[one("Bees", "Look at the hives [2]."), one("رفاهية الحيوان", "x y")], false).unwrap();
        assert_eq!(gaps.made[0].system_prompt, "Look at the hives.");
        assert_eq!(gaps.made[0].nearest, Some(ModuleName("social".into())));
        assert_eq!((gaps.made.len(), &gaps.open[..]), (2, &["Weather; ask the farmers".to_owned()][..]));
        let words = (0..4_000).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
        for (specialists, unfit, stay) in [
            (vec![one("market", "x y")], Unfit::Taken("market".into()), 0),
            (vec![one("Bees", "x y"), one("BEES", "x y")], Unfit::Taken("BEES".into()), 1),
            (vec![one("@everyone", "x y")], Unfit::Name("@everyone".into()), 0),
            (vec![one("**Bees**", "x y")], Unfit::Name("**Bees**".into()), 0),
            (vec![one("Bees", " ")], Unfit::Bare("Bees".into()), 0),
            (vec![one("Bees", &words)], Unfit::Cut(ModuleName("Bees".into())), 1),
            (
                ["A one", "A two", "A three", "A four"].map(|name| one(name, "x y")).to_vec(),
                Unfit::BeyondMost("A four".into()),
                3,
            ),
        ] {
            assert!(matches!(check(&specialists, false), Err(ParseError::Shape(_))), "{unfit:?}");
            let gaps = check(&specialists, true).unwrap();
            assert_eq!((gaps.unfit, gaps.made.len()), (vec![unfit], stay));
            assert!(gaps.made.iter().all(|module| module.system_prompt.chars().count() <= MAX_MADE_PROMPT));
        }
    }

    #[test]
    fn whoever_is_nearest_has_to_sit() {
        let mut far = one("Bees", "x y");
        far["nearest"] = json!("tech");
        assert_eq!(check(&[far], false).unwrap().made[0].nearest, None);
    }
}
