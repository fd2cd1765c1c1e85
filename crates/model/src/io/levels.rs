//! Levels of service in files: JSON has a key `qos`, CSV a row and a column of that name.

use super::error::{Fault, Problem};
use crate::{InstanceError, Levels};

/// A list of levels and its offset in the text.
pub(super) struct LevelList {
    pub at: usize,
    pub levels: Vec<u32>,
}

/// The levels of a file. If only one list is given, the others are 0.
#[derive(Default)]
pub(super) struct LevelLists {
    pub tasks: Option<LevelList>,
    pub hosts: Option<LevelList>,
}

impl LevelLists {
    /// Checks the lengths; `None` without levels.
    pub fn check(&self, tasks: usize, hosts: usize) -> Result<Option<Levels>, Fault> {
        if self.tasks.is_none() && self.hosts.is_none() {
            return Ok(None);
        }
        let levels = |list: &Option<LevelList>, expected, of| match list {
            None => Ok(vec![0; expected]),
            Some(list) if list.levels.len() == expected => Ok(list.levels.clone()),
            Some(list) => {
                let (what, found) = ("QoS levels", list.levels.len());
                let error = InstanceError::WrongCount { what, found, of, expected };
                Err(Fault::at(list.at, Problem::Instance(error)))
            }
        };
        let (tasks, hosts) =
            (levels(&self.tasks, tasks, "tasks")?, levels(&self.hosts, hosts, "hosts")?);
        Ok(Some(Levels { tasks, hosts }))
    }

    /// The offset to name in an error about the levels of tasks and hosts together.
    pub fn at(&self) -> Option<usize> {
        self.tasks.as_ref().or(self.hosts.as_ref()).map(|list| list.at)
    }
}

/// Reads a level.
pub(super) fn read_level(at: usize, value: &str) -> Result<u32, Fault> {
    let is_whole = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let level = value.parse().ok().filter(|_| is_whole);
    level.ok_or_else(|| Fault::expected(at, "a level from 0 to 4294967295", value))
}
