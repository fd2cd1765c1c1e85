//! OPB and MPS files, read by a tiny evaluator that tries every assignment.

use super::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    AtLeast,
    AtMost,
    Equal,
}

/// `Σ factor·variable`, compared with a constant.
#[derive(Clone, Debug)]
struct Row {
    terms: Vec<(i128, String)>,
    relation: Relation,
    right: i128,
}

/// A problem in 0/1 variables and, in MPS, with the makespan.
#[derive(Debug, Default)]
struct Problem {
    objective: Vec<(i128, String)>,
    rows: Vec<Row>,
}

type Values = BTreeMap<String, i128>;

fn sum(terms: &[(i128, String)], values: &Values) -> i128 {
    terms.iter().map(|(factor, name)| factor * values.get(name).copied().unwrap_or(0)).sum()
}

impl Problem {
    fn accepts(&self, values: &Values) -> bool {
        self.rows.iter().all(|row| {
            let left = sum(&row.terms, values);
            match row.relation {
                Relation::AtLeast => left >= row.right,
                Relation::AtMost => left <= row.right,
                Relation::Equal => left == row.right,
            }
        })
    }
}

fn terms(words: &[&str]) -> Vec<(i128, String)> {
    let term = |pair: &[&str]| (pair[0].parse().expect("a factor"), pair[1].to_owned());
    words.chunks(2).map(term).collect()
}

fn read_opb(text: &str) -> Problem {
    let mut problem = Problem::default();
    for line in text.lines().filter(|line| !line.starts_with('*')) {
        let line = line.strip_suffix(" ;").expect("a full line");
        let words: Vec<_> = line.split_whitespace().collect();
        if words[0] == "min:" {
            problem.objective = terms(&words[1..]);
            continue;
        }
        let (left, right) = words.split_at(words.len() - 2);
        let relation = if right[0] == "=" { Relation::Equal } else { Relation::AtLeast };
        assert!(["=", ">="].contains(&right[0]), "{line}");
        let right = right[1].parse().expect("a number");
        problem.rows.push(Row { terms: terms(left), relation, right });
    }
    problem
}

/// Columns `x_t_h` must be bounded to 0/1; the bounds are checked, then dropped.
fn read_mps(text: &str) -> Problem {
    let mut rows: Vec<(String, Option<Row>)> = Vec::new();
    let mut problem = Problem::default();
    let (mut section, mut columns, mut binary) = ("", Vec::new(), Vec::new());
    for line in text.lines().filter(|line| !line.starts_with('*')) {
        let words: Vec<_> = line.split_whitespace().collect();
        match (line.starts_with(' '), section, &words[..]) {
            (false, _, _) => section = words[0],
            (true, "ROWS", ["N", name]) => rows.push(((*name).to_owned(), None)),
            (true, "ROWS", [kind, name]) => {
                let relation = if *kind == "E" { Relation::Equal } else { Relation::AtMost };
                assert!(["E", "L"].contains(kind), "{line}");
                let row = Row { terms: Vec::new(), relation, right: 0 };
                rows.push(((*name).to_owned(), Some(row)));
            }
            (true, "COLUMNS", [_, "'MARKER'", _]) => {}
            (true, "COLUMNS", [column, row, factor]) => {
                columns.push((*column).to_owned());
                let term = (factor.parse().expect("a factor"), (*column).to_owned());
                let (_, row) = rows.iter_mut().find(|(name, _)| name == row).expect("a row");
                row.as_mut().map_or(&mut problem.objective, |row| &mut row.terms).push(term);
            }
            (true, "RHS", [_, row, right]) => {
                let (_, row) = rows.iter_mut().find(|(name, _)| name == row).expect("a row");
                row.as_mut().expect("not the objective").right = right.parse().expect("a number");
            }
            (true, "BOUNDS", ["BV", _, column]) => binary.push((*column).to_owned()),
            _ => panic!("{section}: {line}"),
        }
    }
    assert_eq!(section, "ENDATA");
    columns.retain(|column| column.starts_with('x'));
    columns.dedup();
    assert_eq!(columns, binary);
    problem.rows = rows.into_iter().filter_map(|(_, row)| row).collect();
    problem
}

/// The name of each possible pair in both formats.
fn pairs(instance: &Instance) -> Vec<(u32, u32, String, String)> {
    let opb = Opb::new(instance);
    let of_task = |task| {
        let hosts: Vec<_> = instance.times(task).map(|(host, _)| host).collect();
        hosts.into_iter().map(move |host| (task, host))
    };
    let pairs = instance.tasks().flat_map(of_task);
    pairs
        .map(|(t, h)| (t.0, h.0, format!("x{}", opb.pair(t, h)), format!("x_{}_{}", t.0, h.0)))
        .collect()
}

fn opb(instance: &Instance, k: Option<Ticks>) -> Problem {
    let mut out = Vec::new();
    Opb::new(instance).write(k, &mut out).expect("writable");
    let text = String::from_utf8(out).expect("text");
    let problem = read_opb(&text);
    let variables = pairs(instance).len()
        + if k.is_some() { 0 } else { Opb::new(instance).makespan_bits().count() };
    let sizes = format!("* #variable= {variables} #constraint= {}\n", problem.rows.len());
    assert!(text.starts_with(&sizes), "{text}");
    problem
}

fn mps(instance: &Instance, k: Option<Ticks>) -> Problem {
    let mut out = Vec::new();
    write_mps(instance, k, &mut out).expect("writable");
    read_mps(&String::from_utf8(out).expect("text"))
}

/// Every 0/1 assignment of the pairs, and the makespan if it is a mapping.
fn assignments(instance: &Instance) -> Vec<(Values, Values, Option<Ticks>)> {
    let pairs = pairs(instance);
    let hosts = |mapping: &Mapping| mapping.hosts().iter().map(|host| host.0).collect::<Vec<_>>();
    let mappings = tiny::mappings(instance);
    let mappings: BTreeMap<_, _> = mappings.iter().map(|m| (hosts(m), m.makespan())).collect();
    let assignment = |bits: u32| {
        let chosen: Vec<_> =
            pairs.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, p)| p).collect();
        let hosts: Vec<_> = chosen.iter().map(|pair| pair.1).collect();
        let in_order = chosen.iter().map(|pair| pair.0).eq(0..instance.task_count() as u32);
        let makespan = if in_order { mappings.get(&hosts).copied() } else { None };
        let values = |name: fn(&(u32, u32, String, String)) -> String| {
            chosen.iter().map(|pair| (name(pair), 1)).collect()
        };
        (values(|pair| pair.2.clone()), values(|pair| pair.3.clone()), makespan)
    };
    (0..1 << pairs.len()).map(assignment).collect()
}

/// Up to 4 tasks on up to 3 hosts, with few enough pairs for all their subsets.
fn instances() -> impl Iterator<Item = (u64, Instance)> {
    let all = (0..400).map(|seed| (seed, tiny::sized(seed, 4, 3)));
    all.filter(|(_, instance)| pairs(instance).len() <= 8)
}

#[test]
fn decision_problems_accept_exactly_the_mappings_in_time() {
    let mut seen = 0;
    for (seed, instance) in instances() {
        let optimum = tiny::optimum(&instance);
        let assignments = assignments(&instance);
        for k in [optimum.saturating_sub(Ticks(1)), optimum, optimum + Ticks(2)] {
            let (opb, mps) = (opb(&instance, Some(k)), mps(&instance, Some(k)));
            assert!(opb.objective.is_empty() && mps.objective.is_empty());
            for (opb_values, mps_values, makespan) in &assignments {
                let expected = makespan.is_some_and(|makespan| makespan <= k);
                assert_eq!(opb.accepts(opb_values), expected, "seed {seed}, k = {k}");
                assert_eq!(mps.accepts(mps_values), expected, "seed {seed}, k = {k}");
                seen += 1;
            }
        }
    }
    assert!(seen > 30_000, "{seen}");
}

/// Of the values that the makespan's bits may take with a mapping, its makespan is the
/// smallest.
#[test]
fn optimisation_problems_cost_the_makespan() {
    for (seed, instance) in instances() {
        let (opb, mps) = (opb(&instance, None), mps(&instance, None));
        let bits: Vec<_> = Opb::new(&instance).makespan_bits().collect();
        let objective: Vec<_> =
            bits.iter().map(|(value, bit)| (i128::from(*value), format!("x{bit}"))).collect();
        assert_eq!(opb.objective, objective);
        assert_eq!(mps.objective, [(1, "makespan".to_owned())]);
        for (opb_values, mps_values, makespan) in assignments(&instance) {
            let with = |cost: Ticks| {
                let (mut opb_values, mut mps_values) = (opb_values.clone(), mps_values.clone());
                let set = |(value, bit): &(u64, u32)| {
                    (format!("x{bit}"), i128::from(cost.0 & value != 0))
                };
                opb_values.extend(bits.iter().map(set));
                mps_values.insert("makespan".to_owned(), i128::from(cost));
                assert_eq!(sum(&opb.objective, &opb_values), i128::from(cost), "seed {seed}");
                (opb.accepts(&opb_values), mps.accepts(&mps_values))
            };
            let Some(makespan) = makespan else {
                let most = bits.iter().map(|(value, _)| value).sum();
                assert_eq!(with(Ticks(most)), (false, false), "seed {seed}");
                continue;
            };
            assert_eq!(with(makespan), (true, true), "seed {seed}");
            if let Some(less) = makespan.checked_sub(Ticks(1)) {
                assert_eq!(with(less), (false, false), "seed {seed}");
            }
        }
    }
}

/// The program writes what the library does.
#[test]
fn the_program_writes_the_same() {
    let instance = tiny::sized(3, 4, 3);
    let folder = folder(&instance);
    let mut expected = Vec::new();
    Opb::new(&instance).write(None, &mut expected).expect("writable");
    let run = folder.run("export a.json --format opb").ends(0);
    assert_eq!(run.out.as_bytes(), expected);
    let mut expected = Vec::new();
    write_mps(&instance, Some(Ticks(9)), &mut expected).expect("writable");
    let run = folder.run("export a.json --format mps -k 9").ends(0);
    assert_eq!(run.out.as_bytes(), expected);
}
