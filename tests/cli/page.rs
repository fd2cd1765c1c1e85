//! Pages of results in a headless browser: nothing overflows at any width, and they follow the
//! reader's colour scheme. Without a browser these tests are skipped, and that is reported.

use std::path::Path;

use gridsat_test_support::browser;
use gridsat_test_support::program::Folder;
use serde_json::Value;

/// A browser window is never as narrow as a phone, so the page is in a frame; the measurements are
/// written into the document.
const FRAME: &str = r#"<!DOCTYPE html><meta name="color-scheme" content="light dark">
<script>addEventListener("message", told => document.documentElement.dataset.seen = told.data)</script>
<iframe style="border:0;height:800px;width:@WIDTH@px" src="probed.html"></iframe>"#;

/// Script that reports the measurements.
const PROBE: &str = r#"<script>
document.querySelectorAll("details").forEach(one => one.open = true);
const style = (what, name) => getComputedStyle(document.querySelector(what))[name];
const wide = document.documentElement;
addEventListener("load", () => {
  parent.postMessage(JSON.stringify({
    width: innerWidth,
    over: wide.scrollWidth - wide.clientWidth,
    ground: style("body", "backgroundColor"),
    text: style("body", "color"),
    figure: style(".figure text", "fill"),
    images: [...document.images].map(image => image.complete && image.naturalWidth),
    figures: [...document.querySelectorAll("svg.figure")].map(one => one.getBoundingClientRect().width),
  }), "*");
});
</script></body>"#;

#[test]
fn fits_laptops_and_phones_by_day_and_night() {
    let Some(chromium) = browser::program() else { return };
    // Long titles, and words that cannot be broken.
    let folder = Folder::with("wide.toml");
    folder.run("experiment wide.toml -q -o out.txt").ends(0);
    folder.run("report wide.jsonl -q").ends(0);
    // The page forbids scripts, including this one.
    let page =
        folder.read("wide.html").replace("default-src 'none'", "default-src 'unsafe-inline'");
    let page = page.replace("</body>", PROBE);
    folder.write("probed.html", page);
    let mut grounds = Vec::new();
    for (width, dark) in [(360, false), (1280, false), (1280, true)] {
        let seen = look(&chromium, &folder, width, dark);
        assert_eq!(seen["width"], width, "{seen}");
        assert_eq!(seen["over"], 0, "nothing sticks out: {seen}");
        let images = seen["images"].as_array().expect("a list");
        assert!(
            images.len() == 2 && images.iter().all(|width| width.as_u64() > Some(100)),
            "{seen}"
        );
        let figures = seen["figures"].as_array().expect("a list");
        assert!(
            figures.len() == 8 && figures.iter().all(|width| width.as_f64() > Some(300.0)),
            "{seen}"
        );
        assert_ne!(seen["text"], seen["ground"]);
        grounds.push([&seen["ground"], &seen["text"], &seen["figure"]].map(ToString::to_string));
    }
    assert_eq!(grounds[0], grounds[1]);
    for (light, dark) in grounds[1].iter().zip(&grounds[2]) {
        assert_ne!(light, dark, "{grounds:?}");
    }
}

fn look(chromium: &Path, folder: &Folder, width: u32, dark: bool) -> Value {
    let scheme = if dark { 0 } else { 1 };
    folder.write("frame.html", FRAME.replace("@WIDTH@", &width.to_string()));
    let url = format!("file://{}", folder.path("frame.html").display());
    let colours = format!("--blink-settings=preferredColorScheme={scheme}");
    let options = [
        "--enable-logging=stderr",
        "--window-size=1400,900",
        "--virtual-time-budget=5000",
        &colours,
    ];
    let output = browser::dump(chromium, &folder.path(""), &url, &options);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("CONSOLE"), "{errors}");
    let document = String::from_utf8(output.stdout).expect("UTF-8");
    let (_, seen) = document.split_once("data-seen=\"").expect("the probe ran");
    let seen = seen.split('"').next().expect("its end");
    // Only quotes are escaped in this attribute.
    let seen = seen.replace("&quot;", "\"");
    serde_json::from_str(&seen).unwrap_or_else(|error| panic!("{error}: {seen}"))
}
