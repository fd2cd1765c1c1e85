//! Variables and literals: 0-based inside, 1-based and signed only in DIMACS text.

use std::fmt;
use std::ops::Not;

/// A propositional variable, numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// The largest index of a variable: its DIMACS form must fit a signed 32-bit number.
    pub const MAX_INDEX: usize = i32::MAX as usize - 1;

    /// The variable with this index.
    ///
    /// # Panics
    /// If the index exceeds [`Var::MAX_INDEX`]; encoders stop at a [`Budget`](crate::Budget) long
    /// before.
    pub fn new(index: usize) -> Self {
        assert!(index <= Self::MAX_INDEX, "variable index {index} out of range");
        Self(index as u32)
    }

    /// The 0-based index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true when the variable is.
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that is true when the variable is false.
    pub fn negative(self) -> Lit {
        !self.positive()
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The variable of the literal.
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether this is the negated variable.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// Index into tables with one entry per literal: `2·var + sign`.
    pub fn code(self) -> usize {
        self.0 as usize
    }

    /// The DIMACS form: 1-based, negative for a negated variable.
    pub fn to_dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_negative() { -number } else { number }
    }

    /// The literal with this DIMACS form; `None` for 0 and for `i32::MIN`.
    pub fn from_dimacs(number: i32) -> Option<Self> {
        let index = number.checked_abs()?.checked_sub(1)?;
        let var = Var(u32::try_from(index).ok()?);
        Some(if number < 0 { var.negative() } else { var.positive() })
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimacs_round_trip() {
        for number in [1, -1, 7, -7, i32::MAX, -i32::MAX] {
            assert_eq!(Lit::from_dimacs(number).map(Lit::to_dimacs), Some(number));
        }
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(i32::MIN), None);
    }

    #[test]
    fn negation_keeps_the_variable() {
        let lit = Var::new(4).positive();
        assert_eq!((!lit).var(), lit.var());
        assert_eq!(!!lit, lit);
        assert!((!lit).is_negative());
    }
}
