//! Small charts: how numbers went from round to round, where the time went, and a table of the rest.

use super::details::{Curve, Details};
use super::escape::escape;
use std::time::Duration;

/// The size of a chart.
const WIDTH: f64 = 280.0;
const HEIGHT: f64 = 84.0;

/// All of them, or nothing if there is nothing to show.
pub(super) fn section(details: &Details) -> String {
    let curves: String = details.curves.iter().filter(|curve| curve.points.len() > 1).map(curve).collect();
    let single = details.curves.iter().filter(|curve| curve.points.len() == 1);
    let mut figures: Vec<(String, String)> =
        single.map(|curve| (curve.title.clone(), value(curve.points[0], curve.unit))).collect();
    figures.extend(details.figures.iter().cloned());
    let times = times(&details.times);
    if curves.is_empty() && figures.is_empty() && times.is_empty() {
        return String::new();
    }
    let rows: String = figures
        .iter()
        .map(|(name, value)| {
            format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", escape(name), escape(value))
        })
        .collect();
    let table = if rows.is_empty() {
        String::new()
    } else {
        format!("<table class=\"figures\"><tbody>{rows}</tbody></table>")
    };
    format!(
        "<section aria-labelledby=\"numbers\"><h2 id=\"numbers\">What it took</h2><div class=\"charts\">{curves}{times}{table}</div></section>"
    )
}

fn value(number: f64, unit: &str) -> String {
    let digits = if number.fract() == 0.0 { 0 } else { 2 };
    format!("{number:.digits$}{unit}")
}

/// Bars, one for each point.
fn curve(curve: &Curve) -> String {
    let most = curve.points.iter().copied().fold(0.0, f64::max);
    let scale = if most > 0.0 { (HEIGHT - 4.0) / most } else { 0.0 };
    let slot = WIDTH / curve.points.len() as f64;
    let width = (slot * 0.8).clamp(0.5, 40.0);
    let mut bars = String::new();
    for (index, point) in curve.points.iter().enumerate() {
        let height = (point * scale).max(if *point > 0.0 { 1.5 } else { 0.0 });
        bars.push_str(&format!(
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" rx=\"1\"><title>{} {}: {}</title></rect>",
            index as f64 * slot + (slot - width) / 2.0,
            HEIGHT - height,
            escape(&curve.over),
            index + 1,
            value(*point, curve.unit)
        ));
    }
    let last = curve.points.last().map_or_else(String::new, |last| value(*last, curve.unit));
    let label = format!(
        "{} by {}: {} numbers, the last is {last}, the largest {}",
        curve.title,
        curve.over,
        curve.points.len(),
        value(most, curve.unit)
    );
    format!(
        "<figure class=\"chart\"><figcaption>{} <b>{last}</b></figcaption><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"{}\">{bars}<line x1=\"0\" x2=\"{WIDTH}\" y1=\"{HEIGHT}\" y2=\"{HEIGHT}\"/></svg><p class=\"axis\"><span>{} 1</span><span>{}</span></p></figure>",
        escape(&curve.title),
        escape(&label),
        escape(&curve.over),
        curve.points.len()
    )
}

fn times(times: &[(String, Duration)]) -> String {
    let most = times.iter().map(|(_, time)| time.as_secs_f64()).fold(0.0, f64::max);
    if most <= 0.0 {
        return String::new();
    }
    // What takes no time that could be shown is not worth a row.
    let shown = times.iter().filter(|(_, time)| time.as_secs_f64() >= 0.0005);
    let rows: String = shown
        .map(|(name, time)| {
            let seconds = time.as_secs_f64();
            let share = 100.0 * seconds / most;
            format!(
                "<tr><th scope=\"row\">{}</th><td class=\"bar\"><span style=\"width:{share:.1}%\"></span></td><td>{seconds:.3} s</td></tr>",
                escape(name)
            )
        })
        .collect();
    format!(
        "<figure class=\"chart times\"><figcaption>Time</figcaption><table><tbody>{rows}</tbody></table></figure>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_in_proportion() {
        let curve = Curve {
            title: "a<b".to_owned(),
            over: "round".to_owned(),
            points: vec![0.0, 20.0, 40.0],
            unit: "",
        };
        let html = section(&Details { curves: vec![curve], ..Details::default() });
        assert_eq!(html.matches("<rect ").count(), 3);
        assert!(
            html.contains("height=\"80.00\"")
                && html.contains("height=\"40.00\"")
                && html.contains("height=\"0.00\""),
            "{html}"
        );
        assert!(html.contains("a&lt;b") && !html.contains("a<b"), "{html}");
    }

    #[test]
    fn nothing_is_no_section() {
        assert_eq!(section(&Details::default()), "");
        let times = vec![("x".to_owned(), Duration::ZERO)];
        assert_eq!(section(&Details { times, ..Details::default() }), "");
    }
}
