-- Sessions, their journal, their money and what they post. Times are milliseconds since 1970 (UTC), amounts
-- of money millionths of a US dollar, snowflakes 64-bit integers. What must never happen is a constraint.

-- One writer at a time: every write names the epoch it was begun under and is refused under a newer one.
CREATE TABLE lease (
    name     TEXT PRIMARY KEY CHECK (name = 'writer'),
    epoch    INTEGER NOT NULL,
    since_ms INTEGER NOT NULL
) STRICT;

-- The texts of all prompt files, once for each set that any session was started with, so that an upgrade
-- changes no running session.
CREATE TABLE prompt_set (
    version TEXT PRIMARY KEY,
    files   TEXT NOT NULL CHECK (json_valid(files))
) STRICT;

CREATE TABLE session (
    id             TEXT PRIMARY KEY,
    guild_id       INTEGER NOT NULL,
    channel_id     INTEGER NOT NULL,            -- where the command was used; the live card stands there
    starter_id     INTEGER NOT NULL,
    starter_name   TEXT NOT NULL,
    protocol       TEXT NOT NULL CHECK (protocol IN ('mediate')),
    title          TEXT NOT NULL,
    plan           TEXT NOT NULL CHECK (json_valid(plan)),    -- brief and budgets, fixed at the start
    prompt_version TEXT NOT NULL REFERENCES prompt_set,
    status_id      INTEGER,                     -- the live card's message, once it is there
    thread_id      INTEGER UNIQUE,              -- the thread, once it is there
    state          TEXT NOT NULL CHECK (state IN
                       ('running', 'paused', 'waiting', 'done', 'failed', 'cancelled', 'parked')),
    notice         TEXT,                        -- why it is paused, failed or parked, for people
    card_state     TEXT,                        -- the state the live card was last seen to show
    restarts       INTEGER NOT NULL DEFAULT 0,
    last_seen_id   INTEGER,                     -- newest message of the thread that was looked at
    started_ms     INTEGER NOT NULL,
    ended_ms       INTEGER,
    CHECK ((state IN ('done', 'failed', 'cancelled', 'parked')) = (ended_ms IS NOT NULL))
) STRICT;
-- What has to go on at start, and how many run on a server.
CREATE INDEX session_live ON session (guild_id) WHERE state IN ('running', 'paused', 'waiting');
-- /history.
CREATE INDEX session_history ON session (guild_id, channel_id, started_ms DESC);

-- The journal: one row for each step. Intended first, done or failed later, never undone.
CREATE TABLE step (
    session_id  TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    key         TEXT NOT NULL,
    kind        TEXT NOT NULL,                  -- what the step is; another kind under the same key is drift
    state       TEXT NOT NULL CHECK (state IN ('intent', 'done', 'failed')),
    output      TEXT,
    started_ms  INTEGER NOT NULL,
    finished_ms INTEGER,
    PRIMARY KEY (session_id, key),
    CHECK ((state = 'intent') = (output IS NULL))
) STRICT, WITHOUT ROWID;

-- Every request to a model, the ones that failed or were cut off too.
CREATE TABLE attempt (
    session_id      TEXT NOT NULL,
    key             TEXT NOT NULL,
    n               INTEGER NOT NULL,           -- from 1
    epoch           INTEGER NOT NULL,
    day             TEXT NOT NULL,              -- of the accounts it was reserved on
    member_id       INTEGER NOT NULL,           -- whose account
    state           TEXT NOT NULL CHECK (state IN ('sent', 'ok', 'failed', 'lost')),
    model           TEXT NOT NULL,
    answered        TEXT,                       -- the model the provider says answered
    prompt_version  TEXT NOT NULL,
    request         TEXT NOT NULL,
    reply           TEXT,
    problem         TEXT,                       -- why it failed, with its class
    request_id      TEXT,
    reserved_tokens INTEGER NOT NULL,
    reserved_money  INTEGER NOT NULL,
    input_tokens    INTEGER,
    cached_tokens   INTEGER,
    output_tokens   INTEGER,
    money           INTEGER,                    -- NULL: the price is not known
    started_ms      INTEGER NOT NULL,
    finished_ms     INTEGER,
    PRIMARY KEY (session_id, key, n),
    FOREIGN KEY (session_id, key) REFERENCES step ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
-- What a crash left open.
CREATE INDEX attempt_sent ON attempt (session_id) WHERE state = 'sent';

-- Budgets: what was reserved and what was used can never exceed the cap. `over` is what a provider counted
-- beyond the worst case that was reserved; it is counted against later reservations.
CREATE TABLE account (
    scope        TEXT NOT NULL CHECK (scope IN ('session', 'member', 'guild')),
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

-- Posts, in the order of their ids within a session.
CREATE TABLE outbox (
    id           INTEGER PRIMARY KEY,
    session_id   TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    post_key     TEXT NOT NULL,
    part         INTEGER NOT NULL,
    target       TEXT NOT NULL CHECK (target IN ('channel', 'thread')),
    reply_to     INTEGER,
    payload      TEXT NOT NULL,
    nonce        TEXT NOT NULL UNIQUE,
    state        TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'dead')),
    first_try_ms INTEGER,
    tries        INTEGER NOT NULL DEFAULT 0,
    message_id   INTEGER,
    problem      TEXT,
    UNIQUE (session_id, post_key, part),
    CHECK ((state = 'sent') = (message_id IS NOT NULL))
) STRICT;
CREATE INDEX outbox_pending ON outbox (session_id, id) WHERE state = 'pending';

-- Questions to people that a session stands still for.
CREATE TABLE wait (
    session_id  TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    key         TEXT NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ('pause')),
    deadline_ms INTEGER NOT NULL,
    value       TEXT,                           -- NULL while it is open
    by_id       INTEGER,                        -- NULL: the deadline decided
    PRIMARY KEY (session_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX wait_open ON wait (deadline_ms) WHERE value IS NULL;

-- Every event from Discord that changed something, by its snowflake: delivered twice, applied once.
CREATE TABLE inbound (
    id         INTEGER PRIMARY KEY,
    kind       TEXT NOT NULL,
    session_id TEXT,
    effect     TEXT NOT NULL,                   -- what to say again when it comes again
    at_ms      INTEGER NOT NULL
) STRICT;

-- What members added with Add context.
CREATE TABLE note (
    id          INTEGER PRIMARY KEY,            -- the interaction's snowflake
    session_id  TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    author_id   INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    text        TEXT NOT NULL,
    at_ms       INTEGER NOT NULL
) STRICT;
CREATE INDEX note_session ON note (session_id, id);

-- Follow-up questions.
CREATE TABLE question (
    id          INTEGER PRIMARY KEY,            -- the message's or interaction's snowflake
    session_id  TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    author_id   INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    text        TEXT NOT NULL,
    reply_to    INTEGER,                        -- the message to answer under; NULL for /ask
    at_ms       INTEGER NOT NULL,
    closed_ms   INTEGER                         -- answered, or given up with a notice
) STRICT;
CREATE INDEX question_open ON question (session_id) WHERE closed_ms IS NULL;
