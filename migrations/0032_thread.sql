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

-- A thread that was started from a session's card is named after its question, once somebody has put that in a sentence.
ALTER TABLE session ADD COLUMN thread_wanted TEXT;           -- after what; NULL: as it was started, after the session's title
ALTER TABLE session ADD COLUMN thread_name TEXT;             -- as what it was renamed last; NULL: never
ALTER TABLE session ADD COLUMN rename_due INTEGER NOT NULL DEFAULT 0 CHECK (rename_due IN (0, 1));
CREATE INDEX session_rename ON session (id) WHERE rename_due = 1;

CREATE TRIGGER thread_after_question AFTER UPDATE OF question ON session
WHEN NEW.question IS NOT NULL AND NEW.question IS NOT OLD.question BEGIN
    UPDATE session SET thread_wanted = NEW.question WHERE id = NEW.id;
END;
CREATE TRIGGER thread_renamed AFTER UPDATE OF thread_wanted ON session
WHEN NEW.thread_wanted IS NOT OLD.thread_wanted BEGIN
    UPDATE session SET rename_due = 1 WHERE id = NEW.id;
END;
