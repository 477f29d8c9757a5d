//! The `printf` family: what is written to memory, and what is read of it.
//!
//! With a literal format, text, `%c`, `%s` and plain conversions of integers are exact; other conversions put any characters, as
//! many as the conversion can make at most. Without, any characters are written. What goes to a stream is not kept, so only
//! the reads of strings remain, which data races are about.

use super::format::{Conversion, Number, Piece, parse};
use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::literal::{Encoding, Text};
use crate::lower::expression::{Operand, Value};
use crate::models::library::plain_name;
use crate::types::{CHAR, INT};
use lang_c::ast;
use lang_c::span::{Node, Span};
use smt::Term;

/// Where the characters go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sink {
    Stream,
    /// To the first argument.
    Text,
    /// To the first argument, at most as many as the second says.
    Bounded,
    /// To a new object, whose address goes to where the first argument points.
    New,
}

/// Where the format is, and whether a list of arguments follows rather than arguments.
struct Shape {
    sink: Sink,
    format: usize,
    list: bool,
}

fn classify(name: &str) -> Option<Shape> {
    let plain = plain_name(name);
    let (root, list) = match plain.strip_prefix('v') {
        Some(root) => (root, true),
        None => (plain, false),
    };
    let (sink, format, checked) = match root {
        "printf" | "printk" => (Sink::Stream, 0, 1),
        "fprintf" | "dprintf" | "syslog" => (Sink::Stream, 1, 2),
        "sprintf" => (Sink::Text, 1, 3),
        "snprintf" => (Sink::Bounded, 2, 4),
        "asprintf" => (Sink::New, 1, 2),
        _ => return None,
    };
    let format = if name.ends_with("_chk") { checked } else { format };
    Some(Shape { sink, format, list })
}

/// The stream that is printed to, if it is an argument.
fn first_stream(plain: &str, operands: &[Option<Value>]) -> Option<Value> {
    let first = operands.first().cloned().flatten();
    first.filter(|value| value.ty.is_pointer() && matches!(plain, "fprintf" | "vfprintf"))
}

/// The text that is being made.
struct Output {
    target: Value,
    size: Value,
    position: Value,
}

impl<'a> Lowerer<'a> {
    /// A function that prints.
    pub(super) fn print_function(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let Some(shape) = classify(name).filter(|_| !self.has_own_definition(plain_name(name))) else {
            return Ok(None);
        };
        let arguments = call.node.arguments.as_slice();
        let Some(format) = arguments.get(shape.format) else {
            return wrong(span, format!("'{name}' needs a format"));
        };
        let pieces = self.literal_argument(format).filter(|_| !shape.list).map(|text| parse(&text, false));
        let mut operands = Vec::new();
        for argument in arguments {
            operands.push(match self.operand(argument)? {
                Operand::Scalar(value) => Some(self.promoted(&value, argument.span)?),
                _ => None,
            });
        }
        if let Some(None) = pieces {
            return unsupported(span, format!("undefined behaviour: the format of '{name}' is not one"));
        }
        if let (true, Some(Some(list))) = (shape.list, operands.last()) {
            self.spend_list(list.term, &list.ty.clone());
        }
        let pieces = pieces.flatten();
        if pieces.is_none() && may_count(self.unit.text()) {
            return unsupported(
                span,
                format!("'{name}' with %n in a format that is not written here is not modelled"),
            );
        }
        let rest: Vec<Option<Value>> = operands.split_off((shape.format + 1).min(operands.len()));
        let first =
            |s: &Self, index: usize| operands.get(index).cloned().flatten().unwrap_or(s.size_value(0));
        let (target, size) = match shape.sink {
            Sink::Stream => {
                if let Some(stream) = first_stream(plain_name(name), &operands) {
                    self.call_model("__monabs_stream", vec![stream], span)?;
                }
                return self.print_stream(pieces.as_deref(), &rest, span).map(Some);
            }
            Sink::New => {
                let result = self.call_model("__monabs_print_new", vec![first(self, 0)], span)?;
                return Ok(result.map(Operand::Scalar));
            }
            Sink::Text => (first(self, 0), self.size_value(u64::MAX >> (64 - self.pointer_width()))),
            Sink::Bounded => (first(self, 0), first(self, 1)),
        };
        let position = self.size_value(0);
        let mut output = Output { target, size, position };
        match pieces {
            Some(pieces) => self.print_pieces(&mut output, &pieces, &rest, span)?,
            None => self.put_any(&mut output, None, span)?,
        }
        let Output { target, size, position } = output;
        let result = self.call_model("__monabs_put_end", vec![target, size, position], span)?;
        Ok(result.map(Operand::Scalar))
    }

    /// What goes out is not kept; `%n` and the strings that are read remain.
    fn print_stream(
        &mut self,
        pieces: Option<&[Piece]>,
        arguments: &[Option<Value>],
        span: Span,
    ) -> Lowered<Operand> {
        for Given { conversion, precision, argument } in
            conversions(pieces.unwrap_or_default(), arguments, span)?
        {
            match (conversion.kind, argument) {
                (b's', Some(text)) => self.look_at_text(conversion, text, precision, span)?,
                (b'n', Some(target)) => {
                    let count = self.guess(&INT, "the number of characters that are printed");
                    self.store_count(conversion, target, Value::new(count, INT), span)?;
                }
                _ => {}
            }
        }
        // Output that succeeds may set errno, too. Most programs do not look at it.
        if self.unit.text().contains("__errno_location ()") {
            let error = self.guess(&INT, "whether output sets errno");
            self.call_model("__monabs_set_errno", vec![Value::new(error, INT)], span)?;
        }
        let count = self.guess(&INT, "the number of characters that are printed");
        Ok(Operand::Scalar(Value::new(count, INT)))
    }

    /// A string that is read, though nobody needs what it says: as far as the precision goes.
    fn look_at_text(
        &mut self,
        conversion: &Conversion,
        text: Value,
        precision: Option<Value>,
        span: Span,
    ) -> Lowered<()> {
        if conversion.length == b"l" {
            return unsupported(span, "printing wide characters is not modelled");
        }
        let most = match conversion.precision {
            None => None,
            Some(Number::Literal(most)) => {
                Some(Value::new(Term::bv(32, u128::from(most.min(0x7fff_ffff))), INT))
            }
            Some(Number::Argument) => precision,
        };
        match most {
            None => self.call_model("__monabs_look_at_text", vec![text], span)?,
            Some(most) => {
                let most = self.convert(&most, &INT, span)?;
                self.call_model("__monabs_look_at_part", vec![text, most], span)?
            }
        };
        Ok(())
    }

    fn store_count(
        &mut self,
        conversion: &Conversion,
        target: Value,
        count: Value,
        span: Span,
    ) -> Lowered<()> {
        let ty = conversion.integer();
        let place = self.pointed(&Value::new(target.term, ty.clone().pointer()));
        let count = self.convert(&count, &ty, span)?;
        self.write(&place, count.term);
        Ok(())
    }

    fn print_pieces(
        &mut self,
        output: &mut Output,
        pieces: &[Piece],
        arguments: &[Option<Value>],
        span: Span,
    ) -> Lowered<()> {
        let mut given = conversions(pieces, arguments, span)?.into_iter();
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    let object = self.string_object(plain_text(text), span.start);
                    let text = Value::new(self.object_address(object), CHAR.pointer());
                    self.put(output, "__monabs_put_text", vec![text, all(self)], span)?;
                }
                Piece::Conversion(_) => match given.next() {
                    Some(Given { conversion, precision, argument: Some(argument) }) => {
                        self.print_conversion(output, conversion, precision, argument, span)?
                    }
                    _ => return unsupported(span, "printing a struct is undefined"),
                },
            }
        }
        Ok(())
    }

    fn print_conversion(
        &mut self,
        output: &mut Output,
        conversion: &Conversion,
        precision: Option<Value>,
        argument: Value,
        span: Span,
    ) -> Lowered<()> {
        if conversion.length == b"l" && matches!(conversion.kind, b's' | b'c') {
            return unsupported(span, "printing wide characters is not modelled");
        }
        match conversion.kind {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if conversion.is_plain() => {
                let number = self.convert(&argument, &conversion.integer(), span)?;
                let (model, base) = match conversion.kind {
                    b'd' | b'i' => ("__monabs_put_signed", 10),
                    b'u' => ("__monabs_put_number", 10),
                    b'o' => ("__monabs_put_number", 8),
                    b'x' => ("__monabs_put_number", 16),
                    _ => ("__monabs_put_number", 17),
                };
                self.put(output, model, vec![number, Value::new(Term::bv(32, base), INT)], span)
            }
            b'c' if conversion.is_plain() => self.put(output, "__monabs_put", vec![argument], span),
            b's' if conversion.flags.is_empty()
                && conversion.width.is_none()
                && conversion.precision != Some(Number::Argument) =>
            {
                let most = match conversion.precision {
                    Some(Number::Literal(most)) => self.size_value(most),
                    _ => all(self),
                };
                self.put(output, "__monabs_put_text", vec![argument, most], span)
            }
            b's' => {
                self.look_at_text(conversion, argument, precision, span)?;
                self.put_any(output, None, span)
            }
            b'n' => {
                let count = output.position.clone();
                self.store_count(conversion, argument, count, span)
            }
            _ => {
                let most = longest(conversion);
                self.put_any(output, most, span)
            }
        }
    }

    fn put(&mut self, output: &mut Output, model: &str, more: Vec<Value>, span: Span) -> Lowered<()> {
        let mut values = vec![output.target.clone(), output.size.clone(), output.position.clone()];
        values.extend(more);
        if let Some(position) = self.call_model(model, values, span)? {
            output.position = position;
        }
        Ok(())
    }

    fn put_any(&mut self, output: &mut Output, most: Option<u64>, span: Span) -> Lowered<()> {
        let most =
            most.map_or_else(|| Value::new(Term::bv(32, 0x7fff_ffff), INT), |most| self.size_value(most));
        self.put(output, "__monabs_put_any", vec![most], span)
    }
}

/// No bound.
fn all(lowerer: &Lowerer<'_>) -> Value {
    lowerer.size_value(u64::MAX >> (64 - lowerer.pointer_width()))
}

/// How many characters a conversion makes at most; none if that is not known.
fn longest(conversion: &Conversion) -> Option<u64> {
    let mut most = match conversion.kind {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' | b'c' => 26,
        // As many digits as the largest number has.
        b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => 64,
        b'f' | b'F' => 5000,
        _ => return None,
    };
    for number in [conversion.width, conversion.precision].into_iter().flatten() {
        match number {
            Number::Literal(number) => most += number,
            Number::Argument => return None,
        }
    }
    Some(most)
}

/// A conversion with what it was given.
struct Given<'p> {
    conversion: &'p Conversion,
    /// What stands for a `*` as the precision.
    precision: Option<Value>,
    /// None for a struct.
    argument: Option<Value>,
}

/// Conversions with their arguments.
fn conversions<'p>(pieces: &'p [Piece], arguments: &[Option<Value>], span: Span) -> Lowered<Vec<Given<'p>>> {
    let mut arguments = arguments.iter();
    let mut all = Vec::new();
    for piece in pieces {
        let Piece::Conversion(conversion) = piece else { continue };
        let is_given = |number: Option<Number>| number == Some(Number::Argument);
        if is_given(conversion.width) {
            arguments.next();
        }
        let precision =
            if is_given(conversion.precision) { arguments.next().cloned().flatten() } else { None };
        let argument = match conversion.kind {
            b'm' => Some(Value::new(Term::bv(32, 0), INT)),
            _ => match arguments.next() {
                Some(argument) => argument.clone(),
                None => {
                    return unsupported(span, "undefined behaviour: an argument for the format is missing");
                }
            },
        };
        all.push(Given { conversion, precision, argument });
    }
    Ok(all)
}

/// Whether `%n`, which writes to memory, is in some string literal of a program.
fn may_count(program: &str) -> bool {
    let is_between = |byte: &u8| byte.is_ascii_digit() || b"-+ #.*'$hljztLq".contains(byte);
    let counts = |after: &[u8]| after.iter().find(|byte| !is_between(byte)) == Some(&b'n');
    let bytes = program.as_bytes();
    let (mut index, mut quote) = (0, None);
    while let Some(byte) = bytes.get(index) {
        match (byte, quote) {
            (b'\\', Some(_)) => index += 1,
            (b'"' | b'\'', None) => quote = Some(*byte),
            (byte, Some(end)) if *byte == end => quote = None,
            (b'%', Some(b'"')) if counts(&bytes[index + 1..]) => return true,
            _ => {}
        }
        index += 1;
    }
    false
}

/// Bytes as a string literal.
fn plain_text(bytes: &[u8]) -> Text {
    Text { encoding: Encoding::Plain, units: bytes.iter().map(|byte| u32::from(*byte)).collect() }
}
