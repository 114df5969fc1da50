//! Postgres in a container, by the Docker engine that `DOCKER_HOST` names or that listens at the usual socket.
//!
//! # What ends it
//! A process of tests ends without dropping what is static, or is killed. A shell that reads from this process
//! therefore waits for the end of the pipe, and removes the container then.

use std::collections::HashMap;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use testcontainers::bollard::models::PortBinding;
use testcontainers::core::IntoContainerPort as _;
use testcontainers::core::client::docker_client_instance;
use testcontainers::runners::AsyncRunner as _;
use testcontainers::{GenericImage, ImageExt as _};
use tokio::time::{Instant, sleep, timeout};

use crate::PASSWORD;
use crate::choice::IMAGE;

/// Longest wait for the engine's answer. An engine that is there answers within milliseconds.
const ENGINE_WAIT: Duration = Duration::from_secs(5);
/// Longest wait for a started container, with the pull of its image.
const START_WAIT: Duration = Duration::from_mins(5);
/// Longest wait for the first connection, which `initdb` precedes, and the interval between two attempts.
const READY_WAIT: Duration = Duration::from_mins(1);
const READY_POLL: Duration = Duration::from_millis(50);

/// The address of containers. An engine's own name for it may lead out of this machine's loopback.
const LOOPBACK: &str = "127.0.0.1";
/// Postgres' port in the container.
const PORT: u16 = 5432;
/// Superuser and database of the official images.
const SUPERUSER: &str = "postgres";
/// Connections of all tests of a process: as many as a private server has.
const CONNECTIONS_MAX: &str = "max_connections=200";

/// A running container.
#[derive(Debug)]
pub(crate) struct Container {
    /// Shell that removes the container when its input ends.
    remover: Child,
}

impl Drop for Container {
    fn drop(&mut self) {
        // Waiting closes the shell's input first.
        drop(self.remover.wait());
    }
}

/// Asks if an engine answers and has the image.
pub(crate) async fn has_image(image: &str) -> bool {
    let asked = async {
        let docker = docker_client_instance().await.ok()?;
        docker.inspect_image(image).await.ok()
    };
    matches!(timeout(ENGINE_WAIT, asked).await, Ok(Some(_)))
}

/// Starts a container and waits for its Postgres. The image takes the variable and the command of the official ones.
pub(crate) async fn start(image: &str) -> Result<(Container, PgConnectOptions), String> {
    let failed = |error: String| {
        format!(
            "no container of {image}: {error}. Start a Docker engine (DOCKER_HOST), or unset {IMAGE}"
        )
    };
    let (name, tag) = split(image);
    let on_loopback = PortBinding {
        host_ip: Some(LOOPBACK.to_owned()),
        host_port: None,
    };
    let request = GenericImage::new(name, tag)
        .with_exposed_port(PORT.tcp())
        .with_env_var("POSTGRES_PASSWORD", PASSWORD)
        .with_cmd(["postgres", "-c", CONNECTIONS_MAX])
        .with_host_config_modifier(move |host| {
            host.publish_all_ports = Some(false);
            let bindings = (format!("{PORT}/tcp"), Some(vec![on_loopback.clone()]));
            host.port_bindings = Some(HashMap::from([bindings]));
        });
    let started = timeout(START_WAIT, request.start())
        .await
        .map_err(|_| failed(format!("not within {} s", START_WAIT.as_secs())))?
        .map_err(|error| failed(error.to_string()))?;
    let remover = remove_at_end(started.id())
        .map_err(|error| failed(format!("no shell that removes it later: {error}")))?;
    let port = started.get_host_port_ipv4(PORT.tcp()).await;
    // The shell removes it, whether this process drops it or ends.
    std::mem::forget(started);
    let container = Container { remover };
    let superuser = PgConnectOptions::new_without_pgpass()
        .host(LOOPBACK)
        .port(port.map_err(|error| failed(error.to_string()))?)
        .username(SUPERUSER)
        .password(PASSWORD)
        .database(SUPERUSER);
    wait_until_ready(&superuser).await.map_err(failed)?;
    Ok((container, superuser))
}

/// Splits an image into its name and its tag.
fn split(image: &str) -> (&str, &str) {
    match image.rsplit_once(':') {
        // A registry's port has a path behind it.
        Some((name, tag)) if !tag.contains('/') => (name, tag),
        _ => (image, "latest"),
    }
}

/// Starts a shell that removes the container when this process closes its input or ends.
fn remove_at_end(id: &str) -> io::Result<Child> {
    Command::new("sh")
        .args([
            "-c",
            "read -r _; exec docker rm --force --volumes \"$0\"",
            id,
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Ctrl-C at a terminal ends the tests, not the shell.
        .process_group(0)
        .spawn()
}

/// Waits until a connection succeeds: an engine accepts connections before Postgres does.
async fn wait_until_ready(superuser: &PgConnectOptions) -> Result<(), String> {
    let deadline = Instant::now() + READY_WAIT;
    loop {
        match timeout(ENGINE_WAIT, PgConnection::connect_with(superuser)).await {
            Ok(Ok(connection)) => return connection.close().await.map_err(|it| it.to_string()),
            Ok(Err(error)) if Instant::now() >= deadline => return Err(error.to_string()),
            Err(_) if Instant::now() >= deadline => return Err("Postgres is silent".to_owned()),
            Ok(Err(_)) | Err(_) => sleep(READY_POLL).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn an_image_has_a_tag() {
        assert_eq!(split("postgres:17"), ("postgres", "17"));
        assert_eq!(split("postgres"), ("postgres", "latest"));
        assert_eq!(split("localhost:5000/pg"), ("localhost:5000/pg", "latest"));
        assert_eq!(split("localhost:5000/pg:15"), ("localhost:5000/pg", "15"));
    }
}
