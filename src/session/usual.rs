//! A protocol as its command has it where nobody chooses anything: what the server is set to, and else the usual.

use std::collections::BTreeMap;

use super::Wanted;
use crate::domain::{
    Checking, Choosing, GuildSettings, LoopLimits, MediateExtras, Mode, Panel, PanelError, Preset, Protocol,
    Searching, TreeDepth,
};

/// Experts of a roundtable where nobody says how many.
const EXPERTS: usize = 2;

impl Wanted {
    /// The protocol with nothing chosen.
    ///
    /// # Errors
    /// Where nobody of the server's own choice sits at the table of `/mediate`.
    pub fn usual(protocol: Protocol, settings: &GuildSettings) -> Result<Self, PanelError> {
        let searching = if settings.search { Searching::On } else { Searching::Off };
        Ok(match protocol {
            Protocol::Mediate => {
                let nobody = BTreeMap::new();
                let (panel, choosing) = match (settings.auto_select, settings.modules.is_empty()) {
                    (true, _) => (Panel::in_case(&settings.modules, &nobody)?, Choosing::AtStart),
                    (false, true) => (Panel::seat(&settings.modules, &nobody)?, Choosing::IfWished),
                    (false, false) => (Panel::seat(&settings.modules, &nobody)?, Choosing::Never),
                };
                Self::mediate(
                    panel,
                    MediateExtras { searching, ..MediateExtras::default() },
                    (choosing, nobody),
                )
            }
            Protocol::Roundtable => Self::roundtable(EXPERTS),
            Protocol::Debate => Self::debate(Preset::default(), searching),
            Protocol::Critique => Self::critique(TreeDepth::USUAL),
            Protocol::Investigate => {
                let how = (Mode::default(), Checking::default());
                Self::investigate(None, how, LoopLimits::default(), searching)
            }
        })
    }
}
