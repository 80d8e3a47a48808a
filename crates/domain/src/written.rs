//! How a value may be written. Models keep neither to the case of a word nor to bare numbers, and what they write is
//! read straight into the values of this room; what is stored is read the same way.

use serde::{
    Deserialize, Deserializer,
    de::{Error, IntoDeserializer},
};

/// A word of an enum in any case and nothing else: not every provider holds a model to an enum's case.
pub fn any_case<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let text = String::deserialize(deserializer)?.to_ascii_lowercase();
    T::deserialize(text.as_str().into_deserializer())
}

/// A word of an enum in any case, with a space or a `-` in place of its `_`.
pub fn word<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let text = String::deserialize(deserializer)?;
    let plain = text.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    T::deserialize(plain.as_str().into_deserializer())
}

/// The number of a thing, however it is written: `2`, `"2"`, `"Q2"`, `"E2"`.
pub fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(u32),
        Text(String),
    }
    match Written::deserialize(deserializer)? {
        Written::Number(number) => Ok(number),
        Written::Text(text) => {
            let digits = text.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim();
            digits.parse().map_err(|_| D::Error::custom(format!("{text:?} is no number")))
        }
    }
}
