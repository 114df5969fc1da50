//! The compiled-in tables of fixed wagers are the printed ones, cell by cell, and pay what they print.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;

use meterhouse_catalogue::{Catalogue, FixedPart};
use meterhouse_domain::card::Card;
use meterhouse_domain::fixed::dice::DiceWager;
use meterhouse_domain::fixed::odds::{Basis, Pays};
use meterhouse_domain::fixed::seen::see;
use meterhouse_domain::fixed::shows::Shows;
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::money::Money;

type Outcome = Result<(), Box<dyn Error>>;

/// The cells as the sources print them.
const CELLS: &str = include_str!("fixed_cells.txt");

/// Words and cell of each line of a table.
type Column = Vec<(String, String)>;

/// Returns the columns of the printed tables by the id of the table. A table that is printed twice has to be the same.
fn columns() -> BTreeMap<String, Column> {
    let mut columns: BTreeMap<String, Column> = BTreeMap::new();
    for block in CELLS.split("\n= ").skip(1) {
        let lines: Vec<&str> = block.lines().take_while(|line| !line.is_empty()).collect();
        let (id, letters) = lines[0].split_once(" | ").unwrap_or((lines[0], ""));
        let rows: Vec<Vec<&str>> = lines[1..]
            .iter()
            .map(|row| row.split(" | ").collect())
            .collect();
        for (index, letter) in letters.split(' ').enumerate() {
            let id = if letter.is_empty() {
                id.to_owned()
            } else {
                format!("{id}-{letter}")
            };
            let cells = rows.iter().filter(|row| row[index + 1] != "-");
            let column: Column = cells
                .map(|row| (row[0].to_owned(), row[index + 1].to_owned()))
                .collect();
            let before = columns.insert(id.clone(), column.clone());
            assert!(before.is_none_or(|before| before == column), "{id}");
        }
    }
    columns
}

fn table(catalogue: &Catalogue, id: &str) -> Result<FixedTable, Box<dyn Error>> {
    Ok(catalogue.fixed(&id.parse()?).ok_or(id)?.clone())
}

#[test]
fn every_file_of_the_folder_is_compiled_in() -> Outcome {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixed");
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        files.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    let catalogue = Catalogue::compiled_in()?;
    let ids: Vec<_> = catalogue
        .fixed_sheets()
        .map(|sheet| sheet.id.clone())
        .collect();
    let compiled: BTreeSet<String> = ids.iter().map(|id| format!("{id}.toml")).collect();
    assert_eq!(compiled, files);
    for id in ids {
        let text = fs::read_to_string(format!("{folder}/{id}.toml"))?;
        assert_eq!(catalogue.source(&id), Some(text.as_str()));
        let sheet = catalogue.fixed_sheet(&id).ok_or("no sheet")?;
        assert_eq!(catalogue.fixed(&id), sheet.table().as_ref());
        assert_eq!(
            sheet.table().is_none(),
            sheet.missing().next().is_some(),
            "{id}"
        );
    }
    Ok(())
}

/// Every printed cell stands in one file, and no file has another.
#[test]
fn every_cell_is_the_printed_one() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let mut columns = columns();
    for sheet in catalogue.fixed_sheets() {
        let cell = |pays: Option<Pays>| match (pays, sheet.basis) {
            (Some(Pays::Push), _) => "Push".to_owned(),
            (Some(Pays::Loses), _) => "Loss".to_owned(),
            (Some(pays), Some(basis)) => pays.text(basis),
            _ => "?".to_owned(),
        };
        let lines = sheet
            .lines
            .iter()
            .map(|line| (line.prints.clone(), cell(line.pays)));
        let printed = columns.remove(sheet.id.as_str());
        let has_no_lines = sheet.missing().any(|gap| gap.what == FixedPart::Lines);
        assert_eq!(printed.is_none(), has_no_lines, "{}", sheet.id);
        assert_eq!(
            lines.collect::<Column>(),
            printed.unwrap_or_default(),
            "{}",
            sheet.id
        );
        let is_to_one = sheet.basis.is_none_or(|basis| basis == Basis::ToOne);
        assert!(is_to_one, "{}: the sources print no other odds", sheet.id);
    }
    assert_eq!(columns, BTreeMap::new(), "no file has these");
    Ok(())
}

/// Tables with lost cells, and those that the Bulletin leaves out.
#[test]
fn what_no_source_prints_is_missing() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let with = |part| -> Vec<&str> {
        let sheets = catalogue.fixed_sheets();
        let lacking = sheets.filter(|sheet| sheet.missing().any(|gap| gap.what == part));
        lacking.map(|sheet| sheet.id.as_str()).collect()
    };
    assert_eq!(
        with(FixedPart::Pays),
        [
            "pa-641a-six-card-bonus-e",
            "pa-643a-six-card-bonus-e",
            "pa-647a-six-card-bonus-e",
            "pa-657a-queens-up-c",
            "pa-657a-queens-up-d",
        ]
    );
    assert_eq!(
        with(FixedPart::Lines),
        [
            "pa-641a-aces-up",
            "pa-641a-ante",
            "pa-641a-bad-beat",
            "pa-641a-play",
            "pa-643a-let-it-ride",
            "pa-643a-three-card-bonus",
            "pa-647a-ante-flop-turn-river",
            "pa-647a-texas-hold-em-bonus",
            "pa-653a-ante",
            "pa-653a-blind",
            "pa-653a-play",
            "pa-653a-trips",
            "pa-655a-ante-street",
            "pa-655a-three-card-bonus",
            "pa-677a-ante",
            "pa-677a-bad-beat",
            "pa-677a-odds",
            "pa-677a-pocket-bonus",
            "pa-677a-raise",
            "pa-677a-trips-plus",
            "pa-679a-all-six",
            "pa-679a-ante",
            "pa-679a-bad-beat",
            "pa-679a-pair-bonus",
            "pa-679a-pair-bonus-with-2",
            "pa-679a-play",
            "pa-679a-prime",
        ]
    );
    Ok(())
}

/// Figures by hand: table, cards, wager, pay without the wager, and what goes back.
const HANDS: &str = "\
# § 657a.12(b): a flush, 3 to 2 of $5.50.
pa-657a-super-bonus | 2h 5h 9h Jh 3c | 5.50 | 8.25 | 5.50
# § 657a.12(c): four aces are a four of a kind.
pa-657a-queens-up-a | Ac Ad Ah As 3c | 5.00 | 250.00 | 5.00
pa-657a-queens-up-a | Qc Qd 7h 8s 3c | 5.00 | 5.00 | 5.00
pa-657a-queens-up-a | Jc Jd 7h 8s 3c | 5.00 | 0.00 | 0.00
# § 657a.12(g): paytable A pays a six-card royal flush as a royal flush; E prints it.
pa-657a-six-card-bonus-a | Ad Kd Qd Jd Td 9d | 1.00 | 1000.00 | 1.00
pa-657a-six-card-bonus-e | Ad Kd Qd Jd Td 9d | 1.00 | 200000.00 | 1.00
pa-657a-six-card-bonus-e | As Ks Qs Js Ts 9s | 1.00 | 20000.00 | 1.00
# § 683a.12(a): two pair, 3 to 2; a pair of tens is a push; a pair of fives loses.
pa-683a-ante-raise-b | 9c 9d 4h 4s Ac | 15.00 | 22.50 | 15.00
pa-683a-ante-raise-b | Tc Td 4h 7s Ac | 15.00 | 0.00 | 15.00
pa-683a-ante-raise-b | 5c 5d 4h 7s Ac | 15.00 | 0.00 | 0.00
# § 683a.12(b): an ace with a king of the same suit.
pa-683a-pocket-bonus-a | Kh Ah | 2.00 | 40.00 | 2.00
# § 683a.12(c): three cards; the straight pays more than the flush.
pa-683a-board-bonus-d | 2h 3h 9h | 2.00 | 6.00 | 2.00
pa-683a-board-bonus-d | 2h 3h 4c | 2.00 | 12.00 | 2.00
# § 683a.12(d): queen high loses with A, and is a push with B.
pa-683a-lo-ball-a | Qc Td 4h 7s 2c | 2.00 | 0.00 | 0.00
pa-683a-lo-ball-b | Qc Td 4h 7s 2c | 2.00 | 0.00 | 2.00
pa-683a-lo-ball-b | 7c 5d 4h 3s 2c | 2.00 | 200.00 | 2.00
# § 684a.12(b), (c): the four-card hand of the player, winning and losing.
pa-684a-odds | 2h 5h 9h Jh 3c | 0.50 | 0.75 | 0.50
pa-684a-odds-bad-beat-d | 2h 5h 9h Jh 3c | 0.50 | 2.00 | 0.50
# § 684a.12(d): all five red.
pa-684a-prime-a | 2h 5d 9h Jh 3d | 5.00 | 30.00 | 5.00
# § 684a.12(e): ace, king, queen and jack of one suit; three aces; aces and queens.
pa-684a-four-card-bonus-c | Ah Kh Qh Jh 3c | 1.00 | 50.00 | 1.00
pa-684a-four-card-bonus-c | Ah Ad Ac Jh 3c | 1.00 | 20.00 | 1.00
pa-684a-four-card-bonus-c | Ah Ad Qc Qh 3c | 1.00 | 1.00 | 1.00
pa-684a-four-card-bonus-c | Ah Ad Kc Kh 3c | 1.00 | 2.00 | 1.00
pa-684a-four-card-bonus-c | Ah Ad Qc Kh 3c | 1.00 | 0.00 | 0.00
# § 643a.12(b): to 1 in words, so the wager goes back.
pa-643a-five-card-bonus-a | Tc Td 4h 7s Ac | 1.00 | 2.00 | 1.00
# Massachusetts, Section 12(k): the highest hand at a table of six.
ma-cover-all-6 | Ah Kh Qh Jh 3c | 1.00 | 50.00 | 1.00
";

#[test]
fn hands_are_paid_as_printed() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for figure in HANDS.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = figure.split(" | ").collect();
        let [id, cards, wager, pay, returned] = cells[..] else {
            panic!("not five cells: {figure}");
        };
        let table = table(&catalogue, id)?;
        let cards: Vec<Card> = cards.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        let seen = see(table.look, &cards).ok_or(id)?;
        let line = table.line_for(&seen);
        let pays = line.map_or(Pays::Loses, |(_, line)| line.pays);
        let settled = pays.settle(table.basis, wager.parse()?)?;
        let expected: [Money; 2] = [pay.parse()?, returned.parse()?];
        assert_eq!([settled.pay, settled.returned], expected, "{figure}");
    }
    Ok(())
}

/// § 684a.12(e): the print is the default, and the reading replaces two of its lines.
#[test]
fn a_second_reading_is_chosen_by_name() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let reading = "queens-or-better".parse()?;
    let queens: Vec<Card> = ["Qc", "Qd", "7h", "8s", "3c"]
        .map(str::parse)
        .into_iter()
        .collect::<Result<_, _>>()?;
    for letter in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let printed = table(&catalogue, &format!("pa-684a-four-card-bonus-{letter}"))?;
        let read = printed.read_as(&reading).ok_or("no reading")?;
        assert_eq!(read.lines.len(), 10);
        assert_eq!(read.lines[..8], printed.lines[..8]);
        let last: Vec<(&str, String)> = read.lines[8..]
            .iter()
            .map(|line| (line.prints.as_str(), line.pays.text(read.basis)))
            .collect();
        let pays = ["2 to 1", "1 to 1"].map(str::to_owned);
        let [two_pair, pair] = pays;
        assert_eq!(
            last,
            [("Two pair", two_pair), ("Pair of queens or better", pair)]
        );
        let seen = see(printed.look, &queens).ok_or("unseen")?;
        assert_eq!(printed.line_for(&seen), None);
        assert_eq!(read.line_for(&seen).map(|(index, _)| index), Some(9));
    }
    assert_eq!(
        table(&catalogue, "pa-684a-prime-a")?.read_as(&reading),
        None
    );
    Ok(())
}

/// Figures by hand: table, wager, chosen numbers, dice, and the odds.
const DICE: &str = "\
pa-625a-sic-bo-a | total-4 |  | 1 1 2 | 50 to 1
pa-625a-sic-bo-b | total-6 |  | 1 3 2 | 18 to 1
pa-625a-sic-bo-b | two-dice | 2 3 | 1 3 2 | 6 to 1
pa-625a-sic-bo-b | two-dice | 2 4 | 1 3 2 | loses
pa-625a-sic-bo-a | three-of-a-kind | 2 | 2 2 2 | 150 to 1
pa-625a-one-of-a-kind-a | one-of-a-kind | 2 | 2 2 2 | 3 to 1
pa-625a-one-of-a-kind-b | one-of-a-kind | 2 | 2 2 2 | 12 to 1
pa-625a-one-of-a-kind-b | one-of-a-kind | 2 | 2 5 2 | 2 to 1
pa-625a-one-of-a-kind-b | one-of-a-kind | 5 | 2 5 2 | 1 to 1
pa-625a-one-of-a-kind-b | one-of-a-kind | 6 | 2 5 2 | loses
";

#[test]
fn dice_are_paid_by_the_line_of_their_wager() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for figure in DICE.lines() {
        let cells: Vec<&str> = figure.split(" | ").collect();
        let [id, wager, numbers, dice, odds] = cells[..] else {
            panic!("not five cells: {figure}");
        };
        let numbers_of = |text: &str| -> Result<Vec<u8>, _> {
            text.split_whitespace().map(str::parse).collect()
        };
        let table = table(&catalogue, id)?;
        let dice: [u8; 3] = numbers_of(dice)?.as_slice().try_into()?;
        let line = table.line_on(wager.parse()?, &numbers_of(numbers)?, dice);
        let found = line.map(|(_, line)| line.pays.text(table.basis));
        assert_eq!(found.as_deref().unwrap_or("loses"), odds, "{figure}");
    }
    Ok(())
}

/// Each wager on dice has one line, and One of a Kind a table of its own.
#[test]
fn sic_bo_has_every_wager() -> Outcome {
    let rows = table(&Catalogue::compiled_in()?, "pa-625a-sic-bo-a")?.lines;
    let all = DiceWager::all().filter(|wager| *wager != DiceWager::OneOfAKind);
    let all: Vec<DiceWager> = all.collect();
    let has_row = |wager: &DiceWager| rows.iter().any(|line| line.shows == Shows::Dice(*wager));
    assert!(all.len() == rows.len() && all.iter().all(has_row));
    Ok(())
}
