//! A panic is a bug: it becomes an internal error with a message, not a stack dump and a strange exit code.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{AssertUnwindSafe, PanicHookInfo};
use std::sync::{Arc, Mutex, PoisonError};

/// Runs a command. A panic, on whatever thread it started, becomes an error of the caller's.
pub fn catch<T, E>(
    command: impl FnOnce() -> Result<T, E>,
    internal: impl FnOnce(String) -> E,
) -> Result<T, E> {
    let message = Arc::new(Mutex::new(None));
    let noted = Arc::clone(&message);
    std::panic::set_hook(Box::new(move |info| {
        // The first panic is the cause, others follow from it.
        noted.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| describe(info));
    }));
    // Nothing is used after a panic but the message.
    std::panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        let message = message.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(internal(message.unwrap_or_else(|| "a panic without a message".to_owned())))
    })
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic");
    let place = info.location().map(|place| format!(" ({place})")).unwrap_or_default();
    // With RUST_BACKTRACE=1, as everywhere in Rust.
    let backtrace = Backtrace::capture();
    let stack = match backtrace.status() {
        BacktraceStatus::Captured => format!("\n{backtrace}"),
        _ => String::new(),
    };
    format!("{text}{place}{stack}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_internal_error() {
        let hook = std::panic::take_hook();
        let result: Result<(), String> = catch(|| panic!("out of cheese: {}", 42), |message| message);
        std::panic::set_hook(hook);
        let message = result.unwrap_err();
        assert!(message.starts_with("out of cheese: 42 ("), "{message}");
        assert!(message.contains("panics.rs"), "{message}");
    }
}
