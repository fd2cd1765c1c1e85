//! Items on equal hosts. An item is the position of a task in the list of times, longest first.

/// The items of each host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    lists: Vec<Vec<u32>>,
}

impl Packing {
    /// No items yet.
    pub fn empty(hosts: usize) -> Self {
        Self { lists: vec![Vec::new(); hosts] }
    }

    /// Item by item its host.
    pub fn of(hosts: usize, host_of: impl Iterator<Item = usize>) -> Self {
        let mut packing = Self::empty(hosts);
        host_of.enumerate().for_each(|(item, host)| packing.add(host, item as u32));
        packing
    }

    /// Host by host its items.
    pub fn from_lists(lists: Vec<Vec<u32>>) -> Self {
        Self { lists }
    }

    pub fn add(&mut self, host: usize, item: u32) {
        self.lists[host].push(item);
    }

    /// Replaces the items of a host.
    pub fn set(&mut self, host: usize, items: Vec<u32>) {
        self.lists[host] = items;
    }

    /// The items of each host.
    pub fn hosts(&self) -> impl Iterator<Item = &[u32]> {
        self.lists.iter().map(Vec::as_slice)
    }

    /// The items of one host.
    pub fn items(&self, host: usize) -> &[u32] {
        &self.lists[host]
    }

    /// The load of each host.
    pub fn loads(&self, times: &[u64]) -> Vec<u64> {
        let load = |items: &[u32]| items.iter().map(|&item| times[item as usize]).sum();
        self.hosts().map(load).collect()
    }
}
