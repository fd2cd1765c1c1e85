use gridsat::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let inst = io::read_file(&a[1], &Default::default()).unwrap();
    let k: u64 = a[2].parse().unwrap();
    let w = vec![1u64; inst.host_count()];
    let mut ascent = bounds::Ascent::new(&inst, &w, k + 1);
    let d = bounds::Domain::new(&inst, k).unwrap();
    for _ in 0..4 {
        let t = std::time::Instant::now();
        let c = ascent.climb(&d, 100, &|| false);
        println!(
            "gap {:.6} {:?} per pack {:?}",
            c.gap,
            t.elapsed(),
            t.elapsed() / 100 / inst.host_count() as u32
        );
    }
}
