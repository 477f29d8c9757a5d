//! Tables for the terminal: numbers to the right, texts to the left, rows as they come. The same as Markdown.

/// A column: its title, its width, and whether its texts stand at the left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    title: &'static str,
    width: usize,
    left: bool,
}

/// A column of texts.
pub(crate) fn text(title: &'static str, width: usize) -> Column {
    Column { title, width: width.max(title.len()), left: true }
}

/// A column of numbers.
pub(crate) fn number(title: &'static str, width: usize) -> Column {
    Column { title, width: width.max(title.len()), left: false }
}

/// The layout of a table.
#[derive(Debug)]
pub(crate) struct Table(pub(crate) Vec<Column>);

impl Table {
    /// The titles, underlined.
    pub(crate) fn header(&self) -> String {
        let titles: Vec<_> = self.0.iter().map(|column| column.title.to_owned()).collect();
        let lines: Vec<_> = self.0.iter().map(|column| "-".repeat(column.width)).collect();
        format!("{}\n{}", self.row(&titles), lines.join("  "))
    }

    /// One row. A field that is too wide moves the others.
    pub(crate) fn row(&self, fields: &[String]) -> String {
        let pad = |(field, column): (&String, &Column)| {
            let width = column.width;
            if column.left { format!("{field:<width$}") } else { format!("{field:>width$}") }
        };
        let fields: Vec<_> = fields.iter().zip(&self.0).map(pad).collect();
        fields.join("  ").trim_end().to_owned()
    }

    /// The whole table as Markdown.
    pub(crate) fn markdown(&self, rows: &[Vec<String>]) -> String {
        let titles: Vec<_> = self.0.iter().map(|column| escape(column.title)).collect();
        let lines: Vec<_> = self.0.iter().map(|column| if column.left { "---" } else { "---:" }).collect();
        let mut text = format!("| {} |\n|{}|\n", titles.join(" | "), lines.join("|"));
        for row in rows {
            let fields: Vec<_> = row.iter().map(|field| escape(field)).collect();
            text.push_str(&format!("| {} |\n", fields.join(" | ")));
        }
        text
    }
}

/// A field of Markdown: on one line, and bars separate nothing.
fn escape(field: &str) -> String {
    field.replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// Milliseconds of a time in seconds.
pub(crate) fn milliseconds(seconds: f64) -> String {
    format!("{:.1}", seconds * 1000.0)
}

/// A number with one digit after the point, or a dash.
pub(crate) fn tenths(number: Option<f64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.1}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let table = Table(vec![text("file", 6), number("ms", 5), text("ok", 2)]);
        assert_eq!(table.header(), "file       ms  ok\n------  -----  --");
        let row = |fields: [&str; 3]| table.row(&fields.map(str::to_owned));
        assert_eq!(row(["a.tts", "1.0", "yes"]), "a.tts     1.0  yes");
        assert_eq!(row(["longer.tts", "10.0", ""]), "longer.tts   10.0");
    }

    #[test]
    fn markdown() {
        let table = Table(vec![text("file", 6), number("ms", 5)]);
        let rows = [vec!["a|b".to_owned(), "1".to_owned()]];
        assert_eq!(table.markdown(&rows), "| file | ms |\n|---|---:|\n| a\\|b | 1 |\n");
    }

    #[test]
    fn numbers() {
        assert_eq!(milliseconds(0.00123), "1.2");
        assert_eq!((tenths(Some(2.25)), tenths(None)), ("2.2".to_owned(), "-".to_owned()));
    }
}
