//! Tests of a group alone: what its members are sent, and when displays join and leave.

use std::time::Duration;

use tokio::time::timeout;

use super::*;
use crate::feed::listener::tests::{
    BEHIND_MAX, Fixture, Resubscription, changed, describe, fixture, snapshot, terms,
};

/// Returns a listener on the feed of a fixture, behind a snapshot of this batch that was sent.
fn listener(feed: &Fixture, batch: u64) -> Listener {
    let subscribe = {
        let (meters, happenings) = (feed.meters.clone(), feed.happenings.clone());
        let confirmed = Arc::clone(&feed.confirmed);
        move |batch, beginning| Subscription {
            terms: terms(),
            beginning,
            contained: Position::behind(batch),
            batch,
            meters: meters.subscribe(),
            happenings: happenings.subscribe(),
            confirmed: Arc::clone(&confirmed),
        }
    };
    let first = subscribe(batch, VecDeque::new());
    let again = move || {
        let subscription = subscribe(130, VecDeque::from([snapshot(130)]));
        async move { Ok(subscription) }
    };
    Listener::new(first, again, feed.stopping.clone(), None)
}

fn feed() -> Fixture {
    fixture(Vec::new(), Resubscription::Immediate)
}

/// Returns the messages of a group until none is left, by the members that are sent them.
async fn sent(group: &mut Group, members: &mut [&mut Member]) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new(); members.len()];
    while let Some(item) = next(group, members.len()).await {
        for (member, sent) in members.iter_mut().zip(&mut all) {
            if member.takes(&item) {
                sent.push(describe(&item));
            }
        }
    }
    all
}

/// Returns the next message of a group that is no heartbeat, if there is one.
async fn next(group: &mut Group, members: usize) -> Option<Arc<FeedItem>> {
    let message = timeout(Duration::ZERO, group.next(members)).await.ok()?;
    match message.expect("a message") {
        DisplayMessage::Item(item, _) => Some(item),
        other => panic!("{other:?}"),
    }
}

/// Returns the next message of a listener, in one word.
async fn heard(listener: &mut Listener) -> String {
    match listener.next().await.expect("a message") {
        DisplayMessage::Item(item, _) => describe(&item),
        other => panic!("{other:?}"),
    }
}

fn refused(group: &mut Group, joining: Listener) -> Listener {
    let Err(listener) = group.join(joining) else {
        panic!("it has joined")
    };
    *listener
}

#[tokio::test(start_paused = true)]
async fn members_are_sent_what_their_own_snapshots_do_not_contain() {
    let feed = feed();
    let (mut group, mut first) = Group::of(listener(&feed, 120));
    let mut newer = group.join(listener(&feed, 122)).ok().expect("joined");
    feed.send_event(changed(121, 0));
    let mut members = [&mut first, &mut newer];
    let events = sent(&mut group, &mut members).await;
    assert_eq!(events, [vec!["121.0"], vec![]]);
    feed.send_event(changed(123, 0));
    feed.send_amounts(122);
    let events = sent(&mut group, &mut members).await;
    assert_eq!(events, [vec!["123.0", "meters 122"], vec!["123.0"]]);
}

/// The snapshot of the first member is newer than what the feed has sent. The other one needs the events between.
#[tokio::test(start_paused = true)]
async fn a_display_with_an_older_snapshot_is_sent_all_events() {
    let feed = feed();
    let (mut group, mut first) = Group::of(listener(&feed, 125));
    // Its amounts are as new as those of the first.
    let mut older = listener(&feed, 125);
    older.subscription.contained = Position::behind(121);
    let mut older = group.join(older).ok().expect("joined");
    feed.send_event(changed(123, 0));
    feed.send_event(changed(126, 0));
    let mut members = [&mut first, &mut older];
    let events = sent(&mut group, &mut members).await;
    assert_eq!(events, [vec!["126.0"], vec!["123.0", "126.0"]]);
}

#[tokio::test(start_paused = true)]
async fn a_display_joins_only_where_its_group_is() {
    let feed = feed();
    let (mut group, mut first) = Group::of(listener(&feed, 120));
    let waiting = listener(&feed, 120);
    feed.send_event(changed(121, 0));
    let waiting = refused(&mut group, waiting);
    let behind = listener(&feed, 121);
    let behind = refused(&mut group, behind);
    assert_eq!(sent(&mut group, &mut [&mut first]).await, [["121.0"]]);
    let mut waiting = refused(&mut group, waiting);
    assert_eq!(heard(&mut waiting).await, "121.0");
    assert!(group.join(waiting).is_ok() && group.join(behind).is_ok());

    feed.send_amounts(122);
    assert_eq!(sent(&mut group, &mut [&mut first]).await, [["meters 122"]]);
    let older_amounts = listener(&feed, 121);
    drop(refused(&mut group, older_amounts));
    let mut floor = listener(&feed, 122);
    floor.display.audience = crate::feed::audience::Audience::Floor;
    drop(refused(&mut group, floor));
    let another = self::feed();
    drop(refused(&mut group, listener(&another, 122)));
}

#[tokio::test(start_paused = true)]
async fn a_member_that_leaves_goes_on_behind_what_it_was_sent() {
    let feed = feed();
    let (mut group, mut first) = Group::of(listener(&feed, 120));
    let mut leaving = group.join(listener(&feed, 120)).ok().expect("joined");
    feed.send_event(changed(121, 0));
    let events = sent(&mut group, &mut [&mut first, &mut leaving]).await;
    assert_eq!(events[1], ["121.0"]);
    feed.send_event(changed(122, 0));
    // An event is under way to the group, so that the member can't go yet.
    let mut leaving = group.leave(Box::new(leaving)).err().expect("it waits");
    let item = next(&mut group, 1).await.expect("the event");
    leaving.owe(&item);
    feed.send_amounts(122);
    let item = next(&mut group, 1).await.expect("the amounts");
    leaving.owe(&item);
    let mut alone = group.leave(leaving).ok().expect("it goes");
    feed.send_event(changed(123, 0));
    assert_eq!(heard(&mut alone).await, "122.0");
    assert_eq!(heard(&mut alone).await, "123.0");
    assert_eq!(heard(&mut alone).await, "meters 122", "the newest amounts");
    feed.send_amounts(124);
    assert_eq!(heard(&mut alone).await, "meters 124");
    assert_eq!(sent(&mut group, &mut [&mut first]).await[0][0], "123.0");
    assert!(group.join(alone).is_ok(), "it joins again");
}

#[tokio::test(start_paused = true)]
async fn a_member_that_is_owed_too_much_gets_a_new_snapshot() {
    let feed = feed();
    let (group, mut member) = Group::of(listener(&feed, 120));
    for index in 0..=NOTABLE_EVENTS_BEHIND_MAX {
        member.owe(&changed(121, u32::try_from(index).expect("few")));
    }
    let mut alone = group.leave(Box::new(member)).ok().expect("it goes");
    assert_eq!(heard(&mut alone).await, "snapshot 130");
}

#[tokio::test(start_paused = true)]
async fn a_group_that_falls_behind_sends_a_snapshot_to_all() {
    let feed = feed();
    let (mut group, mut first) = Group::of(listener(&feed, 120));
    let mut newer = group.join(listener(&feed, 140)).ok().expect("joined");
    for index in 0..=BEHIND_MAX {
        feed.send_event(changed(121, u32::try_from(index).expect("few")));
    }
    let mut members = [&mut first, &mut newer];
    let events = sent(&mut group, &mut members).await;
    assert_eq!(events, [["snapshot 130"], ["snapshot 130"]]);
    feed.send_amounts(135);
    feed.send_event(changed(129, 0));
    let events = sent(&mut group, &mut members).await;
    assert_eq!(events, [vec!["meters 135"], vec![]], "never older ones");
}

#[tokio::test(start_paused = true)]
async fn members_leave_a_server_that_stops() {
    let feed = feed();
    let (mut group, member) = Group::of(listener(&feed, 120));
    feed.send_event(changed(121, 0));
    feed.stopping.cancel();
    let message = group.next(1).await.expect("a message");
    assert!(matches!(message, DisplayMessage::Stopping), "{message:?}");
    let mut alone = group.leave(Box::new(member)).ok().expect("it goes");
    assert!(!alone.can_join());
    let message = alone.next().await.expect("a message");
    assert!(matches!(message, DisplayMessage::Stopping), "{message:?}");
}
