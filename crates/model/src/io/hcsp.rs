//! The text of Braun et al. and of the HCSP sets: times task by task, separated by white space.
//!
//! The first line may hold the sizes, `n m`, or `n m c` with a class number c that is ignored. A
//! first line of two or three whole numbers is read as sizes, unless they do not match the count of
//! the remaining numbers while the sizes given by the user match the count of all numbers. Without
//! such a line one given size is enough: the count determines the other.

use super::ReadOptions;
use super::error::{Fault, Problem, offset_in};
use super::table::{Table, check_option};
use crate::InstanceError;

/// The sizes as stated by the file or the user.
struct Sizes {
    tasks: u64,
    hosts: u64,
}

/// Reads the text.
pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Table, Fault> {
    let header = header(text).filter(|header| !is_row(text, header, options));
    let values = header.as_ref().map_or(text, |&(_, end)| &text[end..]);
    let mut table = Table::default();
    for value in values.split_ascii_whitespace() {
        table.push(text, value)?;
    }
    let sizes = match header {
        Some((sizes, _)) => checked(sizes, options)?,
        None => given(table.len(), options)?,
    };
    cut(table, &sizes, text)
}

/// The sizes in the first line that is not blank, and the offset where it ends.
fn header(text: &str) -> Option<(Sizes, usize)> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    let mut numbers = line.split_ascii_whitespace().map(whole_number);
    let (tasks, hosts) = (numbers.next()??, numbers.next()??);
    let class_or_nothing = numbers.next().is_none_or(|class| class.is_some());
    let end = offset_in(text, line) + line.len();
    (class_or_nothing && numbers.next().is_none()).then_some((Sizes { tasks, hosts }, end))
}

/// A number that consists of digits only.
pub(super) fn whole_number(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// Whether the first line is a row of times: the user's sizes match the count of all numbers, and
/// the sizes in the line do not match the count of the rest.
fn is_row(text: &str, (sizes, end): &(Sizes, usize), options: &ReadOptions) -> bool {
    let (Some(tasks), Some(hosts)) = (options.tasks, options.hosts) else {
        return false;
    };
    let count = |text: &str| text.split_ascii_whitespace().count() as u128;
    let fits_all = tasks as u128 * hosts as u128 == count(text);
    let fits_rest = u128::from(sizes.tasks) * u128::from(sizes.hosts) == count(&text[*end..]);
    fits_all && !fits_rest
}

fn checked(sizes: Sizes, options: &ReadOptions) -> Result<Sizes, Fault> {
    check_option(sizes.tasks, "tasks", "--tasks", options.tasks)?;
    check_option(sizes.hosts, "hosts", "--hosts", options.hosts)?;
    Ok(sizes)
}

fn given(count: usize, options: &ReadOptions) -> Result<Sizes, Fault> {
    let sizes = match (options.tasks, options.hosts) {
        (Some(tasks), Some(hosts)) => (tasks, hosts),
        (Some(tasks), None) => (tasks, count.checked_div(tasks).unwrap_or(0)),
        (None, Some(hosts)) => (count.checked_div(hosts).unwrap_or(0), hosts),
        (None, None) => return Err(Fault::nowhere(Problem::NoSizes)),
    };
    Ok(Sizes { tasks: sizes.0 as u64, hosts: sizes.1 as u64 })
}

/// Splits the times into rows if their number matches the sizes.
fn cut(mut table: Table, sizes: &Sizes, text: &str) -> Result<Table, Fault> {
    let Sizes { tasks, hosts } = *sizes;
    if hosts == 0 {
        return Err(Fault::at(0, Problem::Instance(InstanceError::NoHosts)));
    }
    let expected = u128::from(tasks) * u128::from(hosts);
    let found = table.len();
    if found as u128 != expected {
        let first_extra = usize::try_from(expected).unwrap_or(usize::MAX);
        let at = table.place(first_extra).unwrap_or(text.trim_end().len());
        let problem = Problem::WrongTimes { found, tasks, hosts, expected };
        return Err(Fault::at(at, problem));
    }
    if found > 0 {
        table.cut_into_rows(hosts as usize);
    }
    Ok(table)
}
