//! Values that several responses share.

use meterhouse_api::level::LevelAmount;
use meterhouse_api::link::LinkedTable;
use meterhouse_api::outcome::BettingPosition;
use meterhouse_api::presentation::LinkPresentation;
use meterhouse_api::report::BookBalances;
use meterhouse_api::text::Text;
use meterhouse_api::values::{Amount, Card, LevelName};
use meterhouse_api::words::{LinkState, TableState};
use meterhouse_domain::command::Holder;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::SeatSet;
use meterhouse_domain::{card, ids, presentation};
use meterhouse_engine::view::{self, HitCursor, LinkStatus, TableRow, TableStatus};

/// Returns an exact amount from the micro-dollars of a row.
pub(crate) const fn amount(micros: i64) -> Amount {
    Text(Money::from_micros(micros))
}

/// Returns the levels of a link with these amounts cut to the cent, in their order.
pub(crate) fn level_amounts(terms: &LinkTerms, amounts: &[Money]) -> Vec<LevelAmount> {
    let levels = terms.content().levels.iter().zip(amounts);
    levels
        .map(|(level, amount)| LevelAmount {
            level: Text(level.name.clone()),
            amount: Text(amount.displayed()),
        })
        .collect()
}

/// Returns the exact balances of a level.
pub(crate) fn book_balances(book: &view::BookBalances) -> BookBalances {
    BookBalances {
        level: level_name(&book.name),
        meter: Text(book.meter),
        reserve: Text(book.reserve),
        overflow: Text(book.overflow),
        pending: Text(book.pending),
    }
}

/// Returns the name of a report's level; `fixed` for pays that touch no meter.
pub(crate) fn level_name(name: &str) -> LevelName {
    Text(name.parse().unwrap_or_else(|_| ids::LevelName::fixed()))
}

/// Returns seats, ascending.
pub(crate) fn seat_list(seats: SeatSet) -> Vec<u8> {
    seats.ascending().map(|seat| seat.0).collect()
}

/// Returns cards.
pub(crate) fn cards(cards: &[card::Card]) -> Vec<Card> {
    cards.iter().copied().map(Text).collect()
}

/// Returns the seat of a holder; `None` for the dealer's hand.
pub(crate) const fn seat(holder: Holder) -> Option<u8> {
    match holder {
        Holder::Seat(seat) => Some(seat.0),
        Holder::Dealer => None,
    }
}

/// Returns a betting position.
pub(crate) fn betting_position(holder: Holder) -> BettingPosition {
    BettingPosition {
        seat: seat(holder),
        dealer: holder == Holder::Dealer,
    }
}

/// Returns the state of a link.
pub(crate) const fn link_state(status: LinkStatus) -> LinkState {
    match status {
        LinkStatus::Open => LinkState::Open,
        LinkStatus::Suspended => LinkState::Suspended,
        LinkStatus::Closed => LinkState::Closed,
        LinkStatus::Faulted => LinkState::Faulted,
        LinkStatus::Unavailable => LinkState::Unavailable,
    }
}

/// Returns the state of a table.
pub(crate) const fn table_state(status: TableStatus) -> TableState {
    match status {
        TableStatus::InService => TableState::InService,
        TableStatus::Lost => TableState::Lost,
        TableStatus::Disabled => TableState::Disabled,
        TableStatus::Left => TableState::Left,
        TableStatus::Unavailable => TableState::Unavailable,
    }
}

/// Returns the cursor of a page of hits as text.
pub(crate) fn hit_cursor_text(cursor: HitCursor) -> String {
    format!("{}.{}", cursor.link, cursor.order)
}

/// Returns how a link is presented.
pub(crate) fn link_presentation(shown: &presentation::LinkPresentation) -> LinkPresentation {
    LinkPresentation {
        name: shown.name.clone().map(Text),
        celebration: Text(shown.celebration),
        theme: shown.theme.clone().map(Text),
        theme_version: shown.theme_version.as_deref().map(str::to_owned),
        locale: shown.locale.clone().map(Text),
    }
}

/// Returns a table of a link, as the floor sees it.
pub(crate) fn linked_table(row: &TableRow) -> LinkedTable {
    LinkedTable {
        table: Text(row.name.clone()),
        game: Text(row.game.clone()),
        seats: row.seats,
        state: table_state(row.status),
    }
}
