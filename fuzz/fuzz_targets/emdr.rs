//! EMDR programs, and states in the notation of the command line.
#![no_main]

use breach::input::Format;
use breach::system::System;

libfuzzer_sys::fuzz_target!(|text: &str| {
    breach_fuzz::system(Format::Emdr, text);
    let system = System { shared_states: 3, local_states: 20, ..System::default() };
    breach_fuzz::states(&system, text);
});
