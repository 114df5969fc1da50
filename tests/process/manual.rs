//! `meterhouse manual`: the pages in `docs/games` match the paytables.

use std::fs;
use std::path::Path;

use crate::program::{folder, run};

const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/games");

/// Every page exists and is current, and no page of a removed game is left.
#[tokio::test]
async fn the_pages_are_current() {
    let written = folder();
    let path = written.path().display().to_string();
    drop(run(&["manual", "--write", &path]).await.with_code(0));
    let listed = run(&["manual"]).await.with_code(0).stdout;
    let games: Vec<&str> = listed.lines().collect();
    assert_eq!(games.len(), 13, "{listed}");
    let files = fs::read_dir(PAGES).expect("docs/games");
    assert_eq!(files.count(), games.len());
    for game in games {
        let file = format!("{game}.md");
        let read = |folder: &Path| fs::read_to_string(folder.join(&file)).unwrap_or_default();
        assert!(
            read(written.path()) == read(Path::new(PAGES)),
            "docs/games/{file} is not current: run `meterhouse manual --write docs/games`"
        );
        let page = run(&["manual", game]).await.with_code(0).stdout;
        assert_eq!(page, read(written.path()));
    }
    let refused = run(&["manual", "old-maid"]).await.with_code(2);
    drop(refused.with_error("lists the games"));
}
