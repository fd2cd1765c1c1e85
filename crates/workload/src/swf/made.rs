//! The header of a generated trace, with all that is needed to generate it again.

use super::header::Header;
use gridsat_model::VERSION;

/// The origin of a generated trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// Short description of the model.
    pub model: String,
    /// All parameters with their values.
    pub parameters: Vec<(String, String)>,
    /// Seed of the random streams.
    pub seed: u64,
    /// Number of jobs.
    pub jobs: u64,
    /// Number of nodes of the machine.
    pub nodes: u32,
    /// Number of partitions, if the jobs name theirs.
    pub partitions: Option<u32>,
}

impl Made {
    /// The header with this information. It has no dates, so that the same seed gives the same
    /// bytes.
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
