//! A jurisdiction's printed values are not the operator's to change. A file that is nearly a printed paytable has to
//! equal it, under any id, title and citation.

use std::error::Error;

use meterhouse_catalogue::{Catalogue, CatalogueErrors, Sheet};

type Outcome = Result<(), Box<dyn Error>>;

/// A line's beginning in the file, its replacement, and a part of the finding.
const CHANGES: &[(&str, &str, &str)] = &[
    ("primary = \"", "primary = \"0.", "`primary` is another in"),
    ("reserve = \"", "reserve = \"0.5", "`reserve` is another in"),
    ("seed    = ", "seed    = 9", "`seed` is another in"),
    ("reseed  = ", "reseed  = 9", "`reseed` is another in"),
    ("pays = { for_one = ", "pays = { for_one = 9", "`pays` of `"),
    (
        "pays = { percent = 10,",
        "pays = { percent = 11,",
        "`pays` of `",
    ),
    ("envy = ", "envy = 9", "`envy` of `"),
    (
        "validation   = \"every-hit\"",
        "validation   = { percent = true, for_one_at_least = 500 }",
        "`validation` is another",
    ),
    (
        "validation   = { percent = true, for_one_at_least = 500",
        "validation   = { percent = true, for_one_at_least = 501",
        "`validation` is another",
    ),
    (
        "linkable     = true",
        "linkable     = false",
        "`linkable` is another",
    ),
    (
        "linkable     = false",
        "linkable     = true",
        "`linkable` is another",
    ),
];

fn checked(catalogue: &Catalogue, text: &str) -> Result<Sheet, CatalogueErrors> {
    catalogue.check("own.toml", text)
}

fn shown(catalogue: &Catalogue, text: &str) -> String {
    let errors = checked(catalogue, text).err();
    errors.map(|errors| errors.to_string()).unwrap_or_default()
}

/// Returns the file of a printed paytable under another id and with another citation.
fn own(catalogue: &Catalogue, sheet: &Sheet) -> Result<String, Box<dyn Error>> {
    let source = catalogue.source(&sheet.id).ok_or("no source")?;
    let id = format!("\"{}\"", sheet.id);
    let citation = format!("\"{}\"", sheet.citation);
    Ok(source
        .replacen(&id, "\"own\"", 1)
        .replacen(&citation, "\"the rules of the house\"", 1))
}

/// For every compiled-in paytable a copy is accepted, and each change is one finding of the law, at its line.
#[test]
fn every_change_of_a_printed_value_is_found() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let mut counted = vec![0_usize; CHANGES.len()];
    for sheet in catalogue.sheets() {
        let text = own(&catalogue, sheet)?;
        assert_eq!(shown(&catalogue, &text), "", "{}", sheet.id);
        // Values that the source omits are the operator's.
        let (printed, _) = text.split_once("[[not_in_source]]").unwrap_or((&text, ""));
        let free = |key: &str| {
            let mut gaps = sheet.gaps.iter();
            gaps.any(|gap| key.contains(gap.what.name()))
        };
        for ((from, to, says), count) in CHANGES.iter().zip(&mut counted) {
            // Massachusetts prints the same lines for one game and for several.
            let another = sheet.jurisdiction == "MA" && says.contains("linkable");
            if free(says) || another {
                continue;
            }
            for (index, line) in printed.lines().enumerate() {
                let Some(rest) = line.strip_prefix(from) else {
                    continue;
                };
                let place: usize = text.split_inclusive('\n').take(index).map(str::len).sum();
                let after = place + line.len();
                let changed = format!("{}{to}{rest}{}", &text[..place], &text[after..]);
                let line = index + 1;
                let errors = checked(&catalogue, &changed).err();
                let errors = errors.ok_or_else(|| format!("{}: {from} line {line}", sheet.id))?;
                let found: Vec<_> = errors.iter().collect();
                let same = found
                    .iter()
                    .all(|finding| finding.line == line && finding.message.contains(says));
                assert!(
                    same && found.len() == 1,
                    "{}: {from} line {line}\n{errors}",
                    sheet.id
                );
                assert!(errors.are_of_law(), "{errors}");
                *count += 1;
            }
        }
    }
    assert!(counted.iter().all(|count| *count > 0), "{counted:?}");
    Ok(())
}

/// The jurisdiction is recognised by any of its names and by the citation, and has to be given by its code.
#[test]
fn a_jurisdiction_is_recognised_by_name_and_citation() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let sheet = catalogue
        .sheet(&"pa-657a-five-card-c".parse()?)
        .ok_or("no sheet")?;
    let text = own(&catalogue, sheet)?.replacen("\"9%\"", "\"1%\"", 1);
    for (jurisdiction, citation, law) in [
        ("Pennsylvania", "none", Some("PA")),
        ("P.A.", "none", Some("PA")),
        ("pa", "none", Some("PA")),
        ("US-PA", "none", Some("PA")),
        ("XX", "58 Pa. Code § 657a.12(e)", Some("PA")),
        ("XX", "49 Pa.B. 4956", Some("PA")),
        ("NV", "Nevada, Regulation 5", None),
        ("NJ", "N.J.A.C. 13:69E-1.39B", None),
    ] {
        let text = text
            .replacen("\"PA\"", &format!("\"{jurisdiction}\""), 1)
            .replacen("the rules of the house", citation, 1);
        let found = shown(&catalogue, &text);
        let Some(law) = law else {
            assert_eq!(found, "", "{jurisdiction}, {citation}");
            continue;
        };
        let named = format!("`jurisdiction` is \"{jurisdiction}\": write \"{law}\"");
        for says in [named.as_str(), "`primary` is another in 58 Pa. Code"] {
            assert!(found.contains(says), "{says}\n{found}");
        }
        assert_eq!(found.lines().count(), 2, "{found}");
    }
    Ok(())
}

/// Several changes together, a line too few, one too many, other names of levels: the paytable is still recognised.
#[test]
fn nearly_equal_paytables_are_recognised() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let sheet = catalogue
        .sheet(&"pa-657a-five-card-c".parse()?)
        .ok_or("no sheet")?;
    let text = own(&catalogue, sheet)?;
    let line = |hand: &str, pays: &str| format!("[[line]]\nhand = \"{hand}\"\npays = {pays}\n");
    let straight = line("straight", "{ for_one = 30 }");
    let three = line("three-of-a-kind", "{ for_one = 10 }");
    assert!(text.contains(&straight) && text.contains(&three));
    let every_pay = text
        .replace("{ for_one = 50 }", "{ for_one = 51 }")
        .replace("{ for_one = 40 }", "{ for_one = 41 }")
        .replace("{ for_one = 30 }", "{ for_one = 31 }")
        .replace("{ for_one = 10 }", "{ for_one = 11 }");
    let two_pair = format!("{three}\n{}", line("two-pair", "{ for_one = 1 }"));
    for (changed, findings, says) in [
        (
            text.replace(&straight, ""),
            1,
            "three-of-a-kind: write all of them",
        ),
        (
            text.replace(&three, &two_pair),
            1,
            "`two-pair`: 58 Pa. Code § 657a.12(e) has no line",
        ),
        (
            text.replace("\"mega\"", "\"grand\""),
            1,
            "has the levels \"mega\", \"major\", \"minor\"",
        ),
        (every_pay, 4, "`pays` of `flush` is another"),
    ] {
        let found = shown(&catalogue, &changed);
        assert!(found.contains(says), "{says}\n{found}");
        assert_eq!(found.lines().count(), findings, "{found}");
    }
    Ok(())
}

/// Open values: envy for wagers without a printed schedule, the level that a fixed pay is charged to, Massachusetts'
/// rates and its seeds from the minimum on. A paytable that no jurisdiction prints is open as well.
#[test]
fn open_values_may_be_chosen() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let sheet = |id: &str| -> Result<Sheet, Box<dyn Error>> {
        Ok(catalogue.sheet(&id.parse()?).ok_or("no sheet")?.clone())
    };
    let text = own(&catalogue, &sheet("pa-657a-five-card-c")?)?;
    let for_two = text
        .replacen("[\"1.00\", \"5.00\"]", "[\"2.00\"]", 1)
        .replacen("envy = 1_000", "envy = 900", 1);
    assert_eq!(shown(&catalogue, &for_two), "");
    // A schedule that a link of $1 could use has to be the printed one.
    for wagers in ["[\"1.00\", \"2.00\"]", "[\"2.00\", \"5.00\"]"] {
        let changed = for_two.replacen("[\"2.00\"]", wagers, 1);
        let found = shown(&catalogue, &changed);
        assert!(
            found.contains("`envy` of `royal-flush` is another"),
            "{found}"
        );
    }
    let off_level = text.replace("{ for_one = 50 }", "{ for_one = 50, of = \"minor\" }");
    assert_ne!(off_level, text);
    assert_eq!(shown(&catalogue, &off_level), "");

    let text = own(&catalogue, &sheet("ma-four-card-a")?)?;
    let (text, _) = text.split_once("[[not_in_source]]").ok_or("no gaps")?;
    let filed = "seed = 6_000\nreseed = 5_000\nprimary = \"20%\"\nreserve = \"2%\"";
    let text = text.replacen("seed_least = 5_000", filed, 1).replacen(
        "\ngames ",
        "\neffective = 2026-01-01\ngames ",
        1,
    );
    let found = checked(&catalogue, &text)?;
    assert_eq!(found.outline.levels[0].seed_least, Some(5_000));
    let less = text.replacen("reseed = 5_000", "reseed = 4_999", 1);
    assert!(shown(&catalogue, &less).contains("write at least 5000: MA"));
    // Massachusetts' rules pay 9 for 1; its own envy is checked as well.
    for (from, to) in [
        ("for_one = 9 ", "for_one = 8 "),
        ("envy = 10\n", "envy = 11\n"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        assert!(shown(&catalogue, &changed).contains("is another in Massachusetts"));
    }
    Ok(())
}
