//! Which links may be live, and how they are shown.

use url::Url;

use super::{
    super::text,
    token::{Line, Style, Token},
};

/// Longest address that is live.
const LONGEST: usize = 400;
/// Longest label.
const LONGEST_LABEL: usize = 200;

/// Writes a link. Live is only one to the web whose label does not pretend to be another address; anything
/// else is shown as text, with its target beside it.
pub(super) fn push(line: &mut Line, label: &str, target: &str, style: Style) {
    let label = text::clean_line(label);
    let Some(url) = web(target) else {
        line.text(&label, style);
        let told = target.strip_prefix("mailto:").unwrap_or(target);
        let bare = told.strip_prefix("https://").or(told.strip_prefix("http://")).unwrap_or(told);
        if !bare.trim().is_empty() && !label.contains(bare) {
            line.space();
            line.text(&format!("({})", text::clean_line(told)), style);
        }
        return;
    };
    if label.is_empty() || same_address(&label, &url, target) {
        // `www.example.org` without a scheme is text for Discord, and stays text.
        if !label.is_empty() && !text::is_web(&label) {
            return line.text(&label, style);
        }
        return line.push(Token::Link { label: String::new(), url, style });
    }
    if looks_like_address(&label) || text::length(&label) > LONGEST_LABEL {
        line.text(&label, style);
        line.space();
        line.push(Token::Text("(".to_owned(), style));
        line.push(Token::Link { label: String::new(), url, style });
        return line.push(Token::Text(")".to_owned(), style));
    }
    let label = label.replace('[', "(").replace(']', ")");
    line.push(Token::Link { label, url, style });
}

/// The address, written so that nothing in it can end it early; `None` unless it leads to the web.
fn web(target: &str) -> Option<String> {
    let clean = text::clean(target.trim());
    if !text::is_web(&clean) {
        return None;
    }
    let url = Url::parse(&clean).ok()?;
    let named = url.host_str().is_some_and(|host| !host.is_empty());
    let lone = url.username().is_empty() && url.password().is_none();
    if !named || !lone {
        return None;
    }
    let safe = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&'+,;=%".contains(c);
    let mut out = String::new();
    for c in url.as_str().chars() {
        if safe(c) {
            out.push(c);
        } else {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                out.extend(["%".to_owned(), format!("{byte:02X}")]);
            }
        }
    }
    // What a second reading would take for an entity or for a mention.
    while let Some(at) =
        out.match_indices('&').find(|(at, _)| text::is_entity(&out[at + 1..])).map(|(at, _)| at)
    {
        out.replace_range(at..=at, "%26");
    }
    let out = out.replace("@everyone", "%40everyone").replace("@here", "%40here");
    (text::length(&out) <= LONGEST).then_some(out)
}

/// The label is the address itself, give or take the scheme and a slash at the end.
fn same_address(label: &str, url: &str, target: &str) -> bool {
    let bare = |address: &str| {
        let address = address.trim().to_lowercase();
        let address =
            address.strip_prefix("https://").or(address.strip_prefix("http://")).unwrap_or(&address);
        address.trim_end_matches('/').to_owned()
    };
    bare(label) == bare(url) || bare(label) == bare(target)
}

/// A scheme, or two words joined by a dot as in a host: `bank.com`, `bank。com`.
fn looks_like_address(label: &str) -> bool {
    let label: String =
        label.chars().map(|c| if matches!(c, '。' | '．' | '｡' | '․') { '.' } else { c }).collect();
    label.contains("://")
        || label.contains('@')
        || label.split(|c: char| c.is_whitespace() || matches!(c, '/' | '(' | ')' | ',' | '"')).any(|word| {
            let mut parts = word.split('.').peekable();
            let mut hostlike = false;
            while let (Some(left), Some(right)) = (parts.next(), parts.peek()) {
                let name = |part: &str| part.chars().next_back().is_some_and(char::is_alphanumeric);
                let tld = right.chars().take_while(|c| c.is_alphabetic()).count() >= 2;
                hostlike |= name(left) && tld;
            }
            hostlike
        })
}

#[cfg(test)]
mod tests {
    use super::super::parts;

    fn one(markdown: &str) -> String {
        parts(markdown, 1_000).join("|")
    }

    #[test]
    fn plain_labels_stay_live_and_pretenders_do_not() {
        assert_eq!(one("[the report](https://a.org/x)"), "[the report](<https://a.org/x>)");
        assert_eq!(one("[bank.com](https://evil.org)"), "bank.com (<https://evil.org/>)");
        assert_eq!(one("[www.bank。com](https://evil.org)"), "www.bank。com (<https://evil.org/>)");
        assert_eq!(one("[https://a.org/](https://a.org)"), "<https://a.org/>");
        assert_eq!(one("see https://a.org/b_c."), "see <https://a.org/b_c>.");
        assert_eq!(one("<https://a.org>"), "<https://a.org/>");
        assert_eq!(one("www.a.org"), "www.a.org");
        assert_eq!(one("![a map](https://a.org/m.png)"), "[a map](<https://a.org/m.png>)");
    }

    #[test]
    fn only_the_web_is_linked() {
        assert_eq!(one("[x](javascript:alert)"), "x (javascript:alert)");
        assert_eq!(one("[x](https://user:pass@evil.org)"), "x (https://user:pass@evil.org)");
        assert_eq!(one("www.a.org@evil.org"), "www.a.org@evil.org");
        assert_eq!(one("[mail](mailto:a@b.org)"), "mail (a@b.org)");
        assert!(!one("[x](discord://-/channels/1)").contains("]("));
    }
}
