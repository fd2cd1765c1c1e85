//! `gridsat decide`: the decision problem, answered as SAT solvers do.

use gridsat_check::formula;
use gridsat_exact::bounds;
use gridsat_exact::export::Question;
use gridsat_exact::sat::Answer;
use gridsat_exact::strategy::decide_once;

use super::args::DecideArgs;
use super::exit::{Exit, Failure};
use super::input;
use super::output::write_result;

pub fn run(args: &DecideArgs) -> Result<Exit, Failure> {
    let instance = input::instance(&args.input)?;
    let k = input::makespan(&args.k, &instance)?;
    let choice = input::encoding(&args.sat, !args.solver.no_surrogate)?;
    let budget = input::budget(&args.sat, choice.load);
    let (solver, stop) = input::solver(&args.solver)?;
    let weights = bounds::linear(&instance, &stop).weights;
    let encoding = choice.resolve(&instance, k, &weights);
    let decided = decide_once(&instance, k, &encoding, &solver, budget, &stop);
    let (decision, mapping) = decided.map_err(Failure::of_search)?;
    let (verdict, exit) = match decision.answer {
        Answer::Sat => ("SATISFIABLE", Exit::Satisfiable),
        Answer::Unsat => ("UNSATISFIABLE", Exit::Unsatisfiable),
        Answer::Unknown => ("UNKNOWN", Exit::Answered),
    };
    write_result(args.output.as_deref(), |out| {
        let shown = instance.scale().display(k);
        writeln!(
            out,
            "c gridsat {}: makespan <= {shown}? by {}",
            gridsat_model::VERSION,
            decision.by
        )?;
        writeln!(out, "c {}", Question::new(&instance, Some(k), encoding.load.name()))?;
        writeln!(out, "s {verdict}")?;
        let Some(mapping) = &mapping else { return Ok(()) };
        let makespan = instance.scale().display(mapping.makespan());
        writeln!(
            out,
            "c mapping with makespan {makespan}; the pairs of 'export' with this encoding:"
        )?;
        write!(out, "v")?;
        let pairs = formula::pairs(&instance, k, encoding.load);
        pairs.select(mapping).try_for_each(|lit| write!(out, " {}", lit.to_dimacs()))?;
        writeln!(out, " 0")
    })?;
    Ok(exit)
}
