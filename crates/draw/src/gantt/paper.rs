//! What charts of mappings and of runs share: colours, marks on the axis.
//!
//! The colours are those of Okabe and Ito, which people with any colour vision tell apart.

pub(super) use crate::figure::escaped;
use gridsat_model::Ticks;

/// Fill and the colour of letters on it.
pub(super) const COLOURS: [(&str, &str); 7] = [
    ("#56B4E9", "#000"),
    ("#E69F00", "#000"),
    ("#009E73", "#000"),
    ("#F0E442", "#000"),
    ("#0072B2", "#fff"),
    ("#D55E00", "#000"),
    ("#CC79A7", "#000"),
];

/// Pixels a letter takes at 12 pixels, with some to spare.
pub(super) const LETTER: f64 = 7.0;
/// The same at 10 pixels.
pub(super) const SMALL_LETTER: f64 = 6.2;

/// Multiples of 1, 2 or 5 times a power of ten, about eight of them, from 0 to the end.
pub(super) fn axis_marks(span: Ticks) -> impl Iterator<Item = Ticks> {
    let powers = (0..19).map(|exponent| 10_u64.pow(exponent));
    let steps = powers.flat_map(|power| [1, 2, 5].map(|digit| Ticks(power.saturating_mul(digit))));
    let step = steps.into_iter().find(|&step| span / step <= 8).unwrap_or(span.max(Ticks(1)));
    (0..=span / step).map(move |number| step * number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_few() {
        let marks = |span| axis_marks(span).collect::<Vec<_>>();
        assert_eq!(marks(Ticks(1)), [Ticks(0), Ticks(1)]);
        assert_eq!(
            marks(Ticks(30)),
            [Ticks(0), Ticks(5), Ticks(10), Ticks(15), Ticks(20), Ticks(25), Ticks(30)]
        );
        assert_eq!(
            marks(Ticks(3078)),
            [Ticks(0), Ticks(500), Ticks(1000), Ticks(1500), Ticks(2000), Ticks(2500), Ticks(3000)]
        );
        for exponent in 0..62 {
            assert!((2..=9).contains(&marks(Ticks(1 << exponent)).len()));
        }
    }
}
