//! /mediate.

use poise::serenity_prelude as serenity;
use serde::{Deserialize, Serialize};

use super::{
    By, Context,
    choice::Choice,
    given::Given,
    opening::{complete_model, user},
    voting::Chosen,
    wish::{Usual, Wish, begun},
};
use crate::{bot::Error, error::UserError, session::Wanted};
use domain::{
    Choosing, Effort, GuildSettings, MODULES, ModuleName, OptionName, OptionWords, Panel, Searching,
    TableExtras, Weight, parse_modules, parse_weights,
};

/// Specialists look at your problem from several sides, read one another, and a mediator sums it up.
#[poise::command(slash_command)]
#[allow(clippy::too_many_arguments)] // each is an option that members see
pub(super) async fn mediate(
    ctx: Context<'_>,
    #[description = "What has to be decided (up to 4,000 characters); without it, a form with a large box opens"]
    problem: Option<String>,
    #[description = "Who looks at it: market, cost, risk unless you choose (see /modules)"]
    #[autocomplete = "complete_modules"]
    modules: Option<String>,
    #[description = "Have fitting modules chosen, and up to three made where none fits (not, unless the server says so)"]
    auto_select: Option<bool>,
    #[description = "How much each counts, such as legal=2 cost=0 (0 leaves a module out)"] weights: Option<
        String,
    >,
    #[description = "How much is asked for: brief, standard or deep (standard unless the server says otherwise)"]
    effort: Option<Choice<Effort>>,
    #[description = "One model for all seats of the panel; mediator and checks stay as set"]
    #[autocomplete = "complete_model"]
    model: Option<String>,
    #[description = "A file that everybody reads: PDF, Office, EPUB, HTML, text or code (up to 25 MB)"]
    document: Option<serenity::Attachment>,
    #[description = "Also ask one model plainly, and say in the end what the deliberation changed and cost"]
    baseline: Option<bool>,
    #[description = "Where modules cannot all be right, the one whose side it is about carries it"]
    raci: Option<bool>,
    #[description = "Whether modules search the web first (they do, unless the server says otherwise)"]
    search: Option<bool>,
    #[description = "Look into grave conflicts and red flags once more, on the web, before anybody votes"]
    deep_research: Option<bool>,
    #[description = "How many hours the team can vote (24 unless the server says otherwise)"]
    #[min = 1]
    #[max = 336]
    vote_hours: Option<i64>,
    #[description = "Who may vote: everyone, a role, or members, as mentions"] voters: Option<String>,
    #[description = "How many have to vote for the result to bind"]
    #[min = 0]
    #[max = 1000]
    quorum: Option<i64>,
    #[description = "A second file; all of them are read as one document"] document2: Option<
        serenity::Attachment,
    >,
    #[description = "A third file"] document3: Option<serenity::Attachment>,
    #[description = "A link to a message of this server, to be read with its files"] message: Option<String>,
    #[description = "In a session's thread: go on with the document of that session, in a new thread"]
    thread_document: Option<bool>,
) -> Result<(), Error> {
    let options = Options {
        modules,
        auto_select,
        weights,
        baseline: baseline.unwrap_or_default(),
        raci: raci.unwrap_or_default(),
        search,
        deep_research: deep_research.unwrap_or_default(),
    };
    let usual = Usual {
        model,
        effort: effort.map(|Choice(effort)| effort),
        voting: Chosen { hours: vote_hours, voters, quorum },
        given: Given::of([document, document2, document3], message, thread_document),
        ask_first: false,
    };
    begun(ctx, Wish { by: By::Mediate(options), usual }, problem).await
}

/// What can be chosen for a mediation alone.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Options {
    modules: Option<String>,
    auto_select: Option<bool>,
    weights: Option<String>,
    baseline: bool,
    raci: bool,
    search: Option<bool>,
    deep_research: bool,
}

impl Options {
    /// As they were set again. Where nobody switches the choice of modules on, a server that has it on is told so.
    pub(super) fn read(words: &OptionWords, settings: &GuildSettings) -> anyhow::Result<Self> {
        let text = |name| words.get(name).map(str::to_owned);
        // In a command, a weight seats its module; here the list shows who sits, and must not say otherwise.
        let listed = parse_modules(words.get(OptionName::Modules).unwrap_or_default()).map_err(user)?;
        let weights = parse_weights(words.get(OptionName::Weights).unwrap_or_default()).map_err(user)?;
        let counts = |(name, weight): &(&ModuleName, &Weight)| weight.get() > 0.0 && !listed.contains(name);
        if let Some((name, weight)) = weights.iter().find(counts).filter(|_| !listed.is_empty()) {
            return UserError::of(format!(
                "`{0}` has a weight of {1} and is not chosen in the list. Choose it there, or take `{0}={1}` out.",
                name.0,
                weight.get()
            ));
        }
        let chosen = words.is_on(OptionName::AutoSelect);
        Ok(Self {
            modules: text(OptionName::Modules),
            auto_select: (chosen || settings.auto_select).then_some(chosen),
            weights: text(OptionName::Weights),
            baseline: words.is_on(OptionName::Baseline),
            raci: words.is_on(OptionName::Raci),
            search: words.switched(OptionName::Search),
            deep_research: words.is_on(OptionName::DeepResearch),
        })
    }

    /// What is wanted, on a server with these settings.
    pub(super) fn wanted(&self, settings: &GuildSettings) -> anyhow::Result<Wanted> {
        let modules = parse_modules(self.modules.as_deref().unwrap_or_default()).map_err(user)?;
        let weights = parse_weights(self.weights.as_deref().unwrap_or_default()).map_err(user)?;
        let search = self.search.unwrap_or(settings.search);
        let extras = TableExtras {
            baseline: self.baseline,
            raci: self.raci,
            deep_research: self.deep_research,
            searching: if search { Searching::On } else { Searching::Off },
        };
        if self.auto_select == Some(true) && !modules.is_empty() {
            return UserError::of(
                "You named modules and asked for others to be chosen. Leave out `auto_select` to have yours, or `modules` to have fitting ones chosen; `weights` such as `legal=0` keeps one out of the choice.",
            );
        }
        // Whoever names modules wants those, whatever the server is set to.
        let choosing = if !modules.is_empty() {
            Choosing::Never
        } else if self.auto_select.unwrap_or(settings.auto_select) {
            Choosing::AtStart
        } else if self.auto_select.is_none() && settings.modules.is_empty() {
            Choosing::IfWished
        } else {
            Choosing::Never
        };
        let modules = if modules.is_empty() { settings.modules.clone() } else { modules };
        let panel = match choosing {
            Choosing::AtStart => Panel::in_case(&modules, &weights),
            Choosing::IfWished | Choosing::Never => Panel::seat(&modules, &weights),
        };
        Ok(Wanted::mediate(panel.map_err(user)?, extras, (choosing, weights)))
    }
}

/// Completes the last name of a list of modules.
#[allow(clippy::unused_async)] // poise calls it so
pub(super) async fn complete_modules(
    _ctx: Context<'_>,
    partial: &str,
) -> serenity::CreateAutocompleteResponse {
    let (before, last) =
        partial.rsplit_once([' ', ',']).map_or(("", partial), |(before, last)| (before.trim(), last));
    let chosen: Vec<&str> = before.split([' ', ',']).filter(|name| !name.is_empty()).collect();
    let fits = |name: &str| name.starts_with(&last.trim().to_lowercase()) && !chosen.contains(&name);
    let choices = MODULES
        .iter()
        .filter(|module| fits(module.name))
        .map(|module| {
            let mut names = chosen.clone();
            names.push(module.name);
            let value = names.join(", ");
            let shown: String = format!("{value} ({})", module.looks_at).chars().take(100).collect();
            serenity::AutocompleteChoice::new(shown, value)
        })
        .collect();
    serenity::CreateAutocompleteResponse::new().set_choices(choices)
}
