-- Sessions that go on with what another left open: each matter is taken up once at a time. One that came to nothing makes
-- room for the next.
CREATE TABLE sequel (
    from_session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    left_open    TEXT NOT NULL,                 -- what was left open: conflict/1, fact/2, solution/3, whole/debate
    to_session   TEXT NOT NULL UNIQUE REFERENCES session ON DELETE CASCADE,
    PRIMARY KEY (from_session, left_open)
) STRICT, WITHOUT ROWID;

-- The card of the first in whose thread the second is named shows the second's thread as soon as there is one.
CREATE TRIGGER sequel_opened AFTER UPDATE OF thread_id ON session
WHEN NEW.thread_id IS NOT NULL AND OLD.thread_id IS NULL BEGIN
    UPDATE panel SET revision = revision + 1
    WHERE (session_id, key) IN (SELECT from_session, 'sequel/' || to_session FROM sequel WHERE to_session = NEW.id);
END;
