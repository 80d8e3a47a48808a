-- A session that is paused or waits for people sleeps: a start and its watcher find what is left to do without looking at
-- it. Each of these indexes holds all that is asked of it, for a row of `session` has its plan, which may be long, before
-- the columns that say how it stands.
CREATE INDEX session_running ON session (id) WHERE state = 'running';
CREATE INDEX session_threadless ON session (id)
    WHERE thread_id IS NULL AND state IN ('running', 'paused', 'waiting');
DROP INDEX session_watched;
CREATE INDEX session_watched ON session (ended_ms, thread_id, last_seen_id, id) WHERE thread_id IS NOT NULL;

-- Sleeping sessions whose live card may show something else than is so: from the transaction that makes it so until the
-- card was drawn. `change` is another number with each change, so that what came while it was drawn is drawn too.
CREATE TABLE card_due (
    session_id TEXT PRIMARY KEY REFERENCES session ON DELETE CASCADE,
    change     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER card_due_by_state
AFTER UPDATE OF state, notice, question, question_by, question_state, offer_state, offer_by ON session
WHEN NEW.state IN ('paused', 'waiting') BEGIN
    INSERT INTO card_due VALUES (NEW.id, random()) ON CONFLICT DO UPDATE SET change = excluded.change;
END;
-- One that runs has its card drawn anew at each start, and how one ended stands in `card_state`.
CREATE TRIGGER card_due_no_more AFTER UPDATE OF state ON session WHEN NEW.state NOT IN ('paused', 'waiting') BEGIN
    DELETE FROM card_due WHERE session_id = NEW.id;
END;
-- As long as a session sleeps, it has an open wait.
CREATE TRIGGER card_due_by_draft AFTER UPDATE OF draft ON wait WHEN NEW.value IS NULL BEGIN
    INSERT INTO card_due VALUES (NEW.session_id, random()) ON CONFLICT DO UPDATE SET change = excluded.change;
END;
CREATE TRIGGER card_due_by_account AFTER UPDATE ON account
WHEN NEW.scope = 'session' AND EXISTS (SELECT 1 FROM wait WHERE session_id = NEW.owner AND value IS NULL) BEGIN
    INSERT INTO card_due VALUES (NEW.owner, random()) ON CONFLICT DO UPDATE SET change = excluded.change;
END;
CREATE TRIGGER card_due_by_addition AFTER INSERT ON step
WHEN NEW.kind = 'budget' AND EXISTS (SELECT 1 FROM wait WHERE session_id = NEW.session_id AND value IS NULL) BEGIN
    INSERT INTO card_due VALUES (NEW.session_id, random()) ON CONFLICT DO UPDATE SET change = excluded.change;
END;
CREATE TRIGGER card_due_by_refusal AFTER UPDATE OF state ON outbox
WHEN (NEW.state = 'dead') <> (OLD.state = 'dead')
    AND EXISTS (SELECT 1 FROM wait WHERE session_id = NEW.session_id AND value IS NULL) BEGIN
    INSERT INTO card_due VALUES (NEW.session_id, random()) ON CONFLICT DO UPDATE SET change = excluded.change;
END;

-- What the last process of an earlier version left undrawn is not known, so all are drawn once more.
INSERT INTO card_due SELECT id, random() FROM session WHERE state IN ('paused', 'waiting');
