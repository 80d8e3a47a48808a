//! Options of commands that are one of a few words. By name, for poise's own choices go by their place in the list, and a
//! Discord that still shows an older list would mean another one.

use poise::serenity_prelude as serenity;
use strum::IntoEnumIterator as _;

use crate::report::Audience;
use domain::AuditScope;

/// One of a few words, as a member chose it.
pub(super) struct Choice<T>(pub(super) T);

/// What can be chosen: what people read, and the word that it is sent as.
pub(super) trait Choices: Sized {
    fn all() -> Vec<Self>;
    fn word(&self) -> &'static str;
    fn meaning(&self) -> &'static str;
}

impl Choices for AuditScope {
    fn all() -> Vec<Self> {
        Self::all()
    }

    fn word(&self) -> &'static str {
        AuditScope::word(*self)
    }

    fn meaning(&self) -> &'static str {
        AuditScope::meaning(*self)
    }
}

impl Choices for Audience {
    fn all() -> Vec<Self> {
        Self::iter().collect()
    }

    fn word(&self) -> &'static str {
        self.as_str()
    }

    fn meaning(&self) -> &'static str {
        Audience::meaning(*self)
    }
}

#[serenity::async_trait]
impl<T: Choices + Send> poise::SlashArgument for Choice<T> {
    async fn extract(
        _: &serenity::Context,
        _: &serenity::CommandInteraction,
        value: &serenity::ResolvedValue<'_>,
    ) -> Result<Self, poise::SlashArgError> {
        let serenity::ResolvedValue::String(chosen) = value else {
            return Err(poise::SlashArgError::new_command_structure_mismatch("expected a word"));
        };
        match T::all().into_iter().find(|choice| choice.word() == *chosen) {
            Some(choice) => Ok(Self(choice)),
            None => Err(poise::SlashArgError::new_command_structure_mismatch("no such choice")),
        }
    }

    fn create(option: serenity::CreateCommandOption) -> serenity::CreateCommandOption {
        let option = option.kind(serenity::CommandOptionType::String);
        T::all().iter().fold(option, |option, choice| {
            option.add_string_choice(format!("{}: {}", choice.word(), choice.meaning()), choice.word())
        })
    }
}
