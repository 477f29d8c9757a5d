//! Structs of the models, which the user's text initialises as the system's headers say: with numbers for members that ours do not have.

use crate::lower::context::{Lowered, Lowerer, unsupported};
use crate::types::Type;
use lang_c::ast;
use lang_c::span::{Node, Span};
use rustc_hash::FxHashSet;

impl<'a> Lowerer<'a> {
    /// Whether a struct is one of the models', initialised in the user's text as the system's headers have it.
    pub(crate) fn is_model_initializer(&self, ty: &Type, offset: usize) -> bool {
        // Structs of the library's files have the members that the standard says.
        let is_own = |id| self.records.place_of(id).is_none_or(|place| !self.is_library(place));
        matches!(ty.unatomic(), Type::Record(id) if self.models.own(*id) && is_own(*id))
            && !self.is_model(offset)
    }

    /// Members of a model struct and their values, from the list of numbers that the system's headers write.
    pub(crate) fn model_values(
        &mut self,
        ty: &Type,
        numbers: &[i128],
        span: Span,
    ) -> Lowered<Vec<(u64, Type, i128)>> {
        let Type::Record(id) = *ty.unatomic() else { return Ok(Vec::new()) };
        let name = self.models.name_of(ty).unwrap_or(&self.types.record(id).name);
        let (mut values, mut taken) = (Vec::new(), FxHashSet::default());
        for (field, element) in crate::models::initialisers(name, self.types.model) {
            let Some((offset, found)) = self.types.field(id, field) else { continue };
            taken.insert(element);
            let number = numbers.get(element).copied().unwrap_or(0);
            if number != 0 {
                values.push((offset, found.ty.clone(), number));
            }
        }
        if numbers.iter().enumerate().any(|(index, n)| *n != 0 && !taken.contains(&index)) {
            return unsupported(span, format!("this initial value of '{name}' is not modelled"));
        }
        Ok(values)
    }

    /// The numbers in an initialiser, whatever its braces.
    pub(crate) fn flatten(&mut self, initializer: &'a Node<ast::Initializer>, numbers: &mut Vec<i128>) {
        match &initializer.node {
            ast::Initializer::List(list) => {
                list.iter().for_each(|item| self.flatten(&item.node.initializer, numbers))
            }
            ast::Initializer::Expression(expression) => numbers.push(self.constant(expression).unwrap_or(0)),
        }
    }
}
