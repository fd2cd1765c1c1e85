//! Checks, before a command works for hours, that everything it will write can be written.

use std::io;
use std::path::Path;

use anyhow::anyhow;
use gridsat_files as files;

use super::args::Outputs;
use super::exit::Failure;
use super::output::is_standard_output;
use super::picture;

/// Checks every output file of the command line.
pub fn check(outputs: &Outputs<'_>) -> Result<(), Failure> {
    let others = || outputs.files.iter().chain(&outputs.folders);
    if let Some((option, _)) = others().find(|(_, path)| is_standard_output(path)) {
        let only = "only --output can be standard output; name a file, such as ./-";
        return Err(Failure::BadInput(anyhow!("{option} -: {only}")));
    }
    let result = outputs.result.filter(|path| !is_standard_output(path));
    let files = || result.into_iter().chain(outputs.files.iter().map(|(_, path)| *path));
    distinct(files())?;
    let is_drawing = |option: &str| ["--gantt", "--plot"].contains(&option);
    let drawings = outputs.files.iter().filter(|(option, _)| is_drawing(option));
    drawings.into_iter().try_for_each(|(_, path)| picture::check(path))?;
    files().try_for_each(file)?;
    outputs.folders.iter().try_for_each(|(_, path)| folder(path))
}

/// Rejects two outputs to one file: the second would replace the first.
pub fn distinct<'a>(paths: impl Iterator<Item = &'a Path>) -> Result<(), Failure> {
    let mut taken = Vec::new();
    for path in paths {
        if taken.contains(&path) {
            let message =
                format!("{}: two outputs cannot be written to the same file", path.display());
            return Err(Failure::BadInput(anyhow!(message)));
        }
        taken.push(path);
    }
    Ok(())
}

/// Whether a file can be written at this path.
pub fn file(path: &Path) -> Result<(), Failure> {
    files::check_file(path).map_err(|error| {
        let folder = files::directory(path);
        let shown = folder.display();
        let why = match error.kind() {
            io::ErrorKind::IsADirectory => "it is a folder; name a file in it".to_owned(),
            io::ErrorKind::InvalidFilename => "it is not a file name".to_owned(),
            _ if !folder.exists() => {
                format!("the folder '{shown}' does not exist; create it first")
            }
            _ => format!("no file can be created in '{shown}': {error}"),
        };
        refused(path, &why)
    })
}

fn folder(path: &Path) -> Result<(), Failure> {
    files::check_folder(path)
        .map_err(|error| refused(path, &format!("no folder can be created there: {error}")))
}

fn refused(path: &Path, why: &str) -> Failure {
    Failure::BadInput(anyhow!("{}: cannot be written: {why}", path.display()))
}
