"""Renders deploy/chart with Helm's own library and holds the result against the schemas of Kubernetes.

The schemas of CloudNativePG and of Prometheus' operator are in no package: those resources are only rendered.
"""
import re

import kubernetes_validate
from helm_python import HelmError
from helm_python.chart import Chart, lint
from ruamel.yaml import YAML

CHART = "deploy/chart"
# Severity of a lint message that is a recommendation, such as an icon.
INFO = 1
# The oldest release of Chart.yaml's kubeVersion, and the newest that the schemas have.
KUBERNETES = ("1.27", "1.37")
FOREIGN = {"Cluster", "ServiceMonitor", "PrometheusRule"}
TLS = {"tls": {"secretName": "meterhouse-tls"}}
# Values that take every branch of the templates.
ALL = {
    "image": {"pullSecrets": ["registry"]},
    "tls": {"secretName": "meterhouse-tls", "clientCaSecretName": "clients"},
    "signing": {"keySecretName": "signing"},
    "witness": {"url": "https://witness.example/v1/witness/heads", "tokenSecretName": "witness"},
    "announcement": {"url": "https://regulator.example/meterhouse", "tokenSecretName": "announcement"},
    "push": {"subject": "mailto:floor@casino.example", "keySecretName": "push"},
    "service": {"type": "LoadBalancer", "annotations": {"a/b": "c"}},
    "settings": {"METERHOUSE_LOG": "debug", "METERHOUSE_TABLES_NEED_CERTIFICATE": "false"},
    "otlpEndpoint": "http://collector.monitoring:4317",
    "state": {"storageClass": "fast"},
    "database": {"cluster": {"walSize": "10Gi", "storageClass": "fast", "extra": {"backup": {"retentionPolicy": "30d"}}}},
    "networkPolicy": {"clients": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]},
    "monitoring": {"labels": {"release": "prometheus"}, "runbooks": "https://wiki.example/runbooks/"},
    "nodeSelector": {"disk": "ssd"},
    "tolerations": [{"key": "casino", "operator": "Exists"}],
}
OTHER_DATABASE = {
    "tls": {"insecure": True},
    "database": {"cluster": {"enabled": False}, "applicationSecret": "app", "ownerSecret": "owner", "cidr": "10.1.0.0/16"},
    "monitoring": {"enabled": False, "dashboard": False},
    "networkPolicy": {"enabled": False},
}
# Addresses that nodes send to, and the ports that the policy of the network opens for them.
OPENED = [
    ({"witness": {"url": "https://10.0.0.5/v1/witness/heads"}}, 443),
    ({"witness": {"url": "https://witness.example:8443/v1/witness/heads"}}, 8443),
    ({"witness": {"url": "https://[2001:db8::5]/h"}}, 443),
    ({"witness": {"url": "https://[2001:db8::5]:9443/h"}}, 9443),
    ({"announcement": {"url": "https://regulator.example:7443/m"}}, 7443),
    ({"push": {"subject": "mailto:floor@casino.example", "keySecretName": "push"}}, 443),
    ({"otlpEndpoint": "http://10.0.0.5"}, 4317),
    ({"otlpEndpoint": "http://c:55680/"}, 55680),
]
REFUSED = [
    ({}, "set tls.secretName"),
    ({"tls": {"secretName": "a", "insecure": True}}, "contradict each other"),
    ({**TLS, "database": {"cluster": {"enabled": False}}}, "database.ownerSecret"),
    ({**TLS, "push": {"subject": "mailto:floor@casino.example"}}, "push.keySecretName"),
    ({**TLS, "replica": 3}, "replica"),
    ({**TLS, "image": {"tag": "latest"}}, "tag"),
    ({**TLS, "settings": {"LOG": "debug"}}, "LOG"),
]


def check_version(ours):
    metadata = Chart.load(CHART).metadata
    assert (metadata["version"], metadata["appVersion"]) == (ours, ours), metadata


def render(values, **how):
    with Chart.load(CHART) as chart:
        chart.validate_schema(values)
        files = chart.render(values=values, name="mh", namespace="casino", **how)
    documents = [
        document
        for name, text in files.items()
        if not name.endswith(".txt")
        for document in YAML(typ="safe").load_all(text)
        if document
    ]
    names = [(document["kind"], document["metadata"]["name"]) for document in documents]
    assert len(names) == len(set(names)), names
    return documents


def pods(documents):
    return [document for document in documents if document["kind"] in ("StatefulSet", "Job")]


def check_pod(workload, check_settings, settings, command):
    """The rights are those of the standard `restricted`; what is mounted is there; the program takes the settings."""
    where = f"{workload['kind']} {workload['metadata']['name']}"
    pod = workload["spec"]["template"]["spec"]
    security = pod["securityContext"]
    assert security["runAsNonRoot"] and security["seccompProfile"]["type"] == "RuntimeDefault", where
    assert pod["automountServiceAccountToken"] is False, where
    (container,) = pod["containers"]
    rights = container["securityContext"]
    assert rights["readOnlyRootFilesystem"] and not rights["allowPrivilegeEscalation"], where
    assert rights["capabilities"] == {"drop": ["ALL"]} and container["resources"]["limits"]["memory"], where
    assert re.search(r":\d+\.\d+\.\d+$", container["image"]), where
    claims = [claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", [])]
    volumes = {volume["name"] for volume in pod["volumes"]} | set(claims)
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert volumes == set(mounts), where
    environment = {variable["name"]: variable["value"] for variable in container["env"]}
    for value in environment.values():
        assert not value.startswith("/run/") or value.rsplit("/", 1)[0] in mounts.values(), f"{where}: {value}"
    check_settings(where, {**settings, **environment}, container.get("args", command))
    listens = [word.rsplit(":", 1)[1] for word in (*command, settings["METERHOUSE_METRICS_LISTEN"]) if ":" in word]
    ports = [str(port["containerPort"]) for port in container.get("ports", [])]
    assert workload["kind"] == "Job" or ports == listens, f"{where}: {ports} {listens}"


def check_references(documents):
    """Services and policies name ports and labels of the nodes, and the alerts are the checked ones."""
    by = {(document["kind"], document["metadata"]["name"]): document for document in documents}
    node = by["StatefulSet", "mh-meterhouse"]["spec"]["template"]
    labels = node["metadata"]["labels"]
    for document in documents:
        spec = document.get("spec", {})
        if document["kind"] == "Service":
            assert spec["selector"].items() <= labels.items(), document
        if document["kind"] == "PodDisruptionBudget":
            assert spec["selector"]["matchLabels"].items() <= labels.items(), document
    monitor = by["ServiceMonitor", "mh-meterhouse"]["spec"]
    service = by["Service", "mh-meterhouse-nodes"]
    assert monitor["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert service["metadata"]["labels"][monitor["jobLabel"]] == "meterhouse"
    rules = by["PrometheusRule", "mh-meterhouse"]["spec"]["groups"]
    alerts = [rule for group in rules for rule in group["rules"]]
    with open("deploy/prometheus/alerts.yml") as file:
        assert len(alerts) == file.read().count("- alert: ")
    assert all("{{" not in rule["expr"] for rule in alerts)
    assert any("{{ $labels.instance }}" in rule["annotations"]["summary"] for rule in alerts), "the templates of alerts"
    with open("deploy/dashboards/meterhouse.json") as file:
        assert by["ConfigMap", "mh-meterhouse-dashboard"]["data"]["meterhouse.json"] == file.read()
    cluster = by["Cluster", "mh-meterhouse-database"]["spec"]
    secret = by["Secret", "mh-meterhouse-application"]["stringData"]
    (role,) = cluster["managed"]["roles"]
    assert role["name"] == secret["username"] == "meterhouse_app"
    assert secret["url"] == f"postgres://meterhouse_app:{secret['password']}@mh-meterhouse-database-rw:5432/meterhouse"


def check_opened_ports():
    """Nodes reach names, the database, and the one address that these values add."""
    for values, port in OPENED:
        documents = render({**TLS, **values, "networkPolicy": {"enabled": True}}, is_install=True)
        by = {(document["kind"], document["metadata"]["name"]): document for document in documents}
        egress = by["NetworkPolicy", "mh-meterhouse"]["spec"]["egress"]
        ports = [opened["port"] for rule in egress for opened in rule["ports"]]
        assert ports == [53, 53, 5432, port], f"{values}: {ports}"


def check(check_settings, settings, command):
    findings = lint(CHART, values=ALL, strict=True)
    bad = [message for message in findings["messages"] if message["severity"] > INFO]
    assert not bad, bad
    rendered = 0
    for values in (TLS, ALL, OTHER_DATABASE):
        for how in ({"is_install": True, "is_upgrade": False, "revision": 1}, {"is_install": False, "is_upgrade": True, "revision": 2}):
            documents = render(values, **how)
            for document in documents:
                if document["kind"] not in FOREIGN:
                    for release in KUBERNETES:
                        kubernetes_validate.validate(document, release, strict=True)
            for workload in pods(documents):
                check_pod(workload, check_settings, settings, command)
            (job,) = [document for document in documents if document["kind"] == "Job"]
            hook = job["metadata"].get("annotations", {}).get("helm.sh/hook")
            assert hook == ("pre-upgrade" if how["is_upgrade"] else None), job
            if values is not OTHER_DATABASE:
                check_references(documents)
            rendered += len(documents)
    check_opened_ports()
    for values, reason in REFUSED:
        try:
            render(values, is_install=True)
        except HelmError as error:
            assert reason in str(error), f"{values}: {error}"
        else:
            raise AssertionError(f"these values are not refused: {values}")
    print(f"chart: {rendered} resources are rendered by Helm's library and fit Kubernetes {' and '.join(KUBERNETES)}")
