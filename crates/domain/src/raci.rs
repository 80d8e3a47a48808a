//! RACI: who answers for which side of a problem, so that of two modules that cannot both be right one's position carries.
//! The registry lays it down before anybody speaks: nobody who has read the positions chooses whose holds.

use serde::{Deserialize, Serialize};

use super::{Module, ModuleName, Panel};

/// One side of the problem, and every module of the panel that spoke in its part in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RaciRow {
    /// The module whose side it is, whether it spoke or not.
    pub area: ModuleName,
    /// The one that answers for it: its position carries. The area's own module, or who took over from it.
    pub accountable: ModuleName,
    /// Who works on it too: the nearest relative.
    pub responsible: Vec<ModuleName>,
    /// Who is asked: the other relatives.
    pub consulted: Vec<ModuleName>,
    /// Who is told: the rest.
    pub informed: Vec<ModuleName>,
}

impl RaciRow {
    /// A row for each seat of a panel of which these modules spoke; none where none did.
    #[must_use]
    pub fn rows(panel: &Panel, spoke: &[ModuleName]) -> Vec<Self> {
        let seated = panel.seats.iter().map(|seat| &seat.module);
        let lost: Vec<ModuleName> = seated.clone().filter(|name| !spoke.contains(name)).cloned().collect();
        let row = |area: &ModuleName| {
            let accountable =
                if lost.contains(area) { panel.heir(area, &lost)?.module.clone() } else { area.clone() };
            let others = seated.clone().filter(|name| !lost.contains(name) && **name != accountable);
            let (mut near, far): (Vec<ModuleName>, Vec<ModuleName>) =
                others.cloned().partition(|name| nearness(panel, area, name).is_some());
            near.sort_by_key(|name| nearness(panel, area, name));
            let consulted = near.split_off(near.len().min(1));
            Some(Self { area: area.clone(), accountable, responsible: near, consulted, informed: far })
        };
        seated.clone().filter_map(row).collect()
    }

    /// The row of an area; `None` where it is nobody's.
    #[must_use]
    pub fn of<'a>(rows: &'a [Self], area: &ModuleName) -> Option<&'a Self> {
        rows.iter().find(|row| row.area == *area)
    }
}

/// How near a module is to an area, the nearest 0; `None` where nothing is known between them.
fn nearness(panel: &Panel, area: &ModuleName, other: &ModuleName) -> Option<usize> {
    let place =
        |of: &ModuleName, name: &ModuleName| panel.related(of).iter().position(|related| *related == name.0);
    // Whom the area names stands before who names the area.
    place(area, other).or_else(|| place(other, area).map(|place| place + Module::MOST_RELATED))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::{prelude::*, sample::subsequence};

    use super::*;
    use crate::MODULES;

    fn names(names: &[&str]) -> Vec<ModuleName> {
        names.iter().map(|name| ModuleName((*name).to_owned())).collect()
    }

    #[test]
    fn a_row_follows_the_registry_and_a_lost_modules_area_goes_to_its_heir() {
        let all = names(&["market", "cost", "risk", "legal"]);
        let panel = Panel::seat(&all, &BTreeMap::new()).unwrap();
        let rows = RaciRow::rows(&panel, &all);
        let row = |accountable: &str, others: [&[&str]; 3]| RaciRow {
            area: ModuleName("cost".to_owned()),
            accountable: ModuleName(accountable.to_owned()),
            responsible: names(others[0]),
            consulted: names(others[1]),
            informed: names(others[2]),
        };
        let cost = ModuleName("cost".to_owned());
        assert_eq!(RaciRow::of(&rows, &cost), Some(&row("cost", [&["market"], &["risk"], &["legal"]])));
        let without = RaciRow::rows(&panel, &names(&["market", "risk", "legal"]));
        assert_eq!(RaciRow::of(&without, &cost), Some(&row("market", [&["risk"], &[], &["legal"]])));
        assert_eq!(RaciRow::rows(&panel, &[]), []);
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn each_side_has_one_who_answers_for_it_and_everybody_who_spoke_one_part(
            seated in subsequence(MODULES.to_vec(), 1..=10),
            silent in any::<u16>(),
        ) {
            let seated: Vec<ModuleName> = seated.iter().map(Module::name).collect();
            let panel = Panel::seat(&seated, &BTreeMap::new()).unwrap();
            let spoke: Vec<ModuleName> =
                (0..).zip(&seated).filter(|(at, _)| silent >> at & 1 == 0).map(|(_, name)| name.clone()).collect();
            let rows = RaciRow::rows(&panel, &spoke);
            prop_assert_eq!(rows.len(), if spoke.is_empty() { 0 } else { seated.len() });
            for row in rows {
                prop_assert!(!spoke.contains(&row.area) || row.accountable == row.area);
                let mut parts = vec![row.accountable];
                parts.extend([row.responsible, row.consulted, row.informed].concat());
                parts.sort();
                let mut all = spoke.clone();
                all.sort();
                prop_assert_eq!(parts, all);
            }
        }
    }
}
