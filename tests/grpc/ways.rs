//! The two ways in, for one script.

use meterhouse_proto::table::play_response::Response;
use meterhouse_tests::{Dealer, House, Stream};
use serde_json::Value;

use crate::commands::command;
use crate::form::{Names, Said};

/// Says a table's command and hears what became of it.
pub(crate) trait Way {
    /// Sends a command of a table, by its place among the tables.
    async fn say(&mut self, table: usize, sequence: u64, command: &Value) -> Said;
}

/// Over HTTP.
pub(crate) struct OverHttp<'a> {
    pub(crate) dealers: &'a [Dealer],
}

impl Way for OverHttp<'_> {
    async fn say(&mut self, table: usize, sequence: u64, command: &Value) -> Said {
        let answer = self.dealers[table].send_as(sequence, command).await;
        Said::of_http(&answer)
    }
}

/// Over one stream with all tables, and a new one where that has ended.
pub(crate) struct OverGrpc<'a> {
    house: &'a House,
    dealers: &'a [Dealer],
    stream: Stream,
    tables: Vec<(u32, Names)>,
}

impl<'a> OverGrpc<'a> {
    pub(crate) async fn open(house: &'a House, dealers: &'a [Dealer]) -> Self {
        let stream = Stream::open(house.server.grpc).await;
        let tables = Vec::new();
        let mut way = Self {
            house,
            dealers,
            stream,
            tables,
        };
        way.attach().await;
        way
    }

    /// Attaches all tables, pipelined.
    async fn attach(&mut self) {
        self.tables.clear();
        for dealer in self.dealers {
            let token = dealer.caller.token();
            self.stream.ask_to_attach(&dealer.table, token).await;
        }
        for dealer in self.dealers {
            let Ok(Response::Attached(it)) = self.stream.hear().await else {
                panic!("{} can't be attached", dealer.table)
            };
            assert_eq!(it.table, dealer.table);
            let (table, levels) = (it.table, it.levels);
            self.tables.push((it.handle, Names { table, levels }));
        }
    }
}

impl Way for OverGrpc<'_> {
    async fn say(&mut self, table: usize, sequence: u64, body: &Value) -> Said {
        let (handle, names) = &self.tables[table];
        let sent = command(*handle, sequence, body);
        self.stream.commands(vec![sent]).await;
        let (outcomes, ended) = self.stream.outcomes(1).await;
        if let Some(status) = ended {
            let said = Said::of_status(&status, &names.table, sequence);
            self.stream = Stream::open(self.house.server.grpc).await;
            self.attach().await;
            return said;
        }
        let [outcome] = &outcomes[..] else {
            panic!("one outcome: {outcomes:?}")
        };
        assert_eq!((outcome.handle, outcome.sequence), (*handle, sequence));
        Said::of_outcome(outcome, names)
    }
}
