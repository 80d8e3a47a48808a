-- Calls that nobody counted, though their price is known: charged at what was held for them, and said so.
ALTER TABLE account ADD COLUMN uncounted INTEGER NOT NULL DEFAULT 0;
-- Whether an attempt may have reached its provider. One that our own breaker refused is no call.
ALTER TABLE attempt ADD COLUMN left_us INTEGER NOT NULL DEFAULT 1;
