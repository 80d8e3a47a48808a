-- Debates: a proposition to wait for, what members think of it before and after, what they bring in, and whom
-- they ask.

-- As in the migration before: a CHECK cannot be altered, and the table cannot be made anew.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
SET sql = replace(sql, 'kind IN (''pause'', ''roles'')', 'kind IN (''pause'', ''roles'', ''proposition'')')
WHERE type = 'table' AND name = 'wait';
PRAGMA writable_schema = RESET;

-- Whom a question was put to; NULL: to nobody in particular.
ALTER TABLE question ADD COLUMN addressee TEXT CHECK (addressee IN ('pro', 'con', 'moderator'));

-- What the team thinks of the proposition is asked before phase 1 and again after the synthesis. The first asking
-- ends when the debate starts, the second has a deadline. `closed`: no opinion is taken any more; `counted`: what
-- came of it is in the outbox.
CREATE TABLE opinion_vote (
    session_id     TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    stage          TEXT NOT NULL CHECK (stage IN ('before', 'after')),
    rules          TEXT NOT NULL CHECK (json_valid(rules)),      -- who may say so and how long, frozen when it opened
    state          TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'counted')),
    opened_ms      INTEGER NOT NULL,
    deadline_ms    INTEGER CHECK (deadline_ms > opened_ms),      -- NULL: it closes with the start of the debate
    remind_ms      INTEGER,                                      -- NULL: no reminder, or it is in the outbox
    closed_ms      INTEGER,
    closed_why     TEXT CHECK (closed_why IN ('start', 'deadline', 'everyone', 'person')),
    closed_by_id   INTEGER,
    closed_by_name TEXT,
    PRIMARY KEY (session_id, stage),
    CHECK ((stage = 'before') = (deadline_ms IS NULL)),
    CHECK ((stage = 'before') = (closed_why IS 'start') OR closed_why IS NULL),
    CHECK (remind_ms IS NULL OR (deadline_ms IS NOT NULL AND state = 'open')),
    CHECK ((state = 'open') = (closed_ms IS NULL)),
    CHECK ((closed_ms IS NULL) = (closed_why IS NULL)),
    CHECK ((closed_why IS 'person') = (closed_by_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX opinion_vote_deadline ON opinion_vote (deadline_ms) WHERE state = 'open' AND deadline_ms IS NOT NULL;
CREATE INDEX opinion_vote_uncounted ON opinion_vote (closed_ms) WHERE state = 'closed';

-- One opinion a member and stage. `event_id` is the snowflake of the press it came from: an older one that arrives
-- later changes nothing.
CREATE TABLE opinion (
    session_id TEXT NOT NULL,
    stage      TEXT NOT NULL,
    voter_id   INTEGER NOT NULL,
    voter_name TEXT NOT NULL,
    opinion    TEXT NOT NULL CHECK (opinion IN ('for', 'against', 'undecided')),
    event_id   INTEGER NOT NULL,
    at_ms      INTEGER NOT NULL,
    PRIMARY KEY (session_id, stage, voter_id),
    FOREIGN KEY (session_id, stage) REFERENCES opinion_vote ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TRIGGER opinion_new BEFORE INSERT ON opinion BEGIN
    SELECT RAISE(ABORT, 'opinions are not asked now')
    WHERE (SELECT state FROM opinion_vote WHERE session_id = NEW.session_id AND stage = NEW.stage) IS NOT 'open';
END;
CREATE TRIGGER opinion_changed BEFORE UPDATE ON opinion BEGIN
    SELECT RAISE(ABORT, 'opinions are not asked now')
    WHERE (SELECT state FROM opinion_vote WHERE session_id = NEW.session_id AND stage = NEW.stage) IS NOT 'open';
END;

-- What members bring as evidence: for the advocates' next turns, or, once the debate is over, on a hinge of the
-- moderator's synthesis (`hinge`), which is then looked at again, once (`closed_ms`).
CREATE TABLE evidence (
    id          INTEGER PRIMARY KEY,            -- the form's snowflake
    session_id  TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    n           INTEGER NOT NULL CHECK (n > 0), -- from 1 in its session: E1
    author_id   INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    claim       TEXT NOT NULL CHECK (length(trim(claim)) > 0),
    source      TEXT NOT NULL,                  -- '': none was named
    hinge       INTEGER CHECK (hinge > 0),
    at_ms       INTEGER NOT NULL,
    closed_ms   INTEGER,                        -- the hinge was looked at again, or that was given up with a notice
    UNIQUE (session_id, n),
    CHECK (closed_ms IS NULL OR hinge IS NOT NULL)
) STRICT;
CREATE INDEX evidence_open ON evidence (session_id) WHERE hinge IS NOT NULL AND closed_ms IS NULL;

-- What members want made clear; answered at the next break between phases.
CREATE TABLE clarification (
    id          INTEGER PRIMARY KEY,            -- the form's snowflake
    session_id  TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    author_id   INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    text        TEXT NOT NULL CHECK (length(trim(text)) > 0),
    at_ms       INTEGER NOT NULL
) STRICT;
CREATE INDEX clarification_session ON clarification (session_id, id);
