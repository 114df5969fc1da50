//! A house: a database, a server on it, and its people.

use meterhouse_domain::ids::Timestamp;
use meterhouse_domain::money::Money;
use meterhouse_engine::Engine;
use meterhouse_engine::access::{By, Only};
use meterhouse_engine::verify::{LinkReport, verify};
use meterhouse_store::NewActor;
use serde_json::{Value, json};
use sqlx::Row as _;

use crate::client::{Answer, Caller, Dealer, Manager, Supervisor, TwoPeople};
use crate::cluster::Database;
use crate::feed::Feed;
use crate::server::TestServer;
use crate::watch::Watch;

/// Two hands a percentage: royal flush 100%, straight flush 10%; envy.
pub const FIVE_CARD_A: &str = "pa-657a-five-card-a";
/// Three levels; envy.
pub const FIVE_CARD_C: &str = "pa-657a-five-card-c";
/// A reserve, a reseed of nothing, wagers on the dealer's hand.
pub const HAND_BONUS: &str = "pa-657a-five-card-hand-bonus";
/// The best four of five cards; envy.
pub const FOUR_CARD_A: &str = "pa-657a-four-card-a";
/// A reserve beside a reseed; envy.
pub const FOUR_CARD_B: &str = "pa-657a-four-card-b";
/// A test's own: fixed lines that come off the meter.
pub const CHARGED_TO_METER: &str = "test-charged-to-meter";
/// A test's own: four levels, each with a reserve.
pub const FOUR_LEVELS: &str = "test-four-levels";

/// Exact balances of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balances {
    /// What the sign shows, before it is cut.
    pub meter: Money,
    /// What is hidden.
    pub reserve: Money,
    /// What a ceiling kept out.
    pub overflow: Money,
    /// Won, not yet paid.
    pub pending: Money,
    /// What the house has put in, less what it got back.
    pub house_put_in: Money,
}

/// A database with one server on it; more can be started beside it.
pub struct House {
    // Ends before the database is removed.
    /// The server that everybody talks to.
    pub server: TestServer,
    /// Its database.
    pub database: Database,
    watch: Watch,
}

impl House {
    /// An empty house.
    pub async fn open() -> Self {
        Self::watching(Watch::Idle).await
    }

    /// An empty house whose server watches its links so.
    pub async fn watching(watch: Watch) -> Self {
        let database = Database::new().await;
        let server = TestServer::start(&database, watch).await;
        Self {
            server,
            database,
            watch,
        }
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

    /// A house with one link `main`, opened with these terms besides the wager of a dollar, and these tables on it.
    pub async fn playing_with(
        paytable: &str,
        settings: &Value,
        tables: &[&str],
    ) -> (Self, Vec<Dealer>) {
        let house = Self::open().await;
        let dealers = house.link_with(paytable, settings, tables).await;
        (house, dealers)
    }

    /// Opens the link `main` with these terms besides the wager of a dollar, with these tables on it.
    pub async fn link_with(
        &self,
        paytable: &str,
        settings: &Value,
        tables: &[&str],
    ) -> Vec<Dealer> {
        let mut terms = json!({"paytable": paytable, "wager": "1.00", "decks": 1});
        for (name, value) in settings.as_object().into_iter().flatten() {
            terms[name] = value.clone();
        }
        let manager = self.manager().await;
        let opened = manager.open_link_with("main", &terms).await;
        self.acknowledge_returns(&opened.created()).await;
        let mut dealers = Vec::new();
        for table in tables {
            dealers.push(self.table(table, "main", paytable).await);
        }
        dealers
    }

    /// Opens a link.
    pub async fn link(&self, link: &str, paytable: &str) {
        let opened = self.manager().await.open_link(link, paytable).await;
        self.acknowledge_returns(&opened.created()).await;
    }

    /// Lets two people acknowledge what a link returns, if the answer that opened it asks for that.
    pub async fn acknowledge_returns(&self, opened: &Answer) {
        if opened["returns"]["two_people"] == true {
            let both = self.two_people().await;
            let change = json!({"change": "acknowledge_returns"});
            drop(both.change(opened.text("link"), &change).await);
        }
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

    /// Somebody of a department, whose token is bound to nothing.
    pub async fn of_department(&self, name: &str, role: &str, department: &str) -> Caller {
        let who = NewActor {
            name: name.to_owned(),
            role: role.to_owned(),
            table_name: None,
            link_name: None,
            department: Some(department.to_owned()),
            rights: None,
        };
        self.nobody().with_token(self.token_of(who, None).await)
    }

    /// Somebody of a department who has these rights only, of those of the role.
    pub async fn with_rights(&self, name: &str, role: &str, rights: &str) -> Caller {
        let who = NewActor {
            name: name.to_owned(),
            role: role.to_owned(),
            table_name: None,
            link_name: None,
            department: Some("cage".to_owned()),
            rights: Some(rights.to_owned()),
        };
        self.nobody().with_token(self.token_of(who, None).await)
    }

    /// A manager of the tables and a supervisor of the security.
    pub async fn two_people(&self) -> TwoPeople {
        TwoPeople {
            one: self.of_department("pat", "manager", "tables").await,
            other: self.of_department("gil", "supervisor", "security").await,
        }
    }

    /// Exact balances of the only link's levels, in their order.
    pub async fn balances(&self) -> Vec<Balances> {
        let asked = "SELECT (meter * 1000000)::bigint, (reserve * 1000000)::bigint, (overflow * 1000000)::bigint, \
                     (pending * 1000000)::bigint, (-house * 1000000)::bigint FROM book WHERE NOT is_fixed ORDER BY link, book";
        let rows = self.database.rows(asked).await;
        let micros = |row: &sqlx::postgres::PgRow, index: usize| Money::from_micros(row.get(index));
        rows.iter()
            .map(|row| Balances {
                meter: micros(row, 0),
                reserve: micros(row, 1),
                overflow: micros(row, 2),
                pending: micros(row, 3),
                house_put_in: micros(row, 4),
            })
            .collect()
    }

    /// Exact meter, reserve and overflow of the first level of the only link.
    pub async fn first_level(&self) -> [String; 3] {
        let balances = self.balances().await;
        let first = balances.first().expect("a level");
        [first.meter, first.reserve, first.overflow].map(|it| it.to_string())
    }

    /// What the house has put into the first level of the only link.
    pub async fn house_put_in(&self) -> Money {
        self.balances().await.first().expect("a level").house_put_in
    }

    /// Two people bring the meter of the link `main`'s only level to this amount: what a figure begins with.
    pub async fn set_meter(&self, amount: &str) {
        let meter = self.balances().await.first().expect("a level").meter;
        self.set("meter", meter, amount).await;
    }

    /// Two people bring the reserve of the link `main`'s only level to this amount.
    pub async fn set_reserve(&self, amount: &str) {
        let reserve = self.balances().await.first().expect("a level").reserve;
        self.set("reserve", reserve, amount).await;
    }

    async fn set(&self, account: &str, now: Money, amount: &str) {
        let amount: Money = amount.parse().expect("an amount");
        let change = amount.minus(now).expect("an amount");
        if change == Money::ZERO {
            return;
        }
        let both = self.two_people().await;
        let change = change.to_string();
        let done = both.adjust("main", "meter", account, &change).await;
        let after = done.body.pointer("/effect/after");
        assert_eq!(after, Some(&json!(amount.to_string())), "{}", done.text);
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
            rights: None,
        };
        self.token_of(who, None).await
    }

    /// Makes a token of this holder.
    pub async fn token_of(&self, who: NewActor, expires_at: Option<Timestamp>) -> String {
        token_of(&self.server.engine, who, expires_at).await
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

    /// The floor's feed of a link.
    pub async fn floor(&self, link: &str) -> Feed {
        let token = self.token("floor", "auditor", None, None).await;
        Feed::open_as(self.server.address, link, None, Some(&token)).await
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
        let count = serde_json::json!({"command": "count", "chips": 1});
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
        TestServer::start(&self.database, self.watch).await
    }

    /// Stops the server and starts another one: nothing is in memory then.
    #[must_use]
    pub async fn restart(self) -> Self {
        let Self {
            server,
            database,
            watch,
        } = self;
        server.stop().await;
        let server = TestServer::start(&database, watch).await;
        Self {
            server,
            database,
            watch,
        }
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

/// Makes a token of a holder.
pub async fn token_of(engine: &Engine, who: NewActor, expires_at: Option<Timestamp>) -> String {
    let by = By::default();
    let token = engine
        .access()
        .new_token(&by, Only::Always, who, expires_at);
    token.await.expect("a token")
}
