//! A table's command as it is sent: one of its keys, beside it `at` and `by`.

mod bodies;
mod read;

use meterhouse_domain::command::{HitCommand, TableCommand, VoidReason};
use meterhouse_domain::ids::{Badge, TableName, Timestamp};
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::{EdgeError, WireError};
use serde::Deserialize;
use utoipa::ToSchema;

use self::bodies::{
    BonusBody, CancelHitBody, CloseBody, CoinInBody, CountBody, EnvyBody, FoldBody, HitBody,
    SettleBody, VoidBody,
};
pub(crate) use self::read::holder;
use self::read::{bonus, cancelled, cards, chips, coin_in, seat, seats, settle};
use crate::extract::{Loose, Object};

/// A numbered command: exactly one of `coin_in`, `count`, `fold`, `hit`, `envy`, `bonus`, `settle`, `cancel_hit`,
/// `close` and `void`, in the order of a round's life.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Command)]
pub(crate) struct CommandBody {
    /// The controller's own time: evidence, never orders anything.
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<Loose>,
    /// The dealer's badge.
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z0-9-]{1,32}$", examples("d-12"))]
    by: Option<Loose>,
    /// The dealer locks the bets.
    #[schema(value_type = Option<CoinInBody>)]
    coin_in: Option<Object<CoinInBody>>,
    /// The dealer counted the chips.
    #[schema(value_type = Option<CountBody>)]
    count: Option<Object<CountBody>>,
    /// Players gave up their hands.
    #[schema(value_type = Option<FoldBody>)]
    fold: Option<Object<FoldBody>>,
    /// The hand button: a winning hand, in turn order.
    #[schema(value_type = Option<HitBody>)]
    hit: Option<Object<HitBody>>,
    /// A qualifying hand whose holder made no progressive wager.
    #[schema(value_type = Option<EnvyBody>)]
    envy: Option<Object<EnvyBody>>,
    /// A Magic Card or Lucky Bonus that the round's draw gives.
    #[schema(value_type = Option<BonusBody>)]
    bonus: Option<Object<BonusBody>>,
    /// The whole round from all cards.
    #[schema(value_type = Option<SettleBody>)]
    settle: Option<Object<SettleBody>>,
    /// The hand button pressed again.
    #[schema(value_type = Option<CancelHitBody>)]
    cancel_hit: Option<Object<CancelHitBody>>,
    /// GAME OVER.
    #[schema(value_type = Option<CloseBody>)]
    close: Option<Object<CloseBody>>,
    /// All wagers of the round go back.
    #[schema(value_type = Option<VoidBody>)]
    void: Option<Object<VoidBody>>,
}

/// A command with what stands beside it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    /// The dealer's badge.
    pub(crate) by: Option<Badge>,
    /// The controller's own time.
    pub(crate) device_time: Option<Timestamp>,
    /// The command.
    pub(crate) command: TableCommand,
}

/// The one key that was given.
enum Given {
    CoinIn(CoinInBody),
    Count(CountBody),
    Fold(FoldBody),
    Hit(HitBody),
    Envy(EnvyBody),
    Bonus(BonusBody),
    Settle(SettleBody),
    CancelHit(CancelHitBody),
    Close(CloseBody),
    Void(VoidBody),
}

impl CommandBody {
    /// The command of this table that the body says.
    pub(crate) fn read(self, table: &TableName) -> Result<Sent, WireError> {
        let by = self.by.as_ref().map(|it| it.name("by")).transpose()?;
        let device_time = self.at.as_ref().map(|it| it.moment("at")).transpose()?;
        let given = [
            self.coin_in.map(|it| Given::CoinIn(it.0)),
            self.count.map(|it| Given::Count(it.0)),
            self.fold.map(|it| Given::Fold(it.0)),
            self.hit.map(|it| Given::Hit(it.0)),
            self.envy.map(|it| Given::Envy(it.0)),
            self.bonus.map(|it| Given::Bonus(it.0)),
            self.settle.map(|it| Given::Settle(it.0)),
            self.cancel_hit.map(|it| Given::CancelHit(it.0)),
            self.close.map(|it| Given::Close(it.0)),
            self.void.map(|it| Given::Void(it.0)),
        ];
        let mut given = given.into_iter().flatten();
        let (Some(one), None) = (given.next(), given.next()) else {
            let detail = "name exactly one command: coin_in, count, fold, hit, envy, bonus, settle, \
                          cancel_hit, close or void";
            return Err(EdgeError::because(EdgeCode::MalformedBody, detail).into());
        };
        Ok(Sent {
            by,
            device_time,
            command: command(one, table)?,
        })
    }
}

fn command(given: Given, table: &TableName) -> Result<TableCommand, WireError> {
    Ok(match given {
        Given::CoinIn(body) => TableCommand::CoinIn(coin_in(&body)?),
        Given::Count(body) => TableCommand::Count {
            chips: chips(&body.chips)?,
        },
        Given::Fold(body) => TableCommand::Fold {
            seats: seats("fold.seats", &body.seats)?,
        },
        Given::Hit(body) => TableCommand::Hit(HitCommand {
            holder: holder("hit", body.seat.as_ref(), body.dealer)?,
            hand: body.hand.hand("hit.hand")?,
            cards: cards("hit.cards", body.cards.as_deref())?,
        }),
        Given::Envy(body) => TableCommand::Envy {
            seat: seat("envy.seat", &body.seat)?,
            hand: body.hand.hand("envy.hand")?,
            cards: cards("envy.cards", body.cards.as_deref())?,
        },
        Given::Bonus(body) => TableCommand::Bonus(bonus(&body)?),
        Given::Settle(body) => TableCommand::Settle(Box::new(settle(&body)?)),
        Given::CancelHit(body) => {
            let hit = cancelled(&body, table)?;
            TableCommand::CancelHit {
                hit: hit.sequence,
                number: hit.number,
            }
        }
        Given::Close(CloseBody {}) => TableCommand::Close,
        Given::Void(body) => TableCommand::Void {
            reason: body
                .reason
                .word("void.reason", VoidReason::ALL, VoidReason::name)?,
        },
    })
}

#[cfg(test)]
mod tests;
