//! Try.
use monabs::verify::*;
fn main() {
    env_logger::init();
    frontend::parse::on_large_stack(|| {
    let path = std::env::args().nth(1).unwrap_or_default();
    let t = frontend::translate::translate_file(std::path::Path::new(&path), &Default::default(), &Default::default(), &[]).map_err(|e| eprintln!("{e:?}")).ok();
    let Some(t) = t else { return };
    let (program, _) = frontend::reduce::reduce(t.program, &Default::default());
    let options = Options{ search: std::env::var("NOSEARCH").is_err(), ..Options::default()};
    match verify(&program, &options, &mut Nobody) {
        Ok(o) => { eprintln!("{:?}", o.statistics); match o.verdict {
        Verdict::Safe(_) => println!("SAFE {} iterations {} predicates {} transitions", o.statistics.iterations, o.predicates.len(), o.statistics.transitions),
        Verdict::Unsafe(b) => println!("UNSAFE {} steps {} threads {} iterations {}", b.run.steps.len(), b.run.threads, program.properties[b.property].name, o.statistics.iterations),
        Verdict::Unknown(r) => println!("UNKNOWN {r:?}"),
        }},
        Err(e) => println!("STOP {e}"),
    }
    })
}
