//! Guards against a small model's loops: a phrase said over and over is kept once, runs of white space
//! shrink.

/// Longest phrase looked for, in words.
const MAX_PHRASE: usize = 60;

/// Longest unit looked for inside one word, in characters: scripts without spaces loop inside a "word".
const MAX_UNIT: usize = 40;

/// A text without control characters, loops and needless white space; its lines, its indents and its code
/// stay.
pub(super) fn tidy(text: &str) -> String {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    let text = collapse(&text.replace("\r\n", "\n").replace(is_control, ""));
    let words: Vec<(usize, &str)> = words(&text).collect();
    let keys: Vec<&str> = words.iter().map(|&(_, word)| word).collect();
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for (start, end) in loops(&keys, MAX_PHRASE, |phrase: &[&str]| {
        let letters = phrase.iter().flat_map(|word| word.chars()).filter(|c| c.is_alphanumeric()).count();
        match letters {
            0 => usize::MAX,
            1..=9 => 6,
            _ => 3,
        }
    }) {
        kept.push_str(&text[from..words[start].0]);
        from = words.get(end).map_or(text.len(), |&(at, _)| at);
    }
    kept.push_str(&text[from..]);
    let kept: Vec<String> = kept.split_inclusive(char::is_whitespace).map(shorten).collect();
    kept.concat().trim().to_owned()
}

/// Runs of three or more spaces become one (indents are kept up to 8), three or more line feeds two. Lines
/// inside a code fence keep their spaces.
fn collapse(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let (mut code, mut blank) = (false, 0);
    for line in text.split('\n') {
        let line = line.trim_end();
        code ^= line.trim_start().starts_with("```");
        blank = if line.is_empty() { blank + 1 } else { 0 };
        if blank > 1 {
            continue;
        }
        if code {
            lines.push(line.to_owned());
            continue;
        }
        let words = line.trim_start();
        let indent = (line.chars().count() - words.chars().count()).min(8);
        let mut out = " ".repeat(indent);
        let mut spaces = 0;
        for c in words.chars() {
            spaces = if c.is_whitespace() { spaces + 1 } else { 0 };
            if spaces <= 1 {
                out.push(if c.is_whitespace() { ' ' } else { c });
            }
        }
        lines.push(out);
    }
    lines.join("\n")
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// A word that repeats a unit four times or more, 24 characters at least, keeps the unit once.
fn shorten(word: &str) -> String {
    if word.len() < 24 {
        return word.to_owned();
    }
    let chars: Vec<char> = word.chars().collect();
    let found = loops(&chars, MAX_UNIT, |unit: &[char]| {
        if unit.iter().any(|c| c.is_alphanumeric()) { 4.max(24 / unit.len()) } else { usize::MAX }
    });
    let mut kept = String::new();
    let mut from = 0;
    for (start, end) in found {
        kept.extend(&chars[from..start]);
        from = end;
    }
    kept.extend(&chars[from..]);
    kept
}

/// Stretches to leave out, as half-open ranges in order: of each phrase of at most `longest` items that
/// stands at least `times(phrase)` times in a row, all but the first, and the begun one at the end of a loop.
fn loops<T: PartialEq>(items: &[T], longest: usize, times: impl Fn(&[T]) -> usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let most = longest.min((items.len() - at) / 2);
        let hit = (1..=most).find_map(|length| {
            let (phrase, rest) = items[at..].split_at(length);
            if !rest.starts_with(phrase) {
                return None;
            }
            let same = rest.iter().zip(phrase.iter().cycle()).take_while(|(a, b)| a == b).count();
            let needed = times(phrase);
            let counts = same / length + 1 >= needed;
            // A run that never counts is passed over whole; following it from each of its items would take
            // the square of its length.
            (counts || needed == usize::MAX).then_some((length, same, counts))
        });
        if let Some((length, same, counts)) = hit {
            if counts {
                found.push((at + length, at + length + same));
            }
            at += length + same;
        } else {
            at += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_loop_is_kept_once_and_honest_text_stays() {
        let loopy = "The market is growing. ".repeat(40);
        assert_eq!(tidy(&loopy), "The market is growing.");
        let cut = format!("Costs first. {}We should a", "We should act now. ".repeat(5));
        assert_eq!(tidy(&cut), "Costs first. We should act now. a");
        assert_eq!(tidy(&format!("so {}", "很好的".repeat(30))), "so 很好的");
        assert_eq!(tidy(&"ha".repeat(100)), "ha");
        for honest in [
            "It is very, very, very good.",
            "| a | b | c |\n| --- | --- | --- |\n| 0 | 0 | 0 |",
            "- yes\n  - nested\n- no no",
            "--------------------------------------------",
            "Buy low, sell high. Buy low, sell high.",
        ] {
            assert_eq!(tidy(honest), honest);
        }
    }

    #[test]
    fn white_space_shrinks_outside_code() {
        assert_eq!(tidy("a    b\t\tc\n\n\n\n\nd \u{0}e"), "a b c\n\nd e");
        assert_eq!(tidy("```\na    b\n```"), "```\na    b\n```");
        assert_eq!(tidy(&format!("a{}b", "\n ".repeat(5_000))), "a\n\n b");
    }

    #[test]
    fn a_quarter_megabyte_is_done_in_reasonable_time() {
        tidy(&"ab ".repeat(87_000));
        tidy(&"a".repeat(262_144));
        tidy(&"- ".repeat(131_072));
        tidy(&"-".repeat(262_144));
        tidy(&(0..400).map(|n| n.to_string() + " ").collect::<String>().repeat(150));
    }

    proptest! {
        #![proptest_config(properties::cases(256))]

        #[test]
        fn it_only_takes_away(text in any::<String>()) {
            prop_assert!(tidy(&text).chars().count() <= text.chars().count());
        }

        #[test]
        fn twice_is_once(text in "([a-c]{1,4}[ \n]){0,60}") {
            let once = tidy(&text);
            prop_assert_eq!(tidy(&once).len() <= once.len(), true);
        }
    }
}
