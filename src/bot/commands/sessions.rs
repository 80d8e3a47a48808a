//! The commands that begin a session, made of the table of what each takes (`domain::SessionCommand`): how Discord lists them,
//! and what somebody wants who uses one.

use poise::serenity_prelude as serenity;
use serenity::{CommandOptionType, CreateCommandOption, ResolvedOption, ResolvedValue};

use super::{
    Context, Data,
    given::{Given, attached},
    opening::{complete_model, complete_modules},
    wish::{Wish, begun},
};
use crate::bot::Error;
use domain::{
    CommandTakes as Takes, MAX_EXAMINED_CHARS, OptionName, OptionValues, OptionWords, Parameter, Protocol,
};

/// All of them.
pub(super) fn all() -> impl Iterator<Item = poise::Command<Data, Error>> {
    Protocol::ALL.into_iter().map(command)
}

fn command(protocol: Protocol) -> poise::Command<Data, Error> {
    let (name, command) = (protocol.as_str(), protocol.command());
    poise::Command {
        slash_action: Some(|ctx| Box::pin(run(ctx))),
        name: name.into(),
        qualified_name: name.into(),
        identifying_name: name.into(),
        source_code_name: name.into(),
        description: Some(command.says.into()),
        parameters: command.takes().map(parameter).collect(),
        ..poise::Command::default()
    }
}

fn parameter(Parameter { of, says }: &Parameter) -> poise::CommandParameter<Data, Error> {
    let autocomplete_callback = match of {
        Takes::Option(OptionName::Model) => {
            Some((|ctx: Context<'_>, partial| Box::pin(complete_model(ctx, partial))) as Complete)
        }
        Takes::Option(OptionName::Modules) => {
            Some((|ctx: Context<'_>, partial| Box::pin(complete_modules(ctx, partial))) as Complete)
        }
        _ => None,
    };
    poise::CommandParameter {
        name: of.name().into(),
        name_localizations: (&[][..]).into(),
        description: Some((*says).into()),
        description_localizations: (&[][..]).into(),
        required: false,
        channel_types: None,
        choices: (&[][..]).into(),
        type_setter: Some(setter(*of)),
        autocomplete_callback,
        __non_exhaustive: (),
    }
}

type Complete =
    for<'a> fn(Context<'a>, &'a str) -> poise::BoxFuture<'a, serenity::CreateAutocompleteResponse>;

type Setter = fn(CreateCommandOption) -> CreateCommandOption;

/// Tells Discord what a parameter may be. poise takes only functions that capture nothing, so each option has one of its own,
/// found by the option's place in [`OptionName::ALL`].
fn setter(of: Takes) -> Setter {
    match of {
        Takes::Text(_) | Takes::Message => |option| option.kind(CommandOptionType::String),
        Takes::Examined => |option| option.kind(CommandOptionType::String).max_length(MAX_EXAMINED_CHARS),
        Takes::File(_) => |option| option.kind(CommandOptionType::Attachment),
        Takes::ThreadDocument => |option| option.kind(CommandOptionType::Boolean),
        Takes::Option(name) => SETTERS[name as usize],
    }
}

/// A function for each place that an option may have.
const SETTERS: [Setter; 32] = {
    macro_rules! each {
        ($($place:literal)*) => {
            [$(|option| match OptionName::ALL.get($place) {
                Some(name) => typed(option, *name),
                None => option,
            }),*]
        };
    }
    each!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
};
const _: () = assert!(OptionName::ALL.len() <= SETTERS.len(), "each option needs a place");

fn typed(option: CreateCommandOption, name: OptionName) -> CreateCommandOption {
    match name.values() {
        OptionValues::Words(words) => {
            words.iter().fold(option.kind(CommandOptionType::String), |option, (word, meaning)| {
                option.add_string_choice(format!("{word}: {meaning}"), *word)
            })
        }
        OptionValues::Whole(bounds) => option
            .kind(CommandOptionType::Integer)
            .min_int_value(u64::from(*bounds.start()))
            .max_int_value(u64::from(*bounds.end())),
        OptionValues::Switch => option.kind(CommandOptionType::Boolean),
        OptionValues::Text => option.kind(CommandOptionType::String),
    }
}

/// Begins what somebody wants.
async fn run(ctx: Context<'_>) -> Result<(), poise::FrameworkError<'_, Data, Error>> {
    let mismatch = |what| poise::FrameworkError::new_command_structure_mismatch(ctx, what);
    let protocol = Protocol::parse(&ctx.command().name).ok_or_else(|| mismatch("expected a protocol"))?;
    let (wish, text) = read(protocol, ctx.args).map_err(mismatch)?;
    begun(ctx, wish, text).await.map_err(|error| poise::FrameworkError::new_command(ctx.into(), error))
}

/// What somebody wants, and the text that it is about. Discord may still show a list of before: what is none of the parameters
/// is passed over, and what is of another kind than its parameter is an error.
fn read(protocol: Protocol, args: &[ResolvedOption<'_>]) -> Result<(Wish, Option<String>), &'static str> {
    let (mut words, mut text) = (Vec::new(), None);
    let (mut files, mut message, mut of_thread) = (Vec::new(), None, false);
    for Parameter { of, .. } in protocol.command().takes() {
        let Some(arg) = args.iter().find(|arg| arg.name == of.name()) else { continue };
        match (*of, &arg.value) {
            (Takes::Text(_) | Takes::Examined, ResolvedValue::String(typed)) => {
                text = Some((*typed).to_owned());
            }
            (Takes::Option(name), ResolvedValue::String(word)) => words.push((name, (*word).to_owned())),
            (Takes::Option(name), ResolvedValue::Integer(number)) => words.push((name, number.to_string())),
            (Takes::Option(name), ResolvedValue::Boolean(on)) => words.push((name, OptionName::switch(*on))),
            (Takes::File(_), ResolvedValue::Attachment(file)) => files.push(attached(file)),
            (Takes::Message, ResolvedValue::String(link)) => message = Some((*link).to_owned()),
            (Takes::ThreadDocument, ResolvedValue::Boolean(on)) => of_thread = *on,
            _ => return Err("an option of another kind than it is registered with"),
        }
    }
    let words = OptionWords::from_iter(words);
    Ok((Wish::new(protocol, words, Given::of(files, message, of_thread)), text))
}
