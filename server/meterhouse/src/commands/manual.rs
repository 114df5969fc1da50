//! `meterhouse manual`

use std::fs;
use std::path::Path;

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::name::GameName;
use meterhouse_edge::manual::{games, markdown, page};

use super::evaluate::usage;
use super::serve::catalogue;
use crate::cli::ManualArgs;
use crate::failure::Failure;

pub(crate) fn run(args: &ManualArgs) -> Result<(), Failure> {
    let catalogue = catalogue(args.paytables.as_deref())?;
    match (&args.game, &args.write) {
        (Some(game), _) => print!("{}", page_of(&catalogue, game)?),
        (None, Some(folder)) => write(&catalogue, folder)?,
        (None, None) => {
            for game in games(&catalogue) {
                println!("{game}");
            }
        }
    }
    Ok(())
}

fn page_of(catalogue: &Catalogue, game: &str) -> Result<String, Failure> {
    let unknown = || {
        Failure::Usage(format!(
            "no paytable is for the game {game:?}: `meterhouse manual` lists the games"
        ))
    };
    let name: GameName = game.parse().map_err(|_| unknown())?;
    let found = page(catalogue, &name).map_err(|error| usage(&error))?;
    found.as_ref().map(markdown).ok_or_else(unknown)
}

fn write(catalogue: &Catalogue, folder: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::internal(format!("can't write into {}", folder.display()), error);
    fs::create_dir_all(folder).map_err(failed)?;
    for game in games(catalogue) {
        let file = folder.join(format!("{game}.md"));
        fs::write(file, page_of(catalogue, game.as_str())?).map_err(failed)?;
    }
    Ok(())
}
