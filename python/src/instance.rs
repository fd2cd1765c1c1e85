//! Instances: from files, nested lists and blocks of numbers, and back.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use gridsat_draw::gantt::{SvgOptions, svg};
use gridsat_heuristics::generate::{EtcClass, EtcSpec, QosShares, generate};
use gridsat_model::certificate::instance_digest;
use gridsat_model::io::{
    Format, InstanceBuilder, Precision, Problem, ReadError, ReadOptions, ReadyTimes,
};
use gridsat_model::io::{read_file, write};
use gridsat_model::{HostId, Levels, Mapping, TaskId};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyList};

use crate::{error, number};

/// A checked instance; shared, because solutions keep it.
#[pyclass(frozen, module = "gridsat._native")]
pub struct Instance(pub Arc<gridsat_model::Instance>);

/// Times as numbers of Python.
type Times = Vec<Py<PyAny>>;

/// What every way to make an instance accepts.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Labels {
    name: String,
    tasks: Option<Vec<String>>,
    hosts: Option<Vec<String>>,
    ready: Option<Vec<f64>>,
    decimals: Option<u8>,
    exact: bool,
    /// Levels of service of tasks and hosts.
    qos: Option<(Vec<u32>, Vec<u32>)>,
}

impl Labels {
    fn options(&self) -> ReadOptions {
        let precision = match (self.decimals, self.exact) {
            (Some(decimals), _) => Precision::Decimals(decimals),
            (None, true) => Precision::Exact,
            (None, false) => Precision::Fit,
        };
        ReadOptions { precision, ..ReadOptions::default() }
    }

    fn build(self, mut builder: InstanceBuilder) -> Result<gridsat_model::Instance, ReadError> {
        let (options, qos) = (self.options(), self.qos);
        self.tasks.into_iter().for_each(|names| builder.tasks(names));
        self.hosts.into_iter().for_each(|names| builder.hosts(names));
        self.ready.map_or(Ok(()), |times| builder.ready(&times))?;
        let built = builder.build(&options)?;
        let Some((tasks, hosts)) = qos else { return Ok(built) };
        let name = built.name().to_owned();
        let with = built.with_levels(Levels { tasks, hosts });
        with.map_err(|error| ReadError {
            file: if name.is_empty() { "etc".to_owned() } else { name },
            position: None,
            problem: Problem::Instance(error),
        })
    }
}

#[pymethods]
impl Instance {
    /// Reads a file; the format is recognised by its name if it is not given.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, format: Option<&str>, labels: Labels) -> PyResult<Self> {
        let format = format.map(Format::from_str).transpose();
        let format = format.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let ready = labels.ready.as_ref().map(|times| {
            let words: Vec<_> = times.iter().map(f64::to_string).collect();
            ReadyTimes::parse(&words.join(" "), "ready")
        });
        let ready = ready.transpose().map_err(|error| error::read(py, &error))?;
        let options = ReadOptions { format, ready, ..labels.options() };
        let read = py.detach(|| read_file(&path, &options));
        Ok(Self(Arc::new(read.map_err(|error| error::read(py, &error))?)))
    }

    /// One sequence of times per task. None, NaN and infinity mean that the task cannot run.
    #[staticmethod]
    fn from_rows(py: Python<'_>, rows: &Bound<'_, PyAny>, labels: Labels) -> PyResult<Self> {
        let mut builder = InstanceBuilder::new(&labels.name);
        for row in rows.try_iter()? {
            for value in row?.try_iter()? {
                push(&mut builder, &value?).map_err(|error| error.raise(py))?;
            }
            builder.end_row();
        }
        let built = labels.build(builder).map_err(|error| error::read(py, &error))?;
        Ok(Self(Arc::new(built)))
    }

    /// A block of numbers, row by row, of the type that this code of `struct` names.
    #[staticmethod]
    fn from_block(
        py: Python<'_>,
        block: &[u8],
        code: char,
        width: usize,
        labels: Labels,
    ) -> PyResult<Self> {
        let build = || {
            let mut builder = InstanceBuilder::new(&labels.name);
            fill(&mut builder, block, code, width)?;
            Ok(labels.build(builder))
        };
        let built: PyResult<_> = py.detach(build);
        Ok(Self(Arc::new(built?.map_err(|error| error::read(py, &error))?)))
    }

    /// A random instance.
    #[staticmethod]
    #[pyo3(signature = (tasks, hosts, class, seed, decimals, forbidden, ready, qos))]
    #[allow(clippy::too_many_arguments, reason = "the Python function beside it has them by name")]
    fn generate(
        py: Python<'_>,
        tasks: usize,
        hosts: usize,
        class: &str,
        seed: u64,
        decimals: u32,
        forbidden: u8,
        ready: u32,
        qos: Option<(u8, u8)>,
    ) -> PyResult<Self> {
        let class = EtcClass::from_str(class).map_err(|error| error::input(py, error))?;
        let spec = EtcSpec {
            class,
            tasks,
            hosts,
            decimals,
            forbidden_percent: forbidden,
            ready_max: ready,
            qos: qos.map(|(tasks, hosts)| QosShares { tasks, hosts }),
            seed,
        };
        let made = py.detach(|| generate(&spec)).map_err(|error| error::input(py, error))?;
        Ok(Self(Arc::new(made)))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Numbers of tasks and hosts.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.0.task_count(), self.0.host_count())
    }

    #[getter]
    fn tasks(&self) -> Vec<&str> {
        self.0.tasks().map(|task| self.0.task_name(task)).collect()
    }

    #[getter]
    fn hosts(&self) -> Vec<&str> {
        self.0.hosts().map(|host| self.0.host_name(host)).collect()
    }

    #[getter]
    fn ready(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let ready: Vec<_> = self.0.hosts().map(|host| self.0.ready(host)).collect();
        number::times(py, self.0.scale(), &ready)
    }

    /// Levels of service of tasks and of hosts.
    #[getter]
    fn qos(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        self.0.levels().map(|levels| (levels.tasks.clone(), levels.hosts.clone()))
    }

    #[getter]
    fn decimals(&self) -> u32 {
        self.0.scale().decimals()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes().iter().map(ToString::to_string).collect()
    }

    #[getter]
    fn digest(&self) -> String {
        instance_digest(&self.0).to_string()
    }

    /// The times, one list per task; None where the task cannot run.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyList>>> {
        let cell = |task, host| {
            let ticks = self.0.time(task, host);
            ticks.map(|ticks| number::time(py, self.0.scale(), ticks)).transpose()
        };
        let row = |task: TaskId| {
            let cells: PyResult<Vec<_>> = self.0.hosts().map(|host| cell(task, host)).collect();
            PyList::new(py, cells?)
        };
        self.0.tasks().map(row).collect()
    }

    /// The times as a block of floats, row by row; infinity where the task cannot run.
    fn block<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut block = Vec::with_capacity(8 * self.0.task_count() * self.0.host_count());
        for task in self.0.tasks() {
            for host in self.0.hosts() {
                let time = self.0.time(task, host);
                let time = time.map(|ticks| number::float(self.0.scale(), ticks));
                block.extend(time.unwrap_or(f64::INFINITY).to_ne_bytes());
            }
        }
        PyBytes::new(py, &block)
    }

    /// The text of the instance in this format.
    fn text(&self, py: Python<'_>, format: &str) -> PyResult<Vec<u8>> {
        let format = Format::from_str(format);
        let format = format.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let mut out = Vec::new();
        let written = py.detach(|| write(&self.0, format, &mut out));
        written.map_err(|error| error::input(py, error))?;
        Ok(out)
    }

    /// Checks a mapping; its loads and its makespan.
    fn loads(&self, py: Python<'_>, hosts: Vec<u32>) -> PyResult<(Vec<Py<PyAny>>, Py<PyAny>)> {
        let mapping = self.mapping(py, hosts)?;
        let scale = self.0.scale();
        let loads = number::times(py, scale, mapping.loads())?;
        Ok((loads, number::time(py, scale, mapping.makespan())?))
    }

    /// When each task of a mapping starts and ends. Tasks of a host run in the order of the
    /// instance, from its ready time on.
    fn schedule(&self, py: Python<'_>, hosts: Vec<u32>) -> PyResult<(Times, Times)> {
        let mapping = self.mapping(py, hosts)?;
        let mut clock: Vec<_> = self.0.hosts().map(|host| self.0.ready(host)).collect();
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for task in self.0.tasks() {
            let free = &mut clock[mapping.host(task).index()];
            starts.push(*free);
            *free += self.0.time(task, mapping.host(task)).unwrap_or_default();
            ends.push(*free);
        }
        let scale = self.0.scale();
        Ok((number::times(py, scale, &starts)?, number::times(py, scale, &ends)?))
    }

    /// The Gantt chart of a mapping.
    fn gantt(&self, py: Python<'_>, hosts: Vec<u32>, subtitle: Option<&str>) -> PyResult<String> {
        let mapping = self.mapping(py, hosts)?;
        Ok(svg(&self.0, &mapping, &SvgOptions { subtitle, ..SvgOptions::default() }))
    }
}

impl Instance {
    /// A mapping from the numbers of hosts.
    pub fn mapping(&self, py: Python<'_>, hosts: Vec<u32>) -> PyResult<Mapping> {
        let hosts = hosts.into_iter().map(HostId).collect();
        Mapping::new(&self.0, hosts).map_err(|error| error::input(py, error))
    }
}

/// Why a value could not be added.
enum Refused {
    Time(ReadError),
    Python(PyErr),
}

impl Refused {
    fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Time(error) => error::read(py, &error),
            Self::Python(error) => error,
        }
    }
}

/// Adds an int, a float, None, or whatever converts to a float.
fn push(builder: &mut InstanceBuilder, value: &Bound<'_, PyAny>) -> Result<(), Refused> {
    let pushed = if value.is_none() {
        builder.forbidden()
    } else if value.is_instance_of::<PyFloat>() {
        builder.float(value.extract().map_err(Refused::Python)?)
    } else if value.is_instance_of::<PyInt>() {
        builder.integer(value.extract().map_err(Refused::Python)?)
    } else if let Ok(time) = value.extract() {
        builder.float(time)
    } else {
        let message = format!("a time must be a number or None, not {}", value.get_type());
        return Err(Refused::Python(PyTypeError::new_err(message)));
    };
    pushed.map_err(Refused::Time)
}

/// Adds rows of numbers of one type.
fn fill(builder: &mut InstanceBuilder, block: &[u8], code: char, width: usize) -> PyResult<()> {
    macro_rules! rows {
        ($number:ty, $method:ident, $convert:expr) => {
            for row in block.chunks_exact((width * size_of::<$number>()).max(1)) {
                for bytes in row.chunks_exact(size_of::<$number>()) {
                    let bytes = bytes.try_into().expect("a chunk has the size of a number");
                    let added = builder.$method($convert(<$number>::from_ne_bytes(bytes)));
                    added.map_err(|error| Python::attach(|py| error::read(py, &error)))?;
                }
                builder.end_row();
            }
        };
    }
    match code {
        'd' => rows!(f64, float, |time| time),
        'f' => rows!(f32, float, as_printed),
        'b' => rows!(i8, integer, i128::from),
        'B' => rows!(u8, integer, i128::from),
        'h' => rows!(i16, integer, i128::from),
        'H' => rows!(u16, integer, i128::from),
        'i' => rows!(i32, integer, i128::from),
        'I' => rows!(u32, integer, i128::from),
        'q' => rows!(i64, integer, i128::from),
        'Q' => rows!(u64, integer, i128::from),
        code => {
            let message = format!("a matrix of type '{code}' has no times");
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(())
}

/// A short float means the decimal that it is printed as, like a long one.
fn as_printed(time: f32) -> f64 {
    time.to_string().parse().unwrap_or(f64::NAN)
}
