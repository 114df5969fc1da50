"""Runs the fuzzer on a server as many callers: without a token, with a revoked one, and with one of each role and binding.

Usage: fuzz.py PROGRAM FOLDER SECONDS SEED. The server is at METERHOUSE_URL, and its data folder is FOLDER/data. Roles and
rights come from `meterhouse policy --json`, and operations from the server's own document, so that a new one is fuzzed
without a change here.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import requests

import pool

PROGRAM, FOLDER, SECONDS, SEED = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4]
URL = os.environ["METERHOUSE_URL"]
HERE = Path(__file__).parent
# The checks of the fuzzer that this API promises to keep, and `policy` of hooks.py.
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
    "policy",
]
# Requests that a run has to make to prove anything.
REQUESTS_LEAST = 1000
# Generated strings without NUL would miss what databases refuse. Tokens are the hooks' own.
SETTINGS = """
continue-on-failure = true
request-timeout = 15
warnings = false

[generation]
no-shrink = true
with-security-parameters = false
"""


def program(*arguments: str) -> str:
    """Returns what a command of the program prints."""
    done = subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def token(name: str, role: str, *options: str) -> str:
    """Creates a token and returns it."""
    data = ["--data-dir", str(FOLDER / "data"), "--log", "error"]
    return program("token", "create", *data, "--name", name, "--role", role, *options)


def departments(policy: dict[str, Any], grant: dict[str, Any]) -> list[str]:
    """Returns the option of a token that has a right of two people."""
    by_two = {right["right"] for right in policy["rights"] if right["two_people"]}
    return ["--department", f"{grant['role']}s"] if by_two & set(grant["rights"]) else []


def callers(policy: dict[str, Any], values: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Makes the callers: without a token, revoked, and one for each grant and for each right that a name may be given."""
    bounds = {"house": None, "link": values["link"][0], "table": values["table"][0]}
    revoked = token("revoked", "manager")
    program("token", "revoke", "--data-dir", str(FOLDER / "data"), "--log", "error", "revoked")
    made: list[dict[str, Any]] = [
        {"name": "nobody", "token": None, "rights": None},
        {"name": "revoked", "token": revoked, "rights": None},
    ]
    by_name = {right["right"] for right in policy["rights"] if right["given_by_name"]}
    # Once there is an administrator, no other token is made without one.
    for grant in sorted(policy["grants"], key=lambda grant: grant["role"] == "administrator"):
        role, binding, rights = grant["role"], grant["bound_to"], grant["rights"]
        bound = bounds[binding]
        options = [*([f"--{binding}", bound] if bound else []), *departments(policy, grant)]
        caller = {"binding": binding, "bound": bound, "two_people": "--department" in options}
        try:
            whole = token(f"{role}-{binding}", role, *options)
        except subprocess.CalledProcessError as refused:
            # No command makes such a token; tests/api/policy.rs has them.
            print(f"no {role} bound to a {binding}: {refused.stderr.strip()}", flush=True)
            continue
        made.append({"name": f"{role}-{binding}", "token": whole, "rights": rights, **caller})
        for given in sorted(by_name & set(rights)) if binding == "house" else []:
            name = f"{role}-{given.replace('_', '-')}"
            few = [right for right in rights if right == given or right not in by_name]
            made.append({"name": name, "token": token(name, role, *options, "--rights", given), "rights": few, **caller})
    return made


def main() -> None:
    """Prepares the folder of the hooks, and runs the fuzzer."""
    policy = json.loads(program("policy", "--json"))
    reader = {"Authorization": f"Bearer {token('reader', 'auditor')}"}
    document = requests.get(f"{URL}/openapi.json", timeout=10).json()
    values = pool.collect(document, lambda path: requests.get(URL + path, headers=reader, timeout=10))
    files = {"policy": policy, "values": values, "callers": callers(policy, values)}
    for name, content in files.items():
        (FOLDER / f"{name}.json").write_text(json.dumps(content))
    (FOLDER / "schemathesis.toml").write_text(SETTINGS)
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "run", f"{URL}/openapi.json", "--max-time", SECONDS,
        "--seed", SEED, "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing",
    ]  # fmt: skip
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE), "METERHOUSE_FUZZ": str(FOLDER)}
    done = subprocess.run(command, cwd=FOLDER, env=environment, check=False)
    counts = json.loads((FOLDER / "counts.json").read_text())
    for name, answers in counts.items():
        print(f"{name}: {sum(answers.values())} requests,", ", ".join(f"{n} of {status}" for status, n in answers.items()))
    total = sum(sum(answers.values()) for answers in counts.values())
    print(f"{total} requests of {len(counts)} callers with seed {SEED}", flush=True)
    if done.returncode != 0:
        sys.exit(f"repeat with FUZZ_SEED={SEED}")
    if total < REQUESTS_LEAST:
        sys.exit(f"that is less than {REQUESTS_LEAST}")


main()
