//! The choice of the Postgres that tests run on.
//!
//! # Order
//! What a variable names, else a container if a Docker engine answers and has the image, else a private server. An
//! image that is only assumed is never pulled: a test fetches nothing unasked.

use std::env;

/// A superuser's URL of a server for tests.
pub(crate) const URL: &str = "DATABASE_URL";
/// An image to run tests on. Its engine has to answer, and pulls a missing image.
pub(crate) const IMAGE: &str = "METERHOUSE_TEST_IMAGE";
/// The value of [`IMAGE`] that keeps tests out of an engine that answers.
const NO_IMAGE: &str = "none";
/// The image that is assumed.
const ASSUMED_IMAGE: &str = "postgres:17";

/// The variables that say what to run tests on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) url: Option<String>,
    pub(crate) image: Option<String>,
}

/// The Postgres that tests run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The server of this URL.
    Given(String),
    /// A container of this image.
    Container(String),
    /// A private server, with the machine's own programs.
    Private,
}

impl Wishes {
    /// Reads the variables. An empty one counts as unset.
    pub(crate) fn of_environment() -> Self {
        let read = |name| {
            let text = env::var_os(name).filter(|text| !text.is_empty());
            text.map(|text| text.to_string_lossy().into_owned())
        };
        Self {
            url: read(URL),
            image: read(IMAGE),
        }
    }
}

/// Chooses the Postgres of the tests. `has_image` asks the Docker engine.
///
/// # Errors
/// If the variables name two servers.
pub(crate) async fn choose(
    wishes: Wishes,
    has_image: impl AsyncFnOnce(&str) -> bool,
) -> Result<Choice, String> {
    match (wishes.url, wishes.image) {
        (url, Some(image)) if image == NO_IMAGE => Ok(url.map_or(Choice::Private, Choice::Given)),
        (Some(_), Some(_)) => Err(format!(
            "{URL} and {IMAGE} each name a Postgres for the tests: unset one of them"
        )),
        (Some(url), None) => Ok(Choice::Given(url)),
        (None, Some(image)) => Ok(Choice::Container(image)),
        (None, None) if has_image(ASSUMED_IMAGE).await => {
            Ok(Choice::Container(ASSUMED_IMAGE.to_owned()))
        }
        (None, None) => Ok(Choice::Private),
    }
}

#[cfg(test)]
mod tests {
    use super::{ASSUMED_IMAGE, Choice, Wishes, choose};

    fn wishes(url: Option<&str>, image: Option<&str>) -> Wishes {
        Wishes {
            url: url.map(str::to_owned),
            image: image.map(str::to_owned),
        }
    }

    /// Chooses where no engine may be asked.
    async fn without_asking(url: Option<&str>, image: Option<&str>) -> Result<Choice, String> {
        choose(wishes(url, image), async |_: &str| {
            unreachable!("the variables are enough")
        })
        .await
    }

    #[tokio::test]
    async fn a_variable_comes_first() {
        let url = "postgres://localhost/postgres";
        let given = Choice::Given(url.to_owned());
        assert_eq!(without_asking(Some(url), None).await, Ok(given.clone()));
        assert_eq!(without_asking(Some(url), Some("none")).await, Ok(given));
        assert_eq!(
            without_asking(None, Some("local/postgres:18")).await,
            Ok(Choice::Container("local/postgres:18".to_owned()))
        );
        assert_eq!(
            without_asking(None, Some("none")).await,
            Ok(Choice::Private)
        );
    }

    #[tokio::test]
    async fn two_servers_are_refused() {
        let refused = without_asking(Some("postgres://x"), Some("postgres:15")).await;
        let sentence = refused.unwrap_err();
        assert!(
            sentence.contains("DATABASE_URL and METERHOUSE_TEST_IMAGE"),
            "{sentence}"
        );
    }

    #[tokio::test]
    async fn an_engine_with_the_image_comes_before_a_private_server() {
        for (answer, expected) in [
            (true, Choice::Container(ASSUMED_IMAGE.to_owned())),
            (false, Choice::Private),
        ] {
            let mut asked = Vec::new();
            let chosen = choose(Wishes::default(), async |image: &str| {
                asked.push(image.to_owned());
                answer
            });
            assert_eq!(chosen.await, Ok(expected));
            assert_eq!(asked, [ASSUMED_IMAGE]);
        }
    }
}
