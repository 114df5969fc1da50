//! The games' own files: each exists, and agrees with the paytables for the game.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;

use meterhouse_catalogue::{Catalogue, Folded, GameSheet, Part, Sheet, Source, wager_name};
use meterhouse_domain::command::Holder;
use meterhouse_domain::paytable::FoldAward;

type Outcome = Result<(), Box<dyn Error>>;

/// A game's file, and all paytables for the game.
type Played<'a> = (&'a GameSheet, Vec<&'a Sheet>);

const OURS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games");

/// The cards dealt to a player, to the dealer and to all, with a clause that prints them. Two clauses print only a
/// part: Caribbean Stud Poker's the dealer's five, Texas Hold 'Em's the two cards and the five for all.
const DEALT: [(&str, [usize; 3], &str); 7] = [
    ("caribbean-stud", [5, 5, 0], "§ 639a.10(b)"),
    ("crazy-4-poker", [5, 5, 0], "§ 657a.8(d)"),
    ("four-card-poker", [5, 6, 0], "§ 641a.8(d)"),
    ("let-it-ride", [3, 0, 2], "§ 643a.10(b)"),
    ("mississippi-stud", [2, 0, 3], "§ 655a.10(c)"),
    ("texas-hold-em-bonus", [2, 2, 5], "§ 647a.9(e)"),
    ("ultimate-texas-hold-em", [2, 2, 5], "§ 653a.10(c)"),
];

/// The games that have fixed wagers alone, with their chapter and the cards dealt to a player, the dealer and all.
const FIXED_ALONE: [(&str, &str, Option<[usize; 3]>); 4] = [
    ("cajun-stud", "§ 683a.", Some([2, 0, 3])),
    ("four-card-frenzy", "§ 684a.", Some([5, 5, 0])),
    ("roulette", "§ 617a.", None),
    ("sic-bo", "§ 625a.", None),
];

/// Returns every game with a paytable, by name.
fn games(catalogue: &Catalogue) -> Result<Vec<Played<'_>>, Box<dyn Error>> {
    let names: BTreeSet<_> = catalogue
        .sheets()
        .flat_map(|sheet| sheet.games.iter().map(|game| &game.name))
        .collect();
    let with_sheets = names.into_iter().map(|name| {
        let game = catalogue.game(name);
        let game = game.ok_or_else(|| format!("{name} has no file"))?;
        let is_for = |sheet: &&Sheet| sheet.games.iter().any(|game| game.name == *name);
        Ok((game, catalogue.sheets().filter(is_for).collect()))
    });
    with_sheets.collect()
}

/// Every game with a compiled-in paytable has a file of its name, as have four others.
#[test]
fn every_game_has_its_file() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(OURS)? {
        let path = entry?.path();
        let file = path.file_name().ok_or("no name")?.to_string_lossy();
        let stem = file.strip_suffix(".toml").ok_or("another file")?;
        let text = fs::read_to_string(&path)?;
        let game: GameSheet = toml::from_str(&text)?;
        assert_eq!(game.name, stem);
        let compiled = catalogue.game(&stem.parse()?).ok_or("not compiled in")?;
        assert_eq!(format!("{compiled:?}"), format!("{game:?}"));
        files.insert(stem.to_owned());
    }
    let played = games(&catalogue)?
        .into_iter()
        .map(|played| played.0.name.clone());
    let others = FIXED_ALONE.map(|(game, ..)| game.to_owned());
    assert_eq!(files, played.chain(others).collect());
    Ok(())
}

/// The four others have tables of fixed wagers, and each of their facts names a clause of their chapter. A game of cards
/// has folds and an order of settlement, and one of dice or of a wheel has neither.
#[test]
fn games_of_fixed_wagers_alone_state_their_facts() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for (name, chapter, dealt) in FIXED_ALONE {
        let game = catalogue.game(&name.parse()?).ok_or(name)?;
        let mut tables = catalogue.fixed_sheets();
        assert!(tables.any(|sheet| sheet.game.as_str() == name), "{name}");
        let cards = game.cards.as_ref();
        let cards = cards.map(|cards| [cards.player, cards.dealer, cards.community]);
        assert_eq!(cards, dealt, "{name}");
        let has = [
            game.fold.is_some(),
            game.turns.is_some(),
            !game.steps.is_empty(),
        ];
        assert_eq!(has, [dealt.is_some(); 3], "{name}");
        for wager in &game.wagers {
            assert_eq!(wager.folded.is_some(), dealt.is_some(), "{}", wager.name);
        }
        for (what, source) in facts(game) {
            let Source::Printed(clause) = source else {
                return Err(format!("{name}: {what} is not printed").into());
            };
            assert!(
                clause.starts_with(&format!("58 Pa. Code {chapter}")),
                "{what}"
            );
            assert!(!what.ends_with('.'), "{what}");
        }
    }
    Ok(())
}

/// The cards dealt are those that the paytables' hands are formed of.
#[test]
fn cards_dealt_match_the_paytables_hands() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for (game, sheets) in games(&catalogue)? {
        let cards = game.cards.as_ref().ok_or("no cards")?;
        for sheet in sheets {
            let (rule, id) = (sheet.rules.hand_rule, &sheet.id);
            assert_eq!(cards.player, rule.own(), "{id}: player");
            let (community, dealer) = (rule.community_dealt(), rule.dealt(Holder::Dealer));
            assert!(community.contains(&cards.community), "{id}: community");
            assert!(dealer.contains(&cards.dealer), "{id}: dealer");
        }
    }
    Ok(())
}

#[test]
fn cards_dealt_match_the_clauses() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let dealt: Vec<(&str, [usize; 3])> = games(&catalogue)?
        .into_iter()
        .filter_map(|(game, _)| {
            let cards = game.cards.as_ref()?;
            Some((
                game.name.as_str(),
                [cards.player, cards.dealer, cards.community],
            ))
        })
        .collect();
    assert_eq!(dealt, DEALT.map(|(game, cards, _)| (game, cards)));
    for (game, _, clause) in DEALT {
        let game = catalogue.game(&game.parse()?).ok_or("no file")?;
        let cards = game.cards.as_ref().ok_or("no cards")?;
        let source = format!("{:?}", cards.source);
        assert!(source.contains(clause), "{source}");
    }
    Ok(())
}

/// A fold's effect on a wager equals the paytables'; for inferred effects the manual has a note.
#[test]
fn folds_match_the_paytables() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for (game, sheets) in games(&catalogue)? {
        let somebody_folds = has_folds(game);
        for wager in &game.wagers {
            let is_told = wager.folded.is_some();
            assert_eq!(is_told, somebody_folds, "{}: {}", game.name, wager.name);
        }
        for sheet in sheets {
            let name = wager_name(sheet.wager_kind);
            let wager = game.wagers.iter().find(|wager| wager.name == name);
            let wager = wager.ok_or_else(|| format!("{}: no {name}", game.name))?;
            let award = sheet.rules.fold.award;
            if !somebody_folds {
                assert_eq!(award, FoldAward::Kept, "{}", sheet.id);
                continue;
            }
            let expected = match award {
                FoldAward::Forfeited => Folded::Forfeited,
                FoldAward::Kept => Folded::Kept,
            };
            assert_eq!(wager.folded, Some(expected), "{}", sheet.id);
            let is_inferred = sheet.inferred().any(|gap| gap.what == Part::Fold);
            assert!(!is_inferred || wager.note.is_some(), "{}: note", sheet.id);
        }
    }
    Ok(())
}

/// A fold has an effect on envy exactly if the game has folds and a paytable of the wager gives envy.
#[test]
fn envy_after_a_fold_matches_the_paytables() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for (game, sheets) in games(&catalogue)? {
        for wager in &game.wagers {
            let gives_envy = |sheet: &&Sheet| {
                let lacks_it = sheet.missing().any(|gap| gap.what == Part::Envy);
                lacks_it || !sheet.outline.envy_printed_for.is_empty()
            };
            let mut paying = sheets
                .iter()
                .filter(|sheet| wager_name(sheet.wager_kind) == wager.name);
            let expected = has_folds(game) && paying.any(gives_envy);
            let is_told = wager.envy.is_some();
            assert_eq!(is_told, expected, "{}: {}", game.name, wager.name);
        }
    }
    Ok(())
}

/// Returns the chapter of Pennsylvania that a game's paytables cite, as `§ 657a.`.
fn chapter(sheets: &[&Sheet]) -> Result<String, Box<dyn Error>> {
    let clauses = sheets
        .iter()
        .filter_map(|sheet| sheet.citation.split_once("58 Pa. Code §"));
    let chapters: BTreeSet<&str> = clauses
        .filter_map(|(_, clause)| Some(clause.split_once('.')?.0.trim()))
        .collect();
    let mut chapters = chapters.into_iter();
    match (chapters.next(), chapters.next()) {
        (Some(chapter), None) => Ok(format!("§ {chapter}.")),
        found => Err(format!("one chapter a game: {found:?}").into()),
    }
}

/// Returns every fact of a game with its source.
fn facts(game: &GameSheet) -> Vec<(&str, &Source)> {
    let wagers = game
        .wagers
        .iter()
        .map(|wager| (wager.name.as_str(), &wager.source));
    let steps = game
        .steps
        .iter()
        .map(|step| (step.settles.as_str(), &step.source));
    let rules = game
        .rules
        .iter()
        .map(|rule| (rule.says.as_str(), &rule.source));
    let cards = game.cards.iter().map(|cards| ("cards", &cards.source));
    let folds = game.fold.iter().map(|fold| {
        let who = fold.who.as_deref().unwrap_or("nobody folds");
        (who, &fold.source)
    });
    let turns = game.turns.iter().map(|turns| ("turns", &turns.source));
    let others = cards.chain(folds).chain(turns);
    others.chain(wagers).chain(steps).chain(rules).collect()
}

/// Returns true if a player of the game can fold.
fn has_folds(game: &GameSheet) -> bool {
    game.fold.as_ref().is_some_and(|fold| fold.who.is_some())
}

/// Every fact names its clause, in the game's own chapter. A fact that isn't printed names the clause that would
/// print it and the clause it was taken from.
#[test]
fn every_fact_has_its_source() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for (game, sheets) in games(&catalogue)? {
        let own = chapter(&sheets)?;
        let massachusetts = "Massachusetts Gaming Commission, Rules of Crazy 4 Poker, Section 1";
        let is_played_there = sheets.iter().any(|sheet| sheet.jurisdiction == "MA");
        let names_own =
            |text: &str| text.contains(&own) || is_played_there && text.starts_with(massachusetts);
        for (what, source) in facts(game) {
            let is_named = match source {
                Source::Printed(clause) => names_own(clause),
                Source::Inferred {
                    place,
                    inferred_from,
                } => names_own(place) && inferred_from.contains("§ 6") && place != inferred_from,
            };
            assert!(is_named, "{}: {what}: {source:?}", game.name);
            assert!(!what.is_empty(), "{}: {source:?}", game.name);
        }
    }
    Ok(())
}

/// Every game's file answers the same questions from its own chapter, and each question once, and from both jurisdictions
/// if both play the game.
#[test]
fn every_game_has_its_rules() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for (game, sheets) in games(&catalogue)? {
        let about: Vec<&str> = game.rules.iter().map(|rule| rule.about.as_str()).collect();
        for common in ["Bets", "Several lines", "Percentages"] {
            assert!(about.contains(&common), "{}: {common}", game.name);
        }
        let once: BTreeSet<&&str> = about.iter().collect();
        assert_eq!(once.len(), about.len(), "{}: {about:?}", game.name);
        let jurisdictions: BTreeSet<&str> = sheets
            .iter()
            .map(|sheet| sheet.jurisdiction.as_str())
            .collect();
        for rule in &game.rules {
            let source = format!("{:?}", rule.source);
            let (pa, ma) = (
                source.contains("58 Pa. Code"),
                source.contains("Massachusetts"),
            );
            let named = (jurisdictions.contains("PA"), jurisdictions.contains("MA"));
            assert_eq!((pa, ma), named, "{}: {source}", game.name);
            assert!(!rule.says.ends_with('.'), "{}: {}", game.name, rule.says);
        }
    }
    Ok(())
}
