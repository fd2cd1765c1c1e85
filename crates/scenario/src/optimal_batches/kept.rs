//! Keeps what was proven about each batch: the instance, and beside it the certificate.
//!
//! Batch 7 of the first scheduler is `s0-000007.json`, its certificate
//! `s0-000007.certificate.json`: `gridsat verify FOLDER/*.certificate.json` checks all of them.
//! Times are in ticks of the simulation: a file in seconds would be read with as few decimals as
//! its times need.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use gridsat_exact::solve::Certificate;
use gridsat_grid::MapperError;
use gridsat_model::io::write_json;
use gridsat_model::{Instance, InstanceError, InstanceParts, Scale, TaskId};

/// Where the batches of one scheduler are kept.
#[derive(Clone, Debug)]
pub struct Kept {
    folder: PathBuf,
    scheduler: u64,
    batches: u64,
}

impl Kept {
    /// In this folder, which must exist; schedulers are numbered from 0.
    pub fn new(folder: &Path, scheduler: u64) -> Self {
        Self { folder: folder.to_owned(), scheduler, batches: 0 }
    }

    /// Writes the next batch.
    pub(super) fn add(
        &mut self,
        instance: &Instance,
        certificate: &Certificate,
    ) -> Result<(), MapperError> {
        self.batches += 1;
        let instance = in_ticks(instance).map_err(|error| MapperError(error.to_string()))?;
        let stem = format!("s{}-{:06}", self.scheduler, self.batches);
        let path = self.folder.join(format!("{stem}.json"));
        let written = File::create(&path).and_then(|file| {
            let mut file = BufWriter::new(file);
            write_json(&instance, &mut file)?;
            file.flush()
        });
        written.map_err(|error| MapperError(format!("{}: {error}", path.display())))?;
        let saved = self.folder.join(format!("{stem}.certificate.json"));
        let saved = certificate.save_for(&instance, saved);
        saved.map_err(|error| MapperError(error.to_string()))
    }
}

/// The same instance with one tick as the unit of time.
fn in_ticks(instance: &Instance) -> Result<Instance, InstanceError> {
    let times = |task: TaskId| instance.hosts().map(|host| instance.time(task, host)).collect();
    Instance::new(InstanceParts {
        name: instance.name().to_owned(),
        etc: instance.tasks().map(times).collect(),
        tasks: instance.tasks().map(|task| instance.task_name(task).to_owned()).collect(),
        hosts: instance.hosts().map(|host| instance.host_name(host).to_owned()).collect(),
        ready: instance.hosts().map(|host| instance.ready(host)).collect(),
        scale: Scale::default(),
    })
}
