//! The files of `prompts/` are in the program.

fn main() -> std::io::Result<()> {
    embed::embed("prompts", "PROMPTS")
}
