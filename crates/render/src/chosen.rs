//! The list below a message that shows what several said: from it the whole of each can be opened, and how it came about.

use domain::{CustomId, Does, Post, Row, Select, SelectOption, SessionId, StepKey};

/// What is shown behind such a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opened {
    /// The whole of what stands in a step.
    Whole(StepKey),
    /// How it came about.
    Raw(StepKey),
}

/// What was chosen from a list; nothing for what is no part of such a one.
#[must_use]
pub fn opened(chosen: &str) -> Option<Opened> {
    let (how, step) = chosen.split_once(' ')?;
    match how {
        "whole" => Some(Opened::Whole(step.into())),
        "raw" => Some(Opened::Raw(step.into())),
        _ => None,
    }
}

/// The steps whose wholes can be opened from a post's lists.
#[must_use]
pub fn wholes(post: &Post) -> Vec<StepKey> {
    let options = post.rows.iter().flat_map(|row| match row {
        Row::Select(select) => select.options.iter().map(|option| opened(&option.value)).collect(),
        Row::Buttons(_) => Vec::new(),
    });
    options
        .filter_map(|opened| if let Some(Opened::Whole(step)) = opened { Some(step) } else { None })
        .collect()
}

/// A list of steps, each with what it is called: first the wholes, called `what`, then how each of `raws` came about. No two
/// lists of a protocol have one `number`, nor has one of findings.
pub(super) fn list(
    session: &SessionId,
    (number, placeholder, what): (u8, &str, &str),
    wholes: &[(String, StepKey)],
    raws: &[(String, StepKey)],
) -> Vec<Row> {
    let option = |how: &str, called: &str, (name, step): &(String, StepKey)| SelectOption {
        label: format!("{name} · {called}"),
        value: format!("{how} {}", step.as_str()),
        description: String::new(),
    };
    let whole = wholes.iter().map(|step| option("whole", what, step));
    let options: Vec<SelectOption> =
        whole.chain(raws.iter().map(|step| option("raw", "raw output", step))).collect();
    let select = Select {
        id: CustomId::new(session, Does::OpenChosen(number)),
        placeholder: placeholder.to_owned(),
        options,
        range: (1, 1),
    };
    if raws.is_empty() { Vec::new() } else { vec![Row::Select(select)] }
}
