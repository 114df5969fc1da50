//! Terms with fixed values, and one state with everything in it.

use std::sync::Arc;

use meterhouse_domain::change::{Change, Proposal};
use meterhouse_domain::command::{Holder, VoidReason};
use meterhouse_domain::event::{CoinInAccepted, Event, HitRecorded};
use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::ids::{ActorId, HitOrder, Sequence, TableNo, Timestamp};
use meterhouse_domain::lifetime::{BookCounts, Lifetime, LineCounts};
use meterhouse_domain::link::{Added, Balances, LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::meter_path::{MeterPath, Stretch};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{
    Charge, ChargedTo, Content, FoldAward, FoldRule, Game, GameRules, HandRule, HandedOver, Level,
    Line, Pays, Paytable, Settlement, TableLimits, Validation, WagerKind,
};
use meterhouse_domain::rate::Rate;
use meterhouse_domain::seat::{Seat, SeatSet};
use meterhouse_domain::state::{
    ClosedHit, Hit, HitStatus, LinkState, Lost, Minute, Payment, PayoutState, Round, StandingHit,
    Table,
};

use crate::sample_changes::{adopted_print, adopted_reading, late_hit_id, propose};
use crate::samples::{hit_id, named, parse};

pub(crate) const RULES: GameRules = GameRules {
    hand_rule: HandRule::OwnFive,
    fold: FoldRule {
        award: FoldAward::Forfeited,
        hand_gives_envy: true,
    },
};

pub(crate) const SLIP: Charge = Charge {
    charged_to: ChargedTo::Meter,
    handed_over: HandedOver::Slip,
};
pub(crate) const RACK: Charge = Charge {
    charged_to: ChargedTo::House,
    handed_over: HandedOver::Rack,
};

fn level(name: &str, seed: u32, percent: u32, reserve: u32) -> Level {
    Level {
        name: parse(name),
        seed,
        reseed: seed,
        primary: Rate::from_ppm(percent * 10_000).unwrap(),
        reserve: Rate::from_ppm(reserve * 10_000).unwrap(),
    }
}

pub(crate) fn content() -> Content {
    let percent = |hand, percent, level, envy| Line {
        hand,
        pays: Pays::Percent { percent, level },
        envy,
    };
    Content {
        ranking: Ranking::FiveCard,
        bet_on_dealer: false,
        validation: Validation::PercentAndForOneAtLeast(500),
        levels: vec![level("mega", 10_000, 9, 1), level("major", 1_000, 7, 0)],
        lines: vec![
            percent(Hand::RoyalFlush, 100, 0, Some(1_000)),
            percent(Hand::StraightFlush, 100, 1, Some(300)),
            Line {
                hand: Hand::FullHouse,
                pays: Pays::ForOne(50),
                envy: None,
            },
            Line {
                hand: Hand::Flush,
                pays: Pays::ForOneOf { odds: 40, level: 1 },
                envy: None,
            },
        ],
        magic_card: Some(20),
        lucky_bonus: None,
        settlement: Settlement {
            percent: SLIP,
            for_one: RACK,
            envy: RACK,
        },
        envy_printed_for: vec![1, 5],
    }
}

pub(crate) fn paytable() -> Paytable {
    Paytable {
        id: parse("pa-657a-five-card-c"),
        title: "Crazy 4 Poker, Paytable C".to_owned(),
        jurisdiction: "PA".to_owned(),
        citation: "58 Pa. Code § 657a.12(e)".to_owned(),
        effective: "2019-08-31".to_owned(),
        wager_kind: WagerKind::FiveCardProgressive,
        games: vec![Game {
            name: parse("crazy-4-poker"),
            seats_max: 6,
        }],
        rules: RULES,
        linkable: true,
        content: content(),
    }
}

pub(crate) fn terms() -> LinkTerms {
    LinkTerms {
        name: parse("main-floor"),
        paytable: paytable(),
        wager: Money::DOLLAR,
        decks: 1,
        reserve_policy: ReservePolicy::Add,
        settings: LinkSettings {
            ceilings: vec![Some(Money::from_micros(25_000_000_000)), None],
            rounds_a_minute_max: Some(6),
            silence_seconds_max: None,
            magic_card_one_in: Some(100),
            lucky_bonus_one_in: None,
            badge_required: Some(true),
        },
        limits: TableLimits {
            decks_max: Some(1),
            boxes_max: Some(2),
        },
        counts_draws_and_envy: true,
        must_accept_values: true,
    }
}

fn hit(recorded: &HitRecorded, status: HitStatus) -> Arc<Hit> {
    let document = match status {
        HitStatus::Withdrawn => None,
        _ => Some(parse("JP-2024/00017")),
    };
    let payment = Payment {
        actor: ActorId(1),
        document,
    };
    let paid = [Some(payment), None];
    let payouts = recorded.payouts.iter().cloned().zip(paid);
    Arc::new(Hit {
        sequence: Sequence(4_713),
        number: 0,
        order: recorded.order,
        keyed_by_actor: ActorId(3),
        keyed_by: Some(parse("D-204")),
        kind: recorded.kind,
        holder: Holder::Dealer,
        hand: recorded.hand,
        cards: None,
        taken: recorded.taken,
        payouts: payouts
            .map(|(payout, paid)| PayoutState { payout, paid })
            .collect(),
        status,
        moves: recorded.moves.clone(),
        path: Some(path()),
    })
}

/// The coin-in of the samples' round.
fn sample_coin_in() -> CoinInAccepted {
    let Event::CoinInAccepted(coin_in) = named("coin-in-with-record").event else {
        unreachable!()
    };
    coin_in
}

/// An open round with a hit in every status.
fn round(recorded: &HitRecorded) -> Round {
    let coin_in = sample_coin_in();
    let statuses = [
        HitStatus::Pending,
        HitStatus::ValidatedByRule,
        HitStatus::Validated {
            actor: ActorId(1),
            by: Some(parse("supervisor")),
        },
        HitStatus::Cancelled,
        HitStatus::Rejected { actor: ActorId(1) },
        HitStatus::Withdrawn,
    ];
    Round {
        sequence: Sequence(4_711),
        own: coin_in.own,
        dealer: coin_in.dealer,
        dealt: coin_in.dealt,
        players: coin_in.players,
        folded: [Seat(3)].into_iter().collect::<SeatSet>(),
        order_at_coin_in: HitOrder(11),
        added: coin_in.added,
        over_ceiling: coin_in.over_ceiling,
        draws: coin_in.draws,
        hits: statuses
            .into_iter()
            .map(|status| hit(recorded, status))
            .collect(),
    }
}

/// A path with the amounts that an open round and an older one keep out.
fn path() -> Arc<MeterPath> {
    let stretch = |from, to: Option<i64>, owner| Stretch {
        from: Money::from_micros(from),
        to: to.map(Money::from_micros),
        owner,
    };
    Arc::new(MeterPath {
        begun: Money::from_micros(24_000_000_000),
        added: Money::from_micros(1_260_000),
        kept_out: vec![
            stretch(24_998_740_000, Some(24_999_370_000), None),
            stretch(24_999_370_000, None, Some((TableNo(7), Sequence(4_711)))),
        ],
    })
}

/// A state with a table, an open round and a hit in every status.
pub(crate) fn state() -> LinkState {
    let Event::HitRecorded(recorded) = named("hit-recorded").event else {
        unreachable!()
    };
    let table = Table {
        name: parse("C4P-07"),
        game: parse("crazy-4-poker"),
        seats: 6,
        rules: RULES,
        bet_on_dealer: Some(true),
        last_sequence: Sequence(4_713),
        round: Some(round(&recorded)),
        lost: None,
        minute: Minute {
            since: 1_732_190_400_000_000,
            rounds: 3,
        },
        disabled: None,
        left: false,
    };
    let idle = Table {
        name: parse("C4P-08"),
        round: None,
        lost: Some(Lost {
            heard_at: Timestamp(1_732_190_394_000_000),
            must_resume: true,
        }),
        disabled: Some(parse("the lamps are dark")),
        ..table.clone()
    };
    let standing = StandingHit {
        order: HitOrder(12),
        hit: hit_id(),
        took_reserve: true,
        took_overflow: false,
    };
    let closed = ClosedHit {
        id: late_hit_id(),
        round: Sequence(4_711),
        hit: Arc::unwrap_or_clone(hit(&recorded, HitStatus::ValidatedByRule)),
    };
    LinkState {
        shares: terms().shares().unwrap().into(),
        terms: Arc::new(terms()),
        fault: Some(format!("a {}", VoidReason::Misdeal).into()),
        balances: (0..3)
            .map(|micros| Balances([Money::from_micros(micros); 8]))
            .collect(),
        standing: vec![Arc::new(vec![standing]), Arc::new(Vec::new())],
        last_order: HitOrder(12),
        tables: vec![Arc::new(table), Arc::new(idle)],
        suspended: Some(parse("maintenance")),
        unacknowledged: true,
        values_accepted: true,
        disabled: 0b10,
        closed: Arc::new(vec![Arc::new(closed)]),
        forgotten: vec![HitOrder(3), HitOrder(0), HitOrder(2)],
        resets: vec![Arc::new(vec![HitOrder(7), HitOrder(12)]), Arc::default()],
        proposals: Arc::new(vec![Proposal {
            propose: propose(Change::Correct { hit: hit_id() }),
            actor: ActorId(1),
            by: Some(parse("supervisor")),
            proposed_at: Timestamp(1_732_190_400_000_000),
            expires_at: Timestamp(1_732_276_800_000_000),
        }]),
        adopted: Arc::new(vec![adopted_print(), adopted_reading()]),
        lifetime: lifetime(sample_coin_in().added),
        paths: vec![Some(path()), None],
    }
}

fn lifetime(contributions: Added) -> Lifetime {
    let counts = BookCounts {
        attendant_paid: Money::from_micros(1),
        house_funded: Money::from_micros(2),
        overflow: Money::from_micros(3),
        adjusted_up: Money::from_micros(4),
        adjusted_down: Money::from_micros(5),
        resets: 6,
    };
    Lifetime {
        rounds: 9,
        wagers: 27,
        wagers_voided: 3,
        contributions,
        contributions_voided: Added::default(),
        books: vec![counts; 3],
        lines: Arc::new(vec![LineCounts {
            hits: 2,
            due: Money::DOLLAR,
        }]),
    }
}
