//! Comments at the edge of a text: `[^c1]` where each stands, and below the text what it says, named as a comment.

use super::{MAX_TEXT, text};
use domain::Omitted;

/// Most comments of a document.
const MOST: usize = 10_000;

/// The comments so far.
#[derive(Default)]
pub(super) struct Remarks {
    /// Those that said something.
    all: Vec<String>,
    author: String,
    open: String,
    /// There were more than are read.
    more: bool,
}

impl Remarks {
    /// A comment begins, by whom, if that is known yet.
    pub(super) fn begin(&mut self, author: &str) {
        self.open.clear();
        author.clone_into(&mut self.author);
    }

    /// Adds to the name of whoever made the comment that is open.
    pub(super) fn by(&mut self, author: &str) {
        self.author.push_str(author);
    }

    /// Adds to what the open comment says.
    pub(super) fn add(&mut self, text: &str) {
        self.open.push_str(text);
    }

    /// The comment ends. Gives its mark, unless it said nothing.
    pub(super) fn end(&mut self) -> Option<String> {
        let remark = named(&std::mem::take(&mut self.author), &std::mem::take(&mut self.open))?;
        if self.all.len() >= MOST {
            self.more = true;
            return None;
        }
        self.all.push(remark);
        Some(format!("[^c{}]", self.all.len()))
    }

    /// Writes all of them below a text. Gives what of them had no room.
    pub(super) fn append(self, below: &mut String) -> Option<Omitted> {
        let lines = self.all.iter().zip(1..).map(|(remark, number)| format!("[^c{number}]: {remark}"));
        let remarks = lines.collect::<Vec<_>>().join("\n\n");
        if remarks.is_empty() || below.len() + remarks.len() + 2 > MAX_TEXT {
            return (self.more || !remarks.is_empty()).then_some(Omitted::Comments);
        }
        below.push_str(if below.is_empty() { "" } else { "\n\n" });
        below.push_str(&remarks);
        self.more.then_some(Omitted::Comments)
    }
}

/// `Comment by Ada: Not before May!`, in a line; nothing of one that says nothing.
pub(super) fn named(author: &str, said: &str) -> Option<String> {
    let line = |text: &str| text::clean(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let (author, said) = (line(author), line(said));
    let by = if author.is_empty() { String::new() } else { format!(" by {author}") };
    (!text::is_blank(&said)).then(|| format!("Comment{by}: {said}"))
}
