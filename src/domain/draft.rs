//! A ballot that somebody is still filling in. It lives in the buttons of their private panel.

use super::SolutionId;

/// Points spread so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draft {
    /// The solution that the buttons work on.
    pub selected: Option<SolutionId>,
    /// Points for each solution in their order.
    pub points: Vec<u32>,
}

impl Draft {
    /// As a button carries it: `<selected or 0>.<p1>.<p2>…`.
    #[must_use]
    pub fn arg(&self) -> String {
        let selected = self.selected.map_or(0, |id| id.0).to_string();
        let points = self.points.iter().map(ToString::to_string);
        std::iter::once(selected).chain(points).collect::<Vec<_>>().join(".")
    }
}
