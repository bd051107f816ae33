"""Measured tables in documents: what stands between two comments is replaced by what was measured last."""

from __future__ import annotations

import platform
from pathlib import Path


def put(document: Path, name: str, table: str) -> None:
    """Replaces what stands between ``<!-- NAME: begin -->`` and ``<!-- NAME: end -->``. Raises ValueError."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = document.read_text(encoding="utf-8")
    if begin not in text or end not in text:
        raise ValueError(f"{document} has no place for a table: expected the comments {begin} and {end}")
    head, rest = text.split(begin)
    tail = rest.split(end)[1]
    system = f"Measured with Python {platform.python_version()} on {platform.machine()}."
    document.write_text(f"{head}{begin}\n{table}\n\n{system}\n{end}{tail}", encoding="utf-8")
