//! Attributes that say nothing about values, and so are not shown to the parser.
//!
//! They advise optimisers, linkers and warnings. Others (`packed`, `aligned`, `mode`, `noreturn`, `cleanup`, ...) are kept, and
//! so is what is not known here.

use super::code::Code;

/// Names without the underscores that may be around them.
const HARMLESS: [&str; 117] = [
    "access",
    "acquire_capability",
    "acquired_after",
    "acquired_before",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "annotate",
    "artificial",
    "assert_capability",
    "assume_aligned",
    "availability",
    "bounded",
    "capability",
    "cdecl",
    "cold",
    "common",
    "const",
    "copy",
    "counted_by",
    "cpu_dispatch",
    "cpu_specific",
    "deprecated",
    "designated_init",
    "diagnose_if",
    "dllexport",
    "dllimport",
    "enum_extensibility",
    "error",
    "exclusive_lock_function",
    "exclusive_locks_required",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flag_enum",
    "flatten",
    "format",
    "format_arg",
    "gnu_inline",
    "guarded_by",
    "hot",
    "ifunc",
    "inline",
    "internal_linkage",
    "leaf",
    "lock_returned",
    "locks_excluded",
    "malloc",
    "may_alias",
    "maybe_unused",
    "ms_abi",
    "no_address_safety_analysis",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "no_thread_safety_analysis",
    "noclone",
    "nocommon",
    "nodebug",
    "nodiscard",
    "noescape",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "nothrow",
    "null_terminated_string_arg",
    "optimize",
    "overloadable",
    "patchable_function_entry",
    "pcs",
    "pt_guarded_by",
    "ptr_guarded_by",
    "pure",
    "regparm",
    "release_capability",
    "reproducible",
    "requires_capability",
    "retain",
    "returns_nonnull",
    "scoped_lockable",
    "section",
    "selectany",
    "sentinel",
    "shared_lock_function",
    "shared_locks_required",
    "simd",
    "stack_protect",
    "stdcall",
    "strict_flex_array",
    "symver",
    "sysv_abi",
    "target",
    "target_clones",
    "thiscall",
    "tls_model",
    "try_acquire_capability",
    "unavailable",
    "unlock_function",
    "unsequenced",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "warning",
];

/// Whether all attributes in the bracket that opens at `open` are harmless; also if there are none.
pub(super) fn harmless(code: &Code<'_>, open: usize) -> bool {
    let commas = code.commas(open);
    let starts = std::iter::once(open).chain(commas).map(|before| before + 1);
    let mut names = starts.map(|start| code.at(start)).filter(|name| !matches!(*name, "," | ")" | "]"));
    names.all(|name| HARMLESS.binary_search(&plain(name)).is_ok())
}

/// An attribute's name without the underscores around it.
fn plain(name: &str) -> &str {
    name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(HARMLESS.is_sorted());
    }

    #[test]
    fn attributes_that_matter_are_kept() {
        let judge = |text: &str| harmless(&Code::new(text, lex(text).tokens).unwrap(), 0);
        for text in ["()", "(unused)", "(__nothrow__, __leaf__)", "(format(printf, 1, 2), const,)"] {
            assert!(judge(text), "{text}");
        }
        for text in ["(packed)", "(unused, aligned(8))", "(__mode__(__DI__))", "(unheard_of)", "(noreturn)"] {
            assert!(!judge(text), "{text}");
        }
    }
}
