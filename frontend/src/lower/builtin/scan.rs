//! The `scanf` family: as many conversions succeed as the input likes, and these write any value.
//!
//! Input from a stream is any input, so that is exact; `sscanf` reads a text that is known, and is over-approximated.

use super::format::{Conversion, Number, Piece, parse};
use crate::lower::context::{Lowered, Lowerer, unsupported, wrong};
use crate::lower::expression::{Operand, Place, Value};
use crate::lower::graph::Op;
use crate::models::library::plain_name;
use crate::types::{INT, Type};
use lang_c::ast;
use lang_c::span::{Node, Span};
use smt::Term;

const DOUBT: &str = "what sscanf finds in the text";

impl<'a> Lowerer<'a> {
    /// A function that reads by a format.
    pub(super) fn scan_function(
        &mut self,
        name: &str,
        call: &'a Node<ast::CallExpression>,
        span: Span,
    ) -> Lowered<Option<Operand>> {
        let plain = plain_name(name);
        let at = match plain {
            "scanf" => 0,
            "fscanf" | "sscanf" => 1,
            _ => return Ok(None),
        };
        if self.has_own_definition(plain) {
            return Ok(None);
        }
        let arguments = call.node.arguments.as_slice();
        let Some((format, targets)) = arguments.get(at..).and_then(|rest| rest.split_first()) else {
            return wrong(span, format!("'{name}' needs a format"));
        };
        let Some(pieces) = self.literal_argument(format).and_then(|text| parse(&text, true)) else {
            return unsupported(
                span,
                format!("the format of '{name}' is not a literal: this is not modelled"),
            );
        };
        let is_text = plain == "sscanf";
        for argument in &arguments[..at] {
            let value = self.rvalue(argument)?;
            let model = if is_text { "__monabs_look_at_text" } else { "__monabs_stream" };
            self.call_model(model, vec![value], span)?;
        }
        let places = targets.iter().map(|target| self.target(target)).collect::<Lowered<Vec<Place>>>()?;
        self.scan_pieces(&pieces, &places, is_text, span).map(Some)
    }

    fn scan_pieces(
        &mut self,
        pieces: &[Piece],
        places: &[Place],
        is_text: bool,
        span: Span,
    ) -> Lowered<Operand> {
        let (result, end) = (self.temporary(&INT), self.node());
        let mut places = places.iter();
        let mut count = 0u32;
        for piece in pieces {
            let Piece::Conversion(conversion) = piece else { continue };
            let is_ignored = conversion.flags.contains(&b'*');
            // Each conversion may fail; before the first one the input may be at its end.
            if conversion.kind != b'n' {
                let succeeds = self.doubtful(&Type::Bool, is_text);
                let (fails, goes_on) = (self.node(), self.node());
                self.emit_branch(Op::Assume(succeeds.not()), fails);
                self.emit_branch(Op::Assume(succeeds), goes_on);
                self.continue_at(fails);
                let at_end = self.doubtful(&Type::Bool, is_text);
                let none = at_end.ite(Term::bv_signed(32, -1), Term::bv(32, 0));
                self.set(result, if count == 0 { none } else { Term::bv(32, u128::from(count)) });
                self.emit_branch(Op::Skip, end);
                self.continue_at(goes_on);
            }
            if is_ignored {
                continue;
            }
            let Some(place) = places.next() else {
                return unsupported(span, "undefined behaviour: an argument for the format is missing");
            };
            self.scan_conversion(conversion, place, is_text, span)?;
            count += u32::from(conversion.kind != b'n');
        }
        self.set(result, Term::bv(32, u128::from(count)));
        self.join(end);
        Ok(Operand::Scalar(Value::new(self.register_term(result), INT)))
    }

    /// Any value, which reality need not have where a text is read that is known.
    fn doubtful(&mut self, ty: &Type, is_text: bool) -> Term {
        if is_text { self.guess(ty, DOUBT) } else { self.any(ty) }
    }

    fn scan_conversion(
        &mut self,
        conversion: &Conversion,
        place: &Place,
        is_text: bool,
        span: Span,
    ) -> Lowered<()> {
        if conversion.flags.contains(&b'm') || conversion.length.contains(&b'm') {
            return unsupported(span, "scanf that allocates is not modelled");
        }
        let width = match conversion.width {
            Some(Number::Literal(width)) => Some(width),
            _ => None,
        };
        let ty = match conversion.kind {
            b's' | b'[' | b'c' if conversion.length.contains(&b'l') => {
                return unsupported(span, "reading wide characters is not modelled");
            }
            b's' | b'[' | b'c' => {
                if is_text || conversion.kind == b'[' {
                    self.approximate(DOUBT);
                }
                let model =
                    if conversion.kind == b'c' { "__monabs_scan_bytes" } else { "__monabs_scan_text" };
                let default = if conversion.kind == b'c' { 1 } else { 0x7fff_ffff };
                let most = self.size_value(width.unwrap_or(default));
                let target = Value::new(self.address_term(place, span)?, Type::Void.pointer());
                self.call_model(model, vec![target, most], span)?;
                return Ok(());
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'n' => conversion.integer(),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => conversion.float(),
            b'p' => Type::Void.pointer(),
            _ => return unsupported(span, "this conversion of scanf is not modelled"),
        };
        // A width bounds the number, and what %n says is not negative.
        let is_text = is_text || width.is_some() || conversion.kind == b'n';
        let fits = place.ty.is_scalar()
            && *place.ty.unatomic() != Type::Bool
            && self.types.width(place.ty.unatomic()) == self.types.width(&ty);
        if fits {
            let value = self.doubtful(&place.ty.unatomic().clone(), is_text);
            self.write(place, value);
        } else {
            let address = self.address_term(place, span)?;
            let place = self.pointed(&Value::new(address, ty.clone().pointer()));
            let value = self.doubtful(&ty, is_text);
            self.write(&place, value);
        }
        Ok(())
    }
}
