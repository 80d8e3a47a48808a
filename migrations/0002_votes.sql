-- Votes, decision records, server settings, and what a session asks people for. What must never happen is a
-- constraint.

-- A session may be of any protocol, and may wait for more than a resume; a budget may be a month's. A CHECK cannot be altered, and a table
-- that others refer to cannot be made anew without emptying those, so the text of the constraint is put in the
-- schema itself (sqlite.org/lang_altertable.html, "making other kinds of table schema changes").
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
SET sql = replace(sql, 'protocol IN (''mediate'')',
                  'protocol IN (''mediate'', ''roundtable'', ''debate'', ''critique'', ''investigate'')')
WHERE type = 'table' AND name = 'session';
UPDATE sqlite_schema
SET sql = replace(sql, 'kind IN (''pause'')', 'kind IN (''pause'', ''roles'')')
WHERE type = 'table' AND name = 'wait';
UPDATE sqlite_schema
SET sql = replace(sql, 'scope IN (''session'', ''member'', ''guild'')',
                  'scope IN (''session'', ''member'', ''guild'', ''month'')')
WHERE type = 'table' AND name = 'account';
PRAGMA writable_schema = RESET;

-- What a wait shows and people may change before they answer it, such as the proposed roles.
ALTER TABLE wait ADD COLUMN draft TEXT CHECK (json_valid(draft));
-- The event that last changed it: an older one that arrives later changes nothing.
ALTER TABLE wait ADD COLUMN draft_event INTEGER;
-- The name that whoever answered went by.
ALTER TABLE wait ADD COLUMN by_name TEXT;

-- Sessions that were started before there was more than one protocol.
UPDATE session SET plan = json_set(plan, '$.brief.protocol', 'mediate') WHERE protocol = 'mediate';

-- Posts that are edited as what they show changes: a vote's turnout, proposed roles, a decision's outcome. The
-- message is found in the outbox by the same key. `shown` is the revision that Discord is known to show.
CREATE TABLE panel (
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    key        TEXT NOT NULL,
    revision   INTEGER NOT NULL DEFAULT 1,
    shown      INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (session_id, key),
    CHECK (shown <= revision)
) STRICT, WITHOUT ROWID;
CREATE INDEX panel_stale ON panel (session_id) WHERE shown < revision;

-- A session's vote. `closed`: no ballot is taken any more; `counted`: the result is in the outbox.
CREATE TABLE vote (
    session_id     TEXT PRIMARY KEY REFERENCES session ON DELETE CASCADE,
    question       TEXT NOT NULL,               -- what is to be decided, short
    rules          TEXT NOT NULL CHECK (json_valid(rules)),      -- who may vote and how, frozen when it opened
    experts        TEXT NOT NULL CHECK (json_valid(experts)),    -- what the experts gave
    state          TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'counted')),
    opened_ms      INTEGER NOT NULL,
    deadline_ms    INTEGER NOT NULL CHECK (deadline_ms > opened_ms),
    remind_ms      INTEGER,                     -- when to remind; NULL: never, or done
    closed_ms      INTEGER,
    closed_why     TEXT CHECK (closed_why IN ('deadline', 'everyone', 'person')),
    closed_by_id   INTEGER,
    closed_by_name TEXT,
    CHECK ((state = 'open') = (closed_ms IS NULL)),
    CHECK ((closed_ms IS NULL) = (closed_why IS NULL)),
    CHECK ((closed_why IS 'person') = (closed_by_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
-- What is due by itself, looked for several times a minute.
CREATE INDEX vote_deadline ON vote (deadline_ms) WHERE state = 'open';
CREATE INDEX vote_reminder ON vote (remind_ms) WHERE state = 'open';
CREATE INDEX vote_uncounted ON vote (closed_ms) WHERE state = 'closed';

-- What is voted on: the experts' solutions and those that members proposed.
CREATE TABLE solution (
    session_id    TEXT NOT NULL REFERENCES vote ON DELETE CASCADE,
    n             INTEGER NOT NULL CHECK (n BETWEEN 1 AND 10),
    title         TEXT NOT NULL CHECK (length(trim(title)) > 0),
    description   TEXT NOT NULL,
    raised_by     TEXT NOT NULL CHECK (json_valid(raised_by)),
    proposer_id   INTEGER,                      -- NULL: the experts'
    PRIMARY KEY (session_id, n)
) STRICT, WITHOUT ROWID;

-- One ballot a member. `event_id` is the snowflake of the interaction it came from: an older one that arrives
-- later changes nothing.
CREATE TABLE ballot (
    session_id TEXT NOT NULL REFERENCES vote ON DELETE CASCADE,
    voter_id   INTEGER NOT NULL,
    voter_name TEXT NOT NULL,
    -- [3, 7]: for solution 1, 2, …; the rest have 0.
    points     TEXT NOT NULL CHECK (json_valid(points) AND json_type(points) = 'array'),
    event_id   INTEGER NOT NULL,
    at_ms      INTEGER NOT NULL,
    PRIMARY KEY (session_id, voter_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ballot_new BEFORE INSERT ON ballot BEGIN
    SELECT RAISE(ABORT, 'the vote is closed')
    WHERE (SELECT state FROM vote WHERE session_id = NEW.session_id) IS NOT 'open';
    SELECT RAISE(ABORT, 'a ballot has ten whole points')
    WHERE (SELECT coalesce(sum(value), 0) FROM json_each(NEW.points)) <> 10
       OR EXISTS (SELECT 1 FROM json_each(NEW.points) WHERE type <> 'integer' OR value < 0)
       OR json_array_length(NEW.points) > (SELECT count(*) FROM solution WHERE session_id = NEW.session_id);
END;
CREATE TRIGGER ballot_changed BEFORE UPDATE ON ballot BEGIN
    SELECT RAISE(ABORT, 'the vote is closed')
    WHERE (SELECT state FROM vote WHERE session_id = NEW.session_id) IS NOT 'open';
    SELECT RAISE(ABORT, 'a ballot has ten whole points')
    WHERE (SELECT coalesce(sum(value), 0) FROM json_each(NEW.points)) <> 10
       OR EXISTS (SELECT 1 FROM json_each(NEW.points) WHERE type <> 'integer' OR value < 0)
       OR json_array_length(NEW.points) > (SELECT count(*) FROM solution WHERE session_id = NEW.session_id);
END;
CREATE TRIGGER solution_new BEFORE INSERT ON solution BEGIN
    SELECT RAISE(ABORT, 'the vote is closed')
    WHERE (SELECT state FROM vote WHERE session_id = NEW.session_id) IS NOT 'open';
END;

-- Decision records. They outlive their session's deletion, so they hold all they show.
CREATE TABLE decision (
    id              INTEGER PRIMARY KEY,        -- the form's snowflake
    session_id      TEXT NOT NULL,
    n               INTEGER NOT NULL CHECK (n > 0),              -- from 1 in its session
    guild_id        INTEGER NOT NULL,
    channel_id      INTEGER NOT NULL,
    thread_id       INTEGER NOT NULL,
    record          TEXT NOT NULL CHECK (json_valid(record)),
    search_text     TEXT NOT NULL,              -- lower case
    decided_ms      INTEGER NOT NULL,
    review_ms       INTEGER,
    asked_ms        INTEGER,                    -- when the bot asked how it turned out
    pin             TEXT NOT NULL DEFAULT 'wanted' CHECK (pin IN ('wanted', 'done', 'refused')),
    pin_problem     TEXT,                       -- why it is refused, for people
    outcome         TEXT CHECK (outcome IN ('worked', 'partly', 'did_not')),
    outcome_text    TEXT,
    outcome_by_id   INTEGER,
    outcome_by_name TEXT,
    outcome_event   INTEGER,                    -- the form's snowflake; a newer one replaces it
    outcome_ms      INTEGER,
    UNIQUE (session_id, n),
    CHECK ((pin = 'refused') = (pin_problem IS NOT NULL)),
    CHECK ((outcome IS NULL) = (outcome_ms IS NULL)),
    CHECK ((outcome IS NULL) = (outcome_event IS NULL)),
    CHECK (asked_ms IS NULL OR review_ms IS NOT NULL)
) STRICT;
CREATE INDEX decision_list ON decision (guild_id, channel_id, decided_ms DESC);
CREATE INDEX decision_review ON decision (review_ms) WHERE asked_ms IS NULL AND outcome IS NULL;
CREATE INDEX decision_pin ON decision (pin, id) WHERE pin = 'wanted';
-- With the number of the session's next decision, which replaces this one.
CREATE VIEW decision_now AS
    SELECT d.*, (SELECT min(later.n) FROM decision later WHERE later.session_id = d.session_id AND later.n > d.n)
                AS replaced_by
    FROM decision d;

-- What a server's managers have set; a server without a row has the usual settings.
CREATE TABLE guild_settings (
    guild_id   INTEGER PRIMARY KEY,
    settings   TEXT NOT NULL CHECK (json_valid(settings)),
    changed_ms INTEGER NOT NULL
) STRICT;

-- Who changed what, when.
CREATE TABLE settings_change (
    id       INTEGER NOT NULL,                  -- the interaction's snowflake
    setting  TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    by_id    INTEGER NOT NULL,
    by_name  TEXT NOT NULL,
    before   TEXT NOT NULL,
    after    TEXT NOT NULL,
    at_ms    INTEGER NOT NULL,
    PRIMARY KEY (id, setting)
) STRICT, WITHOUT ROWID;
CREATE INDEX settings_change_guild ON settings_change (guild_id, at_ms DESC);

-- The month's account (`YYYY-MM`, UTC) that an attempt was also reserved on; NULL: its server had no budget for
-- the month, or there were none yet.
ALTER TABLE attempt ADD COLUMN month TEXT;

-- Sessions are deleted with all that hangs on them once their server keeps them no longer.
CREATE INDEX session_ended ON session (guild_id, ended_ms) WHERE ended_ms IS NOT NULL;
CREATE INDEX question_session ON question (session_id);
CREATE INDEX inbound_session ON inbound (session_id) WHERE session_id IS NOT NULL;
