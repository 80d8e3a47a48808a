//! Where a person may stand: every field of every table, and what becomes of them there. A test holds this list against the
//! schema, so that no field is added without a thought of whose it is.

/// The fields of a table, each once.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The table.
    pub table: &'static str,
    /// Whose number, name or words these are is said by the row, and a statement sees to it: deletes the row, or puts
    /// nobody in their place. Several, with a space between.
    pub rows: &'static str,
    /// Anybody may stand in these somewhere: each text of the session is cleaned of them by number, name and words.
    pub texts: &'static str,
    /// Nobody stands in these: numbers and keys of things, times, counts, states, what Discord or a model's server said.
    pub nobody: &'static str,
}

impl Place {
    /// The fields that are cleaned as texts, with their table.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let table = self.table;
        self.texts.split(' ').filter(|column| !column.is_empty()).map(move |column| (table, column))
    }

    /// How the texts of a session are read in each of those fields, and how one is changed.
    pub fn statements(&self) -> impl Iterator<Item = String> {
        self.texts().flat_map(|(table, column)| [all_of(table, column), change_of(table, column)])
    }
}

/// By which a table's rows are a session's.
fn of(table: &str) -> &'static str {
    if table == "session" { "id" } else { "session_id" }
}

pub(super) fn all_of(table: &str, column: &str) -> String {
    format!("SELECT DISTINCT {column} FROM {table} WHERE {} = ?1 AND {column} IS NOT NULL", of(table))
}

pub(super) fn change_of(table: &str, column: &str) -> String {
    format!("UPDATE {table} SET {column} = ?3 WHERE {} = ?1 AND {column} = ?2", of(table))
}

const fn place(table: &'static str, rows: &'static str, texts: &'static str, nobody: &'static str) -> Place {
    Place { table, rows, texts, nobody }
}

/// All of them. What a member proposed, worded anew or told of an outcome stays, without whose it was: others have voted on
/// it, answered it and gone by it. What others have chosen or looked for (`opening`, `lookup`) is kept for a day.
pub const PLACES: &[Place] = &[
    place("lease", "", "", "name epoch since_ms"),
    place("prompt_set", "", "", "version files"),
    place(
        "session",
        "starter_id starter_name",
        "title plan notice question question_by offer_by thread_wanted thread_name",
        "id guild_id channel_id prompt_version status_id thread_id state card_state restarts last_seen_id started_ms \
         ended_ms protocol raw_kept question_state offer_state lies tag rename_due",
    ),
    place("sequel", "", "", "from_session left_open to_session"),
    place("step", "", "output", "session_id key kind state started_ms finished_ms"),
    place("degraded", "", "notes", "id session_id key of_server"),
    place("lesson", "", "", "base model manner at_ms"),
    place(
        "attempt",
        "member_id request_parts reply_parts",
        "problem",
        "session_id key n epoch day state model answered prompt_version request_id reserved_tokens reserved_money \
         input_tokens cached_tokens output_tokens money started_ms finished_ms month left_us",
    ),
    place("part", "bytes hash", "", "id session_id"),
    place(
        "account",
        "owner",
        "",
        "scope day calls_cap calls_held calls_used tokens_cap tokens_held tokens_used tokens_over money_cap money_held \
         money_used money_over unpriced lost uncounted",
    ),
    place(
        "outbox",
        "",
        "payload",
        "id session_id post_key part target reply_to nonce state first_try_ms tries message_id problem",
    ),
    place("panel", "", "", "session_id key revision shown"),
    place("inbound", "", "effect", "id kind session_id at_ms"),
    place("pending_reply", "", "", "interaction_id application_id token at_ms"),
    place("opening", "member_id chosen typed", "", "id guild_id sent_by"),
    place("wait", "by_id by_name", "value draft", "session_id key kind deadline_ms draft_event short"),
    place("card_due", "", "", "session_id change"),
    place("bell", "user_id", "", "session_id due"),
    place("participant", "user_id", "", "session_id since_ms added"),
    place("mention", "", "", "session_id message_id"),
    place(
        "brought",
        "author_id author_name text source",
        "",
        "id session_id kind number hinge reply_to addressee audit at_ms closed_ms",
    ),
    place(
        "vote",
        "closed_by_id closed_by_name",
        "question rules experts champions",
        "session_id key kind repeats state opened_ms deadline_ms remind_ms closed_ms closed_why",
    ),
    place("solution", "raised_by proposer_id", "title description provenance", "session_id key n"),
    place("ballot", "voter_id voter_name", "", "session_id key choice event_id at_ms"),
    place(
        "decision",
        "record search_text outcome_text outcome_by_id outcome_by_name",
        "",
        "id session_id n guild_id channel_id thread_id decided_ms review_ms asked_ms pin pin_problem outcome \
         outcome_event outcome_ms",
    ),
    place("trust_event", "", "", "guild_id session_id module kind decision good bad at_ms"),
    place("guild_settings", "settings", "", "guild_id changed_ms"),
    place("settings_change", "by_id by_name before after", "", "id setting guild_id at_ms"),
    place("searchable", "title outcome rest", "", "id session_id changed seen"),
    place("lookup", "member_id words", "", "id guild_id"),
    place("trace", "user_id text", "", "id session_id what at_ms"),
    place("erasure", "member_id", "", "id guild_id asked_ms"),
    place("tally", "", "", "subject what n"),
];
