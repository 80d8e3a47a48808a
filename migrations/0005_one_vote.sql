-- One kind of row for every vote. Members used to give ten points in tables of their own, and to say what they think of
-- a debate's proposition in others; a session can now hold several votes of any kind, each under the key of its panel.

ALTER TABLE vote RENAME TO points_vote;
ALTER TABLE solution RENAME TO points_solution;
ALTER TABLE ballot RENAME TO points_ballot;

-- `closed`: no ballot is taken any more; `counted`: what came of it is in the outbox. What kinds there are, and why a
-- vote closes, is decided where rows are written.
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
    PRIMARY KEY (session_id, key),
    CHECK ((state = 'open') = (closed_ms IS NULL)),
    CHECK ((closed_ms IS NULL) = (closed_why IS NULL)),
    CHECK ((closed_why IS 'person') = (closed_by_id IS NOT NULL)),
    CHECK (closed_why IS NULL OR (closed_why = 'start') = (deadline_ms IS NULL)),
    CHECK (remind_ms IS NULL OR (deadline_ms IS NOT NULL AND state = 'open'))
) STRICT, WITHOUT ROWID;

-- What points are given to: the experts' solutions and those that members proposed.
CREATE TABLE solution (
    session_id    TEXT NOT NULL,
    key           TEXT NOT NULL,
    n             INTEGER NOT NULL CHECK (n BETWEEN 1 AND 10),
    title         TEXT NOT NULL CHECK (length(trim(title)) > 0),
    description   TEXT NOT NULL,
    raised_by     TEXT NOT NULL CHECK (json_valid(raised_by)),
    proposer_id   INTEGER,                      -- NULL: the experts'
    PRIMARY KEY (session_id, key, n),
    FOREIGN KEY (session_id, key) REFERENCES vote ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- One ballot a member and vote. `event_id` is the snowflake of the interaction it came from: an older one that arrives
-- later changes nothing.
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

INSERT INTO vote
SELECT session_id, 'vote', 'points', question, rules, experts, NULL, state, opened_ms, deadline_ms,
       CASE WHEN state = 'open' THEN remind_ms END, closed_ms, closed_why, closed_by_id, closed_by_name
FROM points_vote;
INSERT INTO solution SELECT session_id, 'vote', n, title, description, raised_by, proposer_id FROM points_solution;
INSERT INTO ballot SELECT session_id, 'vote', voter_id, voter_name, points, event_id, at_ms FROM points_ballot;

-- The first vote on a proposition was shown on its card, and nothing comes of it but what the second shows.
INSERT INTO vote
SELECT o.session_id, CASE o.stage WHEN 'before' THEN 'proposition' ELSE 'opinion' END, 'opinion',
       coalesce((SELECT json_extract(w.draft, '$.question') FROM wait w
                 WHERE w.session_id = o.session_id AND w.key = 'proposition'),
                (SELECT s.title FROM session s WHERE s.id = o.session_id)),
       o.rules, '[]', CASE o.stage WHEN 'after' THEN 'proposition' END,
       CASE WHEN o.stage = 'before' AND o.state = 'closed' THEN 'counted' ELSE o.state END,
       o.opened_ms, o.deadline_ms, o.remind_ms, o.closed_ms, o.closed_why, o.closed_by_id, o.closed_by_name
FROM opinion_vote o;
INSERT INTO ballot
SELECT session_id, CASE stage WHEN 'before' THEN 'proposition' ELSE 'opinion' END, voter_id, voter_name,
       json_quote(opinion), event_id, at_ms
FROM opinion;

-- Those that refer to others first.
DROP TABLE points_ballot;
DROP TABLE points_solution;
DROP TABLE points_vote;
DROP TABLE opinion;
DROP TABLE opinion_vote;

-- What is due by itself, looked for several times a minute.
CREATE INDEX vote_deadline ON vote (deadline_ms) WHERE state = 'open';
CREATE INDEX vote_reminder ON vote (remind_ms) WHERE state = 'open';
CREATE INDEX vote_uncounted ON vote (closed_ms) WHERE state = 'closed';

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
CREATE TRIGGER ballot_changed BEFORE UPDATE ON ballot BEGIN
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
CREATE TRIGGER solution_new BEFORE INSERT ON solution BEGIN
    SELECT RAISE(ABORT, 'the vote is closed')
    WHERE (SELECT state FROM vote WHERE session_id = NEW.session_id AND key = NEW.key) IS NOT 'open';
END;
