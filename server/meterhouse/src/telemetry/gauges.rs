//! The gauges of a server: what is a state and no event, measured from time to time.
//!
//! # Limits
//! The engine and the database are measured every [`MEASURED_EVERY`]. While the database gives no answer, its last
//! measures stay, and `meterhouse.measures.age` grows.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use meterhouse_domain::RULE_VERSION;
use meterhouse_domain::money::Money;
use meterhouse_engine::Engine;
use meterhouse_engine::clock::now;
use meterhouse_engine::error_chain::ErrorChain;
use meterhouse_engine::metrics::measures::{Measures, StoredMeasures};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{AsyncInstrument, Meter};
use tokio::time::{Instant, MissedTickBehavior, interval};

/// Interval of the measurement.
const MEASURED_EVERY: Duration = Duration::from_secs(10);

/// A gauge of whole numbers.
struct Gauge {
    name: &'static str,
    unit: &'static str,
    what: &'static str,
    observe: fn(&Newest, &dyn AsyncInstrument<u64>),
}

/// The gauges of whole numbers.
const GAUGES: [Gauge; 24] = [
    Gauge {
        name: "meterhouse.queue.depth",
        unit: "{command}",
        what: "Requests that wait for the committers",
        observe: |newest, gauge| {
            let waiting = newest.engine.links.iter().map(|link| link.queue as u64);
            gauge.observe(waiting.sum(), &[]);
        },
    },
    Gauge {
        name: "meterhouse.links",
        unit: "{link}",
        what: "Loaded links by status",
        observe: |newest, gauge| {
            for status in ["open", "suspended", "closed", "faulted"] {
                let of_status = newest
                    .engine
                    .links
                    .iter()
                    .filter(|link| link.status == status);
                gauge.observe(of_status.count() as u64, &[KeyValue::new("status", status)]);
            }
        },
    },
    Gauge {
        name: "meterhouse.books.unchecked",
        unit: "{link}",
        what: "Loaded links whose books are still being compared: they take no coin-in",
        observe: |newest, gauge| {
            let unchecked = newest.engine.links.iter().filter(|link| !link.books_passed);
            gauge.observe(unchecked.count() as u64, &[]);
        },
    },
    Gauge {
        name: "meterhouse.books.batches",
        unit: "{batch}",
        what: "Batches of a loaded link's ledger that the running check has summed, and those from the opening that it has not",
        observe: |newest, gauge| {
            for link in &newest.engine.links {
                let Some(books) = link.books else { continue };
                for (state, count) in [("summed", books.summed), ("unsummed", books.unsummed)] {
                    let labels = [
                        KeyValue::new("link", link.name.clone()),
                        KeyValue::new("state", state),
                    ];
                    gauge.observe(count, &labels);
                }
            }
        },
    },
    Gauge {
        name: "meterhouse.books.checked.age",
        unit: "s",
        what: "Time since the books of a loaded link were last found to agree",
        observe: |newest, gauge| {
            for link in &newest.engine.links {
                let Some(books) = link.books else { continue };
                let labels = [KeyValue::new("link", link.name.clone())];
                gauge.observe(books.at.elapsed().as_secs(), &labels);
            }
        },
    },
    Gauge {
        name: "meterhouse.commits.unresolved",
        unit: "{commit}",
        what: "Commits whose outcome is unknown now: their links take no command until the database answers",
        observe: |newest, gauge| {
            let unresolved = newest.engine.links.iter().filter(|link| link.is_unresolved);
            gauge.observe(unresolved.count() as u64, &[]);
        },
    },
    Gauge {
        name: "meterhouse.tables.silent",
        unit: "{table}",
        what: "Tables in service whose last contact is longer ago than their links allow",
        observe: |newest, gauge| gauge.observe(newest.engine.silent_tables, &[]),
    },
    Gauge {
        name: "meterhouse.tables",
        unit: "{table}",
        what: "Tables of loaded links by status",
        observe: |newest, gauge| {
            for (status, count) in &newest.engine.tables {
                gauge.observe(*count, &[KeyValue::new("status", *status)]);
            }
        },
    },
    Gauge {
        name: "meterhouse.displays",
        unit: "{display}",
        what: "Open feeds",
        observe: |newest, gauge| {
            gauge.observe(newest.engine.displays as u64, &[]);
        },
    },
    Gauge {
        name: "meterhouse.displays.slow",
        unit: "{display}",
        what: "Displays that have not taken a message for a second or more",
        observe: |newest, gauge| gauge.observe(newest.engine.slow_displays as u64, &[]),
    },
    Gauge {
        name: "meterhouse.feed.age",
        unit: "s",
        what: "Time since the amounts of a watched link were confirmed, of the oldest",
        observe: |newest, gauge| {
            gauge.observe(newest.engine.feed_age, &[]);
        },
    },
    Gauge {
        name: "meterhouse.hits.waiting",
        unit: "{hit}",
        what: "Hits that wait: pending for a supervisor, validated for their payment",
        observe: |newest, gauge| {
            for (state, hits) in [
                ("pending", newest.stored.pending),
                ("validated", newest.stored.unpaid),
            ] {
                let count = u64::try_from(hits.count).unwrap_or_default();
                gauge.observe(count, &[KeyValue::new("state", state)]);
            }
        },
    },
    Gauge {
        name: "meterhouse.hits.pending.age",
        unit: "s",
        what: "Time since the oldest pending hit was keyed",
        observe: |newest, gauge| {
            gauge.observe(newest.stored.pending_age(now()), &[]);
        },
    },
    Gauge {
        name: "meterhouse.glass.broken",
        unit: "{command}",
        what: "Commands of the last day that admitted somebody without an administrator",
        observe: |newest, gauge| gauge.observe(newest.stored.glass_broken, &[]),
    },
    Gauge {
        name: "meterhouse.announcements.failed",
        unit: "{access}",
        what: "Accesses of the last hour that were refused because they could not be announced",
        observe: |newest, gauge| gauge.observe(newest.stored.not_announced, &[]),
    },
    Gauge {
        name: "meterhouse.database.size",
        unit: "By",
        what: "Size of the database",
        observe: |newest, gauge| {
            gauge.observe(
                u64::try_from(newest.stored.database.size).unwrap_or_default(),
                &[],
            );
        },
    },
    Gauge {
        name: "meterhouse.database.log.written",
        unit: "By",
        what: "Bytes that were ever written to the cluster's log",
        observe: |newest, gauge| {
            if let Some(log) = newest.stored.database.log {
                gauge.observe(u64::try_from(log).unwrap_or_default(), &[]);
            }
        },
    },
    Gauge {
        name: "meterhouse.database.archive.failed",
        unit: "",
        what: "1 if the last attempt to archive a file of the cluster's log failed, else 0",
        observe: |newest, gauge| {
            let archive = newest.stored.database.archive.as_ref();
            let has_failed = archive.is_some_and(|archive| archive.failed.is_some());
            gauge.observe(u64::from(has_failed), &[]);
        },
    },
    Gauge {
        name: "meterhouse.database.standby.lag",
        unit: "By",
        what: "Bytes of the log that a standby has not applied yet",
        observe: |newest, gauge| {
            for (standby, lag) in &newest.stored.database.standbys {
                let lag = u64::try_from(*lag).unwrap_or_default();
                gauge.observe(lag, &[KeyValue::new("standby", standby.clone())]);
            }
        },
    },
    Gauge {
        name: "meterhouse.database.connections",
        unit: "{connection}",
        what: "Connections for reading",
        observe: |newest, gauge| {
            let database = &newest.stored.database;
            let used = database.connections.saturating_sub(database.idle);
            for (state, count) in [("idle", database.idle), ("used", used)] {
                gauge.observe(u64::from(count), &[KeyValue::new("state", state)]);
            }
        },
    },
    Gauge {
        name: "meterhouse.signing.interval",
        unit: "s",
        what: "Interval of signing, of a node that signs",
        observe: |newest, gauge| {
            if let Some(signing) = newest.engine.signing {
                gauge.observe(signing.interval, &[]);
            }
        },
    },
    Gauge {
        name: "meterhouse.signing.age",
        unit: "s",
        what: "Time since every chain was found signed, of a node that signs",
        observe: |newest, gauge| {
            if let Some(signing) = newest.engine.signing {
                gauge.observe(signing.age, &[]);
            }
        },
    },
    Gauge {
        name: "meterhouse.signed.head.age",
        unit: "s",
        what: "Time since the newest head of all chains was signed",
        observe: |newest, gauge| {
            if let Some(age) = newest.engine.signing.and_then(|signing| signing.head_age) {
                gauge.observe(age, &[]);
            }
        },
    },
    Gauge {
        name: "meterhouse.build.info",
        unit: "",
        what: "1, with the versions of this program",
        observe: |_, gauge| {
            let labels = [
                KeyValue::new("version", env!("CARGO_PKG_VERSION")),
                KeyValue::new("rules", i64::from(RULE_VERSION)),
            ];
            gauge.observe(1, &labels);
        },
    },
];

/// The newest measures.
struct Newest {
    engine: Measures,
    stored: StoredMeasures,
    /// Time at which what is stored was measured.
    stored_at: Instant,
}

/// The newest measures, which the gauges read.
#[derive(Clone)]
pub(crate) struct Gauges(Arc<Mutex<Newest>>);

impl Gauges {
    /// Registers the gauges.
    pub(crate) fn register() -> Self {
        let this = Self(Arc::new(Mutex::new(Newest {
            engine: Measures::default(),
            stored: StoredMeasures::default(),
            stored_at: Instant::now(),
        })));
        let meter = opentelemetry::global::meter("meterhouse");
        for gauge in GAUGES {
            let (newest, observe) = (this.clone(), gauge.observe);
            let built = meter.u64_observable_gauge(gauge.name);
            // The provider keeps the instrument.
            let _ = built
                .with_unit(gauge.unit)
                .with_description(gauge.what)
                .with_callback(move |gauge| newest.with(|newest| observe(newest, gauge)))
                .build();
        }
        this.register_age(&meter);
        this.register_levels(&meter);
        this
    }

    /// Measures an engine again and again. Never returns.
    pub(crate) async fn keep(&self, engine: &Engine) {
        tokio::join!(self.keep_engine(engine), self.keep_stored(engine));
    }

    async fn keep_engine(&self, engine: &Engine) {
        let mut every = interval(MEASURED_EVERY);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            let measures = engine.measures();
            self.with(|newest| newest.engine = measures);
        }
    }

    async fn keep_stored(&self, engine: &Engine) {
        let mut every = interval(MEASURED_EVERY);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            match engine.stored_measures().await {
                Ok(measures) => self.with(|newest| {
                    newest.stored = measures;
                    newest.stored_at = Instant::now();
                }),
                Err(error) => {
                    tracing::debug!(error = %ErrorChain(&error), "the database was not measured");
                }
            }
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Newest) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Registers the age of the measures.
    fn register_age(&self, meter: &Meter) {
        let newest = self.clone();
        let age = meter.u64_observable_gauge("meterhouse.measures.age");
        let _ = age
            .with_unit("s")
            .with_description("Time since the database was measured")
            .with_callback(move |gauge| {
                gauge.observe(
                    newest.with(|newest| newest.stored_at.elapsed().as_secs()),
                    &[],
                );
            })
            .build();
    }

    /// Registers the amounts of levels, in dollars.
    fn register_levels(&self, meter: &Meter) {
        for (name, what, is_reserve) in [
            (
                "meterhouse.level.amount",
                "Displayed amount of a level",
                false,
            ),
            ("meterhouse.level.reserve", "Reserve of a level", true),
        ] {
            let this = self.clone();
            let gauge = meter.f64_observable_gauge(name);
            let gauge = gauge.with_unit("{dollar}").with_description(what);
            let gauge = gauge.with_callback(move |gauge| {
                this.with(|newest| observe_levels(&newest.engine, gauge, is_reserve));
            });
            let _ = gauge.build();
        }
    }
}

fn observe_levels(measures: &Measures, gauge: &dyn AsyncInstrument<f64>, is_reserve: bool) {
    for link in &measures.links {
        for (level, displayed, reserve) in &link.levels {
            let amount = if is_reserve { reserve } else { displayed };
            let labels = [
                KeyValue::new("link", link.name.clone()),
                KeyValue::new("level", level.clone()),
            ];
            gauge.observe(for_people(*amount), &labels);
        }
    }
}

/// Returns an amount as a curve shows it. No amount is computed from it.
fn for_people(amount: Money) -> f64 {
    amount.to_string().parse().unwrap_or(f64::NAN)
}
