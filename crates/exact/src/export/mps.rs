//! MPS (free form): the mixed-integer program for LP and MIP solvers.
//!
//! Columns `x_t_h` are binary and mean that task t runs on host h. Rows `task_t` require exactly
//! one host per task. Rows `host_h` keep a host's load at most at the column `makespan`, which is
//! minimised, or at most at k. Times are whole ticks, so they are exact unless the solver itself
//! rounds.

use std::io::{self, Write};

use super::{Question, title};
use gridsat_model::{Instance, Ticks};

/// Writes the optimisation problem, or with a k the decision problem.
pub fn write_mps(instance: &Instance, k: Option<Ticks>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "* {}", title(instance, k.map(|ticks| ticks.0)))?;
    writeln!(out, "* {}", Question::new(instance, k, "mps"))?;
    writeln!(out, "NAME gridsat")?;
    writeln!(out, "ROWS\n N cost")?;
    instance.tasks().try_for_each(|task| writeln!(out, " E task_{}", task.0))?;
    instance.hosts().try_for_each(|host| writeln!(out, " L host_{}", host.0))?;
    write_columns(instance, k, out)?;
    writeln!(out, "RHS")?;
    instance.tasks().try_for_each(|task| writeln!(out, " rhs task_{} 1", task.0))?;
    for host in instance.hosts() {
        let room = i128::from(k.unwrap_or(Ticks(0))) - i128::from(instance.ready(host));
        writeln!(out, " rhs host_{} {room}", host.0)?;
    }
    writeln!(out, "BOUNDS")?;
    for task in instance.tasks() {
        for (host, _) in instance.times(task) {
            writeln!(out, " BV bound x_{}_{}", task.0, host.0)?;
        }
    }
    writeln!(out, "ENDATA")
}

fn write_columns(instance: &Instance, k: Option<Ticks>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "COLUMNS")?;
    if k.is_none() {
        writeln!(out, " makespan cost 1")?;
        instance.hosts().try_for_each(|host| writeln!(out, " makespan host_{} -1", host.0))?;
    }
    writeln!(out, " start 'MARKER' 'INTORG'")?;
    for task in instance.tasks() {
        for (host, time) in instance.times(task) {
            let column = format!("x_{}_{}", task.0, host.0);
            writeln!(out, " {column} task_{} 1", task.0)?;
            if time > Ticks(0) {
                writeln!(out, " {column} host_{} {time}", host.0)?;
            }
        }
    }
    writeln!(out, " end 'MARKER' 'INTEND'")
}
