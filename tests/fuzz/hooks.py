"""Hooks of the fuzzer: real values in generated requests, a caller for each, and the check against the policy.

The fuzzer checks the answer to one caller, who may do the operation wherever somebody may. The check `policy` then sends
the same request as callers who may not, some of them in turn: each has to be refused before anything is read.
"""

import atexit
import json
import os
import re
import zlib
from collections import Counter, deque
from pathlib import Path
from typing import Any

import requests
import schemathesis
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import pool

FOLDER = Path(os.environ["METERHOUSE_FUZZ"])
CALLERS = json.loads((FOLDER / "callers.json").read_text())
NAMES = {caller["name"] for caller in CALLERS} | {"reader"}
POLICY = json.loads((FOLDER / "policy.json").read_text())
VALUES = json.loads((FOLDER / "values.json").read_text())
TWO_PEOPLE = {right["right"] for right in POLICY["rights"] if right["two_people"]}
# Answers to requests that reached no operation.
NO_OPERATION = {"not_found", "method_not_allowed", "invalid_host"}
# Operations that end all tokens of a name.
ENDS_ACCESS = {"end_access", "revoke_tokens"}
# Newest values of a name that answers had.
LEARNED_MAX = 4
# A request in so many has learned values in its path.
LEARNED_EVERY = 3
# Callers who may not do an operation that one request is sent as.
REFUSED_MOST = 4
# A name that the server could have given.
NAME = "[A-Za-z0-9-]{1,32}"

# A file that is a picture.
PICTURE = (Path(__file__).parent.parent / "api/themes/grey.png").read_bytes()

session = requests.Session()
counts: dict[str, Counter[str]] = {caller["name"]: Counter() for caller in CALLERS}
learned: dict[str, deque[Any]] = {}
# The next number of each table, as the server answers it.
following: dict[str, int] = {}


def plain(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema that a reference leads to."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def fits(schema: dict[str, Any], value: Any) -> bool:
    """Returns whether a text or number is one of its schema."""
    if isinstance(value, str):
        forms = {"date-time": r"^\d{4}-\d\d-\d\dT.*Z$", "date": r"^\d{4}-\d\d-\d\d$"}
        form = forms.get(schema.get("format", ""), "")
        return all(re.search(pattern, value) for pattern in (form, schema.get("pattern", "")))
    return schema.get("minimum", value) <= value <= schema.get("maximum", value)


def with_values(name: str, schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Returns a schema that prefers values which the server has, and allows the same as before."""
    form = plain(schema, document)
    # The document of 0.1.0 gave this format to numbers of 32 bits without a sign (DECISIONS 226).
    if form.get("format") == "int32":
        schema = form = {key: value for key, value in form.items() if key != "format"}
    kind = {"string": str, "integer": int}.get(form["type"]) if isinstance(form.get("type"), str) else None
    if kind is None or "enum" in form or "const" in form:
        return schema
    known = [value for value in pool.of_name(name, VALUES) if isinstance(value, kind) and fits(form, value)]
    return {"anyOf": [{"type": form["type"], "enum": known}, schema]} if known else schema


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Puts the values that the server has into the parameters and bodies of the document."""
    for operations in raw_schema["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                parameter["schema"] = with_values(parameter["name"], parameter["schema"], raw_schema)
    for schema in raw_schema["components"]["schemas"].values():
        for field, kind in schema.get("properties", {}).items():
            schema["properties"][field] = with_values(field, kind, raw_schema)


def digest(case: Any) -> int:
    """Returns a number by which choices are made, so that the same seed makes the same ones."""
    return zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode(errors="replace"))


def is_valid(case: Any) -> bool:
    """Returns whether the case was generated to fit the document."""
    return case.meta is not None and case.meta.generation.mode.is_positive


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Chooses the caller, and puts what was learned into some of the valid paths."""
    choice = digest(case)
    if is_valid(case) and case.path_parameters:
        for name in case.path_parameters if choice % LEARNED_EVERY == 0 else []:
            if known := learned.get(name):
                case.path_parameters[name] = known[choice % len(known)]
        table = str(case.path_parameters.get("table"))
        # Only the expected number reaches the rules.
        if "sequence" in case.path_parameters and table in following and choice % 2 == 0:
            case.path_parameters["sequence"] = following[table]
    # An administrator may end the callers' tokens, and then nothing more is learned.
    if case.operation.definition.raw["operationId"] in ENDS_ACCESS and str(case.path_parameters.get("person")) in NAMES:
        case.path_parameters["person"] = "a-stranger"
    # Random bytes are no picture.
    if case.operation.definition.raw["operationId"] == "put_artwork" and is_valid(case) and choice % 2 == 0:
        case.body = PICTURE
    may = [caller for caller in CALLERS if "allowed" in verdicts(caller, case)] or CALLERS
    caller = may[choice % len(may)]
    case.headers["Authorization"] = f"Bearer {caller['token']}" if caller["token"] else ""
    if not caller["token"]:
        del case.headers["Authorization"]


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Learns from the answer."""
    if response.status_code in (200, 201):
        names: dict[str, list[Any]] = {name: [value] for name, value in (case.path_parameters or {}).items()}
        body = response.json() if "json" in (response.headers.get("content-type") or [""])[0] else {}
        pool.walk(body, names)
        for name, found in names.items():
            learned.setdefault(name, deque(maxlen=LEARNED_MAX)).append(found[-1])
    parameters = case.path_parameters or {}
    if "sequence" not in parameters:
        return
    table, fields = str(parameters.get("table")), problem(response).get("fields", {})
    if response.status_code in (201, 422):
        following[table] = int(parameters["sequence"]) + 1
    elif "expected" in fields:
        following[table] = int(fields["expected"])


def problem(response: Any) -> dict[str, Any]:
    """Returns the body of a problem."""
    kinds = response.headers.get("content-type") or [""]
    kind = kinds if isinstance(kinds, str) else kinds[0]
    return json.loads(response.content) if kind.startswith("application/problem+json") else {}


def reach(caller: dict[str, Any], parameters: dict[str, Any]) -> bool | None:
    """Returns whether the caller's token reaches the target; none if the path has something that is no name."""
    binding, bound = caller["binding"], caller["bound"]
    if binding == "house":
        return True
    if binding not in parameters:
        return False
    named = str(parameters[binding])
    return named == bound if re.fullmatch(NAME, named) else None


def verdicts(caller: dict[str, Any], case: Any) -> set[str]:
    """Returns the answers that the policy allows: `allowed`, `unauthenticated` or `forbidden`."""
    name = case.operation.definition.raw["operationId"]
    rows = [row for row in POLICY["http"] if row["operation"] == name]
    assert rows, f"{name} has no row in the policy"
    needs = {row["needs"] for row in rows}
    is_invalid = caller["rights"] is None
    if needs == {"public"}:
        more = any("more_with" in row for row in rows)
        return {"allowed", "unauthenticated"} if more and is_invalid and caller["token"] else {"allowed"}
    if is_invalid:
        return {"unauthenticated"}
    if needs == {"holder"}:
        return {"allowed"}
    held = {right for right in caller["rights"] if caller["two_people"] or right not in TWO_PEOPLE}
    reached = reach(caller, case.path_parameters or {})
    if not needs & held or reached is False:
        return {"forbidden"}
    # The body decides which of several rights counts.
    return {"allowed"} if reached and not needs - held else {"allowed", "forbidden"}


def judge(caller: dict[str, Any], case: Any, status: int, code: str | None) -> None:
    """Counts an answer, and fails if it is not one that the policy gives this caller."""
    counts[caller["name"]][str(status)] += 1
    if code in NO_OPERATION:
        return
    found = {(401, "unauthenticated"): "unauthenticated", (403, "forbidden"): "forbidden"}.get((status, code), "allowed")
    allowed = verdicts(caller, case)
    if found not in allowed:
        raise AssertionError(f"{caller['name']} got {status} {code}, and the policy says {' or '.join(sorted(allowed))}")


@schemathesis.check
def policy(context: Any, response: Any, case: Any) -> None:
    """Fails if the policy refuses a caller that the server let in: 401 and 403 come before anything is read."""
    sent = response.request
    token = sent.headers.get("Authorization", "").removeprefix("Bearer ") or None
    caller = next((caller for caller in CALLERS if caller["token"] == token), None)
    if caller is None or sent.method.lower() != case.operation.method:
        return
    judge(caller, case, response.status_code, problem(response).get("code"))
    refused = [caller for caller in CALLERS if "allowed" not in verdicts(caller, case)]
    first = digest(case) % max(1, len(refused))
    for caller in (refused + refused)[first : first + min(REFUSED_MOST, len(refused))]:
        again = requests.Request(sent.method, sent.url).prepare()
        again.url, again.body, again.headers = sent.url, sent.body, sent.headers.copy()
        again.headers.pop("Authorization", None)
        if caller["token"]:
            again.headers["Authorization"] = f"Bearer {caller['token']}"
        answer = session.send(again, timeout=15, allow_redirects=False)
        judge(caller, case, answer.status_code, problem(answer).get("code"))
        checks = [status_code_conformance, content_type_conformance, response_schema_conformance]
        case.validate_response(answer, checks=checks)


@atexit.register
def summary() -> None:
    """Writes the counts of answers for the summary."""
    (FOLDER / "counts.json").write_text(json.dumps({name: dict(sorted(found.items())) for name, found in counts.items()}))
