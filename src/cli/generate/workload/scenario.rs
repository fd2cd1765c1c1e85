//! A workload as a scenario: clusters that are large enough, and the model with all its parameters.
//! It draws exactly the jobs that the trace would contain.

use std::io::{self, Write};

use gridsat_workload::BeosimLaw;
use gridsat_workload::swf::Made;

use super::super::super::args::{GenerateWorkloadArgs, ModelArg};
use super::super::super::exit::Failure;
use super::super::super::output::write_to;

pub fn write(
    args: &GenerateWorkloadArgs,
    made: &Made,
    parameters: &[(String, String)],
) -> Result<(), Failure> {
    write_to(args.output.as_deref(), |out| {
        head(out, args, made)?;
        jobs(out, args, made)?;
        writeln!(out, "\n[jobs.set]")?;
        parameters.iter().try_for_each(|(name, value)| writeln!(out, "\"{name}\" = {value}"))
    })
}

fn head(out: &mut dyn Write, args: &GenerateWorkloadArgs, made: &Made) -> io::Result<()> {
    writeln!(out, "# {}, by gridsat {}.\n", made.model, gridsat_model::VERSION)?;
    writeln!(out, "name = \"{}\"", name(args.model))?;
    writeln!(out, "seed = {}", args.seed)?;
    writeln!(out, "decimals = {}", args.decimals)?;
    writeln!(out, "\n[[cluster]]")?;
    if let Some(partitions) = made.partitions {
        writeln!(out, "count = {partitions}")?;
    }
    writeln!(out, "nodes = {}", made.nodes)?;
    writeln!(out, "\n[scheduler]\npolicy = \"easy\"")
}

fn jobs(out: &mut dyn Write, args: &GenerateWorkloadArgs, made: &Made) -> io::Result<()> {
    writeln!(out, "\n[jobs]\nmodel = \"{}\"\ncount = {}", name(args.model), args.jobs)?;
    if args.model != ModelArg::WangZhang {
        writeln!(out, "nodes = {}", made.nodes)?;
    }
    for (key, value) in [("types", &args.types), ("arrivals", &args.arrivals)] {
        if let Some(value) = value {
            writeln!(out, "{key} = \"{value}\"")?;
        }
    }
    Ok(())
}

fn name(model: ModelArg) -> &'static str {
    match model {
        ModelArg::Lublin => "lublin",
        ModelArg::WangZhang => "wang-zhang",
        ModelArg::Beosim => "beosim",
    }
}

/// A distribution in the notation of scenarios.
pub fn law(law: BeosimLaw) -> String {
    match law {
        BeosimLaw::Uniform { low, high } => format!("{{ uniform = [{low}, {high}] }}"),
        BeosimLaw::Exponential { mean } => format!("{{ exponential = {mean} }}"),
    }
}
