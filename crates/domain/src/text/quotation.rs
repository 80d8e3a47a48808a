//! Where quotations stand in a text: what is said in them is not said by whoever wrote it.

/// Longest quotation, in characters; a mark that is not closed within it opens none.
const LONGEST_QUOTATION: usize = 1_000;

/// Where quotations stand, within one paragraph each: the places of both marks, in characters.
pub(crate) fn quoted(chars: &[char]) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        // French sets a space within its marks.
        let inside = c == '«' || chars.get(at + 1).is_some_and(|c| !c.is_whitespace());
        let after_word = at.checked_sub(1).and_then(|at| chars.get(at)).is_some_and(|c| c.is_alphanumeric());
        let closing: &[char] = match c {
            '“' => &['”'],
            '„' => &['“', '”'],
            '"' | '＂' => &['"', '＂', '”'],
            '«' => &['»'],
            '»' if !after_word => &['«'],
            '‹' => &['›'],
            '「' => &['」'],
            '『' => &['』'],
            '‘' if !after_word => &['’'],
            _ => &[],
        };
        let end = if closing.is_empty() || !inside { None } else { closes(chars, at + 1, closing) };
        match end {
            Some(end) => {
                spans.push((at, end));
                at = end + 1;
            }
            None => at += 1,
        }
    }
    spans
}

fn closes(chars: &[char], from: usize, closing: &[char]) -> Option<usize> {
    let within = chars.get(from..chars.len().min(from + LONGEST_QUOTATION))?;
    for (at, c) in within.iter().enumerate() {
        let next = within.get(at + 1);
        if *c == '\n' && next == Some(&'\n') {
            return None;
        }
        // In `‘the states’ duty’` the first mark may be an apostrophe; one between two letters is.
        let apostrophe = *c == '’' && next.is_some_and(|c| c.is_alphanumeric());
        if closing.contains(c) && !apostrophe {
            return Some(from + at);
        }
    }
    None
}
