//! Pages: what is on them, and that no text breaks them.

use super::report::report_sheet;
use super::sheet::Sheet;

/// Returns a page as text, a byte a character.
fn pages(sheet: Sheet) -> String {
    let bytes = sheet.into_pdf();
    bytes.iter().copied().map(char::from).collect()
}

#[test]
fn a_text_of_other_alphabets_is_written_by_its_code_points() {
    let mut sheet = Sheet::new("SLIP 1");
    sheet.field("reason", "Zo\u{eb}: 5 \u{20ac} (\u{4e8c})");
    sheet.field("name", "(\u{4e8c}\\");
    let text = pages(sheet);
    assert!(text.starts_with("%PDF-1.7"), "{text}");
    // A text with a character beyond ASCII is written in hexadecimal digits.
    let mut expected = hex::encode(b"Zo\xeb: 5 \x80 (\\u{4e8c})");
    expected.push('>');
    assert!(text.to_ascii_lowercase().contains(&expected), "{text}");
    assert!(text.contains("\\(\\\\u{4e8c}\\\\) Tj"), "{text}");
    assert!(text.trim_end().ends_with("%%EOF"), "{text}");
}

#[test]
fn a_long_text_goes_on_in_the_next_line() {
    let mut sheet = Sheet::new("SLIP 1");
    let words = "word ".repeat(20);
    sheet.field("reason", &format!("{words}{}", "x".repeat(130)));
    let text = pages(sheet);
    let lines: Vec<&str> = text.lines().filter(|line| line.ends_with(" Tj")).collect();
    let longest = lines.iter().map(|line| line.len()).max();
    assert_eq!(longest, Some("() Tj".len() + 84), "{lines:?}");
    assert!(
        text.contains(&format!("{}) Tj", "x".repeat(60))),
        "{lines:?}"
    );
}

#[test]
fn a_long_sheet_has_more_pages() {
    let mut sheet = Sheet::new("PAYOFF");
    for number in 0..120 {
        sheet.field("table", &format!("number {number}"));
    }
    let text = pages(sheet);
    for expected in ["/Count 3", "page 1 of 3", "page 3 of 3", "number 119"] {
        assert!(text.contains(expected), "{expected}");
    }
}

/// The texts on a page, in their order.
fn lines(text: &str) -> Vec<&str> {
    let lines = text.lines().filter_map(|line| line.strip_suffix(") Tj"));
    lines.map(|line| line.trim_start_matches('(')).collect()
}

fn row(cells: [(&'static str, &str); 4]) -> Vec<(&'static str, String)> {
    cells.map(|(name, cell)| (name, cell.to_owned())).to_vec()
}

#[test]
fn a_report_has_a_table_a_part() {
    let whole = [("link", "main".to_owned()), ("to", String::new())];
    let level = |name, paid| {
        row([
            ("part", "level"),
            ("level", name),
            ("closing_paid", paid),
            ("hit", ""),
        ])
    };
    let rows = [
        level("mega", "9.50"),
        level("minor", "10000.21"),
        row([
            ("part", "hit"),
            ("hit", "T1.2"),
            ("note", "seen by both"),
            ("level", ""),
        ]),
    ];
    let text = pages(report_sheet(("CLOSING", None), &whole, &rows));
    let expected = [
        "CLOSING",
        "",
        "link                    main",
        "",
        "level",
        "       closing",
        "level     paid",
        "mega      9.50",
        "minor 10000.21",
        "",
        "hit",
        "hit  note",
        "T1.2 seen by both",
        "page 1 of 1",
    ];
    assert_eq!(lines(&text), expected);
    let mut empty = report_sheet(("CLOSING", Some("NOT SIGNED OFF")), &whole, &[]);
    empty.name_pages("CLOSING of main");
    let empty = pages(empty);
    for expected in [
        "(no entries)",
        "(NOT SIGNED OFF)",
        "(CLOSING of main, page 1 of 1)",
    ] {
        assert!(empty.contains(expected), "{empty}");
    }
}

#[test]
fn a_long_cell_goes_on_under_itself() {
    let hash = "abcdef0123".repeat(6);
    let rows = [row([
        ("hash", &hash),
        ("level", "mega"),
        ("hit", ""),
        ("note", "x"),
    ])];
    let text = pages(report_sheet(("HEADS", None), &[], &rows));
    let first = format!("{} mega  x", &hash[..40]);
    let expected = ["HEADS", "", "", "hash", first.as_str(), &hash[40..]];
    let found = lines(&text);
    assert_eq!(found[..3], expected[..3]);
    assert!(found[3].starts_with(expected[3]) && found[3].ends_with("level note"));
    assert_eq!(found[4..6], expected[4..]);
}

#[test]
fn a_row_that_is_too_long_is_a_block() {
    let long = "x".repeat(40);
    let rows = [row([
        ("first", &long),
        ("second", &long),
        ("third", &long),
        ("fourth", &long),
    ])];
    let text = pages(report_sheet(("ALTERATIONS", None), &[], &rows));
    for expected in [
        format!("(first {long})"),
        format!("({:24}{long})", "second"),
        format!("({:24}{long})", "fourth"),
    ] {
        assert!(text.contains(&expected), "{expected} is not in {text}");
    }
}

#[test]
fn a_table_has_its_names_on_each_page() {
    let numbers: Vec<String> = (0..100).map(|number| format!("n{number}")).collect();
    let rows = numbers.iter().map(|number| {
        row([
            ("hit", number.as_str()),
            ("level", "mega"),
            ("note", ""),
            ("by", ""),
        ])
    });
    let rows: Vec<_> = rows.collect();
    let text = pages(report_sheet(("HITS", None), &[], &rows));
    let found = lines(&text);
    let is_name = |line: &&&str| **line == "hit level";
    assert_eq!(found.iter().filter(is_name).count(), 3, "{found:?}");
    let is_row = |line: &&&str| line.ends_with(" mega");
    assert_eq!(found.iter().filter(is_row).count(), 100, "{found:?}");
    let second = found
        .iter()
        .position(|line| *line == "page 1 of 3")
        .expect("a page");
    assert_eq!(found[second + 1], "hit level", "{found:?}");
}
