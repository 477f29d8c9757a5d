//! scratch
use tests::{combination::Combination, judge::ask_with, random::Family, shrink::show};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let family = Family::ALL.into_iter().find(|f| format!("{f:?}") == a[1]).unwrap();
    let seed: u64 = a[2].parse().unwrap();
    let index: usize = a[3].parse().unwrap();
    let p = &family.problems(seed)[index];
    println!("{}", show(p));
    for c in Combination::sample(seed.wrapping_mul(1_000) + index as u64) {
        println!("{c:?}");
        let t = std::time::Instant::now();
        let r = ask_with(p, &c);
        println!("   {:?} {:?}", r.map(|a| a.is_coverable()).map_err(|f| f.to_string()), t.elapsed());
    }
}
