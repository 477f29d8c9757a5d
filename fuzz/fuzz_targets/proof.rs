//! Proofs and traces, of a system with numbers and of one with names.
#![no_main]

use breach::diagnostics::Source;
use breach::input::Format;
use breach::system::System;
use std::sync::LazyLock;

static SYSTEMS: LazyLock<[System; 2]> = LazyLock::new(|| {
    let read = |format: Format, text| {
        format.parse(Source { name: "example", text }).expect("examples can be read").system
    };
    [
        read(Format::Emdr, include_str!("../../examples/emdr/running-example.emdr")),
        read(Format::Spec, include_str!("../../examples/emdr/petri-net-transfer.spec")),
    ]
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    SYSTEMS.iter().for_each(|system| breach_fuzz::evidence(system, text));
});
