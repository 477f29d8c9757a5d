//! The source with colours: comments, strings, numbers, keywords and directives, line by line. Nothing is understood and nothing left out: the text of
//! a line without its marks is the line.

use super::escape::escape;

/// Words with a meaning of their own.
const KEYWORDS: &str = " auto break case const continue default do else enum extern for goto if inline register restrict return sizeof static \
     struct switch typedef union volatile while _Atomic _Thread_local __thread __attribute__ asm __asm__ ";

/// Types that need no declaration, and usual ones.
const TYPES: &str = " void char short int long float double signed unsigned _Bool bool size_t ssize_t int8_t int16_t int32_t int64_t uint8_t \
     uint16_t uint32_t uint64_t uintptr_t intptr_t pthread_t pthread_mutex_t pthread_cond_t ";

/// The lines of a text as HTML.
pub(super) fn lines(text: &str) -> Vec<String> {
    let mut in_comment = false;
    text.lines().map(|line| self::line(line, &mut in_comment)).collect()
}

fn line(line: &str, in_comment: &mut bool) -> String {
    let mut html = String::new();
    let mut rest = line;
    let is_directive = !*in_comment && rest.trim_start().starts_with('#');
    while !rest.is_empty() {
        let (class, length) =
            if *in_comment { comment(rest, 0, in_comment) } else { token(rest, in_comment) };
        let (piece, after) = rest.split_at(length);
        let class = if is_directive && class != "c" { "d" } else { class };
        match class {
            "" => html.push_str(&escape(piece)),
            class => html.push_str(&format!("<i class=\"{class}\">{}</i>", escape(piece))),
        }
        rest = after;
    }
    html
}

/// The class and the length of what a line begins with.
fn token(text: &str, in_comment: &mut bool) -> (&'static str, usize) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let first = text.chars().next().unwrap_or(' ');
    let while_ = |test: &dyn Fn(char) -> bool| text.find(|c| !test(c)).unwrap_or(text.len());
    match first {
        _ if text.starts_with("//") => ("c", text.len()),
        _ if text.starts_with("/*") => comment(text, 2, in_comment),
        '"' | '\'' => ("s", quoted(text, first)),
        '0'..='9' => ("n", while_(&|c| is_word(c) || c == '.')),
        c if is_word(c) => {
            let length = while_(&is_word);
            let spaced = format!(" {} ", &text[..length]);
            let class = if KEYWORDS.contains(&spaced) {
                "k"
            } else if TYPES.contains(&spaced) {
                "t"
            } else {
                ""
            };
            (class, length)
        }
        first => ("", first.len_utf8()),
    }
}

/// A comment up to its end or that of the line, the end being looked for from an offset on.
fn comment(text: &str, from: usize, in_comment: &mut bool) -> (&'static str, usize) {
    let end = text[from..].find("*/").map(|at| from + at + 2);
    *in_comment = end.is_none();
    ("c", end.unwrap_or(text.len()))
}

/// The length of a string or character with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours() {
        assert_eq!(
            lines("#define A 1 // x\nint a = '\\'' + 0x1f; /* b\n</i> */ return \"a\\\"</script>\";"),
            [
                "<i class=\"d\">#</i><i class=\"d\">define</i><i class=\"d\"> </i><i class=\"d\">A</i><i class=\"d\"> \
                 </i><i class=\"d\">1</i><i class=\"d\"> </i><i class=\"c\">// x</i>",
                "<i class=\"t\">int</i> a = <i class=\"s\">&#39;\\&#39;&#39;</i> + <i class=\"n\">0x1f</i>; <i class=\"c\">/* b</i>",
                "<i class=\"c\">&lt;/i&gt; */</i> <i class=\"k\">return</i> <i class=\"s\">&quot;a\\&quot;&lt;/script&gt;&quot;</i>;",
            ]
        );
    }

    #[test]
    fn nothing_is_lost() {
        for text in ["/*/ a */ b", "\"open", "'", "é/ü", "/* open", "a\\\"b"] {
            let html = lines(text).concat();
            let mut plain = String::new();
            let mut in_tag = false;
            for c in html.chars() {
                match c {
                    '<' => in_tag = true,
                    '>' => in_tag = false,
                    c if !in_tag => plain.push(c),
                    _ => {}
                }
            }
            assert_eq!(plain.replace("&quot;", "\"").replace("&#39;", "'"), text);
        }
    }
}
