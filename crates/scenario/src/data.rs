//! `[[file]]`, `storage`, and the data of jobs: `inputs`, `outputs`, `home`, `input`, `output`.
//!
//! Every file that a job needs must be stored on a host or be written by a job, and jobs must not
//! depend on each other in a cycle.

use std::collections::HashMap;
use std::path::Path;

use super::breakage;
use super::error::{At, Fault, ensure, label, quoted};
use super::file;
use super::grid::Resources;
use super::network::Network;
use super::number::whole;
use gridsat_grid::data::{Breakage, Data, FileId, FileSpec, Needs};
use gridsat_grid::network::{Bytes, NodeId};
use gridsat_workload::DataId;

/// Largest size in bytes; all integers up to it are exact as floats.
const MAX_BYTES: u64 = 1 << 53;

/// The keys of users and jobs that concern data.
#[derive(Clone, Copy, Default)]
pub(super) struct DataKeys<'a> {
    pub inputs: &'a [String],
    pub outputs: &'a [String],
    pub home: Option<&'a str>,
    pub input: Option<f64>,
    pub output: Option<f64>,
}

/// Checked files, networks and data needs.
#[derive(Clone)]
pub(super) struct DataFiles {
    network: Network,
    files: Vec<FileSpec>,
    names: HashMap<String, FileId>,
    storage: Vec<Option<Bytes>>,
    needs: Vec<Needs>,
    /// The job that writes each file: its label and its data.
    makers: Vec<Option<(String, DataId)>>,
    breakages: Vec<Breakage>,
}

pub(super) fn bytes(key: &str, value: f64) -> Result<Bytes, Fault> {
    whole(key, value, 0, MAX_BYTES).map(Bytes)
}

impl DataFiles {
    pub fn check(given: &file::File, resources: &Resources) -> Result<Self, Fault> {
        let network = Network::check(given.network.as_ref(), resources)?;
        let mut files = Self {
            network,
            files: Vec::new(),
            names: HashMap::new(),
            storage: resources.storage(),
            needs: Vec::new(),
            makers: vec![None; given.file.len()],
            breakages: Vec::new(),
        };
        for (index, entry) in given.file.iter().enumerate() {
            files.add(entry).at(label("file", index, Some(&entry.name)))?;
        }
        files.check_storage()?;
        Ok(files)
    }

    /// Sets the disks and links that can fail.
    pub fn set_breakages(
        &mut self,
        given: &file::File,
        resources: &Resources,
        folder: &Path,
    ) -> Result<(), Fault> {
        self.breakages = breakage::check(given, resources, &self.network, folder)?;
        Ok(())
    }

    fn add(&mut self, entry: &file::DataFile) -> Result<(), Fault> {
        let number = FileId(self.files.len() as u32);
        let is_new = self.names.insert(entry.name.clone(), number).is_none();
        ensure(is_new && !entry.name.is_empty(), || "the name is empty or used twice")?;
        let mut holders = Vec::new();
        for name in &entry.hosts {
            holders.extend(self.network.holders(name).at("hosts")?.map(NodeId));
        }
        let size = bytes("size", entry.size)?;
        self.files.push(FileSpec { name: entry.name.clone(), size, holders });
        Ok(())
    }

    /// Checks that the files stored initially fit on the machines.
    fn check_storage(&self) -> Result<(), Fault> {
        let mut used = vec![0_u128; self.storage.len()];
        for file in &self.files {
            for holder in &file.holders {
                if let Some(used) = used.get_mut(holder.index()) {
                    *used += u128::from(file.size.0);
                }
            }
        }
        for (machine, (&used, storage)) in used.iter().zip(&self.storage).enumerate() {
            ensure(storage.is_none_or(|Bytes(most)| used <= u128::from(most)), || {
                let (name, most) = (&self.network.nodes()[machine], storage.unwrap_or_default().0);
                format!(
                    "resource {}: storage is {most}, but the files there have {used} bytes",
                    quoted(name)
                )
            })?;
        }
        Ok(())
    }

    /// The data of a job or a group; `None` if it has none. `label` names a job that writes files.
    pub fn needs(&mut self, given: DataKeys<'_>, label: &str) -> Result<Option<DataId>, Fault> {
        let DataKeys { inputs, outputs, home, input, output } = given;
        let needs = Needs {
            inputs: self.find("inputs", inputs)?,
            outputs: self.find("outputs", outputs)?,
            home: home.map(|name| self.network.home(name)).transpose().at("home")?,
            input: input.map_or(Ok(Bytes(0)), |value| bytes("input", value))?,
            output: output.map_or(Ok(Bytes(0)), |value| bytes("output", value))?,
        };
        let lonely = [("input", needs.input), ("output", needs.output)];
        let lonely = lonely.into_iter().find(|(_, size)| size.0 > 0 && needs.home.is_none());
        if let Some((key, _)) = lonely {
            return Err(Fault::new(format!("{key} needs home, the host it comes from or goes to")));
        }
        if needs == (Needs { home: needs.home, ..Needs::default() }) {
            return Ok(None);
        }
        self.check_room(&needs)?;
        let id = DataId::new(self.needs.len()).ok_or_else(|| Fault::new("too many jobs"))?;
        for &file in &needs.outputs {
            self.set_maker(file, label, id)?;
        }
        self.needs.push(needs);
        Ok(Some(id))
    }

    /// Checks that some machine has enough storage for all data of a job.
    fn check_room(&self, needs: &Needs) -> Result<(), Fault> {
        let size = |file: &FileId| self.files[file.index()].size;
        let files = needs.inputs.iter().chain(&needs.outputs).map(size);
        let sizes = files.chain([needs.input, needs.output]);
        let total: u128 = sizes.map(|size| u128::from(size.0)).sum();
        let has_room =
            |storage: &Option<Bytes>| storage.is_none_or(|Bytes(most)| total <= u128::from(most));
        ensure(self.storage.iter().any(has_room), || {
            format!("needs room for {total} bytes, more than the storage of any resource")
        })
    }

    fn find(&self, key: &str, names: &[String]) -> Result<Vec<FileId>, Fault> {
        let mut found = Vec::with_capacity(names.len());
        for name in names {
            let file = self.names.get(name).copied();
            let file = file.ok_or_else(|| {
                Fault::new(format!("{key}: there is no [[file]] {}", quoted(name)))
            })?;
            ensure(!found.contains(&file), || format!("{key}: {} is listed twice", quoted(name)))?;
            found.push(file);
        }
        Ok(found)
    }

    fn set_maker(&mut self, file: FileId, label: &str, id: DataId) -> Result<(), Fault> {
        let name = quoted(&self.files[file.index()].name);
        ensure(self.files[file.index()].holders.is_empty(), || {
            format!("outputs: {name} is on a host from the start")
        })?;
        if let Some((other, _)) = &self.makers[file.index()] {
            return Err(Fault::new(format!("outputs: {name} is already made by {other}")));
        }
        self.makers[file.index()] = Some((label.to_owned(), id));
        Ok(())
    }

    /// Checks that every needed file is stored or written by some job. To be called after all data
    /// are known.
    pub fn check_makers(&self) -> Result<(), Fault> {
        for &file in self.needs.iter().flat_map(|needs| &needs.inputs) {
            let exists = !self.files[file.index()].holders.is_empty();
            ensure(exists || self.makers[file.index()].is_some(), || {
                let name = &self.files[file.index()].name;
                let label = label("file", file.index(), Some(name));
                format!("{label}: a job needs it, but no host holds it and no job makes it")
            })?;
        }
        self.circle().map_or(Ok(()), |circle| Err(Fault::new(self.shown(&circle))))
    }

    /// Files written by jobs that depend on each other in a cycle, if there are any. Depth-first
    /// search without recursion, because chains may be long.
    fn circle(&self) -> Option<Vec<FileId>> {
        let mut is_done = vec![false; self.files.len()];
        let mut is_open = vec![false; self.files.len()];
        for start in 0..self.files.len() {
            let mut path: Vec<(FileId, usize)> = vec![(FileId(start as u32), 0)];
            while let Some((file, next)) = path.last_mut() {
                let maker = self.makers[file.index()].as_ref();
                let inputs = maker.map_or(&[][..], |(_, id)| &self.needs[id.index()].inputs);
                if is_done[file.index()] || *next == inputs.len() {
                    (is_done[file.index()], is_open[file.index()]) = (true, false);
                    path.pop();
                    continue;
                }
                is_open[file.index()] = true;
                let input = inputs[*next];
                *next += 1;
                if is_open[input.index()] {
                    let files = path.iter().map(|&(file, _)| file);
                    return Some(files.skip_while(|&file| file != input).collect());
                }
                path.push((input, 0));
            }
        }
        None
    }

    fn shown(&self, circle: &[FileId]) -> String {
        let maker =
            |file: FileId| self.makers[file.index()].as_ref().map_or("", |(label, _)| label);
        let name = |file: FileId| quoted(&self.files[file.index()].name);
        let needs = |&file: &FileId| format!("needs {} of {}", name(file), maker(file));
        let way: Vec<String> = circle.iter().skip(1).chain(circle.first()).map(needs).collect();
        format!("{} waits for itself: it {}", maker(circle[0]), way.join(", which "))
    }

    /// The one node of this name.
    pub fn node(&self, name: &str) -> Result<NodeId, Fault> {
        self.network.node(name)
    }

    /// The data part of a new simulation; `None` if no job has data, unless it is needed all the
    /// same.
    pub fn build(&self, is_needed: bool) -> Option<Data> {
        (is_needed || !self.needs.is_empty()).then(|| Data {
            network: self.network.model(),
            nodes: self.network.nodes().to_vec(),
            files: self.files.clone(),
            needs: self.needs.clone(),
            storage: self.storage.clone(),
            breakages: self.breakages.clone(),
        })
    }
}
