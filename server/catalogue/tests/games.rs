//! The games' own files: each is there, and says the same as the paytables that are for it.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;

use meterhouse_catalogue::{Catalogue, Folded, GameSheet, Sheet, Source};
use meterhouse_domain::command::Holder;
use meterhouse_domain::paytable::{FoldAward, WagerKind};

type Outcome = Result<(), Box<dyn Error>>;

const OURS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games");

/// What the games' files call the wager that a paytable pays.
fn wager(kind: WagerKind) -> &'static str {
    match kind {
        WagerKind::ThreeCardProgressive => "Three-Card Progressive Payout Wager",
        WagerKind::FourCardProgressive => "Four-Card Progressive Payout Wager",
        WagerKind::FiveCardProgressive => "Five-Card Progressive Payout Wager",
        WagerKind::FiveCardHandBonus => "Five Card Hand Bonus Wager",
    }
}

/// Every paytable with the file of its game.
fn pairs(catalogue: &Catalogue) -> Result<Vec<(&Sheet, &GameSheet)>, Box<dyn Error>> {
    let mut pairs = Vec::new();
    for sheet in catalogue.sheets() {
        for game in &sheet.games {
            let found = catalogue.game(&game.name);
            pairs.push((
                sheet,
                found.ok_or_else(|| format!("{} has no file", game.name))?,
            ));
        }
    }
    Ok(pairs)
}

/// A file for each game that a paytable of ours is for, and none that nobody plays.
#[test]
fn every_game_has_its_file() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(OURS)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        files.insert(name.strip_suffix(".toml").ok_or("another file")?.to_owned());
    }
    let games = catalogue.sheets().flat_map(|it| &it.games);
    let games: BTreeSet<String> = games.map(|it| it.name.to_string()).collect();
    assert_eq!(files, games);
    for (sheet, game) in pairs(&catalogue)? {
        assert!(sheet.games.iter().any(|it| it.name.as_str() == game.name));
    }
    Ok(())
}

/// What is dealt is what the paytables' hands are formed of, and who deals tells.
#[test]
fn cards_are_those_of_the_hands() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for (sheet, game) in pairs(&catalogue)? {
        let (rule, cards) = (sheet.rules.hand_rule, &game.cards);
        let dealt = rule.dealt(Holder::Dealer);
        assert!(rule.own() <= cards.player, "{}", sheet.id);
        assert!(
            rule.community_dealt().contains(&cards.community),
            "{}: {} community cards",
            sheet.id,
            cards.community
        );
        assert!(dealt.contains(&cards.dealer), "{}: dealer", sheet.id);
    }
    Ok(())
}

/// What a fold does to the progressive wager is what the paytables do, and envy is named exactly where there is envy.
#[test]
fn folds_are_those_of_the_paytables() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for (sheet, game) in pairs(&catalogue)? {
        let name = wager(sheet.wager_kind);
        let found = game.wagers.iter().find(|it| it.name == name);
        let found = found.ok_or_else(|| format!("{}: no {name}", game.name))?;
        let expected = game.fold.as_ref().map(|_| match sheet.rules.fold.award {
            FoldAward::Forfeited => Folded::Forfeited,
            FoldAward::Kept => Folded::Kept,
        });
        assert_eq!(found.folded, expected, "{}: {name}", sheet.id);
        if game.fold.is_none() {
            assert_eq!(sheet.rules.fold.award, FoldAward::Kept, "{}", sheet.id);
        }
        if sheet.wager_kind == WagerKind::FiveCardHandBonus {
            assert_eq!(found.envy, None, "{}", sheet.id);
        }
    }
    Ok(())
}

/// Every fact names its clause; what isn't printed names where it would stand and where it was taken from.
#[test]
fn every_fact_has_its_source() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for (_, game) in pairs(&catalogue)? {
        let wagers = game.wagers.iter().map(|it| (&it.name, &it.source));
        let steps = game.steps.iter().map(|it| (&it.settles, &it.source));
        let (cards, turns) = (&game.cards.source, &game.turns.source);
        let all = [(&game.name, cards), (&game.title, turns)];
        for (what, source) in wagers.chain(steps).chain(all) {
            let names_clause = |text: &str| text.contains("§ 6") || text.contains("Section 1");
            let is_named = match source {
                Source::Printed(clause) => names_clause(clause),
                Source::Inferred {
                    place,
                    inferred_from,
                } => names_clause(place) && names_clause(inferred_from),
            };
            assert!(
                is_named && !what.is_empty(),
                "{}: {what}: {source:?}",
                game.name
            );
        }
        assert!(
            game.wagers.len() >= 2 && !game.steps.is_empty(),
            "{}",
            game.name
        );
    }
    Ok(())
}
