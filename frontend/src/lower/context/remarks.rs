//! What is not translated, or not exactly: refusals and remarks.

use super::Lowerer;
use crate::lower::graph::Op;
use crate::program::{Assumption, Effect};
use lang_c::span::Span;

/// Why something is not translated.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// Byte offset in the preprocessed text.
    pub offset: usize,
    /// What, and what to do about it.
    pub message: String,
    /// Not C as we know it (an error), or C that is not modelled (unknown, if control gets there).
    pub error: bool,
}

/// The result of translating a piece of C.
pub(crate) type Lowered<T> = Result<T, Box<Refusal>>;

/// The text is wrong.
pub(crate) fn wrong<T>(span: Span, message: impl Into<String>) -> Lowered<T> {
    Err(Box::new(Refusal { offset: span.start, message: message.into(), error: true }))
}

/// The text is fine but not modelled.
pub(crate) fn unsupported<T>(span: Span, message: impl Into<String>) -> Lowered<T> {
    Err(Box::new(Refusal { offset: span.start, message: message.into(), error: false }))
}

/// A remark about something that is not exact, before positions are resolved.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub effect: Effect,
    /// What is assumed, if that is the effect.
    pub kind: Option<Assumption>,
    pub offset: usize,
    pub message: String,
    /// The source of an operation that was made for it, if one was: the remark matters only if control can get there.
    pub placed: Option<(u32, u32)>,
}
impl<'a> Lowerer<'a> {
    pub(crate) fn remark(&mut self, effect: Effect, offset: usize, message: impl Into<String>) {
        let kind = (effect == Effect::Assumption).then_some(Assumption::Other);
        self.note(Remark { effect, kind, offset, message: message.into(), placed: None });
    }

    /// Something is assumed here; said with the verdict if control can get here.
    pub(crate) fn assuming(&mut self, kind: Assumption, offset: usize, message: impl Into<String>) {
        let Span { start, end } = self.span();
        let here = Span { start: start.min(offset), end: end.max(offset + 1) };
        let outer = self.set_span(here);
        self.emit(Op::Skip);
        self.set_span(outer);
        let placed = self.builder.as_ref().map(|_| (here.start as u32, here.end as u32));
        let (kind, message) = (Some(kind), message.into());
        self.note(Remark { effect: Effect::Assumption, kind, offset, message, placed });
    }

    fn note(&mut self, remark: Remark) {
        if !self.remarks.iter().any(|r| r.offset == remark.offset && r.message == remark.message) {
            self.remarks.push(remark);
        }
    }
}
