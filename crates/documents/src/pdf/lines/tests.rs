//! What is written of letters by their places.

use super::*;

/// A line of pieces: how high each is, how far above the line, and what it says.
fn line(pieces: &[(f64, f64, &str)]) -> String {
    let mut sheet = Sheet::default();
    let mut x = 72.0;
    for (size, above, letters) in pieces {
        for letter in letters.chars() {
            let letter = if letter == ' ' { Letter::Space } else { Letter::Known(Text::One(letter)) };
            let wide = size * 0.5;
            let place = Place { x, y: 700.0 + above, direction: (1.0, 0.0), size: *size, wide };
            sheet.put(letter, place);
            x += wide;
        }
    }
    sheet.text()
}

#[test]
fn raised_and_lowered_letters_join_no_number() {
    for (pieces, written) in [
        (
            &[
                (12.0, 0.0, "10"),
                (7.0, 4.0, "6"),
                (12.0, 0.0, " bottles, $320"),
                (7.0, 4.0, "1"),
                (12.0, 0.0, " a day"),
            ][..],
            "10^6 bottles, $320[1] a day",
        ),
        (&[(7.0, 4.0, "1"), (10.0, 0.0, " Without tax.")], "[1] Without tax."),
        (
            &[
                (12.0, 0.0, "CO"),
                (8.0, -2.0, "2"),
                (12.0, 0.0, " and log"),
                (8.0, -2.0, "2"),
                (12.0, 0.0, "8"),
            ],
            "CO2 and log_2 8",
        ),
        (&[(12.0, 0.0, "sales"), (7.0, 4.0, "2, 3"), (12.0, 0.0, " fell")], "sales[2, 3] fell"),
        // Small capitals and a large first letter stand on the line.
        (&[(12.0, 0.0, "P"), (9.0, 0.0, "LAN"), (12.0, 0.0, " 2026")], "PLAN 2026"),
        (&[(30.0, 0.0, "W"), (10.0, 0.0, "e open in May")], "We open in May"),
    ] {
        assert_eq!(line(pieces), written);
    }
}
