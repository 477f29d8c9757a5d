//! What a correctness witness claims about places of the source.
//!
//! The program is translated once more, and no steps are merged, so that all states at all accesses are in it, whatever the proof has left out: neither partial-order reduction nor
//! large blocks nor critical sections as single steps bear on what is claimed. Slicing and known values only add states, or lose locations and assignments, which [`report::claims`] notices. What holds there is found by [`crate::modular`], for any number of threads, given that the properties that were proved hold. That is enough for
//! bounds, differences of counters, flags and locks; what only the tree knows is in the proof.

use crate::modular;
use crate::options::Options;
use console::Console;
use console::input::{Loaded, Stage};
use engine::limits::Limits;
use frontend::reduce;
use report::Job;
use report::claims::{Claim, claims};
use smt::Config;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// So long the work may take: the answer is there, and this is an extra.
const PATIENCE: Duration = Duration::from_secs(20);

/// What holds where, if the program is safe; nothing if that is too hard to say.
pub fn witness(job: &Job<'_>, limits: &Limits) -> Vec<Claim> {
    let end = limits.elapsed() + PATIENCE;
    let mut limits = limits.clone();
    limits.time = Some(limits.time.map_or(end, |time| time.min(end)));
    limits.watched(&AtomicBool::new(false), |interrupt| {
        found(job, &Config { interrupt: interrupt.clone(), ..Config::default() })
    })
}

fn found(job: &Job<'_>, config: &Config) -> Vec<Claim> {
    let input = &job.args.input;
    let Ok(text) = std::fs::read_to_string(input.path()) else { return Vec::new() };
    let load = |stage: &Stage| Loaded::load(input, stage, Console::plain(), |_| Ok(()));
    let Ok(translated) = load(&Stage::Lowered) else { return Vec::new() };
    let proved = job.loaded.program.properties.iter().map(|property| property.name.clone()).collect();
    let (program, _) = reduce::reduce(
        translated.program.clone(),
        &reduce::Options { properties: Some(proved), merge: false, ..reduce::Options::default() },
    );
    let options = Options { config: config.clone(), ..Options::default() };
    match modular::invariants(&program, &options) {
        Ok(Some(found)) => {
            let file = input.path().display().to_string();
            claims((&translated.program, &program), &found.holds, (&file, &text))
        }
        // The format allows a witness without invariants.
        Ok(None) | Err(_) => Vec::new(),
    }
}
