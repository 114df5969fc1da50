//! Every mistake in a file of fixed wagers is found at its position, names the text to write instead, and hides no
//! other.

use std::error::Error;

use meterhouse_catalogue::Catalogue;

type Outcome = Result<(), Box<dyn Error>>;

/// Change and finding, case by case.
const CASES: &str = include_str!("fixed_findings.txt");

/// Returns a compiled-in file under the id `own`, of a jurisdiction without printed tables.
fn own(catalogue: &Catalogue, id: &str) -> Result<String, Box<dyn Error>> {
    let key = id.parse()?;
    let text = catalogue.source(&key).ok_or(id)?;
    let citation = &catalogue.fixed_sheet(&key).ok_or(id)?.citation;
    Ok(text
        .replacen(id, "own", 1)
        .replacen("\"PA\"", "\"NV\"", 1)
        .replacen(&format!("\"{citation}\""), "\"none\"", 1))
}

fn findings(catalogue: &Catalogue, text: &str) -> String {
    let errors = catalogue.check_either("own.toml", text).err();
    errors.map(|errors| errors.to_string()).unwrap_or_default()
}

fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let in_line = before.rsplit('\n').next().unwrap_or_default();
    (
        before.matches('\n').count() + 1,
        in_line.chars().count() + 1,
    )
}

#[test]
fn each_mistake_is_the_only_finding_at_its_place() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let cases = CASES
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut failed = Vec::new();
    for case in cases {
        let cells: Vec<String> = case
            .split(" | ")
            .map(|part| part.replace("\\n", "\n"))
            .collect();
        let [id, from, to, at, says] = cells.as_slice() else {
            panic!("not five cells: {case}");
        };
        let text = own(&catalogue, id)?;
        let start = text.find(from).ok_or(case)?;
        let changed = text.replacen(from, to, 1);
        let place = changed[start..].find(at).ok_or(case)? + start;
        let (line, column) = position(&changed, if at.is_empty() { 0 } else { place });
        let shown = findings(&catalogue, &changed);
        let is_found = shown.starts_with(&format!("own.toml:{line}:{column}: "))
            && shown.contains(says)
            && shown.lines().count() == 1;
        if !is_found {
            failed.push(format!("{case}\nexpected {line}:{column}\n{shown}\n"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    Ok(())
}

#[test]
fn many_in_one_file_are_reported_together_from_top_to_bottom() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let text = own(&catalogue, "pa-657a-queens-up-a")?;
    let changes = [
        ("\"NV\"", "7"),
        ("2019-08-31", "2019-02-30"),
        ("\"crazy-4-poker\"", "4"),
        ("[\"queens-up\"]", "[]"),
        ("letter       = \"A\"", "letter       = \"?\""),
        ("\"50 to 1\"", "\"50 to one\""),
        ("\"straight-flush\"", "\"straight flush\""),
        ("\"9 to 1\"", "\"9 for 1\""),
        ("\"3 to 1\"", "\"5 to 1\""),
        ("\"Q-A\"", "\"queens\""),
    ];
    let wrong = changes
        .iter()
        .fold(text.clone(), |text, (from, to)| text.replacen(from, to, 1));
    let pairs = text.lines().zip(wrong.lines()).enumerate();
    let differing = pairs.filter(|(_, (before, after))| before != after);
    let numbers: Vec<usize> = differing.map(|(index, _)| index + 1).collect();
    assert_eq!(numbers.len(), changes.len());
    let errors = catalogue.check_either("own.toml", &wrong).err();
    let errors = errors.ok_or("no finding")?;
    let found: Vec<usize> = errors.iter().map(|finding| finding.line).collect();
    assert_eq!(found, numbers, "{errors}");
    Ok(())
}

#[test]
fn too_many_lines() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let text = own(&catalogue, "pa-625a-sic-bo-a")?;
    let line = "[[line]]\nprints = \"x\"\nshows = \"small\"\npays = \"1 to 1\"\n\n";
    let text = text.replacen("[[line]]", &format!("{}[[line]]", line.repeat(5)), 1);
    let shown = findings(&catalogue, &text);
    assert!(
        shown.ends_with("25 times `line`: write at most 24"),
        "{shown}"
    );
    Ok(())
}

/// Any beginning of a file is answered, and each line of a finding has its position.
#[test]
fn a_part_of_a_file_is_answered_without_panic() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for id in [
        "pa-684a-four-card-bonus-a",
        "pa-625a-sic-bo-a",
        "pa-641a-bad-beat",
    ] {
        let text = own(&catalogue, id)?;
        for (end, _) in text.char_indices().step_by(7) {
            let shown = findings(&catalogue, &text[..end]);
            let placed = shown.lines().all(|line| line.starts_with("own.toml:"));
            assert!(placed, "{shown}");
        }
    }
    Ok(())
}
