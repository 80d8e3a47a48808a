-- An audit that somebody asked for: like a question, it is done by a task of its own, whatever has become of the session,
-- and again after a restart that cut it off.
ALTER TABLE question ADD COLUMN audit INTEGER NOT NULL DEFAULT 0 CHECK (audit IN (0, 1));
