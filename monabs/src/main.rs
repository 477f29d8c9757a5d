//! Try.
fn main() {
    env_logger::init();
    frontend::parse::on_large_stack(|| {
    let path = std::env::args().nth(1).unwrap_or_default();
    let t = frontend::translate::translate_file(std::path::Path::new(&path), &Default::default(), &Default::default(), &[]).map_err(|e| eprintln!("{e:?}")).ok();
    let Some(t) = t else { return };
    let (program, _) = frontend::reduce::reduce(t.program, &Default::default());
    let options = monabs::cegar::Options { solver: Default::default(), limits: monabs::limits::Limits::none(), iterations: 40, max_transitions: 1_000_000 };
    let mut v = monabs::cegar::Verifier::new(&program, options);
    let r = v.run();
    match r {
        Ok(monabs::cegar::Verdict::Safe(a, _)) => println!("SAFE {} iterations {} predicates {} transitions", v.iterations, v.chosen.len(), a.edges.len()),
        Ok(monabs::cegar::Verdict::Unsafe(run, p)) => println!("UNSAFE {} steps {} threads {}", run.steps.len(), run.threads, program.properties[p].name),
        Ok(monabs::cegar::Verdict::Unknown(r)) => println!("UNKNOWN {r}"),
        Err(e) => println!("STOP {e}"),
    }
    })
}
