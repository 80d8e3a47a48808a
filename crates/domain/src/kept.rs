//! What is kept about a member, in numbers, and how what is deleted is named afterwards.

/// Stands where the name of somebody stood who had their data deleted.
pub const FORMER_MEMBER: &str = "a former member";

/// Stands where the words of somebody stood who had their data deleted.
pub const WORDS_DELETED: &str = "(deleted at the wish of whoever wrote it)";

/// What is kept about a member on a server, or about a whole server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    /// Sessions they started, documents and all.
    pub sessions: i64,
    /// Sessions they take part in, and in whose threads they are, or that read something of theirs.
    pub places: i64,
    /// Ballots.
    pub votes: i64,
    /// Solutions they proposed.
    pub solutions: i64,
    /// Notes to the experts.
    pub notes: i64,
    /// Evidence.
    pub evidence: i64,
    /// Questions, and what they wanted made clear.
    pub questions: i64,
    /// What they said of findings.
    pub triaged: i64,
    /// Decision records that name them.
    pub decisions: i64,
    /// Changes of the server's settings.
    pub changes: i64,
}
