//! The server sides of both services for encoded messages.
//!
//! # Shape
//! A message of `MeterFeed` is encoded once and sent to many displays. The outcomes of a stream's
//! commands are encoded one by one ([`EncodedOutcomes`]), so that no list of whole outcomes is kept.

use std::marker::PhantomData;

use bytes::{BufMut as _, Bytes, BytesMut};
use prost::Message;
use tonic::Status;
use tonic::codec::{BufferSettings, EncodeBuf, Encoder};
use tonic_prost::ProstDecoder;

use crate::feed::WatchRequest;
use crate::table::{Outcome, PlayRequest, PlayResponse};

pub use generated_feed::meter_feed_server;
pub use generated_table::table_gateway_server;

#[expect(
    unused_qualifications,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "this is generated"
)]
mod generated_feed {
    include!(concat!(env!("OUT_DIR"), "/encoded/meterhouse.feed.v1.rs"));
}

#[expect(
    unused_qualifications,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "this is generated"
)]
mod generated_table {
    include!(concat!(env!("OUT_DIR"), "/encoded/meterhouse.table.v1.rs"));
}

/// Initial size in bytes of a feed's buffer: most messages are smaller, and thousands of displays
/// listen.
const FEED_BUFFER: usize = 512;
/// Number of bytes that a feed collects before sending, if several messages wait.
const FEED_GATHERED: usize = 4 * 1_024;
/// Initial size in bytes of a table stream's buffer.
const TABLE_BUFFER: usize = 8 * 1_024;
/// Number of bytes that a table's stream collects before sending, if several messages wait.
const TABLE_GATHERED: usize = 32 * 1_024;
/// Space in bytes that is reserved for an outcome: most are smaller.
const OUTCOME_ROOM: usize = 64;
/// Key of an outcome in `Outcomes`: field 1, of a length and that many bytes.
const OUTCOME_KEY: u8 = 1 << 3 | 2;

/// The codec of the displays' feeds.
pub type FeedCodec = Codec<WatchRequest, FEED_BUFFER, FEED_GATHERED>;
/// The codec of the tables' streams.
pub type TableCodec = Codec<PlayRequest, TABLE_BUFFER, TABLE_GATHERED>;

/// An encoded message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded(pub Bytes);

/// The outcomes of one response, each encoded as it is added.
#[derive(Debug, Default)]
pub struct EncodedOutcomes {
    bytes: BytesMut,
    count: usize,
}

/// A `PlayResponse` whose `Outcomes` are encoded.
#[derive(Clone, PartialEq, Message)]
struct OutcomesResponse {
    #[prost(bytes = "bytes", tag = "2")]
    outcomes: Bytes,
}

/// A codec that reads requests and sends messages without encoding them.
#[derive(Copy, Clone, Debug)]
pub struct Codec<Q, const BUFFER: usize, const GATHERED: usize> {
    requests: PhantomData<fn() -> Q>,
}

/// An encoder that sends messages as they are.
#[derive(Copy, Clone, Debug)]
pub struct AsTheyAre {
    buffers: BufferSettings,
}

impl From<&PlayResponse> for Encoded {
    fn from(response: &PlayResponse) -> Self {
        Self(response.encode_to_vec().into())
    }
}

impl EncodedOutcomes {
    /// Returns no outcomes, with space for this number of usual ones.
    pub fn with_capacity(count: usize) -> Self {
        Self {
            bytes: BytesMut::with_capacity(count * OUTCOME_ROOM),
            count: 0,
        }
    }

    /// Adds an outcome.
    ///
    /// # Errors
    /// If the outcome does not fit into memory.
    pub fn push(&mut self, outcome: &Outcome) -> Result<(), prost::EncodeError> {
        let before = self.bytes.len();
        self.bytes.put_u8(OUTCOME_KEY);
        let encoded = outcome.encode_length_delimited(&mut self.bytes);
        match &encoded {
            Ok(()) => self.count += 1,
            Err(_) => self.bytes.truncate(before),
        }
        encoded
    }

    /// Returns the number of outcomes.
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Returns the size of the outcomes in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Returns `true` if there is no outcome.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the response with these outcomes.
    pub fn response(self) -> Encoded {
        let outcomes = self.bytes.freeze();
        Encoded(OutcomesResponse { outcomes }.encode_to_vec().into())
    }
}

impl<Q, const BUFFER: usize, const GATHERED: usize> Default for Codec<Q, BUFFER, GATHERED> {
    fn default() -> Self {
        Self {
            requests: PhantomData,
        }
    }
}

impl<Q, const BUFFER: usize, const GATHERED: usize> tonic::codec::Codec
    for Codec<Q, BUFFER, GATHERED>
where
    Q: Message + Default + 'static,
{
    type Encode = Encoded;
    type Decode = Q;
    type Encoder = AsTheyAre;
    type Decoder = ProstDecoder<Q>;

    fn encoder(&mut self) -> AsTheyAre {
        AsTheyAre {
            buffers: BufferSettings::new(BUFFER, GATHERED),
        }
    }

    fn decoder(&mut self) -> ProstDecoder<Q> {
        ProstDecoder::new(BufferSettings::new(BUFFER, GATHERED))
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
