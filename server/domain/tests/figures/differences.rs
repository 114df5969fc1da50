//! The differences of a table from its link, all in one refusal and in the words of the files.

use meterhouse_domain::command::{JoinTable, PersonCommand};
use meterhouse_domain::difference::{Difference, differences};
use meterhouse_domain::hand::Ranking;
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::refusal::RefusalCode;

use super::support::{Link, SUPERVISOR, dollars, is, paytables};

/// Returns a paytable unlike Paytable A in everything that can differ: the Hand Bonus, with another ranking and its
/// level called as B's.
fn unlike_five_card_a() -> Paytable {
    let mut paytable = paytables::hand_bonus();
    paytable.content.ranking = Ranking::FourCard;
    let mega = paytables::five_card_b().content.levels.remove(0).name;
    paytable.content.levels[0].name = mega;
    paytable
}

/// The differences between Paytable A and the one above: field, the former's value, the latter's.
const CONTENT: [(&str, &str, &str); 15] = [
    ("ranking", "five-card", "four-card"),
    (
        "validation",
        "every-hit",
        "percentages and fixed odds of at least 500 for 1",
    ),
    (
        "settlement",
        "percentage meter by slip, fixed odds house from rack, envy house from rack",
        "percentage meter by slip, fixed odds house to game_account, envy house from rack",
    ),
    ("envy_printed_for", "1.00, 5.00", "none"),
    ("magic_card", "none", "20 for 1"),
    ("lucky_bonus", "none", "5 for 1"),
    (
        "level meter",
        "seed 10000 reseed 10000 primary 21% reserve 0%",
        "none",
    ),
    (
        "line royal-flush",
        "100% of meter, envy 1000 for 1",
        "100% of mega",
    ),
    (
        "line straight-flush",
        "10% of meter, envy 300 for 1",
        "10% of mega",
    ),
    ("line four-of-a-kind", "300 for 1", "500 for 1"),
    ("line full-house", "50 for 1", "100 for 1"),
    ("line flush", "40 for 1", "50 for 1"),
    ("line straight", "30 for 1", "none"),
    ("line three-of-a-kind", "9 for 1", "none"),
    (
        "level mega",
        "none",
        "seed 10000 reseed 0 primary 13% reserve 8%",
    ),
];

/// The two have no field of their content in common, and each field is listed once.
#[test]
fn every_difference_is_written_in_words() {
    let (one, other) = (paytables::five_card_a(), unlike_five_card_a());
    let expected = CONTENT.map(|(field, first, second)| Difference {
        field: field.to_owned(),
        first: first.to_owned(),
        second: second.to_owned(),
    });
    assert_eq!(differences(&one, &other), expected);

    let back = differences(&other, &one);
    assert_eq!(back.len(), expected.len());
    for difference in expected {
        let turned = Difference {
            field: difference.field,
            first: difference.second,
            second: difference.first,
        };
        assert!(back.contains(&turned), "{turned:?}");
    }
}

/// Names and games are no content; the permission to share meters is a difference.
#[test]
fn content_is_compared_but_not_names() {
    let one = paytables::five_card_a();
    let mut same = Paytable {
        content: one.content.clone(),
        ..paytables::hand_bonus()
    };
    same.games.clear();
    assert_eq!(differences(&one, &same), []);
    same.linkable = false;
    let linkable = Difference {
        field: "linkable".to_owned(),
        first: "true".to_owned(),
        second: "false".to_owned(),
    };
    assert_eq!(differences(&one, &same), [linkable]);
}

/// A table that differs in everything gets all differences in one refusal.
#[test]
fn a_refusal_lists_every_difference() {
    let mut paytable = paytables::five_card_a();
    paytable.linkable = false;
    let mut link = Link::open(paytable, "1.00");
    link.table();
    let join = JoinTable {
        game: "mississippi-stud".parse().unwrap(),
        paytable: Paytable {
            linkable: false,
            ..unlike_five_card_a()
        },
        wager: dollars("5.00"),
        decks: 2,
        seats: 0,
        ..link.join("T2")
    };
    let refusal = link.refuse_person(SUPERVISOR, PersonCommand::JoinTable(Box::new(join)));
    let content = CONTENT.map(|(field, of_link, of_table)| {
        let both = format!("link {of_link}, table {of_table}");
        (field, both)
    });
    let one_game =
        "link crazy-4-poker, table mississippi-stud: this paytable is for tables of one game";
    let mut fields = vec![
        ("wager", "link 1.00, table 5.00"),
        ("decks", "link 1, table 2"),
    ];
    fields.extend(content.iter().map(|(field, both)| (*field, both.as_str())));
    fields.extend([("game", "mississippi-stud"), ("linkable", one_game)]);
    is(&refusal, RefusalCode::TableDiffers, &fields);
}
