//! What the demo plays unless told otherwise.

use meterhouse_domain::hand::{Hand, Ranking};

use crate::plan::{LevelPlan, LinePlan, LinkPlan, PaysPlan, SettingsPlan};

/// Felts of [`default_links`].
const DEFAULT_FELTS: u32 = 6;
/// Seconds of silence after which the demo's tables are lost: shorter than the five of most houses, so that nobody
/// waits long for the one whose cable is cut.
const SILENCE_SECONDS_MAX: u32 = 2;
/// A Magic Card in one of so many rounds.
const MAGIC_CARD_ONE_IN: u32 = 200;
/// A lucky position in one of so many rounds.
const LUCKY_BONUS_ONE_IN: u32 = 50;

/// The demo's two links: six Crazy 4 tables on five-card Paytable C, and on the same six felts the Five Card
/// Hand Bonus, both at $1.
pub fn default_links() -> Vec<LinkPlan> {
    let felts = || (1..=DEFAULT_FELTS).map(|felt| format!("C4P-{felt:02}"));
    let percent = |hand, envy| LinePlan {
        hand,
        pays: PaysPlan::Percent,
        envy,
    };
    let fixed = |hand| LinePlan {
        hand,
        pays: PaysPlan::Fixed,
        envy: false,
    };
    let level = |name: &str, micros_per_wager| LevelPlan {
        name: name.to_owned(),
        micros_per_wager,
    };
    let main = LinkPlan {
        link: "main".to_owned(),
        paytable: "pa-657a-five-card-c".to_owned(),
        wager: "1.00".to_owned(),
        decks: 1,
        settings: SettingsPlan {
            silence_seconds_max: Some(SILENCE_SECONDS_MAX),
            ..SettingsPlan::default()
        },
        game: "crazy-4-poker".to_owned(),
        seats: 6,
        tables: felts().collect(),
        bet_on_dealer: false,
        ranking: Ranking::FiveCard,
        forfeited_by_fold: true,
        lines: vec![
            percent(Hand::RoyalFlush, true),
            percent(Hand::StraightFlush, true),
            percent(Hand::FourOfAKind, false),
            fixed(Hand::FullHouse),
            fixed(Hand::Flush),
            fixed(Hand::Straight),
            fixed(Hand::ThreeOfAKind),
        ],
        levels: vec![
            level("mega", 90_000),
            level("major", 70_000),
            level("minor", 30_000),
        ],
    };
    let hand_bonus = LinkPlan {
        link: "hand-bonus".to_owned(),
        paytable: "pa-657a-five-card-hand-bonus".to_owned(),
        settings: SettingsPlan {
            magic_card_one_in: Some(MAGIC_CARD_ONE_IN),
            lucky_bonus_one_in: Some(LUCKY_BONUS_ONE_IN),
            ..main.settings
        },
        tables: felts().map(|felt| format!("{felt}-H")).collect(),
        bet_on_dealer: true,
        forfeited_by_fold: false,
        lines: vec![
            percent(Hand::RoyalFlush, false),
            percent(Hand::StraightFlush, false),
            fixed(Hand::FourOfAKind),
            fixed(Hand::FullHouse),
            fixed(Hand::Flush),
        ],
        levels: vec![level("meter", 210_000)],
        ..main.clone()
    };
    vec![main, hand_bonus]
}
