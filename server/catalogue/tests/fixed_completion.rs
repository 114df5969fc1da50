//! An operator's file completes a table of fixed wagers that the source omits; printed odds are not the operator's to
//! change.

use std::error::Error;
use std::fs;

use meterhouse_catalogue::{Catalogue, CatalogueErrors};
use meterhouse_domain::fixed::table::FixedTable;

type Outcome = Result<(), Box<dyn Error>>;

const TRIPS: &str = "pa-653a-trips";
const QUEENS_UP: &str = "pa-657a-queens-up-c";

/// Returns our file without its gap sections.
fn printed(id: &str) -> Result<String, Box<dyn Error>> {
    let ours = Catalogue::compiled_in()?;
    let text = ours.source(&id.parse()?).ok_or("not compiled in")?;
    let (printed, _) = text.split_once("[[not_in_source]]").ok_or("complete")?;
    Ok(printed.to_owned())
}

fn line(prints: &str, shows: &str, pays: &str) -> String {
    format!("[[line]]\nprints = \"{prints}\"\nshows = \"{shows}\"\npays = \"{pays}\"\n")
}

/// Returns a file with lines as an operator might supply them.
fn trips() -> Result<String, Box<dyn Error>> {
    let lines = [
        line("Full house", "full-house", "8 to 1"),
        line("Three-of-a-kind", "three-of-a-kind", "3 to 1"),
    ];
    Ok(format!("{}{}", printed(TRIPS)?, lines.concat()))
}

/// Returns a file with the lost pays as an operator might supply them.
fn queens_up() -> Result<String, Box<dyn Error>> {
    let mut text = printed(QUEENS_UP)?;
    for (shows, pays) in [
        ("shows  = \"straight\"\n", "3 to 1"),
        ("shows  = \"two-pair\"\n", "2 to 1"),
        ("ranks  = \"Q-A\"\n", "1 to 1"),
    ] {
        assert!(text.contains(shows), "{shows}");
        text = text.replace(shows, &format!("{shows}pays = \"{pays}\"\n"));
    }
    Ok(text)
}

/// Reads a folder with this one file.
fn read(id: &str, text: &str) -> Result<Result<FixedTable, CatalogueErrors>, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join(format!("{id}.toml")), text)?;
    let catalogue = match Catalogue::compiled_in()?.with_folder(folder.path()) {
        Ok(catalogue) => catalogue,
        Err(errors) => return Ok(Err(errors)),
    };
    assert_eq!(catalogue.source(&id.parse()?), Some(text));
    let found = catalogue.fixed(&id.parse()?).ok_or("still incomplete")?;
    Ok(Ok(found.clone()))
}

fn shown(id: &str, text: &str) -> Result<String, Box<dyn Error>> {
    let errors = read(id, text)?.err();
    Ok(errors.map(|errors| errors.to_string()).unwrap_or_default())
}

#[test]
fn nothing_is_paid_before_a_table_is_complete() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    for id in [TRIPS, QUEENS_UP] {
        let key = id.parse()?;
        assert_eq!(ours.fixed(&key), None);
        let sheet = ours.fixed_sheet(&key).ok_or("no sheet")?;
        assert_eq!(sheet.missing().count(), 1);
        assert!(ours.fixed_tables().all(|table| table.id.as_str() != id));
    }
    assert_eq!(read(TRIPS, &trips()?)??.lines.len(), 2);
    assert_eq!(read(QUEENS_UP, &queens_up()?)??.lines.len(), 7);
    Ok(())
}

#[test]
fn an_omitted_look_is_supplied_with_the_lines() -> Outcome {
    let id = "pa-653a-play";
    let won = line("winning Play Wagers", "win", "1 to 1");
    let text = printed(id)?;
    let (before, _) = text.split_once("\n# ").ok_or("no comment")?;
    let found = read(id, &format!("{before}\nlook = \"comparison\"\n{won}"))??;
    assert_eq!(found.look.name(), "comparison");
    Ok(())
}

/// Every printed value stays as it is; each finding is at its line.
#[test]
fn printed_values_can_not_be_changed() -> Outcome {
    let text = queens_up()?;
    assert_eq!(shown(QUEENS_UP, &text)?, "");
    for (from, to, says) in [
        (
            "\"PA\"",
            "\"MA\"",
            "`jurisdiction` is \"MA\": write \"PA\", as 58 Pa. Code",
        ),
        (
            "\"crazy-4-poker\"",
            "\"four-card-poker\"",
            "write \"crazy-4-poker\", as",
        ),
        (
            "[\"queens-up\"]",
            "[\"queens\"]",
            "write [\"queens-up\"], as",
        ),
        (
            "letter       = \"C\"",
            "letter       = \"D\"",
            "write \"C\", as",
        ),
        (
            "\"30 to 1\"",
            "\"40 to 1\"",
            "write \"30 to 1\", as 58 Pa. Code § 657a.12(c)",
        ),
        (
            "\"Q-A\"",
            "\"J-A\"",
            "write the lines \"Four-of-a-kind\", \"Straight flush\"",
        ),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let found = shown(QUEENS_UP, &changed)?;
        assert!(found.contains(says), "{says}\n{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
    let other_look = trips()?.replacen("\"five-card\"", "\"six-cards\"", 1);
    assert!(shown(TRIPS, &other_look)?.contains("write \"five-card\", as"));
    Ok(())
}

#[test]
fn a_file_that_is_still_incomplete_is_refused() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    for (id, what) in [(TRIPS, "lines"), (QUEENS_UP, "pays")] {
        let text = ours.source(&id.parse()?).ok_or("no source")?;
        let found = shown(id, text)?;
        assert!(
            found.contains(&format!("{what} is missing here too")),
            "{found}"
        );
    }
    Ok(())
}

/// Ids are unique over paytables and tables of fixed wagers.
#[test]
fn an_id_is_taken_once() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    let queens_up = ours
        .source(&"pa-657a-queens-up-a".parse()?)
        .ok_or("no source")?;
    let found = shown("pa-657a-queens-up-a", queens_up)?;
    assert!(found.contains(":4:16: "), "{found}");
    assert!(
        found.contains("write no file: 58 Pa. Code § 657a.12(c) prints this table whole"),
        "{found}"
    );
    let five = "pa-657a-five-card-a";
    let found = shown(five, &queens_up.replace("pa-657a-queens-up-a", five))?;
    assert!(
        found.contains("a paytable with this id is there already"),
        "{found}"
    );
    let paytable = ours.source(&five.parse()?).ok_or("no source")?;
    let as_fixed = paytable.replace(five, "pa-657a-queens-up-a");
    let found = shown("pa-657a-queens-up-a", &as_fixed)?;
    assert!(
        found.contains("a table of fixed wagers with this id"),
        "{found}"
    );
    Ok(())
}

/// A mistake in a file hides no difference from the print, and no difference hides a mistake.
#[test]
fn a_mistake_hides_no_other() -> Outcome {
    let wrong = trips()?
        .replacen("\"ultimate-texas-hold-em\"", "\"c4p\"", 1)
        .replacen("[\"trips\"]", "[\"queen\"]", 1)
        .replacen("\"8 to 1\"", "\"8:1\"", 1)
        .replacen("\"three-of-a-kind\"", "\"trips\"", 1);
    let found = shown(TRIPS, &wrong)?;
    for says in [
        "`game` is",
        "`wagers` is",
        "`pays` is \"8:1\"",
        "`shows` is \"trips\"",
    ] {
        assert!(found.contains(says), "{says}: {found}");
    }
    assert_eq!(found.lines().count(), 4, "{found}");
    let no_look = wrong.replacen("\"five-card\"", "\"five\"", 1);
    let found = shown(TRIPS, &no_look)?;
    for says in [
        "`look` is \"five\"",
        "`game` is",
        "`wagers` is",
        "`pays` is \"8:1\"",
    ] {
        assert!(found.contains(says), "{says}: {found}");
    }
    let ours = Catalogue::compiled_in()?;
    let queens_up = ours
        .source(&"pa-657a-queens-up-a".parse()?)
        .ok_or("no source")?;
    for id in ["own", "pa-657a-queens-up-a"] {
        let wrong =
            queens_up
                .replace("pa-657a-queens-up-a", id)
                .replacen("\"50 to 1\"", "\"50:1\"", 1);
        let found = shown(id, &wrong)?;
        assert!(found.contains("write no file: 58 Pa. Code"), "{found}");
        assert_eq!(found.lines().count(), 2, "{found}");
    }
    Ok(())
}

/// A jurisdiction's printed tables are used under their ids. A wager whose tables it omits may have several, and a
/// wager that it doesn't have is the operator's.
#[test]
fn an_own_id_is_for_what_the_source_does_not_print() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    let queens_up = ours
        .source(&"pa-657a-queens-up-a".parse()?)
        .ok_or("no source")?;
    let own = queens_up.replace("pa-657a-queens-up-a", "own");
    let found = shown("own", &own.replacen("\"9 to 1\"", "\"10 to 1\"", 1))?;
    let says = "58 Pa. Code § 657a.12(c) prints the tables of this wager, pa-657a-queens-up-a, pa-657a-queens-up-b";
    assert!(found.contains(says), "{found}");
    let hidden = own.replacen("\"PA\"", "\"XX\"", 1);
    let found = shown("own", &hidden)?;
    assert!(
        found.contains("`jurisdiction` is \"XX\": write \"PA\""),
        "{found}"
    );
    assert!(found.contains("prints the tables of this wager"), "{found}");
    let other_wager = own.replacen("[\"queens-up\"]", "[\"kings-up\"]", 1);
    assert_eq!(shown("own", &other_wager)?, "");
    assert_eq!(shown("own", &trips()?.replacen(TRIPS, "own", 1))?, "");
    Ok(())
}

/// A paytable is expected where only a paytable fits.
#[test]
fn a_table_of_fixed_wagers_is_no_paytable() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    let text = trips()?.replacen(TRIPS, "own", 1);
    let found = ours.check("own.toml", &text).err().ok_or("accepted")?;
    assert!(
        found.to_string().contains("a table of fixed wagers"),
        "{found}"
    );
    let checked = ours.check_either("own.toml", &text)?;
    assert_eq!(checked.id().as_str(), "own");
    assert!(checked.title().ends_with("Trips Wager"));
    let id = "pa-657a-five-card-a";
    let paytable = ours.source(&id.parse()?).ok_or("no source")?;
    let checked = ours.check_either("own.toml", &paytable.replace(id, "own"))?;
    assert!(checked.title().ends_with("Paytable A"));
    Ok(())
}
