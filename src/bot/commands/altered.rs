//! The options of a command that are set again on an estimate that waits: the words of the form become what the command
//! itself would have made of them, with the same bounds and the same sentences.

use std::collections::BTreeMap;

use super::{choice::Choices, opening, opening::user, set_again, voting::Chosen};
use crate::{
    bot::Data,
    error::UserError,
    session::{self, Actor},
    store::SessionRow,
};
use domain::{Effort, OptionName, OptionWords};

/// Sets the options of a session as they were written into the form; gives what to say.
pub(in crate::bot) async fn altered(
    data: &Data,
    (row, actor): (&SessionRow, &Actor),
    form: &BTreeMap<String, String>,
) -> anyhow::Result<String> {
    let words = data.sessions.options(row, actor).await?.written(form).map_err(user)?;
    let settings = data.sessions.guild_settings(row.guild).await?;
    let chosen = session::Choices {
        wanted: set_again(row.protocol, &words, &settings)?,
        model: opening::model(data, words.get(OptionName::Model))?,
        effort: one_of::<Effort>(&words, OptionName::Effort)?,
        voting: vote(&words)?.over(settings.voting, row.guild)?,
        ask_first: true,
    };
    data.sessions.set_options(row, actor, chosen).await
}

fn vote(words: &OptionWords) -> anyhow::Result<Chosen> {
    Ok(Chosen {
        hours: whole(words, OptionName::VoteHours)?,
        voters: words.get(OptionName::Voters).map(str::to_owned),
        quorum: whole(words, OptionName::Quorum)?,
    })
}

/// An option that is a whole number.
pub(super) fn whole(words: &OptionWords, name: OptionName) -> anyhow::Result<Option<i64>> {
    let Some(text) = words.get(name) else { return Ok(None) };
    match text.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => UserError::of(format!("`{}` is a whole number.", name.as_str())),
    }
}

/// An option that is one of a few words.
pub(super) fn one_of<T: Choices>(words: &OptionWords, name: OptionName) -> anyhow::Result<Option<T>> {
    let Some(text) = words.get(name) else { return Ok(None) };
    if let Some(choice) = T::all().into_iter().find(|choice| choice.word() == text) {
        return Ok(Some(choice));
    }
    let valid: Vec<&str> = T::all().iter().map(Choices::word).collect();
    UserError::of(format!("`{}` is one of these: {}.", name.as_str(), valid.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Brief, GuildSettings, Mode, Protocol, VoteRules};

    fn words(form: &[(&str, &str)]) -> OptionWords {
        let brief = Brief::Investigate(crate::sample::investigate::brief(3));
        let form = form.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        OptionWords::of(&brief, &VoteRules::default()).written(&form).unwrap()
    }

    #[test]
    fn numbers_and_words_are_those_of_the_command() {
        let set = words(&[("mode", "structured"), ("rest", "scouts: 4\nquorum: 2")]);
        assert_eq!(one_of::<Mode>(&set, OptionName::Mode).unwrap(), Some(Mode::Structured));
        assert_eq!(whole(&set, OptionName::Scouts).unwrap(), Some(4));
        assert_eq!(vote(&set).unwrap().quorum, Some(2));
        assert_eq!(whole(&set, OptionName::Budget).unwrap(), None, "left out: as it is usual");
        let wrong = words(&[("mode", "wild"), ("rest", "scouts: four")]);
        for (told, said) in [
            (one_of::<Mode>(&wrong, OptionName::Mode).unwrap_err(), "adaptive, structured, unstructured"),
            (whole(&wrong, OptionName::Scouts).unwrap_err(), "`scouts` is a whole number"),
        ] {
            assert!(told.to_string().contains(said), "{told}");
        }
        let settings = GuildSettings::default();
        let many = words(&[("rest", "scouts: 9")]);
        let told = set_again(Protocol::Investigate, &many, &settings).err().unwrap().to_string();
        assert!(told.contains("from 2 to 5"), "{told}");
    }
}
