//! Letters that stand higher or lower than their line, so that they stay apart from what they stand beside: `10^6` is not
//! 106, and `$320[1]` is not 3,201 dollars.
//!
//! Nothing in a file says whether a raised number is a power or the mark of a note; what stands before it mostly does.

/// Where letters stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Level {
    /// On their line.
    #[default]
    On,
    /// Above it.
    Raised,
    /// Above it, and known to be the mark of a note.
    Noted,
    /// Below it.
    Lowered,
}

/// Longest run of raised or lowered letters that has a meaning of its own, in characters; a longer one is text that is
/// only set so.
const LONGEST: usize = 24;

/// How much of a line is looked at to tell what a raised number is, in bytes.
const BEFORE: usize = 80;

/// What is written behind a number with nothing between, such as `1st`.
const ORDINALS: [&str; 19] = [
    "st", "nd", "rd", "th", "er", "re", "e", "es", "ère", "eme", "ème", "ième", "d", "de", "o", "a", "os",
    "as", "º",
];

/// The ends of shortened words, such as `Mme` and `No`.
const ENDINGS: [&str; 7] = ["me", "lle", "mes", "lles", "o", "os", "r"];

/// How letters are set, as far as it changes what they say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Set {
    /// Where they stand.
    pub(super) level: Level,
    /// They are struck through: `~~900~~`.
    pub(super) struck: bool,
}

/// What may not follow at once on what was written last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Closed {
    #[default]
    Nothing,
    /// A digit: it would join another number.
    Digits,
    /// A digit or a letter.
    Letters,
}

impl Closed {
    fn to(self, next: &str) -> bool {
        match self {
            Self::Nothing => false,
            Self::Digits => next.starts_with(|c: char| c.is_ascii_digit()),
            Self::Letters => next.starts_with(char::is_alphanumeric),
        }
    }
}

/// A line as it grows, with the letters that wait until it is known what stands behind them.
#[derive(Debug, Default)]
pub(super) struct Line {
    text: String,
    level: Level,
    waiting: String,
    struck: bool,
    /// What was written last may not touch what follows.
    closed: Closed,
}

impl Line {
    /// Adds letters.
    pub(super) fn add(&mut self, set: Set, letters: &str) {
        if letters.is_empty() {
            return;
        }
        let struck = if letters.trim().is_empty() { self.struck } else { set.struck };
        if set.level == self.level && set.level != Level::On && struck == self.struck {
            return self.waiting.push_str(letters);
        }
        self.settle(letters);
        self.strike(struck);
        self.level = set.level;
        if set.level != Level::On {
            letters.clone_into(&mut self.waiting);
            return;
        }
        if std::mem::take(&mut self.closed).to(letters) {
            self.text.push(' ');
        }
        self.text.push_str(letters);
    }

    /// Adds what is one thing, such as a formula: no letter and no digit touches it.
    pub(super) fn add_apart(&mut self, whole: &str) {
        self.settle(whole);
        self.level = Level::On;
        if self.text.ends_with(char::is_alphanumeric) && whole.starts_with(char::is_alphanumeric) {
            self.text.push(' ');
        }
        self.text.push_str(whole);
        let open = !whole.ends_with(char::is_alphanumeric);
        self.closed = if open { Closed::Nothing } else { Closed::Letters };
    }

    /// Whether there is nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.waiting.is_empty()
    }

    /// Whether there is nothing in it but white space.
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty() && self.waiting.trim().is_empty()
    }

    /// Whether its last letter is white space.
    pub(super) fn ends_with_space(&self) -> bool {
        let last = if self.waiting.is_empty() { &self.text } else { &self.waiting };
        last.ends_with([' ', '\t'])
    }

    /// The whole line, behind which a new one begins.
    pub(super) fn take(&mut self) -> String {
        self.settle("");
        self.strike(false);
        std::mem::take(self).text
    }

    /// Begins or ends what is struck through.
    fn strike(&mut self, struck: bool) {
        if std::mem::replace(&mut self.struck, struck) == struck {
            return;
        }
        let space = if struck { "" } else { &self.text[self.text.trim_end().len()..] }.to_owned();
        self.text.truncate(self.text.len() - space.len());
        self.text.push_str("~~");
        self.text.push_str(&space);
    }

    /// Writes what waits, with what follows it in sight.
    fn settle(&mut self, next: &str) {
        let waiting = std::mem::take(&mut self.waiting);
        let inner = waiting.trim();
        if inner.is_empty() {
            return self.text.push_str(&waiting);
        }
        let end = waiting.ends_with(char::is_whitespace);
        if waiting.starts_with(char::is_whitespace) && !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
        let before = self.text.trim_end_matches('~');
        let written = match self.level {
            Level::On => inner.to_owned(),
            _ if inner.chars().count() > LONGEST => inner.to_owned(),
            Level::Lowered => lowered(before, inner),
            level => raised(before, inner, next, level == Level::Noted),
        };
        self.text.push_str(&written);
        if end {
            self.text.push(' ');
        }
        self.closed = match self.level {
            Level::On => Closed::Nothing,
            _ if end || !written.ends_with(|c: char| c.is_ascii_digit()) => Closed::Nothing,
            _ if written == inner => Closed::Digits,
            _ => Closed::Letters,
        };
    }
}

/// Lowered letters: `CO2`, `x_n`, and `log_2`, of which nobody may think that it is one number with what is before it.
fn lowered(line: &str, letters: &str) -> String {
    // The lower half of a fraction.
    if line.ends_with(['/', '⁄']) {
        return letters.to_owned();
    }
    let word = line.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let chemical = word.chars().next_back().is_some_and(char::is_alphabetic)
        && letters.bytes().all(|byte| byte.is_ascii_digit())
        && word.chars().any(char::is_uppercase);
    if chemical || !letters.starts_with(char::is_alphanumeric) || word.is_empty() {
        return letters.to_owned();
    }
    if is_one(letters) { format!("_{letters}") } else { format!("_({letters})") }
}

/// Raised letters behind a line.
fn raised(line: &str, letters: &str, next: &str, noted: bool) -> String {
    let plain = || letters.to_owned();
    if letters.starts_with(['[', '(', '^']) || !letters.chars().any(char::is_alphanumeric) {
        // A mark that says it is one, or an asterisk, a dagger, a degree.
        return plain();
    }
    let mark = || format!("[{letters}]");
    if noted {
        return mark();
    }
    let from = line.len().saturating_sub(BEFORE);
    let from = (from..=line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or_default();
    let before = &line[from..];
    let digits = letters.bytes().all(|byte| byte.is_ascii_digit());
    if digits && next.starts_with(['/', '⁄']) {
        // The upper half of a fraction.
        return if before.ends_with(|c: char| c.is_alphanumeric()) { format!(" {letters}") } else { plain() };
    }
    let last = before.chars().next_back().unwrap_or(' ');
    let known = letters.to_lowercase();
    if matches!(known.as_str(), "tm" | "sm" | "®" | "©") {
        return format!("({letters})");
    }
    let power = || if is_one(letters) { format!("^{letters}") } else { format!("^({letters})") };
    if letters.chars().all(char::is_alphabetic) {
        return match last {
            last if last.is_ascii_digit() && ORDINALS.contains(&known.as_str()) => plain(),
            last if last.is_alphabetic() && ENDINGS.contains(&known.as_str()) => plain(),
            _ if letters.chars().count() > 3 => plain(),
            last if last.is_alphabetic() && word(before).chars().count() > 2 => mark(),
            last if last.is_alphanumeric() || last == ')' => power(),
            _ => mark(),
        };
    }
    let negative = letters.starts_with(['-', '−', '–', '+']);
    let is_power = match last {
        _ if !letters.chars().all(|c| c.is_alphanumeric() || "-−–+./".contains(c)) => false,
        last if last.is_ascii_digit() => negative || of_number(before, letters, next),
        // A charge: `Ca^2+`.
        last if last.is_alphabetic() && letters.ends_with(['+', '-', '−']) => true,
        last if last.is_alphabetic() => negative || of_letters(before, next),
        ')' => negative || of_brackets(before),
        _ => false,
    };
    if is_power { power() } else { mark() }
}

/// Whether a raised number behind a number is its power: 10 and 2 have powers, another small number where it is worked out.
/// To all else there is a note: `within 30[2] days` is taken for no 900 days.
fn of_number(before: &str, letters: &str, next: &str) -> bool {
    let amount = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '’');
    let number = before.trim_end_matches(amount).len();
    let (head, number) = before.split_at(number);
    if head.trim_end().ends_with(is_money) || (letters == "1" && number != "10") {
        return false;
    }
    let small = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
    matches!(number, "2" | "10") || (small && is_worked_out(head, next))
}

/// Whether what stands between these is part of a sum.
fn is_worked_out(before: &str, next: &str) -> bool {
    let sign = |c: char| "=+−·×*/÷^<>≤≥≈√".contains(c);
    before.trim_end().ends_with(sign) || next.trim_start().starts_with(sign)
}

fn is_money(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' | '₺')
}

/// Whether a raised number behind letters is their power: `x^2`, `km^2`, `mc^2`. Words have notes, and so have the options
/// A and B.
fn of_letters(before: &str, next: &str) -> bool {
    const UNITS: [&str; 11] = ["mm", "cm", "dm", "km", "ft", "in", "yd", "mi", "sin", "cos", "tan"];
    let word = word(before);
    let head = &before[..before.len() - word.len()];
    match word.chars().count() {
        1 if word.chars().all(char::is_uppercase) => {
            is_worked_out(head, next) || !head.trim_end().ends_with(char::is_alphabetic)
        }
        1 => true,
        _ => UNITS.contains(&word) || (word.len() == 2 && is_worked_out(head, next)),
    }
}

/// Whether a raised number behind brackets is their power: there are no words in them.
fn of_brackets(before: &str) -> bool {
    let inside = before.trim_end_matches(')').rsplit('(').next().unwrap_or_default();
    !inside.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() > 2)
}

fn word(before: &str) -> &str {
    before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default()
}

/// Whether a power is one thing, which needs no brackets.
fn is_one(letters: &str) -> bool {
    let bare = letters.trim_start_matches(['-', '−', '–', '+']).trim_end_matches(['+', '-', '−']);
    bare.chars().all(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of pieces: `^` before what is raised, `_` before what is lowered, `!` before what is a mark, `~` before
    /// what is struck through.
    fn line(pieces: &[&str]) -> String {
        let mut line = Line::default();
        for piece in pieces {
            let letters = piece.trim_start_matches(['^', '!', '_', '~']);
            let level = match piece.chars().next() {
                Some('^') => Level::Raised,
                Some('!') => Level::Noted,
                Some('_') => Level::Lowered,
                _ => Level::On,
            };
            line.add(Set { level, struck: piece.starts_with('~') }, letters);
        }
        line.take()
    }

    #[test]
    fn powers_are_powers_and_marks_are_marks() {
        for (pieces, written) in [
            (&["10", "^6", " bottles, $320", "^1", " a day"][..], "10^6 bottles, $320[1] a day"),
            (&["5 × 10", "^−3"], "5 × 10^−3"),
            (&["1,250", "^2", " euros"], "1,250[2] euros"),
            (&["in 2024", "^3", ", 12 %", "^4"], "in 2024[3], 12 %[4]"),
            (&["2", "^8", " is 256"], "2^8 is 256"),
            (&["5", "^2", " = 25, within 30", "^2", " days"], "5^2 = 25, within 30[2] days"),
            (
                &["Option A", "^1", " and the EU", "^2", ", A", "^2", " + b", "^2"],
                "Option A[1] and the EU[2], A^2 + b^2",
            ),
            (&["E = mc", "^2", ", $10", "^6"], "E = mc^2, $10[6]"),
            (&["20", "^1", " people"], "20[1] people"),
            (&["€20", "^2"], "€20[2]"),
            (&["40 m", "^2", " at 3 km", "^2"], "40 m^2 at 3 km^2"),
            (&["revenue", "^2", " grew", "^1,3"], "revenue[2] grew[1,3]"),
            (&["the offer.", "^12", " Then"], "the offer.[12] Then"),
            (&["(1 + r)", "^5", " (net of tax)", "^2"], "(1 + r)^5 (net of tax)[2]"),
            (&["x", "^n+1", " and e", "^x"], "x^(n+1) and e^x"),
            (&["the 1", "^st", " and 2", "^e", ", M", "^me"], "the 1st and 2e, Mme"),
            (&["Acme", "^TM", " price", "^*", " see", "^[3]"], "Acme(TM) price* see[3]"),
            (&["^1", " Without tax"], "[1] Without tax"),
            (&["x", "!2", " y"], "x[2] y"),
            (&["3 ", "^1", "/", "_2", " hours; 3", "^1", "⁄", "_2"], "3 1/2 hours; 3 1⁄2"),
            (&["10", "^6", "5"], "10^6 5"),
            (&["10", "^1", "^2", " pieces"], "10^12 pieces"),
        ] {
            assert_eq!(line(pieces), written);
        }
    }

    #[test]
    fn what_is_lowered_joins_no_number() {
        for (pieces, written) in [
            (&["CO", "_2", " falls, H", "_2", "O"][..], "CO2 falls, H2O"),
            (&["log", "_2", "8"], "log_2 8"),
            (&["5", "_2", " x", "_i", " and x", "_i+1"], "5_2 x_i and x_(i+1)"),
        ] {
            assert_eq!(line(pieces), written);
        }
    }

    #[test]
    fn text_that_is_only_set_higher_is_text() {
        let long = "^this whole sentence is set a little higher than others";
        assert_eq!(line(&["So ", long, " it is"]), format!("So {} it is", &long[1..]));
        assert_eq!(line(&["a", "^ ", "b"]), "a b");
    }

    #[test]
    fn a_formula_touches_no_number_and_what_is_struck_is_marked() {
        let mut line_of = Line::default();
        line_of.add(Set::default(), "3");
        line_of.add_apart("1/2");
        line_of.add(Set::default(), "5 hours");
        assert_eq!(line_of.take(), "3 1/2 5 hours");
        assert_eq!(line(&["now ", "~900 ", "~euros ", "800"]), "now ~~900 euros~~ 800");
        assert_eq!(line(&["~gone"]), "~~gone~~");
    }

    proptest::proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn no_letter_is_lost(pieces in proptest::collection::vec(("[0-9a-z]{1,5}", 0..3_u8), 1..12)) {
            let mut line = Line::default();
            let mut all = String::new();
            for (letters, level) in &pieces {
                let level = [Level::On, Level::Raised, Level::Lowered][usize::from(*level)];
                line.add(Set { level, struck: false }, letters);
                all.push_str(letters);
            }
            let kept: String = line.take().chars().filter(char::is_ascii_alphanumeric).collect();
            proptest::prop_assert_eq!(kept, all);
        }
    }
}
