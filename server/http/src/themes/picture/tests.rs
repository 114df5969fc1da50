//! Files as people and strangers send them.

use image::{GenericImageView as _, Rgb, RgbImage, RgbaImage};

use super::*;

type Done = Result<(), Box<dyn std::error::Error>>;

/// A picture with a bright and a dark half, in a format.
fn file(width: u32, height: u32, format: ImageFormat) -> Result<Vec<u8>, ImageError> {
    let halves = RgbImage::from_fn(width, height, |x, _| {
        if x < width / 2 {
            Rgb([200, 180, 40])
        } else {
            Rgb([10, 20, 30])
        }
    });
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(halves).write_to(&mut bytes, format)?;
    Ok(bytes.into_inner())
}

fn code(file: &[u8]) -> Option<EdgeCode> {
    remake(file, ArtworkKind::Logo)
        .err()
        .map(|error| error.code)
}

/// Returns a JPEG with EXIF that has a text and says that the picture is turned by a quarter.
fn with_exif(jpeg: &[u8]) -> Vec<u8> {
    let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x02".to_vec();
    // Orientation 6, and a description behind the directory.
    exif.extend(b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0");
    exif.extend(b"\x01\x0e\0\x02\0\0\0\x10\0\0\0\x26\0\0\0\0");
    exif.extend(b"GPS of the house");
    let length = u16::try_from(exif.len() + 2)
        .unwrap_or(u16::MAX)
        .to_be_bytes();
    let (start, rest) = jpeg.split_at(2);
    [start, b"\xff\xe1", &length, &exif, rest].concat()
}

fn holds(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

#[test]
fn each_format_is_kept_as_webp() -> Done {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let (artwork, bytes) =
            remake(&file(64, 32, format)?, ArtworkKind::Logo).map_err(|error| error.detail)?;
        assert_eq!(guess_format(&bytes)?, ImageFormat::WebP);
        assert_eq!((artwork.width, artwork.height), (64, 32));
        assert_eq!(artwork.digest, <[u8; 32]>::from(Sha256::digest(&bytes)));
        let [red, green, blue] = artwork.brightest.channels();
        assert!(red.abs_diff(200) < 6 && green.abs_diff(180) < 6 && blue.abs_diff(40) < 6);
    }
    Ok(())
}

#[test]
fn a_large_picture_is_kept_smaller() -> Done {
    let large = file(2_400, 300, ImageFormat::Png)?;
    let (logo, _) = remake(&large, ArtworkKind::Logo).map_err(|error| error.detail)?;
    assert_eq!((logo.width, logo.height), (1_200, 150));
    let (background, _) = remake(&large, ArtworkKind::Background).map_err(|error| error.detail)?;
    assert_eq!((background.width, background.height), (1_920, 240));
    Ok(())
}

/// What can't be compressed is made smaller until it fits.
#[test]
fn noise_fits_too() -> Done {
    let mut state = 1_u32;
    let noise = RgbImage::from_fn(1_250, 1_250, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [a, b, c, _] = state.to_be_bytes();
        Rgb([a, b, c])
    });
    let bytes = encode(&DynamicImage::ImageRgb8(noise)).map_err(|error| error.detail)?;
    assert!(bytes.len() > KEPT_BYTES_MAX, "{}", bytes.len());
    let (artwork, kept) = remake(&bytes, ArtworkKind::Background).map_err(|error| error.detail)?;
    assert!(kept.len() <= KEPT_BYTES_MAX && artwork.width < 1_250);
    Ok(())
}

#[test]
fn metadata_is_gone_and_its_turn_is_kept() -> Done {
    let jpeg = with_exif(&file(64, 32, ImageFormat::Jpeg)?);
    assert!(holds(&jpeg, b"GPS of the house") && holds(&jpeg, b"Exif"));
    let (artwork, bytes) = remake(&jpeg, ArtworkKind::Logo).map_err(|error| error.detail)?;
    assert!(!holds(&bytes, b"GPS") && !holds(&bytes, b"EXIF") && !holds(&bytes, b"Exif"));
    assert_eq!((artwork.width, artwork.height), (32, 64));
    let kept = image::load_from_memory(&bytes)?;
    let (top, bottom) = (kept.get_pixel(16, 4).0, kept.get_pixel(16, 60).0);
    assert!(top[0] > 150 && bottom[0] < 60, "{top:?} {bottom:?}");
    Ok(())
}

#[test]
fn transparency_is_kept() -> Done {
    let mut png = Cursor::new(Vec::new());
    RgbaImage::new(8, 8).write_to(&mut png, ImageFormat::Png)?;
    let (_, bytes) = remake(png.get_ref(), ArtworkKind::Logo).map_err(|error| error.detail)?;
    assert_eq!(image::load_from_memory(&bytes)?.get_pixel(0, 0).0[3], 0);
    Ok(())
}

#[test]
fn other_formats_are_not_supported() {
    let svg =
        br#"<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>"#;
    let others: [&[u8]; 6] = [
        svg,
        b"  <svg/>",
        b"GIF89a\x01\0\x01\0\0\0\0;",
        b"BM\0\0\0\0\0\0\0\0",
        b"",
        b"plain text",
    ];
    for other in others {
        assert_eq!(code(other), Some(EdgeCode::UnsupportedPicture), "{other:?}");
    }
}

/// Every beginning of a file, and a file with any byte changed, is refused or read, and never more.
#[test]
fn broken_files_are_refused() -> Done {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let whole = file(16, 16, format)?;
        let half = whole.get(..whole.len() / 2).unwrap_or_default();
        if format != ImageFormat::Jpeg {
            assert_eq!(code(half), Some(EdgeCode::PictureBroken), "{format:?}");
        }
        assert_eq!(
            code(whole.get(..14).unwrap_or_default()),
            Some(EdgeCode::PictureBroken),
            "{format:?}"
        );
        for index in 12..whole.len() {
            let mut changed = whole.clone();
            if let Some(byte) = changed.get_mut(index) {
                *byte ^= 0xff;
            }
            let allowed = [
                None,
                Some(EdgeCode::PictureBroken),
                Some(EdgeCode::PictureTooLarge),
            ];
            assert!(allowed.contains(&code(&changed)), "{format:?} {index}");
        }
    }
    Ok(())
}

/// Returns a PNG of a few bytes that says it has these sides.
fn bomb(width: u32, height: u32) -> Result<Vec<u8>, ImageError> {
    let mut png = file(1, 1, ImageFormat::Png)?;
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes()].concat();
    png.splice(16..24, header);
    let sum = crc(png.get(12..29).unwrap_or_default()).to_be_bytes();
    png.splice(29..33, sum);
    Ok(png)
}

/// The check of PNG's chunks: CRC-32 of ISO 3309.
fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 {
                (sum >> 1) ^ 0xedb8_8320
            } else {
                sum >> 1
            }
        })
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[test]
fn a_decompression_bomb_is_refused_by_its_sides() -> Done {
    for (width, height) in [
        (8_193, 1),
        (1, 8_193),
        (8_192, 8_192),
        (4_097, 4_096),
        (u32::MAX >> 1, 2),
    ] {
        assert_eq!(
            code(&bomb(width, height)?),
            Some(EdgeCode::PictureTooLarge),
            "{width} x {height}"
        );
    }
    // Within the limits the same file lacks its pixels.
    assert_eq!(code(&bomb(4_096, 4_096)?), Some(EdgeCode::PictureBroken));
    Ok(())
}
