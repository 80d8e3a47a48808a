//! The files of `migrations/` are in the program.

fn main() -> std::io::Result<()> {
    embed::embed("migrations", "MIGRATIONS")
}
