//! Actors and tokens.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_store::{AccessChange, ActorRow, NewActor, NewToken, Only, Store, StoreError};

use crate::common::{NOW, World};

fn actor(name: &str, role: &str) -> NewActor {
    NewActor {
        name: name.to_owned(),
        role: role.to_owned(),
        table_name: None,
        link_name: None,
        department: None,
        rights: None,
    }
}

/// Admits an actor, if the name is new, and adds a token without a voucher.
async fn create_token(
    store: &Store,
    who: &NewActor,
    token: &NewToken,
) -> Result<ActorRow, StoreError> {
    let change = AccessChange::Token {
        who: who.clone(),
        token: token.clone(),
    };
    let nobody_vouches = |_: &_, _: &_| Ok(None);
    let (at, only) = (token.created_at, Only::Always);
    let changed = store.change_access(at, only, &change, None, &nobody_vouches);
    Ok(changed.await?.actor)
}

/// A name stays in its department, and a token carries the department, because some actions need
/// two departments.
#[tokio::test]
async fn a_token_carries_the_department() {
    let world = World::new().await;
    let store = world.store().await;
    let of = |department: &str| NewActor {
        department: Some(department.to_owned()),
        ..actor("ana", "manager")
    };
    let ana = create_token(&store, &of("surveillance"), &token(1, None))
        .await
        .unwrap();
    let found = store.find_token(&[1; 32], Timestamp(NOW)).await.unwrap();
    let found = found.unwrap().actor;
    assert_eq!(found, ana);
    assert_eq!(found.who.department.as_deref(), Some("surveillance"));
    for other in [of("table-games"), actor("ana", "manager")] {
        let again = create_token(&store, &other, &token(2, None)).await;
        assert!(matches!(again, Err(StoreError::ActorDiffers { .. })));
    }
}

/// A name keeps its rights.
#[tokio::test]
async fn a_name_keeps_its_rights() {
    let world = World::new().await;
    let store = world.store().await;
    let of = |name: &str, rights: &str| NewActor {
        rights: Some(rights.to_owned()),
        ..actor(name, "supervisor")
    };
    let cashier = create_token(&store, &of("cash", "pay"), &token(1, None))
        .await
        .unwrap();
    let found = store.find_token(&[1; 32], Timestamp(NOW)).await.unwrap();
    assert_eq!(found.unwrap().actor, cashier);
    assert_eq!(cashier.who.rights.as_deref(), Some("pay"));
    for other in [of("cash", "validate,pay"), actor("cash", "supervisor")] {
        let again = create_token(&store, &other, &token(2, None)).await;
        assert!(matches!(again, Err(StoreError::ActorDiffers { .. })));
    }
}

fn token(byte: u8, expires_at: Option<i64>) -> NewToken {
    let expires_at = expires_at.map(Timestamp);
    NewToken {
        hash: [byte; 32],
        created_at: Timestamp(NOW + i64::from(byte)),
        expires_at,
    }
}

/// A token is valid until it is revoked or expired. A name keeps its properties.
#[tokio::test]
async fn a_token_is_valid_until_it_is_revoked_or_expired() {
    let world = World::new().await;
    let store = world.store().await;
    let now = Timestamp(NOW + 1_000);
    let ana = create_token(&store, &actor("ana", "manager"), &token(1, None))
        .await
        .unwrap();
    assert_ne!(ana.actor, ActorId(1));
    let expiring = token(2, Some(NOW + 2_000));
    let again = create_token(&store, &actor("ana", "manager"), &expiring).await;
    assert_eq!(again.unwrap(), ana);
    let other = create_token(&store, &actor("ana", "auditor"), &token(3, None)).await;
    assert!(matches!(other, Err(StoreError::ActorDiffers { name }) if name == "ana"));
    let unknown = create_token(&store, &actor("eve", "king"), &token(4, None)).await;
    assert_eq!(unknown.unwrap_err().constraint(), Some("actor_role_known"));

    let found = store.find_token(&[1; 32], now).await.unwrap();
    assert_eq!(found.map(|found| found.actor).as_ref(), Some(&ana));
    let found = store.find_token(&[2; 32], now).await.unwrap();
    assert_eq!(found.map(|found| found.actor).as_ref(), Some(&ana));
    assert_eq!(
        store
            .find_token(&[2; 32], Timestamp(NOW + 2_000))
            .await
            .unwrap(),
        None
    );
    assert_eq!(store.find_token(&[3; 32], now).await.unwrap(), None);

    let listed = store.list_tokens(("", Timestamp(0)), 1).await.unwrap();
    let after = (listed[0].actor.who.name.as_str(), listed[0].created_at);
    let rest = store.list_tokens(after, 10).await.unwrap();
    assert_eq!((listed.len(), rest.len()), (1, 1));
    assert_eq!(store.revoke_tokens("ana", now).await.unwrap(), 2);
    assert_eq!(store.revoke_tokens("ana", now).await.unwrap(), 0);
    assert_eq!(store.find_token(&[1; 32], now).await.unwrap(), None);
    let names = store
        .actor_names(&[ana.actor, ActorId(1), ActorId(99)])
        .await
        .unwrap();
    assert_eq!(names.len(), 2);
}
