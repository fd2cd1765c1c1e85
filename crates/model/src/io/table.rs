//! The table that every reader fills: cells with their positions, checked and scaled together.
//!
//! Checks that `Instance` also makes are made here first, because only here the line of an error is
//! known.

use super::decimal::{Decimal, DecimalError};
use super::error::{Fault, Problem, offset_in, word_at};
use super::levels::LevelLists;
use super::quotients::{Parts, Quotients};
use super::rounding::Unit;
use super::{MAX_TIMES, Note, ReadOptions, ReadyTimes, rounding};
use crate::columns::Columns;
use crate::instance::Body;
use crate::matrix::Matrix;
use crate::name_list::NameList;
use crate::text::{decimal, excerpt};
use crate::{Instance, InstanceError, Scale, Ticks};

/// A time and its position in the text, kept small because files have millions.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    mantissa: u64,
    at: u32,
    decimals: u16,
    cut: bool,
    forbidden: bool,
}

impl Cell {
    fn new(at: usize, number: Decimal) -> Self {
        let Decimal { mantissa, decimals, cut } = number;
        Self { mantissa, at: small(at), decimals, cut, forbidden: false }
    }

    fn forbidden(at: usize) -> Self {
        Self { forbidden: true, ..Self::new(at, Decimal::ZERO) }
    }

    /// The number; zero if the task cannot run.
    pub fn number(&self) -> Decimal {
        let Self { mantissa, decimals, cut, .. } = *self;
        Decimal { mantissa, decimals, cut }
    }

    pub fn fault(&self, problem: Problem) -> Fault {
        Fault::at(self.at as usize, problem)
    }

    pub fn too_precise(&self, text: &str) -> Fault {
        let (value, reason) = (self.shown(text), DecimalError::TooPrecise);
        self.fault(Problem::BadTime { value, reason })
    }

    /// The cell as it is written in the text; its number if there is none.
    pub fn shown(&self, text: &str) -> String {
        match text {
            "" => decimal(self.mantissa.into(), self.decimals.into()),
            text => excerpt(word_at(text, self.at as usize)),
        }
    }

    /// The time rounded up to ticks; `None` if the task cannot run.
    fn ticks(&self, text: &str, decimals: u8) -> Result<Option<Ticks>, Fault> {
        if self.forbidden {
            return Ok(None);
        }
        let ticks = self.number().ticks_up(decimals).filter(|&ticks| ticks <= Instance::MAX_TOTAL);
        let overflow = || Problem::TicksOverflow { value: self.shown(text), decimals };
        ticks.map(Some).ok_or_else(|| self.fault(overflow()))
    }
}

/// The row of a task: its offset in the text, and the end of its cells in the table.
pub(super) struct Row {
    at: usize,
    end: usize,
}

/// A list of names, with the offsets of the list and of each name.
pub(super) struct Names {
    pub at: usize,
    pub list: Vec<(usize, String)>,
}

/// The contents of a file.
#[derive(Default)]
pub(super) struct Table {
    /// The offset where the times start.
    pub at: usize,
    pub name: Option<String>,
    pub tasks: Option<Names>,
    pub hosts: Option<Names>,
    /// The number of times each row must have; `None` for as many as the first row has.
    pub width: Option<usize>,
    /// Where hosts share columns: the column of each host.
    pub columns: Option<Columns>,
    /// Where hosts are given by speeds: what the times are quotients of.
    pub quotients: Option<Quotients>,
    pub notes: Vec<Note>,
    pub levels: LevelLists,
    ready: Option<(Option<usize>, Vec<Cell>)>,
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
        self.push_cell(Cell::new(at, number))
    }

    /// Adds "cannot run here" to the row being filled.
    pub fn push_forbidden(&mut self, at: usize) -> Result<(), Fault> {
        self.push_cell(Cell::forbidden(at))
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

    /// Splits the cells into rows of `hosts` cells; `hosts` must divide their number.
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

    /// The offset of the time with this index; that of the last one if there are fewer.
    pub fn place(&self, index: usize) -> Option<usize> {
        self.cells.get(index).or(self.cells.last()).map(|cell| cell.at as usize)
    }

    /// Sets the ready times, from a list at offset `at`.
    pub fn set_ready(&mut self, at: usize, times: Vec<(usize, Decimal)>) {
        let cells = times.into_iter().map(|(at, number)| Cell::new(at, number)).collect();
        self.ready = Some((Some(at), cells));
    }

    /// Sets ready times that are not in the text.
    fn replace_ready(&mut self, times: &ReadyTimes) {
        let cells = times.numbers().iter().map(|&number| Cell::new(0, number)).collect();
        self.ready = Some((None, cells));
    }

    pub fn has_ready(&self) -> bool {
        self.ready.is_some()
    }

    /// Checks everything and builds the instance.
    pub fn into_instance(
        mut self,
        text: &str,
        default_name: String,
        options: &ReadOptions,
    ) -> Result<Instance, Fault> {
        options.ready.iter().for_each(|times| self.replace_ready(times));
        self.check_shape(options)?;
        let unit = rounding::unit(&self, text, options.precision)?;
        let (blamed, columns) = (self.largest(unit.decimals()), self.columns());
        let blamed = blamed.map(|cell| cell.at as usize);
        let mut etc = Matrix::default();
        let (scale, ready) = match unit {
            Unit::Parts(Parts { scale, times, ready }) => {
                times.into_iter().for_each(|time| etc.push(Some(time)));
                (scale, ready)
            }
            Unit::Decimals { decimals, is_rounded } => {
                let ticks = |cell: &Cell| cell.ticks(text, decimals);
                for cell in &self.cells {
                    etc.push(ticks(cell)?);
                }
                let ready = self.ready_cells().iter();
                let ready = ready.map(|cell| Ok(ticks(cell)?.unwrap_or_default()));
                let ready = ready.collect::<Result<_, _>>()?;
                let decimals = u32::from(decimals);
                self.notes.extend(is_rounded.then_some(Note::Rounded { decimals }));
                let scale = Scale::new(decimals);
                (scale.expect("the choice of decimals respects the limit"), ready)
            }
        };
        let body = Body {
            name: self.name.unwrap_or(default_name),
            columns,
            etc,
            tasks: self.tasks.map(name_list),
            hosts: self.hosts.map(name_list),
            ready,
            scale,
        };
        let blame =
            |at: Option<usize>| move |error| Fault { at, problem: Problem::Instance(error) };
        let instance = Instance::of(body).map_err(blame(blamed))?.with_notes(self.notes);
        let (tasks, hosts) = (instance.task_count(), instance.host_count());
        match self.levels.check(tasks, hosts)? {
            None => Ok(instance),
            Some(levels) => instance.with_levels(levels).map_err(blame(self.levels.at())),
        }
    }

    /// All times in parts of the unit, if they are quotients and that fits.
    pub fn in_parts(&self) -> Option<Parts> {
        let ready: Vec<Decimal> = self.ready_cells().iter().map(Cell::number).collect();
        self.quotients.as_ref()?.in_parts(&ready)
    }

    /// The column of each host.
    fn columns(&self) -> Columns {
        let own = || Columns::Own(self.cells.len() / self.rows.len());
        self.columns.clone().unwrap_or_else(own)
    }

    pub fn rows(&self) -> impl Iterator<Item = (&Row, &[Cell])> {
        let starts = std::iter::once(0).chain(self.rows.iter().map(|row| row.end));
        self.rows.iter().zip(starts).map(|(row, start)| (row, &self.cells[start..row.end]))
    }

    /// The times of all tasks.
    pub fn times(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| !cell.forbidden)
    }

    pub fn ready_cells(&self) -> &[Cell] {
        self.ready.as_ref().map_or(&[], |(_, cells)| cells)
    }

    /// The times of all tasks and the ready times.
    pub fn all_cells(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().chain(self.ready_cells())
    }

    /// The time to name in the error message when all are too large together.
    pub fn largest(&self, decimals: u8) -> Option<&Cell> {
        let size = |cell: &&Cell| cell.number().ticks_up(decimals).unwrap_or(Ticks::MAX);
        self.times().max_by_key(size)
    }

    fn check_shape(&self, options: &ReadOptions) -> Result<(), Fault> {
        let (tasks, columns) = (self.rows.len(), self.check_rows()?);
        let hosts = self.columns.as_ref().map_or(columns, Columns::hosts);
        if options.host_list.is_some() && self.columns.is_none() {
            return Err(Fault::nowhere(Problem::MatrixHosts));
        }
        let ready = self.ready.as_ref().map(|(at, cells)| (*at, cells.len()));
        check_count(ready, "ready times", hosts, "hosts")?;
        check_names(self.tasks.as_ref(), "task", tasks, "tasks")?;
        check_names(self.hosts.as_ref(), "host", hosts, "hosts")?;
        check_option(tasks as u64, "tasks", "--tasks", options.tasks)?;
        check_option(hosts as u64, "hosts", "--hosts", options.hosts)
    }

    /// Checks each row and returns the number of times per row.
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

/// An error if a number in the file differs from the user's option.
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
    list: Option<(Option<usize>, usize)>,
    what: &'static str,
    expected: usize,
    of: &'static str,
) -> Result<(), Fault> {
    match list {
        Some((at, found)) if found != expected => {
            let error = InstanceError::WrongCount { what, found, of, expected };
            Err(Fault { at, problem: Problem::Instance(error) })
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
    check_count(Some((Some(names.at), names.list.len())), "names", expected, of)?;
    names.check(what)
}

impl Names {
    /// An error at the second of two equal names.
    pub fn check(&self, what: &'static str) -> Result<(), Fault> {
        let mut sorted: Vec<_> = self.list.iter().map(|(at, name)| (name, at)).collect();
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
}

fn name_list(names: Names) -> NameList {
    names.list.into_iter().map(|(_, name)| name).collect()
}

fn read_cell(text: &str, value: &str) -> Result<Cell, Fault> {
    let at = offset_in(text, value);
    if value.eq_ignore_ascii_case("inf") {
        return Ok(Cell::forbidden(at));
    }
    let number = Decimal::parse(value).map_err(|reason| Fault::bad_time(at, value, reason))?;
    Ok(Cell::new(at, number))
}

/// Reads a ready time.
pub(super) fn ready_time(at: usize, value: &str) -> Result<Decimal, Fault> {
    Decimal::parse(value).map_err(|reason| match reason {
        DecimalError::NotANumber => Fault::expected(at, "a ready time", value),
        reason => Fault::bad_time(at, value, reason),
    })
}

/// An offset in 32 bits. Files are small enough; for longer texts from memory positions may be
/// wrong.
fn small(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
