//! What a mediation begins with: its modules, or that they are chosen, and what more is wanted of it.

use crate::{
    error::UserError,
    protocols::seating::{Wanted, searching, user},
};
use domain::{
    Brief, Choosing, GuildSettings, MOST_CHOSEN, ModuleName, OptionName, OptionWords, Panel, Selecting,
    TableBrief, TableExtras, Weight, Writer, parse_modules, parse_weights,
};

/// What these options make of it, on a server with these settings.
pub(in crate::protocols) fn wanted(words: &OptionWords, settings: &GuildSettings) -> anyhow::Result<Wanted> {
    let named = parse_modules(words.get(OptionName::Modules).unwrap_or_default()).map_err(user)?;
    let weights = parse_weights(words.get(OptionName::Weights).unwrap_or_default()).map_err(user)?;
    if words.were_set_again() && !named.is_empty() {
        // In a command, a weight seats its module; in the form the list shows who sits, and must not say otherwise.
        let counts = |(name, weight): &(&ModuleName, &Weight)| weight.get() > 0.0 && !named.contains(name);
        if let Some((name, weight)) = weights.iter().find(counts) {
            return UserError::of(format!(
                "`{0}` has a weight of {1} and is not chosen in the list. Choose it there, or take `{0}={1}` out.",
                name.0,
                weight.get()
            ));
        }
    }
    let choosing = choosing(words, settings, &named)?;
    let modules = if named.is_empty() { settings.modules.clone() } else { named };
    let panel = match choosing {
        Choosing::AtStart => Panel::in_case(&modules, &weights),
        Choosing::IfWished | Choosing::Never => Panel::seat(&modules, &weights),
    };
    let panel = panel.map_err(user)?;
    let extras = TableExtras {
        baseline: words.is_on(OptionName::Baseline),
        raci: words.is_on(OptionName::Raci),
        deep_research: words.is_on(OptionName::DeepResearch),
        searching: searching(words, settings),
    };
    Ok(Wanted::new(move |seating, problem, document| {
        // Where others are chosen, the panel is for the case that nobody can, and the weights hold for the choice.
        let selecting = (choosing != Choosing::Never).then(|| Selecting {
            seats: seating.panel(MOST_CHOSEN),
            weights,
            offered: choosing == Choosing::IfWished,
        });
        let searching = seating.searching(extras.searching);
        let seats = seating.panel(panel.seats.len());
        Ok(Brief::Mediate(TableBrief {
            problem,
            writer_seat: seating.beside_those(&seating.appointed.mediator, &seats),
            seats,
            panel,
            document,
            writer: Writer::Mediator,
            checker: seating.checker(),
            language: seating.language(),
            effort: seating.effort,
            today: seating.today(),
            restated: None,
            dimensions: Vec::new(),
            trust: seating.trust.clone(),
            extras: TableExtras { searching, ..extras },
            selecting,
        }))
    }))
}

/// Whether fitting modules are chosen. Whoever names modules wants those, whatever the server is set to.
fn choosing(words: &OptionWords, settings: &GuildSettings, named: &[ModuleName]) -> anyhow::Result<Choosing> {
    let wished = words.switched(OptionName::AutoSelect);
    // A form shows what is off as well: that says something only where the server has it on.
    let wished = wished.filter(|on| *on || settings.auto_select || !words.were_set_again());
    if wished == Some(true) && !named.is_empty() {
        return UserError::of(
            "You named modules and asked for others to be chosen. Leave out `auto_select` to have yours, or `modules` to have fitting ones chosen; `weights` such as `legal=0` keeps one out of the choice.",
        );
    }
    Ok(match wished {
        _ if !named.is_empty() => Choosing::Never,
        _ if wished.unwrap_or(settings.auto_select) => Choosing::AtStart,
        None if settings.modules.is_empty() => Choosing::IfWished,
        _ => Choosing::Never,
    })
}
