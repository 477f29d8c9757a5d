//! The compiler's word on what a program computes: many programs in one file, compiled once and run once.
//!
//! For ILP32 no 32-bit library is needed: the file brings its own start, output, memory functions and 64-bit division. A
//! machine whose compiler or kernel cannot do even that is told apart by [`Compiler::find`].

use crate::random_c::Case;
use frontend::types::DataModel;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many seconds compiled programs may run.
const SECONDS: u32 = 20;

/// gcc, or what else is called `cc`, for one data model.
#[derive(Clone, Debug)]
pub struct Compiler {
    program: &'static str,
    model: DataModel,
}

/// Files that go away.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("c-semantics-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Folder(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind is in the way of nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Compiler {
    /// A compiler whose programs for this data model run here, if there is one.
    pub fn find(model: DataModel) -> Option<Compiler> {
        ["gcc", "cc"].into_iter().map(|program| Compiler { program, model }).find(|compiler| {
            let size = compiler.run(
                &[Program {
                    text: "unsigned long long @o0; int @main(void) { @o0 = sizeof(long); return 0; }",
                    results: 1,
                }],
                false,
            );
            size == Ok(vec![vec![u64::from(model.pointer_width() / 8)]])
        })
    }

    /// The results of all programs. With `strict`, whatever is undefined ends the run.
    pub fn results(&self, cases: &[Case], strict: bool) -> Result<Vec<Vec<u64>>, String> {
        let texts: Vec<String> = cases.iter().map(|case| case.text("@")).collect();
        let programs: Vec<Program<'_>> = texts
            .iter()
            .zip(cases)
            .map(|(text, case)| Program { text, results: case.results.len() })
            .collect();
        self.run(&programs, strict)
    }

    fn run(&self, programs: &[Program<'_>], strict: bool) -> Result<Vec<Vec<u64>>, String> {
        let folder = Folder::new()?;
        let (source, binary) = (folder.0.join("cases.c"), folder.0.join("cases"));
        std::fs::write(&source, self.file(programs)).map_err(|e| e.to_string())?;
        let mut command = Command::new(self.program);
        command.args(["-std=gnu11", "-w", "-O0"]);
        if self.model == DataModel::Ilp32 {
            command.args(["-m32", "-nostdlib", "-static", "-fno-pic", "-no-pie", "-fno-stack-protector"]);
        }
        if strict {
            command.args(["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]);
        } else {
            command.arg("-fwrapv");
        }
        let output = command
            .arg(&source)
            .arg("-o")
            .arg(&binary)
            .output()
            .map_err(|e| format!("{}: {e}", self.program))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let output = Command::new(&binary).output().map_err(|e| e.to_string())?;
        let results = parse(&String::from_utf8_lossy(&output.stdout), programs);
        if !output.status.success() {
            let done = results.as_ref().map_or(0, Vec::len);
            return Err(format!("{} in program {done} of the file", output.status));
        }
        results
            .filter(|all| all.len() == programs.len())
            .ok_or_else(|| "the output is not complete".to_owned())
    }

    fn file(&self, programs: &[Program<'_>]) -> String {
        let mut text = String::from(match self.model {
            DataModel::Lp64 => HOSTED,
            DataModel::Ilp32 => FREESTANDING,
        });
        text.push_str(OUTPUT);
        for (number, program) in programs.iter().enumerate() {
            text.push_str(&program.text.replace('@', &format!("c{number}_")));
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "static void all_cases(void)\n{{");
        for (number, program) in programs.iter().enumerate() {
            let _ = writeln!(text, "c{number}_main();");
            for result in 0..program.results {
                let _ = writeln!(text, "put_number(c{number}_o{result});");
            }
            let _ = writeln!(text, "put_end();");
        }
        text.push_str("}\n");
        text.push_str(match self.model {
            DataModel::Lp64 => HOSTED_START,
            DataModel::Ilp32 => FREESTANDING_START,
        });
        text.replace("SECONDS", &SECONDS.to_string())
    }
}

struct Program<'a> {
    text: &'a str,
    results: usize,
}

/// One line for each program, one number for each result.
fn parse(output: &str, programs: &[Program<'_>]) -> Option<Vec<Vec<u64>>> {
    let mut all = Vec::new();
    for (line, program) in output.lines().zip(programs) {
        let numbers: Option<Vec<u64>> =
            line.split_whitespace().map(|number| u64::from_str_radix(number, 16).ok()).collect();
        all.push(numbers.filter(|numbers| numbers.len() == program.results)?);
    }
    Some(all)
}

const HOSTED: &str = "\
long write(int, const void *, unsigned long);
unsigned int alarm(unsigned int);
static void put_text(const char *text, unsigned long size) { write(1, text, size); }
";

const HOSTED_START: &str = "\
int main(void) { alarm(SECONDS); all_cases(); return 0; }
";

const OUTPUT: &str = "\
static char put_buffer[1 << 16];
static unsigned long put_used;
static void put_number(unsigned long long number)
{
  for (int digit = 15; digit >= 0; digit--) put_buffer[put_used++] = \"0123456789abcdef\"[(number >> (4 * digit)) & 15];
  put_buffer[put_used++] = ' ';
}
static void put_end(void)
{
  put_buffer[put_used++] = 10;
  put_text(put_buffer, put_used);
  put_used = 0;
}
";

/// What the compiler's own library does otherwise: memory, 64-bit division, counting bits.
const FREESTANDING: &str = "\
static long system_call(long number, long a, long b, long c)
{
  long result;
  __asm__ volatile(\"int $0x80\" : \"=a\"(result) : \"a\"(number), \"b\"(a), \"c\"(b), \"d\"(c) : \"memory\");
  return result;
}
static void put_text(const char *text, unsigned long size) { system_call(4, 1, (long)text, size); }
static char heap[1 << 24] __attribute__((aligned(16)));
static unsigned int heap_used;
void *malloc(unsigned long size)
{
  void *result = heap + heap_used;
  heap_used += (size + 15) & ~15u;
  return result;
}
void *calloc(unsigned long count, unsigned long size) { return malloc(count * size); }
void *memset(void *to, int value, unsigned long size)
{
  for (unsigned long i = 0; i < size; i++) ((volatile char *)to)[i] = value;
  return to;
}
void *memcpy(void *to, const void *from, unsigned long size)
{
  for (unsigned long i = 0; i < size; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}
static unsigned long long divide(unsigned long long a, unsigned long long b, unsigned long long *rest)
{
  unsigned long long quotient = 0, remainder = 0;
  for (int bit = 63; bit >= 0; bit--) {
    int carry = remainder >> 63;
    remainder = (remainder << 1) | ((a >> bit) & 1);
    if (carry || remainder >= b) { remainder -= b; quotient |= 1ULL << bit; }
  }
  *rest = remainder;
  return quotient;
}
unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { unsigned long long r; return divide(a, b, &r); }
unsigned long long __umoddi3(unsigned long long a, unsigned long long b) { unsigned long long r; divide(a, b, &r); return r; }
long long __divdi3(long long a, long long b)
{
  unsigned long long r, x = a < 0 ? -(unsigned long long)a : a, y = b < 0 ? -(unsigned long long)b : b;
  unsigned long long q = divide(x, y, &r);
  return (a < 0) != (b < 0) ? -q : q;
}
long long __moddi3(long long a, long long b)
{
  unsigned long long r, x = a < 0 ? -(unsigned long long)a : a, y = b < 0 ? -(unsigned long long)b : b;
  divide(x, y, &r);
  return a < 0 ? -r : r;
}
int __popcountsi2(unsigned int x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
";

const FREESTANDING_START: &str = "\
__attribute__((force_align_arg_pointer)) void _start(void)
{
  system_call(27, SECONDS, 0, 0);
  all_cases();
  for (;;) system_call(1, 0, 0, 0);
}
";
