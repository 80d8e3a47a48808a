-- How a solution came about, where there is more to say than who raised it: which options it stands for, what was put
-- together with it, and words of it that a check found nobody to have said.
ALTER TABLE solution ADD COLUMN provenance TEXT NOT NULL DEFAULT '{}';
