//! Line plots: axes, ticks, lines and a legend.

use super::svg::{Anchor, Stroke, Svg};

/// How numbers become places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Log,
}

/// One axis. Its ends are found from the points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis<'a> {
    pub(crate) label: &'a str,
    pub(crate) scale: Scale,
}

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// One pair of axes with its lines.
#[derive(Clone, Debug)]
pub(crate) struct Panel<'a> {
    pub(crate) x: Axis<'a>,
    pub(crate) y: Axis<'a>,
    pub(crate) series: Vec<Series>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 95.0;
const RIGHT: f64 = 35.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 55.0;
const TITLE: f64 = 60.0;
const FOOTER: f64 = 20.0;

/// A line with more points than this is drawn without dots.
const MOST_DOTS: usize = 200;

/// Colours that stay apart for colour-blind readers (Okabe and Ito), then dashes.
const STROKES: [(&str, &str); 8] = [
    ("#0072b2", ""),
    ("#d55e00", ""),
    ("#009e73", ""),
    ("#cc79a7", ""),
    ("#e69f00", "7 3"),
    ("#56b4e9", "7 3"),
    ("#000000", "2 3"),
    ("#7f7f7f", "7 3 2 3"),
];

/// Draws panels below each other, between a title and a line at the bottom.
pub(crate) fn render(title: &str, subtitle: &str, panels: &[Panel<'_>], footer: &str) -> String {
    let height = TITLE + HEIGHT * panels.len() as f64 + FOOTER;
    let mut svg = Svg::new(WIDTH, height);
    svg.heading((LEFT, 26.0), title);
    svg.label((LEFT, 48.0), Anchor::Start, subtitle);
    for (index, panel) in panels.iter().enumerate() {
        Drawing::new(panel, TITLE + HEIGHT * index as f64).draw(&mut svg, panel);
    }
    svg.small_label((LEFT, height - 8.0), footer);
    svg.finish()
}

/// The part of an axis that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    scale: Scale,
    from: f64,
    to: f64,
}

impl Range {
    /// A range with round ends that holds all numbers. Logarithmic ones hold only numbers above 0.
    fn of(scale: Scale, numbers: impl Iterator<Item = f64>) -> Range {
        let usable = numbers.filter(|n| n.is_finite() && (scale == Scale::Linear || *n > 0.0));
        let (least, most) = usable.fold((f64::INFINITY, 0.0_f64), |(a, b), n| (a.min(n), b.max(n)));
        match scale {
            Scale::Linear if most > 0.0 => Range { scale, from: 0.0, to: most },
            Scale::Linear => Range { scale, from: 0.0, to: 1.0 },
            Scale::Log if most > 0.0 => {
                let from = least.log10().floor();
                let to = most.log10().ceil().max(from + 1.0);
                Range { scale, from: 10_f64.powf(from), to: 10_f64.powf(to) }
            }
            Scale::Log => Range { scale, from: 1.0, to: 10.0 },
        }
    }

    /// Where a number stands between the ends: 0 to 1. What is too small for a logarithm stands at the start.
    fn position(&self, number: f64) -> f64 {
        let position = match self.scale {
            Scale::Linear => (number - self.from) / (self.to - self.from),
            Scale::Log => {
                let [from, to, number] = [self.from, self.to, number.max(self.from)].map(f64::log10);
                (number - from) / (to - from)
            }
        };
        position.clamp(0.0, 1.0)
    }

    /// Numbers with labels.
    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => {
                let step = round_step(self.to / 8.0);
                (0..).map(|k| f64::from(k) * step).take_while(|tick| *tick <= self.to * 1.0001).collect()
            }
            Scale::Log => decades(self.from, self.to),
        }
    }

    /// Numbers without labels.
    fn minor_ticks(&self) -> Vec<f64> {
        let between = |decade: f64| (2..10).map(move |k| decade * f64::from(k));
        match self.scale {
            Scale::Linear => vec![],
            Scale::Log => decades(self.from, self.to * 0.5).into_iter().flat_map(between).collect(),
        }
    }
}

/// The powers of ten from one number to another.
fn decades(from: f64, to: f64) -> Vec<f64> {
    let (from, to) = (from.log10().round() as i32, (to.log10() + 0.001).floor() as i32);
    (from..=to).map(|exponent| 10_f64.powi(exponent)).collect()
}

/// The next larger of 1, 2, 5, 10, 20, 50 and so on; never below 1, because we count things.
fn round_step(step: f64) -> f64 {
    let decade = 10_f64.powf(step.max(1.0).log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    factors.into_iter().map(|factor| factor * decade).find(|s| *s >= step).unwrap_or(decade * 10.0)
}

/// A number without needless digits: 0.001, 10, 1,000,000.
fn show(number: f64) -> String {
    if number < 1.0 && number > 0.0 {
        let digits = (-number.log10()).round().max(0.0) as usize;
        return format!("{number:.digits$}");
    }
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Ranges and place of one panel.
struct Drawing {
    top: f64,
    x: Range,
    y: Range,
}

impl Drawing {
    fn new(panel: &Panel<'_>, top: f64) -> Drawing {
        let points = || panel.series.iter().flat_map(|series| &series.points);
        Drawing {
            top: top + TOP,
            x: Range::of(panel.x.scale, points().map(|p| p.0)),
            y: Range::of(panel.y.scale, points().map(|p| p.1)),
        }
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        (LEFT + width * self.x.position(x), self.top + height * (1.0 - self.y.position(y)))
    }

    fn draw(&self, svg: &mut Svg, panel: &Panel<'_>) {
        self.draw_axes(svg, panel);
        for (index, series) in panel.series.iter().enumerate() {
            let stroke = stroke(index);
            let points: Vec<_> = series.points.iter().map(|&point| self.place(point)).collect();
            svg.line(&points, stroke);
            if points.len() <= MOST_DOTS {
                points.iter().for_each(|&point| svg.dot(point, 2.5, stroke.colour));
            }
        }
        self.draw_legend(svg, panel);
    }

    fn draw_axes(&self, svg: &mut Svg, panel: &Panel<'_>) {
        let (start, end) = (self.place((self.x.from, self.y.from)), self.place((self.x.to, self.y.to)));
        let (grid, minor) = (Stroke::solid("#d0d0d0", 1.0), Stroke::solid("#eeeeee", 1.0));
        for (ticks, stroke) in [(self.x.minor_ticks(), minor), (self.x.ticks(), grid)] {
            for x in ticks.into_iter().map(|tick| self.place((tick, self.y.from)).0) {
                svg.line(&[(x, start.1), (x, end.1)], stroke);
            }
        }
        for (ticks, stroke) in [(self.y.minor_ticks(), minor), (self.y.ticks(), grid)] {
            for y in ticks.into_iter().map(|tick| self.place((self.x.from, tick)).1) {
                svg.line(&[(start.0, y), (end.0, y)], stroke);
            }
        }
        for tick in self.x.ticks() {
            let (x, y) = self.place((tick, self.y.from));
            svg.label((x, y + 18.0), Anchor::Middle, &show(tick));
        }
        for tick in self.y.ticks() {
            let (x, y) = self.place((self.x.from, tick));
            svg.label((x - 8.0, y + 4.5), Anchor::End, &show(tick));
        }
        svg.line(&[(start.0, end.1), start, (end.0, start.1)], Stroke::solid("black", 1.5));
        svg.label(((start.0 + end.0) / 2.0, start.1 + 42.0), Anchor::Middle, panel.x.label);
        svg.vertical_label((20.0, (start.1 + end.1) / 2.0), panel.y.label);
    }

    /// At the upper left, where lines that rise leave room.
    fn draw_legend(&self, svg: &mut Svg, panel: &Panel<'_>) {
        let longest = panel.series.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
        let (left, top) = (LEFT + 12.0, self.top + 8.0);
        let size = (52.0 + 7.2 * longest as f64, 10.0 + 19.0 * panel.series.len() as f64);
        svg.rectangle((left, top), size, "white", Some(Stroke::solid("#d0d0d0", 1.0)));
        for (index, series) in panel.series.iter().enumerate() {
            let y = top + 15.0 + 19.0 * index as f64;
            svg.line(&[(left + 8.0, y), (left + 38.0, y)], stroke(index));
            svg.dot((left + 23.0, y), 2.5, stroke(index).colour);
            svg.label((left + 46.0, y + 4.5), Anchor::Start, &series.name);
        }
    }
}

fn stroke(index: usize) -> Stroke {
    let (colour, dashes) = STROKES[index % STROKES.len()];
    Stroke { colour, width: 2.0, dashes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_round_ends() {
        let log = Range::of(Scale::Log, [0.0, 0.002, 30.0].into_iter());
        assert!((log.from - 0.001).abs() < 1e-9 && (log.to - 100.0).abs() < 1e-9);
        assert_eq!(log.position(0.0), 0.0);
        assert!((log.position(0.1) - 0.4).abs() < 1e-9);
        assert_eq!(Range::of(Scale::Linear, [5.0, 97.0].into_iter()).to, 97.0);
        for scale in [Scale::Linear, Scale::Log] {
            let empty = Range::of(scale, [].into_iter());
            assert!(empty.from < empty.to && empty.position(0.5).is_finite());
        }
    }

    #[test]
    fn a_single_value_has_a_range() {
        let range = Range::of(Scale::Log, [10.0].into_iter());
        assert!(range.from < range.to);
        assert_eq!(range.ticks().len(), 2);
    }

    #[test]
    fn ticks_are_few_and_round() {
        let ticks = Range { scale: Scale::Linear, from: 0.0, to: 97.0 }.ticks();
        assert_eq!(ticks, [0.0, 20.0, 40.0, 60.0, 80.0]);
        let log = Range { scale: Scale::Log, from: 0.01, to: 100.0 };
        assert_eq!(log.ticks().len(), 5);
        assert_eq!(log.minor_ticks().len(), 4 * 8);
        assert_eq!(Range { scale: Scale::Linear, from: 0.0, to: 3.0 }.ticks(), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn numbers_are_readable() {
        let shown = [0.001, 0.1, 0.0, 1.0, 10.0, 100.0, 1000.0, 100000.0].map(show);
        assert_eq!(shown, ["0.001", "0.1", "0", "1", "10", "100", "1,000", "100,000"]);
    }

    #[test]
    fn names_are_escaped() {
        let axis = Axis { label: "a & b", scale: Scale::Linear };
        let series = vec![Series { name: "x < y".to_owned(), points: vec![(1.0, 1.0)] }];
        let text = render("t", "s", &[Panel { x: axis, y: axis, series }], "f");
        assert!(text.contains("a &amp; b") && text.contains("x &lt; y") && !text.contains("NaN"));
    }
}
