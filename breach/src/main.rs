//! dev main
use breach::coverability::*;
use breach::diagnostics::Source;
use breach::input::Format;
use breach::system::Problem;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let path = std::path::Path::new(&args[1]);
    let text = std::fs::read_to_string(path).unwrap();
    let t0 = std::time::Instant::now();
    let input = Format::of_path(path).unwrap().parse(Source { name: &args[1], text: &text }).unwrap();
    let init = if args.len() > 2 {
        breach::emdr::parse_init(Source { name: "init", text: &args[2] }, &input.system).unwrap()
    } else {
        input.init.unwrap()
    };
    let targets = if args.len() > 3 {
        vec![breach::emdr::parse_target(Source { name: "t", text: &args[3] }, &input.system).unwrap()]
    } else {
        input.targets
    };
    let problem = Problem { system: input.system, init, targets };
    let mut options = Options::default();
    options.limits.timeout = Some(std::time::Duration::from_secs(60));
    for a in std::env::var("BREACH_OPT").unwrap_or_default().split(',') {
        match a {
            "noreduce" => options.reductions = breach::Reductions::NONE,
            "backward" => options.algorithm = Algorithm::Backward,
            "forward" => options.algorithm = Algorithm::Forward,
            "nooracle" => options.oracle = false,
            "proof" => options.proof = true,
            "t1" => options.threads = 1,
            _ => {}
        }
    }
    let t1 = std::time::Instant::now();
    let o = check_coverability(&problem, &options).unwrap();
    let v = match o.verdict {
        Verdict::Coverable(t) => {
            breach::check::replay(&problem.system, &problem.init, &problem.targets, &t).unwrap();
            format!("coverable {} steps", t.steps.len())
        }
        Verdict::Uncoverable(p) => {
            let s = p.map(|p| {
                let r = breach::check::verify(&problem.system, &p);
                format!("{:?} {} inv {}", r, p.elements.len(), p.invariants.len())
            });
            format!("uncoverable {:?}", s)
        }
        Verdict::Unknown(r) => format!("unknown {r}"),
    };
    println!("{} parse {:?} check {:?}", v, t1 - t0, t1.elapsed());
    std::process::exit(0);
}
