//! Values that make no sense, and the one line that is said of each: the tables are in `wrong/`.

#[test]
fn wrong_grids_in_one_line() {
    assert_eq!(check(include_str!("wrong/grids.txt"), crate::grid::error), 185);
}

#[test]
fn wrong_clusters_in_one_line() {
    assert_eq!(check(include_str!("wrong/clusters.txt"), crate::clusters::error), 52);
}

/// Tries all cases of a table; how many there are.
fn check(table: &str, error: impl Fn(&str) -> String) -> usize {
    let (mut place, mut file, mut count) = ("", "", 0);
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
            assert_eq!(error(&text), expected, "\n{text}");
            count += 1;
        }
    }
    count
}

/// The file with these keys in its gap, and without those they replace.
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
