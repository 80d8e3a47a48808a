-- Who wants to be told when a session stands still. They are pinged once each time, and nobody else is.
CREATE TABLE bell (
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    user_id    INTEGER NOT NULL,
    due        TEXT CHECK (due IN ('waiting', 'paused', 'done', 'failed', 'cancelled', 'parked')),
    PRIMARY KEY (session_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bell_due ON bell (session_id) WHERE due IS NOT NULL;

-- They become due with the very change that they wait for; one that is over before they were told is not told of.
CREATE TRIGGER bell_rings AFTER UPDATE OF state ON session WHEN NEW.state IS NOT OLD.state BEGIN
    UPDATE bell SET due = nullif(NEW.state, 'running') WHERE session_id = NEW.id;
END;

-- Whom it named is kept no longer than the ping takes.
CREATE TRIGGER bell_told AFTER UPDATE OF state ON outbox WHEN NEW.state <> 'pending' AND NEW.post_key LIKE 'bell/%' BEGIN
    UPDATE outbox SET payload = json_set(NEW.payload, '$.content', '🔔', '$.pings.users', json('[]')) WHERE id = NEW.id;
END;
