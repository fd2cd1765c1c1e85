//! A bench is a list of sections; the command line selects some of them.

use anyhow::Result;

use super::arguments::{Arguments, Effort};
use super::clock::{CpuClock, peak_memory};
use super::report::Record;

/// The arguments of a section, and the record of its values.
pub struct Bench {
    pub effort: Effort,
    pub record: Record,
}

/// The name of a section, and the function that measures it.
pub type Section = (&'static str, fn(&mut Bench) -> Result<()>);

impl Bench {
    /// Runs the requested sections in this order. Prints what is measured, with `about`, at the
    /// start, and the peak memory at the end.
    pub fn run(about: &str, sections: &[Section]) -> Result<()> {
        let arguments = Arguments::read()?;
        let record = Record::new(arguments.csv.as_deref())?;
        let mut bench = Self { effort: arguments.effort, record };
        println!("{}, {:?}, {about}.", CpuClock::name(), bench.effort);
        for (name, section) in sections {
            if arguments.wants(name) {
                section(&mut bench)?;
            }
        }
        let megabytes =
            peak_memory().map_or("?".to_owned(), |bytes| (bytes / 1_000_000).to_string());
        println!("\nPeak memory: {megabytes} MB.");
        Ok(())
    }
}
