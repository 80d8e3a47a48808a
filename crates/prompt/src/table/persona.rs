//! Who a module is: what a request says of it, whether the registry has it or it was made for the question.
//!
//! What is told to a module of the registry stands in a prompt file. What is told to one that was made was written by a
//! model that had read what people wrote, so it stands between tags like anything else of that kind, in a frame that says
//! what it may say.

use minijinja::{Value, context};

use crate::{Prompts, fence, inline_fence};
use domain::{ModuleName, Panel};

/// The frame around instructions that were made for a question.
const FRAME: &str = "table/adhoc.md";

/// What a module is told of itself, and the prompt file that this comes from.
pub(super) fn persona(prompts: &Prompts, panel: &Panel, module: &ModuleName) -> (String, String) {
    let Some(made) = panel.made(module) else {
        return (prompts.persona(module), Prompts::persona_file(module));
    };
    let instructions = Some(&made.system_prompt).filter(|text| !text.is_empty());
    let values = context! {
        title => made.name.title(),
        instructions => instructions.map(|text| fence("instructions", text)),
    };
    (prompts.render(FRAME, &values), FRAME.to_owned())
}

/// What stands before the meaning of the flags, at the end of a persona's file.
const FLAGS: &str = "Flags in your field:";

/// What flags mean in a module's field, as its file says; nothing of one that was made for the question.
pub(super) fn flags_mean(prompts: &Prompts, panel: &Panel, module: &ModuleName) -> Option<String> {
    if panel.made(module).is_some() {
        return None;
    }
    let persona = prompts.persona(module);
    persona.split_once(FLAGS).map(|(_, flags)| flags.trim().to_owned())
}

/// A module as requests name it. What one looks at that was made for the question is fenced.
pub(super) fn looks_at(panel: &Panel, module: &ModuleName) -> Value {
    let side = panel.looks_at(module);
    let side = if panel.made(module).is_some() { inline_fence("side", side) } else { side.to_owned() };
    context! { name => module.0, title => module.title(), looks_at => side }
}
