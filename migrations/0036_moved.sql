-- Servers that are, or were, moved between this file and another one. While one arrives, the other file still has it, so no
-- bot is started on this one until the move is finished; afterwards the row says where the server came from, or went.
CREATE TABLE moved (
    guild_id INTEGER PRIMARY KEY,
    state    TEXT NOT NULL CHECK (state IN ('arriving', 'arrived', 'left')),
    mark     TEXT NOT NULL,                     -- of this one move, the same in both files
    file     TEXT NOT NULL,                     -- the other file, by the path it had
    at_ms    INTEGER NOT NULL
) STRICT;
CREATE INDEX moved_arriving ON moved (guild_id) WHERE state = 'arriving';
