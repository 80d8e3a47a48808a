-- What is counted for whoever watches the bot, kept by the database itself, so that it is never counted twice or
-- forgotten, and reading it costs the same however large the rest is.
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
    -- How many steps were settled, and what servers were charged (money in millionths of a dollar), since this table is.
    ('step', 'done'), ('step', 'failed'),
    ('charged', 'calls'), ('charged', 'tokens'), ('charged', 'money'), ('charged', 'unpriced'), ('charged', 'lost');
INSERT INTO tally (subject, what, n) SELECT 'session', state, count(*) FROM session WHERE TRUE GROUP BY state
ON CONFLICT DO UPDATE SET n = excluded.n;

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
