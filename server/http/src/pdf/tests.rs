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

#[test]
fn a_report_has_a_block_a_row() {
    let whole = [("link", "main".to_owned()), ("to", String::new())];
    let row = vec![
        ("level", "mega".to_owned()),
        ("from_batch", "7".to_owned()),
        ("hit", String::new()),
    ];
    let text = pages(report_sheet("ALTERATIONS", &whole, &[row]));
    for expected in ["(ALTERATIONS)", "main)", "(level mega)", "(from batch"] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    for unexpected in ["(to ", "(hit ", "no entries"] {
        assert!(!text.contains(unexpected), "{unexpected} is in {text}");
    }
    let empty = pages(report_sheet("ALTERATIONS", &whole, &[]));
    assert!(empty.contains("(no entries)"), "{empty}");
}
