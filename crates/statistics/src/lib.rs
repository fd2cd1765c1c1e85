//! What it takes to compare algorithms honestly: means with intervals, tests with p-values and
//! effect sizes, corrections for many comparisons, and whether numbers follow a law.
//!
//! | question | answer |
//! | --- | --- |
//! | how large, how sure? | [`Summary`]; of numbers that are not kept, [`Stream`] |
//! | is a different from b, each measured on its own? | [`welch`]; as the thesis printed it, [`thesis_t`] |
//! | the same, measured on the same grids and jobs? | [`paired`] |
//! | many such questions at once? | [`holm`] |
//! | does y grow with x? | [`line()`] |
//! | do these numbers come from that law? | [`kolmogorov_smirnov`], [`chi_square`] |
//!
//! All is a function of its arguments and uses the same elementary functions on every machine. What
//! has no answer, such as the deviation of one number, is `None`; only the mean of nothing is NaN.
//!
//! Beside it: what [`queueing`] theory says about servers, and the [`random`] streams of all
//! crates.
//!
//! Not here: tests by ranks, and models with more than one explaining number. Names no other crate
//! of gridsat.

mod gamma;
mod law;
mod line;
mod many;
pub mod queueing;
pub mod random;
mod stream;
mod student;
mod summary;
mod test;

pub use gamma::{gamma_above, gamma_below};
pub use law::{ChiSquareTest, KsTest, chi_square, kolmogorov_smirnov};
pub use line::{Line, line};
pub use many::holm;
pub use stream::Stream;
pub use student::{student_p, student_quantile};
pub use summary::Summary;
pub use test::{Test, paired, thesis_t, welch};

#[cfg(test)]
/// Equal to this many digits, also where the numbers are tiny.
fn assert_near(found: f64, expected: f64, digits: i32) {
    let error = (found - expected).abs();
    let allowed = 10_f64.powi(-digits) * expected.abs();
    assert!(found == expected || error <= allowed, "{found:e} is not {expected:e}");
}
