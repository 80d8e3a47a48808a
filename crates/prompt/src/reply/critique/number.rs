//! Numbers from 0 to 1, however models write them: `0.85`, `"0.85"`, `85`, `"85 %"`.

use serde::{
    Deserialize, Deserializer,
    de::{Error, Unexpected},
};

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Text(String),
}

/// How sure something is, 0 to 1. 2 to 10 is taken for marks out of ten, more for per cent.
pub(super) fn confidence<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let (number, percent) = read(deserializer)?;
    let part = match number {
        _ if percent => number / 100.0,
        n if n > 10.0 => n / 100.0,
        n if n >= 2.0 => n / 10.0,
        n => n,
    };
    Ok(part.clamp(0.0, 1.0))
}

/// A change, −1 to 1. From 2 on, either way, it is taken for per cent.
pub(super) fn change<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let (number, percent) = read(deserializer)?;
    let part = if percent || number.abs() >= 2.0 { number / 100.0 } else { number };
    Ok(part.clamp(-1.0, 1.0))
}

/// The number, and whether it is said to be per cent.
fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(f64, bool), D::Error> {
    let (number, percent) = match Written::deserialize(deserializer)? {
        Written::Number(number) => (number, false),
        Written::Text(text) => {
            // Typesetters' minus, decimal comma and plus are read as meant.
            let plain = text.trim().replace('−', "-").replace(',', ".");
            let bare = plain.trim_end_matches('%').trim_end();
            let number =
                bare.parse().map_err(|_| D::Error::invalid_value(Unexpected::Str(&text), &"a number"))?;
            (number, bare.len() < plain.len())
        }
    };
    if number.is_finite() { Ok((number, percent)) } else { Err(D::Error::custom("a number that is none")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Sure(#[serde(deserialize_with = "confidence")] f64);

    #[derive(Deserialize)]
    struct Moved(#[serde(deserialize_with = "change")] f64);

    #[test]
    fn confidence_is_read_however_it_is_written() {
        for (written, meant) in [
            ("0.85", 0.85),
            ("85", 0.85),
            ("\"85%\"", 0.85),
            ("\"85 %\"", 0.85),
            ("\"0,85\"", 0.85),
            ("8", 0.8),
            ("100", 1.0),
            ("1", 1.0),
            ("1.2", 1.0),
            ("\"5%\"", 0.05),
            ("-0.4", 0.0),
            ("400", 1.0),
        ] {
            let Sure(read) = serde_json::from_str(written).unwrap();
            assert!((read - meant).abs() < 1e-9, "{written}: {read}");
        }
        for wrong in ["\"high\"", "null", "\"NaN\"", "\"\"", "[]", "\"inf\""] {
            assert!(serde_json::from_str::<Sure>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn changes_keep_their_sign() {
        for (written, meant) in [
            ("-0.2", -0.2),
            ("-20", -0.2),
            ("5", 0.05),
            ("\"+0.1\"", 0.1),
            ("\"−10 %\"", -0.1),
            ("\"1%\"", 0.01),
            ("-1.5", -1.0),
            ("900", 1.0),
        ] {
            let Moved(read) = serde_json::from_str(written).unwrap();
            assert!((read - meant).abs() < 1e-9, "{written}: {read}");
        }
    }
}
