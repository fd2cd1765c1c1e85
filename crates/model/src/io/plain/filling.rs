//! An instance while its text is read.

use super::source::Number;
use crate::columns::Columns;
use crate::instance::Body;
use crate::io::{MAX_TIMES, Note, Precision, ReadOptions};
use crate::matrix::Matrix;
use crate::name_list::NameList;
use crate::{Instance, Scale, Ticks};

/// What was read so far. Times are in ticks of the most decimals seen so far; a time with more
/// rescales those before it, at most 18 times.
#[derive(Default)]
pub(super) struct Filling {
    pub name: Option<String>,
    pub tasks: Option<NameList>,
    pub hosts: Option<NameList>,
    pub notes: Vec<Note>,
    etc: Matrix,
    ready: Option<Vec<Ticks>>,
    decimals: u8,
    /// Times in the first row; `None` before it ends.
    width: Option<usize>,
    /// Times in the rows that have ended.
    ended: usize,
}

impl Filling {
    /// Adds a time to the present row.
    #[inline]
    pub fn push(&mut self, number: Number) -> Option<()> {
        let ticks = self.ticks(number)?;
        self.etc.push(Some(ticks));
        Some(())
    }

    /// Adds "cannot run here" to the present row.
    pub fn push_forbidden(&mut self) {
        self.etc.push(None);
    }

    /// Ends the present row; `None` if it has not as many times as the first, or there are too many
    /// in all.
    pub fn end_row(&mut self) -> Option<()> {
        let length = self.etc.len() - self.ended;
        self.ended = self.etc.len();
        (length == *self.width.get_or_insert(length) && self.ended <= MAX_TIMES).then_some(())
    }

    /// Starts the list of ready times.
    pub fn start_ready(&mut self) {
        self.ready = Some(Vec::new());
    }

    /// Adds a ready time.
    pub fn push_ready(&mut self, number: Number) -> Option<()> {
        let ticks = self.ticks(number)?;
        self.ready.get_or_insert_default().push(ticks);
        Some(())
    }

    #[inline]
    fn ticks(&mut self, number: Number) -> Option<Ticks> {
        let Number { mantissa, decimals } = number;
        if decimals > self.decimals {
            self.rescale(decimals)?;
        }
        let factor = 10_u64.pow((self.decimals - decimals).into());
        mantissa.checked_mul(factor).map(Ticks)
    }

    #[cold]
    fn rescale(&mut self, decimals: u8) -> Option<()> {
        let factor = 10_u64.pow((decimals - self.decimals).into());
        self.decimals = decimals;
        for time in self.ready.iter_mut().flatten() {
            *time = Ticks(time.0.checked_mul(factor)?);
        }
        self.etc.scale_up(factor)
    }

    /// The instance, if it is one and its times need no rounding.
    pub fn into_instance(self, default_name: String, options: &ReadOptions) -> Option<Instance> {
        let is_exact = match options.precision {
            Precision::Fit | Precision::Exact => true,
            Precision::Decimals(most) => self.decimals <= most,
        };
        let width = self.width.filter(|&width| width > 0 && is_exact)?;
        let is_empty = self.ready.as_ref().is_some_and(Vec::is_empty);
        let body = Body {
            name: self.name.unwrap_or(default_name),
            etc: self.etc,
            columns: Columns::Own(width),
            tasks: self.tasks,
            hosts: self.hosts,
            ready: self.ready.unwrap_or_default(),
            scale: Scale::new(self.decimals.into())?,
        };
        if is_empty || options.ready.is_some() || options.host_list.is_some() {
            return None;
        }
        let instance = Instance::of(body).ok()?;
        let fits = |said: Option<usize>, found| said.is_none_or(|said| said == found);
        let is_said = fits(options.tasks, instance.task_count())
            && fits(options.hosts, instance.host_count());
        is_said.then(|| instance.with_notes(self.notes))
    }
}
