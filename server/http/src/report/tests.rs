//! Tests of the form that a request prefers, and of cells.

use super::*;

#[test]
fn another_form_has_to_be_preferred() {
    for (accept, expected) in [
        (&[][..], Format::Json),
        (&["*/*"], Format::Json),
        (&["application/json"], Format::Json),
        (&["text/html,*/*;q=0.8"], Format::Json),
        (&["image/png"], Format::Json),
        (&["text/csv"], Format::Csv),
        (&["TEXT/CSV; charset=utf-8"], Format::Csv),
        (&["text/*"], Format::Csv),
        (&["text/csv, application/json"], Format::Json),
        (&["text/csv, application/json;q=0.9"], Format::Csv),
        (&["text/csv;q=0.5, */*;q=0.1"], Format::Csv),
        (&["text/csv;q=0.1, */*;q=0.25"], Format::Json),
        (&["application/json;q=0.999", "text/csv"], Format::Csv),
        (&["text/csv;q=0"], Format::Json),
        (&["text/csv;q=2"], Format::Json),
        (&["text/csv;q=0.1234"], Format::Json),
        (&["application/pdf"], Format::Pdf),
        (&["application/pdf, */*;q=0.1"], Format::Pdf),
        (&["application/pdf, application/json"], Format::Json),
        (&["application/pdf;q=0.5, text/csv"], Format::Csv),
        (&["application/pdf;q=0.5, text/csv;q=0.4"], Format::Pdf),
        (&["application/*"], Format::Json),
    ] {
        let found = preferred(accept.iter().copied());
        assert_eq!(found, expected, "{accept:?}");
    }
}

#[test]
fn no_cell_is_a_formula() {
    for (text, expected) in [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-1+1", "'-1+1"),
        ("-", "'-"),
        ("-T1", "'-T1"),
        ("-1.", "'-1."),
        ("-1.5.2", "'-1.5.2"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\n=1", "'\n=1"),
        ("-1", "-1"),
        ("-1.50", "-1.50"),
        ("10000.27", "10000.27"),
        ("a=1", "a=1"),
        ("", ""),
    ] {
        assert_eq!(harmless(text), expected, "{text:?}");
    }
}

struct Two;

impl Columns for Two {
    const TITLE: &'static str = "TWO";
    const COLUMNS: &'static [&'static str] = &["one", "two", "three"];

    fn whole(&self) -> Cells {
        vec![("one", "a,\"b\"\r\nc".to_owned())]
    }

    fn parts(&self) -> Vec<Cells> {
        vec![vec![("three", "=1".to_owned())]]
    }
}

#[test]
fn cells_are_quoted_where_they_have_to_be() {
    let text = written(&Two).expect("a text");
    let text = String::from_utf8(text).expect("UTF-8");
    assert_eq!(text, "one,two,three\r\n\"a,\"\"b\"\"\r\nc\",,'=1\r\n");
}
