//! The cost of a request's token and right, run by hand: `cargo bench -p meterhouse-tests --bench access`.
//!
//! # Shape
//! Each case is called in blocks, and the blocks of all cases take turns. A row has the least and the median time of a
//! call: on the clock, and of the processor. Other programs lengthen the first, and hardly the second.
//!
//! - `token` finds the holder of a valid token that the node has just seen, by its digest.
//! - `unknown token` refuses one that was never made.
//! - `right` checks the row of an operation, and the handler's check of the same right.
//! - `token and right` is what each request with a token pays.
//! - `request` is a whole one through the router that needs both and finds nothing, and `path` one whose path there is
//!   not. The difference has the reading of the path's parameters as well.
//!
//! No assertion is about time.

#![expect(clippy::expect_used, reason = "a measurement that fails says where")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::ids::TableName;
use meterhouse_edge::operation_access::{self, NamedTargets};
use meterhouse_edge::policy::{Access, HTTP};
use meterhouse_edge::{authenticate, authorize};
use meterhouse_engine::Engine;
use meterhouse_engine::tokens::Caller;
use meterhouse_http::Options;
use meterhouse_tests::{FIVE_CARD_C, House};
use tonic::body::Body;
use tonic::codegen::Service as _;
use tonic::codegen::http::Request;

/// Calls of one block.
const CALLS: u32 = 20_000;
/// Calls of one block through the router, each of which takes longer.
const REQUESTS: u32 = 2_000;
/// Blocks of each case.
const BLOCKS: usize = 31;

/// The times of a case's blocks, in nanoseconds a call: on the clock, and of the processor.
#[derive(Default)]
struct Times {
    clock: Vec<u128>,
    processor: Vec<u128>,
}

/// Returns the nanoseconds that this thread has run.
fn processor() -> u128 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let first = text.split(' ').next().expect("a number");
    first.parse().expect("nanoseconds")
}

impl Times {
    async fn block(&mut self, calls: u32, mut call: impl AsyncFnMut()) {
        let (begun, ran) = (Instant::now(), processor());
        for _ in 0..calls {
            call().await;
        }
        let calls = u128::from(calls);
        self.processor.push((processor() - ran) / calls);
        self.clock.push(begun.elapsed().as_nanos() / calls);
    }

    fn show(mut self, case: &str) {
        let of = |times: &mut Vec<u128>| {
            times.sort_unstable();
            (times[0], times[times.len() / 2])
        };
        let (clock, processor) = (of(&mut self.clock), of(&mut self.processor));
        println!(
            "{case:<16} {:>9} {:>9} {:>9} {:>9}",
            clock.0, clock.1, processor.0, processor.1
        );
    }
}

/// The ground of all cases.
struct Ground {
    engine: Engine,
    header: Vec<u8>,
    unknown: Vec<u8>,
    rows: Vec<Access>,
    table: TableName,
}

impl Ground {
    /// Returns the holder of the token in a header.
    async fn holder(&self, header: &[u8]) -> Option<Caller> {
        let token = authenticate::bearer(Some(header)).expect("a token");
        let held = self.engine.authenticate(token).await;
        held.expect("it answers").map(|held| (*held).clone())
    }

    fn right(&self, caller: &Caller) {
        let named = NamedTargets {
            link: None,
            table: Some(&self.table),
        };
        operation_access::check(black_box(caller), &self.rows, named).expect("it may");
        authorize::command_table(black_box(caller), &self.table).expect("it may");
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let dealer = dealers.first().expect("a table");
    let rows = HTTP.iter().filter(|row| row.name == "send_command");
    let ground = Ground {
        engine: house.server.engine.clone(),
        header: format!("Bearer {}", dealer.caller.token()).into_bytes(),
        unknown: format!("Bearer {}", "x".repeat(64)).into_bytes(),
        rows: rows.map(|row| row.access).collect(),
        table: "T1".parse().expect("a name"),
    };
    measure(&ground, &house).await;
    house.server.stop().await;
}

async fn measure(ground: &Ground, house: &House) {
    let caller = ground.holder(&ground.header).await.expect("a valid token");
    let manager = house.manager().await.caller;
    let bearer = format!("Bearer {}", manager.token());
    let catalogue = Arc::new(Catalogue::compiled_in().expect("our own paytables are well"));
    let engine = house.server.engine.clone();
    let mut router = meterhouse_http::router(engine, catalogue, Options::default());
    let mut ask = async |path: &str, status: u16| {
        let request = Request::get(path).header("authorization", &bearer);
        let request = request.body(Body::empty()).expect("a request");
        let response = router.call(request).await.expect("infallible");
        assert_eq!(response.status().as_u16(), status);
        drop(black_box(response));
    };
    let mut times: [Times; 6] = Default::default();
    for _ in 0..BLOCKS {
        let [token, unknown, right, both, request, path] = &mut times;
        let find = async |header| black_box(ground.holder(header).await).is_some();
        token
            .block(CALLS, async || assert!(find(&ground.header).await))
            .await;
        unknown
            .block(CALLS, async || assert!(!find(&ground.unknown).await))
            .await;
        right.block(CALLS, async || ground.right(&caller)).await;
        let whole = async || {
            let caller = ground.holder(&ground.header).await;
            ground.right(&caller.expect("a valid token"));
        };
        both.block(CALLS, whole).await;
        request
            .block(REQUESTS, async || ask("/v1/paytables/none", 404).await)
            .await;
        path.block(REQUESTS, async || ask("/v1/none/none", 404).await)
            .await;
    }
    println!("ns a call          least    median     least    median");
    println!("                  (clock)   (clock)     (cpu)     (cpu)");
    let names = [
        "token",
        "unknown token",
        "right",
        "token and right",
        "request",
        "path",
    ];
    for (name, times) in names.into_iter().zip(times) {
        times.show(name);
    }
}
