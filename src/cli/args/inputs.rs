//! Every file that a command reads, so that standard input is asked for once at most.

use std::path::{Path, PathBuf};

use super::{CampaignCommand, Command, FormArgs, GenerateCommand, InputArgs, PlanCommand};

/// An argument, and the path it was given.
type Input<'a> = (&'static str, &'a Path);

impl Command {
    /// The arguments that are `-`, which is standard input.
    pub fn standard_inputs(&self) -> Vec<&'static str> {
        let all = self.inputs().into_iter();
        all.filter(|(_, path)| *path == Path::new("-")).map(|(name, _)| name).collect()
    }

    fn inputs(&self) -> Vec<Input<'_>> {
        match self {
            Self::Solve(args) => {
                let own = [files("FILE", &args.files), args.form.inputs()].concat();
                let plan = one("--commands", &args.plan.commands);
                [own, one("--start", &args.start), plan].concat()
            }
            Self::Decide(args) => args.input.inputs(),
            Self::Export(args) => {
                [args.input.inputs(), one("--certificate", &args.certificate)].concat()
            }
            Self::Decode(args) => {
                let own = [args.input.inputs(), one("--problem", &args.problem)].concat();
                [own, vec![("ANSWER", &*args.answer)]].concat()
            }
            Self::Verify(args) => {
                let own = [vec![("FILE", &*args.file)], args.form.inputs()].concat();
                [own, files("CERT", &args.certificates)].concat()
            }
            Self::Convert(args) => args.input.inputs(),
            Self::Map(args) => args.input.inputs(),
            Self::Split(args) => {
                let own = [files("LOG", &args.logs), one("--only", &args.only)].concat();
                [own, one("--commands", &args.plan.commands)].concat()
            }
            Self::EtcFrom(args) => args.logs.iter().map(|log| ("LOG", log_path(log))).collect(),
            Self::Compare(args) => args.input.inputs(),
            Self::Bench(args) => vec![("--set", Path::new(&args.set))],
            Self::Campaign(args) => match &args.command {
                Some(CampaignCommand::Report(args)) => files("RESULTS", &args.results),
                None => Vec::new(),
            },
            Self::Experiment(args) => vec![("FILE", Path::new(&args.what))],
            Self::Report(args) => files("RESULT", &args.results),
            Self::Generate(GenerateCommand::Utility(args)) => vec![("FILE", &*args.file)],
            Self::Simulate(args) => one("SCENARIO", &args.scenario),
            Self::Plan(PlanCommand::Experiment(args)) => vec![("FILE", Path::new(&args.what))],
            Self::Plan(_) | Self::Work(_) | Self::Merge(_) => Vec::new(),
            Self::Generate(_) | Self::Completions(_) | Self::Man(_) | Self::Schema(_) => Vec::new(),
        }
    }
}

/// The path of a log that may be given with its host.
fn log_path(log: &str) -> &Path {
    Path::new(log.split_once('=').map_or(log, |(_, path)| path))
}

impl InputArgs {
    fn inputs(&self) -> Vec<Input<'_>> {
        [vec![("FILE", &*self.file)], self.form.inputs()].concat()
    }
}

impl FormArgs {
    fn inputs(&self) -> Vec<Input<'_>> {
        let ready = self.reading.ready.as_ref();
        ready.map(|ready| ("--ready", Path::new(ready))).into_iter().collect()
    }
}

fn one<'a>(name: &'static str, path: &'a Option<PathBuf>) -> Vec<Input<'a>> {
    path.iter().map(|path| (name, &**path)).collect()
}

fn files<'a>(name: &'static str, paths: &'a [PathBuf]) -> Vec<Input<'a>> {
    paths.iter().map(|path| (name, &**path)).collect()
}
