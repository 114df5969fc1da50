//! Dashboard and alerts of `deploy/`: what they name exists on the page of a running server, and each alert is
//! described and tested.
//!
//! `tests/deploy/monitoring` lets Prometheus read them.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_tests::{Caller, Feed, eventually, in_time};
use nix::sys::signal::Signal;
use serde_json::Value;

use crate::program::{Running, folder, serve_command};
use crate::serve::open_table;

const ALERTS: &str = include_str!("../../deploy/prometheus/alerts.yml");
const ALERT_TESTS: &str = include_str!("../../deploy/prometheus/alerts_test.yml");
const RUNBOOK: &str = include_str!("../../docs/operating/alerts.md");
const DASHBOARD: &str = include_str!("../../deploy/dashboards/meterhouse.json");
/// The words of codes and states.
const OPENAPI: &str = include_str!("../../docs/openapi.json");
/// Prefixes of the metrics on the page.
const PREFIXES: [&str; 3] = ["meterhouse_", "http_server_", "process_"];
/// Metrics that appear with the first event of their kind, or with a standby, and their labels.
const RARE: [(&str, &[&str]); 4] = [
    ("meterhouse_commit_retries_total", &[]),
    ("meterhouse_commit_unknown_total", &[]),
    ("meterhouse_display_resets_total", &[]),
    ("meterhouse_database_standby_lag_bytes", &["standby"]),
];
/// Labels that Prometheus adds.
const ADDED: [&str; 3] = ["job", "instance", "alertname"];

/// The labels of each metric, with their values.
type Page = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// A metric in an expression, with its matchers: label and quoted value.
#[derive(Debug, PartialEq)]
struct Selector<'a> {
    metric: &'a str,
    matchers: Vec<(&'a str, &'a str)>,
}

/// Reads the labels between braces. No value of ours has a comma.
fn labels(text: &str) -> Vec<(&str, &str)> {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    let words = pairs.map(|(name, value)| {
        let name = name.trim_end_matches('!');
        (name.trim(), value.trim_start_matches('~').trim_matches('"'))
    });
    words.collect()
}

/// Returns the metrics of expressions.
fn selectors(text: &str) -> Vec<Selector<'_>> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_of_name) {
        let from = &rest[start..];
        let (name, after) = from.split_at(
            from.find(|letter| !is_of_name(letter))
                .unwrap_or(from.len()),
        );
        rest = after;
        if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            let braces = after
                .strip_prefix('{')
                .and_then(|inner| inner.split_once('}'));
            found.push(Selector {
                metric: name,
                matchers: braces.map(|(inner, _)| labels(inner)).unwrap_or_default(),
            });
        }
    }
    found
}

/// Returns the labels that an expression groups by.
fn grouped(expression: &str) -> BTreeSet<&str> {
    let groups = expression.split("by (").skip(1);
    let inner = groups.filter_map(|group| group.split_once(')'));
    inner
        .flat_map(|(labels, _)| labels.split(',').map(str::trim))
        .collect()
}

/// Returns the metrics of a page.
fn read(page: &str) -> Page {
    let mut read = Page::new();
    for line in page.lines().filter(|line| !line.starts_with('#')) {
        let (name, rest) = line.split_once(['{', ' ']).expect("a sample");
        let metric = read.entry(name.to_owned()).or_default();
        let inner = rest.rsplit_once('}').map_or("", |(inner, _)| inner);
        for (label, value) in labels(inner) {
            metric
                .entry(label.to_owned())
                .or_default()
                .insert(value.to_owned());
        }
    }
    for (name, labels) in RARE {
        let metric = read.entry(name.to_owned()).or_default();
        metric.extend(
            labels
                .iter()
                .map(|label| ((*label).to_owned(), BTreeSet::new())),
        );
    }
    read
}

/// Returns what an expression names and the page does not have.
fn missing(expression: &str, page: &Page) -> Vec<String> {
    let mut missing = Vec::new();
    let mut all: BTreeSet<&str> = BTreeSet::from(ADDED);
    for Selector { metric, matchers } in selectors(expression) {
        let Some(has) = page.get(metric) else {
            missing.push(metric.to_owned());
            continue;
        };
        all.extend(has.keys().map(String::as_str));
        for (label, value) in matchers.iter().filter(|(label, _)| !ADDED.contains(label)) {
            let Some(values) = has.get(*label) else {
                missing.push(format!("{metric}{{{label}}}"));
                continue;
            };
            let words = value.split('|').filter(|word| !word.starts_with('$'));
            let unknown = words.filter(|word| {
                !values.contains(*word) && !OPENAPI.contains(&format!("\"{word}\""))
            });
            missing.extend(unknown.map(|word| format!("{metric}{{{label}=\"{word}\"}}")));
        }
    }
    let unknown = grouped(expression)
        .into_iter()
        .filter(|label| !all.contains(label));
    missing.extend(unknown.map(|label| format!("by ({label})")));
    missing
}

/// Returns the expressions of the dashboard.
fn of_dashboard() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("a dashboard");
    let mut found = Vec::new();
    let panels = dashboard["panels"].as_array().expect("panels");
    for target in panels
        .iter()
        .filter_map(|panel| panel["targets"].as_array())
        .flatten()
    {
        found.push(target["expr"].as_str().expect("an expression").to_owned());
    }
    for variable in dashboard["templating"]["list"]
        .as_array()
        .expect("variables")
    {
        found.extend(variable["definition"].as_str().map(str::to_owned));
    }
    found
}

/// Returns the alerts with their expressions.
fn of_alerts() -> BTreeMap<&'static str, &'static str> {
    let alerts = ALERTS.split("- alert: ").skip(1);
    let parts = alerts.filter_map(|alert| alert.split_once('\n'));
    parts
        .map(|(name, rest)| {
            (
                name,
                rest.split_once("annotations:").expect("annotations").0,
            )
        })
        .collect()
}

/// Each metric, label and value that dashboard and alerts name exists.
#[tokio::test]
async fn dashboard_and_alerts_name_what_a_server_has() {
    let data = folder();
    let mut program = serve_command();
    program
        .args(["--metrics-listen", "127.0.0.1:0", "--data-dir"])
        .arg(data.path())
        .arg("--witness-file")
        .arg(data.path().join("heads.jsonl"));
    let mut server = Running::spawn(program);
    let base = server.line_after("listening on ").await;
    let http = base.strip_prefix("http://").expect("an address");
    let http = http.parse().expect("an address");
    let anonymous = Caller::nobody(base);
    let metrics = server.line_after("metrics on ").await;
    let metrics = Caller::nobody(metrics.trim_end_matches("/metrics").to_owned());
    let (_, dealer) = open_table(&data, &anonymous).await;
    // The lag of a feed is measured at a display.
    let mut feed = Feed::open(http, "main", None).await;
    drop(in_time("a snapshot", feed.next()).await);
    drop(dealer.coin_in(&[1, 3]).await.created());
    drop(dealer.coin_in(&[1, 3]).await.is(422));
    drop(anonymous.get("/v1/tables").await.is(401));
    let page = eventually("the levels are measured", async || {
        let page = metrics.get("/metrics").await.is(200).text;
        let is_complete = ["meterhouse_level_amount", "meterhouse_feed_lag_seconds"];
        let is_complete = is_complete.iter().all(|name| page.contains(name));
        is_complete.then_some(page)
    })
    .await;
    let page = read(&page);
    let expressions = of_dashboard();
    let all = expressions
        .iter()
        .map(String::as_str)
        .chain(of_alerts().into_values());
    let missing: Vec<_> = all
        .map(|expression| (expression, missing(expression, &page)))
        .filter(|(_, missing)| !missing.is_empty())
        .collect();
    assert!(missing.is_empty(), "{missing:#?}\n{page:#?}");
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
}

/// A name, a label, a value or a group that the page does not have is found.
#[test]
fn what_is_missing_is_found() {
    let page =
        read("meterhouse_tables{status=\"lost\",otel_scope_name=\"m\"} 1\nprocess_threads 2\n");
    for (expression, expected) in [
        (
            "max by (status, job) (meterhouse_tables{status=\"lost\", job=\"x\"}) / process_threads",
            &[] as &[&str],
        ),
        ("meterhouse_desks > 0", &["meterhouse_desks"]),
        (
            "meterhouse_tables{state=~\"lost\"}",
            &["meterhouse_tables{state}"],
        ),
        (
            "meterhouse_tables{status=~\"lost|lots\"}",
            &["meterhouse_tables{status=\"lots\"}"],
        ),
        ("sum by (link) (meterhouse_tables)", &["by (link)"]),
    ] {
        assert_eq!(missing(expression, &page), expected, "{expression}");
    }
}

/// Each alert has its section of the runbook, its link to it and its tests. Each section and each test has its alert.
#[test]
fn each_alert_is_described_and_tested() {
    let alerts: BTreeSet<&str> = of_alerts().into_keys().collect();
    let sections = RUNBOOK.lines().filter_map(|line| line.strip_prefix("## "));
    let sections: BTreeSet<&str> = sections
        .filter(|title| title.starts_with("Meterhouse"))
        .collect();
    assert_eq!(alerts, sections);
    let tested = ALERT_TESTS
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- name: "));
    assert_eq!(alerts, tested.collect());
    for alert in alerts {
        let url = format!(
            "runbook_url: docs/operating/alerts.md#{}\n",
            alert.to_lowercase()
        );
        assert!(ALERTS.contains(&url), "{url}");
    }
}
