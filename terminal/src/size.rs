//! How wide the terminal is.

/// What is taken if nobody says.
const USUAL: usize = 100;
/// Less cannot be meant.
const LEAST: usize = 40;

/// The number of columns of stdout: what COLUMNS says, or the terminal, or else 100.
pub fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let measured = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.into());
    said.filter(|width| *width > 0).or_else(measured).unwrap_or(USUAL).max(LEAST)
}
