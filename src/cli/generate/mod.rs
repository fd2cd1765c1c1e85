//! The command `gridsat generate`.

mod workload;

use std::str::FromStr;

use anyhow::anyhow;
use gridsat_heuristics::generate::{EtcClass, EtcSpec, QosShares, generate};
use gridsat_heuristics::utility;
use gridsat_lab::experiment::built_in;
use gridsat_model::io::Kind;
use gridsat_model::names::{choices, is_same};
use gridsat_scenario::{template, templates};

use super::args::{
    GenerateCommand, GenerateEtcArgs, GenerateExperimentArgs, GenerateScenarioArgs,
    GenerateUtilityArgs,
};
use super::exit::{Exit, Failure};
use super::experiment::no_experiment;
use super::input;
use super::output::{write_instance, write_to};

pub fn run(command: &GenerateCommand) -> Result<Exit, Failure> {
    match command {
        GenerateCommand::Etc(args) => etc(args),
        GenerateCommand::Utility(args) => utility(args),
        GenerateCommand::Scenario(args) => scenario(args),
        GenerateCommand::Experiment(args) => experiment(args),
        GenerateCommand::Workload(args) => workload::run(args),
    }
}

fn scenario(args: &GenerateScenarioArgs) -> Result<Exit, Failure> {
    let name = args.template.as_str();
    let text = if is_same(name, "list") {
        templates().map(|one| format!("{:<16} {}\n", one.name, one.title)).collect()
    } else {
        template(name).ok_or_else(|| unknown(name))?.text.to_owned()
    };
    write_to(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Answered)
}

fn experiment(args: &GenerateExperimentArgs) -> Result<Exit, Failure> {
    let found = built_in(&args.name).ok_or_else(|| no_experiment(&args.name))?;
    write_to(args.output.as_deref(), |out| out.write_all(found.text.as_bytes()))?;
    Ok(Exit::Answered)
}

fn unknown(name: &str) -> Failure {
    let known = choices(name, templates().map(|one| one.name));
    Failure::BadInput(anyhow!("unknown template '{}'; {known}", name.escape_debug()))
}

fn etc(args: &GenerateEtcArgs) -> Result<Exit, Failure> {
    let spec = EtcSpec {
        class: EtcClass::from_str(&args.class).map_err(Failure::input)?,
        tasks: args.tasks,
        hosts: args.hosts,
        decimals: args.decimals,
        forbidden_percent: args.forbidden,
        ready_max: args.ready,
        qos: args.qos.map(|tasks| QosShares { tasks, hosts: args.qos_hosts }),
        seed: args.seed,
    };
    let instance = generate(&spec).map_err(Failure::input)?;
    write_instance(&instance, args.format, args.output.as_deref())?;
    Ok(Exit::Answered)
}

fn utility(args: &GenerateUtilityArgs) -> Result<Exit, Failure> {
    let written = utility::read_file(&args.file).map_err(Failure::input).and_then(|instance| {
        input::say_notes(&args.file, &instance);
        write_instance(&instance, args.format, args.output.as_deref())?;
        Ok(Exit::Answered)
    });
    input::of_kind(written, Some(&args.file), &[Kind::Utility, Kind::Toml])
}
