//! `meterhouse manual`

use std::fs;
use std::path::Path;

use meterhouse_api::manual::ManualPage;
use meterhouse_edge::manual::{markdown, pages};

use super::serve::catalogue;
use crate::cli::ManualArgs;
use crate::failure::Failure;
use crate::output::{out, outln};

pub(crate) fn run(args: &ManualArgs) -> Result<(), Failure> {
    let catalogue = catalogue(args.paytables.as_deref())?;
    let pages = pages(&catalogue);
    match (&args.game, &args.write) {
        (Some(game), _) => {
            let page = pages.values().find(|page| page.game.as_str() == game);
            let unknown = || {
                Failure::Usage(format!(
                    "no paytable is for the game {game:?}: `meterhouse manual` lists the games"
                ))
            };
            out!("{}", markdown(page.ok_or_else(unknown)?));
        }
        (None, Some(folder)) => write(pages.values(), folder)?,
        (None, None) => {
            for game in pages.keys() {
                outln!("{game}");
            }
        }
    }
    Ok(())
}

fn write<'a>(pages: impl Iterator<Item = &'a ManualPage>, folder: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::internal(format!("can't write into {}", folder.display()), error);
    fs::create_dir_all(folder).map_err(failed)?;
    for page in pages {
        let file = folder.join(format!("{}.md", page.game));
        fs::write(file, markdown(page)).map_err(failed)?;
    }
    Ok(())
}
