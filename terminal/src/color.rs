//! When to use colours, and which.

use clap::ValueEnum;

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorArg {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorArg {
    /// Whether to use them on a stream.
    pub fn applies_to(self, is_terminal: bool) -> bool {
        match self {
            ColorArg::Always => true,
            ColorArg::Never => false,
            // See https://no-color.org: set and not empty.
            ColorArg::Auto => {
                is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }
}

/// What a colour says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Green.
    Good,
    /// Yellow.
    Open,
    /// Red.
    Bad,
    /// Magenta.
    Warning,
    /// Cyan.
    Remark,
}

impl Paint {
    /// The text in this colour.
    pub fn on(self, text: &str) -> String {
        let code = match self {
            Paint::Good => 32,
            Paint::Open => 33,
            Paint::Bad => 31,
            Paint::Warning => 35,
            Paint::Remark => 36,
        };
        format!("\x1b[1;{code}m{text}\x1b[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_decides() {
        assert!(ColorArg::Always.applies_to(false) && !ColorArg::Never.applies_to(true));
        assert!(!ColorArg::Auto.applies_to(false));
        assert_eq!(Paint::Bad.on("x"), "\x1b[1;31mx\x1b[0m");
    }
}
