//! Pictures that people send: decoded within limits, and encoded anew.
//!
//! # Shape
//! The first bytes say which format a file has; no header is believed. The sides are compared with the limits before
//! anything is decoded. Only pixels are kept: a picture has no metadata, no profile and no second frame afterwards.
//!
//! # Limits
//! [`ARTWORK_BYTES_MAX`], [`SIDE_MAX`] and [`PIXELS_MAX`] of a file, [`DECODED_BYTES_MAX`] of memory while one is decoded,
//! and one file at a time: another one waits for at most [`TURN_WAIT_MAX`]. What is kept has at most [`KEPT_BYTES_MAX`].
//!
//! # Threads
//! Decoding has a thread of its own, so that it delays no other request. It goes on if its request is gone.

use std::io::Cursor;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use image::codecs::webp::WebPEncoder;
use image::imageops::{FilterType, thumbnail};
use image::{
    DynamicImage, ExtendedColorType, ImageDecoder as _, ImageError, ImageFormat, ImageReader,
    Limits, guess_format,
};
use meterhouse_domain::theme::{Artwork, ArtworkKind, Colour};
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::EdgeError;
use sha2::{Digest as _, Sha256};
use tokio::sync::Semaphore;

use crate::extract::request::receive_at_most;
use crate::problem::Failure;

/// Media type of every picture that is kept.
pub(super) const MEDIA_TYPE: &str = "image/webp";
/// Maximum size of a file.
const ARTWORK_BYTES_MAX: usize = 4 * 1_024 * 1_024;
/// Maximum width and height of a file's picture.
const SIDE_MAX: u32 = 8_192;
/// Maximum number of pixels of a file's picture.
const PIXELS_MAX: u64 = 16_777_216;
/// Maximum memory that a decoder may ask for.
const DECODED_BYTES_MAX: u64 = 256 * 1_024 * 1_024;
/// Maximum size of a picture that is kept.
const KEPT_BYTES_MAX: usize = 3 * 1_024 * 1_024;
/// Maximum wait for the picture before.
const TURN_WAIT_MAX: Duration = Duration::from_secs(3);
/// Width that a logo is kept with at most.
const LOGO_WIDTH_MOST: u32 = 1_200;
/// Height that a logo is kept with at most.
const LOGO_HEIGHT_MOST: u32 = 480;
/// Width and height that a background is kept with at most.
const BACKGROUND_SIDE_MOST: u32 = 1_920;
/// Parts of a picture of which each is as bright as its mean: smaller than a digit on a sign.
const PARTS: (u32, u32) = (96, 54);

/// One file at a time: each may take [`DECODED_BYTES_MAX`].
static TURN: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(1)));

/// A file that was sent.
pub(super) struct Sent(pub(super) Bytes);

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let too_large = EdgeCode::PictureTooLarge;
        // Whatever its head announces, so that a file that is a little too large has an answer: a client that still sends
        // reads none.
        let bytes = receive_at_most(request.into_body(), ARTWORK_BYTES_MAX, too_large).await?;
        Ok(Self(bytes))
    }
}

/// Returns the picture of a file as it is kept, with its bytes.
///
/// # Errors
/// `unsupported_picture`, `picture_broken`, `picture_too_large`, or `busy`.
pub(super) async fn remade(
    file: Bytes,
    kind: ArtworkKind,
) -> Result<(Artwork, Vec<u8>), EdgeError> {
    let waiting = tokio::time::timeout(TURN_WAIT_MAX, Arc::clone(&TURN).acquire_owned()).await;
    let turn = waiting
        .ok()
        .and_then(Result::ok)
        .ok_or_else(|| EdgeError::new(EdgeCode::Busy))?;
    let making = tokio::task::spawn_blocking(move || {
        let made = remake(&file, kind);
        drop(turn);
        made
    });
    // A decoder that panics has read a broken file.
    making
        .await
        .unwrap_or_else(|_| Err(EdgeError::new(EdgeCode::PictureBroken)))
}

fn remake(file: &[u8], kind: ArtworkKind) -> Result<(Artwork, Vec<u8>), EdgeError> {
    let (width, height) = match kind {
        ArtworkKind::Logo => (LOGO_WIDTH_MOST, LOGO_HEIGHT_MOST),
        ArtworkKind::Background => (BACKGROUND_SIDE_MOST, BACKGROUND_SIDE_MOST),
    };
    let mut picture = decode(file)?;
    // Means of whole pixels first: the filter keeps four floats for each pixel of a row.
    if picture.width() / 2 > width || picture.height() / 2 > height {
        picture = picture.thumbnail(2 * width, 2 * height);
    }
    if picture.width() > width || picture.height() > height {
        picture = picture.resize(width, height, FilterType::Triangle);
    }
    let mut bytes = encode(&picture)?;
    while bytes.len() > KEPT_BYTES_MAX {
        let smaller = |side: u32| (side * 3 / 4).max(1);
        let (width, height) = (smaller(picture.width()), smaller(picture.height()));
        picture = picture.resize(width, height, FilterType::Triangle);
        bytes = encode(&picture)?;
    }
    let artwork = Artwork {
        digest: Sha256::digest(&bytes).into(),
        width: picture.width(),
        height: picture.height(),
        brightest: brightest(&picture),
    };
    Ok((artwork, bytes))
}

/// Decodes a file, turned as its metadata says.
fn decode(file: &[u8]) -> Result<DynamicImage, EdgeError> {
    let format = guess_format(file).map_err(|_| not_supported(file))?;
    if !matches!(
        format,
        ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP
    ) {
        return Err(not_supported(file));
    }
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(SIDE_MAX);
    limits.max_image_height = Some(SIDE_MAX);
    limits.max_alloc = Some(DECODED_BYTES_MAX);
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| unreadable(&error))?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS_MAX {
        return Err(too_large(width, height));
    }
    let turned = decoder.orientation().ok();
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| unreadable(&error))?;
    if let Some(turned) = turned {
        picture.apply_orientation(turned);
    }
    Ok(picture)
}

fn encode(picture: &DynamicImage) -> Result<Vec<u8>, EdgeError> {
    let mut bytes = Vec::new();
    let (width, height) = (picture.width(), picture.height());
    let webp = WebPEncoder::new_lossless(&mut bytes);
    let encoded = if picture.color().has_alpha() {
        webp.encode(&picture.to_rgba8(), width, height, ExtendedColorType::Rgba8)
    } else {
        webp.encode(&picture.to_rgb8(), width, height, ExtendedColorType::Rgb8)
    };
    encoded.map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

/// Returns the greatest value of each channel in any part of a picture.
fn brightest(picture: &DynamicImage) -> Colour {
    let (across, down) = PARTS;
    let parts = thumbnail(&picture.to_rgb8(), across, down);
    let mut most = [0; 3];
    for part in parts.pixels() {
        for (greatest, value) in most.iter_mut().zip(part.0) {
            *greatest = value.max(*greatest);
        }
    }
    let [red, green, blue] = most;
    Colour::new(red, green, blue)
}

fn not_supported(file: &[u8]) -> EdgeError {
    let found = match guess_format(file) {
        Ok(format) => format
            .extensions_str()
            .first()
            .copied()
            .unwrap_or("another format"),
        Err(_) if file.trim_ascii_start().starts_with(b"<") => "svg or another text",
        Err(_) => "another format",
    };
    EdgeError::new(EdgeCode::UnsupportedPicture).with("found", found)
}

fn unreadable(error: &ImageError) -> EdgeError {
    match error {
        ImageError::Limits(_) => EdgeError::new(EdgeCode::PictureTooLarge),
        ImageError::Decoding(_)
        | ImageError::Encoding(_)
        | ImageError::Parameter(_)
        | ImageError::Unsupported(_)
        | ImageError::IoError(_) => EdgeError::new(EdgeCode::PictureBroken),
    }
}

fn too_large(width: u32, height: u32) -> EdgeError {
    let error = EdgeError::new(EdgeCode::PictureTooLarge);
    error.with("width", width).with("height", height)
}

#[cfg(test)]
mod tests;
