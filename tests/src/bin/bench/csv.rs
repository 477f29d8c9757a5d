//! Tables as comma-separated text: fields may be quoted, `#` starts a line of comment, columns are found by name.
//!
//! A broken row is reported with its line and left out; it does not spoil the others.

/// A table with a header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Csv {
    columns: Vec<String>,
    /// In order; an error is a message with the line.
    pub(crate) rows: Vec<Result<Row, String>>,
}

/// The fields of one row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The line of the text, from 1.
    pub(crate) line: usize,
    fields: Vec<String>,
}

impl Csv {
    /// Reads a table. There must be a header.
    pub(crate) fn parse(text: &str) -> Result<Csv, String> {
        let mut lines = text
            .trim_start_matches('\u{feff}')
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line.trim_end_matches('\r')))
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let (line, header) = lines.next().ok_or("line 1: expected a header")?;
        let columns = split(header).map_err(|e| format!("line {line}: {e}"))?;
        let rows = lines.map(|(line, text)| row(line, text, columns.len())).collect();
        Ok(Csv { columns, rows })
    }

    /// The position of a column.
    pub(crate) fn column(&self, name: &str) -> Result<usize, String> {
        let found = self.columns.iter().position(|column| column == name);
        found.ok_or_else(|| format!("no column '{name}' among {}", self.columns.join(",")))
    }
}

impl Row {
    /// The field at the position of a column.
    pub(crate) fn get(&self, column: usize) -> &str {
        self.fields.get(column).map_or("", |field| field.trim())
    }
}

fn row(line: usize, text: &str, columns: usize) -> Result<Row, String> {
    let fields = split(text).map_err(|e| format!("line {line}: {e}"))?;
    if fields.len() != columns {
        return Err(format!("line {line}: {} fields where the header has {columns}", fields.len()));
    }
    Ok(Row { line, fields })
}

/// The fields of one line.
fn split(line: &str) -> Result<Vec<String>, String> {
    let mut fields = vec![];
    let mut rest = line;
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            Some(quoted) => unquote(quoted)?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].to_owned(), &rest[end..])
            }
        };
        fields.push(field);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(fields),
            None => return Err("expected a comma after the closing quote".to_owned()),
        }
    }
}

/// The field after an opening quote, and what follows the closing one. Two quotes stand for one.
fn unquote(text: &str) -> Result<(String, &str), String> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('"').ok_or("a quote is not closed")?;
        field.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(next) => {
                field.push('"');
                rest = next;
            }
            None => return Ok((field, rest)),
        }
    }
}

/// One line of a table, with quotes where needed.
pub(crate) fn line<T: AsRef<str>>(fields: &[T]) -> String {
    let quoted: Vec<_> = fields.iter().map(|field| quote(field.as_ref())).collect();
    quoted.join(",") + "\n"
}

fn quote(field: &str) -> String {
    // A field never spans lines: the reader above goes line by line.
    let field = field.replace(['\n', '\r'], " ");
    if field.contains([',', '"']) || field.starts_with('#') {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(csv: &Csv) -> Vec<Vec<&str>> {
        let rows = csv.rows.iter().flatten();
        rows.map(|row| (0..csv.columns.len()).map(|i| row.get(i)).collect()).collect()
    }

    #[test]
    fn plain_and_quoted_fields() {
        let csv =
            Csv::parse("# machine\r\nfile,init,target\r\na.tts,0/0,\"0|16,16\"\r\n\r\n\"x \"\"y\"\"\",,\r\n");
        let csv = csv.unwrap();
        assert_eq!(fields(&csv), [["a.tts", "0/0", "0|16,16"], ["x \"y\"", "", ""]]);
        assert_eq!((csv.column("target"), csv.rows[1].as_ref().unwrap().line), (Ok(2), 5));
        assert_eq!(csv.column("cpu"), Err("no column 'cpu' among file,init,target".to_owned()));
    }

    #[test]
    fn broken_rows_do_not_spoil_the_others() {
        let csv = Csv::parse("a,b\n1,2\n1\n\"1,2\n\"1\"x,2\n1,2,3\n3,4").unwrap();
        assert_eq!(fields(&csv), [["1", "2"], ["3", "4"]]);
        let errors: Vec<_> = csv.rows.iter().filter_map(|row| row.as_ref().err()).collect();
        assert_eq!(
            errors,
            [
                "line 3: 1 fields where the header has 2",
                "line 4: a quote is not closed",
                "line 5: expected a comma after the closing quote",
                "line 6: 3 fields where the header has 2"
            ]
        );
    }

    #[test]
    fn a_table_without_a_header() {
        for text in ["", "\n", "# only a comment\n"] {
            assert_eq!(Csv::parse(text), Err("line 1: expected a header".to_owned()));
        }
        assert_eq!(Csv::parse("\u{feff}a,b\n").unwrap().columns, ["a", "b"]);
    }

    #[test]
    fn what_is_written_is_read() {
        let row = ["plain", "0|1,1", "say \"so\"", "# no comment", "two\nlines", ""];
        let csv = Csv::parse(&(line(&["a", "b", "c", "d", "e", "f"]) + &line(&row))).unwrap();
        assert_eq!(fields(&csv), [["plain", "0|1,1", "say \"so\"", "# no comment", "two lines", ""]]);
    }
}
