-- In what a session lies: a thread of its own, started from its live card and so of its number; a thread that was there
-- before it; or a forum's post of its own, whose first message is its live card.
ALTER TABLE session ADD COLUMN lies TEXT NOT NULL DEFAULT 'own_thread'
    CHECK (lies IN ('own_thread', 'within', 'own_post'));
UPDATE session SET lies = 'within' WHERE thread_id IS NOT NULL AND thread_id IS NOT status_id;

-- Which state the tags of its forum's post were last made to say; NULL: none yet.
ALTER TABLE session ADD COLUMN tag TEXT;
