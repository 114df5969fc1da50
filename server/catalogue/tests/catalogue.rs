//! The catalogue as a whole: the compiled-in files, the operator's folder, and the page for people.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use meterhouse_catalogue::{Catalogue, check, describe};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::PaytableId;
use meterhouse_domain::paytable::Pays;

const OURS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/paytables");

#[test]
fn every_file_of_the_folder_is_compiled_in() -> Result<(), Box<dyn Error>> {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(OURS)? {
        files.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    let catalogue = Catalogue::compiled_in()?;
    let compiled: BTreeSet<String> = catalogue
        .sheets()
        .map(|sheet| format!("{}.toml", sheet.id))
        .collect();
    assert_eq!(compiled, files);
    for sheet in catalogue.sheets() {
        let text = fs::read_to_string(Path::new(OURS).join(format!("{}.toml", sheet.id)))?;
        assert_eq!(catalogue.source(&sheet.id), Some(text.as_str()));
        assert_eq!(catalogue.find(&sheet.id), sheet.paytable().as_ref());
    }
    Ok(())
}

#[test]
fn an_unknown_id_is_not_found() -> Result<(), Box<dyn Error>> {
    let id: PaytableId = "pa-000".parse()?;
    let catalogue = Catalogue::compiled_in()?;
    assert_eq!((catalogue.find(&id), catalogue.source(&id)), (None, None));
    Ok(())
}

/// A table of another chapter with the same figures: other headings but equal content, so the tables may be linked.
#[test]
fn an_operators_files_join_the_compiled_in_ones() -> Result<(), Box<dyn Error>> {
    let ours = Catalogue::compiled_in()?;
    let b: PaytableId = "pa-657a-five-card-b".parse()?;
    let text = ours.source(&b).ok_or("not compiled in")?;
    let text = text
        .replace("pa-657a-five-card-b", "own-b")
        .replace("657a", "639a");
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("own-b.toml"), &text)?;
    fs::write(folder.path().join("notes.txt"), "not a paytable")?;
    let own: PaytableId = "own-b".parse()?;
    let count = ours.iter().count();
    let all = ours.with_folder(folder.path())?;
    let (own_b, our_b) = (all.find(&own).ok_or("own")?, all.find(&b).ok_or("ours")?);
    assert_eq!(own_b.content, our_b.content);
    assert_ne!(own_b.citation, our_b.citation);
    assert_eq!(all.source(&own), Some(text.as_str()));
    assert_eq!(
        all.iter().next().map(|paytable| paytable.id.as_str()),
        Some("own-b")
    );
    assert_eq!(all.iter().count(), count + 1);
    Ok(())
}

#[test]
fn all_files_of_a_folder_are_reported_together() -> Result<(), Box<dyn Error>> {
    let ours = Catalogue::compiled_in()?;
    let c: PaytableId = "pa-657a-five-card-c".parse()?;
    let text = ours.source(&c).ok_or("not compiled in")?.to_owned();
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.toml"), text.replace("five-card-c\"", "\""))?;
    fs::write(path("b.toml"), [0xff])?;
    fs::write(path("pa-657a-five-card-c.toml"), &text)?;
    let shown = ours
        .with_folder(folder.path())
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 3, "{shown}");
    for (line, (file, says)) in lines.iter().zip([
        ("a.toml:3:16: ", "as the file is called"),
        ("b.toml:1:1: ", "can't be read"),
        (
            "pa-657a-five-card-c.toml:3:16: ",
            "a paytable with this id is there already",
        ),
    ]) {
        assert!(line.contains(file) && line.contains(says), "{shown}");
    }
    Ok(())
}

#[test]
fn a_missing_folder_is_refused() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?.path().join("none");
    let refused = Catalogue::compiled_in()?.with_folder(&folder).err();
    assert!(refused.is_some_and(|error| error.to_string().contains("the folder can't be read")));
    Ok(())
}

#[test]
fn a_path_names_the_file() -> Result<(), Box<dyn Error>> {
    let path = format!("{OURS}/pa-657a-four-card-a.toml");
    assert_eq!(
        check(&path, &fs::read_to_string(&path)?)?.id.as_str(),
        "pa-657a-four-card-a"
    );
    Ok(())
}

/// RULES §2.4: a fixed line may come off a level; the settlement still decides the way of payment.
#[test]
fn a_fixed_line_may_come_off_a_level() -> Result<(), Box<dyn Error>> {
    let ours = Catalogue::compiled_in()?;
    let id: PaytableId = "pa-657a-five-card-c".parse()?;
    let text = ours.source(&id).ok_or("not compiled in")?;
    let changed = text.replacen("{ for_one = 50 }", "{ for_one = 53, of = \"major\" }", 1);
    let sheet = check("pa-657a-five-card-c.toml", &changed)?;
    let paytable = sheet.paytable().ok_or("something is lacking")?;
    let line = paytable.content.line(Hand::FullHouse).ok_or("no line")?;
    assert_eq!(line.pays, Pays::ForOneOf { odds: 53, level: 1 });
    let same = ours.find(&id).ok_or("not compiled in")?;
    assert_eq!(paytable.content.settlement, same.content.settlement);
    let page = describe(&sheet);
    assert!(page.contains("53 for 1 off major"), "{page}");
    Ok(())
}

#[test]
fn the_page_of_a_paytable_with_envy() -> Result<(), Box<dyn Error>> {
    assert_eq!(
        page("pa-657a-five-card-c")?,
        include_str!("pages/pa-657a-five-card-c.txt")
    );
    Ok(())
}

#[test]
fn the_page_of_a_paytable_on_the_dealers_hand() -> Result<(), Box<dyn Error>> {
    let expected = include_str!("pages/pa-657a-five-card-hand-bonus.txt");
    assert_eq!(page("pa-657a-five-card-hand-bonus")?, expected);
    Ok(())
}

fn page(id: &str) -> Result<String, Box<dyn Error>> {
    let catalogue = Catalogue::compiled_in()?;
    Ok(describe(
        catalogue.sheet(&id.parse()?).ok_or("not compiled in")?,
    ))
}
