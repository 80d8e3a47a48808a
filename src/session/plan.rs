//! What a session is going to be, worked out of what somebody asked for: at its start, and again where its options are set
//! before it begins.

use super::{Choices, Sessions};
use crate::protocols::Seating;
use domain::{
    AboutMessage, Budgets, Document, Effort, GoesOnFrom, GuildId, GuildSettings, ModelName, Pictured, Plan,
    Problem, Provider, ReadPictures, Seat, thousands,
};

/// What a plan is made of.
pub(super) struct Making<'a> {
    /// For which server, and how that is set.
    pub(super) guild: GuildId,
    pub(super) settings: &'a GuildSettings,
    /// What the session may use.
    pub(super) budgets: Budgets,
    /// What has to be decided, with a text for everybody.
    pub(super) of: (Problem, Option<Document>),
    /// What was chosen for it.
    pub(super) chosen: Choices,
    /// The message that it is about.
    pub(super) about: Option<AboutMessage>,
    /// Which session left open what this one goes on with.
    pub(super) goes_on_from: Option<GoesOnFrom>,
}

impl Sessions {
    /// The plan of a session: who sits where, what it may use, what it takes.
    pub(super) async fn plan(&self, making: Making<'_>) -> anyhow::Result<Plan> {
        let Making { guild, settings: set, budgets, of: (problem, document), chosen, about, goes_on_from } =
            making;
        let settings = &self.0.settings;
        let Choices { wanted, model, effort, voting, ask_first } = chosen;
        let mut seating = Seating {
            appointed: &settings.appointed,
            guild: set,
            model: model.as_ref(),
            budgets: &budgets,
            allowed: settings.budgets.session,
            document_chars: settings.document_chars,
            effort: effort.unwrap_or(set.effort),
            searches: self.0.world.search.is_some(),
            trust: self.trust(guild, set).await?,
            now_ms: self.now_ms(),
        };
        let kept_brief = self.kept_brief(&mut seating).await;
        let most = if settings.pictures.is_some() { Pictured::most(budgets.session.calls) } else { 0 };
        let document = document.map(|document| document.with_pictures(most));
        let pictures = self.reads_pictures(document.as_ref());
        let brief = wanted.brief(&seating, problem, document)?;
        let notice = [settings.notice.clone(), kept_brief, brief.trusted()];
        let notice = notice.into_iter().flatten().reduce(|first, second| format!("{first}\n\n{second}"));
        let question = brief.takes_a_question().then(|| seating.checker());
        let reading = self.in_sections(&brief, &seating).await;
        let how = (pictures.as_ref(), reading.as_ref());
        let estimate = self.estimated(&brief, how, &budgets.session, ask_first).await?;
        Ok(Plan {
            brief,
            budgets,
            voting,
            notice,
            question,
            estimate,
            pictures,
            reading,
            goes_on_from,
            about,
        })
    }

    /// Who reads the pictures of a document, where it has any.
    fn reads_pictures(&self, document: Option<&Document>) -> Option<ReadPictures> {
        let model = self.0.settings.pictures.clone()?;
        let has = document.is_some_and(|document| !document.pictures.is_empty());
        has.then(|| ReadPictures { reader: Seat { model, fallbacks: Vec::new() } })
    }
}

/// Below so many tokens of context, a model is asked for little: two rounds of a page each, and what the others wrote,
/// do not fit it.
const SMALL_CONTEXT: u32 = 16_384;

impl Sessions {
    /// Asks a panel with a small model for little, whatever was chosen: more would not fit it. A model on one's own machine
    /// of which nobody says how much it takes in counts as small. Gives the sentence that says so.
    async fn kept_brief(&self, seating: &mut Seating<'_>) -> Option<String> {
        if seating.effort == Effort::Brief {
            return None;
        }
        for model in seating.models() {
            let why = match self.0.world.llm.context(&model).await {
                Some(tokens) if tokens < SMALL_CONTEXT => {
                    format!("takes in only {} tokens at a time", thousands(u64::from(tokens)))
                }
                None if model.provider == Provider::Local => {
                    "does not say how much it takes in at a time".to_owned()
                }
                _ => continue,
            };
            let asked = std::mem::replace(&mut seating.effort, Effort::Brief);
            return Some(format!("Kept brief instead of {}: `{model}` {why}.", asked.as_str()));
        }
        None
    }
}

impl Sessions {
    /// A session's plan for what it is asked later: where the bot has a model no longer, who would sit there today answers.
    pub(super) async fn reseated(&self, guild: GuildId, plan: Plan) -> anyhow::Result<Plan> {
        let settings = &self.0.settings;
        let there = settings.appointed.models();
        let there = |model: &ModelName| there.contains(model);
        let guild = self.guild_settings(guild).await?;
        let seating = Seating {
            appointed: &settings.appointed,
            guild: &guild,
            model: None,
            budgets: &plan.budgets,
            allowed: settings.budgets.session,
            document_chars: settings.document_chars,
            effort: plan.brief.effort(),
            searches: false,
            trust: None,
            now_ms: self.now_ms(),
        };
        let (mediator, checker) = (seating.beside(&settings.appointed.mediator), seating.checker());
        Ok(Plan { brief: plan.brief.reseated(there, &mediator, &checker), ..plan })
    }
}
