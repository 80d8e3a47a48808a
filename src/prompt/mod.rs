//! The room `prompt`.
