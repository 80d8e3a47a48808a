-- What /history finds: the text of each session that has ended, and an index over its words. `changed` is raised with
-- everything that changes what the session says, `seen` is what was put into the index last: a row with less is read
-- again, also after a restart. Deleted with its session, and with it what the index has of it.
CREATE TABLE searchable (
    id         INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE REFERENCES session ON DELETE CASCADE,
    changed    INTEGER NOT NULL DEFAULT 1,
    seen       INTEGER NOT NULL DEFAULT 0,
    title      TEXT NOT NULL DEFAULT '',        -- what had to be decided
    outcome    TEXT NOT NULL DEFAULT '',        -- what came out, the vote and the decision
    rest       TEXT NOT NULL DEFAULT '',        -- all else that its cards say
    CHECK (seen <= changed)
) STRICT;
CREATE INDEX searchable_stale ON searchable (id) WHERE seen < changed;

-- Symbols are words too, so that an emoji can be looked for. What is deleted is taken out of the index at once
-- (sqlite.org/fts5.html, "secure-delete"); without that it would stay there, marked as deleted.
CREATE VIRTUAL TABLE found USING fts5 (
    title, outcome, rest, content = 'searchable', content_rowid = 'id',
    tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co So'"
);
INSERT INTO found (found, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER searchable_new AFTER INSERT ON searchable BEGIN
    INSERT INTO found (rowid, title, outcome, rest) VALUES (NEW.id, NEW.title, NEW.outcome, NEW.rest);
END;
CREATE TRIGGER searchable_gone AFTER DELETE ON searchable BEGIN
    INSERT INTO found (found, rowid, title, outcome, rest)
    VALUES ('delete', OLD.id, OLD.title, OLD.outcome, OLD.rest);
END;
CREATE TRIGGER searchable_read AFTER UPDATE OF title, outcome, rest ON searchable BEGIN
    INSERT INTO found (found, rowid, title, outcome, rest)
    VALUES ('delete', OLD.id, OLD.title, OLD.outcome, OLD.rest);
    INSERT INTO found (rowid, title, outcome, rest) VALUES (NEW.id, NEW.title, NEW.outcome, NEW.rest);
END;

-- A session is read once it has ended, and again with all that is posted in it after that, and with a decision's outcome.
CREATE TRIGGER session_told AFTER UPDATE OF ended_ms, question ON session WHEN NEW.ended_ms IS NOT NULL BEGIN
    INSERT INTO searchable (session_id) VALUES (NEW.id)
    ON CONFLICT (session_id) DO UPDATE SET changed = changed + 1;
END;
CREATE TRIGGER session_goes_on AFTER UPDATE OF ended_ms ON session
WHEN NEW.ended_ms IS NULL AND OLD.ended_ms IS NOT NULL BEGIN
    DELETE FROM searchable WHERE session_id = NEW.id;
END;
CREATE TRIGGER post_told AFTER INSERT ON outbox
WHEN NEW.target = 'thread' AND NEW.post_key NOT LIKE 'export/%' AND NEW.post_key NOT LIKE '%/reminder' BEGIN
    UPDATE searchable SET changed = changed + 1 WHERE session_id = NEW.session_id;
END;
CREATE TRIGGER decision_told AFTER UPDATE OF revision ON panel WHEN NEW.key LIKE 'decision/%' BEGIN
    UPDATE searchable SET changed = changed + 1 WHERE session_id = NEW.session_id;
END;

-- Sessions of earlier versions are read one by one, while everything else goes on.
INSERT INTO searchable (session_id) SELECT id FROM session WHERE ended_ms IS NOT NULL ORDER BY ended_ms;

-- What somebody looks for, so that the buttons under the answer find its other pages. Kept for a day.
CREATE TABLE lookup (
    id        INTEGER PRIMARY KEY,              -- the command's snowflake
    guild_id  INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    words     TEXT NOT NULL
) STRICT;
CREATE INDEX lookup_guild ON lookup (guild_id, member_id);

-- What somebody has asked to be deleted and is not gone yet; the row goes with the last of it.
CREATE TABLE erasure (
    id        INTEGER PRIMARY KEY,              -- the press's snowflake
    guild_id  INTEGER NOT NULL,
    member_id INTEGER,                          -- NULL: all that is kept of the server
    asked_ms  INTEGER NOT NULL                  -- what came later stays
) STRICT;

-- What a member left is found without reading all.
CREATE INDEX session_starter ON session (guild_id, starter_id);
CREATE INDEX ballot_voter ON ballot (voter_id);
CREATE INDEX note_author ON note (author_id);
CREATE INDEX question_author ON question (author_id);
CREATE INDEX evidence_author ON evidence (author_id);
CREATE INDEX clarification_author ON clarification (author_id);
CREATE INDEX triage_by ON triage (by_id);
CREATE INDEX wait_by ON wait (by_id) WHERE by_id IS NOT NULL;
CREATE INDEX vote_closed_by ON vote (closed_by_id) WHERE closed_by_id IS NOT NULL;
CREATE INDEX solution_proposer ON solution (proposer_id) WHERE proposer_id IS NOT NULL;

-- A ballot and what was said of a finding stay as they are, but for whose they are: that can be taken away.
DROP TRIGGER ballot_changed;
CREATE TRIGGER ballot_changed BEFORE UPDATE OF choice ON ballot BEGIN
    SELECT RAISE(ABORT, 'the vote is closed')
    WHERE (SELECT state FROM vote WHERE session_id = NEW.session_id AND key = NEW.key) IS NOT 'open';
    SELECT RAISE(ABORT, 'a ballot has ten whole points')
    WHERE (SELECT kind FROM vote WHERE session_id = NEW.session_id AND key = NEW.key) = 'points'
      AND (json_type(NEW.choice) <> 'array'
           OR (SELECT coalesce(sum(value), 0) FROM json_each(NEW.choice)) <> 10
           OR EXISTS (SELECT 1 FROM json_each(NEW.choice) WHERE type <> 'integer' OR value < 0)
           OR json_array_length(NEW.choice)
              > (SELECT count(*) FROM solution WHERE session_id = NEW.session_id AND key = NEW.key));
END;
DROP TRIGGER triage_stays;
CREATE TRIGGER triage_stays BEFORE UPDATE OF event_id, session_id, finding, verdict, at_ms ON triage BEGIN
    SELECT RAISE(ABORT, 'what was said of a finding stays as it was said');
END;
