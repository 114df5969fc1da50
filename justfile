# One recipe a task, each one command; docs/CONTRIBUTING.md has the same commands without just.

# Lists the recipes.
default:
    @just --list

# Builds the program.
build:
    cargo build --release

# Runs all tests.
test:
    cargo test --workspace

# Runs the tests of one crate: just test-crate meterhouse-domain
test-crate name:
    cargo test -p {{name}}

# Formats the code.
fmt:
    cargo fmt --all

# Runs the lints.
lint:
    cargo clippy --workspace --all-targets -- -D warnings

# Checks the rules of the tree that no other tool has.
tidy:
    cargo tidy

# Finds unused and misplaced dependencies.
shear:
    cargo shear

# Checks licences, sources and versions of dependencies.
deny:
    cargo deny check bans licenses sources

# Checks the spelling.
typos:
    typos

# Builds the documents as a book.
book:
    mdbook build docs

# Runs everything that CI runs.
ci:
    bash .ci/run

# Runs what takes longer than CI may.
long:
    bash .ci/long

# Checks, tests and builds the pages in TypeScript.
client:
    cd server/web/client && npm ci && npm run check && npm test && npm run build

# Tries the pages in a browser, with the release program.
pages:
    cd server/web/client && npm ci && METERHOUSE_PROGRAM=$OLDPWD/target/release/meterhouse npm run e2e

# Plays the demo.
demo:
    cargo run --release -- demo

# Measures the committer.
bench:
    cargo bench -p meterhouse-tests --bench committer

# Writes the manual's pages again.
manual:
    cargo run --release -- manual --write docs/games

# Runs tests on Postgres in containers, as root.
containers:
    bash tests/deploy/containers

# Runs tests on private servers of Postgres 16, 17 and 18.
majors:
    bash tests/deploy/majors

# Backs a playing server up and restores it, with the commands of docs/operating/backup.md.
backup:
    bash tests/deploy/backup

# Plays a round over clients generated from the OpenAPI document of the release program.
generated:
    bash tests/generated/run

# Fuzzes every operation of the OpenAPI document with and without tokens, with the release program.
fuzz:
    bash tests/fuzz/run

# Upgrades two nodes of the baseline in turn, under load, with the release program.
upgrade:
    bash tests/deploy/upgrade

# Writes the OpenAPI document again.
openapi:
    cargo run -- openapi > docs/openapi.json

# Writes the page of the rights again.
rights:
    cargo run -- policy > docs/operating/rights.md

# Writes the example file of the settings again.
settings:
    cargo run -- config example > deploy/meterhouse.toml

# Checks the files of deploy/ by their own tools.
deployment:
    cargo build -p meterhouse && bash tests/deploy/check

# Builds the image and runs it, as root.
image:
    METERHOUSE_IMAGE=target/image.tar bash tests/deploy/image

# Runs nodes and databases of compose.yaml on the image, as root.
compose: image
    bash tests/deploy/compose target/image.tar

# Lets Debian's Prometheus scrape a server and answer the queries of dashboard and alerts.
monitoring:
    cargo build -p meterhouse && bash tests/deploy/monitoring

# Logs people in by npm's provider of OpenID Connect.
openid:
    cargo build -p meterhouse && bash tests/deploy/openid/run

# Runs the server behind nginx and Caddy.
proxies:
    bash tests/deploy/proxies

# Kill, partition, freeze and switch three database servers under load. Needs Debian's patroni, etcd-server, postgresql-15.
patroni:
    bash tests/deploy/patroni --short

# Follows the operating pages on bare machines, as root.
walk:
    bash tests/deploy/walk

# Compares what builds cost beside each other: just cost NAME=PROGRAM NAME=PROGRAM
cost *builds:
    bash tests/deploy/cost {{builds}}

# Measures the start, the processor time and the memory of an idle server, with the release program.
idle:
    bash tests/deploy/idle

# Installs, starts, upgrades and removes the Debian package in a chroot.
package:
    bash tests/deploy/debian
