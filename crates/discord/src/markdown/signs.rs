//! Markdown as people mean it who write numbers: `3~5 days` strikes nothing, `10*2*3` is a product, and a formula of
//! LaTeX is a plain line.
//!
//! Signs that are letters have a stand-in while the text is parsed, and are themselves again in its tree.

use comrak::{
    Arena, Node, Options,
    nodes::{AstNode, NodeValue},
    parse_document,
};

use super::formula;

/// Stands for an asterisk that multiplies.
const TIMES: char = '\u{e001}';
/// Stands for a tilde that is alone.
const TO: char = '\u{e002}';

/// The tree of a text.
#[must_use]
pub fn parse<'a>(arena: &'a Arena<'a>, markdown: &str, options: &Options<'_>) -> Node<'a> {
    let root = parse_document(arena, &with_stand_ins(&formula::plain(markdown)), options);
    for node in root.descendants() {
        restore(node);
    }
    root
}

fn restore(node: &AstNode<'_>) {
    match &mut node.data_mut().value {
        NodeValue::Text(text) if text.contains([TIMES, TO]) => *text = signs(text).into(),
        NodeValue::Code(code) => code.literal = signs(&code.literal),
        NodeValue::CodeBlock(code) => {
            code.literal = signs(&code.literal);
            code.info = signs(&code.info);
        }
        NodeValue::HtmlInline(html) => *html = signs(html),
        NodeValue::HtmlBlock(html) => html.literal = signs(&html.literal),
        NodeValue::Link(to) | NodeValue::Image(to) => {
            to.url = signs(&to.url);
            to.title = signs(&to.title);
        }
        _ => {}
    }
}

fn signs(text: &str) -> String {
    text.replace(TIMES, "*").replace(TO, "~")
}

fn with_stand_ins(text: &str) -> String {
    if !text.contains(['*', '~']) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut before = [None::<char>; 2];
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let mut ahead = rest.clone();
        let [second, last] = before;
        let after = [ahead.next(), ahead.next()];
        let alone = last != Some(c) && after[0] != Some(c) && last != Some('\\');
        out.push(match c {
            '~' if alone => TO,
            '*' if alone && multiplies([last, second], after) => TIMES,
            c => c,
        });
        before = [last, Some(c)];
    }
    out
}

/// Whether an asterisk stands between two factors: numbers, single letters and brackets. Letters are given from it
/// outwards. Emphasis within a word of letters stays.
fn multiplies(before: [Option<char>; 2], after: [Option<char>; 2]) -> bool {
    let is = |c: Option<char>, what: fn(&char) -> bool| c.as_ref().is_some_and(what);
    let single = |[near, far]: [Option<char>; 2]| {
        is(near, char::is_ascii_alphabetic) && !is(far, |c| c.is_alphanumeric())
    };
    let closed = is(before[0], |c| *c == ')');
    let digits = [before[0], after[0]].map(|c| is(c, char::is_ascii_digit));
    let words = is(before[0], char::is_ascii_alphanumeric) || closed;
    let word = is(after[0], char::is_ascii_alphanumeric);
    words && word && (digits[0] || digits[1] || (single(after) && (closed || single(before))))
}

#[cfg(test)]
mod tests {
    use super::super::parts;

    #[track_caller]
    fn shown(text: &str, as_: &str) {
        assert_eq!(parts(text, 2_000).join("|"), as_, "{text}");
    }

    #[test]
    fn only_two_tildes_strike() {
        shown("3~5 days, price 100~200", "3\\~5 days, price 100\\~200");
        shown("大约3~5天，价格100~200元", "大约3\\~5天，价格100\\~200元");
        shown("~900~ and ~~800~~", "\\~900\\~ and ~~800~~");
        shown("`a~b~c` and\n\n~~~\nx ~ y\n~~~", "`a~b~c` and\n```\nx ~ y\n```");
        shown(r"\~5 of ~~old~~", "\\~5 of ~~old~~");
    }

    #[test]
    fn a_product_stays_as_it_is() {
        shown("10*2*3 = 60, i.e. 20*12*150", r"10\*2\*3 = 60, i.e. 20\*12\*150");
        shown("a*b*c, (1+r)*2*x, n*12*rate*2", r"a\*b\*c, (1+r)\*2\*x, n\*12\*rate\*2");
        shown("*two*, **2**, *2*, un*like*ly, 2 **x** 3", "*two*, **2**, *2*, un*like*ly, 2 **x** 3");
        shown("| a |\n|---|\n| 10*2*3~5 |", "```\na\n────────\n10*2*3~5\n```");
    }
}
