//! Writes drawings as files: SVG, or PNG if the file name ends with `.png`.

use std::io;
use std::path::Path;

use anyhow::anyhow;

use super::exit::Failure;

/// The format that the file name of a drawing indicates.
enum Format {
    Svg,
    Png,
    /// Another format, by its name, which cannot be written.
    Other(String),
}

fn format(path: &Path) -> Format {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("png") => Format::Png,
        Some(other @ ("pdf" | "ps" | "eps" | "jpg" | "jpeg" | "gif" | "webp")) => {
            Format::Other(other.to_ascii_uppercase())
        }
        _ => Format::Svg,
    }
}

/// Rejects a file name of another format, before any work is done.
pub fn check(path: &Path) -> Result<(), Failure> {
    const SVG: &str = "name a file that ends in .svg";
    let why = match format(path) {
        Format::Svg => return Ok(()),
        Format::Png if cfg!(feature = "png") => return Ok(()),
        Format::Png => format!("{}; or {SVG}", no_png()),
        Format::Other(name) => {
            format!("cannot draw {name}; {SVG}, which browsers and Inkscape convert to {name}")
        }
    };
    Err(Failure::BadInput(anyhow!("{}: {why}", path.display())))
}

/// The drawing in the format of the file name.
pub fn bytes(path: &Path, svg: String) -> io::Result<Vec<u8>> {
    match format(path) {
        Format::Png => png(&svg),
        Format::Svg | Format::Other(_) => Ok(svg.into_bytes()),
    }
}

/// Why PNG is not available, for messages.
pub fn no_png() -> &'static str {
    "this gridsat was built without the feature 'png' (cargo install gridsat --features png adds \
     it)"
}

/// The drawing as PNG.
#[cfg(feature = "png")]
pub fn png(svg: &str) -> io::Result<Vec<u8>> {
    gridsat_lab::report::png(svg).map_err(io::Error::other)
}

/// Fails: PNG needs the feature `png`.
#[cfg(not(feature = "png"))]
pub fn png(_: &str) -> io::Result<Vec<u8>> {
    Err(io::Error::other(no_png()))
}
