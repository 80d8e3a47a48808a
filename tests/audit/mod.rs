//! Audits over the wire: of sessions of every protocol, by the button, by `/audit` and by `quorum audit`.

mod command_line;
mod protocols;
mod scene;
mod session;
mod spent;
