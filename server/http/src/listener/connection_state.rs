//! The state of a connection, shared by its socket, its request handler and its task.
//!
//! # Shape
//! The socket records that bytes were received or sent, the request handler that a head is complete. The task that
//! drives both reads the state once neither makes progress. A request whose head arrives whole needs no clock.
//!
//! # Order
//! One task drives all three, so relaxed loads and stores suffice between them. Only closing and stopping come from
//! other tasks: they are stored before the task is woken.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32};
use std::task::Waker;

use futures_util::task::AtomicWaker;

/// The phase between two requests.
const IDLE: u8 = 0;
/// The phase in which a head is received.
const HEAD: u8 = 1;
/// The phase between a complete head and the first byte of the response.
const REQUEST: u8 = 2;

/// The state of one connection.
pub(super) struct ConnectionState {
    /// The number of the connection, in the order of admission.
    pub(super) number: u64,
    phase: AtomicU8,
    /// The number of complete heads received.
    heads: AtomicU32,
    /// Set if bytes were received or sent since the last check.
    has_moved: AtomicBool,
    /// Set if the connection has to close for a newer one.
    closing: AtomicBool,
    /// Set if the server stops.
    stopping: AtomicBool,
    /// Set if one of its tokens was found valid.
    authenticated: AtomicBool,
    task: AtomicWaker,
}

impl ConnectionState {
    /// Creates the state of a new connection, whose first head is awaited.
    pub(super) fn new(number: u64) -> Self {
        Self {
            number,
            phase: AtomicU8::new(HEAD),
            heads: AtomicU32::new(0),
            has_moved: AtomicBool::new(false),
            closing: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            authenticated: AtomicBool::new(false),
            task: AtomicWaker::new(),
        }
    }

    /// Records that bytes were received: of a body during a request, otherwise of the next head.
    pub(super) fn bytes_received(&self) {
        self.has_moved.store(true, Relaxed);
        if self.phase.load(Relaxed) == IDLE {
            self.phase.store(HEAD, Relaxed);
        }
    }

    /// Records that bytes of a response were sent.
    pub(super) fn bytes_sent(&self) {
        self.has_moved.store(true, Relaxed);
        self.phase.store(IDLE, Relaxed);
    }

    /// Records that a head is complete. Returns `true` for the first head of the connection.
    pub(super) fn head_completed(&self) -> bool {
        self.phase.store(REQUEST, Relaxed);
        let heads = self.heads.load(Relaxed);
        // An overflow skips zero, so that no later head counts as the first.
        self.heads.store(heads.wrapping_add(1).max(1), Relaxed);
        heads == 0
    }

    /// Returns `true` if no complete head was received yet.
    pub(super) fn is_silent(&self) -> bool {
        self.heads.load(Relaxed) == 0
    }

    /// Returns the number of the head that is being received.
    pub(super) fn incomplete_head(&self) -> Option<u32> {
        let is_incomplete = self.phase.load(Relaxed) == HEAD;
        is_incomplete.then(|| self.heads.load(Relaxed))
    }

    /// Returns `true` if bytes were received or sent since the last call.
    pub(super) fn take_moved(&self) -> bool {
        self.has_moved.swap(false, Relaxed)
    }

    /// Ends the connection after the request under way, because a newer connection needs its place.
    pub(super) fn close(&self) {
        self.closing.store(true, Release);
        self.task.wake();
    }

    /// Marks the connection as authenticated. Returns `true` the first time.
    pub(super) fn mark_authenticated(&self) -> bool {
        !self.authenticated.swap(true, Relaxed)
    }

    /// Returns `true` if the connection has shown a valid token.
    pub(super) fn is_authenticated(&self) -> bool {
        self.authenticated.load(Relaxed)
    }

    /// Ends the connection after the request under way, because the server stops.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Release);
        self.task.wake();
    }

    /// Registers the task to wake if the connection has to end. The task calls this before it reads the state.
    pub(super) fn register(&self, task: &Waker) {
        self.task.register(task);
    }

    /// Returns `true` if the connection has to end immediately: it is silent, so no request is under way.
    pub(super) fn must_end_now(&self) -> bool {
        self.is_silent() && self.is_ending()
    }

    /// Returns `true` if the connection ends after the request under way.
    pub(super) fn is_ending(&self) -> bool {
        self.stopping.load(Acquire) || self.closing.load(Acquire)
    }
}
