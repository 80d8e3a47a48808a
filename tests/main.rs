//! All tests over the wire and on real files, in one program: linked once, and its tests share the machine.
#![allow(unreachable_pub)] // parts share what they have
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)] // tests, and what serves them

mod bad_input;
mod budget;
mod checked;
mod cli;
mod config;
mod confirm;
mod cost;
mod critique;
mod debate;
mod debate_record;
mod decision;
mod discord;
mod disk;
mod documents;
mod effort;
mod ending;
mod faults;
mod gateway;
mod kept;
mod layout;
mod limits;
mod llm;
mod mediate;
mod model_faults;
mod money;
mod old_messages;
mod own_words;
mod proposition;
mod question;
mod quotas;
mod reasoning;
mod registration;
mod restored;
mod resume;
mod roundtable;
mod settings;
mod standin;
mod standin_bot;
mod store;
mod support;
mod thinking;
mod thread;
mod upgrade;
mod vote;
