//! Pictures of themes.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_domain::presentation::{Theme, ThemeName};
use meterhouse_domain::theme::{Artwork, ArtworkKind, Colour, Currency, OwnTheme};

use crate::common::{NOW, World};

const HOUR: i64 = 3_600_000_000;

/// A picture that a theme had for long is there for an hour after the theme has another one, for signs that are loading it.
#[tokio::test]
async fn a_replaced_picture_stays_for_an_hour() {
    let world = World::new().await;
    let store = world.store().await;
    let name: ThemeName = "crown-room".parse().unwrap();
    let look = OwnTheme {
        base: Theme::Gold,
        name: None,
        locale: None,
        currency: Currency::Sign,
        colours: Vec::new(),
        levels: Vec::new(),
    };
    let by = |at| (ActorId(1), Timestamp(at));
    let picture = |first: u8| {
        let artwork = Artwork {
            digest: [first; 32],
            width: 1,
            height: 1,
            brightest: Colour::new(0, 0, 0),
        };
        (artwork, vec![first])
    };
    drop(store.put_theme(&name, by(NOW), &look).await.unwrap());
    let logo = (&name, ArtworkKind::Logo);
    let replaced = NOW + 24 * HOUR;
    for (first, at) in [(1, NOW), (2, replaced), (3, replaced + HOUR)] {
        let new = picture(first);
        drop(store.set_artwork(logo, by(at), Some(&new)).await.unwrap());
        assert_eq!(store.artwork([1; 32]).await.unwrap(), Some(vec![1]));
    }
    let after = by(replaced + HOUR + 1);
    drop(store.set_artwork(logo, after, None).await.unwrap());
    assert_eq!(store.artwork([1; 32]).await.unwrap(), None);
    assert_eq!(store.artwork([2; 32]).await.unwrap(), Some(vec![2]));
    assert_eq!(store.artwork([3; 32]).await.unwrap(), Some(vec![3]));
    drop(store.delete_theme(&name, after).await.unwrap());
    assert_eq!(store.artwork([3; 32]).await.unwrap(), Some(vec![3]));
}
