-- Critiques: an estimate to wait for, and what the team makes of each finding.

-- As in the migrations before: a CHECK cannot be altered, and the table cannot be made anew.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
SET sql = replace(sql, 'kind IN (''pause'', ''roles'', ''proposition'')', 'kind IN (''pause'', ''roles'', ''proposition'', ''estimate'')')
WHERE type = 'table' AND name = 'wait';
PRAGMA writable_schema = RESET;

-- What members said of a finding, every time somebody said it; the newest press counts. Rows are only added, so that
-- who changed whose word stays visible.
CREATE TABLE triage (
    event_id   INTEGER PRIMARY KEY,             -- the press's snowflake: delivered twice, applied once
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    finding    INTEGER NOT NULL CHECK (finding > 0),
    verdict    TEXT NOT NULL CHECK (verdict IN ('accepted', 'rejected', 'fixed', 'open')),
    by_id      INTEGER NOT NULL,
    by_name    TEXT NOT NULL,
    at_ms      INTEGER NOT NULL
) STRICT;
CREATE INDEX triage_session ON triage (session_id, finding, event_id);
CREATE TRIGGER triage_stays BEFORE UPDATE ON triage BEGIN
    SELECT RAISE(ABORT, 'what was said of a finding stays as it was said');
END;

-- How long calls took of late, by model; requests and replies lie between these columns and are long.
CREATE INDEX attempt_pace ON attempt (started_ms DESC, model, finished_ms) WHERE state = 'ok';
