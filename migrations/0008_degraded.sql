-- What was degraded in a step, noted once beside it. A run passes all of its steps again whenever it goes on, so what a
-- crash kept from being noted is noted by the next run.
CREATE TABLE degraded (
    id         INTEGER PRIMARY KEY,             -- in the order in which it was noted
    session_id TEXT NOT NULL,
    key        TEXT NOT NULL,
    notes      TEXT NOT NULL CHECK (json_valid(notes)),
    UNIQUE (session_id, key),
    FOREIGN KEY (session_id, key) REFERENCES step ON DELETE CASCADE
) STRICT;

-- Earlier versions kept which models stood in within a critique in steps of their own, which are not passed any more.
INSERT INTO degraded (session_id, key, notes)
SELECT session_id, 'assessment/worded',
       json_array(json_object('stand_in', json_object('piece', 'assessment', 'model', json_extract(output, '$'))))
FROM step kept
WHERE key = 'assess/course' AND kind = 'keep' AND output <> 'null'
  AND EXISTS (SELECT 1 FROM step asked WHERE asked.session_id = kept.session_id AND asked.key = 'assessment/worded');

INSERT INTO degraded (session_id, key, notes)
SELECT kept.session_id, 'self-critique/' || json_extract(pair.value, '$[0]'),
       json_array(json_object('stand_in', json_object(
           'piece', json_object('self_critique', json_extract(pair.value, '$[0]')),
           'model', json_extract(pair.value, '$[1]'))))
FROM step kept, json_each(kept.output, '$[0]') pair
WHERE kept.key = 'self/course' AND kept.kind = 'keep'
  AND EXISTS (SELECT 1 FROM step asked WHERE asked.session_id = kept.session_id
                 AND asked.key = 'self-critique/' || json_extract(pair.value, '$[0]'));
