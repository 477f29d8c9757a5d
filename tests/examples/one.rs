//! scratch
use breach::Reductions;
use breach::coverability::*;
use tests::repository::{Example, root};
fn main() {
    for (file, init, targets) in [
        ("examples/emdr/running-example.emdr", None, vec![]),
        ("examples/ticket.emdr", None, vec![]),
        ("examples/ticket.emdr", None, vec!["all"]),
        ("examples/ticket.emdr", None, vec!["0|23"]),
        ("examples/ticket.emdr", Some("0/24"), vec!["1|25,25"]),
    ] {
        let mut p = Example::read(&root().join(file)).unwrap().problem;
        if let Some(text) = init {
            p.init =
                breach::emdr::parse_init(breach::diagnostics::Source { name: "i", text }, &p.system).unwrap();
        }
        if targets == ["all"] {
            p.targets =
                (16..24).flat_map(|i| (i..24).map(move |j| breach::system::State::new(0, [i, j]))).collect();
        } else if !targets.is_empty() {
            p.targets = targets
                .iter()
                .map(|text| {
                    breach::emdr::parse_target(breach::diagnostics::Source { name: "i", text }, &p.system)
                        .unwrap()
                })
                .collect();
        }
        println!("{file} {init:?} {targets:?}");
        for algorithm in [Algorithm::Backward, Algorithm::Widening, Algorithm::Optimistic] {
            for oracle in [false, true] {
                for (name, reductions) in [("all", Reductions::ALL), ("none", Reductions::NONE)] {
                    let mut o = Options {
                        algorithm,
                        oracle,
                        reductions,
                        invariants: false,
                        proof: true,
                        ..Options::default()
                    };
                    o.limits.timeout = Some(std::time::Duration::from_secs(5));
                    let r = check_coverability(&p, &o).unwrap();
                    print!(
                        "  {algorithm:?} oracle {oracle} reductions {name}: final {} peak {} ",
                        r.statistics.final_states, r.statistics.peak_states
                    );
                    match r.verdict {
                        Verdict::Uncoverable(Some(proof)) => println!(
                            "uncov {} elements, {} threads",
                            proof.elements.len(),
                            proof.max_threads()
                        ),
                        Verdict::Coverable(t) => {
                            println!("cov {} steps {} threads", t.steps.len(), t.threads.len())
                        }
                        v => println!("{v:?}"),
                    }
                }
            }
        }
    }
}
