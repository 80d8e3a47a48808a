-- Whether fitting modules may still be asked for while a mediation with the usual ones runs.
ALTER TABLE session ADD COLUMN offer_by TEXT;                -- who asked for them
-- `none`: it was never offered; `open`: it may be asked for; `wished`: somebody did; `closed`: nobody did in time.
ALTER TABLE session ADD COLUMN offer_state TEXT NOT NULL DEFAULT 'none'
    CHECK (offer_state IN ('none', 'open', 'wished', 'closed'));
