//! A template as statements: operands are marked, comments and directives without code are left out (GCC manual, extended asm).

/// Stands in front of a reference to an operand: a letter or `-` and a number follow, then [`CLOSE`].
pub(super) const OPEN: char = '\u{1}';
/// Stands behind a reference to an operand.
pub(super) const CLOSE: char = '\u{2}';

/// What stands between two separators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// Labels in front of it.
    pub labels: Vec<String>,
    /// The rest.
    pub text: String,
}

/// Splits a template. `operands` has the symbolic names of the operands and of the labels of `asm goto`; without it the template is one without operands, where
/// `%` is a character like others.
pub(crate) fn statements(
    template: &str,
    operands: Option<&[Option<String>]>,
) -> Result<Vec<Statement>, String> {
    let marked = match operands {
        Some(names) => mark(&alternatives(template), names)?,
        None => template.to_owned(),
    };
    let mut found = Vec::new();
    let mut elsewhere = 0;
    for text in split(&marked)? {
        let (labels, text) = strip_labels(&text);
        let word = text.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
        match word.as_str() {
            ".pushsection" | ".section" => elsewhere += 1,
            ".popsection" | ".previous" if elsewhere > 0 => elsewhere -= 1,
            _ if elsewhere > 0 => {}
            ".align" | ".balign" | ".p2align" => push(&mut found, labels, String::new()),
            ".byte" if is_pause(&text) => push(&mut found, labels, "nop".to_owned()),
            _ if word.starts_with('.') => return Err(format!("the directive '{text}'")),
            _ => push(&mut found, labels, text),
        }
    }
    if elsewhere > 0 {
        return Err("a section that is not left again".to_owned());
    }
    Ok(found)
}

fn push(found: &mut Vec<Statement>, labels: Vec<String>, text: String) {
    if !labels.is_empty() || !text.is_empty() {
        found.push(Statement { labels, text });
    }
}

/// `pause`, for assemblers that do not know it.
fn is_pause(text: &str) -> bool {
    let bytes: String = text.to_ascii_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    bytes == ".byte0xf3,0x90"
}

/// `{att|intel}`: what AT&T's syntax has.
fn alternatives(template: &str) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let inside = &rest[open + 1..];
        let (Some(bar), Some(close)) = (inside.find('|'), inside.find('}')) else { break };
        if bar > close || rest[..open].ends_with('%') {
            break;
        }
        text.push_str(&rest[..open]);
        text.push_str(&inside[..bar]);
        rest = &inside[close + 1..];
    }
    text + rest
}

/// `%0`, `%b0`, `%[name]`, `%%`, `%=`.
fn mark(template: &str, names: &[Option<String>]) -> Result<String, String> {
    let mut marked = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('%') {
        marked.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut characters = rest.chars();
        let Some(first) = characters.next() else { return Err("'%' at the end".to_owned()) };
        if matches!(first, '%' | '=') {
            marked.push_str(if first == '%' { "%" } else { "0" });
            rest = characters.as_str();
            continue;
        }
        let modifier = if first.is_ascii_alphabetic() { first } else { '-' };
        let after = if modifier == '-' { rest } else { characters.as_str() };
        let (index, behind) = match after.strip_prefix('[') {
            Some(name) => {
                let Some((name, behind)) = name.split_once(']') else {
                    return Err("'%[' without ']'".to_owned());
                };
                (names.iter().position(|n| n.as_deref() == Some(name)), behind)
            }
            None => {
                let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
                (after[..end].parse().ok(), &after[end..])
            }
        };
        match index {
            Some(index) if index < names.len() => marked.push_str(&format!("{OPEN}{modifier}{index}{CLOSE}")),
            _ => return Err("'%' without an operand".to_owned()),
        }
        rest = behind;
    }
    Ok(marked + rest)
}

/// Cuts at `;` and line ends, outside of comments and quotes. `#` begins a comment at the start of a statement and before a space;
/// elsewhere it marks a number.
fn split(text: &str) -> Result<Vec<String>, String> {
    let mut found = vec![String::new()];
    let mut characters = text.chars().peekable();
    let mut quoted = false;
    while let Some(character) = characters.next() {
        let is_start = found.last().is_none_or(|s| s.trim().is_empty());
        let next = characters.peek().copied();
        match character {
            '"' => quoted = !quoted,
            ';' | '\n' if !quoted => {
                found.push(String::new());
                continue;
            }
            '/' if next == Some('*') && !quoted => {
                let rest: String = characters.by_ref().collect();
                let Some((_, behind)) = rest.split_once("*/") else {
                    return Err("a comment without an end".to_owned());
                };
                let tail = split(behind)?;
                let mut tail = tail.into_iter();
                if let (Some(last), Some(first)) = (found.last_mut(), tail.next()) {
                    last.push(' ');
                    last.push_str(&first);
                }
                found.extend(tail);
                break;
            }
            '#' if !quoted && (is_start || next.is_none_or(char::is_whitespace)) => {
                skip_line(&mut characters);
                continue;
            }
            '/' if !quoted && next == Some('/') => {
                skip_line(&mut characters);
                continue;
            }
            _ => {}
        }
        if let Some(last) = found.last_mut() {
            last.push(character);
        }
    }
    Ok(found.iter().map(|s| s.trim().to_owned()).collect())
}

fn skip_line(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while characters.next_if(|c| *c != '\n').is_some() {}
}

fn strip_labels(text: &str) -> (Vec<String>, String) {
    let mut labels = Vec::new();
    let mut rest = text.trim();
    while let Some((label, behind)) = rest.split_once(':') {
        let is_name =
            !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || "_.$".contains(c));
        if !is_name {
            break;
        }
        labels.push(label.to_owned());
        rest = behind.trim();
    }
    (labels, rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(template: &str) -> Vec<String> {
        statements(template, Some(&[None, Some("p".to_owned())]))
            .unwrap()
            .into_iter()
            .map(|s| s.text)
            .collect()
    }

    #[test]
    fn separators_comments_and_references() {
        assert_eq!(texts("nop; nop\n\tnop # not; this\n"), ["nop", "nop", "nop"]);
        assert_eq!(
            texts("mov %b0, %%al /* x; */; mov %[p],%0"),
            ["mov \u{1}b0\u{2}, %al", "mov \u{1}-1\u{2},\u{1}-0\u{2}"]
        );
        assert_eq!(texts("add %w0, %w0, #1 // more"), ["add \u{1}w0\u{2}, \u{1}w0\u{2}, #1"]);
        assert_eq!(texts("# only; a comment"), [""; 0]);
        assert_eq!(texts("mov{l %0, %1| %1, %0}"), ["movl \u{1}-0\u{2}, \u{1}-1\u{2}"]);
        assert_eq!(texts(".byte 0xf3, 0x90"), ["nop"]);
    }

    #[test]
    fn segments_are_no_labels() {
        assert_eq!(texts("1: mov %%gs:0, %0"), ["mov %gs:0, \u{1}-0\u{2}"]);
    }
}
