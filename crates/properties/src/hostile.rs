//! Text that has broken somebody's bot, and what of a text Discord would take for more than text.

use proptest::prelude::*;

/// What Discord would show, or notify, as something other than text.
pub fn live(text: &str, own: &[&str]) -> Option<String> {
    let mut text = text.to_lowercase();
    if without_code(&text).contains("](<http") {
        return Some("label over an address".to_owned());
    }
    for own in own {
        // Something stays in its place: what stood on either side of it does not touch.
        text = text.replace(&own.to_lowercase(), "·");
    }
    let hidden = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
    };
    if let Some(c) = text.chars().find(|&c| hidden(c)) {
        return Some(format!("character {c:?}"));
    }
    let mention = ["@everyone", "@here", "<@", "<#", "</", "<:", "<a:", "<t:", "<id:"]
        .into_iter()
        .find(|mention| text.match_indices(*mention).any(|(at, _)| begins(&text[at..], mention)));
    let prose = without_code(&text);
    let address = ["http://", "https://"].into_iter().find(|scheme| prose.contains(scheme));
    mention.or(address).map(str::to_owned)
}

/// Whether a mention begins here: after a colon comes a name, a time or a number, at once
/// (docs.discord.com/developers/reference, message formatting).
fn begins(text: &str, mention: &str) -> bool {
    let after = text[mention.len()..].chars().next();
    !mention.ends_with(':') || after.is_some_and(|c| !c.is_whitespace())
}

/// A text without its blocks and spans of code, in which Discord finds no address.
fn without_code(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('`') {
        let escaped = rest[..at].bytes().rev().take_while(|&b| b == b'\\').count() % 2 == 1;
        let after = &rest[at..];
        let fence = if escaped { 1 } else { after.bytes().take_while(|&b| b == b'`').count() };
        out.push_str(&rest[..at]);
        rest = &after[fence..];
        if !escaped && let Some(end) = rest.find(&"`".repeat(fence)) {
            rest = &rest[end + fence..];
        }
    }
    out + rest
}

/// Pieces of text that have broken somebody's bot.
const HOSTILE: &[&str] = &[
    "@everyone",
    "@here",
    "<@123456789012345678>",
    "<@&1>",
    "<#1>",
    "</mediate:1>",
    "<:a:1>",
    "<a:b:1>",
    "<t:0:R>",
    "<id:browse>",
    "@\u{200b}everyone",
    "<\u{200b}@1>",
    "@every\u{200d}one",
    "&commat;everyone",
    "&lt;@1&gt;",
    "&#x202e;",
    "&#10;",
    "&amp;lt;",
    "[bank.com](https://evil.org)",
    "[a](<https://x.org/a b>)",
    "[x](javascript:1)",
    "![i](https://x.org/i.png)",
    "https://x.org/@everyone",
    "HTTPS://x.org",
    "hthttp://tp://x.org",
    "<https://x.org?a=b>",
    "*https:*//x.org",
    "www.x.org",
    "a@b.org",
    "[r]: https://x.org",
    "[r]",
    "[^1]",
    "[^1]: note",
    "```",
    "````",
    "~~~",
    "```rust\n",
    "`",
    "``",
    "``` `",
    "\n```\n",
    "*",
    "**",
    "***",
    "_",
    "__",
    "~~",
    "||",
    "|",
    "\\",
    "> ",
    "\n> ",
    ">>> ",
    "# ",
    "\n# ",
    "\n#### ",
    "- ",
    "\n- ",
    "\n  - ",
    "\n    - ",
    "\n1. ",
    "\n7) ",
    "\n\n",
    "\n",
    "\n---\n",
    "\n===\n",
    "-# ",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "\n|---|\n",
    "\na\n:-\n",
    "<b>",
    "</b>",
    "<br>",
    "<!-- x -->",
    "\n<div>\n",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{200d}",
    "\u{feff}",
    "\u{e0041}",
    "\u{1b}[31m",
    "\0",
    "\r\n",
    "\t",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "👨‍👩‍👧‍👦",
    "🇩🇪",
    "مرحبا بالعالم",
    "市场分析",
    "می‌خواهم",
    "ﷺ",
    "𝕏",
    "word",
    "Some words in a row.",
    "x",
];

/// Any text: hostile pieces, any characters, huge words, in any order.
pub fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(HOSTILE).prop_map(str::to_owned),
        2 => any::<String>().prop_map(|text| text.chars().take(30).collect()),
        1 => (prop::sample::select(HOSTILE), 1usize..120).prop_map(|(piece, times)| piece.repeat(times)),
        1 => (any::<char>(), 1usize..3_000).prop_map(|(c, times)| c.to_string().repeat(times)),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}
