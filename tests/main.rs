//! All tests over the wire and on real files, in one program: linked once, and its tests share the machine.
#![allow(unreachable_pub)] // parts share what they have
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)] // tests, and what serves them

/// As in the program: a sixth of what the tests do is to take memory and to give it back.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod audit;
mod auto_select;
mod bad_input;
mod baseline;
mod beginning;
mod bell;
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
mod ending_together;
mod estimate;
mod everything;
mod example;
mod faults;
mod fleet;
mod forum;
mod forum_tags;
mod gateway;
mod history;
mod image;
mod init;
mod investigate;
mod kept;
mod layout;
mod limits;
mod litestream;
mod llm;
mod mediate;
mod memo;
mod mentions;
mod metrics;
mod model_faults;
mod money;
mod old_messages;
mod options;
mod own_words;
mod pages_door;
mod participant;
mod proposition;
mod question;
mod quotas;
mod raci;
mod reading;
mod reasoning;
mod registration;
mod report;
mod research;
mod restored;
mod resume;
mod roundtable;
mod sandbox;
mod scale;
mod search;
mod search_door;
mod sequel;
mod servers;
mod settings;
mod standin_bot;
mod store;
mod support;
mod thinking;
mod thread;
mod thread_name;
mod trust;
mod unreadable;
mod venue;
mod vote;
mod writing;
