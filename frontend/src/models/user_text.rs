//! What a program mentions and which functions it defines, found before it is parsed: the parser needs the models' types first.
//!
//! One pass over the tokens. A function is defined where a name with parentheses outside all braces is followed by a
//! brace, with no semicolon or assignment in between.

use super::comment::{Piece, pieces};
use super::library::plain_name;
use rustc_hash::{FxHashMap, FxHashSet};

/// The identifiers of a preprocessed C text.
#[derive(Clone, Debug, Default)]
pub struct UserText<'a> {
    mentioned: FxHashSet<&'a str>,
    used: FxHashMap<&'a str, usize>,
    defined: FxHashSet<&'a str>,
}

impl<'a> UserText<'a> {
    /// Looks through a text. Comments, literals and lines of the preprocessor mention nothing.
    pub fn scan(text: &'a str) -> Self {
        let mut scanner = Scanner::default();
        for piece in pieces(text) {
            if let Piece::Code(code) = piece {
                scanner.scan_code(code);
            }
        }
        scanner.found
    }

    /// Whether the identifier occurs.
    pub fn mentions(&self, identifier: &str) -> bool {
        self.mentioned.contains(identifier)
    }

    /// Whether the identifier occurs inside of braces.
    pub fn uses(&self, identifier: &str) -> bool {
        self.used.contains_key(identifier)
    }

    /// How often the identifier occurs inside of braces.
    pub fn number_of_uses(&self, identifier: &str) -> usize {
        self.used.get(identifier).copied().unwrap_or(0)
    }

    /// Whether a function of this name is defined, with a body.
    pub fn defines(&self, function: &str) -> bool {
        self.defined.contains(function)
    }

    /// The functions that are defined, sorted.
    pub fn defined_functions(&self) -> Vec<&'a str> {
        let mut functions: Vec<&str> = self.defined.iter().copied().collect();
        functions.sort_unstable();
        functions
    }
}

/// Where in the text the scan is.
#[derive(Default)]
struct Scanner<'a> {
    found: UserText<'a>,
    braces: usize,
    parentheses: usize,
    /// The identifier that was the last token outside braces and parentheses.
    last: Option<&'a str>,
    /// The function that a brace would define.
    candidate: Option<&'a str>,
    /// The declaration has an initialiser, so that a brace is not a body.
    assigned: bool,
}

/// Words of GNU C that are followed by parentheses outside functions, but are not functions.
const NOT_FUNCTIONS: [&str; 11] = [
    "__attribute__",
    "__attribute",
    "__asm__",
    "__asm",
    "asm",
    "_Alignas",
    "_Static_assert",
    "__declspec",
    "__typeof__",
    "__typeof",
    "typeof",
];

impl<'a> Scanner<'a> {
    fn scan_code(&mut self, mut code: &'a str) {
        while let Some(first) = code.chars().next() {
            let length = match first {
                first if is_word(first) => code.find(|letter| !is_word(letter)).unwrap_or(code.len()),
                first => first.len_utf8(),
            };
            let (token, rest) = code.split_at(length);
            code = rest;
            if is_word(first) {
                self.word(token);
            } else if !first.is_whitespace() {
                self.symbol(first);
            }
        }
    }

    fn word(&mut self, word: &'a str) {
        if !word.starts_with(|first: char| first.is_ascii_digit()) {
            self.found.mentioned.insert(word);
            // The compiler's name for a library function is a mention of it.
            self.found.mentioned.insert(plain_name(word));
            if self.braces > 0 {
                *self.found.used.entry(plain_name(word)).or_insert(0) += 1;
            }
        }
        if self.braces == 0 && self.parentheses == 0 {
            self.last = Some(word);
        }
    }

    fn symbol(&mut self, symbol: char) {
        match symbol {
            '(' => self.open_parenthesis(),
            ')' => self.parentheses = self.parentheses.saturating_sub(1),
            '{' => self.open_brace(),
            '}' => self.close_brace(),
            ';' if self.braces == 0 => self.next_declaration(),
            '=' if self.braces == 0 && self.parentheses == 0 => self.assigned = true,
            _ => {}
        }
        self.last = None;
    }

    fn open_parenthesis(&mut self) {
        if self.braces == 0 && self.parentheses == 0 && self.candidate.is_none() {
            self.candidate = self.last.filter(|name| !NOT_FUNCTIONS.contains(name));
        }
        self.parentheses += 1;
    }

    fn open_brace(&mut self) {
        if self.braces == 0 && self.parentheses == 0 && !self.assigned {
            self.found.defined.extend(self.candidate);
        }
        self.braces += 1;
    }

    fn close_brace(&mut self) {
        self.braces = self.braces.saturating_sub(1);
        if self.braces == 0 && self.candidate.is_some() && !self.assigned {
            self.next_declaration();
        }
    }

    fn next_declaration(&mut self) {
        self.parentheses = 0;
        self.candidate = None;
        self.assigned = false;
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn defined(text: &str) -> Vec<&str> {
        UserText::scan(text).defined_functions()
    }

    #[test]
    fn bodies_define() {
        assert_eq!(
            defined("int f(void) { g(); if (x) { h(); } }\nstatic void *k(int a, int (*b)(int)) {}"),
            ["f", "k"]
        );
        assert_eq!(defined("int f(int a) __attribute__((noinline)) { }"), ["f"]);
        assert_eq!(defined("static __attribute__((noinline)) int f(int a) { }"), ["f"]);
        assert_eq!(defined("struct s { int x; } f(void) { }"), ["f"]);
    }

    #[test]
    fn declarations_do_not_define() {
        for text in [
            "int f(int);",
            "struct s { int x; } y;",
            "int a[] = { f(1), 2 };",
            "int x = sizeof(int); struct s { int x; };",
            "typedef struct __attribute__((packed)) { int x; } t;",
            "extern int f(int) __asm__(\"\" \"g\"); enum e { A };",
            "int g = ({ f(1); });",
        ] {
            assert_eq!(defined(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_definition_follows_other_things() {
        assert_eq!(defined("int a[] = { f(1) }; int g(void) { }"), ["g"]);
        assert_eq!(defined("extern int f(int); struct s { int x; }; int g(void) { }"), ["g"]);
    }

    #[test]
    fn only_code_mentions() {
        let text =
            "# 1 \"file_a.h\" word_a\nint b; // word_c\n/* word_d */ char *e = \"word_f\"; char g = 'h';\n";
        let user = UserText::scan(text);
        for name in ["b", "e", "g", "int"] {
            assert!(user.mentions(name), "{name}");
        }
        for name in ["word_a", "file_a", "word_c", "word_d", "word_f", "h"] {
            assert!(!user.mentions(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_scanned(text in "[a-z_(){};='\"\\\\/*#\n é]{0,60}") {
            let user = UserText::scan(&text);
            for function in user.defined_functions() {
                prop_assert!(user.mentions(function));
            }
        }
    }
}
