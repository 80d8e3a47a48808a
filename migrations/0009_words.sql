-- Words that grow with what Quorum can do (protocols, what a session waits for, whose account, whom a question is put
-- to) are checked by the types that write and read them, so that a new protocol changes no table. States stay here: what
-- is done, sent or closed has a meaning in every query.
-- Tables that nothing refers to are made anew; in `session`, to which all others refer, a column takes the old one's place.

ALTER TABLE session ADD COLUMN of_protocol TEXT NOT NULL DEFAULT '';
UPDATE session SET of_protocol = protocol;
ALTER TABLE session DROP COLUMN protocol;
ALTER TABLE session RENAME COLUMN of_protocol TO protocol;

CREATE TABLE waiting (
    session_id  TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    key         TEXT NOT NULL,
    kind        TEXT NOT NULL,
    deadline_ms INTEGER NOT NULL,
    value       TEXT,                           -- NULL while it is open
    by_id       INTEGER,                        -- NULL: the deadline decided
    by_name     TEXT,                           -- the name that whoever answered went by
    draft       TEXT CHECK (json_valid(draft)), -- what it shows and people may change before they answer it
    draft_event INTEGER,                        -- the event that last changed it: an older one changes nothing
    PRIMARY KEY (session_id, key)
) STRICT, WITHOUT ROWID;
INSERT INTO waiting
SELECT session_id, key, kind, deadline_ms, value, by_id, by_name, draft, draft_event FROM wait;
DROP TABLE wait;
ALTER TABLE waiting RENAME TO wait;
CREATE INDEX wait_open ON wait (deadline_ms) WHERE value IS NULL;

CREATE TABLE asked (
    id          INTEGER PRIMARY KEY,            -- the message's or interaction's snowflake
    session_id  TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    author_id   INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    text        TEXT NOT NULL,
    reply_to    INTEGER,                        -- the message to answer under; NULL for /ask
    at_ms       INTEGER NOT NULL,
    closed_ms   INTEGER,                        -- answered, or given up with a notice
    addressee   TEXT                            -- whom it was put to; NULL: nobody in particular
) STRICT;
INSERT INTO asked
SELECT id, session_id, author_id, author_name, text, reply_to, at_ms, closed_ms, addressee FROM question;
DROP TABLE question;
ALTER TABLE asked RENAME TO question;
CREATE INDEX question_open ON question (session_id) WHERE closed_ms IS NULL;
CREATE INDEX question_session ON question (session_id);

CREATE TABLE balance (
    scope        TEXT NOT NULL,                 -- a session, a member, a server, a server's month
    owner        TEXT NOT NULL,
    day          TEXT NOT NULL,                 -- YYYY-MM-DD (UTC); '' for a session's own
    calls_cap    INTEGER NOT NULL,
    calls_held   INTEGER NOT NULL DEFAULT 0 CHECK (calls_held >= 0),
    calls_used   INTEGER NOT NULL DEFAULT 0,
    tokens_cap   INTEGER NOT NULL,
    tokens_held  INTEGER NOT NULL DEFAULT 0 CHECK (tokens_held >= 0),
    tokens_used  INTEGER NOT NULL DEFAULT 0,
    tokens_over  INTEGER NOT NULL DEFAULT 0,
    money_cap    INTEGER NOT NULL,
    money_held   INTEGER NOT NULL DEFAULT 0 CHECK (money_held >= 0),
    money_used   INTEGER NOT NULL DEFAULT 0,
    money_over   INTEGER NOT NULL DEFAULT 0,
    unpriced     INTEGER NOT NULL DEFAULT 0,    -- calls whose price is not known
    lost         INTEGER NOT NULL DEFAULT 0,    -- calls a crash cut off; charged at their worst case
    PRIMARY KEY (scope, owner, day),
    CHECK (calls_used + calls_held <= calls_cap),
    CHECK (tokens_used + tokens_held <= tokens_cap),
    CHECK (money_used + money_held <= money_cap)
) STRICT, WITHOUT ROWID;
INSERT INTO balance
SELECT scope, owner, day, calls_cap, calls_held, calls_used, tokens_cap, tokens_held, tokens_used, tokens_over,
       money_cap, money_held, money_used, money_over, unpriced, lost
FROM account;
DROP TABLE account;
ALTER TABLE balance RENAME TO account;
