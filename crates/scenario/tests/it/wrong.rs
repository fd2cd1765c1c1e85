//! Invalid values and their one-line messages; the tables are in `wrong/`.

#[test]
fn wrong_grids_in_one_line() {
    assert_eq!(check(include_str!("wrong/grids.txt"), crate::grid::error), 242);
}

#[test]
fn wrong_clusters_in_one_line() {
    assert_eq!(check(include_str!("wrong/clusters.txt"), crate::clusters::error), 52);
}

/// Tries all cases of a table and returns their number.
fn check(table: &str, error: impl Fn(&str) -> String) -> usize {
    let (mut place, mut file, mut count, mut placed) = ("", "", 0, 0);
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(next) = line.strip_prefix("place:") {
            place = next;
        } else if let Some(next) = line.strip_prefix("file: ") {
            file = next;
        } else {
            let (keys, expected) = match line.split_once('→') {
                Some((keys, what)) => (keys, format!("x.toml:{place}{what}")),
                None => {
                    let (keys, what) = line.split_once('⇒').expect("an arrow");
                    (keys, format!("x.toml:{what}"))
                }
            };
            let text = filled(file, keys.trim());
            let found = error(&text);
            placed += usize::from(found != without_place(&found));
            let has_place = expected != without_place(&expected);
            let found = if has_place { found } else { without_place(&found) };
            assert_eq!(found, expected, "\n{text}");
            count += 1;
        }
    }
    // The others concern something the file does not have, such as a job.
    assert!(10 * placed >= 9 * count, "only {placed} of {count} have a place");
    count
}

/// The message without line and column.
fn without_place(error: &str) -> String {
    let place = error.strip_prefix("x.toml:").and_then(|rest| rest.split_once(": "));
    match place {
        Some((place, what)) if place.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("x.toml: {what}")
        }
        _ => error.to_owned(),
    }
}

#[test]
fn faults_found_after_parsing_have_their_place() {
    let grid = "[[resource]]\nmips = 1\n[[job]]\nmi = 5\n[[scheduler]]\npolicy = 'minmn'\n";
    let found = crate::grid::error(grid);
    let expected =
        "x.toml:6:10: scheduler[0]: policy \"minmn\" is unknown; did you mean 'minmin'? ";
    assert!(found.starts_with(expected), "{found}");
    let json = "{ \"resource\": [{ \"mips\": 1 }], \"job\": [{ \"mi\": 5 }],\n  \"stop\": { \"jobs\": 0 } }";
    let found = crate::grid::error_in(json, gridsat_scenario::Syntax::Json);
    assert_eq!(found, "x.toml:2:21: stop: jobs is 0, must be above 0");
    let clusters = "[[cluster]]\nnodes = 4\n[scheduler]\npolicy = 'eesy'\n[[job]]\nrun = 1\n";
    let found = crate::clusters::error(clusters);
    assert!(found.starts_with("x.toml:4:10: scheduler: policy \"eesy\" is unknown"), "{found}");
}

/// The file with these keys inserted, and without the keys they replace.
fn filled(file: &str, keys: &str) -> String {
    let (before, after) = file.split_once('…').expect("a gap");
    let key = |line: &str| line.split(" = ").next().map(str::to_owned);
    let own = keys.split("; ").take_while(|line| !line.starts_with('[')).map(key);
    let own: Vec<_> = own.collect();
    let lines: Vec<&str> = before.split("; ").collect();
    let table = lines.iter().rposition(|line| line.starts_with('[')).unwrap_or(0);
    let stays = |(at, line): &(usize, &str)| *at <= table || !own.contains(&key(line));
    let kept = lines.iter().copied().enumerate().filter(stays).map(|(_, line)| line);
    let before = kept.collect::<Vec<_>>().join("; ");
    format!("{before}{keys}{after}").replace("; ", "\n") + "\n"
}
