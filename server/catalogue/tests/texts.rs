//! Texts that are no paytable at all: none panics, and an empty one gets one sentence.

use meterhouse_catalogue::check;

fn findings(text: &str) -> String {
    let errors = check("x.toml", text).err();
    errors.map_or_else(String::new, |errors| errors.to_string())
}

#[test]
fn any_text_is_answered_without_panic() {
    for text in [
        "",
        "=",
        "[[",
        "\u{0}",
        "level = 1",
        "level = [1]\nline = [[]]",
        "x = {",
        "[level]\nname = 1",
    ] {
        let shown = findings(text);
        assert!(shown.starts_with("x.toml:1:"), "{text:?}: {shown}");
    }
    let long = "#".repeat(meterhouse_catalogue::FILE_BYTES_MAX + 1);
    assert!(check("x.toml", &long).is_err_and(|errors| errors.iter().count() == 1));
}

/// A file without a key gets one sentence, not one a key.
#[test]
fn an_empty_file() {
    for text in ["", "\n", "# nothing\n"] {
        assert_eq!(
            findings(text),
            "x.toml:1:1: the file is empty: write a paytable, or a table of fixed wagers with kind = \"fixed\""
        );
    }
}
