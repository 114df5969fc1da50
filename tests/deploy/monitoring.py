"""Asks a Prometheus what tests/deploy/monitoring and walk want to know: monitoring.py URL dashboard|quiet|down [RANGE].

With a RANGE, nothing was refused: the panels of refusals and errors may be empty as well."""
import json
import sys
import urllib.parse
import urllib.request

# Panels that are empty until something goes wrong, or without a standby, a display or a witness.
RARE = ("meterhouse_commit_retries", "meterhouse_commit_unknown", "meterhouse_display_resets", "standby_lag", "feed_lag",
        "meterhouse_witness_")

# The range of a rate: a few scrapes.
RANGE = sys.argv[3] if len(sys.argv) > 3 else "5s"
if len(sys.argv) > 3:
    RARE += ("meterhouse_refusals", "meterhouse_errors")


def ask(path, **query):
    url = f"{sys.argv[1]}/api/v1/{path}?{urllib.parse.urlencode(query)}"
    with urllib.request.urlopen(url, timeout=10) as answer:
        body = json.load(answer)
    assert body["status"] == "success", body
    return body["data"]


def dashboard():
    board = json.load(open("deploy/dashboards/meterhouse.json"))
    empty, count = [], 0
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            query = target["expr"]
            for name, value in (("$__rate_interval", RANGE), ("$instance", ".*"), ("$link", ".*")):
                query = query.replace(name, value)
            assert "$" not in query, query
            count += 1
            if not ask("query", query=query)["result"] and not any(name in query for name in RARE):
                empty.append(query)
    assert not empty, f"no result: {empty}"
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            metric, label = variable["definition"].removeprefix("label_values(").rstrip(")").split(", ")
            assert ask(f"label/{label}/values", **{"match[]": metric}), variable
    print(f"{count} queries of the dashboard are answered")


def rules():
    return [rule for group in ask("rules")["groups"] for rule in group["rules"]]


def quiet():
    every = rules()
    bad = [(rule["name"], rule["health"], rule.get("lastError")) for rule in every if rule["health"] != "ok"]
    assert every and not bad, bad
    raised = [rule["name"] for rule in every if rule["state"] != "inactive" and rule["labels"]["severity"] == "critical"]
    assert not raised, raised
    print(f"{len(every)} alerts are evaluated")


def down():
    states = {rule["name"]: rule["state"] for rule in rules()}
    assert states["MeterhouseDown"] in ("pending", "firing"), states
    print(f"after the server's death MeterhouseDown is {states['MeterhouseDown']}")


{"dashboard": dashboard, "quiet": quiet, "down": down}[sys.argv[2]]()
