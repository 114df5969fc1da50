//! Returns of the tables of fixed wagers: their lines make the whole wager, and a table without a value says why.

use std::error::Error;

use meterhouse_catalogue::{Catalogue, Effort, FixedReturns};
use meterhouse_domain::fixed::returns::{Depends, deviation};
use meterhouse_domain::returns::{Fraction, percent};

type Outcome = Result<(), Box<dyn Error>>;

/// Returns the values of a table.
fn found(catalogue: &Catalogue, id: &str) -> Result<FixedReturns, Box<dyn Error>> {
    let table = catalogue.fixed(&id.parse()?).ok_or(id)?;
    Ok(catalogue.fixed_returns(table, Effort::Quick))
}

/// Returns the subject and the hold of each value of a table.
fn holds(catalogue: &Catalogue, id: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let values = found(catalogue, id)?.values;
    let holds = values.iter().map(|value| {
        let about = value.about.as_deref().unwrap_or("the wager");
        format!("{about} {}", percent(value.chance.hold))
    });
    Ok(holds.collect())
}

/// The lines of a wager return what the house doesn't keep, and no case is paid twice.
#[test]
fn lines_and_hold_make_the_whole_wager() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let one = Fraction::from_integer(1);
    let mut counted = 0;
    for table in catalogue.fixed_tables() {
        for value in catalogue.fixed_returns(table, Effort::Quick).values {
            let (chance, lines) = (&value.chance, &value.lines);
            if lines.lines.is_empty() {
                continue;
            }
            let returned: Fraction = lines.lines.iter().map(|line| line.returned).sum();
            assert_eq!(
                returned + chance.hold,
                one,
                "{}: {:?}",
                table.id,
                value.about
            );
            let paid: u64 = lines.lines.iter().map(|line| line.cases).sum();
            assert!(paid <= lines.cases, "{}", table.id);
            counted += 1;
        }
    }
    assert!(counted > 100, "{counted}");
    Ok(())
}

/// The tables that two people have to adopt are four of the Five Card Bonus and those of Touchdown Roulette; a reading
/// returns otherwise than its print, and an unknown one nothing.
#[test]
fn the_tables_that_return_more_than_the_wager_are_known() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let tables = catalogue.fixed_tables();
    let exceeding = tables.filter_map(|table| {
        let returned = catalogue.returned(&table.id, None)?;
        returned
            .exceeds_wager()
            .then(|| format!("{} {returned}", table.id))
    });
    assert_eq!(
        exceeding.collect::<Vec<_>>(),
        [
            "pa-617a-touchdown-a 941.629%",
            "pa-617a-touchdown-b 543.809%",
            "pa-617a-touchdown-c 953.2196%",
            "pa-617a-touchdown-d 539.6255%",
            "pa-643a-five-card-bonus-a 118.9893%",
            "pa-643a-five-card-bonus-b 110.8039%",
            "pa-643a-five-card-bonus-d 109.2648%",
            "pa-643a-five-card-bonus-e 100.433%",
        ]
    );
    let doubtful = "pa-684a-four-card-bonus-a".parse()?;
    let of = |reading: &str| catalogue.returned(&doubtful, Some(&reading.parse().ok()?));
    assert_eq!(catalogue.returned(&doubtful, None), "76.7255%".parse().ok());
    assert_eq!(of("queens-or-better"), "95.4798%".parse().ok());
    assert_eq!(of("aces-or-better"), None);
    assert_eq!(
        catalogue.returned(&"pa-684a-ante-raise".parse()?, None),
        None
    );
    assert_eq!(catalogue.returned(&"none".parse()?, None), None);
    Ok(())
}

/// A doubtful print has both readings, the print first; a table of dice has a value a line, in the order of the print.
#[test]
fn a_table_has_all_its_values() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    assert_eq!(
        holds(&catalogue, "pa-684a-four-card-bonus-c")?,
        ["as printed 20.46%", "queens-or-better 1.70%"]
    );
    let dice = found(&catalogue, "pa-625a-sic-bo-a")?.values;
    let table = catalogue
        .fixed(&"pa-625a-sic-bo-a".parse()?)
        .ok_or("Sic Bo")?;
    let printed = table.lines.iter().map(|line| Some(line.prints.as_str()));
    assert!(printed.eq(dice.iter().map(|value| value.about.as_deref())));
    let one = found(&catalogue, "pa-625a-one-of-a-kind-a")?.values;
    let [one] = one.as_slice() else {
        return Err("One of a Kind is one wager".into());
    };
    // Of 216 throws, one shows a chosen number on all dice, 15 on two and 75 on one.
    let cases: Vec<u64> = one.lines.lines.iter().map(|line| line.cases).collect();
    assert_eq!((one.about.as_deref(), cases), (None, vec![1, 15, 75]));
    assert_eq!(holds(&catalogue, "pa-617a-touchdown-a")?.len(), 4);
    Ok(())
}

/// Wagers that the player's raises and folds decide have the value of all required wagers, where best play is counted.
#[test]
fn tables_without_a_value_say_why() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let mut without: Vec<(&str, Depends)> = Vec::new();
    for table in catalogue.fixed_tables() {
        let depends = catalogue.fixed_returns(table, Effort::Quick).depends;
        without.extend(depends.map(|depends| (table.id.as_str(), depends)));
    }
    let of = |reason: Depends| -> Vec<&str> {
        let with = without.iter().filter(|(_, depends)| *depends == reason);
        with.map(|(id, _)| *id).collect()
    };
    assert_eq!(of(Depends::Unprinted), [""; 0]);
    assert_eq!(of(Depends::JointHands), [""; 0]);
    assert_eq!(
        of(Depends::Strategy),
        [
            "ma-ante-play",
            "ma-super-bonus",
            "pa-657a-ante-play",
            "pa-657a-super-bonus",
            "pa-683a-ante-raise-a",
            "pa-683a-ante-raise-b",
            "pa-683a-ante-raise-c",
            "pa-684a-ante-raise",
            "pa-684a-odds",
            "pa-684a-odds-bad-beat-a",
            "pa-684a-odds-bad-beat-b",
            "pa-684a-odds-bad-beat-c",
            "pa-684a-odds-bad-beat-d",
        ]
    );
    let all = [
        ("a", "1.67%"),
        ("b", "1.32%"),
        ("c", "1.32%"),
        ("d", "1.20%"),
    ]
    .map(|(letter, hold)| {
        format!("required wagers under best play, with pa-684a-odds-bad-beat-{letter} {hold}")
    });
    assert_eq!(holds(&catalogue, "pa-684a-odds")?, all);
    assert_eq!(holds(&catalogue, "pa-684a-ante-raise")?, all);
    assert_eq!(holds(&catalogue, "pa-684a-odds-bad-beat-d")?, all[3..]);
    for id in ["pa-657a-super-bonus", "ma-ante-play"] {
        let hold = holds(&catalogue, id)?;
        assert_eq!(hold, ["required wagers under best play 1.71%"], "{id}");
    }
    assert!(holds(&catalogue, "pa-683a-ante-raise-a")?.is_empty());
    Ok(())
}

/// Rounded to the nearest hundredth.
#[test]
fn a_deviation_is_the_rounded_root() {
    for (variance, root) in [
        (Fraction::from_integer(0), "0.00"),
        (Fraction::new(9, 4), "1.50"),
        (Fraction::from_integer(2), "1.41"),
        (Fraction::from_integer(3), "1.73"),
        (Fraction::new(1, 40_000), "0.01"),
        (Fraction::new(1, 40_001), "0.00"),
    ] {
        assert_eq!(deviation(variance), root);
    }
}
