-- A card's key is the beginning of the keys of the calls it was made from, so that one query finds what stands behind
-- it. Four kinds of calls had keys of their own; their steps and attempts get the new ones, in sessions that run and in
-- those that are over. None of these steps posts anything, so no post and no panel has such a key.
PRAGMA defer_foreign_keys = ON;

UPDATE step SET key = CASE
        WHEN key LIKE 'scoring/%' THEN 'points/' || substr(key, 9)
        WHEN key LIKE 'tree/%' THEN 'critique/' || substr(key, 6)
        WHEN key LIKE 'self/%' THEN 'self-critique/' || substr(key, 6)
        ELSE 'assessment/worded' || substr(key, 7)
    END
WHERE kind LIKE 'ask:%'
    AND (key LIKE 'scoring/%' OR key LIKE 'tree/%' OR key LIKE 'self/%' OR key = 'assess' OR key LIKE 'assess/%');

UPDATE attempt SET key = CASE
        WHEN key LIKE 'scoring/%' THEN 'points/' || substr(key, 9)
        WHEN key LIKE 'tree/%' THEN 'critique/' || substr(key, 6)
        WHEN key LIKE 'self/%' THEN 'self-critique/' || substr(key, 6)
        ELSE 'assessment/worded' || substr(key, 7)
    END
WHERE key LIKE 'scoring/%' OR key LIKE 'tree/%' OR key LIKE 'self/%' OR key = 'assess' OR key LIKE 'assess/%';
