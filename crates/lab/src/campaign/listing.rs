//! The instances of a campaign: files, folders, glob patterns and lists.
//!
//! A list is a text file whose name ends in `.list`: one path or pattern per line, relative to the
//! list, optionally followed by a tab and what is known about the optimum, `117` or `113..117`.
//! `#` starts a comment. A folder stands for the files in it whose names indicate a format.
//!
//! An instance is named `folder/file`, which is short, the same on all machines, and unique in a
//! campaign: results refer to instances by name.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use gridsat_model::certificate::Hashing;
use gridsat_model::io::{Format, Kind};
use serde::{Deserialize, Serialize};

use super::error::{CampaignError, ListError};
use super::known::Known;

/// An instance of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Its file.
    pub path: PathBuf,
    /// Folder and file name.
    pub name: String,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// What the list says about the optimum: `117`, or `113..117`.
    pub known: Option<String>,
}

/// The instances that the arguments of a campaign name, in that order.
pub fn instances(arguments: &[PathBuf]) -> Result<Vec<Listed>, CampaignError> {
    let mut found = Vec::new();
    for argument in arguments {
        match argument.extension().is_some_and(|ending| ending == "list") && argument.is_file() {
            true => of_list(argument, &mut found)?,
            false => {
                let fail = |what| CampaignError::argument(argument, what);
                let paths = named(argument, Path::new("")).map_err(fail)?;
                found.extend(paths.into_iter().map(|path| (path, None)));
            }
        }
    }
    let mut names = BTreeMap::new();
    let mut listed = Vec::new();
    for (path, known) in found {
        let one = Listed::new(path, known)?;
        if let Some(other) = names.insert(one.name.clone(), one.path.clone()) {
            return Err(CampaignError::SameName { name: one.name, one: other, other: one.path });
        }
        listed.push(one);
    }
    Ok(listed)
}

type Found = Vec<(PathBuf, Option<String>)>;

fn of_list(list: &Path, found: &mut Found) -> Result<(), CampaignError> {
    let text = fs::read_to_string(list)
        .map_err(|error| CampaignError::argument(list, ListError::Read(error)))?;
    let before = found.len();
    for (place, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim_end();
        if line.trim().is_empty() {
            continue;
        }
        let fail = |what| CampaignError::List { path: list.to_owned(), line: place + 1, what };
        let (entry, known) = line.split_once('\t').map_or((line, None), |(a, b)| (a, Some(b)));
        let known = known.map(|known| {
            let parsed = known.trim().parse::<Known>();
            let wrong = |_| fail(ListError::Known(known.trim().to_owned()));
            parsed.map(|known| known.to_string()).map_err(wrong)
        });
        let known = known.transpose()?;
        let folder = list.parent().unwrap_or(Path::new(""));
        let paths = named(Path::new(entry.trim()), folder).map_err(fail)?;
        found.extend(paths.into_iter().map(|path| (path, known.clone())));
    }
    if found.len() == before {
        return Err(CampaignError::argument(list, ListError::Empty));
    }
    Ok(())
}

/// The files that an entry stands for: a file, those in a folder, or those that match a pattern.
fn named(entry: &Path, folder: &Path) -> Result<Vec<PathBuf>, ListError> {
    let path = folder.join(entry);
    if path.is_dir() {
        let entries = fs::read_dir(&path).map_err(ListError::Read)?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        return instances_among(paths.collect::<io::Result<_>>().map_err(ListError::Read)?);
    }
    let text = path.to_string_lossy();
    if path.exists() || !text.contains(['*', '?', '[']) {
        let is_file = path.is_file();
        return if is_file { Ok(vec![path]) } else { Err(ListError::Missing) };
    }
    let matches = glob::glob(&text).map_err(|error| ListError::Pattern(error.msg))?;
    instances_among(matches.filter_map(Result::ok).collect())
}

/// The instances among some files, by their names; never empty.
fn instances_among(mut paths: Vec<PathBuf>) -> Result<Vec<PathBuf>, ListError> {
    paths.retain(|path| path.is_file() && Format::of_file(path).is_some() && !is_other(path));
    paths.sort();
    if paths.is_empty() { Err(ListError::Nothing) } else { Ok(paths) }
}

/// Whether a file beside instances is something else: a manifest, a table of optima. A JSON file
/// that is too long to look at as a whole counts as an instance.
fn is_other(path: &Path) -> bool {
    const MOST: u64 = 1 << 20;
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    if !name.ends_with(".json") {
        return name == "best_known.csv";
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST).read_to_end(&mut start));
    let is_whole = read.is_ok_and(|length| (length as u64) < MOST);
    is_whole && Kind::of(&start) != Some(Kind::Instance)
}

impl Listed {
    fn new(path: PathBuf, known: Option<String>) -> Result<Self, CampaignError> {
        let fail = |error| CampaignError::argument(&path, ListError::Read(error));
        let whole = std::path::absolute(&path).map_err(fail)?;
        let part = |path: Option<&Path>| {
            let name = path.and_then(Path::file_name).unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        let name = format!("{}/{}", part(whole.parent()), part(Some(&whole)));
        let sha256 = digest(&path).map_err(fail)?;
        Ok(Self { path, name, sha256, known })
    }

    /// The class in reports: that of Braun et al. if the file's name contains one, the folder if
    /// the name is a number, as in the set of Fanjul-Peyro and Ruiz, else the name up to the size.
    pub fn class(&self) -> String {
        let (folder, file) = self.name.split_once('/').unwrap_or(("", &self.name));
        if let Some(class) = braun_class(file) {
            return class.to_owned();
        }
        let stem = file.split('.').next().unwrap_or(file);
        if stem.bytes().all(|byte| byte.is_ascii_digit()) {
            return folder.to_owned();
        }
        stem[..size_in(stem).unwrap_or(stem.len())].to_owned()
    }
}

/// SHA-256 of a file, without keeping it in memory.
pub(crate) fn digest(path: &Path) -> io::Result<String> {
    let mut hash = Hashing::new(File::open(path)?);
    // The program itself is read at every start: a large buffer saves thousands of system calls.
    let mut buffer = vec![0; 1 << 18];
    while hash.read(&mut buffer)? > 0 {}
    Ok(hash.finish())
}

/// The class of Braun et al. in a file name, such as `u_c_hihi`.
fn braun_class(name: &str) -> Option<&str> {
    const LENGTH: usize = "u_c_hihi".len();
    let is_class = |class: &str| {
        let heads = ["u_c_", "u_s_", "u_i_"];
        let tails = ["hihi", "hilo", "lohi", "lolo"];
        heads.iter().any(|head| class.strip_prefix(head).is_some_and(|rest| tails.contains(&rest)))
    };
    (0..name.len()).filter_map(|at| name.get(at..at + LENGTH)).find(|class| is_class(class))
}

/// The place of a size such as `_100x10`.
fn size_in(name: &str) -> Option<usize> {
    let is_size = |rest: &str| {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let tasks = digits(rest);
        tasks > 0 && rest[tasks..].strip_prefix('x').is_some_and(|rest| digits(rest) > 0)
    };
    let mut places = name.match_indices('_').map(|(at, _)| at);
    places.find(|&at| is_size(&name[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str) -> String {
        let name = name.to_owned();
        Listed { path: PathBuf::new(), name, sha256: String::new(), known: None }.class()
    }

    #[test]
    fn classes_by_name() {
        for (name, expected) in [
            ("hcsp-512x16/u_c_hihi.0", "u_c_hihi"),
            ("hcsp-1024x32/A.u_s_lohi", "u_s_lohi"),
            ("U1a100/111.txt", "U1a100"),
            ("made/U1-100_100x10_seed7.json", "U1-100"),
            ("made/my_matrix.json", "my_matrix"),
            ("made/größe_3x.csv", "größe_3x"),
        ] {
            assert_eq!(class(name), expected, "{name}");
        }
    }

    #[test]
    fn files_folders_patterns_and_lists() {
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("set")).expect("writable");
        for name in ["set/b_2x1.json", "set/a_2x1.json"] {
            fs::write(path(name), "{\"etc\": [[1], [2]]}").expect("writable");
        }
        fs::write(path("set/optima.json"), "{\"a\": {\"optimum\": 3}}").expect("writable");
        fs::write(path("set/README.md"), "a set").expect("writable");
        fs::write(path("some.list"), "# two\nset/b_2x1.json\t3\nset/a*  # all\n\n").expect("ok");
        let names = |arguments: &[&str]| {
            let arguments: Vec<PathBuf> = arguments.iter().map(|name| path(name)).collect();
            instances(&arguments).map(|all| all.into_iter().map(|one| one.name).collect::<Vec<_>>())
        };
        let both = ["set/a_2x1.json", "set/b_2x1.json"];
        assert_eq!(names(&["set"]).expect("a folder"), both);
        assert_eq!(names(&["set/*_2x[1-3].json"]).expect("a pattern"), both);
        assert_eq!(names(&["some.list"]).expect("a list"), [both[1], both[0]]);
        let known = instances(&[path("some.list")]).expect("a list");
        assert_eq!(known[0].known.as_deref(), Some("3"));
        assert_eq!(known[0].sha256.len(), 64);
        fs::write(path("wrong.list"), "set/a_2x1.json\n\nset/a_2x1.json\t3..2\n").expect("ok");
        fs::write(path("gone.list"), "gone.json\n").expect("ok");
        fs::write(path("empty.list"), "# nothing\n").expect("ok");
        for (argument, part) in [
            ("wrong.list", "wrong.list:3: '3..2' is neither an optimum nor"),
            ("gone.list", "gone.list:1: no such file"),
            ("empty.list", "empty.list: the list has no instances"),
            ("none.json", "none.json: no such file"),
            ("none*", "none*: no instances"),
            ("[", "[: "),
        ] {
            let error = names(&[argument]).expect_err(argument).to_string();
            assert!(error.contains(part), "{error}");
        }
        let error = names(&["set", "set/a*"]).expect_err("twice").to_string();
        assert!(error.contains("two instances are called set/a_2x1.json"), "{error}");
    }
}
