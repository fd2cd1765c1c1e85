//! What every reader fills: cells with their places, then checked and scaled as one.
//!
//! The scale is the smallest that makes every value of the file, ready times too, a whole number
//! of ticks. Checks that `Instance` makes as well are made here first, because only here is known
//! which line to blame.

use super::decimal::{Decimal, DecimalError};
use super::error::{Fault, Problem, offset_in, word_at};
use super::{MAX_TIMES, ReadOptions};
use crate::text::excerpt;
use crate::{Instance, InstanceError, InstanceParts, Scale, Ticks};

/// A time and its place in the text, kept small: files have millions.
#[derive(Clone, Copy)]
struct Cell {
    mantissa: u64,
    at: u32,
    decimals: u8,
    forbidden: bool,
}

impl Cell {
    fn value(self) -> Option<Decimal> {
        let Self { mantissa, decimals, forbidden, .. } = self;
        (!forbidden).then_some(Decimal { mantissa, decimals })
    }
}

/// The row of a task: where it starts in the text, and where its cells end in the table.
struct Row {
    at: usize,
    end: usize,
}

/// A list of names, with the places of the list and of each name.
pub(super) struct Names {
    pub at: usize,
    pub list: Vec<(usize, String)>,
}

/// The contents of a file.
#[derive(Default)]
pub(super) struct Table {
    /// Where the times start.
    pub at: usize,
    pub name: Option<String>,
    pub tasks: Option<Names>,
    pub hosts: Option<Names>,
    /// How many times a row must have; `None`: as many as the first.
    pub width: Option<usize>,
    ready: Option<(usize, Vec<Cell>)>,
    cells: Vec<Cell>,
    rows: Vec<Row>,
}

impl Table {
    /// Adds a time to the row being filled. `value` is a slice of `text`.
    pub fn push(&mut self, text: &str, value: &str) -> Result<(), Fault> {
        self.push_cell(read_cell(text, value)?)
    }

    /// Adds a number to the row being filled.
    pub fn push_number(&mut self, at: usize, number: Decimal) -> Result<(), Fault> {
        self.push_cell(number_cell(at, number))
    }

    /// Adds "cannot run here" to the row being filled.
    pub fn push_forbidden(&mut self, at: usize) -> Result<(), Fault> {
        self.push_cell(forbidden_cell(at))
    }

    fn push_cell(&mut self, cell: Cell) -> Result<(), Fault> {
        if self.cells.len() == MAX_TIMES {
            return Err(Fault::at(cell.at as usize, Problem::TooManyTimes));
        }
        self.cells.push(cell);
        Ok(())
    }

    /// Ends the row being filled, which starts at `at` in the text.
    pub fn end_row(&mut self, at: usize) {
        let end = self.cells.len();
        self.rows.push(Row { at, end });
    }

    /// Cuts the cells into rows of `hosts`, which must divide them.
    pub fn cut_into_rows(&mut self, hosts: usize) {
        let last_of_row = self.cells.chunks_exact(hosts).enumerate();
        let row =
            |(t, cells): (usize, &[Cell])| Row { at: cells[0].at as usize, end: (t + 1) * hosts };
        self.rows = last_of_row.map(row).collect();
    }

    /// The number of times so far.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The number of rows so far.
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Where time number `index` is in the text; the last one's place if there are fewer.
    pub fn place(&self, index: usize) -> Option<usize> {
        self.cells.get(index).or(self.cells.last()).map(|cell| cell.at as usize)
    }

    /// Sets the ready times, a list that starts at `at`.
    pub fn set_ready(&mut self, text: &str, at: usize, values: &[&str]) -> Result<(), Fault> {
        let cell = |value: &&str| {
            let at = offset_in(text, value);
            match Decimal::parse(value) {
                Ok(number) => Ok(number_cell(at, number)),
                Err(DecimalError::NotANumber) => Err(Fault::expected(at, "a ready time", value)),
                Err(reason) => Err(Fault::bad_time(at, value, reason)),
            }
        };
        let cells = values.iter().map(cell).collect::<Result<_, _>>()?;
        self.ready = Some((at, cells));
        Ok(())
    }

    /// Checks everything and makes the instance.
    pub fn into_instance(
        self,
        text: &str,
        default_name: String,
        options: &ReadOptions,
    ) -> Result<Instance, Fault> {
        self.check_shape(options)?;
        let scale = self.decimals();
        let ticks = |cell: &Cell| to_ticks(text, cell, scale);
        let rows = self.rows().map(|(_, cells)| cells.iter().map(ticks).collect());
        let etc = rows.collect::<Result<Vec<Vec<_>>, _>>()?;
        let ready_cells = self.ready.iter().flat_map(|(_, cells)| cells);
        let ready = ready_cells.map(|cell| ticks(cell).map(Option::unwrap_or_default));
        let ready = ready.collect::<Result<_, _>>()?;
        let parts = InstanceParts {
            name: self.name.unwrap_or(default_name),
            etc,
            tasks: self.tasks.map(strings).unwrap_or_default(),
            hosts: self.hosts.map(strings).unwrap_or_default(),
            ready,
            scale: Scale::new(u32::from(scale)).expect("decimals are checked when they are read"),
        };
        let cells = self.cells;
        Instance::new(parts).map_err(|error| Fault {
            at: largest(&cells, scale).map(|cell| cell.at as usize),
            problem: Problem::Instance(error),
        })
    }

    fn rows(&self) -> impl Iterator<Item = (&Row, &[Cell])> {
        let starts = std::iter::once(0).chain(self.rows.iter().map(|row| row.end));
        self.rows.iter().zip(starts).map(|(row, start)| (row, &self.cells[start..row.end]))
    }

    /// The fewest decimals that represent every value.
    fn decimals(&self) -> u8 {
        let ready = self.ready.iter().flat_map(|(_, cells)| cells);
        let all = self.cells.iter().chain(ready);
        all.map(|cell| cell.decimals).max().unwrap_or(0)
    }

    fn check_shape(&self, options: &ReadOptions) -> Result<(), Fault> {
        let (tasks, hosts) = (self.rows.len(), self.check_rows()?);
        let ready = self.ready.as_ref().map(|(at, cells)| (*at, cells.len()));
        check_count(ready, "ready times", hosts, "hosts")?;
        check_names(self.tasks.as_ref(), "task", tasks, "tasks")?;
        check_names(self.hosts.as_ref(), "host", hosts, "hosts")?;
        check_option(tasks as u64, "tasks", "--tasks", options.tasks)?;
        check_option(hosts as u64, "hosts", "--hosts", options.hosts)
    }

    /// Checks each row and returns how many times all have.
    fn check_rows(&self) -> Result<usize, Fault> {
        let blame = |row: &Row, error| Err(Fault::at(row.at, Problem::Instance(error)));
        let mut rows = self.rows().enumerate().peekable();
        let Some((_, (first, cells))) = rows.peek() else {
            return Err(Fault::at(self.at, Problem::Instance(InstanceError::NoTasks)));
        };
        let expected = self.width.unwrap_or(cells.len());
        if expected == 0 {
            return blame(first, InstanceError::NoHosts);
        }
        for (task, (row, cells)) in rows {
            let found = cells.len();
            if found != expected {
                return blame(row, InstanceError::Ragged { task, found, expected });
            }
            if cells.iter().all(|cell| cell.forbidden) {
                return blame(row, InstanceError::NowhereToRun { task });
            }
        }
        Ok(expected)
    }
}

/// Says so if a number in the file is not what the user said.
pub(super) fn check_option(
    found: u64,
    what: &'static str,
    option: &'static str,
    said: Option<usize>,
) -> Result<(), Fault> {
    match said {
        Some(said) if said as u64 != found => {
            Err(Fault::nowhere(Problem::OptionDiffers { found, what, option, said }))
        }
        _ => Ok(()),
    }
}

fn check_count(
    list: Option<(usize, usize)>,
    what: &'static str,
    expected: usize,
    of: &'static str,
) -> Result<(), Fault> {
    match list {
        Some((at, found)) if found != expected => {
            let error = InstanceError::WrongCount { what, found, of, expected };
            Err(Fault::at(at, Problem::Instance(error)))
        }
        _ => Ok(()),
    }
}

fn check_names(
    names: Option<&Names>,
    what: &'static str,
    expected: usize,
    of: &'static str,
) -> Result<(), Fault> {
    let Some(names) = names else { return Ok(()) };
    check_count(Some((names.at, names.list.len())), "names", expected, of)?;
    let mut sorted: Vec<_> = names.list.iter().map(|(at, name)| (name, at)).collect();
    sorted.sort_unstable();
    let second = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]);
    match second.min_by_key(|&(_, at)| at) {
        Some((name, &at)) => {
            let name = excerpt(name);
            Err(Fault::at(at, Problem::Instance(InstanceError::DuplicateName { what, name })))
        }
        None => Ok(()),
    }
}

fn strings(names: Names) -> Vec<String> {
    names.list.into_iter().map(|(_, name)| name).collect()
}

/// The cell to blame when the times are too large together.
fn largest(cells: &[Cell], scale: u8) -> Option<&Cell> {
    let times = cells.iter().filter(|cell| !cell.forbidden);
    times.max_by_key(|cell| cell.value().and_then(|value| value.ticks(scale)))
}

fn read_cell(text: &str, value: &str) -> Result<Cell, Fault> {
    let at = offset_in(text, value);
    if value.eq_ignore_ascii_case("inf") {
        return Ok(forbidden_cell(at));
    }
    let number = Decimal::parse(value).map_err(|reason| Fault::bad_time(at, value, reason))?;
    Ok(number_cell(at, number))
}

fn number_cell(at: usize, number: Decimal) -> Cell {
    let Decimal { mantissa, decimals } = number;
    Cell { mantissa, at: small(at), decimals, forbidden: false }
}

fn forbidden_cell(at: usize) -> Cell {
    Cell { mantissa: 0, at: small(at), decimals: 0, forbidden: true }
}

/// An offset in 32 bits. Texts from files fit; in a longer one from elsewhere places may be off.
fn small(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn to_ticks(text: &str, cell: &Cell, decimals: u8) -> Result<Option<Ticks>, Fault> {
    let Some(value) = cell.value() else {
        return Ok(None);
    };
    let ticks = value.ticks(decimals).filter(|&ticks| ticks <= Instance::MAX_TOTAL);
    let overflow = || {
        let at = cell.at as usize;
        let value = excerpt(word_at(text, at));
        Fault::at(at, Problem::TicksOverflow { value, decimals })
    };
    ticks.map(Some).ok_or_else(overflow)
}
