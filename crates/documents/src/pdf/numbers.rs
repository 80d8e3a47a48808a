//! The numbers of pages, which stand amid sentences that go on from one page to the next: `a rent of`, `3`, `900 euros`. They are
//! named, so that they are taken for no other number.

/// Most digits of a page's number.
const DIGITS: usize = 4;

/// How far pages are from one another that tell each other's numbers: those on the left and on the right may have theirs in
/// different places.
const NEAR: usize = 2;

/// A line of a page that may be its number.
struct Number {
    start: usize,
    end: usize,
    value: usize,
}

/// Writes `(page 3)` where a page's first or last line is its number and nothing else. That it is one shows where the pages near it
/// have theirs, too.
pub(super) fn name(text: &mut String, starts: &mut [usize]) {
    let pages: Vec<Vec<Number>> = (0..starts.len()).map(|page| numbers(text, starts, page)).collect();
    let is_told = |page: usize, number: usize| {
        let near = page.saturating_sub(NEAR)..pages.len().min(page + NEAR + 1);
        near.filter(|other| *other != page)
            .any(|other| pages[other].iter().any(|of| of.value + page == number + other))
    };
    let named: Vec<&Number> = pages
        .iter()
        .enumerate()
        .filter_map(|(page, all)| all.iter().rev().find(|one| is_told(page, one.value)))
        .collect();
    if named.is_empty() {
        return;
    }
    let (mut whole, mut done) = (String::with_capacity(text.len() + named.len() * 8), 0);
    let mut moved = Vec::with_capacity(named.len());
    for one in named {
        whole.push_str(&text[done..one.start]);
        for piece in ["(page ", &one.value.to_string(), ")"] {
            whole.push_str(piece);
        }
        done = one.end;
        moved.push((one.end, whole.len()));
    }
    whole.push_str(&text[done..]);
    for start in starts {
        let before = moved.partition_point(|(end, _)| *end <= *start);
        if let Some((end, now)) = before.checked_sub(1).and_then(|at| moved.get(at)) {
            *start = *start - end + now;
        }
    }
    *text = whole;
}

/// The first and the last line of a page, as far as they are numbers alone, and stand apart from other text.
fn numbers(text: &str, starts: &[usize], page: usize) -> Vec<Number> {
    let start = starts[page].min(text.len());
    let end = starts.get(page + 1).map_or(text.len(), |end| (*end).min(text.len()));
    let body = text[start..end].trim_end();
    // A page of one line is that line.
    let (Some(first), Some(last)) = (body.find('\n'), body.rfind('\n')) else { return Vec::new() };
    let number = |from: usize, line: &str| {
        let bare = line.trim_matches(|c: char| c.is_whitespace() || "-–—".contains(c));
        let digits =
            !bare.is_empty() && bare.len() <= DIGITS && bare.bytes().all(|byte| byte.is_ascii_digit());
        let value = bare.parse().ok().filter(|_| digits)?;
        Some(Number { start: start + from, end: start + from + line.len(), value })
    };
    let ends = [number(0, &body[..first]), number(last + 1, &body[last + 1..])];
    ends.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(pages: &[&str]) -> (String, Vec<usize>) {
        let (mut text, mut starts) = (String::new(), Vec::new());
        for page in pages {
            starts.push(text.len());
            text.push_str(page);
            text.push_str(if page.is_empty() { "" } else { "\n\n" });
        }
        name(&mut text, &mut starts);
        (text, starts)
    }

    #[test]
    fn numbers_of_pages_are_taken_for_no_other_number() {
        let (text, starts) =
            named(&["We pay a rent of\n\n3", "", "900 euros, and\n- 5 -", "6\n\nno more.\n\n20"]);
        assert_eq!(
            text,
            "We pay a rent of\n\n(page 3)\n\n900 euros, and\n(page 5)\n\n(page 6)\n\nno more.\n\n20\n\n"
        );
        assert!(starts.iter().all(|start| *start == 0 || text[..*start].ends_with("\n\n")), "{starts:?}");
        assert!(text[starts[3]..].starts_with("(page 6)"));
        for pages in [
            &["Total\n900", "Total\n2024"][..],
            &["1", "2"],
            &["a\n12345", "b\n12346"],
            &["Sum\n3"],
            &["a\n3", "b", "c", "d\n6"],
        ] {
            let (text, _) = named(pages);
            assert!(!text.contains("page"), "{text}");
        }
    }
}
