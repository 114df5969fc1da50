//! The value of a wager from counts.

use meterhouse_domain::fixed::chance::chance;
use meterhouse_domain::fixed::frequencies::{Histogram, of_dice};
use meterhouse_domain::fixed::seen::Seen;
use meterhouse_domain::returns::Fraction;

#[test]
fn pushes_and_the_variance_of_a_small_wager() {
    // Of 216 throws, a three of a kind wins 5 to 2, a pair is returned, and the rest loses.
    let dice = of_dice();
    let value = chance(&dice, |seen| match seen {
        Seen::Dice([low, middle, high]) if low == middle && middle == high => Fraction::new(5, 2),
        Seen::Dice([low, middle, high]) if low == middle || middle == high => 0.into(),
        _ => (-1).into(),
    });
    let value = value.unwrap();
    assert_eq!(
        (value.hit, value.push),
        (Fraction::new(6, 216), Fraction::new(90, 216))
    );
    assert_eq!(value.hold, Fraction::new(120 - 15, 216));
    let square = Fraction::new(4 * 120 + 6 * 25, 4 * 216);
    assert_eq!(value.variance, square - value.hold * value.hold);
    assert_eq!(chance(&Histogram::default(), |_| 0.into()), None);
}
