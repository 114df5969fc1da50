//! What a connection's parts know of it together.
//!
//! # Shape
//! The socket notes that bytes come and go, the service that a head was whole, and the task that runs both looks at it
//! when neither goes on: nobody looks at a clock for a request that comes whole.
//!
//! # Order
//! One task runs all three, so nothing is ordered between them. Only what others tell is: it is said before the task is
//! woken.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32};
use std::task::Waker;

use futures_util::task::AtomicWaker;

/// Between two requests.
const IDLE: u8 = 0;
/// A head is coming.
const HEAD: u8 = 1;
/// A whole head has come, and nothing was answered yet.
const ASKED: u8 = 2;

/// A connection, as its parts know it.
pub(super) struct Line {
    /// Its number among those that came.
    pub(super) number: u64,
    phase: AtomicU8,
    /// Whole heads that have come.
    heads: AtomicU32,
    /// Whether bytes came or went since somebody looked.
    moved: AtomicBool,
    /// Whether somebody else needs the place of one that is silent.
    needed: AtomicBool,
    stopping: AtomicBool,
    /// Whether a token of its was found valid.
    known: AtomicBool,
    task: AtomicWaker,
}

impl Line {
    /// One that has just come: its first head is awaited.
    pub(super) fn new(number: u64) -> Self {
        Self {
            number,
            phase: AtomicU8::new(HEAD),
            heads: AtomicU32::new(0),
            moved: AtomicBool::new(false),
            needed: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            known: AtomicBool::new(false),
            task: AtomicWaker::new(),
        }
    }

    /// Bytes came: of a body where one is awaited, else of the next head.
    pub(super) fn came(&self) {
        self.moved.store(true, Relaxed);
        if self.phase.load(Relaxed) == IDLE {
            self.phase.store(HEAD, Relaxed);
        }
    }

    /// Bytes went: something is answered.
    pub(super) fn went(&self) {
        self.moved.store(true, Relaxed);
        self.phase.store(IDLE, Relaxed);
    }

    /// A whole head came; whether it was the first.
    pub(super) fn asks(&self) -> bool {
        self.phase.store(ASKED, Relaxed);
        let heads = self.heads.load(Relaxed);
        // The first comes once, however many follow.
        self.heads.store(heads.wrapping_add(1).max(1), Relaxed);
        heads == 0
    }

    /// Whether no whole head has come yet.
    pub(super) fn is_silent(&self) -> bool {
        self.heads.load(Relaxed) == 0
    }

    /// The head that is coming, by its number.
    pub(super) fn head(&self) -> Option<u32> {
        let coming = self.phase.load(Relaxed) == HEAD;
        coming.then(|| self.heads.load(Relaxed))
    }

    /// Whether bytes came or went since this was asked last.
    pub(super) fn has_moved(&self) -> bool {
        self.moved.swap(false, Relaxed)
    }

    /// Tells it that somebody else needs its place.
    pub(super) fn need(&self) {
        self.needed.store(true, Release);
        self.task.wake();
    }

    /// Marks it as one that has shown a valid token; `true` the first time.
    pub(super) fn know(&self) -> bool {
        !self.known.swap(true, Relaxed)
    }

    /// Whether it has shown a valid token.
    pub(super) fn is_known(&self) -> bool {
        self.known.load(Relaxed)
    }

    /// Tells it that the server stops.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Release);
        self.task.wake();
    }

    /// Has the task woken when it is told something: before it looks.
    pub(super) fn wake(&self, task: &Waker) {
        self.task.register(task);
    }

    /// Whether it has to go although nothing is wrong: nobody waits for one that is silent.
    pub(super) fn has_to_go(&self) -> bool {
        self.is_silent() && self.is_ending()
    }

    /// Whether it ends after the request that is under way: the server stops, or its place is needed.
    pub(super) fn is_ending(&self) -> bool {
        self.stopping.load(Acquire) || self.needed.load(Acquire)
    }
}
