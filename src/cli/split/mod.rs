//! The command `gridsat split`.

mod names;
mod print;

use std::path::Path;

use anyhow::anyhow;
use gridsat_model::io;
use gridsat_split::{Groups, Shards, Split, SplitOptions, Unknown, runners, split};
use gridsat_tasks::{Log, TaskList, read_names};

pub use self::print::Json;
use super::args::{SplitArgs, SplitFormat};
use super::emit::{Lane, Step, commands_in, emit};
use super::exit::{Exit, Failure};
use super::output::{write_instance, write_result};
use super::plain::Shown;

pub fn run(args: &SplitArgs) -> Result<Exit, Failure> {
    let list = tasks(args)?;
    let split = split(&list, &options(args)?).map_err(Failure::input)?;
    let count = split.shards().len();
    let shard = match args.shard {
        None => None,
        Some(number @ 1..) if number <= count => Some(number - 1),
        Some(number) => {
            let message = format!("--shard {number}: there are shards 1 to {count}");
            return Err(Failure::BadInput(anyhow!(message)));
        }
    };
    write_proof(&split, args)?;
    let format = match (args.format, shard) {
        (Some(format), _) => format,
        (None, Some(_)) => SplitFormat::Lines,
        (None, None) => SplitFormat::Table,
    };
    let printed = print::Printed { split: &split, list: &list, shard };
    if let Some(message) = names::refusal(&list, format) {
        return Err(Failure::BadInput(anyhow!(message)));
    }
    emit(&args.plan, &lanes(&split, &list), &commands_in(&list), false)?;
    write_result(args.output.as_deref(), shown(format), |out| printed.write(out, format))?;
    Ok(Exit::Answered)
}

/// What may be replaced; scripts need the names of tasks as they are.
fn shown(format: SplitFormat) -> Shown {
    match format {
        SplitFormat::Table => Shown::Text,
        SplitFormat::Json | SplitFormat::Github => Shown::Json,
        SplitFormat::Lines
        | SplitFormat::Nextest
        | SplitFormat::Playwright
        | SplitFormat::Pytest => Shown::Exact,
    }
}

/// The tasks of all logs, or those of `--only`.
fn tasks(args: &SplitArgs) -> Result<TaskList, Failure> {
    let read = |path| Log::read(path, args.from).map_err(Failure::input);
    let logs = args.logs.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let list = TaskList::of(&logs);
    match &args.only {
        None => Ok(list),
        Some(path) => Ok(list.only(&current(path)?)),
    }
}

/// The names of the tasks that exist now.
fn current(path: &Path) -> Result<Vec<String>, Failure> {
    let name = io::shown_name(path);
    let bytes = io::read_bytes(path).map_err(Failure::input)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::BadInput(anyhow!("{name}: not UTF-8 text")))?;
    let names = read_names(&text);
    match names.is_empty() {
        true => Err(Failure::BadInput(anyhow!("{name}: contains no tasks"))),
        false => Ok(names),
    }
}

fn options(args: &SplitArgs) -> Result<SplitOptions, Failure> {
    let shards = match (&args.runners, args.target, args.shards) {
        (Some(list), ..) => {
            let runners =
                runners(list).map_err(|error| Failure::BadInput(anyhow!("--runners: {error}")))?;
            Shards::Runners(runners)
        }
        (_, Some(target), _) => Shards::Target(target),
        (.., count) => Shards::Count(count.unwrap_or(0)),
    };
    let setup = args.setup.unwrap_or(0);
    let groups = match (args.together, args.setup) {
        (true, _) => Groups::Together { setup },
        (false, Some(_)) => Groups::Divided { setup },
        (false, None) => Groups::Ignored,
    };
    Ok(SplitOptions {
        overhead: args.overhead,
        groups,
        unknown: args.default.map_or(Unknown::Mean, Unknown::Nanos),
        decimals: args.decimals,
        ..SplitOptions::new(shards)
    })
}

/// The tasks of each shard, without times: a set-up has no place of its own among them.
fn lanes(split: &Split, list: &TaskList) -> Vec<Lane> {
    let step = |&task: &usize| {
        let task = list.tasks()[task].name.clone();
        Step { task, start: String::new(), end: String::new() }
    };
    let shards = split.shards().iter();
    shards
        .map(|shard| Lane {
            host: shard.name.clone(),
            steps: shard.tasks.iter().map(step).collect(),
        })
        .collect()
}

fn write_proof(split: &Split, args: &SplitArgs) -> Result<(), Failure> {
    if args.certificate.is_none() && args.instance.is_none() {
        return Ok(());
    }
    let Some((instance, certificate)) = split.proof() else {
        let message = "divided groups have no certificate: leave out --certificate and --instance, \
                       or add --together";
        return Err(Failure::BadInput(anyhow!(message)));
    };
    if let Some(path) = &args.certificate {
        certificate.save(path).map_err(Failure::internal)?;
    }
    match &args.instance {
        Some(path) => write_instance(instance, io::Format::Json, Some(path)),
        None => Ok(()),
    }
}
