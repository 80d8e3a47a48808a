//! Claims without the names that would tell whose they are.

use domain::Philosopher;

/// Given names that go with the names.
const GIVEN: [&str; 8] = ["rené", "rene", "immanuel", "gottfried", "wilhelm", "karl", "bertrand", "sir"];

/// What is said in place of a name.
const SOMEBODY: &str = "a member";

/// Which of the six names may not stand in what others read: those that the text itself does not speak of.
pub(super) struct Anonymous {
    hidden: Vec<Philosopher>,
}

impl Anonymous {
    /// For claims about this text. A text about Kant has claims about Kant, which tell nothing of who holds them.
    pub(super) fn new(text: &str) -> Self {
        // A text is long, and most speak of none of them: it is taken apart into words only for those whose name is
        // somewhere in it.
        let occurs = |member: Philosopher| {
            std::iter::once(member.name()).chain(made(member).iter().copied()).any(|word| text.contains(word))
        };
        let spoken_of = |member: &Philosopher| {
            occurs(*member) && words(text).any(|(_, word)| names(*member, word).is_some())
        };
        Self { hidden: Philosopher::ALL.into_iter().filter(|member| !spoken_of(member)).collect() }
    }

    /// A claim's text with `a member` in place of each name, and without words made of one, such as `Kantian`.
    pub(super) fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        let mut given: Option<usize> = None;
        for (at, word) in words(text) {
            let name = self.hidden.iter().find_map(|member| names(*member, word));
            match name {
                Some(naming) => {
                    // Karl Popper is one name.
                    let start = given.take().filter(|start| *start >= from).unwrap_or(at);
                    out.push_str(&text[from..start]);
                    from = at + word.len();
                    match naming {
                        Naming::Name(ending) => {
                            out.push_str(SOMEBODY);
                            out.push_str(ending);
                        }
                        Naming::Adjective => from += text[from..].len() - text[from..].trim_start().len(),
                    }
                }
                None if GIVEN.contains(&word.to_lowercase().as_str()) => given = given.or(Some(at)),
                None => given = None,
            }
        }
        out.push_str(&text[from..]);
        out
    }
}

/// How a word names somebody.
enum Naming<'a> {
    /// The name, with what stands behind it, such as the `s` of a genitive.
    Name(&'a str),
    /// A word made of it.
    Adjective,
}

fn names(member: Philosopher, word: &str) -> Option<Naming<'_>> {
    if let Some(ending) = word.strip_prefix(member.name()) {
        return matches!(ending, "" | "s").then_some(Naming::Name(ending)).or_else(|| adjective(ending));
    }
    made(member).iter().any(|made| word.starts_with(made)).then_some(Naming::Adjective)
}

/// Words made of a name that do not begin with it.
fn made(member: Philosopher) -> &'static [&'static str] {
    match member {
        Philosopher::Aristotle => &["Aristoteles", "Aristotelian", "Aristotelisch"],
        Philosopher::Descartes => &["Cartesian", "Cartesisch"],
        _ => &[],
    }
}

/// `Kantian`, `Popperian`, `Leibnizian`, `Russellian`; never `Kante`.
fn adjective(ending: &str) -> Option<Naming<'_>> {
    ["ian", "isch", "esque"].iter().any(|made| ending.starts_with(made)).then_some(Naming::Adjective)
}

/// The words of a text and where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_go_unless_the_text_speaks_of_them() {
        let plan = Anonymous::new("We open a shop.");
        for (claim, anonymous) in [
            ("As Popper would say, nothing refutes it.", "As a member would say, nothing refutes it."),
            ("By Kant's rule it undoes itself.", "By a member's rule it undoes itself."),
            ("Karl Popper and Bertrand Russell differ.", "a member and a member differ."),
            ("A Cartesian doubt remains.", "A doubt remains."),
            ("The Kantian test fails", "The test fails"),
            ("Kants Regel", "a members Regel"),
            ("Die Kante bricht, the popper pops.", "Die Kante bricht, the popper pops."),
            ("Karl is nobody", "Karl is nobody"),
        ] {
            assert_eq!(plan.text(claim), anonymous);
        }
        let essay = Anonymous::new("On Kant’s categorical imperative");
        assert_eq!(essay.text("Kant is quoted, Leibniz is not."), "Kant is quoted, a member is not.");
    }

    proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn no_hidden_name_stays(text in "(Kant|Kants|Karl|Popper|Popperian|Cartesian|Russell| |’s|é|[a-z]{1,5}|,){0,20}") {
            let shown = Anonymous::new("A plan.").text(&text);
            for (_, word) in words(&shown) {
                prop_assert!(Philosopher::ALL.into_iter().all(|member| names(member, word).is_none()), "{shown}");
            }
        }
    }
}
