-- Who takes part in a session: whoever does anything to it, from the transaction that does it. They are added to its thread
-- soon after, by an edit that mentions them, which notifies nobody.
CREATE TABLE participant (
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    user_id    INTEGER NOT NULL,
    since_ms   INTEGER NOT NULL,
    added      INTEGER NOT NULL DEFAULT 0 CHECK (added IN (0, 1)),     -- whether they were added to the thread
    PRIMARY KEY (session_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX participant_due ON participant (session_id) WHERE added = 0;
CREATE INDEX participant_user ON participant (user_id);

-- Which message may mention members at this moment: written before the first edit, gone after the one that takes it back.
CREATE TABLE mention (
    session_id TEXT PRIMARY KEY REFERENCES session ON DELETE CASCADE,
    message_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
