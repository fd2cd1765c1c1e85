//! The header of a trace that a model made: enough to make it again.

use super::header::Header;
use gridsat_model::VERSION;

/// Where a generated trace comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The model, in a few words.
    pub model: String,
    /// Every parameter and its value.
    pub parameters: Vec<(String, String)>,
    /// Where the randomness starts.
    pub seed: u64,
    /// How many jobs.
    pub jobs: u64,
    /// How many nodes the machine has.
    pub nodes: u32,
    /// How many partitions, if jobs say theirs.
    pub partitions: Option<u32>,
}

impl Made {
    /// The header that says so. No dates: the same seed gives the same bytes.
    pub fn header(&self) -> Header {
        let mut header = Header::default();
        let [jobs, nodes] = [self.jobs, u64::from(self.nodes)].map(|number| number.to_string());
        for (key, value) in [
            ("Version", "2.2"),
            ("Computer", self.model.as_str()),
            ("Conversion", &format!("gridsat {VERSION}")),
            ("MaxJobs", &jobs),
            ("MaxRecords", &jobs),
            ("MaxNodes", &nodes),
            ("MaxProcs", &nodes),
        ] {
            header.push(key, value);
        }
        if let Some(partitions) = self.partitions {
            header.push("MaxPartitions", &partitions.to_string());
        }
        header.push("Note", &format!("seed {}", self.seed));
        for (name, value) in &self.parameters {
            header.push("Note", &format!("{name} = {value}"));
        }
        header
    }
}
