//! Pages lead somewhere: every relative link and anchor of the repository's Markdown exists, and
//! the handbook's table of contents has every page once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::*;

#[test]
fn every_link_leads_to_something() {
    let mut pages = BTreeMap::new();
    collect(&project(""), &mut pages);
    assert!(pages.len() > 10, "{pages:?}");
    let mut dead = Vec::new();
    let mut count = 0;
    for (page, text) in &pages {
        for target in links(text) {
            count += 1;
            if !leads(page, &target, &pages) {
                dead.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{} dead links:\n{}", dead.len(), dead.join("\n"));
    assert!(count > 100, "{count} links found");
}

#[test]
fn the_contents_have_every_page_once() {
    let summary = fs::read_to_string(project("docs/SUMMARY.md")).expect("readable");
    let mut listed = links(&summary);
    listed.sort();
    let pages = handbook::pages().into_iter();
    let pages: Vec<String> =
        pages.filter_map(|page| page.strip_prefix("docs/").map(str::to_owned)).collect();
    assert_eq!(listed, pages);
}

#[test]
fn headings_become_anchors_as_on_github() {
    let page = "# A `b`: c, d\n```sh\n# no\n```\n## E–F (g)\n## E–F (g)\n<a id=\"x\"></a>\n\
        ### [h](i) j_k\n";
    let expected = ["a-b-c-d", "ef-g", "ef-g-1", "h-j_k", "x"];
    assert_eq!(anchors(page).into_iter().collect::<Vec<_>>(), expected);
}

/// All Markdown below a folder, except what is built or hidden.
fn collect(folder: &Path, pages: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            collect(&path, pages);
        } else if name.ends_with(".md") {
            let text = fs::read_to_string(&path).expect("readable");
            pages.insert(path.canonicalize().expect("it exists"), text);
        }
    }
}

/// The text without blocks of code.
pub(super) fn outside_code(text: &str) -> String {
    let mut is_code = false;
    let is_text = |line: &&str| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    };
    text.lines().filter(is_text).flat_map(|line| [line, "\n"]).collect()
}

/// Where links and pictures of a page lead, except to other servers.
fn links(text: &str) -> Vec<String> {
    let text = outside_code(text);
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let of = |start: &str, end: char| -> Vec<String> {
        let parts = prose.split(start).skip(1);
        parts.filter_map(|part| part.split(end).next()).map(str::to_owned).collect()
    };
    let mut links = of("](", ')');
    links.extend(of("src=\"", '"').into_iter().chain(of("srcset=\"", '"')));
    links.retain(|link| !link.contains("://") && !link.starts_with("mailto:"));
    links
}

fn leads(page: &Path, target: &str, pages: &BTreeMap<PathBuf, String>) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { page.to_owned() } else { page.with_file_name(file) };
    let Ok(path) = path.canonicalize() else { return false };
    anchor.is_empty() || pages.get(&path).is_some_and(|text| anchors(text).contains(anchor))
}

/// The anchors of a page's headings as GitHub and mdBook make them, and those set by hand.
fn anchors(text: &str) -> BTreeSet<String> {
    let text = outside_code(text);
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with('#') {
            let name = slug(line.trim_start_matches('#').trim());
            let numbered = (1..).map(|n| format!("{name}-{n}"));
            let mut names = std::iter::once(name.clone()).chain(numbered);
            anchors.extend(names.find(|name| !anchors.contains(name)));
        }
        anchors.extend(
            line.split("id=\"").skip(1).filter_map(|p| p.split('"').next()).map(str::to_owned),
        );
    }
    anchors
}

fn slug(heading: &str) -> String {
    // Of a link in a heading only its text counts.
    let parts = heading.split("](").enumerate();
    let text =
        parts.map(|(i, part)| if i == 0 { part } else { part.split_once(')').map_or("", |p| p.1) });
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let text: String = text.collect::<String>().to_lowercase().chars().filter(kept).collect();
    text.replace(' ', "-")
}
