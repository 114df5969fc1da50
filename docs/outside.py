#!/usr/bin/env python3
"""Prepares pages for the book: names the files outside `docs/` that they link to, because the book doesn't have them.

mdBook runs it as a preprocessor: `[text](../README.md)` becomes text (`README.md`).
"""

import json
import posixpath
import re
import sys

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")


def name_outside(page):
    """Returns a function that replaces a link of this page if it leads out of the book."""
    folder = posixpath.dirname(page)

    def replace(link):
        text, target = link.groups()
        path = posixpath.normpath(posixpath.join("docs", folder, target.split("#")[0]))
        if "://" in target or target.startswith(("#", "mailto:")) or path.startswith("docs/"):
            return link.group()
        return text if text.strip("`") == path else f"{text} (`{path}`)"

    return replace


def prepare(items):
    """Prepares chapters and those below them."""
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter and chapter["path"]:
            blocks = chapter["content"].split("```")
            prose = [LINK.sub(name_outside(chapter["path"]), block) for block in blocks[::2]]
            blocks[::2] = prose
            chapter["content"] = "```".join(blocks)
        if chapter:
            prepare(chapter["sub_items"])


if len(sys.argv) == 1:
    _, book = json.load(sys.stdin)
    prepare(book["items"])
    json.dump(book, sys.stdout)
