//! The file offered for a paytable that returns more than the wager: its upper fixed pays come off the meter.

use std::error::Error;

use meterhouse_catalogue::{Catalogue, ChargedFile};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Content, Pays};
use meterhouse_domain::returns::{Asked, Fraction, exceeds_wager, returns};

type Outcome = Result<(), Box<dyn Error>>;

/// Returns the long-run return of all wagers, in hundredths of a percent.
fn long_run(content: &Content) -> Result<i128, Box<dyn Error>> {
    let displayed = vec![Money::ZERO; content.levels.len()];
    let asked = Asked {
        wager: Money::DOLLAR,
        displayed: &displayed,
        seats: 1,
    };
    let found = returns(content, &asked).ok_or("not asked within its limits")?;
    Ok((found.long_run * 10_000).round().to_integer())
}

/// Caribbean Stud A, B and E: the upper fixed pays come off the meter, as few as suffice. The offered file can be
/// kept unchanged: its content is exactly the charged paytable, and its gaps are those of the original.
#[test]
fn the_upper_pays_of_caribbean_stud_come_off_the_meter() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    let (straight_flush, four, full_house) =
        (Hand::StraightFlush, Hand::FourOfAKind, Hand::FullHouse);
    for (letter, hands, expected) in [
        ("a", vec![straight_flush, four, full_house], 9_914),
        ("b", vec![four, full_house], 9_914),
        ("e", vec![four], 9_577),
    ] {
        let id = format!("pa-639a-{letter}").parse()?;
        let paytable = ours.find(&id).ok_or("not found")?;
        let source = ours.source(&id).ok_or("no source")?;
        let offered = ours.charged(paytable).ok_or("nothing is offered")?;
        assert_eq!(offered.charged.hands, hands, "{letter}");
        assert_eq!(long_run(&offered.charged.content)?, expected, "{letter}");
        assert!(!exceeds_wager(&offered.charged.content));

        let file = format!("{}.toml", offered.id);
        let sheet = ours.check(&file, &offered.text)?;
        let kept = sheet.paytable().ok_or("incomplete")?;
        assert_eq!(kept.content, offered.charged.content, "{}", offered.text);
        assert_eq!(kept.citation, paytable.citation);
        let before = ours.sheet(&id).ok_or("no sheet")?;
        assert_eq!(sheet.inferred().count(), before.inferred().count());
        // With one line fewer the return is too high.
        let mut fewer = offered.charged.content;
        let last = fewer.lines.iter_mut().rev();
        let mut last = last.filter(|line| matches!(line.pays, Pays::ForOneOf { .. }));
        let line = last.next().ok_or("no line comes off the meter")?;
        if let Pays::ForOneOf { odds, .. } = line.pays {
            line.pays = Pays::ForOne(odds);
        }
        assert!(exceeds_wager(&fewer), "{letter}");
        // All comments and the formatting around the values stay; a description precedes them.
        let (said, rest) = offered.text.split_once("#\n").ok_or("no head")?;
        let expected = format!("# {id}, with these fixed pays off the meter");
        assert!(said.starts_with(&expected), "{said}");
        let changed = |line: &&str| {
            ["id ", "title ", "pays "]
                .iter()
                .any(|key| line.starts_with(key))
        };
        let without = |text: &str| -> Vec<String> {
            let kept = text.lines().filter(|line| !changed(line));
            kept.map(str::to_owned).collect()
        };
        assert_eq!(without(rest), without(source));
    }
    Ok(())
}

/// No charge is offered for a paytable that returns no more than the wager.
#[test]
fn the_other_paytables_need_no_charge() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    let mut offered = Vec::new();
    for paytable in ours.iter() {
        if ours.charged(paytable).is_some() {
            offered.push(paytable.id.as_str());
        }
    }
    assert_eq!(offered, ["pa-639a-a", "pa-639a-b", "pa-639a-e"]);
    Ok(())
}

/// If all fixed pays off the meter are not enough, nothing is offered.
#[test]
fn no_insufficient_charge_is_offered() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    let id = "pa-639a-a".parse()?;
    let mut paytable = ours.find(&id).ok_or("not found")?.clone();
    for line in &mut paytable.content.lines {
        if let Pays::ForOne(odds) = line.pays {
            line.pays = Pays::ForOne(odds * 10);
        }
    }
    let fixed: Fraction = {
        let displayed = vec![Money::ZERO; paytable.content.levels.len()];
        let asked = Asked {
            wager: Money::DOLLAR,
            displayed: &displayed,
            seats: 1,
        };
        returns(&paytable.content, &asked).ok_or("limits")?.fixed
    };
    assert!(fixed > Fraction::from_integer(5), "{fixed}");
    assert!(ours.charged(&paytable).is_none());
    Ok(())
}

/// The same paytable in an operator's notation: other forms of the same lists and tables, a title of the greatest
/// length, an id that is taken.
#[test]
fn any_notation_of_a_file_can_be_charged() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    let id = "pa-639a-b".parse()?;
    let source = ours.source(&id).ok_or("no source")?;
    let offered = ours.charged(ours.find(&id).ok_or("not found")?);
    let expected = offered.ok_or("nothing is offered")?.charged.content;
    let dotted = source.replace("pays = { for_one = 500 }", "pays.for_one = 500");
    let table = source.replace("pays = { for_one = 100 }", "[line.pays]\nfor_one = 100");
    let inline = inline_lines(source)?;
    // 256 bytes, of which an odd number is left for the addition.
    let title = "Caribbean Stud Poker, Progressive Payout Wager, Paytable B";
    let long = source.replace(
        &format!("\"{title}\""),
        &format!("\"x{}y\"", "ä".repeat(127)),
    );
    for changed in [dotted, table, inline, long] {
        assert_ne!(changed, source);
        let folder = tempfile::tempdir()?;
        let own = changed.replace("\"pa-639a-b\"", "\"own-b\"");
        std::fs::write(folder.path().join("own-b.toml"), own)?;
        let catalogue = Catalogue::compiled_in()?.with_folder(folder.path())?;
        let own = catalogue.find(&"own-b".parse()?).ok_or("not found")?;
        let offered = catalogue.charged(own).ok_or("nothing is offered")?;
        assert_eq!(offered.id.as_str(), "own-b-charged");
        assert_eq!(offered.charged.content, expected, "{}", offered.text);
        // Kept, the file has its id, and the next one gets another.
        std::fs::write(folder.path().join("own-b-charged.toml"), &offered.text)?;
        let catalogue = Catalogue::compiled_in()?.with_folder(folder.path())?;
        let own = catalogue.find(&"own-b".parse()?).ok_or("not found")?;
        let offered = catalogue.charged(own).ok_or("nothing is offered")?;
        assert_eq!(offered.id.as_str(), "own-b-charged2");
    }
    Ok(())
}

/// Returns the lines as one list of inline tables.
fn inline_lines(source: &str) -> Result<String, Box<dyn Error>> {
    let start = source.find("[[line]]").ok_or("no lines")?;
    let end = source.find("[settlement]").ok_or("no settlement")?;
    let lines = source[start..end]
        .lines()
        .filter(|line| !line.starts_with('#'));
    let (mut list, mut open) = (String::from("line = ["), false);
    for line in lines.filter(|line| !line.is_empty()) {
        if line == "[[line]]" {
            list.push_str(if open { " },\n{ " } else { "\n{ " });
            open = true;
        } else if line.starts_with("hand") {
            list.push_str(line);
        } else {
            list.push_str(", ");
            list.push_str(line);
        }
    }
    list.push_str(" },\n]\n\n");
    // A key of the file itself must precede its first section.
    let section = source.find("[[level]]").ok_or("no levels")?;
    let (head, levels) = (&source[..section], &source[section..start]);
    Ok([head, &list, levels, &source[end..]].concat())
}

/// If the first level can't bear enough, the next one is tried.
#[test]
fn the_pays_are_charged_to_a_level_that_bears_them() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    let source = ours.source(&"pa-639a-b".parse()?).ok_or("no source")?;
    let poor = "[[level]]\nname = \"grand\"\nseed = 10_000\nreseed = 10_000\n\
                primary = \"0.1%\"\nreserve = \"0%\"\n\n";
    // Not from any regulation: Pennsylvania prints one level.
    let own = source
        .replacen("\"pa-639a-b\"", "\"own\"", 1)
        .replacen("\"PA\"", "\"NV\"", 1)
        .replacen("\"58 Pa. Code § 639a.12(d)\"", "\"none\"", 1)
        .replacen("[[level]]", &format!("{poor}[[level]]"), 1)
        .replacen(
            "percent = 100, of = \"meter\"",
            "percent = 100, of = \"grand\"",
            1,
        )
        .replacen(
            "percent = 10, of = \"meter\"",
            "percent = 100, of = \"meter\"",
            1,
        );
    assert_eq!(offered("own", &own)?.level.as_str(), "meter");
    Ok(())
}

/// The minimum that Massachusetts names is copied, though the file has another id and charges other pays.
#[test]
fn the_minimum_seed_is_copied() -> Outcome {
    let printed = Catalogue::compiled_in()?;
    let id = "ma-five-card-hand-bonus";
    let printed = printed.source(&id.parse()?).ok_or("no source")?;
    let (printed, _) = printed.split_once("[[not_in_source]]").ok_or("no gaps")?;
    let filed = "seed = 10_000\nreseed = 10_000\nprimary = \"70%\"\nreserve = \"8%\"";
    let own = printed
        .replace("seed_least = 10_000", filed)
        .replace("\ngames ", "\neffective = 2026-01-01\ngames ");
    let offered = offered(id, &own)?;
    assert!(!own.contains("seed_least"), "{own}");
    assert!(
        offered.text.contains("seed_least = 10000\n"),
        "{}",
        offered.text
    );
    Ok(())
}

/// Returns the file offered for an operator's file.
fn offered(id: &str, text: &str) -> Result<ChargedFile, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join(format!("{id}.toml")), text)?;
    let catalogue = Catalogue::compiled_in()?.with_folder(folder.path())?;
    let own = catalogue.find(&id.parse()?).ok_or("not found")?;
    Ok(catalogue.charged(own).ok_or("nothing is offered")?)
}
