//! Formulas of LaTeX as a plain line: Discord draws none, and Markdown eats half of their backslashes.
//!
//! What stands between `\(` and `\)`, `\[` and `\]`, `$$` and `$$` is one; between single dollars, which mostly are money,
//! only what has a command or a script in it. A fraction, a root or a text is one without them, too. What has rows has no
//! place in a line: it is shown as it was written, as code.

/// Longest formula, in bytes.
const LONGEST: usize = 2_000;
/// How deep a formula may lie in itself.
const DEEPEST: usize = 16;
/// What begins a formula that stands between no signs.
const BARE: [&str; 5] = ["\\frac{", "\\dfrac{", "\\tfrac{", "\\sqrt{", "\\text{"];

/// The text with its formulas written plainly; code stays as it is.
pub(super) fn plain(markdown: &str) -> String {
    if !markdown.contains(['\\', '$']) {
        return markdown.to_owned();
    }
    let mut out = String::with_capacity(markdown.len());
    let mut fence = None::<(char, usize)>;
    let mut text = String::new();
    for line in markdown.split_inclusive('\n') {
        let mark = fence_of(line);
        match fence {
            Some((sign, long)) => {
                out.push_str(line);
                if mark.is_some_and(|(other, length, bare)| other == sign && length >= long && bare) {
                    fence = None;
                }
            }
            None => match mark {
                Some((sign, long, _)) => {
                    out.push_str(&prose(&std::mem::take(&mut text)));
                    out.push_str(line);
                    fence = Some((sign, long));
                }
                None => text.push_str(line),
            },
        }
    }
    out.push_str(&prose(&text));
    out
}

/// The sign and length of a fence, and whether nothing else is on its line.
fn fence_of(line: &str) -> Option<(char, usize, bool)> {
    let line = line.trim();
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let long = line.chars().take_while(|c| *c == sign).count();
    let rest = &line[long..];
    (long >= 3 && !(sign == '`' && rest.contains('`'))).then_some((sign, long, rest.is_empty()))
}

fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '\\', '$']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (written, length) = code(rest).or_else(|| formula(rest)).unwrap_or_else(|| {
            // A sign that is escaped begins nothing; several alike are not looked at one by one.
            let sign = rest.chars().next().unwrap_or_default();
            let alike = rest.len() - rest.trim_start_matches(sign).len();
            let length =
                if sign == '\\' { 1 + rest[1..].chars().next().map_or(0, char::len_utf8) } else { alike };
            (rest[..length].to_owned(), length)
        });
        out.push_str(&written);
        rest = &rest[length..];
    }
    out + rest
}

/// A span of code, which ends with as many backticks as it begins with.
fn code(text: &str) -> Option<(String, usize)> {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let paragraph = &text[..text.find("\n\n").unwrap_or(text.len())];
    let mut at = ticks;
    while ticks > 0 && at < paragraph.len() {
        let from = at + paragraph[at..].find('`')?;
        let long = paragraph[from..].len() - paragraph[from..].trim_start_matches('`').len();
        at = from + long;
        if long == ticks {
            return Some((text[..at].to_owned(), at));
        }
    }
    None
}

/// A formula, as it is written in Markdown, and how long it was.
fn formula(text: &str) -> Option<(String, usize)> {
    let end = (0..=text.len().min(LONGEST)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let near = &text[..end];
    let near = &near[..near.find("\n\n").unwrap_or(near.len())];
    for (open, close) in [("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$")] {
        if let Some(inside) = near.strip_prefix(open)
            && let Some(length) = inside.find(close)
            && !inside[..length].trim().is_empty()
            && (is_meant(&inside[..length]) || open == "$$" && inside[..length].contains(['^', '=']))
        {
            return Some((shown(&inside[..length]), open.len() + length + close.len()));
        }
    }
    if BARE.iter().any(|begin| near.starts_with(begin)) {
        let mut reader = Reader { rest: near, depth: 0, rows: false };
        let line = reader.command()?;
        return Some((escaped(line.trim()), near.len() - reader.rest.len()));
    }
    let inside = near.strip_prefix('$').filter(|inside| !inside.starts_with(['$', ' ']))?;
    let length = inside.find(['$', '\n']).filter(|at| inside[*at..].starts_with('$'))?;
    let (inside, behind) = (&inside[..length], &inside[length + 1..]);
    let math = inside.contains('\\') || inside.contains("^{") || inside.contains("_{");
    let ends = !inside.ends_with(' ') && !behind.starts_with(|c: char| c.is_ascii_digit());
    (math && ends).then(|| (shown(inside), length + 2))
}

/// Whether what stands between escaped brackets is a formula and not words between brackets: it has a command or a script
/// that only LaTeX has. Others lose nothing by being read as Markdown.
fn is_meant(inside: &str) -> bool {
    let command =
        inside.split('\\').skip(1).any(|behind| behind.starts_with(|c: char| c.is_ascii_alphabetic()));
    command || inside.contains("^{") || inside.contains("_{")
}

fn shown(latex: &str) -> String {
    let mut reader = Reader { rest: latex, depth: 0, rows: false };
    let line = reader.group(None);
    if reader.rows {
        let latex = latex.split_whitespace().collect::<Vec<_>>().join(" ");
        return format!("`{}`", latex.replace('`', "'"));
    }
    escaped(&line.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A line in which Markdown finds nothing of its own.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '~' | '[' | ']' | '<' | '>' | '#' | '&' | '|' | '!') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Reads a formula from left to right.
struct Reader<'a> {
    rest: &'a str,
    depth: usize,
    /// It has rows, or lies too deep in itself.
    rows: bool,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    /// Everything up to a sign, or all of it.
    fn group(&mut self, close: Option<char>) -> String {
        self.depth += 1;
        let mut line = String::new();
        while let Some(c) = self.rest.chars().next() {
            if Some(c) == close {
                self.next();
                break;
            }
            if self.depth > DEEPEST {
                self.rows = true;
                self.rest = "";
                break;
            }
            match c {
                '\\' => {
                    let written = self.command().unwrap_or_default();
                    // Letters that a command stands for touch no others: `2 sin x`.
                    let apart = written.chars().count() > 1
                        && line.ends_with(char::is_alphanumeric)
                        && written.starts_with(char::is_alphanumeric);
                    if apart {
                        line.push(' ');
                    }
                    line.push_str(&written);
                }
                '^' | '_' => {
                    self.next();
                    let script = self.argument();
                    line.push(c);
                    line.push_str(&wrapped(&script));
                }
                '{' => {
                    self.next();
                    line.push_str(&self.group(Some('}')));
                }
                '&' => {
                    self.rows = true;
                    self.next();
                }
                '}' => {
                    self.next();
                }
                '~' => {
                    self.next();
                    line.push(' ');
                }
                c => {
                    self.next();
                    line.push(c);
                }
            }
        }
        self.depth -= 1;
        line
    }

    /// What a command is given: a group, another command, or one sign.
    fn argument(&mut self) -> String {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next() {
            Some('{') => {
                self.next();
                self.group(Some('}')).trim().to_owned()
            }
            Some('\\') => self.command().unwrap_or_default().trim().to_owned(),
            _ => self.next().map(String::from).unwrap_or_default(),
        }
    }

    /// A command with what it is given.
    fn command(&mut self) -> Option<String> {
        self.rest = self.rest.strip_prefix('\\')?;
        let long = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        if long == 0 {
            return Some(match self.next()? {
                ',' | ';' | ':' | ' ' | '>' => " ".to_owned(),
                '!' => String::new(),
                '\\' => {
                    self.rows = true;
                    String::new()
                }
                '|' => "‖".to_owned(),
                sign => sign.to_string(),
            });
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            (self.rows, self.rest) = (true, "");
            self.depth -= 1;
            return None;
        }
        let (name, rest) = self.rest.split_at(long);
        self.rest = rest;
        let written = match name {
            "frac" | "dfrac" | "tfrac" | "cfrac" => {
                let (above, below) = (self.argument(), self.argument());
                format!("{}/{}", wrapped(&above), wrapped(&below))
            }
            "sqrt" => self.root(),
            "text" | "textrm" | "textbf" | "textit" | "mathrm" | "mathbf" | "mathit" | "mathsf"
            | "mathbb" | "mathcal" | "operatorname" | "boxed" | "bm" => self.argument(),
            "begin" => {
                self.rows = true;
                String::new()
            }
            "left" | "right" | "big" | "Big" | "bigg" | "Bigg" | "bigl" | "bigr" | "displaystyle"
            | "limits" => {
                self.rest = self.rest.strip_prefix('.').unwrap_or(self.rest);
                String::new()
            }
            "quad" | "qquad" => "  ".to_owned(),
            name => match SIGNS.iter().find(|(one, _)| *one == name) {
                Some((_, sign)) => {
                    // The space that ends a command's name is none of the line, except beside a sign that has spaces.
                    let spaced = "×·÷≤≥≠≈→⇒∈∝±".contains(sign);
                    self.rest = self.rest.trim_start();
                    if spaced { format!(" {sign} ") } else { (*sign).to_owned() }
                }
                // The name of a function, or a command that nobody knows here.
                None => name.to_owned(),
            },
        };
        self.depth -= 1;
        Some(written)
    }

    fn root(&mut self) -> String {
        let degree = match self.rest.strip_prefix('[') {
            Some(rest) => {
                self.rest = rest;
                self.group(Some(']'))
            }
            None => String::new(),
        };
        let of = self.argument();
        match degree.trim() {
            "" | "2" => format!("√({of})"),
            "3" => format!("∛({of})"),
            degree => format!("({of})^(1/{degree})"),
        }
    }
}

/// In brackets, unless it is one thing.
fn wrapped(text: &str) -> String {
    let one = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | '%' | '∞' | '\''));
    if one { text.to_owned() } else { format!("({text})") }
}

/// Commands that stand for a sign.
const SIGNS: [(&str, &str); 58] = [
    ("times", "×"),
    ("cdot", "·"),
    ("div", "÷"),
    ("pm", "±"),
    ("le", "≤"),
    ("leq", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("approx", "≈"),
    ("sim", "∼"),
    ("equiv", "≡"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("Rightarrow", "⇒"),
    ("implies", "⇒"),
    ("in", "∈"),
    ("propto", "∝"),
    ("infty", "∞"),
    ("sum", "∑"),
    ("prod", "∏"),
    ("int", "∫"),
    ("partial", "∂"),
    ("nabla", "∇"),
    ("ldots", "…"),
    ("dots", "…"),
    ("cdots", "…"),
    ("lfloor", "⌊"),
    ("rfloor", "⌋"),
    ("lceil", "⌈"),
    ("rceil", "⌉"),
    ("degree", "°"),
    ("circ", "°"),
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("varepsilon", "ε"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Delta", "Δ"),
    ("Sigma", "Σ"),
    ("Omega", "Ω"),
    ("Pi", "Π"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_is_a_plain_line() {
        for (latex, line) in [
            (r"The yield is \( \frac{1}{2} x^2 \).", "The yield is 1/2 x^2."),
            (r"\[ \text{cost} = 40{,}000 \times 1.2 \]", "cost = 40,000 × 1.2"),
            (r"$$\sqrt{a^2 + b^2} \le \frac{a+b}{c}$$", "√(a^2 + b^2) ≤ (a+b)/c"),
            (r"$E = mc^{2}$ and $x_{i+1}$", r"E = mc^2 and x\_(i+1)"),
            (r"about \frac{1}{2} of it, \sqrt{2} too", "about 1/2 of it, √(2) too"),
            (r"$\alpha \cdot 5\,\%$", "α · 5 %"),
            (r"\(\sum_{i=1}^n x_i\)", r"∑\_(i=1)^n x\_i"),
            (r"\(\left(1 + r\right)^{5}\)", "(1 + r)^5"),
            (r"\(2\sin x\)", "2 sin x"),
        ] {
            assert_eq!(plain(latex), line);
        }
    }

    #[test]
    fn what_is_no_formula_stays() {
        for text in [
            "between $5 and $10, or $3 to $4",
            "costs $5_000 and \\$6, \\*",
            "`\\( \\frac{1}{2} \\)` and ``a ` \\(x\\)``",
            "```\n\\(x^2\\)\n```\n",
            "~~~latex\n\\frac{1}{2}\n~~~",
            "C:\\text and \\[see the plan\\] for more",
            "as said \\[1\\], \\[F2\\], \\(a\\_b\\) and \\[x = 1\\]",
            "$$ alone, from $$ to $$$",
        ] {
            assert_eq!(plain(text), text);
        }
    }

    #[test]
    fn what_has_rows_or_no_end_is_shown_as_it_was_written() {
        let matrix = r"\[\begin{matrix} a & b \\ c & d \end{matrix}\]";
        assert_eq!(plain(matrix), r"`\begin{matrix} a & b \\ c & d \end{matrix}`");
        let deep = format!("\\({}1{}\\)", r"\frac{".repeat(40), "}{2}".repeat(40));
        assert!(plain(&deep).starts_with(r"`\frac{\frac{"), "{}", plain(&deep));
        for wild in ["\\(", "\\frac{", "$\\", "\\frac{\\", "`", "\\", "$$x", "\\sqrt{[", "é\\frac{é"] {
            let long = wild.repeat(20_000);
            let begun = std::time::Instant::now();
            plain(&long);
            assert!(begun.elapsed().as_secs() < 5, "{wild}");
        }
    }

    proptest::proptest! {
        #![proptest_config(properties::cases(64))]

        #[test]
        fn nothing_breaks_it(text in r"[a-z0-9é \\$`{}()\[\]^_&~\n]{0,60}") {
            plain(&text);
        }
    }
}
