//! Checks of Discord limits, for tests.
