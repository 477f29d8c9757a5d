//! A small pass over tokens that makes GNU C digestible for the parser.
//!
//! The parser, `lang-c`, knows most of GNU C11 but not all of it. Before it sees a text, this pass writes what it does not know in a way
//! that it does, with the same meaning; offsets lead back through [`edits::OffsetMap`]. The pass knows just enough structure
//! to do so safely: brackets, declarations with the names they introduce, statements, and type names in parentheses.
//!
//! | written | becomes |
//! |---|---|
//! | comments, directives, form feeds, `__extension__`, `_Nullable` | nothing |
//! | `__attribute__` that says nothing about values, `[[...]]`, attributes of statements | nothing |
//! | `struct __attribute__((packed)) s {...}` | `struct s {...} __attribute__((packed))` |
//! | `_Alignas(e)` in a structure | `__attribute__((aligned(e)))` |
//! | `__thread`, `__const__`, `asm`, `__float128`, `1.5q` | `_Thread_local`, `const`, `__asm__`, `_Float128`, `1.5f128` |
//! | `a$b`, `é` in a name | a name of letters that is not used otherwise, see [`Rewritten::renamed`] |
//! | `"\e\u00e9\/"` | `"\033é/"` |
//! | `<: :> <% %>` | `[ ] { }` |
//! | `__int128`, `unsigned __int128` | [`INT128`], [`UINT128`] |
//! | `__auto_type x = e` | [`AUTO_TYPE`]` x = e` |
//! | `&&l`, `goto *e;` | [`LABEL`]`("l")`, [`COMPUTED_GOTO`]`(e);` |
//! | every hundredth `else if` of a chain | `else goto l; goto end; l:; if`, in braces with `end:;` |
//! | `c ?: e` | `c ? `[`ELVIS`]` : e` |
//! | `l: }`, `case 1: }`, `l: int x;` | `l:; }`, `case 1:; }`, `l:; int x;` |
//! | `static x;`, `main() {`, `const n = 1;` | `static int x;`, `int main() {`, `const int n = 1;` |
//! | `__label__ l;` and `l` in that block | nothing, and a name of its own |
//! | `(T){}`, `sizeof (T){...}` | `(T){0}`, `sizeof ((T){...})` |
//! | `_Static_assert(e)` | `_Static_assert(e, "")` |
//! | `__alignof__(e)`, `__alignof__ e` | `__alignof__ (__typeof__((e)))`, `__alignof__ (__typeof__(e))` |
//! | `__real__ e`, `__imag__ e` | [`REAL`]`(e)`, [`IMAGINARY`]`(e)` |
//! | `typeof(T *)`, `for (T *p; ...)` with a defined `T` | `typeof(__attribute__(()) T *)`, likewise |
//! | `__builtin_types_compatible_p(T, U)` | `__builtin_types_compatible_p(sizeof(T), sizeof(U))` |
//! | `asm volatile inline (...)` | `__asm__ volatile (...)` |
//! | `asm goto (t : o : i : "c" : l)` | `__asm__ (t : o : i : "c", "goto l")` |
//! | `[[noreturn]]` | `_Noreturn` |
//! | `asm(...)` and `;` outside of functions | nothing, the former with a doubt |
//! | `#pragma pack(n)` | nothing, see [`Rewritten::packs`] |
//! | a parameter with the name of a type | declared once more in the body, see [`SHADOW`] |
//!
//! Approximate: the alignment of an expression becomes that of its type.
//!
//! What has no such form is refused here, with a message: functions inside functions, and nesting
//! that is too deep for programs that walk over syntax trees.

pub(crate) mod edits;
pub(crate) mod lexer;

pub(crate) mod attributes;
mod code;
mod declarations;
mod expressions;
pub(crate) mod keywords;
mod literals;
pub(crate) mod nesting;
mod pragmas;
mod records;
mod scopes;
mod spelling;
mod statements;
mod walker;

use crate::diagnostics::Severity;
use code::Code;
use edits::{Edits, OffsetMap};
use lexer::Lexed;
use rustc_hash::FxHashMap;
use walker::Walker;

/// The type that `__int128` becomes, defined in [`BUILT_IN`].
pub const INT128: &str = "__monabs_int128";
/// The type that `unsigned __int128` becomes, defined in [`BUILT_IN`].
pub const UINT128: &str = "__monabs_uint128";
/// The type that `__auto_type` becomes: a variable that is declared with it has the type that its initialiser has as a value.
pub const AUTO_TYPE: &str = "__monabs_auto";
/// How a clobber of inline assembly begins that was a label of `asm goto`.
pub const ASM_GOTO: &str = "goto ";
/// The expression that stands between `?` and `:` of `c ?: e`: the value of the condition, which is evaluated once.
pub const ELVIS: &str = "__monabs_elvis";
/// The function that `&&l` becomes: the address of a label, whose name is the argument.
pub const LABEL: &str = "__monabs_label";
/// The function that `goto *e` becomes.
pub const COMPUTED_GOTO: &str = "__monabs_goto";
/// The function that `__real__` becomes.
pub const REAL: &str = "__monabs_real";
/// The function that `__imag__` becomes.
pub const IMAGINARY: &str = "__monabs_imaginary";
/// The type with which a parameter is declared again in the body, so that the parser takes its name for that of a variable there.
/// These declarations are not in the tree that [`crate::parse`] returns.
pub(crate) const SHADOW: &str = "__monabs_shadow";

/// Declarations that come before everything else.
pub(crate) const BUILT_IN: &str = "\
typedef int __monabs_int128 __attribute__((mode(TI)));
typedef unsigned __monabs_uint128 __attribute__((mode(TI)));
typedef __monabs_int128 __int128_t;
typedef __monabs_uint128 __uint128_t;
typedef __builtin_va_list __builtin_ms_va_list;
typedef __builtin_va_list __builtin_sysv_va_list;
typedef int __monabs_auto;
typedef int __monabs_shadow;
extern void *__monabs_label(const char *);
extern void __monabs_goto(const void *);
";

/// A message about a place in the text before the pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    pub severity: Severity,
    /// A byte offset.
    pub offset: usize,
    pub message: String,
    pub hint: Option<String>,
}

impl Remark {
    pub(crate) fn error(offset: usize, message: impl Into<String>) -> Remark {
        Remark { severity: Severity::Error, offset, message: message.into(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Remark {
        self.hint = Some(hint.into());
        self
    }
}

/// A text that is ready for the parser.
#[derive(Debug)]
pub(crate) struct Rewritten {
    pub text: String,
    /// The way back to the text before.
    pub offsets: OffsetMap,
    /// Names that were changed, with what the user wrote.
    pub renamed: FxHashMap<String, String>,
    /// Whether there are declarations with [`SHADOW`].
    pub shadows: bool,
    /// Warnings.
    pub remarks: Vec<Remark>,
    /// What is taken away though it means something: places in the text before, and messages.
    pub doubts: Vec<(usize, String)>,
    /// Bounds of alignments in bytes, 0 for none, from these places in the text before on.
    pub packs: Vec<(usize, u64)>,
    /// What is probably wrong if the parser cannot read the text.
    pub suspicion: Option<Remark>,
}

/// Makes a text ready for the parser; fails with one or more errors.
pub(crate) fn rewrite(text: &str, lexed: &Lexed) -> Result<Rewritten, Vec<Remark>> {
    if !lexed.remarks.is_empty() {
        return Err(lexed.remarks.clone());
    }
    let mut remarks = spelling::directives(text, &lexed.directives);
    let pragmas = pragmas::read(text, &lexed.directives);
    remarks.extend(pragmas.remarks);
    if remarks.iter().any(|remark| remark.severity == Severity::Error) {
        return Err(remarks);
    }
    let mut edits = Edits::default();
    for range in lexed.directives.iter().chain(&lexed.blanks) {
        edits.blank(range.start as u32, range.end as u32);
    }
    let raw = Code::new(text, lexed.tokens.clone()).map_err(|remark| vec![remark])?;
    let respelled = spelling::respell(&raw, &mut edits, &mut remarks);
    let code = Code::new(text, respelled.kept).map_err(|remark| vec![remark])?;
    nesting::check(&code).map_err(|remark| vec![remark])?;
    let walked = Walker::walk(&code, &respelled.given, &mut edits);
    remarks.extend(walked.remarks);
    if remarks.iter().any(|remark| remark.severity == Severity::Error) {
        remarks.retain(|remark| remark.severity == Severity::Error);
        return Err(remarks);
    }
    let (text, offsets) = edits.apply(text);
    let given = respelled.given.iter().map(|(written, name)| (name.clone(), spelling::as_meant(written)));
    let renamed = given.chain(walked.local_labels).collect();
    Ok(Rewritten {
        text,
        offsets,
        renamed,
        shadows: walked.shadows,
        remarks,
        doubts: pragmas.doubts.into_iter().chain(walked.doubts).collect(),
        packs: pragmas.packs,
        suspicion: walked.suspicion,
    })
}

#[cfg(test)]
mod tests;
