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
