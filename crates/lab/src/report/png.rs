//! Figures as PNG, for use where SVG is not accepted.
//!
//! Text is drawn with the fonts of the system, so the bytes are reproducible only on the same
//! machine.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};
use thiserror::Error;

/// Pixels per unit: a figure of 480 units fills a column of a paper at 300 dots per inch.
const ZOOM: f32 = 3.0;
/// Largest number of pixels; more indicates an error.
const MOST_PIXELS: f32 = 2e8;

/// Why a figure is not drawn.
#[derive(Debug, Error)]
pub enum PngError {
    /// The system has no fonts, so text would be missing.
    #[error("no fonts are installed")]
    NoFonts,
    /// The text is not SVG.
    #[error("{0}")]
    Svg(#[from] usvg::Error),
    /// It has more pixels than any figure should.
    #[error("too large: {width} × {height} pixels")]
    TooLarge {
        /// Width in pixels.
        width: f32,
        /// Height in pixels.
        height: f32,
    },
    /// The picture could not be encoded.
    #[error("{0}")]
    Encoding(String),
}

/// Renders a figure.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    if options.fontdb.is_empty() {
        return Err(PngError::NoFonts);
    }
    let tree = Tree::from_str(svg, &options)?;
    let (width, height) = (tree.size().width() * ZOOM, tree.size().height() * ZOOM);
    let too_large = || PngError::TooLarge { width, height };
    if width * height > MOST_PIXELS {
        return Err(too_large());
    }
    let mut pixels =
        Pixmap::new(width.ceil() as u32, height.ceil() as u32).ok_or_else(too_large)?;
    resvg::render(&tree, Transform::from_scale(ZOOM, ZOOM), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_at_three_times_the_size() {
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><path fill="#f00" d="M0 0H4V2H0z"/></svg>"##;
        match png(svg) {
            Ok(bytes) => {
                assert!(bytes.starts_with(b"\x89PNG"));
                // Width and height are the first two numbers of the header.
                assert_eq!(bytes[16..24], [0, 0, 0, 12, 0, 0, 0, 6]);
            }
            Err(_) => gridsat_test_support::outside::report_missing("fonts"),
        }
        assert!(png("<svg").is_err());
    }
}
