//! The room `documents`.
