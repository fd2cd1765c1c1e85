//! SVG as PNG, for programs that take no SVG. With the feature `png` only.
//!
//! Letters are drawn with the fonts of the system, so that the bytes differ between machines.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};
use thiserror::Error;

/// Why there is no picture.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum PngError {
    #[error("no fonts on this system: install some, or keep the SVG")]
    NoFonts,
    #[error("not a readable SVG: {0}")]
    Svg(#[from] usvg::Error),
    #[error("a picture of {width} × {height} pixels cannot be made")]
    Size { width: f32, height: f32 },
    #[error("the picture cannot be encoded: {0}")]
    Encode(String),
}

/// The picture, `scale` pixels for each unit of the SVG.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    if options.fontdb.is_empty() {
        return Err(PngError::NoFonts);
    }
    let tree = Tree::from_str(svg, &options)?;
    let mut pixels = canvas(tree.size().width() * scale, tree.size().height() * scale)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}

/// At most so many pixels on a side.
const MOST: f32 = 20_000.0;

fn canvas(width: f32, height: f32) -> Result<Pixmap, PngError> {
    let is_sound = |side: f32| (1.0..=MOST).contains(&side);
    let pixels = || Pixmap::new(width.ceil() as u32, height.ceil() as u32);
    let sound = (is_sound(width) && is_sound(height)).then(pixels).flatten();
    sound.ok_or(PngError::Size { width, height })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_or_a_reason() {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><path d="M0 0h9v9z"/></svg>"#;
        match png(svg, 2.0) {
            // Width and height are at 16 and 20 of the file.
            Ok(bytes) => assert_eq!((&bytes[1..4], bytes[19], bytes[23]), (&b"PNG"[..], 60, 40)),
            Err(error) => assert!(matches!(error, PngError::NoFonts), "{error}"),
        }
        assert!(png("<svg", 1.0).is_err());
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e6] {
            assert!(png(svg, scale).is_err(), "{scale}");
        }
    }
}
