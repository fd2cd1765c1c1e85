//! `--emit`: a plan as files for Slurm, GNU parallel, make, or a table.
//!
//! | format | files in the folder |
//! |---|---|
//! | `slurm` | `plan.sbatch`, a job array with one element per host, and `HOST.sh`, its list |
//! | `parallel` | `HOST.txt`, the commands of a host, and `run.sh`, one GNU parallel per sshlogin |
//! | `make` | `Makefile` with a target per host |
//! | `csv` | `plan.csv`: host, task, command, start, end |
//!
//! Commands come from the task list, from `--commands`, or from a template. They are written, never
//! run. Commands of a host run one after the other; one that fails does not keep the others from
//! running, and the list ends with an error.

use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use gridsat_model::text::excerpt;
use gridsat_tasks::{Log, TaskList};

use super::exit::Failure;
use super::output::{file_name, write_to};
use super::plain::{self, Shown};

#[derive(Args)]
pub struct EmitArgs {
    /// Write the plan for another program: slurm, parallel, make or csv
    ///
    /// The files go to the folder of --emit-to. Commands come from the column 'command' of the task
    /// list, or from --commands or --command.
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    pub emit: Option<Emit>,
    /// Folder for --emit
    #[arg(
        long,
        value_name = "DIR",
        default_value = "plan",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub emit_to: PathBuf,
    /// Task list with the commands of the tasks, for --emit
    #[arg(
        long,
        value_name = "LIST",
        requires = "emit",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub commands: Option<PathBuf>,
    /// Command of every task, for --emit; {} stands for its name
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "emit",
        conflicts_with = "commands",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub command: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// A job array for sbatch
    Slurm,
    /// Lists for GNU parallel
    Parallel,
    /// A Makefile
    Make,
    /// A table
    Csv,
}

impl EmitArgs {
    /// The folder that is written, if any.
    pub fn folder(&self) -> Option<&PathBuf> {
        self.emit.map(|_| &self.emit_to)
    }
}

/// A task in its place.
pub struct Step {
    pub task: String,
    pub start: String,
    pub end: String,
}

/// The tasks of one host, in order.
pub struct Lane {
    pub host: String,
    pub steps: Vec<Step>,
}

/// Writes the plan, if that is asked for. `own` has the commands of the input, and `is_remote` says
/// whether hosts are machines that one can log in to.
pub fn emit(
    args: &EmitArgs,
    lanes: &[Lane],
    own: &HashMap<String, String>,
    is_remote: bool,
) -> Result<(), Failure> {
    let Some(format) = args.emit else { return Ok(()) };
    let listed = match &args.commands {
        Some(path) => commands_in(&TaskList::of(&[Log::read(path, None).map_err(Failure::input)?])),
        None => HashMap::new(),
    };
    let command = |task: &str| match &args.command {
        Some(template) => Some(template.replace("{}", &quoted(task))),
        None => listed.get(task).or_else(|| own.get(task)).cloned(),
    };
    let plan = Plan { lanes, names: names(lanes), command: &command, is_remote };
    if format != Emit::Csv {
        plan.check()?;
    }
    let folder = &args.emit_to;
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::BadInput(anyhow!("{}: cannot be created: {error}", folder.display()))
    })?;
    match format {
        Emit::Slurm => plan.slurm(folder),
        Emit::Parallel => plan.parallel(folder),
        Emit::Make => plan.make(folder),
        Emit::Csv => plan.csv(folder),
    }
}

/// The commands of a list by task.
pub fn commands_in(list: &TaskList) -> HashMap<String, String> {
    let tasks = list.tasks().iter();
    tasks.filter_map(|task| Some((task.name.clone(), task.command.clone()?))).collect()
}

struct Plan<'a> {
    lanes: &'a [Lane],
    /// A file name for each host, all different.
    names: Vec<String>,
    command: &'a dyn Fn(&str) -> Option<String>,
    is_remote: bool,
}

impl Plan<'_> {
    /// Every task needs a command of one line.
    fn check(&self) -> Result<(), Failure> {
        for task in self.lanes.iter().flat_map(|lane| &lane.steps).map(|step| &step.task) {
            let wrong =
                |why: &str| Failure::BadInput(anyhow!("--emit: task '{}' {why}", excerpt(task)));
            match (self.command)(task) {
                None => {
                    return Err(wrong("has no command: give --commands LIST or --command COMMAND"));
                }
                Some(command) if command.contains(['\n', '\r', '\0']) => {
                    return Err(wrong("has a command of several lines"));
                }
                Some(command) if command.ends_with('\\') => {
                    return Err(wrong("has a command that ends with a backslash"));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn commands(&self, lane: &Lane) -> Vec<String> {
        lane.steps.iter().filter_map(|step| (self.command)(&step.task)).collect()
    }

    fn slurm(&self, folder: &Path) -> Result<(), Failure> {
        let place = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let mut cases = String::new();
        for (number, (lane, name)) in self.lanes.iter().zip(&self.names).enumerate() {
            let steps = self
                .commands(lane)
                .iter()
                .map(|c| format!("( {c}\n) || status=1\n"))
                .collect::<String>();
            let text = format!("#!/bin/sh\nstatus=0\n{steps}exit $status\n");
            write(folder, &format!("{name}.sh"), &text)?;
            cases += &format!("{}) list={} ;;\n", number + 1, quoted(&format!("{name}.sh")));
        }
        let text = format!(
            "#!/bin/sh\n#SBATCH --job-name=gridsat\n#SBATCH --array=1-{}\n\
             # One element per host; its commands run one after the other.\n\
             case \"$SLURM_ARRAY_TASK_ID\" in\n{cases}*) echo 'no such element' >&2; exit 2 ;;\n\
             esac\nexec sh {}/\"$list\"\n",
            self.lanes.len(),
            quoted(&place.to_string_lossy())
        );
        write(folder, "plan.sbatch", &text)
    }

    fn parallel(&self, folder: &Path) -> Result<(), Failure> {
        let mut lines = String::new();
        for (lane, name) in self.lanes.iter().zip(&self.names) {
            let text: String = self.commands(lane).iter().map(|c| format!("{c}\n")).collect();
            write(folder, &format!("{name}.txt"), &text)?;
            let login = if self.is_remote { quoted(&lane.host) } else { "':'".to_owned() };
            let file = quoted(&format!("{name}.txt"));
            lines += &format!(
                "parallel --will-cite --jobs 1 --sshlogin \"$(login {login})\" < {file} & \
                 all=\"$all $!\"\n"
            );
        }
        let text = format!(
            "#!/bin/sh\n# One GNU parallel per host, one command at a time. LOCAL=1 runs all of \
             them here.\ncd \"$(dirname \"$0\")\" || exit 2\n\
             login() {{ if [ -n \"$LOCAL\" ]; then echo :; else echo \"$1\"; fi; }}\n{lines}\
             status=0\nfor one in $all; do wait \"$one\" || status=1; done\nexit $status\n"
        );
        write(folder, "run.sh", &text)
    }

    fn make(&self, folder: &Path) -> Result<(), Failure> {
        let all = self.names.join(" ");
        let mut text = format!(
            "# One target per host: make -j{} -k runs all of them side by side.\n\
             .PHONY: all {all}\nall: {all}\n",
            self.lanes.len()
        );
        for (lane, name) in self.lanes.iter().zip(&self.names) {
            text += &format!("\n{name}:\n");
            for command in self.commands(lane) {
                // A first character that make takes for its own is hidden from it.
                let is_special = command.trim_start().starts_with(['@', '-', '+']);
                let start = if is_special { "true; " } else { "" };
                text += &format!("\t{start}{}\n", command.replace('$', "$$"));
            }
        }
        write(folder, "Makefile", &text)
    }

    fn csv(&self, folder: &Path) -> Result<(), Failure> {
        let path = folder.join("plan.csv");
        let fill = |out: &mut dyn Write| {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record(["host", "task", "command", "start", "end"])?;
            for lane in self.lanes {
                for step in &lane.steps {
                    let command = (self.command)(&step.task).unwrap_or_default();
                    csv.write_record([&lane.host, &step.task, &command, &step.start, &step.end])?;
                }
            }
            csv.flush()
        };
        write_to(Some(&path), |out| plain::write(out, Shown::Csv, fill))
    }
}

/// File names of the hosts, made different by numbers.
fn names(lanes: &[Lane]) -> Vec<String> {
    let mut taken = BTreeSet::from(["all".to_owned(), "plan".to_owned(), "run".to_owned()]);
    let mut names = Vec::new();
    for lane in lanes {
        let plain = file_name(&lane.host);
        let plain = if plain.is_empty() { "host".to_owned() } else { plain };
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let mut tried = std::iter::once(plain.clone()).chain(numbered);
        let name = tried.find(|name| !taken.contains(name)).unwrap_or(plain);
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

/// A word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    write_to(Some(&folder.join(name)), |out| out.write_all(text.as_bytes()))
}
