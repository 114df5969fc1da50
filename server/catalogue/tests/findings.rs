//! Every mistake in a file is found at its position, names the text to write instead, and hides no other.
//!
//! Each case of `findings.txt` changes one place of a compiled-in file. The finding has to be the only one, at the
//! position that the case names.

use meterhouse_catalogue::{Catalogue, CatalogueErrors, check};

const C: &str = "pa-657a-five-card-c";
const HB: &str = "pa-657a-five-card-hand-bonus";
/// Change and finding, case by case.
const CASES: &str = include_str!("findings.txt");

fn source(id: &str) -> Result<String, CatalogueErrors> {
    let catalogue = Catalogue::compiled_in()?;
    let paytable = catalogue.iter().find(|paytable| paytable.id.as_str() == id);
    let text = paytable.and_then(|paytable| catalogue.source(&paytable.id));
    assert!(text.is_some(), "{id} is not compiled in");
    Ok(text.unwrap_or_default().to_owned())
}

#[test]
fn each_mistake_is_the_only_finding_at_its_place() -> Result<(), CatalogueErrors> {
    let cases: Vec<&str> = CASES
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    for case in cases {
        let cells: Vec<String> = case
            .split(" | ")
            .map(|part| part.replace("\\n", "\n"))
            .collect();
        let [file, from, to, at, says] = cells.as_slice() else {
            panic!("not five cells: {case}");
        };
        let id = if file == "C" { C } else { HB };
        let text = source(id)?;
        let start = text.find(from).expect(case);
        let changed = text.replacen(from, to, 1);
        let place = changed[start..].find(at).expect(case) + start;
        let (line, column) = position(&changed, if at.is_empty() { 0 } else { place });
        let shown = findings(id, &changed);
        assert!(
            shown.starts_with(&format!("{id}.toml:{line}:{column}: "))
                && shown.contains(says)
                && shown.lines().count() == 1,
            "{case}\nexpected {line}:{column}\n{shown}",
        );
    }
    Ok(())
}

fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let in_line = before.rsplit('\n').next().unwrap_or_default();
    (
        before.matches('\n').count() + 1,
        in_line.chars().count() + 1,
    )
}

fn findings(id: &str, text: &str) -> String {
    let errors = check(&format!("{id}.toml"), text).err();
    errors.map(|errors| errors.to_string()).unwrap_or_default()
}

#[test]
fn a_level_that_is_never_won_in_full() -> Result<(), CatalogueErrors> {
    let text = source(C)?.replace(
        "percent = 100, of = \"minor\"",
        "percent = 99, of = \"minor\"",
    );
    let shown = findings(C, &text);
    let line = text
        .lines()
        .position(|line| line == "name    = \"minor\"")
        .unwrap_or_default()
        + 1;
    let expected = format!("{C}.toml:{line}:11: no line pays 100% of `minor`");
    assert!(shown.starts_with(&expected), "{shown}");
    assert_eq!(shown.lines().count(), 1, "{shown}");
    Ok(())
}

#[test]
fn too_many_levels_and_lines() -> Result<(), CatalogueErrors> {
    let level =
        "[[level]]\nname = \"x\"\nseed = 1\nreseed = 1\nprimary = \"1%\"\nreserve = \"0%\"\n";
    let line = "[[line]]\nhand = \"pair\"\npays = { for_one = 1 }\n";
    let text = source(C)?;
    let text = text.replacen(
        "[settlement]",
        &format!("{}[settlement]", level.repeat(2)),
        1,
    );
    let text = text.replacen(
        "[settlement]",
        &format!("{}[settlement]", line.repeat(10)),
        1,
    );
    let shown = findings(C, &text);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        lines[0].ends_with("5 times `level`: write at most 4"),
        "{shown}"
    );
    assert!(
        lines[1].ends_with("17 times `line`: write at most 16"),
        "{shown}"
    );
    assert_eq!(lines.len(), 2, "{shown}");
    Ok(())
}

/// Returns the lines of the findings in a changed file.
fn lines_found(id: &str, text: &str) -> Vec<usize> {
    let errors = check(&format!("{id}.toml"), text).err();
    errors
        .iter()
        .flat_map(CatalogueErrors::iter)
        .map(|finding| finding.line)
        .collect()
}

fn lines_changed(before: &str, after: &str) -> Vec<usize> {
    let pairs = before.lines().zip(after.lines()).enumerate();
    pairs
        .filter(|(_, (one, other))| one != other)
        .map(|(index, _)| index + 1)
        .collect()
}

#[test]
fn many_in_one_file_are_reported_together_from_top_to_bottom() -> Result<(), CatalogueErrors> {
    let text = source(C)?;
    let changes = [
        ("\"PA\"", "7"),
        ("2019-08-31", "2019-02-30"),
        ("seats_max = 6", "seats_max = 16"),
        ("\"forfeited\"", "\"lost\""),
        ("\"every-hit\"", "\"never\""),
        ("reseed  = 10_000", "reseed = \"much\""),
        ("\"7%\"", "\"7\""),
        ("\"full-house\"", "\"fullhouse\""),
        ("for_one = 30", "for_one = 0"),
        ("\"slip\"", "\"rack\""),
    ];
    let wrong = changes
        .iter()
        .fold(text.clone(), |text, (from, to)| text.replacen(from, to, 1));
    let expected = lines_changed(&text, &wrong);
    assert_eq!(expected.len(), changes.len());
    assert_eq!(lines_found(C, &wrong), expected);
    Ok(())
}

/// An operator's mistakes, all of them in one file: each is found at its line.
#[test]
fn an_operators_mistakes_are_named_together() -> Result<(), CatalogueErrors> {
    let catalogue = Catalogue::compiled_in()?;
    let text = source(C)?.replace(C, "own");
    let changes = [
        // A missing citation is a finding of the whole file.
        ("citation     = \"58 Pa. Code § 657a.12(e)\"", ""),
        // A seed below the jurisdiction's print.
        ("seed    = 10_000", "seed    = 9_999"),
        // Rates of more than the whole wager, at the level that exceeds it.
        ("primary = \"3%\"", "primary = \"93%\""),
        // An unknown hand, a repeated hand, a percentage of nothing.
        ("\"full-house\"", "\"full-hose\""),
        ("hand = \"straight\"", "hand = \"flush\""),
        ("percent = 100, of = \"major\"", "percent = 100"),
    ];
    let wrong = changes
        .iter()
        .fold(text, |text, (from, to)| text.replacen(from, to, 1));
    let errors = catalogue.check("own.toml", &wrong);
    let shown = errors
        .err()
        .map(|errors| errors.to_string())
        .unwrap_or_default();
    for says in [
        "`citation` is missing in the file",
        "`seed` is 9_999: write at least 10000: PA has no smaller seed",
        "more than the whole wager",
        "`hand` is \"full-hose\"",
        "each hand once",
        "`of` is missing",
    ] {
        assert!(shown.contains(says), "{says}\n{shown}");
    }
    assert_eq!(shown.lines().count(), changes.len(), "{shown}");
    Ok(())
}

/// A level that no line wins is found whatever else is wrong at the lines, as long as their pays are readable.
#[test]
fn an_unwon_level_is_found_beside_an_unknown_hand() -> Result<(), CatalogueErrors> {
    let wrong = source(C)?
        .replacen("percent = 100, of = \"minor\"", "for_one = 250", 1)
        .replacen("\"full-house\"", "\"full-hose\"", 1);
    let shown = findings(C, &wrong);
    assert!(shown.contains("no line pays 100% of `minor`"), "{shown}");
    assert!(shown.contains("full-hose"), "{shown}");
    Ok(())
}

/// A paytable that a jurisdiction doesn't print must reach the printed minimum for the same hand. A level that no
/// other hand wins is the operator's own.
#[test]
fn a_seed_below_the_jurisdictions_is_refused() -> Result<(), CatalogueErrors> {
    let catalogue = Catalogue::compiled_in()?;
    let hand_bonus = source(HB)?
        .replace(HB, "own")
        .replacen("58 Pa. Code § 657a.12(f)", "none", 1);
    let shown = |text: &str| {
        let errors = catalogue.check("own.toml", text).err();
        errors.map(|errors| errors.to_string()).unwrap_or_default()
    };
    // § 657a.12(f)(4): the reseed of Pennsylvania's Hand Bonus is $0; Massachusetts asks for $10,000 of both.
    assert_eq!(shown(&hand_bonus), "");
    let of_massachusetts = hand_bonus.replacen("\"PA\"", "\"MA\"", 1);
    let found = shown(&of_massachusetts);
    assert!(
        found.contains("`reseed` is 0: write at least 10000"),
        "{found}"
    );
    assert_eq!(shown(&of_massachusetts.replacen("\"MA\"", "\"NV\"", 1)), "");
    // Not from any source: other pays, and a flush wins nothing.
    let flush = "[[line]]\nhand = \"flush\"\npays = { for_one = 50 }\n";
    let another = hand_bonus
        .replacen("seed    = 10_000", "seed    = 10", 1)
        .replace("\"meter\"\nseed", "\"pot\"\nseed")
        .replace("of = \"meter\"", "of = \"pot\"")
        .replacen("for_one = 500 }\n", "for_one = 499 }\n", 1)
        .replacen("for_one = 100", "for_one = 99", 1);
    let without = another.replacen(flush, "", 1);
    assert_ne!(without, another);
    let found = shown(&without);
    assert!(
        found.contains("`seed` is 10: write at least 10000"),
        "{found}"
    );
    assert_eq!(found.lines().count(), 1, "{found}");
    let won = another
        .replacen(
            "pays = { percent = 100, of = \"pot\" }",
            "pays = { for_one = 600 }",
            1,
        )
        .replacen("for_one = 50 }", "percent = 100, of = \"pot\" }", 1)
        .replacen(
            "[[line]]\nhand = \"full-house\"\npays = { for_one = 99 }\n",
            "",
            1,
        );
    assert_eq!(shown(&won), "", "a level that a flush wins");
    let least = "seed    = 10_000\nseed_least = 20_000";
    let least = hand_bonus.replacen("seed    = 10_000", least, 1);
    assert!(shown(&least).contains("at least 20000, as seed_least says"));
    Ok(())
}

/// Four-card A and B are won by the same hand, but A opens with more. The minimum that Massachusetts names belongs to
/// the paytable, also for a link of a smaller wager.
#[test]
fn each_paytable_has_its_own_minimum() -> Result<(), CatalogueErrors> {
    let catalogue = Catalogue::compiled_in()?;
    let check = |text: &str| catalogue.check("own.toml", text);
    let a = source("pa-657a-four-card-a")?.replace("pa-657a-four-card-a", "own");
    let less = a.replacen("seed    = 5_000", "seed    = 4_999", 1);
    assert_ne!(less, a);
    let found = check(&less)
        .err()
        .map(|errors| errors.to_string())
        .unwrap_or_default();
    assert!(
        found.contains("another in 58 Pa. Code § 657a.12(d): write 5000"),
        "{found}"
    );
    let filed = source(HB)?
        .replace(HB, "own")
        .replacen("58 Pa. Code § 657a.12(f)", "none", 1)
        .replacen("\"PA\"", "\"MA\"", 1)
        .replacen("linkable     = true ", "linkable     = false", 1)
        .replacen("reseed  = 0", "reseed  = 10_000", 1);
    let sheet = check(&filed)?;
    assert_eq!(sheet.outline.levels[0].seed_least, Some(10_000));
    Ok(())
}

/// CONFORMANCE 39: a level opens with no less than it restarts with, in a paytable of any jurisdiction. A link that
/// was opened with such a level before may play on. For a printed seed the finding names the printed amount.
#[test]
fn a_seed_below_its_reseed_is_refused() -> Result<(), CatalogueErrors> {
    let catalogue = Catalogue::compiled_in()?;
    let of_nevada = source(C)?
        .replace(C, "own")
        .replacen("58 Pa. Code § 657a.12(e)", "none", 1)
        .replacen("\"PA\"", "\"NV\"", 1);
    assert!(catalogue.check("own.toml", &of_nevada).is_ok());
    let below = of_nevada.replace("seed    = 1_000", "seed    = 999");
    let found = catalogue.check("own.toml", &below).expect_err("below");
    assert!(found.are_of_law(), "{found}");
    let expected = lines_changed(&of_nevada, &below);
    let lines: Vec<usize> = found.iter().map(|finding| finding.line).collect();
    assert_eq!(lines, expected, "{found}");
    let shown = found.to_string();
    let says = "`seed` is 999: write at least 1000: a level opens with no less than its reseed";
    assert!(shown.contains(says), "{shown}");
    let above = of_nevada.replace("seed    = 1_000", "seed    = 1_001");
    assert!(catalogue.check("own.toml", &above).is_ok());
    let of_pennsylvania = below.replacen("\"NV\"", "\"PA\"", 1);
    let found = catalogue.check("own.toml", &of_pennsylvania);
    let shown = found
        .err()
        .map(|errors| errors.to_string())
        .unwrap_or_default();
    assert_eq!(shown.lines().count(), 1, "{shown}");
    Ok(())
}

#[test]
fn a_syntax_error_hides_nothing_that_can_still_be_read() -> Result<(), CatalogueErrors> {
    let text = source(C)?;
    let wrong = text
        .replacen("jurisdiction = \"PA\"", "jurisdiction = PA", 1)
        .replacen("seats_max = 6", "seats_max = 16", 1)
        .replacen("linkable     = true ", "linkable     = ", 1)
        .replacen("\"3%\"", "\"3\"", 1);
    assert_eq!(lines_found(C, &wrong), lines_changed(&text, &wrong));
    Ok(())
}

#[test]
fn a_list_that_is_not_closed_is_one_finding() -> Result<(), CatalogueErrors> {
    let text = source(C)?;
    for (closed, open) in [
        ("}]", "}"),
        ("\"5.00\"]", "\"5.00\""),
        ("50 }", "50"),
        ("\"slip\" }", "\"slip\""),
    ] {
        let wrong = text.replacen(closed, open, 1).replacen("\"PA\"", "PA", 1);
        let shown = findings(C, &wrong);
        let line = lines_changed(&text, &wrong)[1];
        let says = format!("correct this line or close the brackets of line {line}");
        assert_eq!(shown.lines().count(), 2, "{shown}");
        assert!(shown.ends_with(&says), "{shown}");
    }
    Ok(())
}

#[test]
fn findings_of_one_file_stop_at_a_hundred() {
    for mistake in ["=\n", "a = b\n", "a = [1 1]\n", "a = [[[=\n"] {
        let shown = findings(
            C,
            &mistake.repeat(meterhouse_catalogue::FILE_BYTES_MAX / mistake.len()),
        );
        assert!((1..=100).contains(&shown.lines().count()), "{mistake}");
    }
}

#[test]
fn a_key_given_twice_is_found_at_the_second() -> Result<(), CatalogueErrors> {
    let text = source(C)?;
    let wrong = text.replacen("ranking      =", "id = \"again\"\nranking      =", 1);
    let line = wrong
        .lines()
        .position(|line| line == "id = \"again\"")
        .unwrap_or_default()
        + 1;
    assert_eq!(lines_found(C, &wrong), [line]);
    Ok(())
}
