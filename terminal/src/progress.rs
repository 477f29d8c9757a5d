//! One line on a terminal that says what is being done, with a clock.
//!
//! Whoever works says what in words; a thread of its own shows it with the time, so that the clock goes on while the work says nothing. Messages on
//! stderr take the line away first, and the next tick brings it back.

use crate::messages;
use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(250);
/// What is done faster needs no line.
const PATIENCE: Duration = Duration::from_millis(400);
/// Longer lines would be broken, and could not be taken away.
const MOST: usize = 78;

/// The line.
#[derive(Debug)]
pub struct ProgressLine {
    line: Arc<Mutex<Line>>,
}

#[derive(Debug)]
struct Line {
    start: Instant,
    /// Whether it may be shown; no longer once there is an answer.
    visible: bool,
    /// What is being done; nothing is shown before somebody says it.
    text: String,
    /// How many characters are on the terminal.
    length: usize,
}

/// The line that is on the terminal now.
static SHOWN: Mutex<Weak<Mutex<Line>>> = Mutex::new(Weak::new());

impl ProgressLine {
    /// A line that is shown, or one that is not. The clock starts.
    pub fn new(visible: bool) -> Self {
        let line = Line { start: Instant::now(), visible, text: String::new(), length: 0 };
        let line = Arc::new(Mutex::new(line));
        if visible {
            *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&line);
            let ticking = Arc::downgrade(&line);
            // Without a thread the line does not tick; nothing else depends on it.
            let _ = std::thread::Builder::new().spawn(move || tick(&ticking));
        }
        Self { line }
    }

    /// Says what is being done.
    pub fn show(&self, text: impl FnOnce() -> String) {
        let mut line = lock(&self.line);
        if line.visible {
            line.text = text();
            line.draw();
        }
    }

    /// Clears the line for good.
    pub fn clear(&self) {
        let mut line = lock(&self.line);
        line.erase();
        line.visible = false;
    }
}

/// Says what is being done on the line that is on the terminal, if there is one: for those who do not have it.
pub fn show(text: impl FnOnce() -> String) {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
    if let Some(line) = shown {
        ProgressLine { line }.show(text);
    }
}

/// Makes room for a message on stderr; the line comes back by itself.
pub fn make_room() {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
    if let Some(line) = shown {
        lock(&line).erase();
    }
}

fn lock(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tick(line: &Weak<Mutex<Line>>) {
    loop {
        std::thread::sleep(TICK);
        let Some(line) = line.upgrade() else { return };
        let mut line = lock(&line);
        if !line.visible {
            return;
        }
        line.draw();
    }
}

impl Line {
    fn draw(&mut self) {
        let elapsed = self.start.elapsed();
        if self.text.is_empty() || elapsed < PATIENCE {
            return;
        }
        let text = shown(elapsed, &self.text);
        // Blanks instead of control sequences: this works on every terminal.
        let _ = write!(messages::stderr(), "\r{text:<width$}", width = self.length);
        self.length = text.chars().count();
    }

    fn erase(&mut self) {
        if std::mem::take(&mut self.length) > 0 {
            let _ = write!(messages::stderr(), "\r{:MOST$}\r", "");
        }
    }
}

/// The clock and the words, cut to one line.
fn shown(elapsed: Duration, text: &str) -> String {
    let seconds = elapsed.as_secs();
    let clock = match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{}:{:02} min", seconds / 60, seconds % 60),
        _ => format!("{}:{:02} h", seconds / 3600, seconds / 60 % 60),
    };
    let line = format!("{clock}: {text}");
    if line.chars().count() <= MOST {
        return line;
    }
    line.chars().take(MOST - 3).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_clock_and_fits() {
        assert_eq!(shown(Duration::from_millis(7900), "reading"), "7 s: reading");
        assert_eq!(shown(Duration::from_secs(61), "x"), "1:01 min: x");
        assert_eq!(shown(Duration::from_secs(3720), "x"), "1:02 h: x");
        let long = shown(Duration::ZERO, &"word ".repeat(40));
        assert!(long.chars().count() == MOST && long.ends_with("..."), "{long}");
    }

    /// What nobody watches is not even put into words.
    #[test]
    fn an_invisible_line_costs_nothing() {
        let line = ProgressLine::new(false);
        line.show(|| unreachable!("nobody looks"));
        line.clear();
        make_room();
    }
}
