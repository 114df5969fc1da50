//! The server side of `MeterFeed` for encoded messages: each message is encoded once and sent to
//! many displays.

use bytes::{BufMut as _, Bytes};
use tonic::Status;
use tonic::codec::{BufferSettings, EncodeBuf, Encoder};
use tonic_prost::ProstDecoder;

use crate::feed::WatchRequest;

pub use generated::meter_feed_server;

#[expect(
    unused_qualifications,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "this is generated"
)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/encoded/meterhouse.feed.v1.rs"));
}

/// Initial size in bytes of a feed's buffer: most messages are smaller, and thousands of displays
/// listen.
const BUFFER: usize = 512;
/// Number of bytes that are collected before sending, if several messages wait.
const GATHERED: usize = 4 * 1_024;

/// An encoded `FeedMessage`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded(pub Bytes);

/// A codec that reads requests and sends messages without encoding them.
#[derive(Copy, Clone, Debug)]
pub struct Codec {
    buffers: BufferSettings,
}

/// An encoder that sends messages as they are.
#[derive(Copy, Clone, Debug)]
pub struct AsTheyAre {
    buffers: BufferSettings,
}

impl Default for Codec {
    fn default() -> Self {
        let buffers = BufferSettings::new(BUFFER, GATHERED);
        Self { buffers }
    }
}

impl tonic::codec::Codec for Codec {
    type Encode = Encoded;
    type Decode = WatchRequest;
    type Encoder = AsTheyAre;
    type Decoder = ProstDecoder<WatchRequest>;

    fn encoder(&mut self) -> AsTheyAre {
        let buffers = self.buffers;
        AsTheyAre { buffers }
    }

    fn decoder(&mut self) -> ProstDecoder<WatchRequest> {
        ProstDecoder::new(self.buffers)
    }
}

impl Encoder for AsTheyAre {
    type Item = Encoded;
    type Error = Status;

    fn encode(&mut self, item: Encoded, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.reserve(item.0.len());
        to.put(item.0);
        Ok(())
    }

    fn buffer_settings(&self) -> BufferSettings {
        self.buffers
    }
}
