//! Documents, fetched over the wire from servers on loopback and read in a process of their own.

mod bombs;
mod borne;
mod good;
mod hostile;
mod memory;
mod packages;
mod pages;
pub mod pdfs;
mod refused;
mod scene;
mod wire;
