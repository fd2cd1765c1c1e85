//! OPB: the problem as pseudo-Boolean constraints, directly from the matrix.
//!
//! Variables `x1, x2, …` are the possible pairs, task by task; in the optimisation problem the
//! bits of the makespan follow, lowest first. There is one constraint `= 1` per task, then one per
//! host: `Σ p·x ≤ k − ready`, or `Σ 2^b·bit ≥ ready + Σ p·x`. VeriPB certificates prove
//! statements about exactly this file.

use std::io::{self, Write};

use super::{Question, describe, title};
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// The numbering of the variables, and the writer of the file.
pub struct Opb<'a> {
    instance: &'a Instance,
    /// Number of each pair's variable, from 1; 0 if the task cannot run on the host.
    numbers: Vec<u32>,
    pairs: u32,
    bits: u32,
}

impl<'a> Opb<'a> {
    /// Numbers the variables.
    pub fn new(instance: &'a Instance) -> Self {
        let mut pairs = 0;
        let mut numbers = Vec::new();
        for task in instance.tasks() {
            for host in instance.hosts() {
                let possible = instance.time(task, host).is_some();
                pairs += u32::from(possible);
                numbers.push(if possible { pairs } else { 0 });
            }
        }
        Self { instance, numbers, pairs, bits: u64::BITS - worst(instance).0.leading_zeros() }
    }

    /// The variable of a possible pair.
    pub fn pair(&self, task: TaskId, host: HostId) -> u32 {
        self.numbers[task.index() * self.instance.host_count() + host.index()]
    }

    /// The variables of the makespan's bits with their values, lowest first.
    pub fn makespan_bits(&self) -> impl Iterator<Item = (u64, u32)> + use<> {
        let first = self.pairs + 1;
        (0..self.bits).map(move |bit| (1 << bit, first + bit))
    }

    /// Number of all variables, pairs and bits of the makespan.
    pub fn variables(&self) -> u32 {
        self.pairs + self.bits
    }

    /// Writes the file: with a k the decision problem, without the optimisation problem.
    pub fn write(&self, k: Option<Ticks>, out: &mut impl Write) -> io::Result<()> {
        let (n, m) = (self.instance.task_count(), self.instance.host_count());
        let variables = if k.is_some() { self.pairs } else { self.variables() };
        writeln!(out, "* #variable= {variables} #constraint= {}", n + m)?;
        writeln!(out, "* {}", title(self.instance, k.map(|ticks| ticks.0)))?;
        writeln!(out, "* {}", Question::new(self.instance, k, "opb"))?;
        for task in self.instance.tasks() {
            for (host, _) in self.instance.times(task) {
                let number = self.pair(task, host);
                writeln!(out, "* x{number} = {}", describe(self.instance, task, host))?;
            }
        }
        if k.is_none() {
            write!(out, "min:")?;
            self.makespan_bits().try_for_each(|(value, bit)| write!(out, " +{value} x{bit}"))?;
            writeln!(out, " ;")?;
        }
        self.write_tasks(out)?;
        self.instance.hosts().try_for_each(|host| self.write_host(host, k, out))
    }

    fn write_tasks(&self, out: &mut impl Write) -> io::Result<()> {
        for task in self.instance.tasks() {
            for (host, _) in self.instance.times(task) {
                write!(out, "+1 x{} ", self.pair(task, host))?;
            }
            writeln!(out, "= 1 ;")?;
        }
        Ok(())
    }

    fn write_host(&self, host: HostId, k: Option<Ticks>, out: &mut impl Write) -> io::Result<()> {
        if k.is_none() {
            self.makespan_bits().try_for_each(|(value, bit)| write!(out, "+{value} x{bit} "))?;
        }
        for task in self.instance.tasks() {
            match self.instance.time(task, host) {
                None | Some(Ticks(0)) => {}
                Some(time) => write!(out, "-{time} x{} ", self.pair(task, host))?,
            }
        }
        let ready = i128::from(self.instance.ready(host));
        writeln!(out, ">= {} ;", ready - i128::from(k.unwrap_or(Ticks(0))))
    }
}

/// The largest load any mapping can give to a host.
fn worst(instance: &Instance) -> Ticks {
    let load = |host| {
        let times = instance.tasks().filter_map(|task| instance.time(task, host));
        instance.ready(host) + times.sum::<Ticks>()
    };
    instance.hosts().map(load).max().unwrap_or(Ticks(0))
}
