//! Which links may be live, and how they are shown.

use url::Url;

use super::{
    super::text,
    token::{Line, Style, Token},
};

/// Longest address that is taken for one.
const LONGEST: usize = 400;

/// Writes a link: its label as text, then its address, for nobody should have to press a label to learn where it
/// leads. What is no address of the web is text.
pub(super) fn push(line: &mut Line, label: &str, target: &str, style: Style) {
    let label = text::clean_line(label);
    let url = web(target);
    let same = url.as_ref().is_some_and(|url| same_address(&label, url, target));
    if !same {
        line.text(&label, style);
    }
    match url {
        // `www.example.org` without a scheme is text for Discord, and stays text.
        Some(_) if same && !text::is_web(&label) => line.text(&label, style),
        Some(url) if same || label.is_empty() => line.push(Token::Link(url, style)),
        Some(url) => {
            line.space();
            line.push(Token::Text("(".to_owned(), style));
            line.push(Token::Link(url, style));
            line.push(Token::Text(")".to_owned(), style));
        }
        None => {
            let told = target.strip_prefix("mailto:").unwrap_or(target);
            let bare = told.strip_prefix("https://").or(told.strip_prefix("http://")).unwrap_or(told);
            if !bare.trim().is_empty() && !label.contains(bare) {
                line.space();
                line.text(&format!("({})", text::clean_line(told)), style);
            }
        }
    }
}

/// The address, written so that nothing in it can end it early; `None` unless it leads to the web.
pub(super) fn web(target: &str) -> Option<String> {
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
    // An address in an address is no second one.
    let out = out.replace("://", "%3A//").replacen("%3A//", "://", 1);
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

#[cfg(test)]
mod tests {
    use super::super::parts;

    fn one(markdown: &str) -> String {
        parts(markdown, 1_000).join("|")
    }

    #[test]
    fn a_link_is_its_label_its_host_and_its_path() {
        assert_eq!(one("[the report](https://a.org/x?y=1#z)"), "the report (a.org/x?…)");
        assert_eq!(one("[bank.com](https://evil.org)"), "bank.com (evil.org)");
        assert_eq!(one("[https://a.org/](https://a.org)"), "a.org");
        assert_eq!(one("see https://a.org/b_c."), "see a.org/b\\_c.");
        assert_eq!(one("<https://a.org>"), "a.org");
        assert_eq!(one("www.a.org"), "www.a.org");
        assert_eq!(one("![a map](https://a.org/m.png)"), "a map (a.org/m.png)");
        assert_eq!(one("[https://аpple.com](https://аpple.com)"), "xn--pple-43d.com");
    }

    #[test]
    fn a_members_address_stays_whole_and_without_a_label_over_it() {
        let one = |markdown| super::super::member_inline(markdown, 1_000);
        assert_eq!(one("see https://a.org/b_c."), "see <https://a.org/b_c>.");
        assert_eq!(one("[bank.com](https://evil.org)"), "bank.com (<https://evil.org/>)");
        assert_eq!(one("wow![a map](https://a.org/m.png)"), "wowa map (<https://a.org/m.png>)");
    }

    #[test]
    fn only_the_web_is_linked() {
        assert_eq!(one("[x](javascript:alert)"), "x (javascript:alert)");
        assert_eq!(one("[x](https://user:pass@evil.org)"), "x (user:pass@evil.org)");
        assert_eq!(one("www.a.org@evil.org"), "www.a.org@evil.org");
        assert_eq!(one("[mail](mailto:a@b.org)"), "mail (a@b.org)");
        assert!(!one("[x](discord://-/channels/1)").contains("]("));
    }
}
