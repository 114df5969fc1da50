//! A house that played on after its backup, and what its tables, displays and people do after the return.

use meterhouse_tests::{Answer, Caller, Database, Dealer, FIVE_CARD_C, House, TestServer, Watch};
use serde_json::json;

/// A house that played on after its backup: tables T1 and T2 on the link main, T3 on the link second.
pub(super) struct PlayedOn {
    pub(super) house: House,
    backup: Database,
    pub(super) dealers: [Dealer; 3],
}

impl PlayedOn {
    /// Plays a round at each table, makes the backup, and plays another one at T1 and T2.
    pub(super) async fn new() -> Self {
        let (mut house, mut dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
        house.link("second", FIVE_CARD_C).await;
        dealers.push(house.table("T3", "second", FIVE_CARD_C).await);
        for dealer in &dealers {
            play(dealer).await;
        }
        let backup = back_up(&mut house).await;
        for dealer in &mut dealers {
            *dealer = moved(dealer, &house.server).await;
        }
        for dealer in &dealers[..2] {
            play(dealer).await;
        }
        let dealers = dealers.try_into().expect("three tables");
        Self {
            house,
            backup,
            dealers,
        }
    }

    /// Puts the backup in the place of the database. The dealers' numbers stay as they are.
    pub(super) async fn restored(self) -> (House, [Dealer; 3]) {
        let Self {
            mut house,
            backup,
            dealers,
        } = self;
        Box::pin(restore(&mut house, backup)).await;
        let base = house.server.base();
        let dealers =
            dealers.map(|dealer| Dealer::new(dealer.caller.at(base.clone()), &dealer.table));
        (house, dealers)
    }
}

pub(super) async fn play(dealer: &Dealer) {
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.close().await.created());
}

/// Copies the database while no server runs on it, and starts a server again.
pub(super) async fn back_up(house: &mut House) -> Database {
    let idle = Database::new().await;
    let parked = TestServer::start(&idle, Watch::Idle).await;
    std::mem::replace(&mut house.server, parked).stop().await;
    let backup = house.database.copy().await;
    let next = TestServer::start(&house.database, Watch::Idle).await;
    std::mem::replace(&mut house.server, next).stop().await;
    backup
}

/// Serves the backup instead of the database, on a server that remembers nothing.
pub(super) async fn restore(house: &mut House, backup: Database) {
    let server = TestServer::start(&backup, Watch::Idle).await;
    std::mem::replace(&mut house.server, server).stop().await;
    house.database = backup;
}

/// The same controller at another server, with the table's next number.
pub(super) async fn moved(dealer: &Dealer, server: &TestServer) -> Dealer {
    let moved = Dealer::new(dealer.caller.at(server.base()), &dealer.table);
    drop(moved.resume().await);
    moved
}

/// The seal that a table has after its last command.
pub(super) async fn seal_of(dealer: &Dealer) -> String {
    dealer.heartbeat().await.is(200).text("seal").to_owned()
}

/// A controller's first heartbeat after an outage.
pub(super) async fn show(caller: &Caller, table: &str, seal: &str) -> Answer {
    let path = format!("/v1/tables/{table}/heartbeat");
    caller.put(&path, &json!({"seal": seal})).await
}

pub(super) async fn state(house: &House, link: &str) -> String {
    let link = house.nobody().get(&format!("/v1/links/{link}")).await;
    link.is(200).text("state").to_owned()
}

pub(super) async fn reason_of(house: &House) -> String {
    let link = house.nobody().get("/v1/links/main").await.is(200);
    link.text("reason").to_owned()
}

/// Two people set the mega to what the tables' documents say, and take the link back into play.
pub(super) async fn accept(house: &House, missing: &str) {
    let both = house.two_people().await;
    drop(
        both.adjust("main", "mega", "meter", missing)
            .await
            .created(),
    );
    drop(both.clear_fault("main").await.created());
}
