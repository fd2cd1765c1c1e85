//! Other programs, started so that none of them outlives this one.
//!
//! Every child leads a process group: [`end`] kills it together with all that it started, and
//! [`end_all`] does so with every child that still runs, for an end without destructors.
//!
//! A process that is killed cannot end its children. On Linux a child can ask for a signal at the
//! death of its parent; it must do so itself, after it was started. So children are started as
//! `gridsat with-parent PID COMMAND`, which asks for the signal and becomes COMMAND
//! ([`become_child`]). That needs a program which knows this word: the command line names itself
//! with [`start_through`]. Without it, as in a library, and where the system has no such signal,
//! COMMAND is started directly.
//!
//! The system counts the *thread* that started a child as its parent. One thread, which never ends,
//! therefore starts all of them.
//!
//! Left out: after a SIGKILL only the child itself ends, not what it started.
//!
//! Depends on no other crate of gridsat.

mod group;
mod start;

pub use group::{Listed, end, end_all};
pub use start::{WITH_PARENT, become_child, is_program, spawn, start_through, tied};
