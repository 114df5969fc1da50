//! Tests of plans, and a plan for other tests.

use std::time::Duration;

use super::{End, FaultInjection, Node, Pace, Plan, PlanImpossible, Transport};
use crate::machine::Processes;

/// Returns a plan that can be played.
pub(crate) fn plan() -> Plan {
    Plan {
        nodes: vec![Node {
            base: "http://127.0.0.1:1".to_owned(),
            grpc: Some("http://127.0.0.1:2".to_owned()),
        }],
        trust: None,
        prefix: "load".to_owned(),
        links: 2,
        tables: 5,
        seed: 1,
        transport: Transport::Streams {
            streams: 2,
            commands_a_message: 1,
        },
        pace: Pace::InFlight(8),
        warm_up: Duration::ZERO,
        end: End::Commands(100),
        hits_per_million: 0,
        faults: FaultInjection::default(),
        patience: Duration::from_secs(1),
        interval: Duration::from_secs(1),
        processes: Processes::default(),
    }
}

/// Each table has a name of its own.
#[test]
fn tables_are_spread_over_the_links_in_turn() {
    let tables = plan().tables();
    let names: Vec<&str> = tables.iter().map(|table| table.1.as_str()).collect();
    assert_eq!(
        names,
        ["load-1-1", "load-2-1", "load-1-2", "load-2-2", "load-1-3"]
    );
    assert_eq!(tables[3].0, 1);
}

#[test]
fn connections_are_spread_over_the_servers_in_turn() {
    let mut plan = plan();
    plan.nodes.push(Node {
        base: "http://127.0.0.1:3".to_owned(),
        grpc: None,
    });
    let bases: Vec<&str> = (0..3)
        .filter_map(|index| plan.node(index))
        .map(|node| node.base.as_str())
        .collect();
    assert_eq!(
        bases,
        [
            "http://127.0.0.1:1",
            "http://127.0.0.1:3",
            "http://127.0.0.1:1"
        ]
    );
    assert_eq!(plan.base(), "http://127.0.0.1:1");
}

/// An impossible plan is refused before a link is opened.
#[test]
fn each_impossible_plan_is_refused() {
    assert_eq!(plan().check(), Ok(()));
    let refused = |change: fn(&mut Plan)| {
        let mut plan = plan();
        change(&mut plan);
        plan.check().expect_err("must be refused")
    };
    let too_few = refused(|plan| plan.transport = Transport::Http { connections: 6 });
    assert!(matches!(too_few, PlanImpossible::TooFewTables { .. }));
    let no_grpc = refused(|plan| {
        plan.nodes.push(Node {
            base: "http://127.0.0.1:3".to_owned(),
            grpc: None,
        });
    });
    assert_eq!(no_grpc, PlanImpossible::NoGrpc);
    assert_eq!(refused(|plan| plan.nodes.clear()), PlanImpossible::NoServer);
    let prefix = refused(|plan| plan.prefix = "a b".to_owned());
    assert!(matches!(prefix, PlanImpossible::Prefix(_)));
    let changes: [fn(&mut Plan); 6] = [
        |plan| plan.tables = 2_049,
        |plan| plan.links = 6,
        |plan| plan.tables = 0,
        |plan| plan.faults.repeat_percent = 101,
        |plan| plan.pace = Pace::InFlight(0),
        |plan| plan.hits_per_million = 1_000_001,
    ];
    for change in changes {
        assert!(matches!(refused(change), PlanImpossible::OutOfRange { .. }));
    }
}
