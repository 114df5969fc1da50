//! Touchdown Roulette, § 617a.3(f).

use meterhouse_domain::fixed::field::{Compartment, Field, Goal, Team, touchdown};
use meterhouse_domain::fixed::frequencies::of_field;
use meterhouse_domain::fixed::seen::Seen;

use Compartment::{DoubleZero, Number};

/// Returns the end of a game that a 0 started.
fn game(team: Team, downs: &[u8], goal: Goal) -> Option<Field> {
    let downs: Vec<Compartment> = downs.iter().copied().map(Number).collect();
    touchdown(Number(0), team, &downs, goal)
}

/// The examples of § 617a.3(f)(2)(i) and (ii): the 18 yard line for the red team, and for the black team.
#[test]
fn the_examples_of_the_regulation() {
    // Red 36 and black 4 move the football 32 yards toward the red end zone, black 26 and 6 the other way.
    let red = [36, 4, 0, 0];
    let black = [26, 6, 0, 0];
    for goal in [Goal::EndsGame, Goal::PlaysOn] {
        assert_eq!(game(Team::Red, &red, goal), Some(Field::Yards(18)));
        assert_eq!(game(Team::Red, &black, goal), Some(Field::LosingTeam));
        assert_eq!(game(Team::Black, &red, goal), Some(Field::LosingTeam));
        assert_eq!(game(Team::Black, &black, goal), Some(Field::Yards(18)));
    }
}

#[test]
fn the_ends_of_the_field() {
    for (downs, end) in [
        ([0, 0, 0, 0], Field::Yards(50)),
        ([1, 0, 0, 0], Field::Yards(49)),
        ([2, 1, 0, 0], Field::LosingTeam),
        ([36, 12, 1, 0], Field::Yards(1)),
        ([36, 14, 0, 0], Field::Touchdown),
        ([36, 34, 32, 30], Field::Touchdown),
    ] {
        assert_eq!(
            game(Team::Red, &downs, Goal::PlaysOn),
            Some(end),
            "{downs:?}"
        );
    }
}

#[test]
fn an_end_zone_before_the_fourth_down_is_read_in_two_ways() {
    // Red 36 and 30 reach the end zone; black 35 and 33 go back behind the middle.
    assert_eq!(
        game(Team::Red, &[36, 30], Goal::EndsGame),
        Some(Field::Touchdown)
    );
    assert_eq!(game(Team::Red, &[36, 30], Goal::PlaysOn), None);
    assert_eq!(game(Team::Red, &[36, 30, 35, 33], Goal::EndsGame), None);
    assert_eq!(
        game(Team::Red, &[36, 30, 35, 33], Goal::PlaysOn),
        Some(Field::LosingTeam)
    );
    assert_eq!(
        game(Team::Black, &[36, 30], Goal::EndsGame),
        Some(Field::LosingTeam)
    );
}

#[test]
fn a_number_first_is_no_game() {
    let end = |first, downs: &[Compartment]| touchdown(first, Team::Red, downs, Goal::PlaysOn);
    assert_eq!(end(Number(36), &[]), Some(Field::NoGame));
    assert_eq!(end(Number(36), &[Number(1)]), None);
    assert_eq!(end(DoubleZero, &[Number(1); 4]), Some(Field::Yards(46)));
    assert_eq!(end(DoubleZero, &[Number(1); 3]), None);
    assert_eq!(end(DoubleZero, &[Number(1); 5]), None);
    assert_eq!(end(DoubleZero, &[Number(37); 4]), None);
    assert_eq!(end(Number(37), &[]), None);
}

#[test]
fn eighteen_numbers_are_red_and_eighteen_are_black() {
    let of = |team| Compartment::all().filter(move |spin| spin.colour() == Some(team));
    assert_eq!((of(Team::Red).count(), of(Team::Black).count()), (18, 18));
    assert_eq!(Compartment::all().count(), 38);
    assert_eq!(
        Compartment::all().filter(|spin| spin.starts_game()).count(),
        2
    );
}

/// The counts are those of every game, spun one by one.
#[test]
fn the_counts_are_those_of_every_game() {
    let spins: Vec<Compartment> = Compartment::all().collect();
    for (team, goal) in [
        (Team::Red, Goal::PlaysOn),
        (Team::Black, Goal::PlaysOn),
        (Team::Red, Goal::EndsGame),
    ] {
        let histogram = of_field(team, goal);
        assert_eq!(histogram.total(), 38_u64.pow(5));
        let no_game = histogram.count(|seen| seen == Seen::Field(Field::NoGame));
        assert_eq!(no_game, 36 * 38_u64.pow(4));
        let mut ends = std::collections::BTreeMap::new();
        for game in 0..38_usize.pow(4) {
            let downs = [
                game / 38_usize.pow(3),
                game / 38_usize.pow(2),
                game / 38,
                game,
            ];
            let downs = downs.map(|down| spins[down % 38]);
            // A game that ends early is found as it ends: its further spins are no downs.
            let played = (0..=4)
                .find_map(|downs_played| touchdown(DoubleZero, team, &downs[..downs_played], goal));
            *ends.entry(Seen::Field(played.unwrap())).or_insert(0) += 2;
        }
        ends.insert(Seen::Field(Field::NoGame), no_game);
        assert_eq!(
            histogram
                .iter()
                .collect::<std::collections::BTreeMap<_, _>>(),
            ends
        );
    }
}
