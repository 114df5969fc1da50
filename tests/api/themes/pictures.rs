//! The pictures of themes: what is taken, what is refused, and how one is served.

use meterhouse_tests::House;
use reqwest::Method;

use super::{BACKGROUND, LOGO, PNG, THEME, crown, send};

/// A PNG of a few bytes that says it has 8192 × 8192 pixels.
const BOMB: &[u8] = include_bytes!("bomb.png");
const SVG: &[u8] = br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;

/// Each file that is no picture is refused with its code, and the picture before stays.
#[tokio::test]
async fn files_that_are_no_pictures() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    drop(manager.put(THEME, &crown()).await.created());
    let before = send(&manager, LOGO, PNG).await.created();
    let half = PNG.get(..40).expect("half of a picture");
    let large = vec![0_u8; 4 * 1_024 * 1_024 + 1];
    for (file, status, code) in [
        (SVG, 415, "unsupported_picture"),
        (
            b"GIF89a\x01\0\x01\0\0\0\0;".as_slice(),
            415,
            "unsupported_picture",
        ),
        (b"".as_slice(), 415, "unsupported_picture"),
        (half, 400, "picture_broken"),
        (BOMB, 413, "picture_too_large"),
        (large.as_slice(), 413, "picture_too_large"),
    ] {
        drop(send(&manager, LOGO, file).await.problem(status, code));
    }
    drop(
        send(&manager, "/v1/themes/crown-room/artwork/icon", PNG)
            .await
            .problem(400, "invalid_value"),
    );
    assert_eq!(house.nobody().get(THEME).await.is(200).body, before.body);
    house.end().await;
}

/// A picture has an address of its own that never changes, with headers that let a browser do nothing else with it.
#[tokio::test]
async fn a_picture_is_served() {
    let house = House::open().await;
    let manager = house.manager().await.caller;
    drop(manager.put(THEME, &crown()).await.created());
    let made = send(&manager, BACKGROUND, PNG).await.created();
    let background = &made["artwork"]["background"];
    assert_eq!(background["opacity_percent"], 53);
    let digest = background["digest"].as_str().expect("a digest");
    let path = format!("/v1/artwork/{digest}");
    let nobody = house.nobody();
    let picture = nobody.get(&path).await.is(200);
    let header = |name: &str| {
        picture
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    };
    assert_eq!(header("content-type"), "image/webp");
    assert_eq!(
        header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("etag"), format!("\"{digest}\""));
    let tag = [("if-none-match", header("etag"))];
    drop(
        nobody
            .send(Method::GET, &path, &tag, Vec::new())
            .await
            .is(304),
    );
    drop(
        nobody
            .get(&format!("/v1/artwork/{}", "0".repeat(64)))
            .await
            .problem(404, "unknown_artwork"),
    );
    drop(
        nobody
            .get("/v1/artwork/themes")
            .await
            .problem(400, "invalid_name"),
    );
    house.end().await;
}
