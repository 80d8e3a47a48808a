//! The room `llm`.
