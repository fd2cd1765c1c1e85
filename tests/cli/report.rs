//! The command `report`.

use super::*;

/// A folder with the result of a small experiment.
fn tiny() -> Folder {
    let folder = Folder::with("tiny.toml");
    folder.run("experiment tiny.toml --quiet --output out.txt").ends(0);
    folder
}

/// Checks that elements are closed in the right order; returns how often each occurs.
fn elements(html: &str) -> std::collections::BTreeMap<String, usize> {
    let mut open: Vec<&str> = Vec::new();
    let mut counts = std::collections::BTreeMap::new();
    // Styles contain no tags.
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag has an end");
        let is_text = !tag.starts_with("style");
        assert!(!(is_text && text.contains('>')), "{text:.80}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let name = tag.split(' ').next().expect("a name").trim_end_matches('/');
        *counts.entry(name.to_owned()).or_insert(0) += 1;
        let is_void = tag.ends_with('/') || ["!DOCTYPE", "meta", "img"].contains(&name);
        if !is_void {
            open.push(name);
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag:.80}");
    }
    assert!(open.is_empty(), "{open:?}");
    counts
}

#[test]
fn a_page_that_needs_nothing_else() {
    let folder = tiny();
    assert_eq!(folder.run("report tiny.jsonl").ends(0).out, "tiny.html\n");
    let page = folder.read("tiny.html");
    let counts = elements(&page);
    assert_eq!(counts["svg"], 4, "means and decreases of two metrics");
    assert_eq!(counts["figure"], 6, "and two runs");
    assert_eq!((counts["img"], counts["h1"]), (2, 1));
    for absent in ["<script", "refresh", "@import", "url(", "<b>faster"] {
        assert!(!page.contains(absent), "{absent}");
    }
    let addresses = page.split("src=\"").skip(1).all(|rest| rest.starts_with("data:"));
    assert!(addresses && !page.contains("<link"));
    for part in [
        "<html lang=\"en\">",
        "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\"",
        "<title>Tiny &lt;script&gt;",
        "Who is &lt;b&gt;faster&lt;/b&gt;?",
        "share &lt;i&gt; (%)",
        "gridsat experiment tiny.toml --seed 1 -r 3 --algorithms mct,minmin --result tiny.jsonl",
        "gridsat report tiny.jsonl",
        "minmin vs mct",
        "<dt>seeds</dt><dd>1 to 3</dd>",
        &format!("<dt>gridsat</dt><dd>{}</dd>", gridsat_model::VERSION),
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn the_same_bytes_each_time() {
    let folder = tiny();
    let words = "report tiny.jsonl --quiet --figures f --csv c";
    assert_eq!(folder.run(&format!("{words} -o a.html")).ends(0).out, "");
    folder.run(&format!("{words} -o b.html")).ends(0);
    assert_eq!(folder.read("a.html"), folder.read("b.html"));
    assert!(folder.list().contains(&"f".to_owned()));
}

#[test]
fn built_in_experiments_are_rerun_by_name() {
    let folder = Folder::default();
    folder.run("experiment qos-share -r 2 -a mct,qgmm --seed 9 --quiet -o out.txt").ends(0);
    folder.run("report qos-share.jsonl --no-gantt -q").ends(0);
    let page = folder.read("qos-share.html");
    let command = "gridsat experiment qos-share --seed 9 -r 2 --algorithms mct,qgmm --result";
    assert!(page.contains(command));
    assert!(!page.contains("<img"));
}

#[test]
fn figures_and_tables_for_papers() {
    let folder = tiny();
    let run = folder.run("report tiny.jsonl --figures out/f --csv out --gantt 50/minmin@2").ends(0);
    let figures = ["makespan-means", "makespan-decrease", "mean_jobs-means", "mean_jobs-decrease"];
    for name in figures.into_iter().chain(["run-50_minmin_2"]) {
        let file = format!("out/f/tiny-{name}.svg");
        assert!(run.out.lines().any(|line| line == file), "{}", run.out);
        let svg = folder.read(&file);
        assert!(svg.starts_with("<svg xmlns=") && elements(&svg)["svg"] == 1, "{name}");
        assert!(!svg.contains("<script") && !svg.contains("var("), "{name}");
    }
    let first = |name: &str| {
        let text = folder.read(name);
        (text.lines().next().unwrap_or_default().to_owned(), text.lines().count() - 1)
    };
    let (head, rows) = first("out/tiny-runs.csv");
    assert_eq!((head.as_str(), rows), ("share <i>,seed,algorithm,makespan,mean_jobs,error", 12));
    let (head, rows) = first("out/tiny-means.csv");
    let columns = "share <i>,metric,unit,algorithm,n,mean,deviation,half_width";
    assert_eq!((head.as_str(), rows), (columns, 8));
    let (head, rows) = first("out/tiny-comparisons.csv");
    let columns = "share <i>,metric,unit,one,other,decrease_percent,decrease_half_width,thesis_t,\
                   welch_t,welch_freedom,welch_p,welch_effect,paired_difference,paired_half_width,\
                   paired_t,paired_freedom,paired_p,paired_p_adjusted,paired_effect";
    assert_eq!((head.as_str(), rows), (columns, 4));
}

/// A t or an effect is positive where the first algorithm has less: in the table, in JSON and in
/// CSV, for every test.
#[test]
fn signs_agree_everywhere() {
    let folder = tiny();
    folder.run("report tiny.jsonl --csv out --no-gantt").ends(0);
    let json = folder.run("experiment tiny.toml --format json").ends(0).json();
    let points = json["points"].as_array().expect("points").iter();
    let json = points.flat_map(|point| point["metrics"].as_array().expect("metrics"));
    let json = json.flat_map(|metric| metric["comparisons"].as_array().expect("comparisons"));
    let signs = |numbers: &[f64]| numbers.iter().map(|&x| x.signum()).collect::<Vec<_>>();
    let mut seen = 0;
    for one in json {
        let number = |path: &str| one.pointer(path).and_then(Value::as_f64).expect("a number");
        let tests = ["/welch", "/paired"];
        let all = tests.map(|test| ["difference", "t", "effect"].map(|of| format!("{test}/{of}")));
        let all: Vec<f64> = all.iter().flatten().map(|path| number(path)).collect();
        let decrease = number("/decrease_percent");
        assert_eq!(signs(&all), vec![decrease.signum(); 6], "{one}");
        assert_eq!(number("/thesis_t").signum(), decrease.signum(), "{one}");
        seen += u32::from(decrease != 0.0);
    }
    assert_eq!(seen, 4, "of two metrics at two points");
    let csv = folder.read("out/tiny-comparisons.csv");
    let head: Vec<&str> = csv.lines().next().expect("a head").split(',').collect();
    let place = |name: &str| head.iter().position(|&own| own == name).expect("a column");
    let columns = ["thesis_t", "welch_t", "welch_effect", "paired_difference", "paired_t"];
    for row in csv.lines().skip(1) {
        let row: Vec<&str> = row.split(',').collect();
        let number = |name: &str| row[place(name)].parse::<f64>().expect("a number");
        let decrease = number("decrease_percent").signum();
        let all = columns.iter().chain(&["paired_effect"]).map(|name| number(name));
        assert_eq!(signs(&all.collect::<Vec<_>>()), [decrease; 6], "{row:?}");
    }
    let table = folder.read("out.txt");
    let rows: Vec<&str> = table.lines().filter(|line| line.contains("minmin vs mct")).collect();
    assert_eq!(rows.len(), 2, "{table}");
    for row in rows {
        let numbers = row.split("minmin vs mct").nth(1).expect("numbers").split_whitespace();
        let numbers: Vec<f64> = numbers.filter_map(|word| word.parse().ok()).collect();
        let [decrease, thesis, welch, paired, _, effect] = numbers[..] else { panic!("{row}") };
        assert_eq!(signs(&[thesis, welch, paired, effect]), [decrease.signum(); 4], "{row}");
    }
}

#[test]
fn several_results_share_a_page() {
    let folder = tiny();
    folder.run("experiment tiny.toml --seed 5 --result b.jsonl -q -o out.txt").ends(0);
    let run = folder.run("report tiny.jsonl b.jsonl tiny.jsonl --no-gantt --csv c").ends(0);
    assert!(run.out.ends_with("report.html\n"), "{}", run.out);
    assert!(folder.read("c/tiny-2-runs.csv") == folder.read("c/tiny-runs.csv"));
    let page = folder.read("report.html");
    assert_eq!(elements(&page)["section"], 3);
    assert!(page.contains("<h1>3 experiments</h1>") && page.contains("href=\"#result-2\""));
    for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_eq!(page.matches(&format!("id=\"{link}\"")).count(), 1, "{link}");
    }
}

#[test]
fn failed_runs_are_told() {
    let folder = tiny();
    let failed = |line: &str| {
        let (run, _) = line.split_once("\"values\"").expect("a run");
        format!("{run}\"error\":\"out of <img src=x> luck\"}}")
    };
    let text = folder.read("tiny.jsonl");
    let lines = text.lines().enumerate();
    let lines = lines.map(|(place, line)| if place == 2 { failed(line) } else { line.to_owned() });
    folder.write("tiny.jsonl", lines.collect::<Vec<_>>().join("\n") + "\n");
    folder.run("report tiny.jsonl").ends(0);
    let page = folder.read("tiny.html");
    elements(&page);
    assert!(page.contains("1 of 12 runs failed") && page.contains("out of &lt;img src=x&gt; luck"));
    assert!(page.contains("(n = 2)"));
    let run = folder.run("report tiny.jsonl --gantt 0/minmin -o no.html");
    run.fails(2, &["tiny.jsonl", "0/minmin@1", "luck"]);
}

/// A picture must not show a run with other values than those measured.
#[test]
fn runs_that_give_other_values_are_not_drawn() {
    let folder = tiny();
    let text = folder.read("tiny.jsonl").replace("\"values\":[", "\"values\":[1");
    folder.write("tiny.jsonl", text);
    folder.run("report tiny.jsonl --gantt 50/mct").fails(2, &["50/mct@1", "other values"]);
    folder.run("report tiny.jsonl").ends(0);
    assert!(folder.read("tiny.html").contains("50/mct@1 cannot be drawn: a new simulation gives"));
}

#[test]
fn bad_results() {
    let folder = tiny();
    let text = folder.read("tiny.jsonl");
    folder.write("empty.jsonl", "").write("foreign.jsonl", "{\"a\":1}\n").write("page.html", &text);
    folder.write("cut.jsonl", &text[..text.len() * 2 / 3]);
    folder.write("short.jsonl", text.lines().take(4).collect::<Vec<_>>().join("\n") + "\n");
    folder.write("future.jsonl", text.replacen("\"gridsat_result\":1", "\"gridsat_result\":9", 1));
    folder.write("bytes.jsonl", [0xff, 0xfe, b'\n']);
    let before = folder.list();
    for (words, part) in [
        ("report no.jsonl", "no.jsonl"),
        ("report .", "cannot read"),
        ("report empty.jsonl", "not a result"),
        ("report foreign.jsonl", "line 1: not a result"),
        ("report cut.jsonl", "line"),
        ("report short.jsonl", "the end is missing"),
        ("report future.jsonl", "format version 9"),
        ("report bytes.jsonl", "UTF-8"),
        ("report tiny.toml", "not a result"),
        ("report tiny.jsonl cut.jsonl", "cut.jsonl"),
        ("report page.html", "would replace the result"),
        ("report tiny.jsonl -o tiny.jsonl", "would replace the result"),
        ("report tiny.jsonl --gantt 51/mct", "no run '51/mct'"),
        ("report tiny.jsonl --gantt mct --no-gantt", "--no-gantt"),
        ("report", "RESULT"),
        ("report tiny.jsonl --png", "--figures"),
        #[cfg(not(feature = "png"))]
        ("report tiny.jsonl --png --figures f", "feature 'png'"),
    ] {
        folder.run(words).fails(2, &[part]);
        assert_eq!(folder.list(), before, "{words}");
    }
}

#[test]
fn bad_places() {
    let folder = tiny();
    folder.write("tiny.html", "precious");
    let before = folder.list();
    for (words, part) in [
        ("report tiny.jsonl -o no/page.html", "no/page.html"),
        ("report tiny.jsonl --figures tiny.toml", "tiny.toml"),
        ("report tiny.jsonl --csv tiny.toml/x", "tiny.toml/x"),
    ] {
        folder.run(words).fails(2, &[part]);
        assert_eq!(folder.list(), before, "{words}");
    }
    assert_eq!(folder.read("tiny.html"), "precious");
    if cfg!(target_os = "linux") {
        folder.run("report tiny.jsonl -o /dev/full").fails(1, &["/dev/full"]);
    }
    let page = folder.run("report tiny.jsonl -o -").ends(0).out;
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
}

#[cfg(feature = "png")]
#[test]
fn figures_as_png() {
    let folder = tiny();
    let run = folder.run("report tiny.jsonl --figures f --png --no-gantt");
    if run.err.contains("no fonts") {
        gridsat_test_support::outside::report_missing("fonts");
        return;
    }
    run.ends(0);
    let bytes = std::fs::read(folder.path("f/tiny-makespan-means.png")).expect("it is there");
    assert!(bytes.starts_with(b"\x89PNG"));
}
