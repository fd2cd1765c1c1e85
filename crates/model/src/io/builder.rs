//! An instance from numbers in memory, value by value, without a text in between.
//!
//! A float means the decimal that it is printed as, the shortest one that is read as the same
//! float: 0.1 is exactly a tenth. For most numbers that decimal is found by arithmetic. If t/10^d
//! is the float, both t and 10^d are floats exactly, and t has at most 15 digits, then t/10^d is
//! that decimal, because two decimals of at most 15 digits are never the same float.

use super::decimal::{Decimal, DecimalError};
use super::error::{Fault, Problem};
use super::table::{Names, Table};
use super::{Position, ReadError, ReadOptions};
use crate::Instance;
use crate::text::excerpt;

/// The name in error messages.
const SOURCE: &str = "etc";

/// Marks faults that have no position in the matrix.
const NOWHERE: usize = usize::MAX;

/// Added to the number of a row to mark a fault of the whole row; beyond every index of a time.
const ROWS: usize = 1 << 40;

/// Integers with more digits are not compared with floats.
const SURE: u64 = 1_000_000_000_000_000;

/// Powers of ten that are tried before the digits of a float are computed one by one.
const POWERS: [f64; 7] = [1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6];

/// Collects the times of an instance row by row. Errors name the row as line and the column, both
/// from 1.
///
/// ```
/// use gridsat_model::io::{InstanceBuilder, ReadOptions};
///
/// let mut builder = InstanceBuilder::new("demo");
/// for row in [[14.0, 5.5], [3.0, f64::INFINITY]] {
///     row.iter().try_for_each(|&time| builder.float(time))?;
///     builder.end_row();
/// }
/// builder.hosts(["a", "b"].map(str::to_owned).to_vec());
/// let instance = builder.build(&ReadOptions::default())?;
/// assert_eq!((instance.task_count(), instance.scale().decimals()), (2, 1));
///
/// let mut builder = InstanceBuilder::new("demo");
/// builder.float(3.5)?;
/// let error = builder.float(-8.0).unwrap_err();
/// assert_eq!(error.to_string(), "etc:1:2: '-8' is negative");
/// # Ok::<(), gridsat_model::io::ReadError>(())
/// ```
pub struct InstanceBuilder {
    name: String,
    table: Table,
    /// The number of times before the end of each row that has ended.
    ends: Vec<usize>,
}

impl InstanceBuilder {
    /// No tasks yet; `name` is for reports and may be empty.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), table: Table::default(), ends: Vec::new() }
    }

    /// Adds a time to the row. NaN and infinity mean that the task cannot run there.
    pub fn float(&mut self, time: f64) -> Result<(), ReadError> {
        let at = self.table.len();
        let added = match decimal(time) {
            _ if time.is_nan() || time == f64::INFINITY => self.table.push_forbidden(at),
            Ok(number) => self.table.push_number(at, number),
            Err(reason) => Err(bad(at, &time.to_string(), reason)),
        };
        added.map_err(|fault| self.error(fault))
    }

    /// Adds a whole time to the row.
    pub fn integer(&mut self, time: i128) -> Result<(), ReadError> {
        let at = self.table.len();
        let added = match whole(time) {
            Ok(number) => self.table.push_number(at, number),
            Err(reason) => Err(bad(at, &time.to_string(), reason)),
        };
        added.map_err(|fault| self.error(fault))
    }

    /// Adds "cannot run here" to the row.
    pub fn forbidden(&mut self) -> Result<(), ReadError> {
        self.table.push_forbidden(self.table.len()).map_err(|fault| self.error(fault))
    }

    /// Ends the row of a task.
    pub fn end_row(&mut self) {
        self.table.end_row(ROWS + self.ends.len());
        self.ends.push(self.table.len());
    }

    /// Sets the names of the tasks; without them they are `t0, t1, …`.
    pub fn tasks(&mut self, names: Vec<String>) {
        self.table.tasks = Some(nameless_places(names));
    }

    /// Sets the names of the hosts; without them they are `h0, h1, …`.
    pub fn hosts(&mut self, names: Vec<String>) {
        self.table.hosts = Some(nameless_places(names));
    }

    /// Sets the ready times of the hosts; without them all are 0.
    pub fn ready(&mut self, times: &[f64]) -> Result<(), ReadError> {
        let number = |&time: &f64| {
            let number = decimal(time).map_err(|reason| bad(NOWHERE, &time.to_string(), reason))?;
            Ok((NOWHERE, number))
        };
        let times: Result<_, Fault> = times.iter().map(number).collect();
        let times = times.map_err(|fault| self.error(fault))?;
        self.table.set_ready(NOWHERE, times);
        Ok(())
    }

    /// Checks everything and builds the instance.
    pub fn build(mut self, options: &ReadOptions) -> Result<Instance, ReadError> {
        let table = std::mem::take(&mut self.table);
        let name = std::mem::take(&mut self.name);
        table.into_instance("", name, options).map_err(|fault| self.error(fault))
    }

    fn error(&self, fault: Fault) -> ReadError {
        let position = match fault.at {
            // Cells keep their places in 32 bits.
            Some(NOWHERE | 0xffff_ffff) | None => None,
            Some(at) => Some(match at.checked_sub(ROWS) {
                Some(row) => Position { line: row + 1, column: 1 },
                None => self.position(at),
            }),
        };
        ReadError::new(SOURCE, position, fault.problem)
    }

    /// The row and column of the time with this index.
    fn position(&self, index: usize) -> Position {
        let row = self.ends.partition_point(|&end| end <= index);
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        Position { line: row + 1, column: index - start + 1 }
    }
}

fn bad(at: usize, value: &str, reason: DecimalError) -> Fault {
    Fault::at(at, Problem::BadTime { value: excerpt(value), reason })
}

fn nameless_places(names: Vec<String>) -> Names {
    Names { at: NOWHERE, list: names.into_iter().map(|name| (NOWHERE, name)).collect() }
}

fn whole(time: i128) -> Result<Decimal, DecimalError> {
    match u64::try_from(time) {
        Ok(mantissa) => Ok(Decimal { mantissa, decimals: 0, cut: false }),
        Err(_) if time < 0 => Err(DecimalError::Negative),
        Err(_) => Err(DecimalError::TooLarge),
    }
}

/// The shortest decimal that is read as this float.
fn decimal(time: f64) -> Result<Decimal, DecimalError> {
    for (decimals, power) in POWERS.into_iter().enumerate() {
        let ticks = (time * power).round();
        let is_sure = (0.0..SURE as f64).contains(&ticks);
        if is_sure && ticks / power == time {
            return Ok(Decimal { mantissa: ticks as u64, decimals: decimals as u16, cut: false });
        }
    }
    Decimal::parse(&time.to_string())
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;
    use crate::{Scale, Ticks};
    use proptest::prelude::*;
    use proptest::test_runner::{Config, RngSeed, TestRunner};

    /// The arithmetic agrees with the digits that are printed.
    #[test]
    fn floats_mean_the_decimals_they_are_printed_as() {
        let check =
            |time: f64| assert_eq!(decimal(time), Decimal::parse(&time.to_string()), "{time}");
        let special = [0.0, -0.0, 0.1, 0.3, 1e15, 1e15 - 1.0, 1e16, 9007199254740993.0, 2.5e-7];
        special.into_iter().for_each(check);
        [f64::MIN_POSITIVE, f64::MAX, -1.5, 123456.7890125, 1e22, 4.35].into_iter().for_each(check);
        let config = Config { rng_seed: RngSeed::Fixed(5), ..Config::with_cases(20_000) };
        let floats = prop_oneof![
            (0..10_u64.pow(17), 0..12).prop_map(|(t, d)| t as f64 / 10_f64.powi(d)),
            0.0..1e6,
        ];
        TestRunner::new(config)
            .run(&floats, |time| {
                check(time);
                Ok(())
            })
            .expect("all agree");
    }

    fn built(rows: &[Vec<f64>], ready: &[f64]) -> Result<Instance, ReadError> {
        let mut builder = InstanceBuilder::new("");
        for row in rows {
            row.iter().try_for_each(|&time| builder.float(time))?;
            builder.end_row();
        }
        builder.ready(ready)?;
        builder.build(&ReadOptions::default())
    }

    /// The slow twin goes through text.
    #[test]
    fn builds_what_rows_of_text_mean() {
        let config = Config { rng_seed: RngSeed::Fixed(6), ..Config::with_cases(300) };
        let time = prop_oneof![0.0..9e3, (0..5000).prop_map(|t| f64::from(t) / 8.0), Just(7.0)];
        let rows = prop::collection::vec(prop::collection::vec(time, 3), 1..5);
        let same = |rows: Vec<Vec<f64>>| {
            let text = Instance::from_rows(rows.clone()).expect("valid");
            let built = built(&rows, &[0.0; 3]).expect("valid");
            assert_eq!(built, text);
            assert_eq!(built.notes(), text.notes());
            Ok(())
        };
        TestRunner::new(config).run(&rows, same).expect("all agree");
    }

    #[test]
    fn errors_name_row_column_and_value() {
        let error =
            |rows: &[Vec<f64>], ready: &[f64]| built(rows, ready).expect_err("invalid").to_string();
        let one = vec![1.0, 2.0];
        assert_eq!(
            error(&[one.clone(), vec![3.0]], &[0.0; 2]),
            "etc:2:1: task 1 has 1 times, expected 2 (one per host)"
        );
        assert_eq!(
            error(&[one.clone(), vec![f64::NAN, f64::INFINITY]], &[0.0; 2]),
            "etc:2:1: task 1 can run on no host"
        );
        assert_eq!(
            error(&[one.clone(), vec![]], &[0.0; 2]),
            "etc:2:1: task 1 has 0 times, expected 2 (one per host)"
        );
        assert_eq!(error(&[vec![]], &[]), "etc:1:1: no hosts");
        assert_eq!(error(slice::from_ref(&one), &[1.0]), "etc: 1 ready times for 2 hosts");
        assert_eq!(error(slice::from_ref(&one), &[1.0, -2.0]), "etc: '-2' is negative");
        assert!(
            error(&[one.clone(), vec![4e17, 1e18]], &[5e18; 2]).contains("5000000000000000000")
        );
        let small = error(&[vec![1e18, 1.0], vec![1e-9, 1.0]], &[0.0; 2]);
        assert!(small.starts_with("etc:2:1: '0.000000001' is too small next to '1"), "{small}");
        assert_eq!(error(&[], &[]), "etc:1:1: no tasks");
        let mut builder = InstanceBuilder::new("");
        assert!(
            builder.integer(-3).expect_err("negative").to_string().contains("'-3' is negative")
        );
        builder.integer(1 << 100).expect_err("too large");
    }

    #[test]
    fn integers_and_names_are_kept() {
        let mut builder = InstanceBuilder::new("x");
        builder.integer(7).expect("valid");
        builder.forbidden().expect("valid");
        builder.end_row();
        builder.tasks(vec!["a b".to_owned()]);
        let instance = builder.build(&ReadOptions::default()).expect("valid");
        assert_eq!((instance.name(), instance.scale()), ("x", Scale::default()));
        let times: Vec<_> = instance.times(crate::TaskId(0)).map(|(_, time)| time).collect();
        assert_eq!((instance.task_name(crate::TaskId(0)), times), ("a b", vec![Ticks(7)]));
    }
}
