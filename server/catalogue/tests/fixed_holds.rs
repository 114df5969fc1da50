//! The holds of the compiled-in tables of fixed wagers, beside those that the sources print.
//!
//! `fixed_holds.txt` has a line for each wager: its table, hold, hit frequency, pushes and variance. The values are exact
//! and written with two decimals.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::fixed::chance::Chance;
use meterhouse_domain::fixed::required::{crazy_4_poker, four_card_frenzy};
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::fixed::worth::{Of, worth};
use meterhouse_domain::returns::{hundredths, percent};

type Outcome = Result<(), Box<dyn Error>>;

/// The committed values.
const HOLDS: &str = include_str!("fixed_holds.txt");

fn table(catalogue: &Catalogue, id: &str) -> Result<FixedTable, Box<dyn Error>> {
    Ok(catalogue.fixed(&id.parse()?).ok_or(id)?.clone())
}

/// Returns the line of a value.
fn line(of: &str, chance: &Chance) -> String {
    let (hold, hit) = (percent(chance.hold), percent(chance.hit));
    let (push, variance) = (percent(chance.push), hundredths(chance.variance));
    format!("{of} | {hold} | {hit} | {push} | {variance}\n")
}

/// Returns the line of each wager of a table, in each of its readings.
fn lines(table: &FixedTable) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let reading = table.reading.as_ref().map(|reading| &reading.name);
    let other = reading.and_then(|name| Some((name.to_string(), table.read_as(name)?)));
    let printed = (String::new(), table.clone());
    for (reading, table) in [printed].into_iter().chain(other) {
        for value in worth(&table) {
            let wager = match value.of {
                Of::Only => String::new(),
                Of::BestPlay => " best play".to_owned(),
                Of::Dice(wager) => format!(" {wager}"),
                Of::Touchdown(team, goal) => format!(" {team:?} {goal:?}"),
            };
            let reading = if reading.is_empty() {
                reading.clone()
            } else {
                format!(" {reading}")
            };
            write!(
                text,
                "{}",
                line(&format!("{}{wager}{reading}", table.id), &value.chance)
            )?;
        }
    }
    Ok(text)
}

#[test]
fn every_wager_has_its_committed_hold() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let mut found = String::new();
    for table in catalogue.fixed_tables() {
        found += &lines(table)?;
    }
    for (found, committed) in found.lines().zip(HOLDS.lines()) {
        assert_eq!(found, committed);
    }
    assert_eq!(found.lines().count(), HOLDS.lines().count());
    Ok(())
}

/// Returns the lowest and the highest committed hold of the tables whose line begins and ends so.
fn range(begins: &str, ends: &str) -> Option<(&'static str, &'static str)> {
    let mut holds = BTreeMap::new();
    for line in HOLDS.lines() {
        let mut cells = line.split(" | ");
        let (of, hold) = (cells.next()?, cells.next()?);
        if of.starts_with(begins) && of.ends_with(ends) {
            let hundredths: i64 = hold.replace(['.', '%'], "").parse().ok()?;
            holds.insert(hundredths, hold);
        }
    }
    Some((holds.first_key_value()?.1, holds.last_key_value()?.1))
}

/// The preamble of 49 Pa.B. 4956: Prime "from 4.74% to 9.8%", All Six "between 6.74% to 18.1%", also in Cajun Stud, and
/// the Four Card Bonus "from 1.7% to 7.23%", which only its second reading has.
#[test]
fn the_optional_wagers_of_four_card_frenzy_hold_what_is_printed() {
    assert_eq!(range("pa-684a-prime", ""), Some(("4.74%", "9.80%")));
    assert_eq!(range("pa-684a-all-six", ""), Some(("6.74%", "18.10%")));
    assert_eq!(range("pa-683a-all-six", ""), Some(("6.74%", "18.10%")));
    let bonus = |reading| range("pa-684a-four-card-bonus", reading);
    assert_eq!(bonus(" queens-or-better"), Some(("1.70%", "7.23%")));
    assert_eq!(bonus("-c"), Some(("20.46%", "20.46%")));
    assert_eq!(bonus("-f"), Some(("25.98%", "25.98%")));
}

/// "Between 1.19% and 1.67% for required wagers" in the same preamble: bad beats by paytables D and A, in parts of the
/// Ante and the Odds Wager. D is 1.1976%, so the print is cut there.
#[test]
fn the_required_wagers_of_four_card_frenzy_hold_what_is_printed() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let odds = table(&catalogue, "pa-684a-odds")?;
    for (letter, hold) in [
        ("a", "1.67%"),
        ("b", "1.32%"),
        ("c", "1.32%"),
        ("d", "1.20%"),
    ] {
        let bad_beat = table(&catalogue, &format!("pa-684a-odds-bad-beat-{letter}"))?;
        let value = four_card_frenzy(&odds, &bad_beat).ok_or(letter)?;
        assert_eq!(percent(value.hold), hold, "{letter}");
        let thousandths = (value.hold * 100_000).to_integer();
        assert!(
            (1_190..1_680).contains(&thousandths),
            "{letter}: {thousandths}"
        );
    }
    Ok(())
}

/// Crazy 4 Poker is known to cost its best player 3.42% of the Ante: half of it in parts of the Ante and the Super Bonus.
#[test]
fn the_required_wagers_of_crazy_4_poker_hold_what_is_known() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for id in ["pa-657a-super-bonus", "ma-super-bonus"] {
        let value = crazy_4_poker(&table(&catalogue, id)?).ok_or(id)?;
        assert_eq!(percent(value.hold * 2), "3.42%", "{id}");
        assert_eq!(percent(value.hold), "1.71%", "{id}");
    }
    Ok(())
}

/// Cajun Stud's paytable A is that of Mississippi Stud, which is known to cost its best player 4.91% of the Ante.
#[test]
fn the_ante_and_raises_of_cajun_stud_hold_what_is_known() {
    let hold = range("pa-683a-ante-raise-a", " best play");
    assert_eq!(hold, Some(("4.91%", "4.91%")));
}

/// The printed tables of § 617a.4(d) return between four and ten times the wager in each reading of the end zones: the
/// approved game must have rules that the source doesn't print.
#[test]
fn no_reading_leaves_touchdown_roulette_a_hold() {
    let all = range("pa-617a-touchdown", "");
    assert_eq!(all, Some(("-853.22%", "-351.73%")));
}

/// Let It Ride's Five Card Bonus is paid "to 1" in words: A, B, D and E then return more than the wager.
#[test]
fn four_tables_of_the_five_card_bonus_return_more_than_the_wager() {
    for (letter, hold) in [
        ("a", "-18.99%"),
        ("b", "-10.80%"),
        ("d", "-9.26%"),
        ("e", "-0.43%"),
    ] {
        let of = format!("pa-643a-five-card-bonus-{letter}");
        assert_eq!(range(&of, ""), Some((hold, hold)));
    }
}
