//! Long work without the lock of the interpreter.
//!
//! The work runs in a thread of its own. The calling thread waits without the lock, takes it every
//! [`LOOK`] to see whether a signal has arrived, and calls the user's function for every report of
//! the work. An exception from either asks the work to stop and is returned with its result.

use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use gridsat_model::Stop;
use pyo3::prelude::*;

/// Time between two looks for signals.
const LOOK: Duration = Duration::from_millis(20);

/// As much as the main thread of a program has on Linux.
const STACK: usize = 8 << 20;

/// The result of the work, and the exception that stopped it.
pub struct Ended<T> {
    pub result: T,
    pub exception: Option<PyErr>,
}

impl<T> Ended<T> {
    /// The result, unless an exception stopped the work.
    pub fn or_raise(self) -> PyResult<T> {
        self.exception.map_or(Ok(self.result), Err)
    }
}

/// Does the work; what it sends is given to `report` in this thread.
pub fn run<T: Send, R: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce(Sender<R>) -> T + Send,
    mut report: impl FnMut(Python<'_>, R) -> PyResult<()>,
) -> PyResult<Ended<T>> {
    let (sender, mut receiver) = mpsc::channel();
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        let worker = thread.spawn_scoped(scope, move || work(sender))?;
        let mut exception = None;
        loop {
            let received;
            (receiver, received) = py.detach(move || next(receiver));
            let seen = match received {
                Ok(news) if exception.is_none() => report(py, news),
                Ok(_) => Ok(()),
                Err(RecvTimeoutError::Timeout) => py.check_signals(),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Err(error) = seen {
                stop.request();
                exception.get_or_insert(error);
            }
        }
        let result = py.detach(|| worker.join()).unwrap_or_else(|panic| resume_unwind(panic));
        Ok(Ended { result, exception })
    })
}

/// Does work that reports nothing.
pub fn quietly<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<Ended<T>> {
    let work = |sender: Sender<()>| {
        let result = work();
        drop(sender);
        result
    };
    run(py, stop, work, |_, ()| Ok(()))
}

fn next<R>(receiver: Receiver<R>) -> (Receiver<R>, Result<R, RecvTimeoutError>) {
    let received = receiver.recv_timeout(LOOK);
    (receiver, received)
}
