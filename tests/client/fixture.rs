//! The fixture of these tests: a table with its controller, and a cable between the controller and the server.

use std::path::{Path, PathBuf};

use meterhouse_client::{CoinIn, Controller, Money, Options, Outcomes, Seat, Wager};
use meterhouse_tests::{Cable, Dealer, FIVE_CARD_C, House, Watch, in_time};
use serde_json::json;
use sqlx::Row as _;
use tempfile::TempDir;

/// The table of every test.
pub(crate) const TABLE: &str = "T-1";

/// A house with one table, whose controller is connected by a cable.
pub(crate) struct Fixture {
    pub(crate) house: House,
    /// The table over HTTP.
    pub(crate) dealer: Dealer,
    pub(crate) cable: Cable,
    pub(crate) token: String,
    folder: TempDir,
}

impl Fixture {
    /// Opens a house.
    pub(crate) async fn open() -> Self {
        let (house, mut dealers) = House::playing(FIVE_CARD_C, &[TABLE]).await;
        Self::in_house(house, dealers.remove(0)).await
    }

    /// Opens a house where a table is lost after two seconds of silence.
    pub(crate) async fn with_silence_limit() -> Self {
        let house = House::watching(Watch::Close).await;
        let settings = json!({"silence_seconds_max": 2});
        let mut dealers = house.link_with(FIVE_CARD_C, &settings, &[TABLE]).await;
        Self::in_house(house, dealers.remove(0)).await
    }

    async fn in_house(house: House, dealer: Dealer) -> Self {
        let cable = Cable::to(house.server.grpc).await;
        let token = house.token("controller-1", "controller", Some(TABLE), None);
        Self {
            token: token.await,
            dealer,
            folder: TempDir::new().expect("a folder"),
            house,
            cable,
        }
    }

    /// Returns the path of the table's outbox.
    pub(crate) fn outbox(&self) -> PathBuf {
        self.folder.path().join("T-1.outbox")
    }

    /// Returns the options of the table's controller.
    pub(crate) fn options(&self) -> Options {
        options(self.cable.address, TABLE, &self.token, &self.outbox())
    }

    /// Opens the table's controller and waits until it is online.
    pub(crate) async fn controller(&self) -> (Controller, Outcomes) {
        let opened = Controller::open(self.options()).await;
        let (controller, outcomes) = opened.expect("the outbox can be used");
        let online = in_time("the table is online", controller.online()).await;
        online.expect("the controller has not stopped");
        (controller, outcomes)
    }

    /// Fails unless exactly these commands were counted, each once, with this number of wagers of a dollar.
    pub(crate) async fn assert_counted(&self, commands: u64, wagers: u64) {
        let path = format!("/v1/tables/{TABLE}");
        let table = self.dealer.caller.get(&path).await.is(200);
        assert_eq!(table["last_sequence"], json!(commands), "{}", table.text);
        let manager = self.house.manager().await.caller;
        let lifetime = manager.get("/v1/links/main/lifetime").await.is(200);
        let expected = format!("{wagers}.00");
        assert_eq!(lifetime["coin_in"], json!(expected), "{}", lifetime.text);
        let sql = "SELECT sequence FROM event WHERE sequence IS NOT NULL ORDER BY sequence";
        let rows = self.house.database.rows(sql).await;
        let numbers: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
        let expected: Vec<i64> = (1..).take(numbers.len()).collect();
        assert_eq!(numbers, expected, "the journal has each number once");
        assert_eq!(numbers.len() as u64, commands);
    }
}

/// Returns the options of a controller: its address, table, token and outbox.
pub(crate) fn options(
    address: std::net::SocketAddr,
    table: &str,
    token: &str,
    outbox: &Path,
) -> Options {
    let table = table.parse().expect("a name");
    Options::new(format!("http://{address}"), table, token, outbox)
}

/// Returns a coin-in of one dollar on the own hand of each seat. No other seat is dealt in.
pub(crate) fn coin_in(seats: &[u8]) -> CoinIn {
    let dollar = Money::dollars(1);
    CoinIn {
        wagers: seats
            .iter()
            .map(|seat| Wager::own(Seat(*seat), dollar))
            .collect(),
        dealt: seats.iter().copied().map(Seat).collect(),
    }
}
