//! Metrics of the committers: counts and times, recorded once a batch.
//!
//! # Shape
//! [`instruments`] are made once for the process, from the meter that the program has installed. Without one they record
//! nothing. What is a state and no event, such as a queue's depth, is in [`Measures`](measures::Measures), which the
//! program reads from time to time.
//!
//! # Limits
//! A batch costs one record a histogram, and one a kind of command with its answer: nothing is recorded per command.

pub(crate) mod batch_count;
pub mod measures;

use std::sync::LazyLock;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter};

/// Name of the meter.
const METER: &str = "meterhouse";
/// Bounds of times, in seconds.
const SECONDS: [f64; 14] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];
/// Bounds of a batch's size, in commands.
const COMMANDS: [f64; 11] = [
    1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1_024.0,
];

/// The instruments of all committers of this process.
pub(crate) struct Instruments {
    /// Commands by kind and answer.
    pub(crate) commands: Counter<u64>,
    /// Refusals by the rules, and denials, by code.
    pub(crate) refusals: Counter<u64>,
    /// Wait of the oldest request of those that the committer takes from its queue.
    queue_wait: Histogram<f64>,
    /// Wait of each batch's oldest request, from its arrival to the reply.
    latency: Histogram<f64>,
    batch_size: Histogram<u64>,
    commit: Histogram<f64>,
    retries: Counter<u64>,
    unknown: Counter<u64>,
    /// Displays that fell behind and got a new snapshot.
    slow_displays: Counter<u64>,
    /// Time from the first sight of a batch to the sending of its amounts.
    feed_lag: Histogram<f64>,
    /// Notices of waiting hits by what became of them.
    pushes: Counter<u64>,
    alarms: Alarms,
}

static INSTRUMENTS: LazyLock<Instruments> = LazyLock::new(Instruments::new);

/// Returns the instruments of this process.
pub(crate) fn instruments() -> &'static Instruments {
    &INSTRUMENTS
}

impl Instruments {
    fn new() -> Self {
        let meter = opentelemetry::global::meter(METER);
        let counter = |name: &'static str, unit, what| {
            let counter = meter.u64_counter(name);
            counter.with_unit(unit).with_description(what).build()
        };
        let seconds = |name: &'static str, what| {
            let histogram = meter.f64_histogram(name).with_unit("s");
            let histogram = histogram.with_description(what);
            histogram.with_boundaries(SECONDS.to_vec()).build()
        };
        let batch_size = meter.u64_histogram("meterhouse.batch.size");
        let batch_size = batch_size
            .with_unit("{command}")
            .with_description("Commands in a batch")
            .with_boundaries(COMMANDS.to_vec());
        Self {
            commands: counter(
                "meterhouse.commands",
                "{command}",
                "Commands by kind and answer",
            ),
            refusals: counter(
                "meterhouse.refusals",
                "{command}",
                "Commands refused by the rules or denied, by code",
            ),
            queue_wait: seconds(
                "meterhouse.queue.wait",
                "Time in the queue, of the oldest of the commands that a committer takes together",
            ),
            latency: seconds(
                "meterhouse.batch.latency",
                "Time from the arrival of a batch's oldest command to the replies",
            ),
            batch_size: batch_size.build(),
            commit: seconds("meterhouse.commit.duration", "Time of a commit's statement"),
            retries: counter(
                "meterhouse.commit.retries",
                "{commit}",
                "Commits that were decided again because another node had moved the head",
            ),
            unknown: counter(
                "meterhouse.commit.unknown",
                "{commit}",
                "Commits whose outcome was unknown and had to be resolved",
            ),
            slow_displays: counter(
                "meterhouse.display.resets",
                "{snapshot}",
                "Snapshots sent to displays that had fallen behind",
            ),
            feed_lag: seconds(
                "meterhouse.feed.lag",
                "Time from the first sight of a batch to the sending of its amounts to the displays",
            ),
            pushes: counter(
                "meterhouse.pushes",
                "{notice}",
                "Notices of waiting hits by what became of them: sent, gone, failed or dropped",
            ),
            alarms: Alarms::new(&meter),
        }
    }

    /// Records the statement of a commit.
    pub(crate) fn record_commit(&self, took: Duration) {
        self.commit.record(took.as_secs_f64(), &[]);
    }

    /// Records a commit that is decided again because another node had moved the head.
    pub(crate) fn record_retry(&self) {
        self.retries.add(1, &[]);
    }

    /// Records a commit of unknown outcome.
    pub(crate) fn record_unknown(&self) {
        self.unknown.add(1, &[]);
    }

    /// Records displays that had fallen behind.
    pub(crate) fn record_slow_displays(&self, count: u64) {
        self.slow_displays.add(count, &[]);
    }

    /// Records the time in the queue of the oldest of the requests that were taken from it.
    pub(crate) fn record_queue_wait(&self, waited: Duration) {
        self.queue_wait.record(waited.as_secs_f64(), &[]);
    }

    /// Records the time from the first sight of a batch to the sending of its amounts.
    pub(crate) fn record_feed_lag(&self, lag: Duration) {
        self.feed_lag.record(lag.as_secs_f64(), &[]);
    }

    /// Records what became of a notice of a waiting hit.
    pub(crate) fn record_push(&self, outcome: &'static str) {
        self.pushes.add(1, &[KeyValue::new("outcome", outcome)]);
    }

    /// Records a difference of the books.
    pub(crate) fn record_difference(&self) {
        self.alarms.differences.add(1, &[]);
    }

    /// Records a head of another house that contradicts an earlier one.
    pub(crate) fn record_fork(&self) {
        self.alarms.forks.add(1, &[]);
    }

    /// Records a round of signing that left a chain unsigned.
    pub(crate) fn record_unsigned(&self) {
        self.alarms.unsigned.add(1, &[]);
    }

    /// Records a refusal or denial.
    pub(crate) fn record_refusal(&self, code: &'static str) {
        self.refusals.add(1, &[KeyValue::new("code", code)]);
    }

    /// Records a served batch: its size, and the time since its oldest request.
    pub(crate) fn record_batch(&self, commands: usize, oldest: Duration) {
        self.batch_size.record(commands as u64, &[]);
        self.latency.record(oldest.as_secs_f64(), &[]);
    }
}

/// The counters that alerts are about.
struct Alarms {
    /// Differences that the running check of the books found.
    differences: Counter<u64>,
    /// Heads of other houses that contradict an earlier one.
    forks: Counter<u64>,
    /// Rounds of signing that left a chain unsigned.
    unsigned: Counter<u64>,
}

impl Alarms {
    fn new(meter: &Meter) -> Self {
        Self {
            differences: alarm(
                meter,
                "meterhouse.books.differences",
                "{difference}",
                "Differences that the running check of the books found; each faults its link",
            ),
            forks: alarm(
                meter,
                "meterhouse.witness.forks",
                "{head}",
                "Heads of other houses that contradict an earlier one, found by this witness",
            ),
            unsigned: alarm(
                meter,
                "meterhouse.signing.failures",
                "{round}",
                "Rounds of signing that left a chain unsigned",
            ),
        }
    }
}

/// Returns a counter that begins with 0: an increase from 0 to 1 is seen only if 0 was there.
fn alarm(
    meter: &Meter,
    name: &'static str,
    unit: &'static str,
    what: &'static str,
) -> Counter<u64> {
    let counter = meter.u64_counter(name);
    let counter = counter.with_unit(unit).with_description(what).build();
    counter.add(0, &[]);
    counter
}
