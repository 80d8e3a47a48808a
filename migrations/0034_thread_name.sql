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
