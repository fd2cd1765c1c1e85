//! Certificates that lie beside their instances, such as a collection of proven optima.
//!
//! The instance of `NAME.json` is the file `NAME`, or `NAME` with the ending of an instance; for
//! `NAME.certificate.json` that of `NAME`. Each may be compressed by gzip.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use flate2::read::MultiGzDecoder;
use gridsat_check::verify::Claim;
use gridsat_model::io::{Format, Kind, MAX_BYTES};

use super::super::exit::Failure;
use super::super::input;

/// Whether the file contains a certificate. Standard input is not read for that.
pub fn is_certificate(path: &Path) -> bool {
    certificate(path).is_ok()
}

/// The certificate in the file, which is given without an instance.
pub fn certificate(path: &Path) -> Result<Claim, Failure> {
    let is_stdin = path == Path::new("-");
    let claim = (!is_stdin).then(|| claim(path)).transpose()?;
    let is_one = |claim: &Claim| Kind::of(claim.text().as_bytes()) == Some(Kind::Certificate);
    claim.filter(is_one).ok_or_else(|| {
        Failure::BadInput(anyhow!(
            "{}: not a certificate; to check one against this instance, give both: gridsat verify \
             FILE CERT",
            path.display()
        ))
    })
}

/// The certificate or mapping in the file.
pub fn claim(path: &Path) -> Result<Claim, Failure> {
    if let Some(bytes) = unpacked(path)? {
        let no_text = |_| Failure::BadInput(anyhow!("{}: not UTF-8 text", path.display()));
        return Ok(Claim::of(path, String::from_utf8(bytes).map_err(no_text)?));
    }
    let kinds = [Kind::Certificate, Kind::Mapping, Kind::VeriPb];
    let read = Claim::read(path);
    read.map_err(|error| input::known_kind(Failure::input(error), path, &kinds, input::kind_of))
}

/// The file with the instance of this certificate.
pub fn instance(certificate: &Path) -> Result<PathBuf, Failure> {
    let folder = certificate.parent().unwrap_or(Path::new(""));
    let file_name = certificate.file_name().unwrap_or_default().to_string_lossy();
    let name = file_name.strip_suffix(".gz").unwrap_or(&file_name);
    let name = name.strip_suffix(".json").unwrap_or(name);
    let name = name.strip_suffix(".certificate").unwrap_or(name);
    let listed = if folder == Path::new("") { Path::new(".") } else { folder };
    let entries = fs::read_dir(listed).with_context(|| listed.display().to_string());
    let entries = entries.map_err(Failure::BadInput)?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_instance = |other: &String| {
        let plain = without_gz(Path::new(other));
        let rest = other.strip_prefix(name).is_some_and(|rest| rest.is_empty() || is_ending(rest));
        *other != *file_name && rest && Format::of_file(&plain).is_some()
    };
    let mut found: Vec<String> = names.filter(is_instance).collect();
    found.sort_unstable();
    match &found[..] {
        [one] => Ok(folder.join(one)),
        [] => Err(Failure::BadInput(anyhow!(
            "{}: no instance '{name}.…' beside it; give it first: gridsat verify FILE CERT",
            certificate.display()
        ))),
        several => Err(Failure::BadInput(anyhow!(
            "{}: several files beside it may be its instance: {}; give one of them first: \
             gridsat verify FILE CERT",
            certificate.display(),
            several.join(", ")
        ))),
    }
}

/// Whether this is one ending, as in `.txt`, or two, as in `.txt.gz`.
fn is_ending(rest: &str) -> bool {
    let rest = rest.strip_suffix(".gz").unwrap_or(rest);
    rest.is_empty() || rest.strip_prefix('.').is_some_and(|ending| !ending.contains('.'))
}

/// The path without the ending of compressed files.
pub fn without_gz(path: &Path) -> PathBuf {
    match path.extension() {
        Some(ending) if ending == "gz" => path.with_extension(""),
        _ => path.to_owned(),
    }
}

/// The content of a compressed file; `None` if the name does not end in `.gz`.
pub fn unpacked(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    if path.extension().is_none_or(|ending| ending != "gz") {
        return Ok(None);
    }
    let named = || path.display().to_string();
    let file = File::open(path).with_context(named).map_err(Failure::BadInput)?;
    let mut bytes = Vec::new();
    let read = MultiGzDecoder::new(file).take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.with_context(named).map_err(Failure::BadInput)?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!("{}: larger than {MAX_BYTES} bytes when unpacked", named());
        return Err(Failure::BadInput(anyhow!(message)));
    }
    Ok(Some(bytes))
}
