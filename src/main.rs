//! The program `quorum`.

use std::process::ExitCode;

fn main() -> ExitCode {
    quorum::cli::main()
}
