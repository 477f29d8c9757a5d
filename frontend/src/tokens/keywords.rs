//! What words mean before any declaration is seen.

/// What a word is, as far as the pass needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// `typedef`
    Typedef,
    /// `static`, `extern`, `_Thread_local`, ... and `inline`, `_Noreturn`
    Storage,
    /// `const`, `volatile`, `restrict`
    Qualifier,
    /// `_Atomic`, with or without a type in parentheses
    Atomic,
    /// `_Alignas`
    Alignment,
    /// `signed`, `unsigned`
    Signedness,
    /// `__int128`
    Int128,
    /// Any other word that is a type by itself or with others of its kind.
    Type,
    /// `typeof`
    TypeOf,
    /// `struct`, `union`
    Record,
    /// `enum`
    Enum,
    /// `__attribute__`
    Attribute,
    /// `_Static_assert`
    StaticAssert,
    /// Any other word that cannot be a name.
    Keyword,
    /// What can be declared.
    Name,
}

/// Looks a word up.
pub(crate) fn word(spelled: &str) -> Word {
    match spelled {
        "typedef" => Word::Typedef,
        "extern"
        | "static"
        | "auto"
        | "register"
        | "_Thread_local"
        | "__thread"
        | "__CPROVER_thread_local"
        | "inline"
        | "__inline"
        | "__inline__"
        | "_Noreturn" => Word::Storage,
        "const" | "__const" | "__const__" | "volatile" | "__volatile" | "__volatile__" | "restrict"
        | "__restrict" | "__restrict__" => Word::Qualifier,
        "_Atomic" => Word::Atomic,
        "_Alignas" => Word::Alignment,
        "signed" | "__signed" | "__signed__" | "unsigned" => Word::Signedness,
        "__int128" => Word::Int128,
        "void" | "char" | "short" | "int" | "long" | "float" | "double" | "_Bool" | "__CPROVER_bool"
        | "_Complex" | "__complex" | "__complex__" | "_Float16" | "_Float32" | "_Float64" | "_Float128"
        | "_Float16x" | "_Float32x" | "_Float64x" | "_Float128x" | "_Decimal32" | "_Decimal64"
        | "_Decimal128" | "__float128" | "__float80" | "__auto_type" => Word::Type,
        "typeof" | "__typeof" | "__typeof__" => Word::TypeOf,
        "struct" | "union" => Word::Record,
        "enum" => Word::Enum,
        "__attribute__" => Word::Attribute,
        "_Static_assert" => Word::StaticAssert,
        "break"
        | "case"
        | "continue"
        | "default"
        | "do"
        | "else"
        | "for"
        | "goto"
        | "if"
        | "return"
        | "sizeof"
        | "switch"
        | "while"
        | "_Alignof"
        | "__alignof"
        | "__alignof__"
        | "_Generic"
        | "__asm__"
        | "__label__"
        | "__builtin_offsetof"
        | "__builtin_va_arg"
        | "__real"
        | "__real__"
        | "__imag"
        | "__imag__"
        | "__func__"
        | "__FUNCTION__"
        | "__PRETTY_FUNCTION__" => Word::Keyword,
        _ => Word::Name,
    }
}

impl Word {
    /// Whether a declaration or a type name may begin with it.
    pub(crate) fn starts_type(self) -> bool {
        !matches!(self, Word::StaticAssert | Word::Keyword | Word::Name)
    }

    /// Whether it can stand in a list of qualifiers.
    pub(crate) fn is_qualifier(self) -> bool {
        matches!(self, Word::Qualifier | Word::Atomic)
    }
}
