//! A house: a database, a server on it, and its people.

use meterhouse_engine::tokens;
use meterhouse_engine::verify::{LinkReport, verify};
use meterhouse_store::NewActor;

use crate::client::{Caller, Dealer, Manager, Supervisor};
use crate::cluster::Database;
use crate::feed::Feed;
use crate::server::TestServer;

/// Two hands a percentage: royal flush 100%, straight flush 10%; envy.
pub const FIVE_CARD_A: &str = "pa-657a-five-card-a";
/// Three levels; envy.
pub const FIVE_CARD_C: &str = "pa-657a-five-card-c";
/// A reserve, a reseed of nothing, wagers on the dealer's hand.
pub const HAND_BONUS: &str = "pa-657a-five-card-hand-bonus";
/// The best four of five cards; envy.
pub const FOUR_CARD_A: &str = "pa-657a-four-card-a";

/// A database with one server on it; more can be started beside it.
pub struct House {
    // Ends before the database is removed.
    /// The server that everybody talks to.
    pub server: TestServer,
    /// Its database.
    pub database: Database,
}

impl House {
    /// An empty house.
    pub async fn open() -> Self {
        let database = Database::new().await;
        let server = TestServer::start(&database).await;
        Self { server, database }
    }

    /// A house with one link `main` and these tables on it.
    pub async fn playing(paytable: &str, tables: &[&str]) -> (Self, Vec<Dealer>) {
        let house = Self::open().await;
        house.link("main", paytable).await;
        let mut dealers = Vec::new();
        for table in tables {
            dealers.push(house.table(table, "main", paytable).await);
        }
        (house, dealers)
    }

    /// Opens a link.
    pub async fn link(&self, link: &str, paytable: &str) {
        drop(
            self.manager()
                .await
                .open_link(link, paytable)
                .await
                .created(),
        );
    }

    /// Lets a table join and gives its controller.
    pub async fn table(&self, table: &str, link: &str, paytable: &str) -> Dealer {
        drop(
            self.manager()
                .await
                .join(table, link, paytable)
                .await
                .created(),
        );
        self.dealer(table).await
    }

    /// Somebody without a token.
    pub fn nobody(&self) -> Caller {
        Caller::nobody(self.server.base())
    }

    /// The manager.
    pub async fn manager(&self) -> Manager {
        Manager {
            caller: self.person("ana", "manager").await,
        }
    }

    /// A supervisor of this name.
    pub async fn supervisor(&self, name: &str) -> Supervisor {
        Supervisor {
            caller: self.person(name, "supervisor").await,
        }
    }

    /// A table's controller.
    pub async fn dealer(&self, table: &str) -> Dealer {
        let token = self.token(table, "controller", Some(table), None).await;
        Dealer::new(self.nobody().with_token(token), table)
    }

    /// Anybody whose token is bound to nothing.
    pub async fn person(&self, name: &str, role: &str) -> Caller {
        self.nobody()
            .with_token(self.token(name, role, None, None).await)
    }

    /// A new token.
    pub async fn token(
        &self,
        name: &str,
        role: &str,
        table: Option<&str>,
        link: Option<&str>,
    ) -> String {
        let who = NewActor {
            name: name.to_owned(),
            role: role.to_owned(),
            table_name: table.map(str::to_owned),
            link_name: link.map(str::to_owned),
            department: None,
        };
        tokens::create(&self.server.store, &who, None)
            .await
            .expect("a token")
    }

    /// What the signs of a link show.
    pub async fn meters(&self, link: &str) -> Vec<String> {
        self.nobody()
            .get(&format!("/v1/links/{link}/meters"))
            .await
            .is(200)
            .levels()
    }

    /// A display of a link.
    pub async fn display(&self, link: &str) -> Feed {
        Feed::open(self.server.address, link, None).await
    }

    /// Makes a link fault: the database refuses a table's batch as it would refuse books that don't stand.
    pub async fn fault(&self, link: &str, dealer: &Dealer) {
        // 2: chips counted.
        let refuse = "ALTER TABLE event ADD CONSTRAINT for_a_test CHECK (kind <> 2) NOT VALID";
        self.database
            .run_as_superuser(refuse)
            .await
            .expect("a superuser may");
        let table = dealer.resume().await;
        if table["round"].is_null() {
            drop(dealer.coin_in(&[1]).await.created());
        }
        let count = serde_json::json!({"count": {"chips": 1}});
        drop(dealer.send(&count).await.problem(503, "link_faulted"));
        let allow = "ALTER TABLE event DROP CONSTRAINT for_a_test";
        self.database
            .run_as_superuser(allow)
            .await
            .expect("a superuser may");
        let now = self
            .nobody()
            .get(&format!("/v1/links/{link}"))
            .await
            .is(200);
        assert_eq!(now["state"], "faulted");
    }

    /// A second server on the same database.
    pub async fn another_server(&self) -> TestServer {
        TestServer::start(&self.database).await
    }

    /// Stops the server and starts another one: nothing is in memory then.
    #[must_use]
    pub async fn restart(self) -> Self {
        let Self { server, database } = self;
        server.stop().await;
        let server = TestServer::start(&database).await;
        Self { server, database }
    }

    /// Verifies every link, deciding everything again.
    pub async fn reports(&self) -> Vec<LinkReport> {
        verify(&self.server.store, None, true)
            .await
            .expect("the journal can be read")
    }

    /// Verifies every link; what differs, by name.
    pub async fn findings(&self) -> Vec<String> {
        self.reports()
            .await
            .into_iter()
            .flat_map(|report| report.findings)
            .collect()
    }

    /// Ends a scenario: the journal agrees with everything beside it, the books balance, the server stops.
    pub async fn end(self) {
        let manager = self.manager().await;
        for report in self.reports().await {
            assert_eq!(
                report.findings,
                Vec::<String>::new(),
                "link {}",
                report.link
            );
            let books = manager.books(report.link.as_str()).await.is(200);
            assert_eq!(books["balanced"], true, "{}", books.text);
            for level in books["levels"].as_array().expect("levels") {
                assert_eq!(level["difference"], "0.00", "{}", books.text);
            }
        }
        self.server.stop().await;
    }
}
