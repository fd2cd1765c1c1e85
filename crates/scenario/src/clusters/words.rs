//! Keywords and times in cluster scenarios.

use crate::error::{Fault, ensure, quoted};
use gridsat_model::io::ticks_at_most;
use gridsat_model::{Scale, Ticks};

/// The meaning of a keyword; the first is the default.
pub(super) fn one_of<T: Copy>(
    key: &str,
    given: Option<&str>,
    words: &[(&str, T)],
) -> Result<T, Fault> {
    let word = given.unwrap_or(words[0].0);
    let found = words.iter().find(|(known, _)| *known == word);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
        Fault::new(format!("{key} is {}; known: {}", quoted(word), known.join(", ")))
    })
}

/// Converts seconds to ticks. Fails if they are not a whole number of ticks, because nothing is
/// rounded silently.
pub(super) fn ticks(key: &str, seconds: f64, scale: Scale) -> Result<Ticks, Fault> {
    ensure(seconds.is_finite() && seconds >= 0.0, || {
        format!("{key} is {seconds}, not a number of seconds >= 0")
    })?;
    // The shortest decimal text that identifies the float.
    let text = seconds.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    ensure(decimals <= scale.decimals() as usize, || {
        format!("{key} is {seconds}, with more decimals than the scenario has (decimals = {})", {
            scale.decimals()
        })
    })?;
    let beyond =
        |_| Fault::new(format!("{key} is {seconds:e} seconds, beyond the largest simulated time"));
    ticks_at_most(&text, scale).map_err(beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_whole_ticks_or_wrong() {
        let of = |seconds, decimals| {
            ticks("at", seconds, Scale::new(decimals).expect("small")).map_err(|f| f.to_string())
        };
        assert_eq!(of(7.0, 0), Ok(Ticks(7)));
        assert_eq!(of(1.1, 1), Ok(Ticks(11)));
        assert_eq!(of(0.3, 3), Ok(Ticks(300)));
        let fault = "at is 1.5, with more decimals than the scenario has (decimals = 0)";
        assert_eq!(of(1.5, 0), Err(fault.to_owned()));
        for bad in [-1.0, f64::NAN, f64::INFINITY, 1e30] {
            assert!(of(bad, 0).is_err(), "{bad}");
        }
    }
}
