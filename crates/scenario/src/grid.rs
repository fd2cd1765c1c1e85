//! `[[resource]]`: the resources that run the jobs.
//!
//! Rates are drawn from one random stream per entry, so that users, policies and other entries do
//! not influence them.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use rand_chacha::ChaCha8Rng;

use super::data::bytes;
use super::economy;
use super::error::{At, Fault, ensure, label, positive, quoted};
use super::failure::Failure;
use super::file;
use super::load::Load;
use super::memory::Memory;
use super::number::{Number, ticks};
use gridsat_engine::time::Time;
use gridsat_grid::allocation::{AllocationPolicy as Sharing, Pes};
use gridsat_grid::economy::Money;
use gridsat_grid::network::Bytes;
use gridsat_grid::{Device, Grid, ResourceId, ResourceSpec, SiteId};
use gridsat_statistics::random::stream;
use gridsat_workload::Unit;

/// Larger numbers are rejected as typing errors.
const MAX_RESOURCES: u64 = 1_000_000;
const MAX_PES: u64 = 10_000_000;

/// Random stream of the rates; its index is the number of the `[[resource]]` entry.
const RATES: &str = "scenario/mips";
const DEVICES: &str = "scenario/io";

/// The resources of one entry, which differ only in their rates.
#[derive(Clone, Debug)]
pub(super) struct ResourceEntry {
    label: String,
    /// Index of the random stream of its rates.
    number: u64,
    /// Number of its first resource.
    first: u32,
    names: Vec<String>,
    pub site: SiteId,
    /// Number of its first machine.
    first_machine: u32,
    machines: Vec<(u32, Number)>,
    pub serves: Unit,
    storage: Option<Bytes>,
    pub memory: Option<Memory>,
    /// Number of the first I/O device, and its rate.
    pub device: Option<(u32, Number)>,
    pub sharing: Sharing,
    pub qos: u32,
    price: Money,
    pub load: Load,
    failures: Option<Failure>,
    registers: Time,
}

/// All resources.
#[derive(Clone, Debug, Default)]
pub(super) struct Resources {
    pub sites: Vec<String>,
    entries: Vec<ResourceEntry>,
    machine_count: u32,
    /// The entry of each resource.
    owners: Vec<usize>,
    /// Resources by their names and by those of their entries.
    named: HashMap<String, Range<u32>>,
}

impl Resources {
    pub fn check(entries: &[file::Resource], folder: &Path) -> Result<Self, Fault> {
        ensure(!entries.is_empty(), || "there is no [[resource]]")?;
        check_sizes(entries)?;
        let mut resources = Self::default();
        for (index, entry) in entries.iter().enumerate() {
            let label = label("resource", index, entry.name.as_deref());
            resources.add(entry, index as u64, &label, folder).at(label)?;
        }
        Ok(resources)
    }

    fn add(
        &mut self,
        entry: &file::Resource,
        number: u64,
        label: &str,
        folder: &Path,
    ) -> Result<(), Fault> {
        let names = self.name(entry)?;
        let io = entry.io;
        let failures = entry.failure.as_ref();
        let failures = failures.map(|given| Failure::check(given, names.len(), folder));
        let entry = ResourceEntry {
            failures: failures.transpose().at("failure")?,
            label: label.to_owned(),
            number,
            first: self.owners.len() as u32,
            names,
            site: self.site(entry.site.as_deref().unwrap_or("grid"))?,
            first_machine: self.machine_count,
            machines: machines(entry)?,
            serves: Unit::Instructions,
            storage: entry.storage.map(|value| bytes("storage", value)).transpose()?,
            memory: Memory::of(entry)?,
            device: None,
            sharing: sharing(entry.policy.as_deref())?,
            qos: entry.qos,
            price: economy::price(entry.price)?,
            load: entry
                .load
                .as_ref()
                .map_or_else(|| Ok(Load::none()), |load| Load::check(&load.0))
                .at("load")?,
            registers: Time(ticks("registers", entry.registers.unwrap_or(0.0))?),
        };
        self.machine_count += entry.names.len() as u32;
        let device = io.map(|rate| self.device(&entry, rate)).transpose()?;
        let entry =
            ResourceEntry { device: device.as_ref().zip(io).map(|(d, io)| (d.first, io)), ..entry };
        for entry in [Some(entry), device].into_iter().flatten() {
            self.owners.resize(self.owners.len() + entry.names.len(), self.entries.len());
            self.entries.push(entry);
        }
        Ok(())
    }

    /// The I/O resource of the same machines: one device each, shared evenly by its jobs.
    fn device(&mut self, entry: &ResourceEntry, rate: Number) -> Result<ResourceEntry, Fault> {
        rate.positive("io")?;
        let names: Vec<String> = entry.names.iter().map(|name| format!("{name}-io")).collect();
        let first = (self.owners.len() + names.len()) as u32;
        for (name, number) in names.iter().zip(first..) {
            self.register(name, number..number + 1)?;
        }
        Ok(ResourceEntry {
            first,
            names,
            machines: vec![(1, rate)],
            serves: Unit::Operations,
            sharing: Sharing::Equal,
            load: Load::none(),
            ..entry.clone()
        })
    }

    /// Names of the copies: NAME, or NAME-0, NAME-1, … if there are several; without a name, r
    /// and the resource's number.
    fn name(&mut self, entry: &file::Resource) -> Result<Vec<String>, Fault> {
        let first = self.owners.len() as u32;
        let all = first..first + entry.count.unwrap_or(1);
        let names: Vec<String> = match &entry.name {
            None => all.clone().map(|number| format!("r{number}")).collect(),
            Some(name) if all.len() == 1 => vec![name.clone()],
            Some(name) => {
                self.register(name, all.clone())?;
                (0..all.len()).map(|copy| format!("{name}-{copy}")).collect()
            }
        };
        for (name, number) in names.iter().zip(all) {
            self.register(name, number..number + 1)?;
        }
        Ok(names)
    }

    fn register(&mut self, name: &str, resources: Range<u32>) -> Result<(), Fault> {
        check_name(name)?;
        let is_new = self.named.insert(name.to_owned(), resources).is_none();
        ensure(is_new, || format!("name {} is used twice", quoted(name)))
    }

    fn site(&mut self, name: &str) -> Result<SiteId, Fault> {
        ensure(!name.is_empty(), || "site is empty")?;
        let known = self.sites.iter().position(|site| site == name);
        let index = known.unwrap_or_else(|| {
            self.sites.push(name.to_owned());
            self.sites.len() - 1
        });
        Ok(SiteId(index as u32))
    }

    pub fn count(&self) -> usize {
        self.owners.len()
    }

    pub fn all(&self) -> impl Iterator<Item = ResourceId> + use<> {
        (0..self.owners.len() as u32).map(ResourceId)
    }

    pub fn entry(&self, id: ResourceId) -> &ResourceEntry {
        &self.entries[self.owners[id.index()]]
    }

    pub fn machine_count(&self) -> u32 {
        self.machine_count
    }

    /// Entries of machines, without the I/O devices.
    fn machine_entries(&self) -> impl Iterator<Item = &ResourceEntry> {
        self.entries.iter().filter(|entry| entry.serves == Unit::Instructions)
    }

    pub fn machine_names(&self) -> Vec<String> {
        self.machine_entries().flat_map(|entry| &entry.names).cloned().collect()
    }

    /// Storage capacity of each machine; `None` is unlimited.
    pub fn storage(&self) -> Vec<Option<Bytes>> {
        let entries = self.machine_entries();
        entries.flat_map(|entry| vec![entry.storage; entry.names.len()]).collect()
    }

    /// Machines by their names and by those of their entries.
    pub fn named_machines(&self) -> HashMap<String, Range<u32>> {
        let of = |(name, resources): (&String, &Range<u32>)| {
            let entry = self.entry(ResourceId(resources.start));
            let first = entry.first_machine + (resources.start - entry.first);
            let machines = first..first + resources.len() as u32;
            (entry.serves == Unit::Instructions).then(|| (name.clone(), machines))
        };
        self.named.iter().filter_map(of).collect()
    }

    pub fn machines_of(&self, site: &str) -> Vec<u32> {
        let is_there = |entry: &&ResourceEntry| self.sites[entry.site.0 as usize] == site;
        let machines = |entry: &ResourceEntry| {
            entry.first_machine..entry.first_machine + entry.names.len() as u32
        };
        self.machine_entries().filter(is_there).flat_map(machines).collect()
    }

    /// The resource of a name, or all resources of the entry of that name.
    pub fn named(&self, name: &str) -> Option<Range<u32>> {
        self.named.get(name).cloned()
    }

    /// Draws the rates. Rates of another seed may be invalid where those of this seed are not.
    pub fn draw(&self, seed: u64) -> Result<Grid, Fault> {
        let mut resources: Vec<ResourceSpec> = Vec::with_capacity(self.count());
        for entry in &self.entries {
            let name = if entry.serves == Unit::Operations { DEVICES } else { RATES };
            let mut random = stream(seed, name, entry.number);
            for (copy, name) in entry.names.iter().enumerate() {
                resources.push(entry.draw(name, copy, &mut random).at(&entry.label)?);
            }
        }
        self.connect_devices(&mut resources);
        Ok(Grid { sites: self.sites.clone(), resources })
    }
}

impl Resources {
    /// Tells each machine its I/O device, whose rate has been drawn.
    fn connect_devices(&self, resources: &mut [ResourceSpec]) {
        for entry in &self.entries {
            let Some((first, _)) = entry.device else { continue };
            for copy in 0..entry.names.len() as u32 {
                let resource = ResourceId(first + copy);
                let rate = resources[resource.index()].pes.fastest();
                let device = Device { resource, rate };
                resources[(entry.first + copy) as usize].device = Some(device);
            }
        }
    }
}

impl ResourceEntry {
    pub fn pes(&self) -> u32 {
        self.machines.iter().map(|&(pes, _)| pes).sum()
    }

    fn draw(
        &self,
        name: &str,
        copy: usize,
        random: &mut ChaCha8Rng,
    ) -> Result<ResourceSpec, Fault> {
        let mut machines = Vec::with_capacity(self.machines.len());
        for &(pes, mips) in &self.machines {
            let rates = mips.positive("mips")?;
            // A rate of 0 is possible, though very unlikely, if the lower end is 0.
            let rate = std::iter::repeat_with(|| rates.sample(random)).find(|&rate| rate > 0.0);
            machines.push((pes, rate.expect("rates are not always 0")));
        }
        let pes = Pes::new(&machines)?;
        ensure(self.sharing.is_space_shared() || pes.are_alike(), || {
            let policy = self.sharing.name();
            format!("policy \"{policy}\" needs machines of equal rate; space-shared accepts any")
        })?;
        Ok(ResourceSpec {
            name: name.to_owned(),
            site: self.site,
            pes,
            machine: self.first_machine + copy as u32,
            serves: self.serves,
            policy: self.sharing,
            qos: self.qos,
            price: self.price,
            load: self.load.load.clone(),
            device: None,
            memory: self.memory.as_ref().map(|memory| memory.spec.clone()),
            failures: self.failures.as_ref().map(|failures| failures.of(copy)),
            registers: self.registers,
        })
    }
}

/// Checks that `targets` can distinguish the name from its keywords.
pub(super) fn check_name(name: &str) -> Result<(), Fault> {
    let is_free = !name.is_empty() && name != "*" && !name.starts_with("site:");
    ensure(is_free, || format!("{} is not a valid name", quoted(name)))
}

/// Checks the numbers of resources before memory is allocated for them.
fn check_sizes(entries: &[file::Resource]) -> Result<(), Fault> {
    let (mut resources, mut all_pes) = (0, 0);
    for (index, entry) in entries.iter().enumerate() {
        let label = label("resource", index, entry.name.as_deref());
        let count = entry.count.unwrap_or(1);
        ensure(count > 0, || format!("{label}: count is 0, must be above 0"))?;
        resources += u64::from(count);
        ensure(resources <= MAX_RESOURCES, || {
            format!(
                "{label}: count is {count}: {resources} resources so far, at most {MAX_RESOURCES} \
                 are possible"
            )
        })?;
        let pes: u64 = match &entry.machines {
            Some(machines) => {
                machines.iter().map(|machine| u64::from(machine.pes.unwrap_or(1))).sum()
            }
            None => u64::from(entry.pes.unwrap_or(1)),
        };
        all_pes += pes * u64::from(count);
        ensure(all_pes <= MAX_PES, || {
            format!("{label}: {all_pes} PEs so far, at most {MAX_PES} are possible")
        })?;
    }
    Ok(())
}

fn machines(entry: &file::Resource) -> Result<Vec<(u32, Number)>, Fault> {
    let machine = |pes: Option<u32>, mips: Number| {
        let pes = pes.unwrap_or(1);
        positive("pes", pes)?;
        mips.positive("mips")?;
        Ok::<_, Fault>((pes, mips))
    };
    match (&entry.machines, entry.mips) {
        (None, Some(mips)) => Ok(vec![machine(entry.pes, mips)?]),
        (None, None) => Err(Fault::new("mips or machines is missing")),
        (Some(_), _) if entry.mips.is_some() || entry.pes.is_some() => {
            Err(Fault::new("machines excludes pes and mips"))
        }
        (Some(machines), _) => {
            ensure(!machines.is_empty(), || "machines is empty")?;
            let checked = machines.iter().enumerate();
            checked.map(|(i, m)| machine(m.pes, m.mips).at(format!("machines[{i}]"))).collect()
        }
    }
}

fn sharing(name: Option<&str>) -> Result<Sharing, Fault> {
    let Some(name) = name else { return Ok(Sharing::SpaceShared) };
    Sharing::by_name(name).ok_or_else(|| Fault::unknown("policy", name, Sharing::names()))
}
