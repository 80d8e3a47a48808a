//! How long a server wants to be left alone: by its headers, else by the body, where many say it and nowhere else.

use std::{sync::LazyLock, time::Duration};

use regex::Regex;
use reqwest::header::HeaderMap;
use serde_json::Value;

/// By `retry-after-ms` (milliseconds) or `retry-after` (seconds or a date, RFC 9110).
pub(in crate::classify) fn asked(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let seconds = |text: &str, unit: f64| {
        text.parse::<f64>().ok().and_then(|number| Duration::try_from_secs_f64(number * unit).ok())
    };
    if let Some(wait) = text("retry-after-ms").and_then(|text| seconds(text, 0.001)) {
        return Some(wait);
    }
    let text = text("retry-after")?;
    seconds(text, 1.0).or_else(|| {
        let date = chrono::DateTime::parse_from_rfc2822(text).ok()?;
        Some(date.signed_duration_since(chrono::Utc::now()).to_std().unwrap_or_default())
    })
}

/// By the error's own details (Gemini's `retryDelay`, <https://cloud.google.com/apis/design/errors#error_details>), or by
/// its sentence: "Please try again in 7.66s", "in 6m0s", "in 174ms"; "Please retry after 20 seconds"; "Please retry in 45.5s".
pub(in crate::classify) fn told(error: &Value, message: &str) -> Option<Duration> {
    static SAID: LazyLock<Regex> = LazyLock::new(|| {
        #[allow(clippy::unwrap_used, reason = "a literal that the tests compile")]
        Regex::new(r"(?i)(?:try again|retry) (?:in|after) ((?:[\d.]+ ?(?:ms|milliseconds?|hours?|minutes?|seconds?|h|m|s) ?)+)")
            .unwrap()
    });
    let details = error["details"].as_array().map(Vec::as_slice).unwrap_or_default();
    let delay = details.iter().find_map(|detail| detail["retryDelay"].as_str()).and_then(span);
    delay.or_else(|| span(SAID.captures(message)?.get(1)?.as_str()))
}

/// `39.4s`, `1h2m3.5s`, `174ms`, `2 seconds`.
fn span(text: &str) -> Option<Duration> {
    static PART: LazyLock<Regex> = LazyLock::new(|| {
        #[allow(clippy::unwrap_used, reason = "a literal that the tests compile")]
        Regex::new(r"(?i)([\d.]+) ?(ms|milli|h|m|s)").unwrap()
    });
    let mut seconds = None;
    for part in PART.captures_iter(text) {
        let unit = match part[2].to_lowercase().as_str() {
            "ms" | "milli" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            _ => 3_600.0,
        };
        *seconds.get_or_insert(0.0) += part[1].parse::<f64>().ok()? * unit;
    }
    Duration::try_from_secs_f64(seconds?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_header_in_all_its_forms() {
        let wait = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            asked(&headers).map(|wait| wait.as_millis())
        };
        assert_eq!(wait("retry-after", "7"), Some(7000));
        assert_eq!(wait("retry-after", "0.5"), Some(500));
        assert_eq!(wait("retry-after-ms", "250"), Some(250));
        assert_eq!(wait("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(0));
        for junk in ["", "-3", "NaN", "inf", "soon", "1e400"] {
            assert_eq!(wait("retry-after", junk), None, "{junk}");
        }
    }

    #[test]
    fn the_finer_header_goes_before_the_other() {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", "7".parse().unwrap());
        headers.insert("retry-after-ms", "6500".parse().unwrap());
        assert_eq!(asked(&headers), Some(Duration::from_millis(6_500)));
        headers.insert("retry-after-ms", "soon".parse().unwrap());
        assert_eq!(asked(&headers), Some(Duration::from_secs(7)), "where it says anything");
    }

    #[test]
    fn the_body_in_all_its_forms() {
        let details = json!({"details": [{"@type": "x"}, {"retryDelay": "39.4s"}]});
        assert_eq!(told(&details, "retry in 5s"), Some(Duration::from_millis(39_400)));
        let rows = [
            ("Please try again in 3.89s. Visit https://x", Some(3_890)),
            ("Please try again in 174ms. Visit", Some(174)),
            ("try again in 9m38.016s", Some(578_016)),
            ("Please try again in 6m0s.", Some(360_000)),
            ("Rate limit is exceeded. Try again in 2 seconds.", Some(2_000)),
            ("Please retry after 86400 seconds.", Some(86_400_000)),
            ("Please retry in 45.578569677s.", Some(45_578)),
            ("Please try again in 1 minute", Some(60_000)),
            ("Please try again in 500 milliseconds", Some(500)),
            ("Please try again in 1 hour 5 minutes 2 seconds 500ms", Some(3_902_500)),
            ("Please try again later.", None),
            ("try again in a while", None),
            ("retry in ..s", None),
        ];
        for (message, wanted) in rows {
            assert_eq!(told(&Value::Null, message).map(|wait| wait.as_millis()), wanted, "{message}");
        }
    }
}
