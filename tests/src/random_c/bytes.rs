//! Functions that compute a number from objects by byte copies, casts between pointers, unions read differently, memory and string functions.
//!
//! They are free of undefined behaviour by construction (indices are reduced to the size, all objects begin with all their bytes set), given that the
//! compiler does not reason about types of accesses (`-fno-strict-aliasing`); the sanitizers confirm it.

use super::objects::{Object, SCALARS};
use crate::random::Random;
use std::fmt::Write as _;

/// What a file with such functions begins with.
pub const PRELUDE: &str = "typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
size_t strlen(const char *);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);
";

/// Words for string functions; two of them fit into a buffer.
const WORDS: [&str; 6] = ["", "a", "ab", "abc", "b\\377", "cab"];

/// Writes one function.
struct Writer {
    random: Random,
    text: String,
    objects: Vec<Object>,
    labels: usize,
}

/// The function `f<seed>`, which takes nothing and returns an `unsigned long`.
pub fn function(seed: u64) -> String {
    let mut random = Random::new(seed);
    let count = random.between(2, 3);
    let objects = (0..count).map(|index| Object::random(&mut random, &format!("x{index}"))).collect();
    let mut writer = Writer { random, text: String::new(), objects, labels: 0 };
    let _ = writeln!(writer.text, "static unsigned long f{seed}(void) {{");
    writer.line("unsigned long h = 7;");
    for object in writer.objects.clone() {
        writer.line(&object.declaration);
        let value = writer.random.below(256);
        writer.line(&format!("memset({}, {value}, {});", object.base, object.size));
    }
    let statements = writer.random.between(4, 9);
    (0..statements).for_each(|_| writer.statement());
    writer.end();
    writer.text
}

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    fn object(&mut self) -> Object {
        self.random.pick(&self.objects).clone()
    }

    fn part(&mut self) -> String {
        let object = self.object();
        self.random.pick(&object.parts).clone()
    }

    fn place(&mut self) -> String {
        let scalar = *self.random.pick(&SCALARS);
        self.object().view(&mut self.random, scalar)
    }

    fn fresh(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    /// A value of any type.
    fn value(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("{}", self.random.below(300)),
            1 => format!("0x{:x}ul", self.random.any()),
            2 => "h".to_owned(),
            3 => self.part(),
            4 => format!("(h ^ {})", self.part()),
            _ => self.place(),
        }
    }

    /// A value below the bound, constant or not.
    fn below(&mut self, bound: usize) -> String {
        match self.random.below(3) {
            0 => format!("(h % {bound})"),
            1 => format!("((unsigned char){} % {bound})", self.part()),
            _ => format!("{}", self.random.below(bound as u32)),
        }
    }

    /// Mixes a value into the result.
    fn mix(&mut self, value: &str) {
        self.line(&format!("h = h * 31 + (unsigned long)({value});"));
    }

    fn statement(&mut self) {
        match self.random.below(16) {
            0 => self.assign_part(),
            1 => self.assign_byte(),
            2 => self.assign_view(),
            3 => self.copy_part(),
            4 => self.copy_loop(),
            5 => self.move_within(),
            6 => self.set_part(),
            7 => self.assign_whole(),
            8 => self.compare(),
            9 => self.strings(),
            10 => self.pointer_bytes(),
            11 => self.pool(),
            12 => self.walk(),
            13 => self.node(),
            14 => self.truth(),
            _ => {
                let value = if self.random.chance(1, 2) { self.part() } else { self.place() };
                self.mix(&value);
            }
        }
    }

    fn assign_part(&mut self) {
        let (target, value) = (self.part(), self.value());
        let operator = *self.random.pick(&["=", "+=", "^=", "|="]);
        self.line(&format!("{target} {operator} {value};"));
    }

    fn assign_byte(&mut self) {
        let object = self.object();
        let (index, value) = (self.below(object.size), self.value());
        self.line(&format!("{}[{index}] = {value};", object.base));
    }

    fn assign_view(&mut self) {
        let (target, value) = (self.place(), self.value());
        self.line(&format!("{target} = {value};"));
    }

    /// `memcpy` between two objects, with offsets and a size that may not be constant.
    fn copy_part(&mut self) {
        let (to, from) =
            (self.random.below(self.objects.len() as u32), self.random.below(self.objects.len() as u32));
        let (to, from) = (self.objects[to as usize].clone(), self.objects[from as usize].clone());
        let function = if to.base == from.base { "memmove" } else { "memcpy" };
        let (i, j) =
            (self.random.below(to.size as u32) as usize, self.random.below(from.size as u32) as usize);
        let most = (to.size - i).min(from.size - j);
        let size = self.below(most + 1);
        self.line(&format!("{function}({} + {i}, {} + {j}, {size});", to.base, from.base));
    }

    /// The same by a loop over characters.
    fn copy_loop(&mut self) {
        let (to, from) = (self.object(), self.object());
        let size = to.size.min(from.size);
        let (count, id) = (self.below(size + 1), self.fresh());
        self.line(&format!(
            "{{ unsigned char *t{id} = {}, *f{id} = {}; for (unsigned n{id} = {count}; n{id}; n{id}--) *t{id}++ = *f{id}++; }}",
            to.base, from.base
        ));
    }

    fn move_within(&mut self) {
        let object = self.object();
        let (i, j) = (self.below(object.size / 2 + 1), self.below(object.size / 2 + 1));
        let size = self.below(object.size / 2);
        self.line(&format!("memmove({0} + {i}, {0} + {j}, {size});", object.base));
    }

    fn set_part(&mut self) {
        let object = self.object();
        let offset = self.random.below(object.size as u32) as usize;
        let (size, value) = (self.below(object.size - offset + 1), self.value());
        self.line(&format!("memset({} + {offset}, (int)({value}), {size});", object.base));
    }

    /// A structure or union to a second one of its type and back, changed in between.
    fn assign_whole(&mut self) {
        let object = self.object();
        let (Some(whole), Some(tag)) = (&object.whole, &object.tag) else { return self.assign_view() };
        let id = self.fresh();
        let (part, value) = (self.random.pick(&object.parts).clone(), self.value());
        self.line(&format!("{tag} w{id} = {whole};"));
        self.line(&format!("{part} = {value};"));
        let other = part.replacen(whole.as_str(), &format!("w{id}"), 1);
        self.mix(&other);
        if self.random.chance(1, 2) {
            self.line(&format!("{whole} = w{id};"));
        }
    }

    fn compare(&mut self) {
        let (first, second) = (self.object(), self.object());
        let size = first.size.min(second.size);
        let size = self.below(size + 1);
        let id = self.fresh();
        self.line(&format!("int r{id} = memcmp({}, {}, {size});", first.base, second.base));
        self.mix(&format!("(r{id} > 0) - (r{id} < 0)"));
    }

    fn strings(&mut self) {
        let id = self.fresh();
        let (a, b) = (*self.random.pick(&WORDS), *self.random.pick(&WORDS));
        let fill = self.random.below(256);
        self.line(&format!("char s{id}[8]; memset(s{id}, {fill}, 8); strcpy(s{id}, \"{a}\");"));
        let letter = self.random.pick(&["'a'", "'b'", "'c'", "0", "'z'"]);
        match self.random.below(7) {
            0 => self.line(&format!("strcat(s{id}, \"{b}\");")),
            1 => {
                let size = self.random.below(6);
                self.line(&format!("strncpy(s{id}, \"{b}\", {size});"));
            }
            2 => self.mix(&format!("strcmp(s{id}, \"{b}\") < 0")),
            3 => {
                let size = self.random.below(4);
                self.mix(&format!("strncmp(s{id}, \"{b}\", {size}) > 0"));
            }
            4 => self.mix(&format!("strchr(s{id}, {letter}) ? strchr(s{id}, {letter}) - s{id} : 99")),
            5 => self.mix(&format!("strrchr(s{id}, {letter}) ? strrchr(s{id}, {letter}) - s{id} : 99")),
            _ => self.mix(&format!(
                "memchr(s{id}, {letter}, 8) ? (char *)memchr(s{id}, {letter}, 8) - s{id} : 99"
            )),
        }
        self.mix(&format!("s{id}[7] ? s{id}[6] : (int)strlen(s{id})"));
        self.mix(&format!("s{id}[{}]", self.labels % 8));
    }

    /// A pointer that is copied as bytes.
    fn pointer_bytes(&mut self) {
        let object = self.object();
        let scalar = *self.random.pick(&SCALARS);
        let (place, value, id) = (object.view(&mut self.random, scalar), self.value(), self.fresh());
        let (ty, _) = scalar;
        self.line(&format!("{ty} *p{id} = &{place}, *q{id} = 0;"));
        if self.random.chance(1, 2) {
            self.line(&format!("memcpy(&q{id}, &p{id}, sizeof q{id});"));
        } else {
            self.line(&format!(
                "for (unsigned i{id} = 0; i{id} < sizeof q{id}; i{id}++) ((char *)&q{id})[i{id}] = ((char *)&p{id})[i{id}];"
            ));
        }
        self.line(&format!("*q{id} = {value};"));
        self.mix(&format!("*p{id} + (p{id} == q{id})"));
    }

    /// Objects of several types out of one array of characters.
    fn pool(&mut self) {
        let id = self.fresh();
        let (first, _) = *self.random.pick(&SCALARS);
        let (second, _) = *self.random.pick(&SCALARS);
        let (a, b) = (self.value(), self.value());
        self.line(&format!("_Alignas(8) unsigned char pool{id}[24] = {{0}}; unsigned used{id} = 0;"));
        self.line(&format!(
            "{first} *p{id} = ({first} *)(pool{id} + used{id}); used{id} += 8; *p{id} = {a};"
        ));
        self.line(&format!(
            "{second} *q{id} = ({second} *)(pool{id} + used{id}); used{id} += 8; *q{id} = {b};"
        ));
        let index = self.below(24);
        self.mix(&format!("*p{id} ^ *q{id} ^ pool{id}[{index}]"));
    }

    /// All elements of an object by a pointer to its first one.
    fn walk(&mut self) {
        let object = self.object();
        let (ty, width) = *self.random.pick(&SCALARS);
        let (count, id) = (object.size / width, self.fresh());
        let by = self.random.between(1, 9);
        self.line(&format!(
            "{{ {ty} *p{id} = ({ty} *){0}, *e{id} = p{id} + {count}; while (p{id} != e{id}) {{ h = h * 31 + *p{id}; *p{id} = (unsigned){by} + *p{id}; p{id}++; }} }}",
            object.base
        ));
    }

    /// Two nodes of a list on the heap, the second one with data as bytes.
    fn node(&mut self) {
        let id = self.fresh();
        let (a, b) = (self.value(), self.value());
        self.line(&format!(
            "struct n{id} {{ struct n{id} *next; unsigned data[2]; }} *a{id} = malloc(sizeof *a{id}), *b{id} = calloc(1, sizeof *b{id});"
        ));
        self.line(&format!(
            "a{id}->next = b{id}; a{id}->data[0] = {a}; a{id}->data[1] = 1; b{id}->data[1] = {b};"
        ));
        let size = self.random.below(9);
        self.line(&format!("memcpy(b{id}->data, a{id}->data, {size});"));
        self.mix(&format!("a{id}->next->data[0] ^ a{id}->next->data[1] ^ (b{id}->next == 0)"));
        self.line(&format!("free(a{id}->next); free(a{id});"));
    }

    /// Truth values as bytes.
    fn truth(&mut self) {
        let id = self.fresh();
        let (a, b) = (self.value(), self.value());
        self.line(&format!("_Bool b{id}[2]; b{id}[0] = {a}; *(unsigned char *)&b{id}[1] = {b} & 1;"));
        self.mix(&format!("b{id}[0] * 2 + b{id}[1] + ((unsigned char *)b{id})[0]"));
    }

    /// Reads everything, frees, returns.
    fn end(&mut self) {
        for object in self.objects.clone() {
            let id = self.fresh();
            self.line(&format!(
                "for (unsigned i{id} = 0; i{id} < {}; i{id}++) h = h * 31 + {}[i{id}];",
                object.size, object.base
            ));
            let part = self.random.pick(&object.parts).clone();
            self.mix(&part);
            if object.on_heap {
                let name = object.base.trim_start_matches("((unsigned char *)").trim_end_matches(')');
                self.line(&format!("free({name});"));
            }
        }
        self.line("return h;");
        self.text.push_str("}\n");
    }
}
