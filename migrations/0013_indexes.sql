-- What a start and its watcher ask for stays as fast with a million rows as with a thousand: sessions whose card does not
-- show their state, threads in which questions may have come, and how long the newest calls of a model took.
CREATE INDEX session_card ON session (id) WHERE card_state IS NOT state;
CREATE INDEX session_watched ON session (ended_ms) WHERE thread_id IS NOT NULL;
DROP INDEX attempt_pace;
CREATE INDEX attempt_pace ON attempt (model, started_ms DESC, finished_ms) WHERE state = 'ok';
