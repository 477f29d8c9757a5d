//! `breach check`: verifies proofs and replays traces that were written earlier, maybe by others.

use super::args::CheckArgs;
use super::console::{Console, print};
use super::failure::{Result, exit};
use super::question::{SystemFile, asked_init, asked_targets};
use super::report::{ProofSize, RunSize, list};
use super::text::{Text, is_stdin};
use super::usage::conflict_in;
use breach::check::{parse_proof, parse_trace, replay, verify, verify_problem};
use breach::emdr::show_init;
use breach::input::Input;
use breach::proof::Proof;
use breach::system::{InitialStates, Problem, State, System};
use breach::trace::Trace;
use terminal::words::plural;

/// Runs the command.
pub(super) fn run(args: &CheckArgs, console: Console) -> Result {
    if is_stdin(&args.claim) && is_stdin(&args.system) {
        return conflict_in("check", "only one of PROOF and SYSTEM can be read from stdin");
    }
    let system = SystemFile::read(&args.system, args.question.format)?;
    let asked = Asked {
        init: asked_init(&args.question, &system.input.system)?,
        targets: asked_targets(&args.question, &system.input.system)?,
    };
    let claim = Text::read(&args.claim)?;
    let input = &system.input;
    match first_word(&claim.text) {
        "breach-trace" => check_trace(input, &asked, &parse_trace(claim.source(), &input.system)?, console),
        "breach-proof" => check_proof(input, &asked, &parse_proof(claim.source(), &input.system)?, console),
        word => {
            let found = if word.is_empty() {
                "the file is empty".to_owned()
            } else {
                format!("it starts with '{}'", word.chars().take(40).collect::<String>())
            };
            let offset = claim.text.find(word).unwrap_or(0);
            let message = format!(
                "a proof starts with 'breach-proof 1' and a trace with 'breach-trace 1', but {found}"
            );
            Err(claim.source().error(offset, message).into())
        }
    }
}

/// What the command line says that the proof should be about.
struct Asked {
    init: Option<InitialStates>,
    targets: Vec<State>,
}

/// The first word that is not in a comment.
fn first_word(text: &str) -> &str {
    let content = |line: &'_ str| line.find('#').unwrap_or(line.len());
    text.lines().find_map(|line| line[..content(line)].split_ascii_whitespace().next()).unwrap_or_default()
}

fn check_proof(input: &Input, asked: &Asked, proof: &Proof, console: Console) -> Result {
    let system = &input.system;
    let checked = if asked.init.is_none() && asked.targets.is_empty() {
        verify(system, proof)
    } else {
        let init = asked.init.clone().unwrap_or_else(|| proof.init.clone());
        let problem = Problem { system: system.clone(), init, targets: asked.targets.clone() };
        verify_problem(&problem, proof)
    };
    let summary = match checked {
        Ok(summary) => summary,
        Err(flaw) => return reject("PROOF", &flaw.to_string(), console),
    };
    if proof.targets.is_empty() {
        return reject("PROOF", "it has no target, so it proves nothing", console);
    }
    warn_of_other_init(
        input,
        asked,
        &show(system, &proof.init),
        input.init.as_ref() == Some(&proof.init),
        console,
    );
    let missing: Vec<_> = input.targets.iter().filter(|target| !proof.targets.contains(target)).collect();
    if asked.targets.is_empty() && !missing.is_empty() {
        warn_of_missing_targets(system, &missing, console);
    }
    let mut text = String::new();
    if !console.quiet {
        let targets: Vec<_> = proof.targets.iter().map(|t| system.show(t).to_string()).collect();
        let (size, lookups) = (ProofSize::of(proof), plural(summary.examined, "predecessor"));
        text.push_str(&format!("proof of {size}: holds, {lookups} looked up\n"));
        let init = show(system, &proof.init);
        text.push_str(&format!("proved: from {init}, none of {} is coverable\n", list(&targets)));
    }
    finish(text, "VERIFICATION SUCCESSFUL", exit::SUCCESSFUL, console)
}

fn check_trace(input: &Input, asked: &Asked, trace: &Trace, console: Console) -> Result {
    let system = &input.system;
    // Without a question, the run itself says where it starts and what it covers.
    let start = InitialStates::new(trace.shared, trace.threads.iter().copied(), vec![]);
    let init = asked.init.clone().or_else(|| input.init.clone()).unwrap_or_else(|| start.clone());
    let own_target = vec![trace.target.clone()];
    let targets = if asked.targets.is_empty() { &own_target } else { &asked.targets };
    let mut init_matches = true;
    let mut replayed = replay(system, &init, targets, trace);
    if replayed.is_err() && asked.init.is_none() && replay(system, &start, targets, trace).is_ok() {
        // A real run, but not from where the file says.
        (replayed, init_matches) = (Ok(()), false);
    }
    if let Err(error) = replayed {
        return reject("TRACE", &error.to_string(), console);
    }
    let shown_start =
        system.show(&State { shared: start.shared, threads: start.bounded.clone() }).to_string();
    warn_of_other_init(input, asked, &shown_start, init_matches, console);
    if asked.targets.is_empty() && !input.targets.is_empty() && !input.targets.contains(&trace.target) {
        let target = system.show(&trace.target);
        console.warn(&format!("the trace covers {target}, which is no target of the system file"));
    }
    let mut text = String::new();
    if !console.quiet {
        let RunSize { target, steps, threads } = RunSize::of(system, trace);
        let (steps, threads) = (plural(steps, "step"), plural(threads, "thread"));
        text.push_str(&format!("run of {steps} with {threads} from {shown_start}: covers {target}\n"));
    }
    finish(text, "VERIFICATION FAILED", exit::FAILED, console)
}

fn show(system: &System, init: &InitialStates) -> String {
    show_init(init, |local| system.show_local(local))
}

fn warn_of_other_init(input: &Input, asked: &Asked, found: &str, matches: bool, console: Console) {
    if let Some(init) = &input.init
        && asked.init.is_none()
        && !matches
    {
        let init = show(&input.system, init);
        console.warn(&format!("this is about the start in {found}; the system file says {init}"));
    }
}

fn warn_of_missing_targets(system: &System, missing: &[&State], console: Console) {
    let missing: Vec<_> = missing.iter().map(|target| system.show(target).to_string()).collect();
    let missing = list(&missing);
    console.warn(&format!("the proof is not about these targets of the system file: {missing}"));
}

fn reject(kind: &str, reason: &str, console: Console) -> Result {
    let line = console.verdict(&format!("{kind} REJECTED:"), exit::REJECTED);
    print(&format!("{line} {reason}\n"))?;
    Ok(exit::REJECTED)
}

fn finish(mut text: String, verdict: &str, code: u8, console: Console) -> Result {
    text.push_str(&console.verdict(verdict, code));
    text.push('\n');
    print(&text)?;
    Ok(code)
}
