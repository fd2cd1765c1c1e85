//! What the benches share: arguments, a clock that counts work rather than waiting, and output.

mod arguments;
mod clock;
mod report;

pub use arguments::{Arguments, Effort};
pub use clock::{CpuClock, peak_memory};
pub use report::{Record, Table, seconds};
