//! Files that may be a grid or clusters: the latter if they have `[[cluster]]`.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Scenario;
use super::clusters::ClusterScenario;
use super::error::ScenarioError;
use super::text::{self, Syntax};

/// The most bytes a file may have.
const MAX_BYTES: u64 = 1 << 28;

/// A scenario of either kind.
pub enum AnyScenario {
    /// Resources and schedulers that map jobs onto them.
    Grid(Box<Scenario>),
    /// Clusters with parallel jobs.
    Clusters(Box<ClusterScenario>),
}

impl AnyScenario {
    /// Reads a file; JSON if its name says so, otherwise TOML.
    pub fn read(path: &Path) -> Result<Self, ScenarioError> {
        let Text { text, syntax, shown, folder } = Text::load(path)?;
        if has_clusters(&text, syntax) {
            let scenario = ClusterScenario::parse(&text, syntax, &shown, folder)?;
            return Ok(Self::Clusters(Box::new(scenario)));
        }
        Ok(Self::Grid(Box::new(Scenario::parse(&text, syntax, &shown, folder)?)))
    }
}

/// What cannot be read is left to whoever reads it next.
fn has_clusters(text: &str, syntax: Syntax) -> bool {
    #[derive(Deserialize)]
    struct Keys {
        cluster: Option<IgnoredAny>,
    }
    let keys: Result<Keys, ScenarioError> = text::read_keys(text, syntax, "");
    keys.is_ok_and(|keys| keys.cluster.is_some())
}

/// A file as text, what errors call it, and where it is.
pub struct Text<'a> {
    /// All of it.
    pub text: String,
    /// By its name.
    pub syntax: Syntax,
    /// Its name in errors.
    pub shown: Cow<'a, str>,
    /// Where its relative paths begin.
    pub folder: &'a Path,
}

impl<'a> Text<'a> {
    /// Reads a file; JSON if its name says so, otherwise TOML.
    pub fn load(path: &'a Path) -> Result<Self, ScenarioError> {
        let shown = path.to_string_lossy();
        let fail = |what: String| ScenarioError::new(&shown, None, &what);
        let mut bytes = Vec::new();
        let read =
            File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| fail(format!("cannot read: {error}")))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(fail(format!("larger than {MAX_BYTES} bytes, the most that is read")));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            fail(format!("not UTF-8 text: byte {} is wrong", error.utf8_error().valid_up_to()))
        })?;
        let is_json =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        let syntax = if is_json { Syntax::Json } else { Syntax::Toml };
        Ok(Self { text, syntax, shown, folder: path.parent().unwrap_or(Path::new("")) })
    }
}
