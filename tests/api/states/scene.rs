//! A link of its own with two tables, one of them brought to a state.

use meterhouse_tests::{Answer, Dealer, HAND_BONUS, House, Watch, eventually};
use serde_json::{Value, json};

use super::ways::{Step, Way};

/// What is the matter beside the table's round.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Matter {
    Nothing,
    Suspended,
    Closed,
    LevelOff,
    Lost,
    Faulted,
}

/// A link of its own with two tables, one of them brought to a state.
pub(super) struct Scene<'h> {
    house: &'h House,
    link: String,
    paytable: &'static str,
    pub(super) dealer: Dealer,
    other: Dealer,
}

impl<'h> Scene<'h> {
    /// Watches as closely as what is the matter needs.
    pub(super) async fn house_for(matter: Matter) -> House {
        let watch = match matter {
            Matter::Lost => Watch::Close,
            _ => Watch::Idle,
        };
        House::watching(watch).await
    }

    /// A new link and a table that came there in this way.
    pub(super) async fn of(house: &'h House, number: usize, way: &Way) -> Self {
        let link = format!("link-{number}");
        let mut terms = json!({"paytable": way.paytable, "wager": "1.00", "decks": 1, "silence_seconds_max": 1});
        if way.paytable == HAND_BONUS {
            terms["lucky_bonus_one_in"] = json!(1);
        }
        let manager = house.manager().await;
        let opened = manager.open_link_with(&link, &terms).await.created();
        house.acknowledge_returns(&opened).await;
        let scene = Self {
            house,
            paytable: way.paytable,
            dealer: house
                .table(&format!("A{number}"), &link, way.paytable)
                .await,
            other: house
                .table(&format!("B{number}"), &link, way.paytable)
                .await,
            link,
        };
        for step in way.before {
            drop(scene.step(*step).await.created());
        }
        scene
    }

    /// Something is the matter. That a table is lost takes its time: see [`Self::is_lost`].
    pub(super) async fn is_with(&self, matter: Matter) {
        let manager = self.house.manager().await;
        match matter {
            Matter::Nothing => {}
            Matter::Suspended => {
                // Without an open round it would be closed.
                if self.other.resume().await["round"].is_null() {
                    drop(self.other.coin_in(&[1]).await.created());
                }
                drop(manager.suspend(&self.link).await.created());
            }
            Matter::Closed => drop(manager.suspend(&self.link).await.created()),
            Matter::LevelOff => {
                let level = if self.paytable == HAND_BONUS {
                    "meter"
                } else {
                    "minor"
                };
                drop(manager.disable(&self.link, level).await.created());
            }
            Matter::Lost => drop(self.dealer.heartbeat().await.is(200)),
            Matter::Faulted => {
                let name = self.dealer.table.replace('A', "C");
                let third = self.house.table(&name, &self.link, self.paytable).await;
                self.house.fault(&self.link, &third).await;
            }
        }
    }

    /// Waits until the silent table is lost.
    pub(super) async fn is_lost(&self) {
        let path = format!("/v1/tables/{}", self.dealer.table);
        eventually("the table is lost", async || {
            let table = self.dealer.caller.get(&path).await.is(200);
            (table["must_resume"] == true).then_some(())
        })
        .await;
    }

    /// Sends the command of the way.
    pub(super) async fn sends(&self, way: &Way) -> Answer {
        let mut command = way.command.clone();
        if command["command"] == "cancel_hit" {
            let sequence = command["hit"].as_u64().expect("the number of a hit");
            command["hit"] = json!(self.dealer.named(sequence));
        }
        let position = command["position"].as_str().map(str::to_owned);
        if let Some(position) = position {
            command = self.lucky_bonus(position == "drawn").await;
        }
        self.dealer.send(&command).await
    }

    /// The lucky bonus of the position that was drawn, or of another one.
    async fn lucky_bonus(&self, drawn: bool) -> Value {
        let path = format!("/v1/tables/{}", self.dealer.table);
        let table = self.dealer.caller.get(&path).await.is(200);
        let mut bonus = table["round"]["lucky_position"].clone();
        if !drawn {
            bonus = if bonus["seat"] == 1 {
                json!({"seat": 2})
            } else {
                json!({"seat": 1})
            };
        }
        bonus["command"] = json!("bonus");
        bonus["kind"] = json!("lucky_bonus");
        bonus
    }

    async fn step(&self, step: Step) -> Answer {
        let Self { dealer, other, .. } = self;
        let sam = self.house.supervisor("sam").await;
        match step {
            Step::Lock => {
                let wagers = [1, 2, 3].map(|seat| json!({"seat": seat, "amount": "1.00"}));
                let coin_in =
                    json!({"command": "coin_in", "wagers": wagers, "dealt": [1, 2, 3, 4]});
                dealer.send(&coin_in).await
            }
            Step::LockAll => {
                let seats = 1..=6;
                let wager = |seat: u8| {
                    ["own", "dealer"].map(|on| json!({"seat": seat, "amount": "1.00", "on": on}))
                };
                let wagers: Vec<Value> = seats.clone().flat_map(wager).collect();
                let dealt: Vec<u8> = seats.collect();
                let coin_in = json!({"command": "coin_in", "wagers": wagers, "dealt": dealt});
                dealer.send(&coin_in).await
            }
            Step::EarlierRound => {
                drop(dealer.coin_in(&[3]).await.created());
                drop(dealer.hit_unseen(3, "flush").await.created());
                drop(dealer.cancel(2).await.created());
                dealer.close().await
            }
            Step::Fold(seat) => dealer.fold(&[seat]).await,
            Step::Hit(seat) => dealer.hit_unseen(seat, "flush").await,
            Step::LuckyBonus => dealer.send(&self.lucky_bonus(true).await).await,
            Step::EnvyOfSeat4 => {
                let envy = json!({"command": "envy", "seat": 4, "hand": "royal-flush"});
                dealer.send(&envy).await
            }
            Step::Royal => dealer.hit_unseen(3, "royal-flush").await,
            Step::RoyalsHereAndThere => {
                drop(dealer.hit_unseen(3, "royal-flush").await.created());
                drop(other.coin_in(&[1]).await.created());
                other.hit_unseen(1, "royal-flush").await
            }
            Step::Approve => sam.approve(&dealer.named(2)).await,
            Step::Pay => {
                sam.pay(&dealer.named(2), 1, &format!("JP-{}", dealer.named(2)))
                    .await
            }
        }
    }
}
