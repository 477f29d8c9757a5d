//! The pages of `--html`: what is in them, and what a real browser makes of it.
//!
//! The browser is Debian's `chromium` without a window. A page gets one more script, which presses keys, measures, and writes what it found into
//! the page; the browser prints the page, and its messages. Screenshots in both colour schemes stay below the target folder, in `tmp/html`.
//! Without a browser only the text of the pages is looked at, and the test says so.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may stop at the first broken assumption, too"
)]

use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tests::binary::{Verdict, ask, monabs};
use tests::repository::root;

/// A racy counter whose text would break a page that does not escape it.
const EVIL: &str = r#"// </script><script>document.title = "broken"</script> <!-- &amp; ' " `
#include <assert.h>
#include <pthread.h>

static int counter; /* <img src=x onerror="document.title='broken'"> */

static void *increment(void *unused) {
  const char *text = "</script><b>";
  counter = counter + (text != 0 && 1 < 2);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, increment, 0);
  pthread_create(&second, 0, increment, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(counter == 2);
  return 0;
}
"#;

/// What is done to a page: keys are pressed, and things are measured.
const PROBE: &str = r##"
const found = { errors: [], scripts: document.scripts.length, images: document.images.length, title: document.title };
window.addEventListener("error", (event) => found.errors.push(event.message));
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const now = () => ({
  step: document.querySelector(".step.now")?.id,
  lines: [...document.querySelectorAll(".line.now")].map((line) => Number(line.querySelector(".no").textContent)),
  where: document.getElementById("where").textContent,
  changed: [...document.querySelectorAll("#state .changed")].map((row) => row.cells[0].textContent + " = " + row.cells[1].textContent),
});
const place = (element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { left, right, top, bottom };
};
if (document.getElementById("run-data")) {
  found.begin = now();
  press("Home");
  found.steps = [now()];
  for (let left = 1; left < document.querySelectorAll(".step").length; left++) {
    press("j");
    found.steps.push(now());
  }
  press("ArrowDown");
  found.last = now();
  press("h");
  found.same = now();
  press("ArrowUp");
  found.back = now();
  found.lanes = [...document.querySelectorAll(".head")].map(place);
  found.cards = [...document.querySelectorAll(".step")].map((card) => ({ ...place(card), thread: Number(card.dataset.thread), title: card.title }));
  const corner = document.querySelector(".arrows").getBoundingClientRect();
  found.arrows = [...document.querySelectorAll(".arrow")].map((arrow) => {
    const [start, end] = [arrow.getPointAtLength(0), arrow.getPointAtLength(arrow.getTotalLength())];
    const at = (point) => [point.x + corner.left, point.y + corner.top];
    return { from: Number(arrow.dataset.from), to: Number(arrow.dataset.to), quiet: arrow.classList.contains("quiet"), start: at(start), end: at(end) };
  });
}
found.wide = document.documentElement.scrollWidth > window.innerWidth;
found.text = document.body.innerText;
const probe = document.createElement("pre");
probe.id = "probe";
probe.textContent = JSON.stringify(found);
document.body.append(probe);
"##;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Asks about a file; the page, and the JSON document.
fn page(name: &str, file: &Path, options: &[&str], verdict: Verdict) -> (String, Value) {
    let path = folder().join(format!("{name}.html"));
    let path_text = path.to_string_lossy().into_owned();
    let options: Vec<&str> = options.iter().copied().chain(["--json", "--html", &path_text]).collect();
    let answer = ask(&monabs().unwrap(), file, &options).unwrap();
    assert_eq!(answer.verdict, verdict, "{}{}", answer.output, answer.messages);
    let page = std::fs::read_to_string(&path).unwrap();
    is_self_contained(&page);
    (page, serde_json::from_str(&answer.output).unwrap())
}

/// Nothing is fetched: no address but anchors in the page, and a policy that forbids all else.
fn is_self_contained(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    assert!(page.contains("content=\"default-src 'none'; "), "no policy");
    for attribute in [" href=\"", "url(", " src=\"", "@import", "fetch(", "XMLHttpRequest"] {
        for (at, _) in page.match_indices(attribute) {
            let value = &page[at + attribute.len()..];
            let is_inside = value.starts_with('#') || value.starts_with("data:,\"");
            assert!(is_inside, "{attribute}{}", value.chars().take(30).collect::<String>());
        }
    }
}

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    let given = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|folder| folder.join("chromium")).find(|path| path.is_file());
    let browser = given.or(found);
    if browser.is_none() {
        // Also where the output of tests is not shown.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: there is no chromium (scripts/setup installs it): no page was opened"
        );
    }
    browser
}

/// Opens a page in a colour scheme: the document after all scripts, and messages of the console. Leaves a screenshot.
fn open(browser: &Path, name: &str, page: &str, scheme: &str) -> (String, Vec<String>) {
    let folder = folder();
    let (path, profile) = (folder.join(format!("{name}.probe.html")), folder.join(format!("{name}.profile")));
    std::fs::write(&path, page).unwrap();
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    ]);
    command.args(["--enable-logging=stderr", "--window-size=1500,1300", "--dump-dom"]);
    let number = if scheme == "dark" { 0 } else { 1 };
    command.arg(format!("--blink-settings=preferredColorScheme={number}"));
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.arg(format!("--screenshot={}", folder.join(format!("{name}-{scheme}.png")).display()));
    command.arg(format!("file://{}", path.display()));
    let output = command.stdin(Stdio::null()).output().unwrap();
    let _ = std::fs::remove_dir_all(profile);
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{messages}");
    let console = messages.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), console)
}

/// Opens a page in both schemes with the probe in it, and returns what that found.
fn probe(browser: &Path, name: &str, page: &str) -> Value {
    let nonce = page.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    let script = format!("<script nonce=\"{nonce}\">{PROBE}</script></body>");
    let end = page.rfind("</body>").unwrap();
    let probed = format!("{}{script}{}", &page[..end], &page[end + "</body>".len()..]);
    let (_, console) = open(browser, name, page, "dark");
    assert_eq!(console, [""; 0]);
    let (document, console) = open(browser, name, &probed, "light");
    assert_eq!(console, [""; 0]);
    let text = document.split("<pre id=\"probe\">").nth(1).unwrap().split("</pre>").next().unwrap();
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["errors"], Value::Array(Vec::new()));
    assert_eq!(found["wide"], false, "the page is wider than the window");
    found
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// Which step's write of `counter` each step's read sees, if another thread made it.
fn seen(steps: &[Value]) -> BTreeSet<(usize, usize)> {
    let mut writer: Option<usize> = None;
    let mut pairs = BTreeSet::new();
    for (index, step) in steps.iter().enumerate() {
        let own = |write: bool| {
            let mut accesses = list(&step["accesses"]).iter();
            accesses.any(|access| access["variable"] == "counter" && access["write"] == write)
        };
        if let (true, Some(from)) = (own(false), writer)
            && steps[from]["thread"] != step["thread"]
        {
            pairs.insert((from, index));
        }
        if own(true) {
            writer = Some(index);
        }
    }
    pairs
}

#[test]
fn a_bug() {
    let source = folder().join("evil.c");
    std::fs::write(&source, EVIL).unwrap();
    let (page, document) = page("bug", &source, &[], Verdict::Unsafe);
    let run = &document["runs"][0];
    let steps = list(&run["steps"]);
    // Without scripts: all cards, all values, the source.
    assert_eq!(page.matches("<li class=\"step ").count(), steps.len());
    assert_eq!(page.matches("<script").count(), 2, "the run's data and the script");
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;document.title = "), "the source is escaped");
    assert!(page.contains("<b>writes</b> <code>counter <span>←</span> 1</code>"));
    assert!(page.contains("reads counter = 0"), "values on hover");
    let Some(browser) = browser() else { return };
    let found = probe(&browser, "bug", &page);
    assert_eq!((&found["scripts"], &found["images"]), (&Value::from(3), &Value::from(0)));
    assert!(found["title"].as_str().unwrap().starts_with("VERIFICATION FAILED: "), "{}", found["title"]);
    check_lanes(&found, steps);
    check_arrows(&found, steps);
    check_keys(&found, steps);
}

/// A lane for each thread, each step in its thread's, one below the other.
fn check_lanes(found: &Value, steps: &[Value]) {
    let (lanes, cards) = (list(&found["lanes"]), list(&found["cards"]));
    assert_eq!((lanes.len(), cards.len()), (3, steps.len()));
    let mut bottom = 0.0;
    for (card, step) in cards.iter().zip(steps) {
        assert_eq!(card["thread"], step["thread"]);
        let lane = &lanes[step["thread"].as_u64().unwrap() as usize];
        assert_eq!((&card["left"], &card["right"]), (&lane["left"], &lane["right"]));
        assert!(card["top"].as_f64().unwrap() >= bottom, "{card} is not below the one before");
        bottom = card["bottom"].as_f64().unwrap();
    }
}

/// Arrows lead from the card of the write to that of the read.
fn check_arrows(found: &Value, steps: &[Value]) {
    let pair =
        |arrow: &Value| (arrow["from"].as_u64().unwrap() as usize, arrow["to"].as_u64().unwrap() as usize);
    let drawn: BTreeSet<(usize, usize)> =
        list(&found["arrows"]).iter().filter(|arrow| arrow["quiet"] == false).map(pair).collect();
    assert_eq!(drawn, seen(steps));
    assert!(!drawn.is_empty(), "main reads what a thread has written");
    for arrow in list(&found["arrows"]) {
        for (end, card) in [("start", pair(arrow).0), ("end", pair(arrow).1)] {
            let (point, card) = (numbers(&arrow[end]), &found["cards"][card]);
            let side = |name: &str| card[name].as_f64().unwrap();
            let is_beside = (point[0] - side("left")).abs() < 4.0 || (point[0] - side("right")).abs() < 4.0;
            assert!(is_beside && (side("top")..side("bottom")).contains(&point[1]), "{arrow} at {card}");
        }
    }
}

/// Keys go through the steps, and each step shows its lines and what it changes.
fn check_keys(found: &Value, steps: &[Value]) {
    let id = |number: usize| Value::from(format!("step-{number}"));
    assert_eq!(found["begin"]["step"], id(steps.len()), "the violation is shown first");
    assert_eq!(found["last"]["step"], id(steps.len()), "there is nothing behind the last step");
    for (index, (shown, step)) in list(&found["steps"]).iter().zip(steps).enumerate() {
        assert_eq!(shown["step"], id(index + 1));
        let lines: BTreeSet<u64> =
            list(&step["origin"]).iter().map(|o| o["line"].as_u64().unwrap()).collect();
        let lit: BTreeSet<u64> = list(&shown["lines"]).iter().map(|line| line.as_u64().unwrap()).collect();
        assert_eq!(lit, lines, "step {}", index + 1);
        // What the library and the translation keep for themselves has no name that a user knows.
        let is_users = |change: &&Value| {
            let name = change["variable"].as_str().unwrap();
            !name.contains('$') && !["spawn.", "thread", "library."].iter().any(|own| name.starts_with(own))
        };
        let changed: BTreeSet<String> = list(&step["changes"])
            .iter()
            .filter(is_users)
            .map(|c| format!("{} = {}", c["variable"].as_str().unwrap(), c["value"].as_str().unwrap()))
            .collect();
        let shown: BTreeSet<String> =
            list(&shown["changed"]).iter().map(|c| c.as_str().unwrap().to_owned()).collect();
        assert_eq!(shown, changed, "step {}", index + 1);
    }
    let last = steps.len() - 1;
    let before = steps[..last].iter().rposition(|step| step["thread"] == steps[last]["thread"]).unwrap();
    assert_eq!(found["same"]["step"], id(before + 1), "the step before of the same thread");
    assert_eq!(found["back"]["step"], id(before));
}

#[test]
fn a_proof() {
    let source = root().join("examples/thesis/19-ticket.c");
    let text = std::fs::read_to_string(&source).unwrap();
    let line = |part: &str| 1 + text.lines().position(|line| line.contains(part)).unwrap();
    let (page, document) = page("proof", &source, &["--no-search"], Verdict::Safe);
    let predicates = list(&document["predicates"]);
    assert!(predicates.iter().any(|predicate| predicate["text"] == "spin_lock::m@P != spin_lock::m"));
    assert!(page.contains("<p class=\"say\">no other thread has my <code>m</code></p>"));
    // Where it matters: the ticket is drawn and waited with.
    let predicate = page.split("no other thread has my <code>m</code></p>").nth(1).unwrap();
    let predicate = predicate.split("</li>").next().unwrap();
    for part in ["m = draw_ticket()", "while (atomic_load(&s) != m)"] {
        assert!(predicate.contains(&format!("\">{}</a>", line(part))), "{predicate}");
    }
    // What holds before the assertion is that it holds, and that it is my turn.
    let before =
        page.split("before <code>assert(!c);</code></dt>").nth(1).expect("an invariant at the assertion");
    let before = before.split("</dd>").next().unwrap();
    assert!(before.contains("<li><code>c</code> is not set</li>"), "{before}");
    assert!(before.contains("<li>my <code>m</code> equals <code>s</code></li>"), "{before}");
    assert!(!before.contains("one of"), "{before}");
    assert!(page.contains("id=\"assumed\">Assuming</h2><ul><li>sequential consistency"));
    let Some(browser) = browser() else { return };
    let found = probe(&browser, "proof", &page);
    let text = found["text"].as_str().unwrap();
    assert!(text.contains("no other thread has my m") && text.contains("What it took"), "{text}");
}

#[test]
fn no_answer() {
    let source = root().join("examples/thesis/19-ticket.c");
    let options = ["--no-search", "--iterations", "1"];
    let (page, document) = page("unknown", &source, &options, Verdict::Unknown);
    let reason = document["reason"].as_str().unwrap();
    assert!(page.contains(&format!("<span class=\"reason\">{reason}</span>")), "{reason}");
    let advice = document["try"][0].as_str().unwrap();
    assert!(page.contains("What to try") && page.contains(advice.split('<').next().unwrap()), "{advice}");
    assert!(!page.contains("What holds where"), "nothing is proved");
    let Some(browser) = browser() else { return };
    probe(&browser, "unknown", &page);
}

/// Messages of the console are seen; otherwise the tests above would say nothing.
#[test]
fn the_watcher_works() {
    let Some(browser) = browser() else { return };
    let page = "<!DOCTYPE html><title>x</title><body><script>nothing.there();</script></body>";
    let (_, console) = open(&browser, "wrong", page, "light");
    assert!(console.iter().any(|line| line.contains("nothing is not defined")), "{console:?}");
}
