//! Functions and their calls: parameters by value and by pointer, structs as results, recursion, tables of functions.

use super::generator::{Effects, Function, Generator, Object, Parameter, Pointer, Value, Variable};
use super::scalar::{Int, Range};
use super::statement::local;
use super::tree::{Kind, Tree, item, tree};
use super::types::{Scalar, Type, declare};

impl Generator {
    /// A value that a function may return.
    pub(super) fn fit_result(&mut self, value: Value, range: Range) -> Value {
        let kind = match &self.returns {
            Some((Some(Type::Int(scalar)), _)) => scalar.kind,
            _ => return value,
        };
        if range.contains(value.range.converted(value.kind, kind, self.model)) {
            return value;
        }
        self.fit(value, range)
    }

    /// Writes functions, if the program is to have some.
    pub(super) fn functions(&mut self) {
        if !self.features.functions {
            return;
        }
        for _ in 0..self.random.between(1, 3) {
            match self.random.below(5) {
                0 => self.recursive_function(),
                1 => self.table(),
                _ => {
                    let function = self.function(None);
                    self.functions.push(function);
                }
            }
        }
    }

    fn parameter(&mut self) -> Parameter {
        if self.chance(1, 4)
            && let Some(id) = self.any_record()
        {
            return Parameter::Record(id);
        }
        if self.features.pointers && self.chance(1, 3) {
            let record = self.any_record().filter(|_| self.random.chance(1, 3));
            let ty = match record {
                Some(id) => Type::Record(id),
                None => Type::Int(self.any_scalar()),
            };
            let count = self.pick(&[1, 1, 2, 3]);
            return Parameter::Pointer(ty, count, self.hidden(true));
        }
        let kind = self.any_int();
        Parameter::Scalar(kind, kind.range(self.model))
    }

    /// A function, with the signature of another one if given.
    fn function(&mut self, like: Option<&Function>) -> Function {
        let name = format!("@{}", self.name("f"));
        let (parameters, result) = match like {
            Some(other) => (other.parameters.clone(), other.result.clone()),
            None => {
                let parameters = (0..self.random.below(4)).map(|_| self.parameter()).collect();
                let record = self.any_record().filter(|_| self.random.chance(1, 4));
                let result = match record {
                    Some(id) => Some(Type::Record(id)),
                    None if self.chance(1, 6) => None,
                    None => Some(Type::Int(self.any_scalar())),
                };
                (parameters, result)
            }
        };
        let count = self.random.between(1, 4);
        self.written_function(&name, parameters, result, |s, _| s.statements(count, 1))
    }

    /// Writes a function whose body is given, except for its last `return`.
    fn written_function(
        &mut self,
        name: &str,
        parameters: Vec<Parameter>,
        result: Option<Type>,
        body: impl FnOnce(&mut Self, &[usize]) -> Tree,
    ) -> Function {
        let range = match &result {
            Some(Type::Int(scalar)) => scalar.kind.range(self.model),
            _ => Range::point(0),
        };
        // Each call costs, so that functions stay small.
        let limits = (std::mem::replace(&mut self.steps, 120), std::mem::replace(&mut self.size, 120));
        let outer = std::mem::take(&mut self.current);
        let returns = self.returns.replace((result.clone(), range));
        let visible = self.visible.len();
        let (declared, ids) = self.declared_parameters(&parameters);
        let text = body(self, &ids);
        let last = self.returned();
        let effects = std::mem::replace(&mut self.current, outer);
        self.visible.truncate(visible);
        self.returns = returns;
        let (steps, size) = (120 - self.steps, 120 - self.size);
        (self.steps, self.size) = limits;
        let class = self.pick(&["", "static ", "static inline ", "static __inline__ "]);
        let head = match &result {
            Some(ty) => declare(&self.records, ty, &format!("{name}({declared})")),
            None => format!("void {name}({declared})"),
        };
        if self.chance(1, 4) {
            self.file.push(item![format!("{class}{head};\n")]);
        }
        self.file.push(item![format!("{class}{head}\n{{\n"), text, last, ";\n}\n"]);
        let effects = self.lasting(&effects, &parameters);
        Function {
            name: name.to_owned(),
            parameters,
            result,
            range,
            effects,
            steps: steps + 8,
            size: size + 8,
        }
    }

    /// The effects on what exists after a call: everything but the function's own variables. Static ones count.
    fn lasting(&self, effects: &Effects, parameters: &[Parameter]) -> Effects {
        let hidden: Vec<usize> = parameters
            .iter()
            .filter_map(|parameter| match parameter {
                Parameter::Pointer(_, _, hidden) => Some(*hidden),
                _ => None,
            })
            .collect();
        let lasts = |id: &usize| self.variables[*id].permanent || hidden.contains(id);
        Effects {
            reads: effects.reads.iter().copied().filter(lasts).collect(),
            writes: effects.writes.iter().copied().filter(lasts).collect(),
        }
    }

    /// The text of a parameter list, and the variables in it.
    fn declared_parameters(&mut self, parameters: &[Parameter]) -> (String, Vec<usize>) {
        let (mut texts, mut ids) = (Vec::new(), Vec::new());
        for parameter in parameters {
            let name = self.name("p");
            match parameter {
                Parameter::Scalar(kind, range) => {
                    let ty = Type::Int(Scalar::plain(*kind));
                    texts.push(declare(&self.records, &ty, &name));
                    ids.push(self.data(&name, ty, Some(*range), false));
                }
                Parameter::Record(id) => {
                    texts.push(declare(&self.records, &Type::Record(*id), &name));
                    ids.push(self.data(&name, Type::Record(*id), None, false));
                }
                Parameter::Pointer(to, count, hidden) => {
                    let text = if self.chance(1, 3) {
                        declare(&self.records, to, &format!("{name}[{count}]"))
                    } else {
                        self.pointer_declaration(to, &name, "*")
                    };
                    texts.push(text);
                    let pointer = Pointer {
                        to: to.clone(),
                        targets: vec![*hidden],
                        count: *count,
                        low: 0,
                        high: 0,
                        bases: Vec::new(),
                    };
                    ids.push(self.add(Variable { name, object: Object::Pointer(pointer), ..local() }));
                }
            }
        }
        let text = if texts.is_empty() { "void".to_owned() } else { texts.join(", ") };
        (text, ids)
    }

    /// A function that calls itself, less deep each time.
    fn recursive_function(&mut self) {
        let name = format!("@{}", self.name("r"));
        let depth = Parameter::Scalar(Int::Int, Range { low: 0, high: 3 });
        let result = Type::Int(self.any_scalar());
        let mut parameters = vec![depth];
        if self.chance(2, 3) {
            let kind = self.any_int();
            parameters.push(Parameter::Scalar(kind, kind.range(self.model)));
        }
        let given = parameters.len();
        let own = name.clone();
        let before = self.features.gadgets;
        self.features.gadgets = false;
        let mut function = self.written_function(&name, parameters, Some(result.clone()), |s, ids| {
            let deeper = s.variables[ids[0]].name.clone();
            s.variables[ids[0]].writable = false;
            let first = s.statements(1, 0);
            let last = s.returned();
            let argument = if given > 1 { Some(s.value(1)) } else { None };
            let call = match argument {
                Some(value) => tree![format!("{own}({deeper} - 1, "), value.tree, ")"],
                None => tree![format!("{own}({deeper} - 1)")],
            };
            let kept = s.name("t");
            let Type::Int(scalar) = &result else { return first };
            let text = format!("{} {kept} = ", scalar.name);
            s.data(&kept, result.clone(), None, false);
            let rest = s.statements(1, 0);
            Tree::block(vec![
                first,
                tree![format!("if ({deeper} <= 0) "), last, ";\n"],
                tree![text, call, ";\n"],
                rest,
            ])
        });
        self.features.gadgets = before;
        function.steps *= 4;
        function.size *= 6;
        self.functions.push(function);
    }

    /// Functions of one type in an array, called by their number.
    fn table(&mut self) {
        let first = self.function(None);
        let second = self.function(Some(&first));
        let name = format!("@{}", self.name("table"));
        let types = self.parameter_types(&first.parameters);
        let head = match &first.result {
            Some(ty) => declare(&self.records, ty, &format!("(*{name}[2])({types})")),
            None => format!("void (*{name}[2])({types})"),
        };
        let qualifier = self.pick(&["", "static ", "static "]);
        let ampersand = self.pick(&["", "&"]);
        self.file
            .push(item![format!("{qualifier}{head} = {{ {}, {ampersand}{} }};\n", first.name, second.name)]);
        let mut effects = first.effects.clone();
        effects.add(&second.effects);
        let both = Function {
            name: format!("{name}[]"),
            effects,
            steps: first.steps.max(second.steps) + 4,
            size: first.size + second.size + 4,
            ..first.clone()
        };
        self.functions.extend([first, second, both]);
    }

    fn parameter_types(&self, parameters: &[Parameter]) -> String {
        let types: Vec<String> = parameters
            .iter()
            .map(|parameter| match parameter {
                Parameter::Scalar(kind, _) => kind.name().to_owned(),
                Parameter::Record(id) => self.records[*id].name.clone(),
                Parameter::Pointer(to, ..) => self.pointer_declaration(to, "", "*"),
            })
            .collect();
        if types.is_empty() { "void".to_owned() } else { types.join(", ") }
    }

    // Calls

    /// A call with an integer result.
    pub(super) fn call(&mut self, depth: u32) -> Option<Value> {
        let number = self.callable(|result| !matches!(result, Some(Type::Record(_))))?;
        let function = self.functions[number].clone();
        let text = self.call_text(&function, depth)?;
        match &function.result {
            Some(Type::Int(scalar)) => Some(Value::new(scalar.kind, function.range, vec![text.into()])),
            _ => {
                let number = self.number(5);
                Some(Value::new(Int::Int, number.range, vec!["(".into(), text.into(), ", 5)".into()]))
            }
        }
    }

    /// A call whose result is this struct or union.
    pub(super) fn record_call(&mut self, id: usize) -> Option<Tree> {
        let number = self.callable(|result| *result == Some(Type::Record(id)))?;
        let function = self.functions[number].clone();
        self.call_text(&function, 1)
    }

    /// A function whose effects are allowed here.
    fn callable(&mut self, accept: impl Fn(&Option<Type>) -> bool) -> Option<usize> {
        if self.pure > 0 {
            return None;
        }
        let candidates: Vec<usize> = (0..self.functions.len())
            .filter(|&number| {
                let function = &self.functions[number];
                accept(&function.result) && self.affordable(function) && self.is_allowed(&function.effects)
            })
            .collect();
        if candidates.is_empty() { None } else { Some(self.pick(&candidates)) }
    }

    fn affordable(&self, function: &Function) -> bool {
        self.steps > function.steps.saturating_mul(self.factor) && self.size > function.size
    }

    fn is_allowed(&self, effects: &Effects) -> bool {
        effects.reads.iter().all(|&id| self.may_read(id))
            && effects.writes.iter().all(|&id| self.may_write(id))
    }

    fn call_text(&mut self, function: &Function, depth: u32) -> Option<Tree> {
        let mut pieces = Vec::new();
        let mut effects = function.effects.clone();
        let mut operands = 0;
        let mut complete = true;
        match function.name.strip_suffix("[]") {
            Some(table) => {
                operands += 1;
                let index = self.operand(|s| s.index(Range { low: 0, high: 1 }, depth));
                pieces.extend([format!("{table}[").into(), index.tree.into(), "](".into()]);
            }
            None => {
                let callee = match self.random.below(8) {
                    0 => format!("(*{})(", function.name),
                    1 => format!("(&{})(", function.name),
                    _ => format!("{}(", function.name),
                };
                pieces.push(callee.into());
            }
        }
        for (number, parameter) in function.parameters.iter().enumerate() {
            if number > 0 {
                pieces.push(", ".into());
            }
            operands += 1;
            match self.operand(|s| s.argument(parameter, depth, &mut effects)) {
                Some(tree) => pieces.push(tree.into()),
                None => complete = false,
            }
        }
        self.end_operands(operands);
        if !complete || !self.is_allowed(&effects) {
            return None;
        }
        self.current.add(&effects);
        self.steps = self.steps.saturating_sub(function.steps.saturating_mul(self.factor));
        self.size = self.size.saturating_sub(function.size);
        pieces.push(")".into());
        Some(Tree::new(Kind::Group, pieces))
    }

    /// An argument; what a pointer points to replaces what it stands for in the effects.
    fn argument(&mut self, parameter: &Parameter, depth: u32, effects: &mut Effects) -> Option<Tree> {
        match parameter {
            Parameter::Scalar(kind, range) => {
                let value = self.value(depth);
                let full = kind.range(self.model);
                let fits =
                    *range == full || range.contains(value.range.converted(value.kind, *kind, self.model));
                let value = if fits { value } else { self.fit(value, *range) };
                Some(value.tree)
            }
            Parameter::Record(id) => self.record_value(*id),
            Parameter::Pointer(to, count, hidden) => {
                let candidates = self.targets();
                for _ in 0..8 {
                    if candidates.is_empty() {
                        return None;
                    }
                    let target = self.pick(&candidates);
                    let Some((base, ty, elements)) = self.subobject(target) else { continue };
                    if ty != *to || elements < *count {
                        continue;
                    }
                    for set in [&mut effects.reads, &mut effects.writes] {
                        if set.remove(hidden) {
                            set.insert(target);
                        }
                    }
                    let extra = elements - count;
                    let index = self.random.below(extra as u32 + 1);
                    return Some(if index > 0 { tree![format!("{base} + {index}")] } else { tree![base] });
                }
                None
            }
        }
    }
}
