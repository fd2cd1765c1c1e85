//! Models with many named parameters. One list defines the struct, the names on the command line
//! and the header of a generated trace.

use thiserror::Error;

use super::WorkloadError;

/// Why the parameters of a model are invalid.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum ModelError {
    #[error("unknown parameter '{name}'; known: {known}")]
    Unknown { name: String, known: String },
    #[error("'{value}' is not {expected}")]
    Text { value: String, expected: &'static str },
    #[error("{name} is {value}, not {expected}")]
    Value { name: &'static str, value: f64, expected: &'static str },
    #[error("{low} is {low_value}, above {high}, which is {high_value}")]
    Reversed { low: &'static str, low_value: f64, high: &'static str, high_value: f64 },
    #[error("{names}: {problem}")]
    Together { names: &'static str, problem: &'static str },
    #[error(transparent)]
    Workload(#[from] WorkloadError),
}

/// Declares a struct of numbers that can be listed, and set by name. Both models share the fields
/// that `sizes and run times;` declares.
macro_rules! parameters {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[$doc:meta])* pub $field:ident: f64,)*
            sizes and run times;
            $($(#[$more:meta])* pub $other:ident: f64,)*
        }
    ) => {
        parameters! {
            $(#[$about])*
            pub struct $name {
                $($(#[$doc])* pub $field: f64,)*
                /// Smallest log2 of job sizes.
                pub ulow: f64,
                /// log2 of job sizes where the two stages meet.
                pub umed: f64,
                /// Largest log2 of job sizes.
                pub uhi: f64,
                /// Probability of the lower stage.
                pub uprob: f64,
                /// Shape of the logarithm of short run times.
                pub a1: f64,
                /// Scale of the logarithm of short run times.
                pub b1: f64,
                /// Shape of the logarithm of long run times.
                pub a2: f64,
                /// Scale of the logarithm of long run times.
                pub b2: f64,
                $($(#[$more])* pub $other: f64,)*
            }
        }

        impl $name {
            /// Distribution of log2 of the sizes of parallel jobs, before rounding.
            pub fn log_sizes(&self) -> $crate::TwoStage {
                let Self { ulow, umed, uhi, uprob, .. } = *self;
                $crate::TwoStage { low: ulow, middle: umed, high: uhi, share: uprob }
            }
        }
    };
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $field:ident: f64,)* }) => {
        $(#[$about])*
        pub struct $name { $($(#[$doc])* pub $field: f64,)* }

        impl $name {
            /// The names of all parameters.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            /// All parameters as pairs of name and value.
            pub fn list(&self) -> Vec<(&'static str, f64)> {
                vec![$((stringify!($field), self.$field)),*]
            }

            /// Sets the parameter of this name.
            pub fn set(&mut self, name: &str, value: f64) -> Result<(), ModelError> {
                match name {
                    $(stringify!($field) => self.$field = value,)*
                    _ => {
                        let (name, known) = (name.to_owned(), Self::NAMES.join(", "));
                        return Err(ModelError::Unknown { name, known });
                    }
                }
                Ok(())
            }
        }
    };
}

pub(super) use parameters;

/// A parameter as a pair of name and value.
pub(super) type Named = (&'static str, f64);

/// Checks that all are between 0 and 1.
pub(super) fn check_probabilities(all: &[Named]) -> Result<(), ModelError> {
    check(all, "a probability from 0 to 1", |value| (0.0..=1.0).contains(&value))
}

/// Checks that all are finite and above 0.
pub(super) fn check_positive(all: &[Named]) -> Result<(), ModelError> {
    check(all, "a number above 0", |value| value.is_finite() && value > 0.0)
}

/// Checks a condition on all of them.
pub(super) fn check(
    all: &[Named],
    expected: &'static str,
    valid: impl Fn(f64) -> bool,
) -> Result<(), ModelError> {
    match all.iter().find(|(_, value)| !valid(*value)) {
        Some(&(name, value)) => Err(ModelError::Value { name, value, expected }),
        None => Ok(()),
    }
}

/// Checks that they are finite, at least 0, and in ascending order.
pub(super) fn check_order(all: &[Named]) -> Result<(), ModelError> {
    check(all, "a number >= 0", |value| value.is_finite() && value >= 0.0)?;
    match all.windows(2).find(|pair| pair[0].1 > pair[1].1) {
        Some(&[(low, low_value), (high, high_value)]) => {
            Err(ModelError::Reversed { low, low_value, high, high_value })
        }
        _ => Ok(()),
    }
}
