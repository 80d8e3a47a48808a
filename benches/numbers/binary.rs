//! The program itself: how large it is.

use std::fs;

use super::table::{Measured, Table};

/// Sections that a debugger needs, and the program does not: what `strip` takes away.
const STRIPPED: [&str; 4] = [".debug", ".symtab", ".strtab", ".comment"];

/// Its size without what `strip` takes away.
pub fn binary(table: &mut Table) {
    let program = fs::read(env!("CARGO_BIN_EXE_quorum")).unwrap();
    #[allow(clippy::cast_precision_loss)]
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let whole = program.len() as u64;
    let value = megabytes(whole.saturating_sub(stripped(&program)));
    table.check("the program, stripped", Measured { value, goal: 50.0, limit: 80.0, unit: "MB" });
    table.note("with the lines of its backtraces and all names", format!("{:.1} MB", megabytes(whole)));
}

/// Bytes of the sections of an ELF file (64 bits, little-endian) that the program does not need; 0 for other files.
fn stripped(program: &[u8]) -> u64 {
    let number = |at: usize, bytes: usize| -> Option<usize> {
        let bytes = program.get(at..at + bytes)?;
        let number = bytes.iter().rev().fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        usize::try_from(number).ok()
    };
    let sections = || -> Option<u64> {
        program.starts_with(b"\x7fELF\x02\x01").then_some(())?;
        let (table, each, count, names) = (number(40, 8)?, number(58, 2)?, number(60, 2)?, number(62, 2)?);
        let names = number(table + names * each + 24, 8)?;
        let mut sum = 0;
        for section in (0..count).map(|n| table + n * each) {
            let name = program.get(names + number(section, 4)?..)?;
            if STRIPPED.iter().any(|known| name.starts_with(known.as_bytes())) {
                sum += number(section + 32, 8)? as u64;
            }
        }
        Some(sum)
    };
    sections().unwrap_or(0)
}
