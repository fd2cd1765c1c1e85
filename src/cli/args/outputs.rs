//! Every place that a command writes to, so that all of them are checked before any work.

use std::path::Path;

use super::super::emit::EmitArgs;
use super::{CampaignArgs, CampaignCommand, Command, GenerateCommand, PlanCommand};

/// An option, and the path it was given.
pub type Place<'a> = (&'static str, &'a Path);

/// What a command will write.
#[derive(Default)]
pub struct Outputs<'a> {
    /// Where the result goes instead of standard output; `-` is standard output.
    pub result: Option<&'a Path>,
    /// Files beside the result.
    pub files: Vec<Place<'a>>,
    /// Folders that are made where they are not there.
    pub folders: Vec<Place<'a>>,
}

impl Command {
    /// All that the command line asks to be written.
    pub fn outputs(&self) -> Outputs<'_> {
        match self {
            Self::Solve(args) => Outputs::to(&args.output.to.output)
                .file("--certificate", &args.certificate)
                .file("--gantt", &args.gantt)
                .emitted(&args.plan),
            Self::Decide(args) => Outputs::to(&args.output),
            Self::Export(args) => Outputs::to(&args.output),
            Self::Decode(args) => Outputs::to(&args.output.output),
            Self::Verify(args) => Outputs::to(&args.output.output),
            Self::Convert(args) => Outputs { result: Some(&args.target), ..Outputs::default() },
            Self::Map(args) => Outputs::to(&args.output.to.output).file("--gantt", &args.gantt),
            Self::Split(args) => Outputs::to(&args.output)
                .file("--certificate", &args.certificate)
                .file("--instance", &args.instance)
                .emitted(&args.plan),
            Self::EtcFrom(args) => Outputs::to(&args.output).file("--guesses", &args.guesses),
            Self::Compare(args) => Outputs::to(&args.output.to.output),
            Self::Bench(args) => Outputs::to(&args.output.to.output).file("--plot", &args.plot),
            Self::Campaign(args) => args.outputs(),
            Self::Experiment(args) => Outputs::to(&args.output.output)
                .file("--result", &args.result)
                .folder("--results", &args.results),
            Self::Report(args) => Outputs::to(&args.output)
                .folder("--figures", &args.figures)
                .folder("--csv", &args.csv),
            Self::Generate(command) => command.outputs(),
            Self::Simulate(args) => Outputs::to(&args.output.to.output)
                .file("--jobs", &args.jobs)
                .file("--gantt", &args.gantt)
                .file("--events", &args.events)
                .folder("--certificates", &args.certificates)
                .file("--swf", &args.swf)
                .file("--view", &args.view),
            Self::Plan(command) => command.outputs(),
            Self::Work(_) => Outputs::default(),
            Self::Merge(args) => Outputs::to(&args.output.output).file("--result", &args.result),
            Self::Completions(_) => Outputs::default(),
            Self::Man(args) => Outputs::in_folder(&args.folder),
            Self::Schema(args) => Outputs::in_folder(&args.folder),
        }
    }
}

impl CampaignArgs {
    fn outputs(&self) -> Outputs<'_> {
        match &self.command {
            Some(CampaignCommand::Report(args)) => {
                Outputs::to(&args.output).file("--plot", &args.plot)
            }
            None => Outputs::default()
                .file("--out", &self.out)
                .folder("--certificates", &self.certificates),
        }
    }
}

impl PlanCommand {
    fn outputs(&self) -> Outputs<'_> {
        let args = match self {
            Self::Experiment(args) => &args.plan,
            Self::Campaign(args) => &args.plan,
            Self::Proof(args) => &args.plan,
        };
        Outputs { folders: vec![("--out", &args.out)], ..Outputs::default() }
    }
}

impl GenerateCommand {
    fn outputs(&self) -> Outputs<'_> {
        match self {
            Self::Etc(args) => Outputs::to(&args.output),
            Self::Utility(args) => Outputs::to(&args.output),
            Self::Scenario(args) => Outputs::to(&args.output),
            Self::Experiment(args) => Outputs::to(&args.output),
            Self::Workload(args) => {
                Outputs::to(&args.output).file("--attributes", &args.attributes)
            }
        }
    }
}

impl<'a> Outputs<'a> {
    fn to(result: &'a Option<impl AsRef<Path>>) -> Self {
        Self { result: result.as_ref().map(AsRef::as_ref), ..Self::default() }
    }

    fn emitted(mut self, plan: &'a EmitArgs) -> Self {
        self.folders.extend(plan.folder().map(|folder| ("--emit-to", folder.as_path())));
        self
    }

    fn in_folder(folder: &'a Path) -> Self {
        Self { folders: vec![("FOLDER", folder)], ..Self::default() }
    }

    fn file(mut self, option: &'static str, path: &'a Option<impl AsRef<Path>>) -> Self {
        self.files.extend(path.as_ref().map(|path| (option, path.as_ref())));
        self
    }

    fn folder(mut self, option: &'static str, path: &'a Option<impl AsRef<Path>>) -> Self {
        self.folders.extend(path.as_ref().map(|path| (option, path.as_ref())));
        self
    }
}
