//! Shared by the benches: arguments, a clock of CPU time, and output.

mod arguments;
mod bench;
mod clock;
mod report;

pub use arguments::Effort;
pub use bench::Bench;
#[allow(unused_imports, reason = "not every bench needs them")]
pub use clock::{CpuClock, peak_memory};
#[allow(unused_imports, reason = "not every bench needs them")]
pub use report::{Record, Table, seconds};
