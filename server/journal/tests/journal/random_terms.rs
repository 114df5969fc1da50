//! Random terms and paytables.

use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::link::{LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{
    Charge, ChargedTo, Content, FoldAward, FoldRule, Game, GameRules, HandRule, HandedOver, Level,
    Line, Pays, Paytable, Settlement, TableLimits, Validation, WagerKind,
};
use meterhouse_domain::rate::{PPM, Rate};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use crate::random::{free, money, name, one};

pub(crate) fn charge() -> impl Strategy<Value = Charge> {
    (one(ChargedTo::ALL), one(HandedOver::ALL)).prop_map(|(charged_to, handed_over)| Charge {
        charged_to,
        handed_over,
    })
}

pub(crate) fn rate() -> impl Strategy<Value = Rate> {
    (0..=PPM).prop_map(|ppm| Rate::from_ppm(ppm).unwrap())
}

pub(crate) fn content() -> BoxedStrategy<Content> {
    let level = (name(), any::<u32>(), any::<u32>(), rate(), rate()).prop_map(
        |(name, seed, reseed, primary, reserve)| Level {
            name,
            seed,
            reseed,
            primary,
            reserve,
        },
    );
    let pays = prop_oneof![
        (any::<u8>(), any::<usize>()).prop_map(|(percent, level)| Pays::Percent { percent, level }),
        any::<u32>().prop_map(Pays::ForOne),
        (any::<u32>(), any::<usize>()).prop_map(|(odds, level)| Pays::ForOneOf { odds, level }),
    ];
    let line = (one(&Hand::ALL), pays, of(any::<u32>())).prop_map(|(hand, pays, envy)| Line {
        hand,
        pays,
        envy,
    });
    let validation = prop_oneof![
        Just(Validation::EveryHit),
        any::<u32>().prop_map(Validation::PercentAndForOneAtLeast),
    ];
    let settlement =
        (charge(), charge(), charge()).prop_map(|(percent, for_one, envy)| Settlement {
            percent,
            for_one,
            envy,
        });
    (
        (one(&Ranking::ALL), any::<bool>(), validation),
        (vec(level, 0..4), vec(line, 0..5)),
        (
            settlement,
            vec(any::<u32>(), 0..3),
            any::<[Option<u32>; 2]>(),
        ),
    )
        .prop_map(
            |(
                (ranking, bet_on_dealer, validation),
                (levels, lines),
                (settlement, envy, bonuses),
            )| Content {
                ranking,
                bet_on_dealer,
                validation,
                levels,
                lines,
                magic_card: bonuses[0],
                lucky_bonus: bonuses[1],
                settlement,
                envy_printed_for: envy,
            },
        )
        .boxed()
}

pub(crate) fn rules() -> impl Strategy<Value = GameRules> {
    (one(HandRule::ALL), one(FoldAward::ALL), any::<bool>()).prop_map(
        |(hand_rule, award, hand_gives_envy)| GameRules {
            hand_rule,
            fold: FoldRule {
                award,
                hand_gives_envy,
            },
        },
    )
}

pub(crate) fn paytable() -> BoxedStrategy<Paytable> {
    let game = (name(), any::<u8>()).prop_map(|(name, seats_max)| Game { name, seats_max });
    (
        (name(), free(), free(), free(), free()),
        (
            one(WagerKind::ALL),
            vec(game, 0..3),
            rules(),
            any::<bool>(),
            content(),
        ),
    )
        .prop_map(|((id, title, jurisdiction, citation, effective), rest)| {
            let (wager_kind, games, rules, linkable, content) = rest;
            Paytable {
                id,
                title,
                jurisdiction,
                citation,
                effective,
                wager_kind,
                games,
                rules,
                linkable,
                content,
            }
        })
        .boxed()
}

pub(crate) fn settings() -> impl Strategy<Value = LinkSettings> {
    let badge = any::<Option<bool>>();
    (vec(of(money()), 0..4), any::<[Option<u32>; 4]>(), badge).prop_map(
        |(ceilings, numbers, badge_required)| {
            let [rounds, silence, magic_card, lucky_bonus] = numbers;
            LinkSettings {
                ceilings,
                rounds_a_minute_max: rounds,
                silence_seconds_max: silence,
                magic_card_one_in: magic_card,
                lucky_bonus_one_in: lucky_bonus,
                badge_required,
            }
        },
    )
}

pub(crate) fn terms(wager: impl Strategy<Value = Money>) -> impl Strategy<Value = LinkTerms> {
    (
        name(),
        paytable(),
        wager,
        any::<u8>(),
        one(ReservePolicy::ALL),
        settings(),
        any::<[Option<u8>; 2]>(),
        any::<[bool; 2]>(),
    )
        .prop_map(
            |(name, paytable, wager, decks, reserve_policy, settings, limits, all)| LinkTerms {
                name,
                paytable,
                wager,
                decks,
                reserve_policy,
                settings,
                limits: TableLimits {
                    decks_max: limits[0],
                    boxes_max: limits[1],
                },
                counts_draws_and_envy: all[0],
                must_accept_values: all[1],
            },
        )
}
