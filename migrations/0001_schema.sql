-- All that Quorum keeps: sessions, their journal, their money, what they post, what people bring and decide. Times are
-- milliseconds since 1970 (UTC), amounts of money millionths of a US dollar, snowflakes 64-bit integers. What must never
-- happen is a constraint. Words that grow with what Quorum can do (protocols, what a session waits for, whose account,
-- whom a question is put to) are checked by the types that write and read them, so that a new protocol changes no table;
-- states are checked here: what is done, sent or closed has a meaning in every query.
-- Once it is released, this file never changes: a later version adds one of its own.

-- ## The writer

-- One writer at a time: every write names the epoch it was begun under and is refused under a newer one.
CREATE TABLE lease (
    name     TEXT PRIMARY KEY CHECK (name = 'writer'),
    epoch    INTEGER NOT NULL,
    since_ms INTEGER NOT NULL
) STRICT;

-- ## Sessions

-- The texts of all prompt files, once for each set that any session was started with, so that an upgrade changes no
-- running session.
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
    protocol       TEXT NOT NULL DEFAULT '',
    raw_kept       INTEGER NOT NULL DEFAULT 1 CHECK (raw_kept IN (0, 1)),     -- whether requests and replies are
    -- What it has to decide, in a sentence, where its problem is longer than a line.
    question       TEXT,                        -- NULL: nobody has put it in a sentence yet
    question_by    TEXT,                        -- who changed it; NULL: it is a model's
    -- `none`: the problem is a line itself; `open`: it may be changed.
    question_state TEXT NOT NULL DEFAULT 'none' CHECK (question_state IN ('none', 'open', 'fixed')),
    -- Whether fitting modules may still be asked for while a mediation with the usual ones runs. `none`: it was never
    -- offered; `open`: it may be asked for; `wished`: somebody did; `closed`: nobody did in time.
    offer_by       TEXT,                        -- who asked for them
    offer_state    TEXT NOT NULL DEFAULT 'none' CHECK (offer_state IN ('none', 'open', 'wished', 'closed')),
    -- In what it lies: a thread of its own, started from its live card and so of its number; a thread that was there
    -- before it; or a forum's post of its own, whose first message is its live card.
    lies           TEXT NOT NULL DEFAULT 'own_thread' CHECK (lies IN ('own_thread', 'within', 'own_post')),
    tag            TEXT,                        -- which state its forum post's tags were last made to say; NULL: none yet
    -- A thread that was started from its card is named after its question, once somebody has put that in a sentence.
    thread_wanted  TEXT,                        -- after what; NULL: as it was started, after the session's title
    thread_name    TEXT,                        -- as what it was renamed last; NULL: never
    rename_due     INTEGER NOT NULL DEFAULT 0 CHECK (rename_due IN (0, 1)),
    CHECK ((state IN ('done', 'failed', 'cancelled', 'parked')) = (ended_ms IS NOT NULL))
) STRICT;

-- What has to go on at start, and how many run on a server.
CREATE INDEX session_live ON session (guild_id) WHERE state IN ('running', 'paused', 'waiting');

-- How many were started on a server within an hour.
CREATE INDEX session_started ON session (guild_id, started_ms, starter_id);

-- /history.
CREATE INDEX session_history ON session (guild_id, channel_id, started_ms DESC);

-- Sessions are deleted with all that hangs on them once their server keeps them no longer.
CREATE INDEX session_ended ON session (guild_id, ended_ms) WHERE ended_ms IS NOT NULL;

-- What is not needed for ever is found without reading all.
CREATE INDEX session_raw ON session (ended_ms) WHERE raw_kept = 1 AND ended_ms IS NOT NULL;
CREATE INDEX session_prompts ON session (prompt_version);

-- What a member left is found without reading all; so are the other tables' rows by whose they are.
CREATE INDEX session_starter ON session (guild_id, starter_id);

-- Parked ones are told by `doctor`.
CREATE INDEX session_parked ON session (id) WHERE state = 'parked';

CREATE INDEX session_rename ON session (id) WHERE rename_due = 1;

-- A start and its watcher find what is left to do as fast with a million rows as with a thousand, without looking at
-- sessions that sleep, which are paused or wait for people: those whose card does not show their state, those that run,
-- those without a thread, threads in which questions may have come. Each of these indexes holds all that is asked of it,
-- for a row of `session` has its plan, which may be long, before the columns that say how it stands.
CREATE INDEX session_card ON session (id) WHERE card_state IS NOT state;
CREATE INDEX session_running ON session (id) WHERE state = 'running';
CREATE INDEX session_threadless ON session (id)
    WHERE thread_id IS NULL AND state IN ('running', 'paused', 'waiting');
CREATE INDEX session_watched ON session (ended_ms, thread_id, last_seen_id, id) WHERE thread_id IS NOT NULL;

CREATE TRIGGER thread_after_question AFTER UPDATE OF question ON session
WHEN NEW.question IS NOT NULL AND NEW.question IS NOT OLD.question BEGIN
    UPDATE session SET thread_wanted = NEW.question WHERE id = NEW.id;
END;

CREATE TRIGGER thread_renamed AFTER UPDATE OF thread_wanted ON session
WHEN NEW.thread_wanted IS NOT OLD.thread_wanted BEGIN
    UPDATE session SET rename_due = 1 WHERE id = NEW.id;
END;

-- Sessions that go on with what another left open: each matter is taken up once at a time. One that came to nothing makes
-- room for the next.
CREATE TABLE sequel (
    from_session TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    left_open    TEXT NOT NULL,                 -- what was left open: conflict/1, fact/2, solution/3, whole/debate
    to_session   TEXT NOT NULL UNIQUE REFERENCES session ON DELETE CASCADE,
    PRIMARY KEY (from_session, left_open)
) STRICT, WITHOUT ROWID;

-- ## The journal

-- One row for each step. Intended first, done or failed later, never undone.
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

-- What was degraded in a step, noted once beside it. A run passes all of its steps again whenever it goes on, so what a
-- crash kept from being noted is noted by the next run.
CREATE TABLE degraded (
    id         INTEGER PRIMARY KEY,             -- in the order in which it was noted
    session_id TEXT NOT NULL,
    key        TEXT NOT NULL,
    notes      TEXT NOT NULL CHECK (json_valid(notes)),
    of_server  INTEGER NOT NULL DEFAULT 0,      -- 1: what a model's server did; 0: what the protocol says of it
    UNIQUE (session_id, key, of_server),
    FOREIGN KEY (session_id, key) REFERENCES step ON DELETE CASCADE
) STRICT;

-- How a model of a server is asked since it refused to be asked as others are. Of nobody's server.
CREATE TABLE lesson (
    base   TEXT NOT NULL,                       -- the server's base URL, without a password
    model  TEXT NOT NULL,
    manner TEXT NOT NULL CHECK (json_valid(manner)),
    at_ms  INTEGER NOT NULL,
    PRIMARY KEY (base, model)
) STRICT, WITHOUT ROWID;

-- Every request to a model, the ones that failed or were cut off too. A card's key is the beginning of the keys of the
-- calls it was made from, so that one query finds what stands behind it.
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
    month           TEXT,                       -- of the account (YYYY-MM, UTC) that it was also reserved on; NULL: none
    left_us         INTEGER NOT NULL DEFAULT 1, -- whether it may have reached its provider; refused by our breaker: no call
    -- Ids of parts, in their order; NULL: none, or not kept any more.
    request_parts   TEXT CHECK (json_valid(request_parts)),
    reply_parts     TEXT CHECK (json_valid(reply_parts)),
    PRIMARY KEY (session_id, key, n),
    FOREIGN KEY (session_id, key) REFERENCES step ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What a crash left open.
CREATE INDEX attempt_sent ON attempt (session_id) WHERE state = 'sent';

-- How long the newest calls of a model took.
CREATE INDEX attempt_pace ON attempt (model, started_ms DESC, finished_ms) WHERE state = 'ok';

-- Requests and replies in parts, each kept once in its session and compressed: a document that stands in every request of a
-- session is stored once.
CREATE TABLE part (
    id         INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    hash       BLOB NOT NULL,                   -- SHA-256 of the part's text
    bytes      BLOB NOT NULL,                   -- that text, as zlib packs it
    UNIQUE (session_id, hash)
) STRICT;

-- ## Money

-- Budgets: what was reserved and what was used can never exceed the cap. `over` is what a provider counted beyond the
-- worst case that was reserved; it is counted against later reservations.
CREATE TABLE account (
    scope        TEXT NOT NULL,                 -- a session, a member, a server, a server's month, the whole bot, its month
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
    uncounted    INTEGER NOT NULL DEFAULT 0,    -- calls that nobody counted, though their price is known; charged likewise
    PRIMARY KEY (scope, owner, day),
    CHECK (calls_used + calls_held <= calls_cap),
    CHECK (tokens_used + tokens_held <= tokens_cap),
    CHECK (money_used + money_held <= money_cap)
) STRICT, WITHOUT ROWID;

CREATE INDEX account_day ON account (day) WHERE day <> '';

-- ## Posts

-- In the order of their ids within a session.
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

-- Posts that are edited as what they show changes: a vote's turnout, proposed roles, a decision's outcome. The message is
-- found in the outbox by the same key. `shown` is the revision that Discord is known to show.
CREATE TABLE panel (
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    key        TEXT NOT NULL,
    revision   INTEGER NOT NULL DEFAULT 1,
    shown      INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (session_id, key),
    CHECK (shown <= revision)
) STRICT, WITHOUT ROWID;

CREATE INDEX panel_stale ON panel (session_id) WHERE shown < revision;

-- The card of the first in whose thread the second is named shows the second's thread as soon as there is one.
CREATE TRIGGER sequel_opened AFTER UPDATE OF thread_id ON session
WHEN NEW.thread_id IS NOT NULL AND OLD.thread_id IS NULL BEGIN
    UPDATE panel SET revision = revision + 1
    WHERE (session_id, key) IN (SELECT from_session, 'sequel/' || to_session FROM sequel WHERE to_session = NEW.id);
END;

-- ## What people press, and what waits for them

-- Every event from Discord that changed something, by its snowflake: delivered twice, applied once.
CREATE TABLE inbound (
    id         INTEGER PRIMARY KEY,
    kind       TEXT NOT NULL,
    session_id TEXT,
    effect     TEXT NOT NULL,                   -- what to say again when it comes again
    at_ms      INTEGER NOT NULL
) STRICT;

CREATE INDEX inbound_session ON inbound (session_id) WHERE session_id IS NOT NULL;

-- Answers that members were promised ("thinking…") and have not got yet, so that a restart can finish them. Discord takes
-- them for 15 minutes; a row is deleted as soon as its answer was given, or is too late.
CREATE TABLE pending_reply (
    interaction_id INTEGER PRIMARY KEY,
    application_id INTEGER NOT NULL,
    token          TEXT NOT NULL CHECK (token <> ''),
    at_ms          INTEGER NOT NULL
) STRICT;

CREATE INDEX pending_reply_at ON pending_reply (at_ms);

-- What somebody has chosen for a session that is not started yet, while they write its text in a form or choose its protocol
-- under a message. Kept for a day: Discord closes a form when it is sent, and a restart must lose neither what was chosen nor
-- what was typed.
CREATE TABLE opening (
    id        INTEGER PRIMARY KEY,              -- the command's snowflake, by which the session is started once
    guild_id  INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    chosen    TEXT NOT NULL CHECK (chosen <> ''),   -- JSON of this version; another one's counts as gone
    typed     TEXT,                             -- what was last sent in the form
    sent_by   INTEGER                           -- by which form or choice
) STRICT;

CREATE INDEX opening_guild ON opening (guild_id, member_id);
CREATE INDEX opening_sent ON opening (sent_by) WHERE sent_by IS NOT NULL;

-- Questions to people that a session stands still for.
CREATE TABLE wait (
    session_id  TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    key         TEXT NOT NULL,
    kind        TEXT NOT NULL,
    deadline_ms INTEGER NOT NULL,
    value       TEXT,                           -- NULL while it is open
    by_id       INTEGER,                        -- NULL: the deadline decided
    by_name     TEXT,                           -- the name that whoever answered went by
    draft       TEXT CHECK (json_valid(draft)), -- what it shows and people may change before they answer it
    draft_event INTEGER,                        -- the event that last changed it: an older one changes nothing
    -- Which budget had too little left of what, and how much was wanted: while that is so, nobody's press ends a pause.
    short       TEXT CHECK (json_valid(short)),
    PRIMARY KEY (session_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX wait_open ON wait (deadline_ms) WHERE value IS NULL;
CREATE INDEX wait_by ON wait (by_id) WHERE by_id IS NOT NULL;

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

-- Who takes part in a session: whoever does anything to it, from the transaction that does it. They are added to its thread
-- soon after, by an edit that mentions them, which notifies nobody.
CREATE TABLE participant (
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    user_id    INTEGER NOT NULL,
    since_ms   INTEGER NOT NULL,
    added      INTEGER NOT NULL DEFAULT 0 CHECK (added IN (0, 1)),     -- whether they were added to the thread
    PRIMARY KEY (session_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX participant_due ON participant (session_id) WHERE added = 0;
CREATE INDEX participant_user ON participant (user_id);

-- Which message may mention members at this moment: written before the first edit, gone after the one that takes it back.
CREATE TABLE mention (
    session_id TEXT PRIMARY KEY REFERENCES session ON DELETE CASCADE,
    message_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- ## What members bring

-- Notes, follow-up questions, evidence, what a debate's moderator is to make clear, and what they say of findings. An audit is
-- asked for like a question. What no task of its own sees to is closed as it comes; what is open is seen to again after a restart,
-- whatever has become of its session.
CREATE TABLE brought (
    id          INTEGER PRIMARY KEY,            -- the message's or interaction's snowflake: delivered twice, taken once
    session_id  TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    kind        TEXT NOT NULL CHECK (kind IN ('note', 'question', 'evidence', 'clarification', 'triage')),
    number      INTEGER CHECK (number > 0),     -- of evidence, from 1 in its session: E1; of triage: the finding
    author_id   INTEGER NOT NULL,
    author_name TEXT NOT NULL,
    text        TEXT NOT NULL CHECK (length(trim(text)) > 0 OR kind = 'question'),      -- an audit asks nothing
    source      TEXT,                           -- of evidence; '': none was named
    hinge       INTEGER CHECK (hinge > 0),      -- of evidence brought on one, which is then looked at again, once
    reply_to    INTEGER,                        -- the message to answer a question under; NULL for /ask
    addressee   TEXT,                           -- whom a question was put to; NULL: nobody in particular
    audit       INTEGER CHECK (audit BETWEEN 0 AND 5),     -- an audit that somebody asked for: 0 the whole, else this layer
    at_ms       INTEGER NOT NULL,
    closed_ms   INTEGER,                        -- answered, looked at again, or given up with a notice; of all else, when it came
    CHECK ((number IS NOT NULL) = (kind IN ('evidence', 'triage'))),
    CHECK ((source IS NOT NULL) = (kind = 'evidence')),
    CHECK (hinge IS NULL OR kind = 'evidence'),
    CHECK (kind <> 'triage' OR text IN ('accepted', 'rejected', 'fixed', 'open')),
    CHECK (closed_ms IS NOT NULL OR kind = 'question' OR hinge IS NOT NULL)
) STRICT;

CREATE INDEX brought_session ON brought (session_id, kind, number);
CREATE INDEX brought_open ON brought (session_id) WHERE closed_ms IS NULL;
CREATE INDEX brought_author ON brought (author_id);
CREATE UNIQUE INDEX brought_evidence ON brought (session_id, number) WHERE kind = 'evidence';

-- Every word on a finding is kept, so that who changed whose word stays visible. Whose they are can be taken away.
CREATE TRIGGER triage_stays BEFORE UPDATE OF id, session_id, kind, number, text, at_ms ON brought WHEN OLD.kind = 'triage' BEGIN
    SELECT RAISE(ABORT, 'what was said of a finding stays as it was said');
END;

-- ## Votes

-- A session can hold several votes of any kind, each under the key of its panel. `closed`: no ballot is taken any more;
-- `counted`: what came of it is in the outbox. What kinds there are, and why a vote closes, is decided where rows are
-- written.
CREATE TABLE vote (
    session_id     TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    key            TEXT NOT NULL,               -- its step and its panel
    kind           TEXT NOT NULL,               -- what its ballots say
    question       TEXT NOT NULL,               -- what is to be decided, short
    rules          TEXT NOT NULL CHECK (json_valid(rules)),      -- who may vote and how, frozen when it opened
    experts        TEXT NOT NULL CHECK (json_valid(experts)),    -- what the experts gave
    repeats        TEXT,                        -- the key of the earlier vote on the same question
    state          TEXT NOT NULL DEFAULT 'open',
    opened_ms      INTEGER NOT NULL,
    -- NULL: it is held while the session waits under the same key, and closes when that goes on.
    deadline_ms    INTEGER CHECK (deadline_ms > opened_ms),
    remind_ms      INTEGER,                     -- when to remind; NULL: never, or done
    closed_ms      INTEGER,
    closed_why     TEXT,
    closed_by_id   INTEGER,
    closed_by_name TEXT,
    -- Which experts stood for which solutions; none where nobody keeps how their advice turns out.
    champions      TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (session_id, key),
    CHECK ((state = 'open') = (closed_ms IS NULL)),
    CHECK ((closed_ms IS NULL) = (closed_why IS NULL)),
    CHECK ((closed_why IS 'person') = (closed_by_id IS NOT NULL)),
    CHECK (closed_why IS NULL OR (closed_why = 'start') = (deadline_ms IS NULL)),
    CHECK (remind_ms IS NULL OR (deadline_ms IS NOT NULL AND state = 'open'))
) STRICT, WITHOUT ROWID;

-- What is due by itself, looked for several times a minute.
CREATE INDEX vote_deadline ON vote (deadline_ms) WHERE state = 'open';
CREATE INDEX vote_reminder ON vote (remind_ms) WHERE state = 'open';
CREATE INDEX vote_uncounted ON vote (closed_ms) WHERE state = 'closed';

CREATE INDEX vote_closed_by ON vote (closed_by_id) WHERE closed_by_id IS NOT NULL;

-- What points are given to: the experts' solutions and those that members proposed.
CREATE TABLE solution (
    session_id    TEXT NOT NULL,
    key           TEXT NOT NULL,
    n             INTEGER NOT NULL CHECK (n BETWEEN 1 AND 10),
    title         TEXT NOT NULL CHECK (length(trim(title)) > 0),
    description   TEXT NOT NULL,
    raised_by     TEXT NOT NULL CHECK (json_valid(raised_by)),
    proposer_id   INTEGER,                      -- NULL: the experts'
    -- How it came about, where there is more to say than who raised it: which options it stands for, what was put
    -- together with it, and words of it that a check found nobody to have said.
    provenance    TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (session_id, key, n),
    FOREIGN KEY (session_id, key) REFERENCES vote ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX solution_proposer ON solution (proposer_id) WHERE proposer_id IS NOT NULL;

CREATE TRIGGER solution_new BEFORE INSERT ON solution BEGIN
    SELECT RAISE(ABORT, 'the vote is closed')
    WHERE (SELECT state FROM vote WHERE session_id = NEW.session_id AND key = NEW.key) IS NOT 'open';
END;

-- One ballot a member and vote. `event_id` is the snowflake of the interaction it came from: an older one that arrives later
-- changes nothing.
CREATE TABLE ballot (
    session_id TEXT NOT NULL,
    key        TEXT NOT NULL,
    voter_id   INTEGER NOT NULL,
    voter_name TEXT NOT NULL,
    -- Points: [3, 7] for solution 1, 2, …; the rest have 0. An opinion: "for".
    choice     TEXT NOT NULL CHECK (json_valid(choice)),
    event_id   INTEGER NOT NULL,
    at_ms      INTEGER NOT NULL,
    PRIMARY KEY (session_id, key, voter_id),
    FOREIGN KEY (session_id, key) REFERENCES vote ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX ballot_voter ON ballot (voter_id);

CREATE TRIGGER ballot_new BEFORE INSERT ON ballot BEGIN
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

-- Once cast it stays as it is when the vote is closed, but for whose it is: that can be taken away.
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

-- ## Decisions

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

-- Trust: what moved how much a module counts on its server. The events outlive their session, as decision records do: the
-- outcome of a decision may be told when the session is gone, and they hold neither text nor anybody's name.
CREATE TABLE trust_event (
    guild_id   INTEGER NOT NULL,
    session_id TEXT    NOT NULL,
    module     TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    decision   INTEGER NOT NULL DEFAULT 0,                   -- of an outcome: the decision's number; else 0
    good       INTEGER NOT NULL CHECK (good >= 0),           -- what speaks for the module, in hundredths
    bad        INTEGER NOT NULL CHECK (bad >= 0),            -- and against it
    at_ms      INTEGER NOT NULL,
    PRIMARY KEY (guild_id, session_id, module, kind, decision)
) STRICT, WITHOUT ROWID;

CREATE INDEX trust_newest ON trust_event (guild_id, at_ms);

-- ## Settings

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

-- ## What /history finds

-- The text of each session that has ended, and an index over its words. `changed` is raised with everything that changes
-- what the session says, `seen` is what was put into the index last: a row with less is read again, also after a restart.
-- Deleted with its session, and with it what the index has of it.
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

-- What somebody looks for, so that the buttons under the answer find its other pages. Kept for a day.
CREATE TABLE lookup (
    id        INTEGER PRIMARY KEY,              -- the command's snowflake
    guild_id  INTEGER NOT NULL,
    member_id INTEGER NOT NULL,
    words     TEXT NOT NULL
) STRICT;

CREATE INDEX lookup_guild ON lookup (guild_id, member_id);

-- ## What is deleted on request

-- Under which names members did something in a session, whatever it was; who is quoted in what it reads (a message that was
-- given to it, the record of the session that it goes on from), by name and in which words; and whose document it was given
-- out of another session. By this all of it is found when they want it deleted.
CREATE TABLE trace (
    id         INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    user_id    INTEGER NOT NULL,
    what       TEXT NOT NULL CHECK (what IN ('name', 'words', 'document')),
    text       TEXT NOT NULL,
    at_ms      INTEGER NOT NULL
) STRICT;

CREATE INDEX trace_session ON trace (session_id, user_id);
CREATE INDEX trace_user ON trace (user_id);

-- The same of all that members bring: who went by which name and wrote which words in which session.
CREATE VIEW left_in AS
    SELECT session_id, user_id, what, text, at_ms FROM trace
    UNION ALL SELECT session_id, author_id, 'name', author_name, at_ms FROM brought
    UNION ALL SELECT session_id, author_id, 'words', text, at_ms FROM brought WHERE kind <> 'triage'
    UNION ALL SELECT session_id, author_id, 'words', source, at_ms FROM brought WHERE source <> ''
    UNION ALL SELECT session_id, voter_id, 'name', voter_name, at_ms FROM ballot
    UNION ALL SELECT session_id, by_id, 'name', by_name, 0 FROM wait
    UNION ALL SELECT session_id, closed_by_id, 'name', closed_by_name, closed_ms FROM vote
    UNION ALL SELECT session_id, proposer_id, 'name', json_extract(raised_by, '$[0]'), 0 FROM solution;

-- What somebody has asked to be deleted and is not gone yet; the row goes with the last of it.
CREATE TABLE erasure (
    id        INTEGER PRIMARY KEY,              -- the press's snowflake
    guild_id  INTEGER NOT NULL,
    member_id INTEGER,                          -- NULL: all that is kept of the server
    asked_ms  INTEGER NOT NULL                  -- what came later stays
) STRICT;

-- ## What is counted

-- For whoever watches the bot, kept by the database itself, so that it is never counted twice or forgotten, and reading it
-- costs the same however large the rest is.
CREATE TABLE tally (
    subject TEXT NOT NULL CHECK (subject IN ('session', 'step', 'charged')),
    what    TEXT NOT NULL,
    n       INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subject, what)
) STRICT, WITHOUT ROWID;
INSERT INTO tally (subject, what) VALUES
    -- How many sessions are in each state now.
    ('session', 'running'), ('session', 'paused'), ('session', 'waiting'), ('session', 'done'),
    ('session', 'failed'), ('session', 'cancelled'), ('session', 'parked'),
    -- How many steps were settled, and what servers were charged (money in millionths of a dollar).
    ('step', 'done'), ('step', 'failed'),
    ('charged', 'calls'), ('charged', 'tokens'), ('charged', 'money'), ('charged', 'unpriced'), ('charged', 'lost');

CREATE TRIGGER session_counted AFTER INSERT ON session BEGIN
    UPDATE tally SET n = n + 1 WHERE subject = 'session' AND what = NEW.state;
END;

CREATE TRIGGER session_counted_anew AFTER UPDATE OF state ON session WHEN NEW.state <> OLD.state BEGIN
    UPDATE tally SET n = n + iif(what = NEW.state, 1, -1) WHERE subject = 'session' AND what IN (NEW.state, OLD.state);
END;

CREATE TRIGGER session_counted_no_more AFTER DELETE ON session BEGIN
    UPDATE tally SET n = n - 1 WHERE subject = 'session' AND what = OLD.state;
END;

CREATE TRIGGER step_counted AFTER INSERT ON step WHEN NEW.state <> 'intent' BEGIN
    UPDATE tally SET n = n + 1 WHERE subject = 'step' AND what = NEW.state;
END;

CREATE TRIGGER step_counted_later AFTER UPDATE OF state ON step WHEN OLD.state = 'intent' AND NEW.state <> 'intent' BEGIN
    UPDATE tally SET n = n + 1 WHERE subject = 'step' AND what = NEW.state;
END;

-- Every charge is on its server's account of the day, once.
CREATE TRIGGER charge_counted AFTER UPDATE OF calls_used, tokens_used, tokens_over, money_used, money_over ON account
WHEN NEW.scope = 'guild' AND (NEW.calls_used > OLD.calls_used OR NEW.tokens_used > OLD.tokens_used
    OR NEW.tokens_over > OLD.tokens_over OR NEW.money_used > OLD.money_used OR NEW.money_over > OLD.money_over) BEGIN
    UPDATE tally SET n = n + CASE what
        WHEN 'calls' THEN NEW.calls_used - OLD.calls_used
        WHEN 'tokens' THEN NEW.tokens_used + NEW.tokens_over - OLD.tokens_used - OLD.tokens_over
        WHEN 'money' THEN NEW.money_used + NEW.money_over - OLD.money_used - OLD.money_over
        WHEN 'unpriced' THEN NEW.unpriced - OLD.unpriced
        ELSE NEW.lost - OLD.lost END
    WHERE subject = 'charged';
END;
