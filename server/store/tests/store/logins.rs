//! Passwords, codes and second factors: what counts when changes come at the same time.

use meterhouse_domain::ids::Timestamp;
use meterhouse_store::{
    ACTS_MAX, AccessChange, ActFilter, Changed, NewAct, NewActor, Only, Proven, Store, StoreError,
};

use crate::common::{NOW, World};

const CODE: [u8; 32] = [7; 32];

async fn change(store: &Store, at: i64, change: &AccessChange) -> Result<Changed, StoreError> {
    let nobody_vouches = |_: &_, _: &_| Ok(None);
    store
        .change_access(Timestamp(at), Only::Always, change, None, &nobody_vouches)
        .await
}

fn password(hash: &str, proven: Proven) -> AccessChange {
    AccessChange::Password {
        name: "ana".to_owned(),
        hash: hash.to_owned(),
        proven,
    }
}

/// Admits Ana, who sets a password by a code.
async fn admitted(store: &Store) -> Result<Option<Timestamp>, StoreError> {
    let code = AccessChange::Code {
        who: NewActor {
            name: "ana".to_owned(),
            role: "auditor".to_owned(),
            table_name: None,
            link_name: None,
            department: None,
            rights: None,
        },
        code: CODE,
        expires_at: Timestamp(NOW + 1_000),
    };
    change(store, NOW, &code).await?;
    let set = password("first", Proven::Code(CODE));
    change(store, NOW + 1, &set).await?;
    set_at(store).await
}

/// Returns when Ana set her password, `None` if she has none.
async fn set_at(store: &Store) -> Result<Option<Timestamp>, StoreError> {
    let person = store.find_person("ana").await?;
    let password = person.and_then(|person| person.password);
    Ok(password.map(|password| password.set_at))
}

/// A code is used once and a password proves itself as long as it is the newest, even if both were right before.
#[tokio::test]
async fn a_proof_counts_once_it_is_checked_again() {
    let world = World::new().await;
    let store = world.store().await;
    let first = admitted(&store).await.unwrap().unwrap();
    let again = change(&store, NOW + 2, &password("by code", Proven::Code(CODE))).await;
    assert!(matches!(again, Err(StoreError::NotProven)), "{again:?}");
    let second = password("second", Proven::Password(first));
    change(&store, NOW + 3, &second).await.unwrap();
    let late = change(&store, NOW + 4, &password("third", Proven::Password(first))).await;
    assert!(matches!(late, Err(StoreError::NotProven)), "{late:?}");
    let session = |proven| AccessChange::Session {
        name: "ana".to_owned(),
        session: [9; 32],
        expires_at: Timestamp(NOW + 1_000),
        proven,
    };
    let old = change(&store, NOW + 5, &session(Proven::Password(first))).await;
    assert!(matches!(old, Err(StoreError::NotProven)), "{old:?}");
    let newest = Proven::Password(set_at(&store).await.unwrap().unwrap());
    change(&store, NOW + 6, &session(newest)).await.unwrap();
    let end = AccessChange::Access {
        name: "ana".to_owned(),
        is_ended: true,
    };
    change(&store, NOW + 7, &end).await.unwrap();
    let ended = change(&store, NOW + 8, &session(newest)).await;
    assert!(matches!(ended, Err(StoreError::NotProven)), "{ended:?}");
}

/// The change that was made last counts, whatever the clock of its node says.
#[tokio::test]
async fn the_last_change_counts_by_any_clock() {
    let world = World::new().await;
    let store = world.store().await;
    let first = admitted(&store).await.unwrap().unwrap();
    let behind = password("second", Proven::Password(first));
    change(&store, NOW - 60_000_000, &behind).await.unwrap();
    let person = store.find_person("ana").await.unwrap().unwrap();
    assert_eq!(person.password.unwrap().hash, "second");
    for (at, is_ended) in [(NOW, true), (NOW - 1, false), (NOW - 1, true)] {
        let access = AccessChange::Access {
            name: "ana".to_owned(),
            is_ended,
        };
        change(&store, at, &access).await.unwrap();
        let person = store.find_person("ana").await.unwrap().unwrap();
        assert_eq!(person.is_ended, is_ended);
    }
}

/// A full page of acts tells that there are more.
#[tokio::test]
async fn a_full_page_of_acts_has_one_more() {
    let world = World::new().await;
    let store = world.store().await;
    let act = NewAct {
        act: "request",
        ..NewAct::default()
    };
    let acts = vec![act; ACTS_MAX + 2];
    store.record_acts(Timestamp(NOW), &acts).await.unwrap();
    let filter = ActFilter::default();
    let page = store.acts(&filter, None, ACTS_MAX + 1).await.unwrap();
    assert_eq!(page.len(), ACTS_MAX + 1);
}
