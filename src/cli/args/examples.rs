//! Help texts around the options: groups of commands, examples, lists of names and exit codes.

use clap::{Command, CommandFactory};

use super::{Cli, lists};

/// Groups of commands in `gridsat --help`. Commands that are in no group are added to the last.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Solve and prove", &["solve", "decide", "verify", "map", "split", "export", "decode"]),
    (
        "Simulate and compare",
        &[
            "simulate",
            "compare",
            "experiment",
            "report",
            "bench",
            "campaign",
            "plan",
            "work",
            "merge",
        ],
    ),
    ("Make, convert, and more", &["generate", "convert", "etc-from"]),
];

/// Two examples per command. Tests run them, in this order and in one folder.
const EXAMPLES: [(&str, [&str; 2]); 32] = [
    ("", ["solve times.csv --certificate proof.json", "verify times.csv proof.json"]),
    (
        "solve",
        [
            "solve times.csv --certificate proof.json --gantt plan.svg",
            "solve times.csv --time-limit 60 --gap 0.01 --format csv --output plan.csv",
        ],
    ),
    (
        "decide",
        ["decide times.csv -k 12", "decide times.csv -k 12 --encoding adder --output answer.txt"],
    ),
    (
        "export",
        [
            "export times.csv -k 12 --output question.cnf",
            "export times.csv --format mps --output problem.mps",
        ],
    ),
    (
        "decode",
        [
            "decode times.csv -k 12 answer.txt",
            "decode times.csv --problem question.cnf answer.txt --format json",
        ],
    ),
    ("verify", ["verify times.csv proof.json --explain", "verify times.csv plan.csv"]),
    ("convert", ["convert times.csv matrix.json", "convert times.csv rounded.json --decimals 0"]),
    ("map", ["map times.csv", "map times.csv --algorithm minmin,ig --time-limit 5"]),
    (
        "split",
        [
            "split junit.xml --shards 4",
            "split junit.xml --target 10m --overhead 30s --shard 1 --output shard-1.txt",
        ],
    ),
    (
        "etc-from",
        [
            "etc-from a=joblog-a b=joblog-b --output matrix.json",
            "etc-from a=joblog-a b=joblog-b --guesses guesses.csv --to csv",
        ],
    ),
    (
        "compare",
        [
            "compare times.csv --time-limit 60",
            "compare grid.toml --policy own,minmin,tlmm --replications 10",
        ],
    ),
    (
        "bench",
        [
            "bench --only 16x4 --algorithms minmin,sufferage --versus mct",
            "bench --only 16x4 --algorithms minmin,sa --time-limit 0.1 --plot excess.svg",
        ],
    ),
    (
        "campaign",
        [
            "campaign times.csv --time-limit 5 --out results.jsonl",
            "campaign times.csv --out sat.jsonl -- --strategy sat",
        ],
    ),
    (
        "campaign report",
        [
            "campaign report results.jsonl --by instance",
            "campaign report results.jsonl sat.jsonl --plot proven.svg",
        ],
    ),
    ("experiment", ["experiment list", "experiment gridsim-table"]),
    (
        "plan",
        [
            "plan experiment gridsim-table --parts 2 --out sweep",
            "plan campaign times.csv --time-limit 5 --out set",
        ],
    ),
    (
        "plan experiment",
        [
            "plan experiment gridsim-table --parts 2 --out sweep",
            "plan experiment gridsim-table --part-seconds 60 --out minutes",
        ],
    ),
    (
        "plan campaign",
        [
            "plan campaign times.csv --time-limit 5 --out set",
            "plan campaign times.csv --parts 1 --out sat -- --strategy sat",
        ],
    ),
    (
        "plan proof",
        [
            "plan proof times.csv --time-limit 10 --out proof",
            "plan proof times.csv --parts 64 --part-seconds 120 --out wide",
        ],
    ),
    ("work", ["work sweep --part 0", "work sweep --part 1"]),
    ("merge", ["merge sweep", "merge set --engine local --jobs 1"]),
    (
        "report",
        ["report gridsim-table.jsonl", "report gridsim-table.jsonl --figures figures --csv tables"],
    ),
    (
        "generate",
        [
            "generate etc --tasks 64 --hosts 8 --output random.json",
            "generate scenario --template wwg --output wwg.toml",
        ],
    ),
    (
        "generate etc",
        [
            "generate etc --tasks 64 --hosts 8 --output random.json",
            "generate etc --class u_c_hihi --seed 7 --format csv --output braun.csv",
        ],
    ),
    (
        "generate utility",
        [
            "generate utility wishes.toml --output wishes.json",
            "generate utility wishes.toml --format csv",
        ],
    ),
    (
        "generate scenario",
        ["generate scenario --template list", "generate scenario --template wwg --output wwg.toml"],
    ),
    (
        "generate experiment",
        [
            "generate experiment --name qos-share",
            "generate experiment --name qos-share --output sweep.toml",
        ],
    ),
    (
        "generate workload",
        [
            "generate workload --jobs 1000 --nodes 64 --seed 7 --output random.swf",
            "generate workload --model beosim --set run=exp:7600 --format scenario",
        ],
    ),
    (
        "simulate",
        [
            "simulate grid.toml --gantt run.svg",
            "simulate log.swf --nodes 128 --policy easy --jobs jobs.csv",
        ],
    ),
    ("completions", ["completions bash", "completions fish"]),
    ("man", ["man man1", "man share/man/man1"]),
    ("schema", ["schema schemas", "schema docs/schema"]),
];

/// `compare` takes more kinds of files than the commands it shares its arguments with.
const COMPARED: &str =
    "Instance, scenario (TOML or JSON) or job trace (.swf, .swf.gz); '-': an instance from stdin";

const EXIT_CODES: &str = "\
Exit codes:
  0      answered: optimal or within --gap, accepted, done
  1      internal failure; verify: rejected; campaign: contradictions
  2      bad input or usage
  3      stopped at a limit or by Ctrl-C, with the best result so far; simulate: stuck
  10 20  decide: satisfiable, unsatisfiable (0: unknown); decode: 20 unsatisfiable";

/// The command line with all help texts.
pub fn command() -> Command {
    let command = Cli::command()
        .mut_subcommand("compare", |compare| compare.mut_arg("file", |file| file.help(COMPARED)));
    let template = template(&command);
    with_examples(command, "").help_template(template)
}

/// The help of the program, its commands in groups.
fn template(command: &Command) -> String {
    let line = |name: &str| {
        let about = command.find_subcommand(name).and_then(Command::get_about);
        about.map(|about| format!("  {name:<12} {about}\n")).unwrap_or_default()
    };
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    let others = shown.map(Command::get_name).filter(|name| !is_grouped(name));
    let others: String = others.map(line).collect();
    let groups = GROUPS.map(|(title, names)| {
        format!("{title}:\n{}\n", names.iter().map(|name| line(name)).collect::<String>())
    });
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n{others}  help         \
         Print the help of a command\n\nOptions:\n{{options}}{{after-help}}",
        groups.concat().trim_end()
    )
}

fn with_examples(mut command: Command, path: &str) -> Command {
    let examples = EXAMPLES.iter().find(|(name, _)| *name == path).map(|(_, lines)| {
        let lines = lines.iter().map(|line| format!("\n  gridsat {line}"));
        format!("Examples:{}", lines.collect::<String>())
    });
    let names: Vec<String> =
        command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    for name in names {
        let inner = if path.is_empty() { name.clone() } else { format!("{path} {name}") };
        command = command.mut_subcommand(name, |one| with_examples(one, &inner));
    }
    let more = match path {
        "" => Some(EXIT_CODES.to_owned()),
        "map" => Some(lists::algorithms()),
        "simulate" => Some(lists::policies()),
        _ => None,
    };
    let examples = examples.unwrap_or_default();
    match more {
        Some(more) => {
            let long = format!("{examples}\n\n{more}");
            command.after_help(examples).after_long_help(long)
        }
        None => command.after_help(examples),
    }
}
