//! From a file to a syntax tree: preprocessor, token pass, parser.
//!
//! Our models of library functions are C text, too. They come before the user's text in the same translation unit (the
//! *prelude*), with line markers of their own. Names of types may be defined in both: for the parser the later definition counts,
//! which it does not distinguish from the earlier one.
//!
//! The parser goes down by recursion, and so does everything that walks over the tree. Depth is bounded by the token pass;
//! up to that bound a stack of [`STACK`] bytes is enough, which [`on_large_stack`] provides.

mod hints;

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::link::{File, Joined};
use crate::preprocess::{self, PreprocessOptions, Preprocessed};
use crate::program::position::Position;
use crate::source::{Origin, SourceMap};
use crate::tokens::{self, Remark, Rewritten, SHADOW, lexer};
use lang_c::ast::{
    BlockItem, DeclarationSpecifier, Declarator, DeclaratorKind, ExternalDeclaration, Identifier, Statement,
    TranslationUnit, TypeSpecifier,
};
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use lang_c::span::{Node, Span};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Bytes of stack that walking over a tree may need. They are reserved, not used.
pub const STACK: usize = 512 << 20;

/// Offsets in a text have to fit into 32 bits, after the token pass, too.
const LONGEST: usize = 1 << 30;

/// A translation unit: syntax tree, text, and the way back to the user's files.
#[derive(Debug)]
pub struct Unit {
    /// The tree. Its spans are byte offsets into `text`.
    pub ast: TranslationUnit,
    /// The text that was parsed: models, then the user's, after the token pass.
    pub text: String,
    /// Where that comes from.
    pub map: SourceMap,
    /// What is worth knowing though it is no error.
    pub warnings: Diagnostics,
    renamed: FxHashMap<String, String>,
    doubts: Vec<(usize, String)>,
    packs: Vec<(usize, u64)>,
    /// Where files begin in `text`, if there are several.
    parts: Vec<usize>,
}

impl Unit {
    /// Which of several files an offset into `text` is in.
    pub(crate) fn part(&self, offset: usize) -> usize {
        self.parts.partition_point(|start| *start <= offset)
    }

    /// Where the user's text begins in `text`.
    pub(crate) fn user_start(&self) -> usize {
        self.first_from(self.map.user_start())
    }

    /// Names in the tree that the user has not written like this.
    pub(crate) fn renamed_names(&self) -> impl Iterator<Item = &str> {
        self.renamed.keys().map(String::as_str)
    }

    /// What means something but is not in the tree: offsets into `text`, and messages. Not what headers of the system have.
    pub(crate) fn doubts(&self) -> impl Iterator<Item = (usize, &str)> {
        let place = |original: usize| self.first_from(original);
        let all = self.doubts.iter().map(move |(original, message)| (place(*original), message.as_str()));
        all.filter(|(offset, _)| !self.map.is_system(*offset))
    }

    /// The first offset whose text comes from a place of the text before the token pass, or from behind it.
    fn first_from(&self, original: usize) -> usize {
        let (mut low, mut high) = (0, self.text.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.map.before_pass(middle) < original { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The bound on the alignment of members, in bytes, that `#pragma pack` sets for a structure that ends at an offset.
    pub(crate) fn pack_at(&self, offset: usize) -> Option<u64> {
        let original = self.map.before_pass(offset.saturating_sub(1));
        let before = self.packs.partition_point(|(start, _)| *start <= original);
        let (_, pack) = self.packs.get(before.checked_sub(1)?)?;
        (*pack > 0).then_some(*pack)
    }

    /// Where a piece of the tree begins in the user's files.
    pub fn position(&self, span: Span) -> Position {
        if span.is_none() { Position::NONE } else { self.map.position(span.start) }
    }

    /// What the user wrote for a piece of the tree, with macros expanded.
    pub fn written(&self, span: Span) -> &str {
        self.map.written(span)
    }

    /// What the user wrote for a piece of the tree, with macros as they are called where that can be found out.
    pub fn as_written(&self, span: Span) -> Cow<'_, str> {
        self.map.as_written(span)
    }

    /// The whole text, with the models.
    pub fn text(&self) -> &str {
        self.map.text()
    }

    /// The user's spelling of a name in the tree. Names with characters that the parser does not know have another one there.
    pub fn name<'a>(&'a self, identifier: &'a str) -> &'a str {
        self.renamed.get(identifier).map_or(identifier, String::as_str)
    }

    /// An error about a piece of the tree.
    pub fn error(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.map.diagnostic(Severity::Error, span.start, message)
    }
}

/// Reads a file: `.i` and text with line markers as they are, everything else through the preprocessor; `-` is the
/// standard input.
pub fn parse_file(path: &Path, options: &PreprocessOptions, prelude: &str) -> Result<Unit, Diagnostics> {
    parse_prepared(path, preprocess::preprocess(path, options)?, prelude)
}

/// Reads what the preprocessor made of a file; for preludes that depend on it.
pub fn parse_prepared(path: &Path, prepared: Preprocessed, prelude: &str) -> Result<Unit, Diagnostics> {
    let origin = if prepared.is_fresh { Origin::Fresh } else { Origin::Given };
    let name = preprocess::display_name(path);
    let mut unit = parse(&name, &prepared.text, prelude, origin)?;
    // What the parser has to say about syntax comes with advice, so it goes first.
    if prepared.errors.has_errors() {
        return Err(prepared.errors);
    }
    let mut warnings = prepared.warnings;
    warnings.extend(unit.warnings);
    unit.warnings = warnings;
    Ok(unit)
}

/// Reads preprocessed text. Without line markers in it, its lines are those of the file `name`.
pub fn parse_text(name: &str, text: &str, prelude: &str) -> Result<Unit, Diagnostics> {
    parse(name, text, prelude, Origin::Given)
}

/// Runs something that goes down by recursion on a stack of [`STACK`] bytes, or less if there is no room for that.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let work = Mutex::new(Some(work));
    let run = || work.lock().unwrap_or_else(PoisonError::into_inner).take().map(|work| work());
    let done = std::thread::scope(|scope| {
        let spawn = |size| std::thread::Builder::new().stack_size(size).spawn_scoped(scope, run).ok();
        let sizes = [STACK, STACK / 8, STACK / 64].into_iter();
        let thread = sizes.filter(|&size| size <= address_space() / 8).find_map(spawn)?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    #[expect(clippy::expect_used, reason = "a thread that was not started has not taken the work")]
    done.or_else(run).expect("the work is done once")
}

/// How many bytes `ulimit -v` allows. A stack counts as a whole, used or not, and others need room, too.
fn address_space() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"));
    let soft = line.and_then(|line| line.split_whitespace().next());
    soft.and_then(|bytes| bytes.parse().ok()).unwrap_or(usize::MAX)
}

fn parse(name: &str, text: &str, prelude: &str, origin: Origin) -> Result<Unit, Diagnostics> {
    if text.len().saturating_add(prelude.len()) > LONGEST {
        return Err(
            Diagnostic::about_file(Severity::Error, name, "the text is longer than a gigabyte").into()
        );
    }
    on_large_stack(|| parse_here(name, text, prelude, origin))
}

fn parse_here(name: &str, text: &str, prelude: &str, origin: Origin) -> Result<Unit, Diagnostics> {
    let ours = format!("# 1 \"<built-in>\" 3\n{}{prelude}\n# 1 {}\n", tokens::BUILT_IN, quoted(name));
    let user_start = ours.len();
    let text = ours + text;
    let lexed = lexer::lex(&text);
    let mut map = SourceMap::new(text, &lexed.directives, user_start, origin);
    let rewritten = match tokens::rewrite(map.text(), &lexed) {
        Ok(rewritten) => rewritten,
        Err(remarks) => return Err(remarks.into_iter().map(|remark| resolve(&map, remark)).collect()),
    };
    let Rewritten { text, offsets, renamed, shadows, remarks, doubts, packs, suspicion } = rewritten;
    let worth_telling = remarks.into_iter().filter(|remark| !map.is_system(remark.offset));
    let warnings = worth_telling.map(|remark| resolve(&map, remark)).collect();
    map.set_offsets(offsets);
    match parse_preprocessed(&config(), text) {
        Ok(parsed) => {
            let mut ast = parsed.unit;
            if shadows {
                remove_shadows(&mut ast);
            }
            Ok(Unit { ast, text: parsed.source, map, warnings, renamed, doubts, packs, parts: Vec::new() })
        }
        Err(error) => {
            let earlier = suspicion.filter(|remark| remark.offset <= map.before_pass(error.offset));
            Err(earlier.map_or_else(|| hints::explain(&map, &error), |remark| resolve(&map, remark)).into())
        }
    }
}

/// Reads a text that was made of several files, each of which has been read by itself.
pub(crate) fn parse_linked(joined: Joined, files: Vec<File>) -> Result<Unit, Diagnostics> {
    if joined.original.len().max(joined.text.len()) > LONGEST {
        let message = "the files together are longer than a gigabyte";
        return Err(Diagnostic::about_file(Severity::Error, &files[0].name, message).into());
    }
    let Joined { original, text, offsets, parts, moved, mut renamed } = joined;
    let directives = lexer::lex(&original).directives;
    let is_fresh = files.iter().all(|file| file.unit.map.origin() == Origin::Fresh);
    let origin = if is_fresh { Origin::Fresh } else { Origin::Given };
    let mut map = SourceMap::new(original, &directives, files[0].unit.map.user_start(), origin);
    map.set_offsets(offsets);
    let (mut warnings, mut doubts, mut packs) = (Diagnostics::new(), Vec::new(), Vec::new());
    for (file, (from, to)) in files.into_iter().zip(moved) {
        let place = |offset: usize| offset.saturating_sub(from) + to;
        warnings.extend(file.unit.warnings);
        doubts.extend(file.unit.doubts.into_iter().map(|(offset, message)| (place(offset), message)));
        // A file does not begin with what the one before it has set.
        packs.push((to, 0));
        packs.extend(file.unit.packs.into_iter().map(|(offset, pack)| (place(offset), pack)));
        renamed.extend(file.unit.renamed);
    }
    on_large_stack(|| match parse_preprocessed(&config(), text) {
        Ok(parsed) => {
            let mut ast = parsed.unit;
            remove_shadows(&mut ast);
            Ok(Unit { ast, text: parsed.source, map, warnings, renamed, doubts, packs, parts })
        }
        Err(error) => Err(hints::explain(&map, &error).into()),
    })
}

/// The parser's options.
fn config() -> Config {
    Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::ClangC11 }
}

/// The names that declarators declare.
pub(crate) fn declared_names<'a>(
    declarators: impl Iterator<Item = &'a Node<Declarator>>,
) -> Vec<&'a Node<Identifier>> {
    let name = |declarator: &'a Node<Declarator>| {
        let mut level = declarator;
        loop {
            match &level.node.kind.node {
                DeclaratorKind::Declarator(inner) => level = inner,
                DeclaratorKind::Identifier(name) => return Some(name),
                DeclaratorKind::Abstract => return None,
            }
        }
    };
    declarators.filter_map(name).collect()
}

/// A file name as line markers have it.
pub(crate) fn quoted(name: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => "?".to_owned(),
        c => c.to_string(),
    };
    format!("\"{}\"", name.chars().map(escape).collect::<String>())
}

fn resolve(map: &SourceMap, remark: Remark) -> Diagnostic {
    let diagnostic = map.diagnostic_before_pass(remark.severity, remark.offset, remark.message);
    Diagnostic { hint: remark.hint, ..diagnostic }
}

/// Takes away what the token pass put in front of function bodies for the parser's sake.
fn remove_shadows(ast: &mut TranslationUnit) {
    for external in &mut ast.0 {
        if let ExternalDeclaration::FunctionDefinition(function) = &mut external.node
            && let Statement::Compound(items) = &mut function.node.statement.node
        {
            items.retain(|item| !is_shadow(&item.node));
        }
    }
}

fn is_shadow(item: &BlockItem) -> bool {
    let BlockItem::Declaration(declaration) = item else { return false };
    let [specifier] = declaration.node.specifiers.as_slice() else { return false };
    let DeclarationSpecifier::TypeSpecifier(specifier) = &specifier.node else { return false };
    matches!(&specifier.node, TypeSpecifier::TypedefName(name) if name.node.name == SHADOW)
}

#[cfg(test)]
mod tests;
