"""Collects the values that a server really has, by the names that they have in its answers.

A value called `hit` in an answer fills the parameter `{hit}` of a path, so that generated requests are about links,
tables, hits and proposals that exist.
"""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import requests

# Values by name, as many of each as are worth trying.
VALUES_MAX = 12
# Rounds of reading: a link gives its proposals, and a proposal gives its hit.
ROUNDS_MAX = 3
# Answers of one operation that are looked at.
ANSWERS_MAX = 4
# Parameters and fields that take a value which answers call otherwise.
OTHERWISE = {
    "sequence": ["next_sequence"],
    "after": ["next"],
    "with": ["paytable"],
    "amount": ["wager", "due"],
    "payout": ["number"],
    "from": ["at"],
    "to": ["at"],
    "by": ["name"],
}


def walk(value: Any, into: dict[str, list[Any]]) -> None:
    """Adds every text and number of an answer under its name."""
    if isinstance(value, list):
        for item in value:
            walk(item, into)
    elif isinstance(value, dict):
        for name, member in value.items():
            if isinstance(member, str | int) and not isinstance(member, bool):
                known = into.setdefault(name, [])
                if member not in known and len(known) < VALUES_MAX:
                    known.append(member)
            else:
                walk(member, into)


def of_name(name: str, values: dict[str, list[Any]]) -> list[Any]:
    """Returns the values for a parameter or field of this name."""
    own = values.get(name, [])
    return [*own, *(value for other in OTHERWISE.get(name, []) for value in values.get(other, []) if value not in own)]


def filled(path: str, values: dict[str, list[Any]]) -> list[str]:
    """Returns the path with values in the place of its parameters; none if a value is missing."""
    names = re.findall(r"\{(\w+)\}", path)
    choices = [of_name(name, values) for name in names]
    if not all(choices):
        return []
    paths = []
    for index in range(ANSWERS_MAX if names else 1):
        chosen = path
        for name, known in zip(names, choices, strict=True):
            chosen = chosen.replace(f"{{{name}}}", quote(str(known[index % len(known)]), safe=""))
        paths.append(chosen)
    return paths


def collect(document: dict[str, Any], get: Callable[[str], requests.Response]) -> dict[str, list[Any]]:
    """Reads every operation that can be read, until its values are known."""
    values: dict[str, list[Any]] = {}
    for _ in range(ROUNDS_MAX):
        for path, operations in document["paths"].items():
            if "get" not in operations or path == "/openapi.json":
                continue
            for chosen in filled(path, values):
                answer = get(chosen)
                if answer.ok and "json" in answer.headers.get("content-type", ""):
                    walk(json.loads(answer.text), values)
    return values
