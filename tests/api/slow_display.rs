//! A display that doesn't read holds nobody up, costs a bounded memory, and begins again with a snapshot.

use std::sync::Arc;

use meterhouse_domain::command::{CoinIn, HitCommand, Holder, TableCommand, Wager, WageredHand};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{Sequence, TableName};
use meterhouse_domain::seat::Seat;
use meterhouse_engine::Engine;
use meterhouse_engine::tokens::Caller;
use meterhouse_engine::view::Sender;
use meterhouse_tests::{FIVE_CARD_C, Feed, House};

/// Happenings that one call causes: a hit and its cancelling, over and over.
const HITS: u64 = 4_000;
/// Commands on their way at once.
const AT_ONCE: usize = 256;

/// A table that goes straight to the engine, many commands at once: the wire is not what is tested here.
struct Fast {
    engine: Engine,
    table: TableName,
    sender: Sender,
    next: u64,
}

impl Fast {
    async fn of(house: &House, table: &str) -> Self {
        let token = house.token(table, "controller", Some(table), None).await;
        let caller: Option<Caller> = house.server.engine.authenticate(&token).await.expect("answers");
        let actor = caller.expect("a token").person.actor;
        Self {
            engine: house.server.engine.clone(),
            table: table.parse().expect("a name"),
            sender: Sender { actor, by: None, device_time: None },
            next: 1,
        }
    }

    /// Opens a round, keys and cancels hits in it, closes it.
    async fn press_the_button(&mut self, times: u64) {
        let wager = Wager { seat: Seat(1), on: WageredHand::Own, amount: Money::DOLLAR, player: None };
        self.all(vec![TableCommand::CoinIn(CoinIn { wagers: vec![wager], dealt: vec![Seat(1)] })]).await;
        let mut commands = Vec::new();
        for _ in 0..times {
            let hit = Sequence(self.next + u64::try_from(commands.len()).expect("fits"));
            let keyed = HitCommand { holder: Holder::Seat(Seat(1)), hand: Hand::Flush, cards: None };
            commands.push(TableCommand::Hit(keyed));
            commands.push(TableCommand::CancelHit { hit });
            if commands.len() >= AT_ONCE {
                self.all(std::mem::take(&mut commands)).await;
            }
        }
        commands.push(TableCommand::Close);
        self.all(commands).await;
    }

    async fn all(&mut self, commands: Vec<TableCommand>) {
        let numbers = self.next..;
        self.next += u64::try_from(commands.len()).expect("fits");
        let sent = numbers.zip(commands).map(|(number, command)| {
            let sender = self.sender.clone();
            self.engine.table_command(&self.table, sender, Sequence(number), command)
        });
        for answer in futures_util::future::join_all(sent).await {
            drop(answer.expect("it is counted"));
        }
    }
}

/// While one display reads nothing, another hears everything; when the first one reads again it begins anew, and
/// what it hears then is the newest.
#[tokio::test]
async fn it_holds_nobody_up() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let mut slow = Feed::open_narrow(house.server.address, "main").await;
    let mut quick = house.display("main").await;
    let mut fast = Fast::of(&house, "T1").await;
    let (_, ()) = tokio::join!(
        quick.hears("hit_changed", |it| it["hit"] == format!("T1.{}", 2 * HITS)),
        fast.press_the_button(HITS),
    );
    let heard = quick.of("hit_changed").len() as u64;
    assert_eq!(heard, HITS, "the quick one missed something, or began again");
    assert_eq!(quick.of("snapshot").len(), 1);

    let newest = Arc::new(house.nobody().get("/v1/links/main/meters").await.is(200));
    slow.until("the newest amounts", |heard| {
        heard.iter().any(|it| it["sequence"] == newest["sequence"])
    })
    .await;
    assert!(slow.of("snapshot").len() >= 2, "it never began again: {} heard", slow.heard.len());
    let heard = slow.of("hit").len() as u64;
    assert!(heard < HITS, "everything was kept for it: {heard}");
    house.end().await;
}
