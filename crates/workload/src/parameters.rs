//! Models with many named numbers: one list is the struct, the names on the command line and what
//! the header of a generated trace says.

use thiserror::Error;

use super::WorkloadError;

/// Why a model cannot have such parameters.
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

/// A struct of numbers that can be listed, and set by name. Both models have `sizes and run times;`
/// in common.
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
                /// log2 of sizes: the smallest.
                pub ulow: f64,
                /// log2 of sizes: where the stages meet.
                pub umed: f64,
                /// log2 of sizes: the largest.
                pub uhi: f64,
                /// How likely the lower stage is.
                pub uprob: f64,
                /// Shape of the log of short run times.
                pub a1: f64,
                /// Scale of the log of short run times.
                pub b1: f64,
                /// Shape of the log of long run times.
                pub a2: f64,
                /// Scale of the log of long run times.
                pub b2: f64,
                $($(#[$more])* pub $other: f64,)*
            }
        }

        impl $name {
            /// log2 of the sizes of parallel jobs, before rounding.
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

            /// Names and values.
            pub fn list(&self) -> Vec<(&'static str, f64)> {
                vec![$((stringify!($field), self.$field)),*]
            }

            /// Changes the one of this name.
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

/// A named number.
pub(super) type Named = (&'static str, f64);

/// Are they probabilities?
pub(super) fn check_probabilities(all: &[Named]) -> Result<(), ModelError> {
    check(all, "a probability from 0 to 1", |value| (0.0..=1.0).contains(&value))
}

/// Are they finite and above 0?
pub(super) fn check_positive(all: &[Named]) -> Result<(), ModelError> {
    check(all, "a number above 0", |value| value.is_finite() && value > 0.0)
}

/// Are they all like this?
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

/// Are they finite, from 0, and each at least the one before?
pub(super) fn check_order(all: &[Named]) -> Result<(), ModelError> {
    check(all, "a number from 0", |value| value.is_finite() && value >= 0.0)?;
    match all.windows(2).find(|pair| pair[0].1 > pair[1].1) {
        Some(&[(low, low_value), (high, high_value)]) => {
            Err(ModelError::Reversed { low, low_value, high, high_value })
        }
        _ => Ok(()),
    }
}
