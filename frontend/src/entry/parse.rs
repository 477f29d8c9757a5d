//! How entry points are written on the command line: `open`, `intr:1`, `read(shared, fresh, any)`, `attach(&device) = 0`.

use super::{Argument, Entry, Init};

/// More threads than this are better not counted.
const MOST_THREADS: u32 = 64;

pub(super) fn entry(text: &str) -> Result<Entry, String> {
    let (function, arguments, rest) = call(text)?;
    let threads = match rest.strip_prefix(':') {
        None if rest.is_empty() => None,
        None => {
            return Err(format!(
                "'{rest}' is not understood; expected NAME, NAME(ARGUMENT,...) or either with :THREADS"
            ));
        }
        Some(number) => Some(match number.trim().parse() {
            Ok(0) => return Err("no thread would call it: leave it out".to_owned()),
            Ok(threads) if threads <= MOST_THREADS => threads,
            Ok(_) => {
                return Err(format!(
                    "at most {MOST_THREADS} threads can be counted; without a number there is no bound"
                ));
            }
            Err(_) => return Err(format!("'{number}' is no number of threads")),
        }),
    };
    Ok(Entry { function, arguments, threads })
}

pub(super) fn init(text: &str) -> Result<Init, String> {
    let (function, arguments, rest) = call(text)?;
    let result = match rest.strip_prefix('=') {
        None if rest.is_empty() => None,
        None => {
            return Err(format!(
                "'{rest}' is not understood; expected NAME, NAME(ARGUMENT,...) or either with =RESULT"
            ));
        }
        Some(number) => {
            Some(number.trim().parse().map_err(|_| format!("'{number}' is no number to be returned"))?)
        }
    };
    Ok(Init { function, arguments, result })
}

/// The name, the arguments in parentheses, and what follows.
fn call(text: &str) -> Result<(String, Vec<Argument>, &str), String> {
    let text = text.trim();
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if !is_name(name) {
        return Err("expected the name of a function".to_owned());
    }
    let rest = rest.trim_start();
    let Some(inside) = rest.strip_prefix('(') else { return Ok((name.to_owned(), Vec::new(), rest)) };
    let Some((inside, rest)) = inside.split_once(')') else {
        return Err("a closing parenthesis is missing".to_owned());
    };
    let list = if inside.trim().is_empty() { Vec::new() } else { inside.split(',').collect() };
    let arguments = list.into_iter().map(|word| argument(word.trim())).collect::<Result<_, _>>()?;
    Ok((name.to_owned(), arguments, rest.trim()))
}

fn argument(word: &str) -> Result<Argument, String> {
    let is_value =
        |word: &str| is_name(word) || is_number(word) || word.strip_prefix('&').is_some_and(is_name);
    Ok(match word {
        "" => Argument::Usual,
        "any" => Argument::Any,
        "fresh" => Argument::Fresh,
        "zero" => Argument::Zero,
        "shared" => Argument::Shared,
        "null" => Argument::Null,
        value if is_value(value) => Argument::Value(value.to_owned()),
        other => {
            return Err(format!(
                "'{other}' is no argument; expected any, fresh, zero, shared, null, a number, a variable or &VARIABLE"
            ));
        }
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn is_name(word: &str) -> bool {
    word.chars().all(is_word) && word.starts_with(|c: char| is_word(c) && !c.is_ascii_digit())
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    match digits.strip_prefix("0x") {
        Some(digits) => !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit()),
        None => !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()),
    }
}
