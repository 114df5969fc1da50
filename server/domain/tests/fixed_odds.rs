//! Odds of fixed wagers are exact, and only "to 1" and a push give the wager back.

#![expect(
    clippy::expect_used,
    reason = "a literal that can't be read fails the test"
)]

use meterhouse_domain::fixed::odds::{Basis, Odds, Pays, Settled, Unpayable};
use meterhouse_domain::money::Money;
use meterhouse_domain::returns::Fraction;

fn money(text: &str) -> Money {
    text.parse().expect(text)
}

fn odds(text: &str) -> (Odds, Basis) {
    Odds::read(text).expect(text)
}

#[test]
fn the_pay_of_a_wager_is_exact() {
    for (text, wager, pay, returned) in [
        // A flush on Super Bonus, § 657a.12(b): half-dollars.
        ("3 to 2", "5.50", "8.25", "5.50"),
        ("3 to 2", "0.05", "0.075", "0.05"),
        ("1 to 1", "7.00", "7.00", "7.00"),
        ("1 to 2", "0.01", "0.005", "0.01"),
        ("20,000 to 1", "2.50", "50000.00", "2.50"),
        ("300 for 1", "5.00", "1500.00", "0.00"),
    ] {
        let (odds, basis) = odds(text);
        let settled = Pays::Odds(odds).settle(basis, money(wager));
        let expected = Settled {
            pay: money(pay),
            returned: money(returned),
        };
        assert_eq!(settled, Ok(expected), "{text} of {wager}");
    }
}

#[test]
fn a_push_returns_the_wager_and_a_loss_nothing() {
    let wager = money("5.50");
    for basis in Basis::ALL {
        let push = Pays::Push.settle(*basis, wager);
        let returned = Settled {
            pay: Money::ZERO,
            returned: wager,
        };
        assert_eq!(push, Ok(returned));
        assert_eq!(Pays::Loses.settle(*basis, wager), Ok(Settled::default()));
    }
}

#[test]
fn what_can_not_be_paid_exactly_is_an_error() {
    let (fair, _) = odds("3 to 2");
    assert_eq!(fair.on(money("0.005")), Err(Unpayable::FractionOfCent));
    let (highest, _) = odds("200,000 to 1");
    let range = highest.on(money("9000000000000"));
    assert!(matches!(range, Err(Unpayable::OutOfRange(_))), "{range:?}");
    // A third of a cent is no whole number of micro-dollars.
    assert_eq!(Odds::new(4, 3), None);
    assert_eq!(Odds::new(0, 1), None);
    assert_eq!(Odds::new(1, 0), None);
}

#[test]
fn odds_are_read_in_one_form() {
    for text in ["50 to 1", "3 to 2", "1,000 to 1", "200,000 to 1", "9 for 1"] {
        let (odds, basis) = odds(text);
        assert_eq!(odds.text(basis), text);
    }
    for text in [
        "1000 to 1",
        "50 To 1",
        "50:1",
        "50  to 1",
        "0 to 1",
        "1 to 3",
        "to 1",
        "50",
        "050 to 1",
        "50 to 1 ",
        "-1 to 1",
        "10,00 to 1",
    ] {
        assert_eq!(Odds::read(text), None, "{text}");
    }
}

#[test]
fn the_result_of_a_unit_leaves_the_wager_out() {
    for (text, result) in [("3 to 2", (3, 2)), ("3 for 2", (1, 2)), ("1 for 1", (0, 1))] {
        let (odds, basis) = odds(text);
        let (above, below) = result;
        assert_eq!(
            Pays::Odds(odds).result(basis),
            Fraction::new(above, below),
            "{text}"
        );
        assert_eq!(Pays::Push.result(basis), Fraction::from_integer(0));
        assert_eq!(Pays::Loses.result(basis), Fraction::from_integer(-1));
    }
}

#[test]
fn pays_are_compared_as_fractions() {
    let pays = |text: &str| match text {
        "push" => Pays::Push,
        "loses" => Pays::Loses,
        text => Pays::Odds(odds(text).0),
    };
    let order = ["2 to 1", "3 to 2", "1 to 1", "1 to 2", "push", "loses"];
    for (index, higher) in order.iter().enumerate() {
        for (other, lower) in order.iter().enumerate() {
            let is_above = pays(higher).is_above(pays(lower));
            assert_eq!(is_above, index < other, "{higher} above {lower}");
        }
    }
}
