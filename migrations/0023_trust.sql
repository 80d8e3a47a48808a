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

-- Which experts stood for which solutions; none where nobody keeps how their advice turns out.
ALTER TABLE vote ADD COLUMN champions TEXT NOT NULL DEFAULT '[]';
