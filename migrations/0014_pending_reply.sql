-- Answers that members were promised ("thinking…") and have not got yet, so that a restart can finish them. Discord takes
-- them for 15 minutes; a row is deleted as soon as its answer was given, or is too late.
CREATE TABLE pending_reply (
    interaction_id INTEGER PRIMARY KEY,
    application_id INTEGER NOT NULL,
    token          TEXT NOT NULL CHECK (token <> ''),
    at_ms          INTEGER NOT NULL
) STRICT;

CREATE INDEX pending_reply_at ON pending_reply (at_ms);
