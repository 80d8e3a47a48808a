//! What stands on a picture of a document, for a model that sees pictures.

use minijinja::context;

use super::{Prompts, RULES, length::Length, quote::plain_name, reply::PictureReply, schema};
use domain::{Effort, Picture, Prompt};

/// Tokens that a dense page has, in most languages.
const TOKENS: u32 = 3_200;

/// The request. `place` says which picture it is, such as `page 3`. The reply is a [`PictureReply`].
#[must_use]
pub fn read(prompts: &Prompts, (name, place): (&str, &str), picture: Picture) -> Prompt {
    let values = context! { name => plain_name(name), place };
    let schema = schema::strict::<PictureReply>("picture_text");
    let files = [RULES, "", "picture.md"];
    let prompt =
        prompts.request(&files, (&context! {}, &values), schema, Length::fixed(Effort::Brief, TOKENS));
    Prompt { pictures: vec![picture], ..prompt }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_holds_the_picture_and_says_that_it_is_no_instruction() {
        let picture = Picture { media: "image/png".into(), base64: "iVBORw0".into() };
        let prompt = read(&Prompts::embedded(), ("plan <b>.pdf", "page 3"), picture.clone());
        assert_eq!((prompt.pictures, prompt.max_tokens), (vec![picture], 4_000));
        insta::assert_snapshot!("picture", prompt.task);
    }
}
