//! A function of Python as scheduling policy of a grid.
//!
//! It gets a [`View`]: what the scheduler knows at the time of the decision, copied, and returns
//! pairs of job and host. Jobs that it leaves out keep waiting.

use std::sync::{Arc, Mutex, PoisonError};

use gridsat_engine::Id;
use gridsat_grid::{Assignment, JobIndex, Mapper, MapperError};
use gridsat_model::names::kept;
use gridsat_model::{HostId, Scale, Ticks};
use gridsat_scenario::{Policies, Policy, When};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The exception that a function of Python raised in another thread.
#[derive(Clone, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Keeps the first exception.
    pub fn keep(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A policy written in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Own {
    pub name: String,
    when: String,
    pub decide: Py<PyAny>,
}

/// The built-in policies and these.
pub fn with(own: &[Own], raised: &Raised) -> PyResult<Policies> {
    own.iter()
        .try_fold(Policies::built_in(), |policies, one| Ok(policies.with(policy(one, raised)?)))
}

fn policy(own: &Own, raised: &Raised) -> PyResult<Policy> {
    let when = When::ALL.into_iter().find(|when| when.name() == own.when).ok_or_else(|| {
        let known = When::ALL.map(When::name).join(", ");
        PyValueError::new_err(format!("when is '{}'; known: {known}", own.when))
    })?;
    let (name, raised) = (kept(&own.name), raised.clone());
    let decide = Python::attach(|py| Arc::new(own.decide.clone_ref(py)));
    Ok(Policy::new(name, name, when, move |_| {
        Box::new(InPython { name, decide: Arc::clone(&decide), raised: raised.clone() })
    }))
}

struct InPython {
    name: &'static str,
    decide: Arc<Py<PyAny>>,
    raised: Raised,
}

impl Mapper for InPython {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn decide(&mut self, view: &gridsat_grid::View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let decided = Python::attach(|py| {
            let seen = View::of(py, view)?;
            let hosts: Vec<Py<Host>> = seen.hosts.iter().map(|host| host.clone_ref(py)).collect();
            let answer = self.decide.bind(py).call1((seen,))?;
            assignments(&answer, view.job_count(), &hosts)
        });
        decided.map_err(|error| {
            let message = error.to_string();
            self.raised.keep(error);
            MapperError(message)
        })
    }
}

/// The answer: an iterable of pairs, or None for no assignment.
fn assignments(
    answer: &Bound<'_, PyAny>,
    jobs: usize,
    hosts: &[Py<Host>],
) -> PyResult<Vec<Assignment>> {
    if answer.is_none() {
        return Ok(Vec::new());
    }
    let pair = |item: PyResult<Bound<'_, PyAny>>| {
        let (job, host): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item?
            .extract()
            .map_err(|_| PyTypeError::new_err("a policy returns pairs (job, host), or None"))?;
        let (job, host) = (index_of_job(&job, jobs)?, index_of_host(&host, hosts)?);
        Ok(Assignment { job: JobIndex::at(job), host: HostId::at(host) })
    };
    answer.try_iter()?.map(pair).collect()
}

fn index_of_job(job: &Bound<'_, PyAny>, count: usize) -> PyResult<usize> {
    let index = match job.cast::<Job>() {
        Ok(job) => job.get().index,
        Err(_) => job.extract()?,
    };
    if index < count {
        return Ok(index);
    }
    Err(PyValueError::new_err(format!("no job {index}: {count} jobs wait")))
}

/// By the host itself, its index or its name.
fn index_of_host(host: &Bound<'_, PyAny>, hosts: &[Py<Host>]) -> PyResult<usize> {
    if let Ok(host) = host.cast::<Host>() {
        return Ok(host.get().index);
    }
    if let Ok(name) = host.extract::<&str>() {
        let found = hosts.iter().position(|host| host.get().name == name);
        return found.ok_or_else(|| PyValueError::new_err(format!("no host '{name}'")));
    }
    let index: usize = host.extract()?;
    if index < hosts.len() {
        return Ok(index);
    }
    Err(PyValueError::new_err(format!("no host {index}: there are {}", hosts.len())))
}

/// A waiting job.
#[pyclass(frozen, get_all, module = "gridsat")]
pub struct Job {
    index: usize,
    number: u64,
    name: Option<String>,
    user: u32,
    arrival: f64,
    qos: u32,
}

#[pymethods]
impl Job {
    fn __repr__(&self) -> String {
        let Self { index, number, user, arrival, .. } = self;
        format!("Job(index={index}, number={number}, user={user}, arrival={arrival})")
    }
}

/// A resource, or another scheduler.
#[pyclass(frozen, get_all, module = "gridsat")]
pub struct Host {
    index: usize,
    name: String,
    delay: f64,
    pes: u32,
    mips: f64,
    price: f64,
    qos: u32,
    is_up: bool,
    load: u8,
    jobs: u32,
    queued: usize,
}

#[pymethods]
impl Host {
    fn __repr__(&self) -> String {
        let Self { index, name, delay, pes, queued, .. } = self;
        format!("Host(index={index}, name='{name}', delay={delay}, pes={pes}, queued={queued})")
    }
}

/// What the policy sees.
#[pyclass(frozen, get_all, module = "gridsat")]
pub struct View {
    time: f64,
    until: Option<f64>,
    jobs: Vec<Py<Job>>,
    hosts: Vec<Py<Host>>,
    etc: Vec<Vec<f64>>,
}

#[pymethods]
impl View {
    fn __repr__(&self) -> String {
        let Self { time, jobs, hosts, .. } = self;
        format!("View(time={time}, {} jobs, {} hosts)", jobs.len(), hosts.len())
    }
}

impl View {
    fn of(py: Python<'_>, view: &gridsat_grid::View<'_>) -> PyResult<Self> {
        let seconds = |ticks| in_seconds(view.scale(), ticks);
        let job = |index: JobIndex| {
            let job = view.job(index);
            let spec = &job.spec;
            let name = spec.name.as_ref().map(|name| name.as_ref().clone());
            let (index, arrival) = (index.index(), seconds(spec.arrival));
            Py::new(
                py,
                Job { index, number: job.number, name, user: spec.user, arrival, qos: spec.qos },
            )
        };
        let host = |id: HostId| {
            let (index, delay) = (id.index(), seconds(view.state(id).delay()));
            let host = match view.host(id) {
                Some(seen) => Host {
                    index,
                    name: seen.name.to_owned(),
                    delay,
                    pes: seen.pes,
                    mips: seen.mips,
                    price: seen.price.as_f64(),
                    qos: seen.qos,
                    is_up: seen.is_up,
                    load: seen.load,
                    jobs: seen.jobs,
                    queued: seen.queued,
                },
                None => Host {
                    index,
                    name: format!("scheduler {index}"),
                    delay,
                    pes: 1,
                    mips: 0.0,
                    price: 0.0,
                    qos: 0,
                    is_up: true,
                    load: 0,
                    jobs: 0,
                    queued: 0,
                },
            };
            Py::new(py, host)
        };
        let time = |job, host| view.time(job, host).map_or(f64::INFINITY, seconds);
        let row = |job| view.hosts().map(|host| time(job, host)).collect();
        Ok(Self {
            time: seconds(view.now().0),
            until: view.until().map(seconds),
            jobs: view.jobs().map(job).collect::<PyResult<_>>()?,
            hosts: view.hosts().map(host).collect::<PyResult<_>>()?,
            etc: view.jobs().map(row).collect(),
        })
    }
}

/// Infinite for "never".
pub fn in_seconds(scale: Scale, ticks: Ticks) -> f64 {
    if ticks == Ticks::MAX { f64::INFINITY } else { scale.display(ticks).as_f64() }
}
