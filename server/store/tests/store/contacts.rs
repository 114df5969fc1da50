//! Last contacts of tables (CONFORMANCE 46).

use meterhouse_domain::ids::{LinkId, TableNo, Timestamp};
use meterhouse_store::{CONTACTS_MAX, Contact};

use crate::common::{NOW, World};

fn contact(link: i32, table: u32, moment: i64, heartbeats: bool) -> Contact {
    Contact {
        link: LinkId(link),
        table: TableNo(table),
        heard_at: Timestamp(NOW + moment),
        heartbeats,
    }
}

/// CONFORMANCE 46: the latest time stays, and so does `heartbeats`, whichever node records them in
/// which order.
#[tokio::test]
async fn the_latest_contact_stays() {
    let world = World::new().await;
    let (one, other) = (world.store().await, world.store().await);
    one.note_contacts(&[]).await.unwrap();
    assert_eq!(one.contacts().await.unwrap(), []);
    let first = [
        contact(1, 2, 5, false),
        contact(2, 1, 1, true),
        contact(1, 2, 7, true),
        contact(1, 1, 3, false),
        contact(1, 2, 6, false),
    ];
    one.note_contacts(&first).await.unwrap();
    let noted = one.contacts().await.unwrap();
    let second = contact(2, 1, 1, true);
    let expected = [contact(1, 1, 3, false), contact(1, 2, 7, true), second];
    assert_eq!(noted, expected);
    // Late contacts of another node, a first heartbeat, and a new table.
    let late = [
        contact(1, 1, 2, true),
        contact(1, 2, 6, false),
        contact(1, 3, 9, false),
    ];
    other.note_contacts(&late).await.unwrap();
    let noted = one.contacts().await.unwrap();
    let expected = [
        contact(1, 1, 3, true),
        contact(1, 2, 7, true),
        contact(1, 3, 9, false),
        second,
    ];
    assert_eq!(noted, expected);
}

/// A contact with nothing new writes nothing. Only the application's own rights are needed, and no
/// right to delete.
#[tokio::test]
async fn an_old_contact_writes_nothing() {
    let world = World::new().await;
    let store = world.store().await;
    let contacts = [contact(1, 1, 3, true)];
    store.note_contacts(&contacts).await.unwrap();
    let version = "SELECT xmin::text::bigint FROM table_contact";
    let before = world.number(version).await;
    store.note_contacts(&contacts).await.unwrap();
    store
        .note_contacts(&[contact(1, 1, 2, false)])
        .await
        .unwrap();
    assert_eq!(world.number(version).await, before);
    world
        .run_as_app("DELETE FROM table_contact")
        .await
        .unwrap_err();
}

/// Two nodes that record the same tables in opposite orders never block each other. More tables
/// than one statement takes are recorded and listed completely, though a page ends within a link.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_record_the_same_contacts_concurrently() {
    let world = World::new().await;
    let (one, other) = (world.store().await, world.store().await);
    let tables = u32::try_from(CONTACTS_MAX).unwrap() / 4 + 125;
    let all = || (1..=4).flat_map(move |link| (1..=tables).map(move |table| (link, table)));
    for round in 0..5 {
        let upward: Vec<Contact> = all()
            .map(|(link, table)| contact(link, table, 2 * round, false))
            .collect();
        let downward: Vec<Contact> = all()
            .rev()
            .map(|(link, table)| contact(link, table, 2 * round + 1, true))
            .collect();
        let (up, down) = tokio::join!(one.note_contacts(&upward), other.note_contacts(&downward));
        up.unwrap();
        down.unwrap();
    }
    let noted = one.contacts().await.unwrap();
    let expected: Vec<Contact> = all()
        .map(|(link, table)| contact(link, table, 9, true))
        .collect();
    assert_eq!(noted, expected);
}
