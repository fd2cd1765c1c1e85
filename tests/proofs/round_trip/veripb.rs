//! VeriPB proofs, valid and damaged, checked by `veripb`.

use super::*;

/// The verdict of `veripb` on the files `c.opb` and `c.pbp`.
fn check(program: &Path, folder: &Folder) -> Run {
    let mut command = Command::new(program);
    Run::of(command.arg(folder.path("c.opb")).arg(folder.path("c.pbp")))
}

fn verified(optimum: Ticks) -> String {
    format!("s VERIFIED BOUNDS {optimum} <= obj <= {optimum}")
}

#[track_caller]
fn accepts(program: &Path, folder: &Folder, optimum: Ticks, context: &str) {
    let run = check(program, folder);
    assert_eq!(run.code, Some(0), "{context}: {run:?}");
    assert!(run.out.lines().any(|line| line == verified(optimum)), "{context}: {run:?}");
}

#[track_caller]
fn rejects(program: &Path, folder: &Folder, optimum: Ticks, context: &str) {
    let run = check(program, folder);
    assert!(!run.out.contains(&verified(optimum)), "{context}: {run:?}");
}

#[test]
fn tiny_instances_of_all_kinds() {
    let Some(program) = installed("veripb") else { return };
    for seed in 0..100 {
        let instance = tiny::instance(seed);
        let folder = folder(&instance);
        let load = ["adder", "bdd", "totalizer", "counter"][seed as usize / 10 % 4];
        let strategy = if seed % 3 == 0 { "auto" } else { "sat" };
        let words =
            format!("solve a.json --strategy {strategy} --encoding {load} --certificate c.pbp");
        folder.run(&words).ends(0);
        let context = format!("seed {seed}, {strategy}, {load}");
        accepts(&program, &folder, tiny::optimum(&instance), &context);
    }
}

#[test]
fn reference_instances_in_every_encoding() {
    let Some(program) = installed("veripb") else { return };
    let known = [
        ("U1-100_6x3", 56),
        ("ready_6x3", 69),
        ("sparse_6x3", 84),
        ("decimal_6x3", 3479),
        ("u_i_hihi_6x3", 0),
        ("U1-100_9x3", 97),
    ];
    for (name, ticks) in known {
        for load in ["adder", "bdd", "totalizer", "counter"] {
            let folder = reference(name);
            let words = format!(
                "solve a.json --strategy sat --encoding {load} --format json --certificate \
                 c.pbp"
            );
            let makespan = folder.run(&words).ends(0).json()["makespan"].clone();
            let ticks = if ticks == 0 { makespan.as_u64().expect("whole") } else { ticks };
            accepts(&program, &folder, Ticks(ticks), &format!("{name}, {load}"));
        }
    }
}

/// Hosts of speed 3 and the like, so that times are no decimals and a tick is a part of the unit.
#[test]
fn instances_in_parts_of_the_unit_have_proofs() {
    let Some(program) = installed("veripb") else { return };
    let speeds = [["1", "3"], ["3", "2"], ["7/5", "3"], ["3", "3"]];
    let mut in_parts = 0;
    for seed in 0..12_u64 {
        let tasks: Vec<u64> = (0..6).map(|t| 1 + (seed * 7 + t * t * 5 + t) % 13).collect();
        let hosts = speeds[seed as usize % 4].map(|speed| format!("{{\"speed\": \"{speed}\"}}"));
        let text = format!("{{\"tasks\": {tasks:?}, \"hosts\": [{}]}}", hosts.join(", "));
        let instance: Instance = text.parse().expect("valid");
        let folder = Folder::default();
        folder.write("a.json", text);
        folder.run("solve a.json --certificate c.pbp").ends(0);
        accepts(&program, &folder, tiny::optimum(&instance), &format!("seed {seed}"));
        folder.run("solve a.json --certificate c.json").ends(0);
        in_parts += usize::from(folder.read("c.json").contains("\"parts\""));
    }
    assert!(in_parts > 6, "{in_parts}");
}

#[test]
fn the_thesis_strategy_has_a_proof_too() {
    let Some(program) = installed("veripb") else { return };
    for (seed, instance) in instances(20) {
        let folder = folder(&instance);
        folder.run("solve a.json --strategy thesis --certificate c.pbp").ends(0);
        accepts(&program, &folder, tiny::optimum(&instance), &format!("seed {seed}"));
    }
}

/// If the search is stopped at once, the proof is about the bounds known by then.
#[test]
fn unfinished_searches_prove_their_bounds() {
    let Some(program) = installed("veripb") else { return };
    let folder = reference("jobcorr_16x4");
    let words = "solve a.json --time-limit 0 --format json --certificate c.pbp";
    let run = folder.run(words);
    assert_eq!(run.code, Some(3), "{run:?}");
    let (lower, upper) = (&run.json()["lower_bound"], &run.json()["makespan"]);
    let expected = format!("s VERIFIED BOUNDS {lower} <= obj <= {upper}");
    let checked = check(&program, &folder);
    assert!(checked.out.contains(&expected), "{expected}: {checked:?}");
}

/// Optima that rest on prices, on fixed pairs and on a formula for the rest of a tree.
#[test]
fn prices_and_cases_have_proofs() {
    let Some(program) = installed("veripb") else { return };
    for (name, optimum, rule) in [
        ("U100-200_30x5", 704, "prices"),
        ("sparse_9x3", 105, "tree"),
        ("u_i_hihi_16x4", 1_924_996, "tree"),
    ] {
        let folder = reference(name);
        folder.run("solve a.json --certificate c.pbp").ends(0);
        accepts(&program, &folder, Ticks(optimum), name);
        folder.run("solve a.json --certificate c.json").ends(0);
        assert!(folder.read("c.json").contains(&format!("\"rule\": \"{rule}\"")), "{name}");
    }
    let (folder, optimum) = by_cases();
    accepts(&program, &folder, optimum, "fixed pairs and a formula");
}

/// An optimum that rests on fixed pairs and a formula for what is left.
fn by_cases() -> (Folder, Ticks) {
    let folder = Folder::default();
    let words = "generate etc --class jobcorr --tasks 40 --hosts 8 --seed 7 --output a.json";
    folder.run(words).ends(0);
    let makespan = folder.run("solve a.json --format json --certificate c.json").ends(0);
    let certificate = folder.read("c.json");
    for rule in ["fix", "unsat"] {
        assert!(certificate.contains(&format!("\"rule\": \"{rule}\"")), "{certificate}");
    }
    folder.run("solve a.json --certificate c.pbp").ends(0);
    (folder, Ticks(makespan.json()["makespan"].as_u64().expect("whole")))
}

/// A tree that branches on every pair, with pairs fixed by arbitrary prices in between.
#[test]
fn any_tree_of_a_tiny_instance_has_a_proof() {
    let Some(program) = installed("veripb") else { return };
    let mut proven = 0;
    for seed in 0..60 {
        let instance = tiny::instance(seed);
        let (n, m) = (instance.task_count(), instance.host_count());
        let optimum = tiny::optimum(&instance);
        let Some(k) = optimum.checked_sub(Ticks(1)).filter(|_| n * m <= 9) else { continue };
        let nodes = every_case(n, m, seed);
        accepts_tree(&program, &instance, k, nodes, &format!("seed {seed}"));
        proven += 1;
    }
    assert!(proven > 20, "{proven}");
}

/// One host of the part, all of them, and some; no solver is asked.
#[test]
fn parts_of_equal_hosts_have_proofs() {
    let Some(program) = installed("veripb") else { return };
    for (times, hosts, part, optimum) in [
        (vec![6, 6, 5, 5, 4, 1], 2, (1, 5, false), 14),
        (vec![5, 5, 5, 5, 5], 2, (2, 5, true), 15),
        (vec![3, 2, 2, 2, 2], 3, (3, 5, false), 4),
        (vec![4, 4, 4], 2, (2, 3, true), 8),
        (vec![5, 5, 4, 2, 2], 3, (2, 5, false), 7),
    ] {
        let rows = times.iter().map(|&time: &u64| vec![time; hosts]);
        let instance = Instance::from_rows(rows).expect("valid");
        assert_eq!(tiny::optimum(&instance), Ticks(optimum), "{times:?}");
        let (hosts, tasks, sums) = part;
        let reason = Reason::Part { k: Ticks(optimum - 1), hosts, tasks, sums };
        accepts_reason(&program, &instance, reason, &format!("{times:?}"));
    }
}

/// All claims of the rule that the checker accepts, with neither one host nor all.
#[test]
fn whatever_a_part_proves_has_a_proof() {
    let Some(program) = installed("veripb") else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(24);
    let mut proven = 0;
    while proven < 60 {
        let (tasks, hosts) = (rng.random_range(4..9), rng.random_range(3..5));
        let row = |time: u64| vec![time; hosts];
        let rows: Vec<_> = (0..tasks).map(|_| row(rng.random_range(0..9))).collect();
        let instance = Instance::from_rows(rows).expect("valid");
        let optimum = tiny::optimum(&instance);
        for claim in part::claims(&instance).iter().filter(|claim| claim.lower_bound == optimum) {
            let [Step::Part { k, hosts: some, tasks, sums }] = claim.steps[..] else { continue };
            let is_some = 1 < some && some < hosts as u32;
            if !is_some || verify(&instance, claim).is_err() {
                continue;
            }
            let reason = Reason::Part { k, hosts: some, tasks, sums };
            let context = format!("{instance:?} {reason:?}");
            accepts_reason(&program, &instance, reason, &context);
            proven += 1;
        }
    }
}

/// Prices of works, on hosts of any speed, that refute k before a host is filled.
#[test]
fn fillings_by_prices_alone_have_proofs() {
    let Some(program) = installed("veripb") else { return };
    let mut rng = ChaCha8Rng::seed_from_u64(25);
    let mut proven = 0;
    while proven < 40 {
        let (tasks, hosts) = (rng.random_range(4..8), rng.random_range(2..4));
        let slowness: Vec<u64> = (0..hosts).map(|_| rng.random_range(1..4)).collect();
        let works: Vec<u64> = (0..tasks).map(|_| rng.random_range(0..9)).collect();
        let row = |work: &u64| slowness.iter().map(|slow| work * slow).collect::<Vec<_>>();
        let instance = Instance::from_rows(works.iter().map(row)).expect("valid");
        let Some(k) = tiny::optimum(&instance).checked_sub(Ticks(1)) else { continue };
        // Longer tasks cost more, as in most proofs.
        let distinct = BTreeSet::from_iter(works.iter().filter(|&&work| work > 0)).len();
        let mut prices: Vec<u64> = (0..distinct).map(|_| rng.random_range(0..5)).collect();
        prices.sort_unstable_by(|a, b| b.cmp(a));
        let nodes = vec![FillingNode::Prices { prices }];
        if verify(&instance, &fillings::claim(&instance, k, nodes.clone())).is_err() {
            continue;
        }
        let context = format!("{instance:?} {nodes:?}");
        let reason = Reason::Fillings { k, nodes };
        accepts_reason(&program, &instance, reason, &context);
        proven += 1;
    }
}

/// Fillings of any kind that the search finds, if prices refute k at their root.
#[test]
fn fillings_found_by_the_search_have_proofs() {
    let Some(program) = installed("veripb") else { return };
    let proofs = fillings::proofs(&mut ChaCha8Rng::seed_from_u64(26), 40);
    let is_forced = |node: &FillingNode| matches!(node, FillingNode::Forced { .. });
    let forced = proofs.iter().filter(|proof| proof.nodes.iter().any(is_forced)).count();
    assert!(forced > 20, "{forced}");
    for fillings::Proof { instance, mapping, k, nodes } in proofs {
        let context = format!("{instance:?} {nodes:?}");
        let reason = Reason::Fillings { k, nodes };
        accepts_with(&program, &instance, &mapping, reason, &context);
    }
}

/// Two long tasks have a price and need a host each. The third has none, so it takes no part in
/// the sums, but with it on a host no long task fits there.
#[test]
fn tasks_without_a_price_are_ruled_out_too() {
    let Some(program) = installed("veripb") else { return };
    let instance = Instance::from_rows([[5, 5], [5, 5], [4, 4]]).expect("valid");
    let nodes = vec![Node::Fix { prices: vec![1, 1, 0] }, Node::Nowhere];
    accepts_tree(&program, &instance, Ticks(8), nodes, "no price");
}

/// Writes the proof that the tree refutes k, and has it checked.
#[track_caller]
fn accepts_tree(
    program: &Path,
    instance: &Instance,
    k: Ticks,
    nodes: Vec<Node<OpenCase>>,
    context: &str,
) {
    accepts_reason(program, instance, Reason::Tree { k, nodes }, context);
}

/// Writes the proof that rests on the reason, and has it checked. No solver is asked.
#[track_caller]
fn accepts_reason(program: &Path, instance: &Instance, reason: Reason, context: &str) {
    accepts_with(program, instance, &tiny::best(instance), reason, context);
}

/// The same with a mapping whose makespan is the bound.
#[track_caller]
fn accepts_with(
    program: &Path,
    instance: &Instance,
    mapping: &Mapping,
    reason: Reason,
    context: &str,
) {
    let (folder, k) = (folder(instance), reason.k());
    let mut statement = Vec::new();
    Opb::new(instance).write(None, &mut statement).expect("writable");
    folder.write("c.opb", statement);
    let solver = SolverChoice::Varisat.build().expect("embedded");
    let no_encoding = || panic!("{context}: a solver is asked");
    let refuter = Refuter { encoding: &no_encoding, solver: &*solver, stop: &Stop::never() };
    let mut proof = Vec::new();
    write_proof(instance, mapping, &reason.into(), &refuter, &mut proof)
        .unwrap_or_else(|error| panic!("{context}: {error}"));
    folder.write("c.pbp", proof);
    accepts(program, &folder, k + Ticks(1), context);
}

/// In depth-first order; every branch is preceded by prices.
fn every_case(tasks: usize, hosts: usize, seed: u64) -> Vec<Node<OpenCase>> {
    let mut nodes = Vec::new();
    let mut open = vec![0];
    while let Some(pair) = open.pop() {
        if pair == tasks * hosts {
            nodes.push(Node::Nowhere);
            continue;
        }
        let price = |t: usize| (seed + 7 * t as u64 + 3 * pair as u64) % 11;
        nodes.push(Node::Fix { prices: (0..tasks).map(price).collect() });
        let (task, host) = ((pair / hosts) as u32, (pair % hosts) as u32);
        nodes.push(Node::Branch { task, host });
        open.extend([pair + 1, pair + 1]);
    }
    nodes
}

/// A proof or a statement that is too large is not written; the JSON certificate is.
#[test]
fn files_beyond_the_limit_are_replaced_by_the_certificate() {
    for (limit, file) in [("100kB", "VeriPB proof"), ("2kB", "statement for VeriPB")] {
        let folder = reference("U100-200_30x5");
        let run = folder.run(&format!("solve a.json --certificate c.pbp --proof-limit {limit}"));
        assert_eq!(run.code, Some(3), "{run:?}");
        assert!(run.err.contains(&format!("the {file} would take ")), "{run:?}");
        assert_eq!(folder.list(), ["a.json", "c.json"]);
        folder.run("verify a.json c.json").ends(0);
    }
    let folder = reference("U100-200_30x5");
    let run = folder.run("solve a.json --certificate c.pbp --proof-limit 1TB");
    assert!(run.err.contains("expected a size such as 500MB or 4GB"), "{run:?}");
}

/// An instance whose proof needs a search, and its optimum.
fn proven() -> (Folder, Ticks) {
    let folder = reference("U1-100_6x3");
    folder.run("solve a.json --strategy sat --certificate c.pbp").ends(0);
    (folder, Ticks(56))
}

/// The same by prices.
fn by_prices() -> (Folder, Ticks) {
    let folder = reference("sparse_16x4");
    folder.run("solve a.json --certificate c.pbp").ends(0);
    (folder, Ticks(88))
}

#[test]
fn damaged_proofs_are_rejected() {
    let Some(program) = installed("veripb") else { return };
    for (folder, optimum) in [proven(), by_prices(), by_cases()] {
        damaged(&program, &folder, optimum);
    }
}

fn damaged(program: &Path, folder: &Folder, optimum: Ticks) {
    accepts(program, folder, optimum, "undamaged");
    let proof = folder.read("c.pbp");
    let lines: Vec<_> = proof.lines().collect();
    let half = lines[..lines.len() / 2].join("\n") + "\n";
    let ending = lines[lines.len() - 3..].join("\n") + "\n";
    let claim = |lower: Ticks| {
        let told = format!("BOUNDS {optimum} ");
        assert!(proof.contains(&told));
        proof.replace(&told, &format!("BOUNDS {lower} "))
    };
    for (what, damaged, claimed) in [
        ("a higher bound", claim(optimum + Ticks(1)), optimum + Ticks(1)),
        ("cut short", half.clone(), optimum),
        ("no middle", half + &ending, optimum),
        ("no first solution", proof.replacen("soli", "* soli", 1), optimum),
    ] {
        folder.write("c.pbp", damaged);
        rejects(program, folder, claimed, what);
        rejects(program, folder, optimum, what);
    }
}

/// The proof is about this matrix: with a shorter time it holds only if the optimum stays the
/// same.
#[test]
fn a_proof_of_another_instance_is_rejected() {
    let Some(program) = installed("veripb") else { return };
    let (folder, optimum) = proven();
    let instance = read_file(folder.path("a.json"), &ReadOptions::default()).expect("valid");
    for (task, (host, _)) in
        instance.tasks().flat_map(|task| instance.times(task).map(move |pair| (task, pair)))
    {
        let other = tiny::with_time(&instance, task, host, Ticks(1));
        let mut statement = Vec::new();
        Opb::new(&other).write(None, &mut statement).expect("writable");
        folder.write("c.opb", statement);
        let run = check(&program, &folder);
        let still = run.out.contains(&verified(optimum));
        assert!(!still || tiny::optimum(&other) == optimum, "{task:?}, {host:?}: {run:?}");
    }
}
