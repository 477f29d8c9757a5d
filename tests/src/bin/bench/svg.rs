//! The few elements of SVG that a plot needs.

use std::fmt::Write as _;

/// A drawing under construction.
#[derive(Debug)]
pub(crate) struct Svg {
    text: String,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stroke {
    pub(crate) colour: &'static str,
    pub(crate) width: f64,
    /// Lengths of dashes and gaps; empty for a solid line.
    pub(crate) dashes: &'static str,
}

impl Stroke {
    pub(crate) fn solid(colour: &'static str, width: f64) -> Stroke {
        Stroke { colour, width, dashes: "" }
    }

    fn attributes(&self) -> String {
        let dashes = match self.dashes {
            "" => String::new(),
            dashes => format!(" stroke-dasharray=\"{dashes}\""),
        };
        format!("stroke=\"{}\" stroke-width=\"{}\"{dashes}", self.colour, self.width)
    }
}

impl Svg {
    /// A white page.
    pub(crate) fn new(width: f64, height: f64) -> Svg {
        let mut svg = Svg { text: String::new() };
        let _ = writeln!(
            svg.text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">"
        );
        svg.rectangle((0.0, 0.0), (width, height), "white", None);
        svg
    }

    /// A filled rectangle, maybe with a border.
    pub(crate) fn rectangle(
        &mut self,
        (x, y): (f64, f64),
        size: (f64, f64),
        fill: &str,
        border: Option<Stroke>,
    ) {
        let border = border.map_or_else(String::new, |stroke| format!(" {}", stroke.attributes()));
        let _ = writeln!(
            self.text,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{fill}\"{border}/>",
            size.0, size.1
        );
    }

    /// A line through points.
    pub(crate) fn line(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let points: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.text,
            "<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {}/>",
            points.join(" "),
            stroke.attributes()
        );
    }

    /// A dot.
    pub(crate) fn dot(&mut self, (x, y): (f64, f64), radius: f64, colour: &str) {
        let _ = writeln!(self.text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"/>");
    }

    /// A text.
    pub(crate) fn label(&mut self, at: (f64, f64), anchor: Anchor, text: &str) {
        self.styled_label(at, anchor, text, "");
    }

    /// A text for those who look closely.
    pub(crate) fn small_label(&mut self, at: (f64, f64), text: &str) {
        self.styled_label(at, Anchor::Start, text, " font-size=\"10\" fill=\"#606060\"");
    }

    /// A heading.
    pub(crate) fn heading(&mut self, at: (f64, f64), text: &str) {
        self.styled_label(at, Anchor::Start, text, " font-size=\"16\" font-weight=\"bold\"");
    }

    /// A text that runs upward.
    pub(crate) fn vertical_label(&mut self, (x, y): (f64, f64), text: &str) {
        let turn = format!(" transform=\"rotate(-90 {x:.1} {y:.1})\"");
        self.styled_label((x, y), Anchor::Middle, text, &turn);
    }

    fn styled_label(&mut self, (x, y): (f64, f64), anchor: Anchor, text: &str, style: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{style}>{text}</text>"
        );
    }

    /// The whole file.
    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// A text with nothing in it that XML would take for its own; control characters, which XML forbids, are dropped.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\t' | '\n' => escaped.push(' '),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_xml() {
        assert_eq!(escape("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &apos;d&apos;");
        assert_eq!(escape("&amp;"), "&amp;amp;");
        assert_eq!(escape("0 l \u{7} ~>\n1 é"), "0 l  ~&gt; 1 é");
    }

    #[test]
    fn a_drawing_is_one_element() {
        let mut svg = Svg::new(100.0, 50.0);
        svg.label((1.0, 2.0), Anchor::Middle, "x < y");
        svg.line(&[(0.0, 0.0), (1.04, 2.0)], Stroke { colour: "red", width: 1.5, dashes: "4 2" });
        let text = svg.finish();
        assert!(text.starts_with("<svg xmlns=") && text.ends_with("</svg>\n"));
        assert!(text.contains(">x &lt; y</text>"));
        assert!(text.contains("points=\"0.0,0.0 1.0,2.0\""));
        assert!(text.contains("stroke-dasharray=\"4 2\""));
    }
}
