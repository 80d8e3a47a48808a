//! A sentence as words, with what stands between them.

/// A word.
pub(super) struct Word {
    /// In small letters.
    pub lower: String,
    /// As it is written.
    pub written: String,
    /// What divides it from the word before: a space, or the strongest mark between the two.
    pub before: char,
    /// What follows it: a space before another word, a mark, or a full stop at the end.
    pub after: char,
}

impl Word {
    /// Whether it begins with a capital letter.
    pub(super) fn is_capital(&self) -> bool {
        self.written.starts_with(char::is_uppercase)
    }
}

/// The words of a sentence. Emphasis makes no difference; what is joined by a hyphen or an apostrophe is several words.
pub(super) fn read(sentence: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut written = String::new();
    let mut between = ' ';
    let mut chars = sentence.chars().peekable();
    while let Some(c) = chars.next() {
        let joins = c == '_' && !written.is_empty() && chars.peek().is_some_and(|c| c.is_alphanumeric());
        if c.is_alphanumeric() || joins {
            written.push(c);
            continue;
        }
        end(&mut words, &mut written, &mut between);
        match c {
            '*' | '_' | '~' => {}
            '’' | '\'' if between == ' ' => between = '\'',
            _ if c.is_whitespace() => {
                // `the states' duty`: the mark belongs to the word.
                if between == '\'' {
                    between = ' ';
                }
            }
            _ => between = c,
        }
    }
    end(&mut words, &mut written, &mut between);
    let follows: Vec<char> = words.iter().skip(1).map(|word| word.before).chain(['.']).collect();
    for (word, after) in words.iter_mut().zip(follows) {
        word.after = after;
    }
    words
}

fn end(words: &mut Vec<Word>, written: &mut String, between: &mut char) {
    if !written.is_empty() {
        let written = std::mem::take(written);
        let before = std::mem::replace(between, ' ');
        words.push(Word { lower: written.to_lowercase(), written, before, after: ' ' });
    }
}

/// Whether a phrase begins at a word: words with a space between them, `a|b` for one or the other, `a?` for one that may
/// be missing, `ab*` for every word that begins so. Nothing but spaces, hyphens and apostrophes may divide them.
pub(super) fn phrase(words: &[Word], at: usize, phrase: &str) -> bool {
    let elements: Vec<&str> = phrase.split(' ').collect();
    begins(words, at, &elements, true)
}

/// Whether one of the phrases stands anywhere, and where first.
pub(super) fn any(words: &[Word], phrases: &[&str]) -> bool {
    (0..words.len()).any(|at| phrases.iter().any(|one| phrase(words, at, one)))
}

fn begins(words: &[Word], at: usize, elements: &[&str], first: bool) -> bool {
    let Some((element, rest)) = elements.split_first() else { return true };
    let (element, may_miss) = element.strip_suffix('?').map_or((*element, false), |element| (element, true));
    let here = words.get(at).filter(|word| first || matches!(word.before, ' ' | '-' | '\''));
    let fits = here.is_some_and(|word| {
        element
            .split('|')
            .any(|one| one.strip_suffix('*').map_or(one == word.lower, |begin| word.lower.starts_with(begin)))
    });
    (fits && begins(words, at + 1, rest, false)) || (may_miss && begins(words, at, rest, first))
}
