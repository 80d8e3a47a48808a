//! The room `discord`.
