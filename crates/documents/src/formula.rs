//! Formulas as a line that everybody reads alike: `1/2`, `x^2`, `√(a + b)`. Those of Office documents (OMML) and those of
//! the web and of `OpenDocument` (`MathML`). One that has rows or lies too deep in itself cannot be written in a line, and is
//! named as not read rather than guessed at.

/// How deep a formula may lie in itself.
const DEEPEST: usize = 24;

/// Longest formula that is written in a line, in bytes.
const LONGEST: usize = 2_000;

/// What stands for a formula that is not read.
pub(super) const UNREAD: &str = "[a formula that is not read]";

/// A formula as it is read, element by element.
#[derive(Debug, Default)]
pub(super) struct Formula {
    open: Vec<Element>,
    /// Elements that are open, those beyond the deepest, too.
    depth: usize,
    unread: bool,
    written: usize,
}

/// An element of a formula.
#[derive(Debug, Default)]
struct Element {
    name: String,
    /// What its attributes say: of an operator its sign, of brackets those.
    said: Vec<(String, String)>,
    /// What is in it: the name of each element, and how it is written.
    inside: Vec<(String, Part)>,
}

/// A part of a formula as it is written.
#[derive(Clone, Debug, Default)]
struct Part {
    text: String,
    /// It is more than letters as they stand: none may touch it.
    built: bool,
}

impl Formula {
    /// An element begins; `attribute` gives what it says.
    pub(super) fn start(&mut self, name: &str, attribute: impl Fn(&str) -> Option<String>) {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.unread = true;
            return;
        }
        let said = |key: &&str| Some(((*key).to_owned(), attribute(key)?));
        let keys = ["val", "open", "close", "separators", "linethickness"];
        let said = keys.iter().filter_map(said).collect();
        self.open.push(Element { name: name.to_owned(), said, inside: Vec::new() });
    }

    /// Letters between elements.
    pub(super) fn text(&mut self, text: &str) {
        self.written += text.len();
        if self.depth > DEEPEST || self.written > LONGEST {
            self.unread = true;
            return;
        }
        if let Some(element) = self.open.last_mut() {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            element.inside.push((String::new(), Part { text, built: false }));
        }
    }

    /// An element ends. Gives the whole where it was the outermost: nothing where there is nothing in it, [`UNREAD`]
    /// where it cannot be written in a line.
    pub(super) fn end(&mut self) -> Option<String> {
        self.depth = self.depth.saturating_sub(1);
        if self.depth >= DEEPEST {
            return None;
        }
        let element = self.open.pop()?;
        let (name, said) = (element.name.clone(), element.said.clone());
        let part = self.written(element);
        let Some(outer) = self.open.last_mut() else {
            let unread = std::mem::take(self).unread || part.text.len() > LONGEST;
            return Some(if unread { UNREAD.to_owned() } else { part.text.trim().to_owned() });
        };
        // What describes an element says it by elements of its own.
        if name.ends_with("Pr") {
            outer.said.extend(said);
        } else if outer.name.ends_with("Pr") {
            outer.said.extend(said.into_iter().map(|(_, value)| (name.clone(), value)));
        } else {
            outer.inside.push((name, part));
        }
        None
    }

    /// How an element is written.
    fn written(&mut self, element: Element) -> Part {
        let Element { name, said, inside } = element;
        let said = |key: &str| said.iter().find(|(one, _)| one == key).map(|(_, value)| value.as_str());
        let named = |wanted: &str| {
            inside
                .iter()
                .find(|(name, _)| name == wanted)
                .map(|(_, part)| part.text.as_str())
                .unwrap_or_default()
        };
        let elements: Vec<&str> =
            inside.iter().filter(|(name, _)| !name.is_empty()).map(|(_, part)| part.text.as_str()).collect();
        let at = |number: usize| elements.get(number).copied().unwrap_or_default();
        let text = match name.as_str() {
            "f" if matches!(said("type"), Some("noBar")) => return self.not_read(),
            "f" => fraction(named("num"), named("den")),
            "mfrac" if matches!(said("linethickness"), Some("0" | "0px" | "0pt")) => return self.not_read(),
            "mfrac" => fraction(at(0), at(1)),
            "sSup" => raised(named("e"), named("sup")),
            "sSub" => lowered(named("e"), named("sub")),
            "msub" | "munder" => lowered(at(0), at(1)),
            "sSubSup" => scripts(&grouped(named("e")), named("sub"), named("sup")),
            "msubsup" | "munderover" => scripts(&grouped(at(0)), at(1), at(2)),
            "mover" if is_accent(at(1)) => format!("{}{}", wrapped(at(0)), at(1)),
            "msup" | "mover" => raised(at(0), at(1)),
            "limLow" => lowered(named("e"), named("lim")),
            "limUpp" => raised(named("e"), named("lim")),
            "rad" => root(named("e"), named("deg")),
            "msqrt" => root(&joined(&inside), ""),
            "mroot" => root(at(0), at(1)),
            "nary" => {
                let sign = said("chr").unwrap_or("∫");
                format!("{} {}", scripts(sign, named("sub"), named("sup")), named("e"))
            }
            "d" => {
                let (open, close) = (said("begChr").unwrap_or("("), said("endChr").unwrap_or(")"));
                let between = said("sepChr").unwrap_or("|");
                format!("{open}{}{close}", elements.join(between))
            }
            "mfenced" => {
                let (open, close) = (said("open").unwrap_or("("), said("close").unwrap_or(")"));
                let between = said("separators").unwrap_or(",").trim().chars().next().unwrap_or(',');
                format!("{open}{}{close}", elements.join(&format!("{between} ")))
            }
            "func" => function(named("fName"), &wrapped(named("e"))),
            "acc" => format!("{}{}", wrapped(named("e")), said("chr").unwrap_or("\u{302}")),
            "bar" => format!("{}\u{305}", wrapped(named("e"))),
            // Rows, and what stands on the left of a letter, have no place in a line.
            "m" | "eqArr" | "mtable" | "mmultiscripts" | "sPre" | "mlongdiv" | "mstack" => {
                return self.not_read();
            }
            "annotation" | "annotation-xml" | "phant" | "mphantom" => String::new(),
            "mo" | "mi" | "mn" | "mtext" | "ms" | "t" | "r" => {
                return Part { text: joined(&inside), built: false };
            }
            _ => {
                let built = inside.iter().any(|(_, part)| part.built);
                return Part { text: joined(&inside), built };
            }
        };
        Part { text, built: true }
    }

    fn not_read(&mut self) -> Part {
        self.unread = true;
        Part::default()
    }
}

/// Parts one behind the other: none that is built touches letters or digits.
fn joined(parts: &[(String, Part)]) -> String {
    let mut text = String::new();
    let mut last = false;
    for (_, part) in parts {
        let touch = text.ends_with(char::is_alphanumeric) && part.text.starts_with(char::is_alphanumeric);
        let digits = text.ends_with(is_digit) && part.text.starts_with(is_digit);
        if touch && (last || (part.built && digits)) {
            text.push(' ');
        }
        text.push_str(&part.text);
        last = part.built;
    }
    text
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn fraction(above: &str, below: &str) -> String {
    format!("{}/{}", wrapped(above), wrapped(below))
}

fn raised(base: &str, power: &str) -> String {
    if power.is_empty() { base.to_owned() } else { scripts(&grouped(base), "", power) }
}

fn lowered(base: &str, index: &str) -> String {
    if index.is_empty() { base.to_owned() } else { scripts(&grouped(base), index, "") }
}

/// What stands below and above a sign.
fn scripts(base: &str, below: &str, above: &str) -> String {
    let script = |mark: &str, text: &str| {
        if text.is_empty() { String::new() } else { format!("{mark}{}", wrapped(text)) }
    };
    format!("{base}{}{}", script("_", below), script("^", above))
}

fn root(of: &str, degree: &str) -> String {
    match degree {
        "" | "2" => format!("√({of})"),
        "3" => format!("∛({of})"),
        degree => format!("({of})^(1/{degree})"),
    }
}

/// In brackets, unless it is one thing.
fn wrapped(text: &str) -> String {
    let one = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | '%' | '∞' | '′'));
    if one || is_bracketed(text) { text.to_owned() } else { format!("({text})") }
}

/// What a power belongs to: in brackets where it would belong to its last letter only.
fn grouped(text: &str) -> String {
    let bare = text.chars().all(|c| !(c.is_whitespace() || "+-−–·×/=^".contains(c)));
    if bare || is_bracketed(text) { text.to_owned() } else { format!("({text})") }
}

/// Whether one pair of brackets holds all of it.
fn is_bracketed(text: &str) -> bool {
    if !(text.starts_with(['(', '[']) && text.ends_with([')', ']'])) {
        return false;
    }
    let mut open = 0_i32;
    let closes_early = text.char_indices().any(|(at, c)| {
        open += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        open == 0 && at + 1 < text.len()
    });
    !closes_early
}

fn function(name: &str, of: &str) -> String {
    let space = if of.starts_with('(') { "" } else { " " };
    format!("{name}{space}{of}")
}

fn is_accent(sign: &str) -> bool {
    let mut signs = sign.chars();
    matches!(
        (signs.next(), signs.next()),
        (Some('^' | '¯' | '~' | '˙' | '→' | '‾' | '\u{300}'..='\u{36f}'), None)
    )
}

#[cfg(test)]
mod tests {
    use quick_xml::{Reader, events::Event};

    use super::*;
    use crate::package::{attribute, local};

    /// What is made of a formula.
    fn line(xml: &str) -> Option<String> {
        let mut reader = Reader::from_str(xml);
        reader.config_mut().expand_empty_elements = true;
        let mut formula = Formula::default();
        loop {
            match reader.read_event().unwrap() {
                Event::Start(start) => formula.start(local(&start), |name| attribute(&start, name)),
                Event::Text(text) => formula.text(&text.xml10_content()),
                Event::End(_) => {
                    if let Some(done) = formula.end() {
                        return Some(done);
                    }
                }
                Event::Eof => return None,
                _ => {}
            }
        }
    }

    fn run(text: &str) -> String {
        format!("<m:r><m:t>{text}</m:t></m:r>")
    }

    #[test]
    fn formulas_of_office_are_written_in_a_line() {
        let (one, two, x) = (run("1"), run("2"), run("x"));
        let half = format!("<m:f><m:num>{one}</m:num><m:den>{two}</m:den></m:f>");
        let square = |base: &str| format!("<m:sSup><m:e>{base}</m:e><m:sup>{two}</m:sup></m:sSup>");
        let sum = format!(
            "<m:nary><m:naryPr><m:chr m:val=\"∑\"/></m:naryPr><m:sub>{}</m:sub><m:sup>{}</m:sup><m:e><m:sSub><m:e>{x}</m:e><m:sub>{}</m:sub></m:sSub></m:e></m:nary>",
            run("i=1"),
            run("n"),
            run("i")
        );
        let brackets = |inside: &str| {
            format!(
                "<m:d><m:dPr><m:begChr m:val=\"[\"/><m:endChr m:val=\"]\"/></m:dPr><m:e>{inside}</m:e></m:d>"
            )
        };
        for (inside, written) in [
            (half.clone(), "1/2"),
            (format!("{}{half}", run("3")), "3 1/2"),
            (format!("{half}{}", run("5")), "1/2 5"),
            (square(&run("a+b")), "(a+b)^2"),
            (format!("{}{}", run("E=m"), square(&run("c"))), "E=mc^2"),
            (square(&brackets(&run("a+b"))), "[a+b]^2"),
            (format!("<m:rad><m:deg/><m:e>{}</m:e></m:rad>", run("a + b")), "√(a + b)"),
            (format!("<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>", run("a+b"), run("2c")), "(a+b)/2c"),
            (sum, "∑_(i=1)^n x_i"),
            (format!("<m:func><m:fName>{}</m:fName><m:e>{x}</m:e></m:func>", run("ln")), "ln x"),
            (format!("{one}{two}"), "12"),
        ] {
            assert_eq!(line(&format!("<m:oMath>{inside}</m:oMath>")), Some(written.to_owned()), "{inside}");
        }
    }

    #[test]
    fn formulas_of_the_web_are_written_in_a_line() {
        for (inside, written) in [
            ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2"),
            ("<mrow><mn>3</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></mrow>", "3 1/2"),
            (
                "<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>",
                "x^2+√(a+b)",
            ),
            (
                "<semantics><mrow><msub><mi>x</mi><mi>i</mi></msub></mrow><annotation>x_i</annotation></semantics>",
                "x_i",
            ),
            ("<mroot><mi>x</mi><mn>3</mn></mroot>", "∛(x)"),
            ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        ] {
            assert_eq!(line(&format!("<math>{inside}</math>")), Some(written.to_owned()), "{inside}");
        }
    }

    #[test]
    fn what_has_no_place_in_a_line_is_named_as_not_read() {
        let row = format!("<m:m><m:mr><m:e>{}</m:e></m:mr></m:m>", run("1"));
        assert_eq!(line(&format!("<m:oMath>{row}</m:oMath>")), Some(UNREAD.to_owned()));
        assert_eq!(
            line("<math><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable></math>"),
            Some(UNREAD.to_owned())
        );
        let deep = format!("<math>{}<mn>1</mn>{}</math>", "<msqrt>".repeat(1_000), "</msqrt>".repeat(1_000));
        assert_eq!(line(&deep), Some(UNREAD.to_owned()));
        let long = format!("<math><mn>{}</mn></math>", "1".repeat(LONGEST + 1));
        assert_eq!(line(&long), Some(UNREAD.to_owned()));
        assert_eq!(line("<math></math>"), Some(String::new()));
    }
}
