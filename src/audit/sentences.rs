//! A text in sentences, each with the marks that stand behind it.

/// What ends a sentence where a space or the line's end follows.
const ENDS: [char; 3] = ['.', '!', '?'];
/// What ends one whatever follows.
const FULL_WIDTH: [char; 3] = ['。', '！', '？'];

/// The sentences of a text, line by line, without signs of Markdown at their beginning. Marks such as `[1]` behind a full
/// stop belong to the sentence before it. Code is left out.
pub(super) fn sentences(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut code = false;
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        if !fence && !code {
            cut(line, &mut sentences);
        }
    }
    sentences
}

fn cut(line: &str, sentences: &mut Vec<String>) {
    let mut from = 0;
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        let next = at + c.len_utf8();
        let after = line[next..].chars().next();
        let ends = FULL_WIDTH.contains(&c)
            || (ENDS.contains(&c) && after.is_none_or(|after| after.is_whitespace() || after == '['));
        if !ends {
            at = next;
            continue;
        }
        let end = next + marks(&line[next..]);
        // `1.` and `e.g.` end no sentence; what follows in lower case goes on with it.
        let goes_on = line[end..].trim_start().starts_with(char::is_lowercase);
        let is_number = line[from..at].trim().bytes().all(|b| b.is_ascii_digit());
        if !goes_on && !is_number {
            push(&line[from..end], sentences);
            from = end;
        }
        at = end;
    }
    push(&line[from..], sentences);
}

/// How long the marks are with which a text begins, spaces before them too.
fn marks(text: &str) -> usize {
    let mut end = 0;
    while let Some((inside, _)) =
        text[end..].trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'))
    {
        if inside.is_empty() || !inside.bytes().all(|b| b.is_ascii_digit()) {
            break;
        }
        let spaces = text[end..].len() - text[end..].trim_start().len();
        end += spaces + inside.len() + 2;
    }
    end
}

fn push(sentence: &str, sentences: &mut Vec<String>) {
    let bare = sentence.trim().trim_start_matches(['#', '-', '*', '>', '+', '|', '•', ' ']);
    let numbered = bare.split_once(['.', ')']).filter(|(number, rest)| {
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && rest.starts_with(' ')
    });
    let bare = numbered.map_or(bare, |(_, rest)| rest).trim();
    if bare.chars().any(char::is_alphanumeric) {
        sentences.push(bare.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn marks_belong_to_the_sentence_before_them() {
        assert_eq!(
            sentences(
                "Fees are 30 % [1]. Towns lose [2][3]. So it is. [4] Then, e.g. with more, not.\n- One. Two"
            ),
            [
                "Fees are 30 % [1].",
                "Towns lose [2][3].",
                "So it is. [4]",
                "Then, e.g. with more, not.",
                "One.",
                "Two"
            ]
        );
        assert_eq!(
            sentences("## Size\n1. First of all 3.5 %.\n```\nx = 7.\n```\n它很好。是的。"),
            ["Size", "First of all 3.5 %.", "它很好。", "是的。"]
        );
        assert!(sentences(" \n**\n---").is_empty());
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn whatever_is_written_no_letter_is_lost(text in "([a-zA-Zä。. !?0-9]|\\[1\\]|\n|- ){0,60}") {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
            prop_assert_eq!(letters(&sentences(&text).join(" ")), letters(&text));
        }
    }
}
