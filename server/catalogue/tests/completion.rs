//! An operator's file with the id of an incomplete paytable completes it; it changes nothing that the source prints.

use std::error::Error;
use std::fs;

use meterhouse_catalogue::{Catalogue, CatalogueErrors};
use meterhouse_domain::paytable::Paytable;

const THREE: &str = "pa-643a-three-card-a";
const FOUR: &str = "ma-four-card-a";

/// Returns our file with these changes and without its gap sections.
fn completed(id: &str, changes: &[(&str, &str)]) -> Result<String, Box<dyn Error>> {
    let ours = Catalogue::compiled_in()?;
    let text = ours.source(&id.parse()?).ok_or("not compiled in")?;
    let (printed, _) = text.split_once("[[not_in_source]]").ok_or("complete")?;
    let mut text = printed.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from} in {text}");
        text = text.replace(from, to);
    }
    Ok(text)
}

/// Returns a file with pays as an operator might supply them.
fn three_card() -> Result<String, Box<dyn Error>> {
    let mut text = completed(THREE, &[("envy    = {", "# envy    = {")])?;
    for (hand, pays) in [
        ("mini-royal", "{ percent = 100, of = \"meter\" }"),
        ("straight-flush", "{ for_one = 70 }"),
        ("three-of-a-kind", "{ for_one = 60 }"),
        ("straight", "{ for_one = 6 }"),
    ] {
        let line = format!("hand = \"{hand}\"\n");
        assert!(text.contains(&line), "{line}");
        text = text.replace(&line, &format!("{line}pays = {pays}\n"));
    }
    Ok(text)
}

/// Returns a file with rates and seeds as an operator might supply them in Massachusetts.
fn four_card() -> Result<String, Box<dyn Error>> {
    let filed = "seed = 6_000\nreseed = 5_000\nprimary = \"20%\"\nreserve = \"2%\"";
    let day = "\neffective = 2026-01-01\ngames ";
    completed(FOUR, &[("seed_least = 5_000", filed), ("\ngames ", day)])
}

/// Reads a folder with this one file.
fn read(id: &str, text: &str) -> Result<Result<Paytable, CatalogueErrors>, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(format!("{id}.toml")), text)?;
    let catalogue = match Catalogue::compiled_in()?.with_folder(folder.path()) {
        Ok(catalogue) => catalogue,
        Err(errors) => return Ok(Err(errors)),
    };
    assert_eq!(catalogue.source(&id.parse()?), Some(text));
    let found = catalogue.find(&id.parse()?).ok_or("still incomplete")?;
    Ok(Ok(found.clone()))
}

#[test]
fn missing_pays_are_supplied() -> Result<(), Box<dyn Error>> {
    let found = read(THREE, &three_card()?)??;
    assert_eq!(found.content.lines.len(), 4);
    assert_eq!(found.content.levels[0].primary.to_string(), "14%");
    // The source leaves open which of both tables ends at three-of-a-kind.
    let text = three_card()?;
    let (short, rest) = text
        .split_once("[[line]]\nhand = \"straight\"")
        .ok_or("no straight")?;
    let (_, settlement) = rest.split_once("\n\n").ok_or("nothing behind")?;
    let short = format!("{short}{settlement}");
    assert_eq!(read(THREE, &short)??.content.lines.len(), 3);
    Ok(())
}

#[test]
fn missing_rates_and_seeds_are_supplied() -> Result<(), Box<dyn Error>> {
    let found = read(FOUR, &four_card()?)??;
    let level = &found.content.levels[0];
    assert_eq!((level.seed, level.reseed), (6_000, 5_000));
    assert_eq!(found.effective, "2026-01-01");
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(format!("{FOUR}.toml")), four_card()?)?;
    let catalogue = Catalogue::compiled_in()?.with_folder(folder.path())?;
    let sheet = catalogue.sheet(&FOUR.parse()?).ok_or("no sheet")?;
    assert_eq!(sheet.outline.levels[0].seed_least, Some(5_000));
    Ok(())
}

/// Every printed value stays as it is; each finding is at its line.
#[test]
fn printed_values_can_not_be_changed() -> Result<(), Box<dyn Error>> {
    for (from, to, at, says) in [
        (
            "seed = 6_000",
            "seed = 4_999",
            "seed = 4_999",
            "at least 5000",
        ),
        (
            "reseed = 5_000",
            "reseed = 0",
            "reseed = 0",
            "at least 5000",
        ),
        (
            "for_one = 300",
            "for_one = 301",
            "{ for_one = 301",
            "`pays` of `four-of-a-kind` is another",
        ),
        (
            "envy = 100\n",
            "envy = 101\n",
            "101\n",
            "`envy` of `four-aces` is another",
        ),
        ("\"MA\"", "\"PA\"", "\"PA\"", "`jurisdiction` is another"),
        (
            "award = \"forfeited\"",
            "award = \"kept\"",
            "{ award",
            "`fold` is another",
        ),
        (
            "\"meter\"\nseed",
            "\"minor\"\nseed",
            "",
            "has the levels \"meter\"",
        ),
    ] {
        let filed = four_card()?;
        let mut changed = filed.replacen(from, to, 1);
        if at.is_empty() {
            changed = changed.replace("of = \"meter\"", "of = \"minor\"");
        }
        assert_ne!(changed, filed, "{from}");
        let errors = read(FOUR, &changed)?.err().ok_or("nothing was found")?;
        let shown = errors.to_string();
        assert_eq!(errors.iter().count(), 1, "{shown}");
        assert!(shown.contains(says), "{says}: {shown}");
        if let Some(place) = changed.find(at).filter(|_| !at.is_empty()) {
            let line = changed[..place].matches('\n').count() + 1;
            assert!(shown.contains(&format!("{FOUR}.toml:{line}:")), "{shown}");
        }
    }
    Ok(())
}

#[test]
fn missing_values_have_to_be_supplied() -> Result<(), Box<dyn Error>> {
    let ours = Catalogue::compiled_in()?;
    let text = ours
        .source(&FOUR.parse()?)
        .ok_or("not compiled in")?
        .to_owned();
    let errors = read(FOUR, &text)?.err().ok_or("nothing was found")?;
    let shown = errors.to_string();
    assert!(shown.contains("rates is lacking here too"), "{shown}");
    // Rates in addition to the word that they are missing.
    let both = text.replace(
        "seed_least = 5_000",
        "seed_least = 5_000\nprimary = \"20%\"",
    );
    let errors = read(FOUR, &both)?.err().ok_or("nothing was found")?;
    assert!(
        errors.to_string().contains("unknown key `primary`"),
        "{errors}"
    );
    Ok(())
}
