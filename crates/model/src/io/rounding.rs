//! The number of decimals of a tick, and rounding to it.
//!
//! Files are read exactly if possible: with as many decimals as the longest number has. Measured
//! times with 17 digits do not always fit. Then ticks get the most decimals with which the largest
//! load still fits ([`Instance::MAX_TOTAL`]), and every time is rounded up: no real schedule takes
//! longer than the rounded one says. A time that would keep fewer than [`MIN_DIGITS`] significant
//! digits is an error, because a proof about it would mean little.
//!
//! Times that are works divided by speeds need not be decimal numbers. They are counted in other
//! parts of the unit ([`quotients`](super::quotients)) where that fits, and are exact.
//!
//! The decimal scale is always the smallest with which the rounded times are whole. Rounding up to that
//! many decimals gives the same times, so the number of decimals is enough to repeat the rounding,
//! as `verify` does.

use super::error::{Fault, Problem};
use super::quotients::Parts;
use super::table::{Cell, Table};
use crate::{Instance, Scale};

/// Significant digits that rounding must leave in every time.
pub const MIN_DIGITS: u32 = 6;

/// Largest number of decimals.
const MOST: u8 = Scale::MAX_DECIMALS as u8;

/// What happens to times that ticks cannot hold exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Round them up to the most decimals that fit.
    #[default]
    Fit,
    /// Round all times up to at most this many decimals, whether they fit exactly or not. Ticks are
    /// decimal then.
    Decimals(u8),
    /// Reject them as errors.
    Exact,
}

/// The tick that times are counted in.
pub(super) enum Unit {
    /// The last of so many decimals.
    Decimals {
        /// At most [`Scale::MAX_DECIMALS`].
        decimals: u8,
        /// Whether times are rounded up to it.
        is_rounded: bool,
    },
    /// One of other parts; the times are whole numbers of it.
    Parts(Parts),
}

impl Unit {
    /// Whole decimals of the unit that a tick is not longer than.
    pub fn decimals(&self) -> u8 {
        match self {
            Self::Decimals { decimals, .. } => *decimals,
            Self::Parts(_) => 0,
        }
    }
}

/// The tick, decimal if possible.
pub(super) fn unit(table: &Table, text: &str, precision: Precision) -> Result<Unit, Fault> {
    let may_be_parts = !matches!(precision, Precision::Decimals(_)) && !fits_exactly(table);
    if may_be_parts && let Some(parts) = table.in_parts() {
        return Ok(Unit::Parts(parts));
    }
    let (decimals, is_rounded) = scale(table, text, precision)?;
    Ok(Unit::Decimals { decimals, is_rounded })
}

/// Whether all times are decimal numbers that fit.
fn fits_exactly(table: &Table) -> bool {
    let numbers = || table.all_cells().map(Cell::number);
    let decimals = numbers().map(|number| number.decimals).max().unwrap_or(0);
    let decimals = decimals.min(MOST.into()) as u8;
    numbers().all(|number| number.is_whole_at(decimals)) && fits(table, decimals)
}

/// The number of decimals of a tick, and whether times are rounded.
fn scale(table: &Table, text: &str, precision: Precision) -> Result<(u8, bool), Fault> {
    let too_precise = table.all_cells().find(|cell| !cell.number().is_whole_at(MOST));
    let decimals = table.all_cells().map(|cell| cell.number().decimals).max().unwrap_or(0);
    let exact = decimals.min(MOST.into()) as u8;
    match (precision, too_precise) {
        (Precision::Exact, Some(cell)) => Err(cell.too_precise(text)),
        (Precision::Exact, None) => Ok((exact, false)),
        (Precision::Decimals(most), None) if most >= exact => Ok((exact, false)),
        (Precision::Decimals(most), _) => Ok((smallest(table, most.min(MOST)), true)),
        (Precision::Fit, None) if fits(table, exact) => Ok((exact, false)),
        (Precision::Fit, _) => fitting(table, text, exact),
    }
}

/// The most decimals that fit, if they leave enough digits of every time.
fn fitting(table: &Table, text: &str, most: u8) -> Result<(u8, bool), Fault> {
    // If not even whole units fit, the error is reported later, for the largest time.
    let Some(decimals) = (0..=most).rev().find(|&decimals| fits(table, decimals)) else {
        return Ok((0, false));
    };
    let loses = |cell: &&Cell| {
        let few =
            cell.number().ticks_up(decimals).is_some_and(|t| t.0 < 10_u64.pow(MIN_DIGITS - 1));
        few && !cell.number().is_whole_at(decimals)
    };
    match table.times().filter(loses).min_by_key(|cell| cell.number().ticks_up(MOST)) {
        Some(cell) => {
            let largest = table.largest(decimals).map_or(String::new(), |cell| cell.shown(text));
            let value = cell.shown(text);
            Err(cell.fault(Problem::TooFewDigits { value, largest, decimals }))
        }
        None => Ok((smallest(table, decimals), true)),
    }
}

/// Whether the largest possible load of a host fits, rounded up.
fn fits(table: &Table, decimals: u8) -> bool {
    let longest = |cells: &[Cell]| {
        cells.iter().try_fold(0, |most, cell| Some(cell.number().ticks_up(decimals)?.0.max(most)))
    };
    let mut lists = table.rows().map(|(_, cells)| cells).chain([table.ready_cells()]);
    let total = lists.try_fold(0_u128, |sum, cells| {
        let sum = sum + u128::from(longest(cells)?);
        (sum <= Instance::MAX_TOTAL.into()).then_some(sum)
    });
    total.is_some()
}

/// The fewest decimals with which the times, rounded up to `decimals`, are whole.
fn smallest(table: &Table, mut decimals: u8) -> u8 {
    let is_round = |cell: &Cell, decimals| {
        cell.number().ticks_up(decimals).is_some_and(|ticks| ticks.0 % 10 == 0)
    };
    while decimals > 0 && table.all_cells().all(|cell| is_round(cell, decimals)) {
        decimals -= 1;
    }
    decimals
}
