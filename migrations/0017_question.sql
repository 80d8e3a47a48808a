-- The question: what a session has to decide, in a sentence, where its problem is longer than a line.
ALTER TABLE session ADD COLUMN question TEXT;                -- NULL: nobody has put it in a sentence yet
ALTER TABLE session ADD COLUMN question_by TEXT;             -- who changed it; NULL: it is a model's
-- `none`: the problem is a line itself, or the session is of an earlier version; `open`: it may be changed.
ALTER TABLE session ADD COLUMN question_state TEXT NOT NULL DEFAULT 'none'
    CHECK (question_state IN ('none', 'open', 'fixed'));
