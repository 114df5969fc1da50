//! The displays that are up to date, in groups: a message is written to all sockets of a group in one loop.
//!
//! # Shape
//! A [`LoneDisplay`] has a task and a listener of its own. After a second, if it was sent what there is, it joins a group of
//! its link and audience, of which there are as many as the runtime has workers. A group is one task with one listener: it
//! writes the same bytes to each socket, without waiting, and reads from those that have sent something. A display
//! leaves, and is alone again, if its socket is full, or its token or session has to be checked. Connections with TLS
//! stay alone.
//!
//! # Limits
//! [`WRITES_AT_ONCE`], [`JOINING_MAX`], [`GATHER_MAX`]. A display in a group has no message waiting: one that can't
//! take a message whole is alone from there on, with the limit of
//! [`WRITE_MAX`](meterhouse_engine::feed::writes::WRITE_MAX).
//!
//! # Order
//! A group has its listener's order: see [`Group`]. Displays join between two messages.

mod display;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use meterhouse_domain::ids::LinkName;
use meterhouse_engine::answer::NotExecuted;
use meterhouse_engine::feed::audience::Audience;
use meterhouse_engine::feed::group::Group;
use meterhouse_engine::feed::listener::{DisplayMessage, Listener};
use tokio::io::AsyncWriteExt as _;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::task::yield_now;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_util::task::task_tracker::TaskTrackerToken;

use self::display::{Course, GroupDisplay};
use super::frame::{Outgoing, is_second};
use super::session::{Served, Session};
use crate::socket::{Socket, plain};

/// Number of displays to which a group writes before other tasks of its worker run.
const WRITES_AT_ONCE: usize = 128;
/// Maximum number of displays that wait to join a group. Another one tries again a second later.
const JOINING_MAX: usize = 1_024;
/// Maximum time for which a heartbeat waits for amounts, to be written with them. Writing costs the most of a display, and
/// amounts come every 100 ms while tables play.
const GATHER_MAX: Duration = Duration::from_millis(100);

/// A display with a task and a listener of its own.
pub(super) struct LoneDisplay {
    pub(super) session: Session<WebSocketStream<Socket>>,
    pub(super) listener: Listener,
    pub(super) groups: Groups,
    /// Set if a group was not where the display is. It tries again after the next message.
    pub(super) was_refused: bool,
    /// The stop of the server waits for the display while it is held.
    pub(super) open: TaskTrackerToken,
}

/// The groups of a server.
#[derive(Clone, Default)]
pub(crate) struct Groups {
    shared: Arc<OpenGroups>,
}

#[derive(Default)]
struct OpenGroups {
    joining: Mutex<HashMap<Key, mpsc::Sender<Box<LoneDisplay>>>>,
    /// The number of displays that have joined, which spreads them over the groups of a link.
    joined: AtomicUsize,
}

/// The key of a group: its link, its audience and its number.
type Key = (LinkName, Audience, usize);

impl LoneDisplay {
    /// Serves the display until it ends or joins a group.
    pub(super) async fn run(mut self) {
        while let Ok(served) = self.session.serve(&mut self.listener).await {
            if served == Served::Second || self.was_refused {
                self.was_refused = false;
                match self.join() {
                    None => return,
                    Some(alone) => self = alone,
                }
            }
        }
    }

    /// Serves a display that has left a group.
    async fn resume(mut self, unsent: Bytes) {
        let sending = self.session.socket.get_mut().write_all(&unsent);
        if !matches!(self.session.writes.taken(sending).await, Some(Ok(()))) {
            return;
        }
        if !self.listener.is_allowed().await {
            self.session.refuse().await;
            return;
        }
        // A display whose socket was full is alone for a second at least.
        let alone = if unsent.is_empty() {
            self.join()
        } else {
            Some(self)
        };
        if let Some(alone) = alone {
            alone.run().await;
        }
    }

    /// Joins a group. Returns the display if it can't.
    fn join(self) -> Option<Self> {
        let is_plain = plain(self.session.socket.get_ref()).is_some();
        if is_plain && self.listener.can_join() {
            let groups = self.groups.clone();
            groups.take(Box::new(self)).map(|alone| *alone)
        } else {
            Some(self)
        }
    }
}

impl Groups {
    /// Locks the open groups. No code awaits or panics while the lock is held, so a poisoned lock is ignored.
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, mpsc::Sender<Box<LoneDisplay>>>> {
        let joining = self.shared.joining.lock();
        joining.unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes a display to a group, or makes one of it. Returns the display if too many wait.
    fn take(&self, mut display: Box<LoneDisplay>) -> Option<Box<LoneDisplay>> {
        let joined = self.shared.joined.fetch_add(1, Ordering::Relaxed);
        let number = joined % Handle::current().metrics().num_workers().max(1);
        let link = display.listener.link().clone();
        let key = (link, display.listener.audience(), number);
        let mut open = self.lock();
        if let Some(group) = open.get(&key) {
            match group.try_send(display) {
                Ok(()) => return None,
                Err(TrySendError::Full(back)) => return Some(back),
                // The task of the group has panicked.
                Err(TrySendError::Closed(back)) => display = back,
            }
        }
        let (to_group, joining) = mpsc::channel(JOINING_MAX);
        open.insert(key.clone(), to_group);
        drop(open);
        tokio::spawn(GroupTask::of(*display, joining, key).run());
        None
    }
}

/// The task of a group.
#[expect(
    clippy::vec_box,
    reason = "displays move from one list to the other, and are some hundred bytes"
)]
struct GroupTask {
    group: Group,
    displays: Vec<Box<GroupDisplay>>,
    /// Displays that leave as soon as the group is at the end of the events.
    leaving: Vec<Box<GroupDisplay>>,
    /// Set if there were messages since the last heartbeat.
    is_lively: bool,
    joining: mpsc::Receiver<Box<LoneDisplay>>,
    groups: Groups,
    key: Key,
}

impl GroupTask {
    /// Makes a group of one display.
    fn of(first: LoneDisplay, joining: mpsc::Receiver<Box<LoneDisplay>>, key: Key) -> Self {
        let (group, member) = Group::of(first.listener);
        let display = GroupDisplay::new(first.session, member, first.open);
        Self {
            group,
            displays: vec![Box::new(display)],
            leaving: Vec::new(),
            is_lively: false,
            joining,
            groups: first.groups,
            key,
        }
    }

    /// Serves the displays until none is left, or the group can't go on.
    async fn run(mut self) {
        while !(self.displays.is_empty() && self.leaving.is_empty()) {
            tokio::select! {
                biased;
                Some(display) = self.joining.recv() => self.join(display),
                message = self.group.next(self.displays.len()) => match message {
                    Ok(message) => if self.send_gathered(message).await.is_err() { break },
                    Err(_) => break,
                },
            }
            self.let_go();
        }
        self.groups.lock().remove(&self.key);
        // No display follows those that wait by now.
        while let Ok(display) = self.joining.try_recv() {
            tokio::spawn(display.run());
        }
    }

    fn join(&mut self, display: Box<LoneDisplay>) {
        let LoneDisplay {
            session,
            listener,
            groups,
            open,
            ..
        } = *display;
        match self.group.join(listener) {
            Ok(member) => {
                let display = GroupDisplay::new(session, member, open);
                self.displays.push(Box::new(display));
            }
            Err(listener) => {
                let alone = LoneDisplay {
                    session,
                    listener: *listener,
                    groups,
                    was_refused: true,
                    open,
                };
                tokio::spawn(alone.run());
            }
        }
    }

    /// Sends a message, and a heartbeat together with the message after it.
    async fn send_gathered(&mut self, first: DisplayMessage) -> Result<(), NotExecuted> {
        let waits = is_second(&first) && self.is_lively;
        self.is_lively = !is_second(&first);
        let mut outgoing = Outgoing::default();
        outgoing.add(first);
        if waits {
            let next = self.group.next(self.displays.len());
            if let Ok(next) = timeout(GATHER_MAX, next).await {
                outgoing.add(next?);
                self.is_lively = true;
            }
        }
        self.send(outgoing).await;
        Ok(())
    }

    /// Writes to all displays.
    async fn send(&mut self, mut outgoing: Outgoing) {
        if let Some(DisplayMessage::Item(item, _)) = &outgoing.message {
            for display in &mut self.leaving {
                display.member.owe(item);
            }
        }
        let mut now = Instant::now();
        let (mut index, mut written) = (0, 0);
        while let Some(display) = self.displays.get_mut(index) {
            match display.send(&mut outgoing, now) {
                Course::Stays => index += 1,
                Course::Leaves => {
                    let display = self.displays.swap_remove(index);
                    self.leaving.push(display);
                }
                Course::Ends => drop(self.displays.swap_remove(index)),
            }
            written += 1;
            if written % WRITES_AT_ONCE == 0 {
                yield_now().await;
                now = Instant::now();
            }
        }
    }

    /// Lets the displays that leave go on alone, if the group is at the end of the events.
    fn let_go(&mut self) {
        for display in std::mem::take(&mut self.leaving) {
            let GroupDisplay {
                session,
                member,
                unsent,
                open,
            } = *display;
            match self.group.leave(member) {
                Ok(listener) => {
                    let alone = LoneDisplay {
                        session,
                        listener,
                        groups: self.groups.clone(),
                        was_refused: false,
                        open,
                    };
                    tokio::spawn(alone.resume(unsent));
                }
                Err(member) => self.leaving.push(Box::new(GroupDisplay {
                    session,
                    member,
                    unsent,
                    open,
                })),
            }
        }
    }
}
