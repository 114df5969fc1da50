"""Compares what deploy/ names with what exists: check.py PROGRAM.

Compose: files, images, settings, commands, the collector's and Grafana's files. Versions: Rust and Meterhouse.
The chart is checked by chart.py.
"""
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import chart
from ruamel.yaml import YAML

DEPLOY = Path("deploy")
# Standard variables of OpenTelemetry and of the images of Postgres and Grafana.
FOREIGN = re.compile(r"OTEL_|PGDATA$|POSTGRES_|GF_")


def load(path):
    return YAML(typ="safe").load(Path(path).read_text())


def run(*arguments, **variables):
    """Returns exit code and output of the program with nothing but these variables."""
    ended = subprocess.run(
        [sys.argv[1], *arguments], env={"HOME": "/nonexistent", **variables}, text=True, capture_output=True, timeout=60
    )
    return ended.returncode, ended.stdout + ended.stderr


def variables():
    """Returns the variables that the program reads."""
    code, example = run("config", "example")
    assert code == 0, example
    named = set(re.findall(r"(?i:variable)\s+(?:#\s+)?([A-Z][A-Z_]+)", example))
    assert len(named) > 15, named
    return named


def check_settings(where, environment, command=("serve",)):
    """Each variable is known, and the program takes all values together, with the flags of a server as variables."""
    environment = dict(environment)
    if command[0] == "serve":
        environment.update(dict(zip(map(variable_of, command[1::2]), command[2::2])))
    known = variables()
    for name in environment:
        assert name in known or FOREIGN.match(name), f"{where}: no setting has the variable {name}"
    ours = {name: str(value) for name, value in environment.items() if name in known}
    # A variable with a secret may have its file instead.
    for name in [name for name in ours if name.endswith("_FILE") and name.removesuffix("_FILE") in known]:
        del ours[name]
        ours[name.removesuffix("_FILE")] = "postgres://meterhouse_app@127.0.0.1/meterhouse"
    code, output = run("config", "check", **ours)
    assert code == 0, f"{where}: {output}"


def check_command(where, command):
    code, output = run(*command, "--help")
    assert code == 0, f"{where}: {output}"


def variable_of(flag):
    """Returns the variable of a flag, by its lines in the example file."""
    _, example = run("config", "example")
    words = " ".join(example.replace("#", " ").split())
    return re.search(rf"Variable ([A-Z_]+), flag {flag},", words).group(1)


def image():
    """Returns what ENV and CMD of the Dockerfile say."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    line = re.search(r"^ENV (.*)$", text, re.M).group(1)
    check = json.loads(re.search(r"CMD (\[.*\])$", text[text.index("HEALTHCHECK") :], re.M).group(1))
    assert check[0] == "/usr/bin/meterhouse"
    check_command("HEALTHCHECK", check[1:])
    command = json.loads(re.search(r"^CMD (\[.*\])$", text, re.M).group(1))
    return dict(pair.split("=", 1) for pair in line.split()), command


def check_versions():
    rust = tomllib.loads(Path("rust-toolchain.toml").read_text())["toolchain"]["channel"]
    assert f"RUST_IMAGE=rust:{rust}-" in (DEPLOY / "Dockerfile").read_text(), f"the Dockerfile has not Rust {rust}"
    ours = tomllib.loads(Path("Cargo.toml").read_text())["workspace"]["package"]["version"]
    assert f"meterhouse:{ours}}}" in (DEPLOY / "compose.yaml").read_text(), f"compose.yaml has not version {ours}"
    chart.check_version(ours)


def check_service(name, service, compose):
    pinned = re.fullmatch(r"\$\{[A-Z_]+:-[a-z/-]+:(v?\d+\.\d+[^}]*)\}", service["image"])
    assert pinned, f"{name}: the image {service['image']} is not pinned"
    assert service["read_only"] and service["cap_drop"] == ["ALL"] and service["mem_limit"], name
    assert service["security_opt"] == ["no-new-privileges:true"], name
    secrets = compose["secrets"]
    for secret in service.get("secrets", []):
        assert secret in secrets, f"{name}: no secret {secret}"
    for value in service.get("environment", {}).values():
        secret = str(value).removeprefix("/run/secrets/")
        assert secret == str(value) or secret in service["secrets"], f"{name}: {value} is not mounted"
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        if source.startswith("."):
            assert (DEPLOY / source).exists(), f"{name}: {source} is missing"
        else:
            assert source in compose["volumes"], f"{name}: no volume {source}"
    for network in service["networks"]:
        assert network in compose["networks"], f"{name}: no network {network}"
    for other in service.get("depends_on", {}):
        assert other in compose["services"], f"{name}: no service {other}"
    if "meterhouse:" in service["image"]:
        settings, command = image()
        command = service.get("command", command)
        check_settings(name, {**settings, **service["environment"]}, command)
        check_command(name, command)


def check_scripts(compose):
    """The secrets that scripts read are mounted, and made by compose/secrets."""
    services = compose["services"]
    for service, script in (("database", "primary.sh"), ("standby", "standby.sh")):
        text = (DEPLOY / "compose" / script).read_text()
        for secret in re.findall(r"secret ([a-z_]+)|/run/secrets/([a-z_]+)", text):
            name = secret[0] or secret[1]
            assert name in services[service]["secrets"], f"{script}: {name} is not mounted"
    maker = (DEPLOY / "compose" / "secrets").read_text()
    for name, secret in compose["secrets"].items():
        assert secret["file"] == f"./secrets/{name}", name
        stem = name.replace("_url", ":")
        assert stem in maker, f"compose/secrets does not make {name}"


def check_watchers(compose):
    """Prometheus finds the nodes; the collector's pipelines have their parts; Grafana finds dashboard and data source."""
    services = compose["services"]
    scrape = load(DEPLOY / "prometheus/prometheus.yml")["scrape_configs"]
    targets = [target for job in scrape for config in job["static_configs"] for target in config["targets"]]
    port = image()[0]["METERHOUSE_METRICS_LISTEN"].split(":")[-1]
    nodes = [name for name in services if name.startswith("node-")]
    assert targets == [f"{node}:{port}" for node in nodes], targets
    collector = load(DEPLOY / "compose/collector.yaml")
    for pipeline in collector["service"]["pipelines"].values():
        for kind in ("receivers", "processors", "exporters"):
            assert set(pipeline[kind]) <= set(collector[kind]), pipeline
    endpoint = services["node-1"]["environment"]["OTEL_EXPORTER_OTLP_ENDPOINT"]
    receiver = collector["receivers"]["otlp"]["protocols"]["grpc"]["endpoint"]
    assert endpoint == f"http://collector:{receiver.split(':')[1]}", endpoint
    (source,) = load(DEPLOY / "compose/grafana/datasource.yaml")["datasources"]
    assert source["type"] == "prometheus" and source["url"] == "http://prometheus:9090", source
    (provider,) = load(DEPLOY / "compose/grafana/dashboards.yaml")["providers"]
    mounted = [volume.split(":")[1] for volume in services["grafana"]["volumes"] if ":" in volume]
    assert provider["options"]["path"] in mounted, mounted


def check_dashboard():
    board = json.loads((DEPLOY / "dashboards/meterhouse.json").read_text())
    ids = [panel["id"] for panel in board["panels"]]
    assert len(ids) == len(set(ids)) and board["uid"] == "meterhouse"
    names = {variable["name"] for variable in board["templating"]["list"]} | {"__rate_interval"}
    used = set(re.findall(r"\$\{?([a-z_]+)", json.dumps([board["panels"], board["annotations"]])))
    assert used <= names, f"the dashboard has no variable {used - names}"


def main():
    os.chdir(Path(__file__).resolve().parents[2])
    compose = load(DEPLOY / "compose.yaml")
    settings, command = image()
    check_command("the Dockerfile", command)
    for name, service in compose["services"].items():
        check_service(name, service, compose)
    check_scripts(compose)
    check_watchers(compose)
    check_dashboard()
    check_versions()
    print(f"compose.yaml: {len(compose['services'])} services name what exists, and the program takes their settings")
    chart.check(check_settings, settings, command)


main()
