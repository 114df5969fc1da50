//! What a paytable that returns more than the wager is offered as: its upper fixed pays off the meter.

use std::error::Error;

use meterhouse_catalogue::{Catalogue, charged};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Content, Pays};
use meterhouse_domain::returns::{Asked, Fraction, exceeds_wager, returns};

type Outcome = Result<(), Box<dyn Error>>;

/// What all wagers get back in the end, in hundredths of a percent.
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

/// Caribbean Stud A, B and E: the upper fixed pays come off the meter, as few as are enough, and the file that is offered
/// can be kept as it is: it says exactly that, and what it didn't print before it still doesn't.
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
        let offered = charged(paytable, source).ok_or("nothing is offered")?;
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
        // One line fewer is not enough.
        let mut fewer = offered.charged.content;
        let last = fewer.lines.iter_mut().rev();
        let mut last = last.filter(|it| matches!(it.pays, Pays::ForOneOf { .. }));
        let line = last.next().ok_or("no line comes off the meter")?;
        if let Pays::ForOneOf { odds, .. } = line.pays {
            line.pays = Pays::ForOne(odds);
        }
        assert!(exceeds_wager(&fewer), "{letter}");
        // Comments and what stands around the values stay.
        let first = offered.text.lines().next().unwrap_or_default();
        assert!(
            first.starts_with(&format!("# {id}, with these fixed pays off the meter")),
            "{first}"
        );
        let without = |text: &str| {
            let lines = text.lines().skip_while(|it| it.starts_with('#'));
            let lines = lines.filter(|it| {
                !["id ", "title ", "pays "]
                    .iter()
                    .any(|key| it.starts_with(key))
            });
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(without(&offered.text), without(source));
    }
    Ok(())
}

/// Nothing is offered where nothing has to be: every other paytable returns no more than the wager.
#[test]
fn the_others_need_no_charge() -> Outcome {
    let ours = Catalogue::compiled_in()?;
    let mut offered = Vec::new();
    for paytable in ours.iter() {
        let source = ours.source(&paytable.id).ok_or("no source")?;
        if charged(paytable, source).is_some() {
            offered.push(paytable.id.as_str());
        }
    }
    assert_eq!(offered, ["pa-639a-a", "pa-639a-b", "pa-639a-e"]);
    Ok(())
}

/// Where all fixed pays off the meter are not enough, nothing is offered.
#[test]
fn no_charge_that_is_not_enough_is_offered() -> Outcome {
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
    assert!(charged(&paytable, ours.source(&id).ok_or("no source")?).is_none());
    Ok(())
}
