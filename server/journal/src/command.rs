//! How commands are written: a refusal's record says whole to what the rules said no.

use meterhouse_domain::command::{
    CoinIn, Command, HitCommand, Holder, JoinTable, PersonCommand, TableCommand, Wager,
};
use meterhouse_domain::seat::Seat;

use crate::codec::{Canonical, DecodeError, Problem, Reader, Writer, structs, variants};

variants! {
    Command "command" {
        1 Table { table, sequence, command },
        2 Person(command: PersonCommand),
    }
    TableCommand "table command" {
        1 CoinIn(command: CoinIn),
        2 Count { chips },
        3 Fold { seats },
        4 Hit(command: HitCommand),
        5 Envy { seat, hand, cards },
        6 CancelHit { hit },
        7 Close,
        8 Void { reason },
    }
    PersonCommand "person's command" {
        1 JoinTable(command: Box<JoinTable>),
        2 ValidateHit { hit, cards, note },
        3 RejectHit { hit, note },
        4 PayPayout { hit, number, document },
    }
    Holder "holder" {
        1 Seat(seat: Seat),
        2 Dealer,
    }
}

structs! {
    CoinIn { wagers, dealt }
    Wager { seat, on, amount, player }
    HitCommand { holder, hand, cards }
    JoinTable { name, game, seats, paytable, wager, decks }
}
