//! Parses the command line; an error in it is printed on one line.

use std::io::Write;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command, FromArgMatches};

use super::args::{self, Cli};
use super::exit::Exit;
use super::say::say;

/// The parsed command line, or the exit code if the program ends without running a command.
pub fn parse() -> Result<Cli, Exit> {
    let matches = with_negative_numbers(args::command()).try_get_matches();
    matches.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(|error| tell(&error))
}

/// Makes `--seed -5` an invalid value rather than an unknown option.
fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let is_option = !arg.is_positional() && arg.get_action().takes_values();
        if is_option { arg.allow_negative_numbers(true) } else { arg }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Prints `--help` and `--version`, which are answers, or one line about the error.
fn tell(error: &clap::Error) -> Exit {
    if !error.use_stderr() {
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        return if printed.is_ok() { Exit::Answered } else { Exit::Internal };
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        say("a command is missing (see --help)");
        return Exit::BadInput;
    }
    say(one_line(error));
    Exit::BadInput
}

/// What is wrong, on one line.
fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let first = text.lines().next().unwrap_or("usage").trim_start_matches("error: ").trim();
    let first = in_words(first);
    let first = if is_negative(error) { called_negative(&first) } else { first };
    // clap lists missing arguments on separate lines.
    let details: Vec<_> = text.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    let details = details.iter().map(|line| format!(" {}", line.trim())).collect::<String>();
    let hint = suggestion(error).unwrap_or_else(|| "see --help".to_owned());
    format!("{first}{details} ({hint})")
}

/// The options of a command, parsed without running it; the error is one line.
pub fn options(command: &str, words: &[String]) -> Result<ArgMatches, String> {
    let line = ["gridsat", command, "FILE"].into_iter().chain(words.iter().map(String::as_str));
    let parsed = with_negative_numbers(args::command()).try_get_matches_from(line);
    let mut matches = parsed.map_err(|error| one_line(&error))?;
    matches.remove_subcommand().map(|(_, matches)| matches).ok_or_else(|| "no command".to_owned())
}

/// Whether the wrong value is a negative number.
fn is_negative(error: &clap::Error) -> bool {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else {
        return false;
    };
    value.parse::<f64>().is_ok_and(|number| number < 0.0)
}

/// The message with "negative" before what is expected.
fn called_negative(message: &str) -> String {
    match message.rsplit_once("': ") {
        Some((before, why)) if !why.contains("negative") => {
            format!("{before}': it is negative; {why}")
        }
        _ => message.to_owned(),
    }
}

/// Messages of number parsers in plain words.
fn in_words(message: &str) -> String {
    const WORDS: [(&str, &str); 4] = [
        ("invalid digit found in string", "expected a whole number"),
        ("cannot parse integer from empty string", "expected a whole number"),
        ("invalid float literal", "expected a number"),
        ("number too large to fit in target type", "the number is too large"),
    ];
    let plain =
        WORDS.iter().fold(message.to_owned(), |text, (one, other)| text.replace(one, other));
    match plain.split_once(" is not in ") {
        Some((before, range)) => format!("{before} is not from {}", range.replace("..=", " to ")),
        None => plain,
    }
}

/// A suggestion what the user may have meant.
fn suggestion(error: &clap::Error) -> Option<String> {
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let first = |value: &ContextValue| match value {
        ContextValue::String(one) => Some(one.clone()),
        ContextValue::Strings(several) => several.first().cloned(),
        _ => None,
    };
    let nearest = kinds.into_iter().find_map(|kind| error.get(kind).and_then(first))?;
    Some(format!("did you mean '{nearest}'?"))
}
