//! Every way in which a command can be sent in a state that makes a difference.

use meterhouse_tests::client::settle;
use meterhouse_tests::{FIVE_CARD_C, HAND_BONUS};
use serde_json::{Value, json};

/// One way to bring a table to a state and to send a command there.
pub(super) struct Way {
    /// What its link pays.
    pub(super) paytable: &'static str,
    /// How it gets there.
    pub(super) before: &'static [Step],
    /// The command. A hit is named by its number, the table's name comes before it; a position `drawn` is the lucky
    /// one.
    pub(super) command: Value,
}

/// What happens at the table before the command.
#[derive(Copy, Clone)]
pub(super) enum Step {
    /// Seats 1, 2 and 3 wager; 4 is dealt in.
    Lock,
    /// Everybody wagers on both hands; a lucky position is drawn.
    LockAll,
    /// An earlier round with a hit of seat 3, cancelled.
    EarlierRound,
    /// This seat gives up its hand.
    Fold(u8),
    /// A fixed pay of this seat.
    Hit(u8),
    /// The bonus of the lucky position.
    LuckyBonus,
    /// Seat 4's royal without a wager.
    EnvyOfSeat4,
    /// Seat 3's royal, and then another table's.
    RoyalsHereAndThere,
    /// Seat 3's royal.
    Royal,
    /// A person validates the hit of command 2.
    Approve,
    /// Its slip is documented.
    Pay,
}

use Step::{
    Approve, EarlierRound, EnvyOfSeat4, Fold, Hit, Lock, LockAll, LuckyBonus, Pay, Royal,
    RoyalsHereAndThere,
};

/// The hands of a round that [`Step::Lock`] began.
const CARDS: [(u8, &str); 4] = [
    (1, "Kh Qh Jh Th 9h"),
    (2, "2c 5d 7h 9s Jc"),
    (3, "As Ks Qs Js Ts"),
    (4, "2d 5h 7s 9c Jd"),
];

fn way(before: &'static [Step], command: Value) -> Way {
    Way {
        paytable: FIVE_CARD_C,
        before,
        command,
    }
}

/// Every way of a command in a state of the round.
pub(super) fn ways(command: &str, round: &str) -> Vec<Way> {
    match command {
        "coin_in" => coin_in(round),
        "count" => count(round),
        "fold" => fold(round),
        "hit" | "envy" => hit_and_envy(command, round),
        "bonus" => bonus(round),
        "settle" => settled(round),
        "cancel_hit" => cancel_hit(round),
        "close" => close(round),
        "void" => void(round),
        other => panic!("{other} is no command"),
    }
}

fn coin_in(round: &str) -> Vec<Way> {
    let coin_in =
        json!({"command": "coin_in", "wagers": [{"seat": 1, "amount": "1.00"}], "dealt": [1]});
    let before: &[Step] = match round {
        "none" => &[],
        "locked" => &[Lock],
        _ => &[Lock, Hit(3)],
    };
    vec![way(before, coin_in)]
}

fn count(round: &str) -> Vec<Way> {
    let count = || json!({"command": "count", "chips": 3});
    match round {
        "none" => vec![way(&[], count())],
        "locked" => vec![way(&[Lock], count()), way(&[Lock, Fold(1)], count())],
        _ => vec![way(&[Lock, Hit(3)], count())],
    }
}

fn fold(round: &str) -> Vec<Way> {
    let fold = |seat: u8| json!({"command": "fold", "seats": [seat]});
    match round {
        "none" => vec![way(&[], fold(1))],
        "locked" => vec![way(&[Lock], fold(1))],
        _ => vec![way(&[Lock, Hit(3)], fold(1)), way(&[Lock, Hit(3)], fold(3))],
    }
}

fn hit_and_envy(command: &str, round: &str) -> Vec<Way> {
    let hit = |seat: u8| json!({"command": "hit", "seat": seat, "hand": "flush"});
    let envy = || json!({"command": "envy", "seat": 4, "hand": "royal-flush"});
    match (command, round) {
        ("hit", "none") => vec![way(&[], hit(3))],
        ("hit", "locked") => vec![way(&[Lock], hit(3))],
        ("hit", _) => vec![
            way(&[Lock, Hit(2)], hit(1)),
            way(&[Lock, Hit(2)], hit(2)),
            way(&[Lock, Hit(2)], hit(3)),
        ],
        (_, "none") => vec![way(&[], envy())],
        (_, "locked") => vec![way(&[Lock], envy())],
        _ => vec![
            way(&[Lock, Hit(3)], envy()),
            way(&[Lock, EnvyOfSeat4], envy()),
        ],
    }
}

fn bonus(round: &str) -> Vec<Way> {
    let at =
        |position: &str| json!({"command": "bonus", "kind": "lucky_bonus", "position": position});
    let magic = || json!({"command": "bonus", "kind": "magic_card", "seat": 1});
    let way = |before: &'static [Step], command: Value| Way {
        paytable: HAND_BONUS,
        before,
        command,
    };
    match round {
        "none" => vec![way(&[], magic())],
        "locked" => vec![
            way(&[LockAll], at("drawn")),
            way(&[LockAll], at("another")),
            way(&[LockAll], magic()),
        ],
        _ => vec![
            way(&[LockAll, Hit(6)], at("drawn")),
            way(&[LockAll, LuckyBonus], at("drawn")),
        ],
    }
}

fn settled(round: &str) -> Vec<Way> {
    let all = || settle("", &CARDS);
    match round {
        "none" => vec![way(&[], all())],
        "locked" => vec![way(&[Lock], all()), way(&[Lock], settle("", &CARDS[1..]))],
        _ => vec![way(&[Lock, Hit(3)], all())],
    }
}

fn cancel_hit(round: &str) -> Vec<Way> {
    let cancel = |hit: u64| json!({"command": "cancel_hit", "hit": hit});
    match round {
        "none" => vec![way(&[EarlierRound], cancel(2))],
        "locked" => vec![
            way(&[Lock], cancel(1)),
            way(&[EarlierRound, Lock], cancel(2)),
        ],
        _ => vec![
            way(&[Lock, Hit(3)], cancel(2)),
            way(&[Lock, Hit(3), Approve], cancel(2)),
            way(&[Lock, Royal, Approve, Pay], cancel(2)),
            way(&[Lock, RoyalsHereAndThere], cancel(2)),
        ],
    }
}

fn close(round: &str) -> Vec<Way> {
    let close = || json!({"command": "close"});
    match round {
        "none" => vec![way(&[], close())],
        "locked" => vec![way(&[Lock], close())],
        _ => vec![
            way(&[Lock, Hit(3)], close()),
            way(&[Lock, Royal, Approve], close()),
            way(&[Lock, Royal, Approve, Pay], close()),
        ],
    }
}

fn void(round: &str) -> Vec<Way> {
    let void = || json!({"command": "void", "reason": "misdeal"});
    match round {
        "none" => vec![way(&[], void())],
        "locked" => vec![way(&[Lock], void())],
        _ => vec![
            way(&[Lock, Hit(3)], void()),
            way(&[Lock, Hit(3), Approve], void()),
            way(&[Lock, Royal, Approve, Pay], void()),
            way(&[Lock, RoyalsHereAndThere], void()),
        ],
    }
}
