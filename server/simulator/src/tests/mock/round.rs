//! The commands of tables: a round from coin-in to GAME OVER.

use meterhouse_api::command::{BonusEntered, CoinIn, Command, CommandRequest, Void};
use meterhouse_api::hit::{Hit, HitSummary, Payment, Payout};
use meterhouse_api::hit_detail::HitDetail;
use meterhouse_api::level::LevelAmount;
use meterhouse_api::outcome::{
    BettingPosition, CancelHitOutcome, CloseOutcome, CoinInOutcome, CommandResponse, CountOutcome,
    FoldOutcome, HitOutcome, Outcome, SettleOutcome, VoidOutcome,
};
use meterhouse_api::text::Text;
use meterhouse_api::values::{self, Badge, Card};
use meterhouse_domain::command::Bonus;
use meterhouse_domain::event::{HitKind, PayoutKind};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{ChargedTo, HandedOver};
use meterhouse_journal::hit::HitState;
use meterhouse_journal::position::Position;

use super::{Draw, Mock, NOON, Round};

/// The displayed amount after every command.
pub(super) const DISPLAYED: Money = Money::from_micros(10_000_210_000);
/// The position of every outcome.
const POSITION: Position = Position { batch: 1, index: 0 };
/// Cards and seats, drawn in this order. No seat is the dealer's hand.
const DRAWS: [(&str, Option<u8>); 4] = [
    ("As", Some(2)),
    ("Td", None),
    ("7c", Some(4)),
    ("2h", Some(6)),
];

/// A hit that was entered.
pub(super) struct NewHit {
    kind: HitKind,
    seat: Option<u8>,
    hand: Option<values::Hand>,
    cards: Option<Vec<Card>>,
    keyed_by: Option<String>,
}

impl NewHit {
    /// Returns a bonus, or a hit whose hand follows with [`NewHit::of`].
    pub(super) fn new(
        kind: HitKind,
        seat: Option<u8>,
        cards: Option<&[Card]>,
        keyed_by: Option<&Badge>,
    ) -> Self {
        Self {
            kind,
            seat,
            hand: None,
            cards: cards.map(<[Card]>::to_vec),
            keyed_by: keyed_by.map(ToString::to_string),
        }
    }

    /// Returns the hit with a hand.
    pub(super) fn of(self, hand: values::Hand) -> Self {
        let hand = Some(hand);
        Self { hand, ..self }
    }
}

impl Mock {
    pub(super) fn command(
        &mut self,
        table: &str,
        sequence: u64,
        request: &CommandRequest,
    ) -> Result<CommandResponse, &'static str> {
        let is_open = self.tables[table].round.is_some();
        let opens = matches!(request.command, Command::CoinIn(_));
        if opens == is_open {
            return Err(if opens { "round_open" } else { "no_round" });
        }
        Ok(CommandResponse {
            table: table.parse().expect("a name"),
            sequence,
            outcome: self.outcome(table, sequence, request)?,
            at: NOON,
            position: Text(POSITION),
        })
    }

    fn outcome(
        &mut self,
        table: &str,
        sequence: u64,
        request: &CommandRequest,
    ) -> Result<Outcome, &'static str> {
        let (levels, hits) = (levels(), Vec::new());
        let by = request.by.as_ref();
        let name = format!("{table}.{sequence}");
        Ok(match &request.command {
            Command::CoinIn(coin_in) => Outcome::CoinIn(self.coin_in(table, sequence, coin_in)?),
            Command::Count(count) => Outcome::Count(CountOutcome {
                chips: count.chips,
                accepted: count.chips,
                differ: false,
                levels,
            }),
            Command::Fold(fold) => {
                let seats = fold.seats.to_vec();
                self.open_round(table).folded.clone_from(&seats);
                Outcome::Fold(FoldOutcome { seats, levels })
            }
            Command::Hit(hit) => {
                let new = NewHit::new(HitKind::Line, hit.seat, hit.cards.as_deref(), by);
                Outcome::Hit(self.key(table, &name, new.of(hit.hand)))
            }
            Command::Envy(envy) => {
                let new = NewHit::new(HitKind::Envy, Some(envy.seat), envy.cards.as_deref(), by);
                Outcome::Envy(self.key(table, &name, new.of(envy.hand)))
            }
            Command::Bonus(bonus) => {
                let kind = self.drawn_bonus(table, bonus)?;
                let new = NewHit::new(kind, bonus.seat, bonus.cards.as_deref(), by);
                Outcome::Bonus(self.key(table, &name, new))
            }
            Command::Settle(settle) => {
                let hits = self.settle(table, sequence, settle, by)?;
                Outcome::Settle(SettleOutcome {
                    hits,
                    levels,
                    settlement: None,
                })
            }
            Command::CancelHit(cancel) => {
                let hit = cancel.hit.clone();
                self.decide(&hit.to_string(), HitState::Cancelled)?;
                Outcome::CancelHit(CancelHitOutcome { hit, levels })
            }
            Command::Close(_) => {
                self.close(table)?;
                Outcome::Close(CloseOutcome { hits, levels })
            }
            Command::Void(Void { reason }) => {
                self.void(table)?;
                let reason = *reason;
                Outcome::Void(VoidOutcome {
                    reason,
                    hits,
                    levels,
                })
            }
        })
    }

    fn key(&mut self, table: &str, name: &str, new: NewHit) -> Box<HitOutcome> {
        let hit = self.record_hit(table, name, new);
        let levels = levels();
        Box::new(HitOutcome { hit, levels })
    }

    pub(super) fn open_round(&mut self, table: &str) -> &mut Round {
        let table = self.tables.get_mut(table).expect("a table");
        table.round.as_mut().expect("a round")
    }

    fn coin_in(
        &mut self,
        table: &str,
        sequence: u64,
        coin_in: &CoinIn,
    ) -> Result<CoinInOutcome, &'static str> {
        let is_lost = self.is_lost(table);
        let round = format!("{table}.{sequence}");
        let table = self.tables.get_mut(table).expect("a table");
        let link = table.request.link.as_str();
        let link = self.links.get_mut(link).expect("a link");
        if !link.accepted {
            return Err("values_not_accepted");
        }
        if link.suspended {
            return Err("link_suspended");
        }
        if !link.disabled.is_empty() {
            return Err("level_disabled");
        }
        if is_lost {
            return Err("table_lost");
        }
        let wagers = coin_in.wagers.to_vec();
        link.wagers += i64::try_from(wagers.len()).expect("few");
        let mut draw = Draw::default();
        if link.request.magic_card_one_in.is_some() {
            link.draws += 1;
            let (card, seat) = DRAWS[link.draws / 2 % DRAWS.len()];
            if link.draws.is_multiple_of(2) {
                draw.magic_card = Some(card.parse().expect("a card"));
            } else {
                let dealer = seat.is_none();
                draw.lucky_position = Some(BettingPosition { seat, dealer });
            }
        }
        let outcome = CoinInOutcome {
            round,
            seats: wagers.iter().map(|wager| wager.seat).collect(),
            dealer_seats: Vec::new(),
            wagers: u32::try_from(wagers.len()).expect("few"),
            magic_card: draw.magic_card,
            lucky_position: draw.lucky_position,
            levels: Vec::new(),
        };
        table.round = Some(Round {
            sequence,
            wagers,
            draw,
            ..Round::default()
        });
        Ok(outcome)
    }

    /// Records a hit of the open round with its only payout.
    pub(super) fn record_hit(&mut self, table: &str, name: &str, new: NewHit) -> Hit {
        let (dollars, way) = match new.hand.map(|hand| *hand) {
            Some(Hand::RoyalFlush) => (10_000, HandedOver::Slip),
            Some(Hand::StraightFlush | Hand::FourOfAKind) => (1_000, HandedOver::Slip),
            Some(_) => (50, HandedOver::Rack),
            None => (20, HandedOver::GameAccount),
        };
        let state = match new.hand {
            Some(_) => HitState::Pending,
            None => HitState::ValidatedByRule,
        };
        let due = Money::from_micros(dollars * 1_000_000);
        let link = self.tables[table].request.link.to_string();
        let round = self.open_round(table);
        round.hits.push(name.to_owned());
        let round = round.sequence;
        self.insert_hit(name, &link, round, new, (due, way, state))
    }

    /// Inserts a hit with its only payout.
    pub(super) fn insert_hit(
        &mut self,
        name: &str,
        link: &str,
        round: u64,
        new: NewHit,
        (due, way, state): (Money, HandedOver, HitState),
    ) -> Hit {
        let name: values::HitName = name.parse().expect("a hit");
        let payout = Payout {
            payout: 1,
            kind: Text(PayoutKind::Line),
            seat: new.seat.unwrap_or_default(),
            player: None,
            amount: Text(due),
            charged_to: Text(ChargedTo::House),
            handed_over: Text(way),
            payment: Some(Payment {
                paid: false,
                at: None,
                by: None,
                document: None,
            }),
        };
        let hit = Hit {
            summary: HitSummary {
                hit: name.clone(),
                round: format!("{}.{round}", name.table),
                order: self.hits.len() as u64,
                table: Text(name.table.clone()),
                kind: Text(new.kind),
                state: Text(state),
                seat: new.seat,
                dealer: new.seat.is_none(),
                hand: new.hand,
                level: None,
                percent: None,
                due: Text(due),
                envy_due: Text(Money::ZERO),
            },
            cards: new.cards,
            before: None,
            after: None,
            payouts: vec![payout],
        };
        let detail = HitDetail {
            hit: hit.clone(),
            link: link.parse().expect("a name"),
            validated_cards: None,
            evaluation: None,
            keyed_by: new.keyed_by,
            keyed_at: NOON,
            decided_by: None,
            decided_at: None,
            note: None,
            entries: None,
        };
        self.hits.insert(name.to_string(), detail);
        hit
    }

    /// Returns the kind of a bonus that was drawn.
    fn drawn_bonus(&mut self, table: &str, bonus: &BonusEntered) -> Result<HitKind, &'static str> {
        let draw = self.open_round(table).draw;
        let (is_drawn, kind) = match *bonus.kind {
            Bonus::MagicCard => {
                let cards = bonus.cards.as_ref().expect("cards");
                let is_drawn = draw.magic_card.is_some_and(|card| cards.contains(&card));
                (is_drawn, HitKind::MagicCard)
            }
            Bonus::LuckyBonus => {
                let lucky = draw.lucky_position.and_then(|position| position.seat);
                (lucky == bonus.seat, HitKind::LuckyBonus)
            }
        };
        if !is_drawn {
            return Err("not_drawn");
        }
        self.observed.insert("bonus");
        Ok(kind)
    }

    pub(super) fn decide(&mut self, hit: &str, state: HitState) -> Result<(), &'static str> {
        let hit = self.hits.get_mut(hit).expect("a hit");
        let before = &mut hit.hit.summary.state;
        if **before != HitState::Pending {
            return Err("hit_not_pending");
        }
        *before = Text(state);
        Ok(())
    }

    fn void(&mut self, table: &str) -> Result<(), &'static str> {
        let state = |hit: &HitDetail| *hit.hit.summary.state;
        let entry = self.tables.get_mut(table).expect("a table");
        let round = entry.round.as_ref().expect("a round");
        let mut hits = round.hits.iter();
        if hits.any(|hit| state(&self.hits[hit]) == HitState::Validated) {
            return Err("hit_not_pending");
        }
        for hit in &round.hits {
            let hit = self.hits.get_mut(hit).expect("a hit");
            if [HitState::Pending, HitState::ValidatedByRule].contains(&state(hit)) {
                hit.hit.summary.state = Text(HitState::Void);
            }
        }
        let wagers = i64::try_from(round.wagers.len()).expect("few");
        let link = self.links.get_mut(entry.request.link.as_str());
        link.expect("a link").wagers -= wagers;
        entry.round = None;
        Ok(())
    }

    fn close(&mut self, table: &str) -> Result<(), &'static str> {
        let names = self.open_round(table).hits.clone();
        for name in &names {
            let hit = &self.hits[name].hit;
            match *hit.summary.state {
                HitState::Pending => return Err("hit_unsettled"),
                HitState::Validated if hit.payouts[0].waits_for_document() => {
                    return Err("hit_unsettled");
                }
                _ => {}
            }
        }
        let entry = self.tables.get_mut(table).expect("a table");
        entry.round = None;
        let link = self.links.get_mut(entry.request.link.as_str());
        let link = link.expect("a link");
        for name in &names {
            let hit = &mut self.hits.get_mut(name).expect("a hit").hit;
            if let HitState::Validated | HitState::ValidatedByRule = *hit.summary.state {
                hit.summary.state = Text(HitState::Paid);
                link.paid += hit.payouts[0].amount.micros();
            }
        }
        Ok(())
    }
}

/// Returns the levels after every command.
fn levels() -> Vec<LevelAmount> {
    vec![LevelAmount {
        level: "meter".parse().expect("a name"),
        amount: Text(DISPLAYED),
    }]
}
