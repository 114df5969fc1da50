//! The content that all tables of a link share: wagers, validation, settlement. Levels and lines are read in `lines`,
//! draws in `draws`.

use meterhouse_domain::hand::Ranking;
use meterhouse_domain::money::{MICROS_PER_DOLLAR, Money};
use meterhouse_domain::paytable::{
    Charge, ChargedTo, HandedOver, Settlement, Validation, WagerKind,
};

use crate::draws;
use crate::gaps::Gap;
use crate::lines::{every_level_is_won, levels, lines_of, names};
use crate::reader::{Section, Value};
use crate::sheet::Outline;

/// Number of wagers that a source may print an envy schedule for.
const ENVY_WAGERS_MAX: usize = 8;

const VALIDATION_EXAMPLE: &str = r#""every-hit" or { percent = true, for_one_at_least = 500 }"#;
const RACK_EXAMPLE: &str = r#"{ charged_to = "house", handed_over = "rack" }"#;
const SLIP_EXAMPLE: &str = r#"{ charged_to = "meter", handed_over = "slip" }"#;

/// Reads the content that all tables of a link share.
pub(crate) fn read(
    root: &Section<'_>,
    wager_kind: Option<WagerKind>,
    gaps: &[Gap],
) -> Option<Outline> {
    let ranking = root.required("ranking", "\"five-card\"");
    let ranking = ranking.and_then(|value| value.word(&Ranking::ALL));
    let bet_on_dealer = bet_on(root);
    let validation = root
        .required("validation", VALIDATION_EXAMPLE)
        .and_then(validation);
    let levels = root
        .required_section("level", "at least one [[level]] section")
        .and_then(|value| levels(value, gaps));
    let names = levels.as_deref().and_then(names);
    let lines = root.required_section("line", "at least one [[line]] section");
    let lines = lines.and_then(|value| lines_of(value, ranking, names.as_deref(), gaps));
    if let (Some(levels), Some(lines)) = (&levels, &lines) {
        every_level_is_won(root, levels, lines);
    }
    let draws = draws::read(root, wager_kind);
    let gives_envy = lines
        .as_ref()
        .map(|them| them.iter().any(|line| line.gives_envy));
    let envy_printed_for = envy_printed_for(root, gives_envy);
    let settlement = settlement(root, gives_envy);
    Some(Outline {
        ranking: ranking?,
        bet_on_dealer: bet_on_dealer?,
        validation: validation?,
        levels: levels?
            .into_iter()
            .map(|level| level.level)
            .collect::<Option<_>>()?,
        lines: lines?
            .into_iter()
            .map(|line| line.line)
            .collect::<Option<_>>()?,
        draws: draws?,
        settlement: settlement?,
        envy_printed_for: envy_printed_for?,
    })
}

fn bet_on(root: &Section<'_>) -> Option<bool> {
    let value = root.required("bet_on", "[\"own\"]");
    let dealer_hand = root.optional("dealer_hand");
    let value = value?;
    let example = "[\"own\"] or [\"own\", \"dealer\"]";
    let words: Vec<_> = value
        .list(2, example)?
        .into_iter()
        .map(Value::as_str)
        .collect();
    let on_dealer = match words.as_slice() {
        [Some("own")] => false,
        [Some("own"), Some("dealer")] => true,
        _ => return value.wrong(example),
    };
    match dealer_hand {
        Some(it) if on_dealer => it.word(&["split-equally"]).map(|_| true),
        Some(it) => it.wrong("nothing here, or bet_on = [\"own\", \"dealer\"]"),
        None if on_dealer => value.wrong("[\"own\"], or beside it dealer_hand = \"split-equally\""),
        None => Some(false),
    }
}

fn validation(value: Value<'_>) -> Option<Validation> {
    if value.as_str() == Some("every-hit") {
        return Some(Validation::EveryHit);
    }
    let section = value.section("`validation`", VALIDATION_EXAMPLE)?;
    let percent = section.required("percent", "true");
    let least = section.required("for_one_at_least", "500");
    let least = least.and_then(|value| value.whole(1..=u32::MAX));
    section.finish();
    if !percent.and_then(Value::flag)? {
        return percent.and_then(|value| value.wrong("true: a percentage is always validated"));
    }
    Some(Validation::PercentAndForOneAtLeast(least?))
}

fn envy_printed_for(root: &Section<'_>, gives_envy: Option<bool>) -> Option<Vec<u32>> {
    let example = "[\"1.00\", \"5.00\"], the wagers that the source prints an envy schedule for";
    let value = match (root.optional("envy_printed_for"), gives_envy) {
        (None, Some(true)) => root.required("envy_printed_for", example)?,
        (None, _) => return Some(Vec::new()),
        (Some(value), Some(false)) => {
            return value.wrong("nothing here, or envy at a [[line]]: no line gives envy");
        }
        (Some(value), _) => value,
    };
    let mut wagers: Vec<Option<u32>> = Vec::new();
    for item in value.list(ENVY_WAGERS_MAX, example)? {
        let dollars = item.as_str().and_then(whole_dollars);
        if dollars.is_none() {
            item.wrong::<()>("a wager of whole dollars in quotes, such as \"1.00\"");
        } else if wagers.last().is_some_and(|before| *before >= dollars) {
            item.wrong::<()>("each wager once, the smallest first");
        }
        wagers.push(dollars);
    }
    wagers.into_iter().collect()
}

fn whole_dollars(text: &str) -> Option<u32> {
    let micros = text.parse::<Money>().ok()?.micros();
    let dollars = u32::try_from(micros / MICROS_PER_DOLLAR).ok()?;
    (micros % MICROS_PER_DOLLAR == 0 && dollars > 0).then_some(dollars)
}

fn settlement(root: &Section<'_>, gives_envy: Option<bool>) -> Option<Settlement> {
    let example = "a [settlement] section with percent, for_one and envy";
    let section = root
        .required_section("settlement", example)?
        .section("[settlement]", example)?;
    let percent = section
        .required("percent", SLIP_EXAMPLE)
        .and_then(percent_charge);
    let for_one = section
        .required("for_one", RACK_EXAMPLE)
        .and_then(house_charge);
    let envy = match section.optional("envy") {
        None if gives_envy == Some(true) => {
            section.missing("envy", &format!("envy = {RACK_EXAMPLE}"))
        }
        // No line gives envy, so this settles nothing.
        None => Some(Charge {
            charged_to: ChargedTo::House,
            handed_over: HandedOver::Rack,
        }),
        Some(it) => house_charge(it),
    };
    section.finish();
    Some(Settlement {
        percent: percent?,
        for_one: for_one?,
        envy: envy?,
    })
}

struct ChargeRead<'a> {
    to: (Value<'a>, ChargedTo),
    over: (Value<'a>, HandedOver),
}

fn charge<'a>(value: Value<'a>, example: &str) -> Option<ChargeRead<'a>> {
    let section = value.section("[settlement]", example)?;
    let to = section.required("charged_to", "\"house\"");
    let over = section.required("handed_over", "\"rack\"");
    section.finish();
    let to = to.and_then(|value| Some((value, value.word(ChargedTo::ALL)?)));
    let over = over.and_then(|value| Some((value, value.word(HandedOver::ALL)?)));
    Some(ChargeRead {
        to: to?,
        over: over?,
    })
}

/// Checks the charge of a percentage: it comes off the meter and is handed over with its documentation (§
/// 657a.11(e)(4)).
fn percent_charge(value: Value<'_>) -> Option<Charge> {
    let ChargeRead {
        to: (to, charged_to),
        over: (over, handed_over),
    } = charge(value, SLIP_EXAMPLE)?;
    if charged_to != ChargedTo::Meter {
        to.wrong::<()>("\"meter\": a percentage of a meter is charged to it (§ 657a.11(e)(4))");
    }
    if handed_over != HandedOver::Slip {
        over.wrong::<()>(
            "\"slip\": a percentage of a meter is never paid otherwise (§ 657a.11(e)(4), (f)(3))",
        );
    }
    Some(Charge {
        charged_to,
        handed_over,
    })
}

fn house_charge(value: Value<'_>) -> Option<Charge> {
    let ChargeRead {
        to: (to, charged_to),
        over: (_, handed_over),
    } = charge(value, RACK_EXAMPLE)?;
    if charged_to != ChargedTo::House {
        to.wrong::<()>(
            "\"house\": a fixed pay that comes off a level says so at its line, such as \
             pays = { for_one = 50, of = \"meter\" }, and envy never does",
        );
    }
    Some(Charge {
        charged_to,
        handed_over,
    })
}
