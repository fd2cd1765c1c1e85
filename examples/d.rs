use gridsat::*;
use gridsat::model::*;
use gridsat::knapsack::{pack, Item};
use std::collections::HashMap;
use std::io::Write;
// dump kernel CNF with joint diagrams
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let inst = io::read_file(&a[1], &Default::default()).unwrap();
    let k: u64 = a[2].parse().unwrap();
    let total: u128 = a[3].parse().unwrap();
    let w = vec![1u64; inst.host_count()];
    let mut ascent = bounds::Ascent::new(&inst, &w, k + 1);
    let mut d = bounds::Domain::new(&inst, k).unwrap();
    let t = std::time::Instant::now();
    kernel::shrink(&mut d, &mut ascent, (400, 100), &|| false).unwrap();
    eprintln!("pairs {} unplaced {} {:?}", d.pairs(), d.unplaced(), t.elapsed());
    let whole = ascent.prices();
    let sum = d.unplaced_total(&whole) as u128;
    let prices: Vec<u64> = inst.tasks().map(|t| if d.placed(t).is_some() { 0 } else { (whole[t.index()] as u128 * total / sum) as u64 }).collect();
    let tot: u64 = prices.iter().sum();
    let mut kp = vec![];
    for h in inst.hosts() {
        let items: Vec<Item> = d.open(h).iter().map(|&(t, w)| Item { name: t.0, value: prices[t.index()], weight: w }).collect();
        kp.push(pack(&items, d.room(h), 10_000_000).at_most);
    }
    let s = kp.iter().sum::<u64>() - tot;
    eprintln!("slack {s} of {tot}");
    let mut nv = 0i32;
    let mut clauses: Vec<Vec<i32>> = vec![];
    let mut x: HashMap<(u32, u32), i32> = HashMap::new();
    for h in inst.hosts() { for &(t, _) in d.open(h) { nv += 1; x.insert((t.0, h.0), nv); } }
    for t in inst.tasks() {
        let lits: Vec<i32> = inst.hosts().filter_map(|h| x.get(&(t.0, h.0)).copied()).collect();
        if d.placed(t).is_some() { continue; }
        for i in 0..lits.len() { for j in 0..i { clauses.push(vec![-lits[i], -lits[j]]); } }
        clauses.push(lits);
    }
    let mut nodes_total = 0;
    for h in inst.hosts() {
        let mut items: Vec<(TaskId, u64)> = d.open(h).to_vec();
        match a[4].as_str() {
            "rate" => items.sort_by(|a, b| (prices[b.0.index()] as f64 / b.1 as f64).total_cmp(&(prices[a.0.index()] as f64 / a.1 as f64))),
            "big" => items.sort_by_key(|a| std::cmp::Reverse(a.1)),
            _ => {}
        }
        let n = items.len();
        let cap = d.room(h) as usize;
        let need = kp[h.index()].saturating_sub(s);
        // backward table
        let mut best = vec![vec![0u64; cap + 1]; n + 1];
        for i in (0..n).rev() {
            let (w, v) = (items[i].1 as usize, prices[items[i].0.index()]);
            for c in 0..=cap { best[i][c] = best[i + 1][c].max(if c >= w { best[i + 1][c - w] + v } else { 0 }); }
        }
        // top-down
        let mut layers: Vec<HashMap<(usize, u64), usize>> = vec![HashMap::from([((0, 0), 0)])];
        let mut states: Vec<Vec<(usize, u64)>> = vec![vec![(0, 0)]];
        for i in 0..n {
            let mut m = HashMap::new(); let mut st = vec![];
            let (w, v) = (items[i].1 as usize, prices[items[i].0.index()]);
            for &(cw, cv) in &states[i] {
                for (nw, nvv) in [(cw, cv), (cw + w, cv + v)] {
                    if nw <= cap && nvv + best[i + 1][cap - nw] >= need {
                        m.entry((nw, nvv)).or_insert_with(|| { st.push((nw, nvv)); st.len() - 1 });
                    }
                }
            }
            layers.push(m); states.push(st);
        }
        let raw: usize = states.iter().map(|s| s.len()).sum();
        // bottom-up reduce
        const BOT: usize = usize::MAX;
        let mut id: Vec<usize> = vec![0; states[n].len()]; // all accept -> node 0 at layer n
        let mut red: Vec<Vec<(usize, usize)>> = vec![vec![]; n + 1];
        red[n] = vec![(BOT, BOT)];
        for i in (0..n).rev() {
            let (w, v) = (items[i].1 as usize, prices[items[i].0.index()]);
            let mut uniq: HashMap<(usize, usize), usize> = HashMap::new();
            let mut ids = vec![];
            for &(cw, cv) in &states[i] {
                let get = |k: (usize, u64)| layers[i + 1].get(&k).map_or(BOT, |&j| id[j]);
                let lo = get((cw, cv)); let hi = get((cw + w, cv + v));
                if lo == BOT && hi == BOT { ids.push(BOT); continue; }
                let r = &mut red[i];
                let u = *uniq.entry((lo, hi)).or_insert_with(|| { r.push((lo, hi)); r.len() - 1 });
                ids.push(u);
            }
            id = ids;
        }
        let count: usize = red.iter().map(|r| r.len()).sum();
        nodes_total += count;
        eprintln!("host {} items {n} cap {cap} raw {raw} reduced {count}", h.0);
        // encode
        let vars: Vec<Vec<i32>> = red.iter().map(|r| r.iter().map(|_| { nv += 1; nv }).collect()).collect();
        clauses.push(vec![vars[0][0]]);
        for i in 0..n {
            let xl = x[&(items[i].0.0, h.0)];
            let mut parents: Vec<Vec<i32>> = vec![vec![]; red[i + 1].len()];
            let (mut his, mut los) = (vec![-xl], vec![xl]);
            for (j, &(lo, hi)) in red[i].iter().enumerate() {
                let nd = vars[i][j];
                if hi == BOT { clauses.push(vec![-nd, -xl]); } else { clauses.push(vec![-nd, -xl, vars[i + 1][hi]]); his.push(nd); parents[hi].push(nd);
                    clauses.push(vec![-vars[i+1][hi], -xl, nd]); clauses.pop(); }
                if lo == BOT { clauses.push(vec![-nd, xl]); } else { clauses.push(vec![-nd, xl, vars[i + 1][lo]]); los.push(nd); if !parents[lo].contains(&nd) { parents[lo].push(nd); } }
            }
            clauses.push(his); clauses.push(los);
            for (j, p) in parents.into_iter().enumerate() { let mut c = vec![-vars[i + 1][j]]; c.extend(p); clauses.push(c); }
        }
    }
    eprintln!("nodes {nodes_total} vars {nv} clauses {}", clauses.len());
    let mut f = std::io::BufWriter::new(std::fs::File::create(&a[5]).unwrap());
    writeln!(f, "p cnf {nv} {}", clauses.len()).unwrap();
    for c in clauses { for l in c { write!(f, "{l} ").unwrap(); } writeln!(f, "0").unwrap(); }
}
