//! A function of Python as policy of the queue of clusters.
//!
//! Rules of the simulator live as long as the program and cannot fail. So there is one rule per
//! name, which calls the function of that name in the thread in which it runs; an exception ends
//! the simulation.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use gridsat_cluster::{QueuePolicy, QueueRule, QueueView};
use gridsat_model::names::kept;
use gridsat_model::{Scale, Stop};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::policy::{Own, Raised, in_seconds};

thread_local! {
    static CURRENT: RefCell<Option<Current>> = const { RefCell::new(None) };
}

/// The functions of this thread.
pub struct Current {
    pub functions: Vec<Own>,
    pub scale: Scale,
    pub raised: Raised,
    pub stop: Stop,
}

/// Makes these the functions of this thread while `work` runs.
pub fn during<T>(current: Current, work: impl FnOnce() -> T) -> T {
    CURRENT.set(Some(current));
    let result = work();
    drop(CURRENT.take());
    result
}

/// The policy that calls the function of this name.
pub fn policy(name: &str) -> QueuePolicy {
    static RULES: Mutex<BTreeMap<&'static str, &'static InPython>> = Mutex::new(BTreeMap::new());
    let mut rules = RULES.lock().unwrap_or_else(PoisonError::into_inner);
    let name = kept(name);
    QueuePolicy::own(*rules.entry(name).or_insert_with(|| Box::leak(Box::new(InPython(name)))))
}

/// The rule of this name.
struct InPython(&'static str);

impl QueueRule for InPython {
    fn name(&self) -> &str {
        self.0
    }

    fn next(&self, view: &QueueView<'_>) -> Option<usize> {
        CURRENT.with_borrow(|current| {
            let Current { functions, scale, raised, stop } = current.as_ref()?;
            let Own { decide, .. } = functions.iter().find(|own| own.name == self.0)?;
            if stop.is_requested() {
                return None;
            }
            let decided = Python::attach(|py| ask(py, decide, *scale, view));
            decided.unwrap_or_else(|error| {
                raised.keep(error);
                stop.request();
                None
            })
        })
    }
}

fn ask(
    py: Python<'_>,
    decide: &Py<PyAny>,
    scale: Scale,
    view: &QueueView<'_>,
) -> PyResult<Option<usize>> {
    let seen = Queue::of(py, scale, view)?;
    let count = seen.waiting.len();
    let answer = decide.bind(py).call1((seen,))?;
    if answer.is_none() {
        return Ok(None);
    }
    let index: usize = match answer.cast::<Waiting>() {
        Ok(job) => job.get().index,
        Err(_) => answer.extract()?,
    };
    if index < count {
        return Ok(Some(index));
    }
    Err(PyValueError::new_err(format!("no job {index}: {count} jobs wait")))
}

/// A job in the queue.
#[pyclass(frozen, get_all, module = "gridsat")]
pub struct Waiting {
    index: usize,
    number: u64,
    submit: f64,
    nodes: u32,
    estimate: f64,
    priority: i32,
    user: u32,
    fits: bool,
}

#[pymethods]
impl Waiting {
    fn __repr__(&self) -> String {
        let Self { index, number, nodes, estimate, fits, .. } = self;
        let fits = if *fits { "True" } else { "False" };
        format!(
            "Waiting(index={index}, number={number}, nodes={nodes}, estimate={estimate}, \
             fits={fits})"
        )
    }
}

/// What the policy sees.
#[pyclass(frozen, get_all, module = "gridsat")]
pub struct Queue {
    time: f64,
    free_nodes: u32,
    waiting: Vec<Py<Waiting>>,
    /// Expected end and nodes of each running job.
    releases: Vec<(f64, u32)>,
}

#[pymethods]
impl Queue {
    fn __repr__(&self) -> String {
        let Self { time, free_nodes, waiting, .. } = self;
        format!("Queue(time={time}, free_nodes={free_nodes}, {} jobs wait)", waiting.len())
    }
}

impl Queue {
    fn of(py: Python<'_>, scale: Scale, view: &QueueView<'_>) -> PyResult<Self> {
        let seconds = |ticks| in_seconds(scale, ticks);
        let waiting = |(index, job): (usize, gridsat_cluster::WaitingJob)| {
            Py::new(
                py,
                Waiting {
                    index,
                    number: job.number,
                    submit: seconds(job.submit.0),
                    nodes: job.nodes,
                    estimate: seconds(job.estimate),
                    priority: job.priority,
                    user: job.user,
                    fits: job.fits,
                },
            )
        };
        Ok(Self {
            time: seconds(view.now().0),
            free_nodes: view.free_nodes(),
            waiting: view.waiting().enumerate().map(waiting).collect::<PyResult<_>>()?,
            releases: view.releases().map(|(end, nodes)| (seconds(end.0), nodes)).collect(),
        })
    }
}
