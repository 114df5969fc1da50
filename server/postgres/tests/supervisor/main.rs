//! The supervisor on a real Postgres: as the user that runs the tests and, if that is root, once more as an ordinary
//! user.

#[cfg(test)]
mod common;
#[cfg(test)]
mod life;
#[cfg(test)]
mod refusals;

#[test]
fn everything_again_as_an_ordinary_user() {
    common::run_as_ordinary_user("everything_again_as_an_ordinary_user");
}

#[tokio::test]
#[ignore = "the second process of the other tests"]
async fn owner_process() {
    common::run_owner().await;
}
