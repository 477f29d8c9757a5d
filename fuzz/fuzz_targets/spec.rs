//! Petri nets.
#![no_main]

use breach::input::Format;

libfuzzer_sys::fuzz_target!(|text: &str| breach_fuzz::system(Format::Spec, text));
