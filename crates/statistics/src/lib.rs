//! Statistics for comparing algorithms: means with confidence intervals, tests with p-values and
//! effect sizes, corrections for multiple comparisons, and tests of distributions.
//!
//! | question | function |
//! | --- | --- |
//! | mean and its confidence interval? | [`Summary`]; for numbers that are not stored, [`Stream`] |
//! | do a and b differ, measured independently? | [`welch`]; as in the thesis, [`thesis_t`] |
//! | do a and b differ, measured on the same grids and jobs? | [`paired`] |
//! | several such questions at once? | [`holm`] |
//! | does y grow with x? | [`line()`] |
//! | do numbers follow a distribution? | [`kolmogorov_smirnov`], [`chi_square`] |
//!
//! All functions are pure and use the same elementary functions on every machine. An undefined
//! result, such as the deviation of one number, is `None`; only the mean of an empty sample is NaN.
//!
//! The crate also holds formulas of [`queueing`] theory and the [`random`] streams of all crates.
//!
//! Not included: rank tests and regression on more than one variable. Depends on no other crate of
//! gridsat.

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
/// Asserts equality to this many significant digits, also for tiny numbers.
fn assert_near(found: f64, expected: f64, digits: i32) {
    let error = (found - expected).abs();
    let allowed = 10_f64.powi(-digits) * expected.abs();
    assert!(found == expected || error <= allowed, "{found:e} is not {expected:e}");
}
