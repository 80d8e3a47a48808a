-- Requests and replies in parts, each kept once in its session and compressed: a document that stands in every request of a
-- session is stored once. Rows of earlier versions keep their texts in `request` and `reply`.
CREATE TABLE part (
    id         INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    hash       BLOB NOT NULL,                   -- SHA-256 of the part's text
    bytes      BLOB NOT NULL,                   -- that text, as zlib packs it
    UNIQUE (session_id, hash)
) STRICT;
-- Ids of parts, in their order; NULL: none, or not kept any more.
ALTER TABLE attempt ADD COLUMN request_parts TEXT CHECK (json_valid(request_parts));
ALTER TABLE attempt ADD COLUMN reply_parts TEXT CHECK (json_valid(reply_parts));

-- What is not needed for ever is found without reading all.
ALTER TABLE session ADD COLUMN raw_kept INTEGER NOT NULL DEFAULT 1 CHECK (raw_kept IN (0, 1));
CREATE INDEX session_raw ON session (ended_ms) WHERE raw_kept = 1 AND ended_ms IS NOT NULL;
CREATE INDEX session_prompts ON session (prompt_version);
CREATE INDEX account_day ON account (day) WHERE day <> '';
