//! Programs as algorithms: `cmd:python3 mine.py` in a list of heuristics, as a policy on the
//! command line, or as a policy in a scenario.

use anyhow::anyhow;
use gridsat_heuristics::Heuristics;
use gridsat_outside::{ByProgram, Program, failure, is_program, with_programs};
use gridsat_scenario::{Policies, Policy, When};

use super::exit::Failure;

/// The built-in heuristics, and the programs of a list of names.
pub fn heuristics(list: &str) -> Result<Heuristics, Failure> {
    with_programs(&Heuristics::built_in(), list).map_err(refused)
}

/// The built-in policies, and the programs of a list of names and of a scenario.
pub fn policies(list: Option<&str>, scenario: &str) -> Result<Policies, Failure> {
    let listed = list.into_iter().flat_map(|list| list.split(',')).map(str::trim);
    let names = listed.filter(|name| is_program(name)).chain(in_quotes(scenario));
    names.map(policy).try_fold(Policies::built_in(), |all, policy| Ok(all.with(policy?)))
}

/// Fails if a program did not answer as it should.
pub fn check() -> Result<(), Failure> {
    failure().map_or(Ok(()), |message| Err(refused(message)))
}

fn refused(message: String) -> Failure {
    Failure::BadInput(anyhow!(message))
}

fn policy(name: &str) -> Result<Policy, Failure> {
    let program = Program::of(name).map_err(refused)?;
    // Names of policies live as long as the process.
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    Ok(Policy::new(name, name, When::Batch, move |means| {
        Box::new(ByProgram::new(program.clone(), means.stop.clone()))
    }))
}

/// Texts in quotes that are names of programs.
fn in_quotes(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices(['"', '\'']);
    let names = starts.filter_map(|(at, quote)| text[at + 1..].split(quote).next());
    names.filter(|name| is_program(name) && !name.contains('\n'))
}
