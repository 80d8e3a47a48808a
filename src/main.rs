//! The program `quorum`.

use std::process::ExitCode;

/// Of a hundred sessions that are over, the allocator of the system keeps some 30 MB more.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    quorum::cli::main()
}
