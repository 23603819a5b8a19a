//! The values of flags.

use std::time::Duration;

pub fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|e| format!("{e} (write 500ms, 30s or 2m)"))
}

/// How long a program may think.
pub fn thinking_time(text: &str) -> Result<Duration, String> {
    let day = Duration::from_secs(24 * 3600);
    match duration(text)? {
        time if (Duration::from_millis(1)..=day).contains(&time) => Ok(time),
        _ => Err("it must be from 1ms to a day".into()),
    }
}

pub fn positive(text: &str) -> Result<f64, String> {
    let n: f64 = text.parse().map_err(|_| "a number is expected".to_string())?;
    if n.is_finite() && n > 0.0 { Ok(n) } else { Err("it must be more than 0".into()) }
}

pub fn probability(text: &str) -> Result<f64, String> {
    let p: f64 = text.parse().map_err(|_| "a number from 0 to 1 is expected".to_string())?;
    if (0.0..1.0).contains(&p) { Ok(p) } else { Err("it must be at least 0 and less than 1".into()) }
}
