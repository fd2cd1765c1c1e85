//! The fields that describe the instance of a JSON object.

use gridsat_model::Instance;
use schemars::JsonSchema;
use serde::Serialize;

/// The first fields of every object about one instance.
#[derive(Serialize, JsonSchema)]
pub struct Subject {
    /// Version of gridsat.
    gridsat: &'static str,
    /// Name of the instance, or of its file if it has none.
    instance: String,
    /// Number of tasks.
    tasks: usize,
    /// Number of hosts.
    hosts: usize,
    /// Decimal places of times: one tick is 10^−decimals.
    decimals: u32,
    /// Where times are no decimal numbers, such as 10/3: one tick is this part of the time unit, and
    /// times are rounded to the nearest number with enough digits to tell all ticks apart. Absent
    /// if not.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<u64>,
    /// Whether times were rounded up to that many decimals; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    rounded: bool,
}

impl From<&Instance> for Subject {
    fn from(instance: &Instance) -> Self {
        Self {
            gridsat: gridsat_model::VERSION,
            instance: instance.name().to_owned(),
            tasks: instance.task_count(),
            hosts: instance.host_count(),
            decimals: instance.scale().decimals(),
            parts: Some(instance.scale().parts()).filter(|&parts| parts != 1),
            rounded: instance.is_rounded(),
        }
    }
}
