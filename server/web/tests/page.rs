//! The page as a browser receives it: every file, its headers, and nothing from other hosts.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;

use axum::body::{Body, to_bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderName, Request, StatusCode};
use tower::ServiceExt;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const BODY_MAX: usize = 1 << 20;

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &HeaderName) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    fn text(&self) -> Outcome<&str> {
        Ok(str::from_utf8(&self.body)?)
    }
}

async fn ask(request: Request<Body>) -> Outcome<Answer> {
    let (head, body) = meterhouse_web::router()
        .oneshot(request)
        .await?
        .into_parts();
    let body = to_bytes(body, BODY_MAX).await?.to_vec();
    Ok(Answer {
        status: head.status,
        headers: head.headers,
        body,
    })
}

async fn get(path: &str) -> Outcome<Answer> {
    ask(Request::get(path).body(Body::empty())?).await
}

/// Returns the names of the files in a folder of `page`, as they are on disk.
fn files(folder: &str) -> Outcome<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    for entry in page.join(folder).read_dir()? {
        names.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    Ok(names)
}

fn assets() -> Outcome<BTreeSet<String>> {
    files("assets")
}

/// Returns the part of a name after its last dot.
fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Returns every file of `assets` that a page refers to.
fn referenced(text: &str) -> BTreeSet<String> {
    text.split("\"/assets/")
        .skip(1)
        .filter_map(|rest| rest.split_once('"').map(|(name, _)| name.to_owned()))
        .collect()
}

fn assert_secure(path: &str, answer: &Answer) {
    let policy = answer.header(&HeaderName::from_static("content-security-policy"));
    for part in [
        "default-src 'self'",
        "connect-src 'self' ws: wss:",
        "style-src 'self'",
        "script-src 'self'",
        "frame-ancestors 'self'",
    ] {
        assert!(
            policy.split("; ").any(|directive| directive == part),
            "{path}: {part} is not in {policy:?}"
        );
    }
    let sniffing = answer.header(&HeaderName::from_static("x-content-type-options"));
    assert_eq!(sniffing, "nosniff", "{path}");
}

/// The manual's page is the same for every game: its script reads the game from the address.
#[tokio::test]
async fn the_manual_is_served_for_every_game() -> Outcome {
    let list = get("/manual").await?;
    assert!(list.text()?.contains("/assets/manual.js"));
    for path in [
        "/manual",
        "/manual/",
        "/manual/crazy-4-poker",
        "/manual/no-such-game",
    ] {
        let answer = get(path).await?;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.header(&CONTENT_TYPE), "text/html; charset=utf-8");
        assert_eq!(answer.body, list.body, "{path}");
        assert_secure(path, &answer);
    }
    Ok(())
}

/// Each built page is the same below its address: its script reads the rest of the address.
#[tokio::test]
async fn the_built_pages_are_served_at_their_addresses() -> Outcome {
    let pages: [(&str, &[&str]); 5] = [
        ("front", &["/"]),
        ("sign", &["/sign", "/sign/main", "/sign/no-such-link"]),
        ("floor", &["/floor"]),
        ("keypad", &["/table/C4P-07", "/table/no-such-table"]),
        (
            "office",
            &["/office", "/office/links", "/office/links/main"],
        ),
    ];
    for (name, paths) in pages {
        let page = get(&format!("/built/{name}.html")).await?;
        for path in paths {
            let answer = get(path).await?;
            assert_eq!(answer.status, StatusCode::OK, "{path}");
            assert_eq!(answer.header(&CONTENT_TYPE), "text/html; charset=utf-8");
            assert_eq!(answer.body, page.body, "{path}");
            assert_secure(path, &answer);
        }
        let text = page.text()?;
        let named = text.split("\"/built/").skip(1);
        let named: Vec<&str> = named.filter_map(|rest| rest.split('"').next()).collect();
        assert!(named.len() >= 2, "{text}");
        for name in named {
            let path = format!("/built/{name}");
            assert_eq!(get(&path).await?.status, StatusCode::OK, "{path}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn every_file_is_served_with_its_type() -> Outcome {
    let of = |folder: &'static str, names: BTreeSet<String>| {
        let path = move |name: String| format!("/{folder}/{name}");
        names.into_iter().map(path).collect::<Vec<String>>()
    };
    let paths = [of("assets", assets()?), of("built", files("built")?)];
    for path in paths.concat() {
        let answer = get(&path).await?;
        let expected = match extension(&path) {
            "css" => "text/css; charset=utf-8",
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "png" => "image/png",
            "txt" => "text/plain; charset=utf-8",
            "woff2" => "font/woff2",
            other => return Err(format!("{path}: which type does {other} have?").into()),
        };
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.header(&CONTENT_TYPE), expected, "{path}");
        assert_eq!(answer.header(&CACHE_CONTROL), "no-cache", "{path}");
        assert!(!answer.body.is_empty(), "{path} is empty");
        assert_secure(&path, &answer);
    }
    Ok(())
}

/// A worker answers for its own page alone. Without a hash in its name, browsers find the worker of a newer program.
#[tokio::test]
async fn workers_are_served_with_the_addresses_that_they_answer_for() -> Outcome {
    let allowed = HeaderName::from_static("service-worker-allowed");
    let workers = [
        ("floor-worker.js", "/floor"),
        ("keypad-worker.js", "/table/"),
    ];
    for (name, scope) in workers {
        let answer = get(&format!("/built/{name}")).await?;
        assert_eq!(answer.status, StatusCode::OK, "{name}");
        assert_eq!(answer.header(&allowed), scope, "{name}");
        // Browsers run a worker as one script, which imports nothing.
        assert!(!answer.text()?.contains("import"), "{name}");
    }
    for name in files("built")? {
        let answer = get(&format!("/built/{name}")).await?;
        let listed = workers.iter().any(|(worker, _)| *worker == name);
        assert_eq!(name.ends_with("-worker.js"), listed, "{name}");
        assert_eq!(answer.headers.contains_key(&allowed), listed, "{name}");
    }
    Ok(())
}

#[tokio::test]
async fn a_cached_file_is_not_modified() -> Outcome {
    for path in ["/", "/assets/manual.js"] {
        let tag = get(path).await?.header(&ETAG).to_owned();
        assert!(
            tag.len() == 34 && tag.starts_with('"') && tag.ends_with('"'),
            "{tag}"
        );
        for known in [tag.clone(), format!("\"other\", W/{tag}"), "*".to_owned()] {
            let request = Request::get(path).header(IF_NONE_MATCH, &known);
            let answer = ask(request.body(Body::empty())?).await?;
            assert_eq!(answer.status, StatusCode::NOT_MODIFIED, "{path} {known}");
            assert!(answer.body.is_empty(), "{path} {known}");
            assert_eq!(answer.header(&ETAG), tag, "{path} {known}");
            assert_secure(path, &answer);
        }
        let request = Request::get(path).header(IF_NONE_MATCH, "\"other\"");
        assert_eq!(
            ask(request.body(Body::empty())?).await?.status,
            StatusCode::OK,
            "{path}"
        );
    }
    let (page, script) = (get("/manual").await?, get("/assets/manual.js").await?);
    assert_ne!(page.header(&ETAG), script.header(&ETAG));
    Ok(())
}

#[tokio::test]
async fn a_missing_file_is_a_short_404() -> Outcome {
    for name in [
        "absent.js",
        "..%2Findex.html",
        "%2e%2e%2f%2e%2e%2fCargo.toml",
    ] {
        let path = format!("/assets/{name}");
        let answer = get(&path).await?;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(
            answer.header(&CONTENT_TYPE),
            "text/plain; charset=utf-8",
            "{path}"
        );
        assert_eq!(answer.text()?, "no such file\n", "{path}");
        assert_secure(&path, &answer);
    }
    Ok(())
}

#[tokio::test]
async fn every_reference_exists_and_every_file_is_referred_to() -> Outcome {
    let mut used = referenced(get("/").await?.text()?);
    used.extend(referenced(get("/manual").await?.text()?));
    assert!(used.contains("manual.js"), "{used:?}");
    assert_eq!(used, assets()?);
    Ok(())
}

#[tokio::test]
async fn nothing_names_another_host() -> Outcome {
    let texts = assets()?
        .into_iter()
        .filter(|name| extension(name) != "png");
    for path in texts
        .map(|name| format!("/assets/{name}"))
        .chain(["/".to_owned(), "/manual".to_owned()])
    {
        let answer = get(&path).await?;
        let text = answer.text()?;
        for foreign in [
            "http:", "https:", "ws://", "wss:", "data:", "blob:", "@import",
        ] {
            assert!(!text.contains(foreign), "{path} has {foreign}");
        }
        let host = text.split("//").skip(1).find(|rest| {
            rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '[')
        });
        assert_eq!(host, None, "{path} names a host");
    }
    Ok(())
}
