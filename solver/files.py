"""Position files: JSON or TOML with one position, JSONL with one a line, and standard input.

Long JSONL files are read line by line, so their length is not limited; a single position is, so that a wrong file is
found out before it fills the memory.
"""

from __future__ import annotations

import errno
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from .notation import PositionError, decoded, read_json, readable
from .position import Position

STANDARD_INPUT: Final = "-"
LARGEST: Final = 1 << 20
"""The most bytes one position may take."""


class Record(NamedTuple):
    """One position of a file, or what is wrong with it.

    source: the file's name. line: the line it begins at.
    """

    source: str
    line: int
    position: Position | PositionError


def read(path: str | Path) -> Position:
    """The one position of a JSON or TOML file, or of a JSONL file with one line.

    Raises PositionError, a sentence that names the file, line and key, also if the file cannot be read.
    """
    records = list(_first_two(read_all(path)))
    if len(records) > 1:
        raise PositionError("this file has more than one position; read_all reads them", source=str(path))
    position = records[0].position
    if isinstance(position, PositionError):
        raise position
    return position


def _first_two(records: Iterator[Record]) -> Iterator[Record]:
    for _, record in zip(range(2), records, strict=False):
        yield record


def read_all(path: str | Path) -> Iterator[Record]:
    """Every position of a file, `-` for standard input, bad ones as the error they raised.

    A file that cannot be read at all is one record with its error. Nothing is read ahead of what is asked for.
    """
    source = "<stdin>" if str(path) == STANDARD_INPUT else str(path)
    try:
        if str(path) == STANDARD_INPUT:
            yield from _records(sys.stdin.buffer, source)
        else:
            with _opened(path) as stream:
                yield from _records(stream, source)
    except OSError as error:
        yield Record(source, 0, PositionError(f"cannot be read: {error.strerror}", source=source))


def _opened(path: str | Path) -> IO[bytes]:
    try:
        return open(path, "rb")
    except ValueError as error:  # a zero byte in the name
        raise OSError(errno.EINVAL, str(error)) from error


def _records(stream: IO[bytes], source: str) -> Iterator[Record]:
    if source.lower().endswith(".toml"):
        yield _record(_whole(stream, b""), source, 0, toml=True)
        return
    number = 0
    found = False
    while line := stream.readline(LARGEST + 1):
        number += 1
        if not line.strip():
            continue
        if not found and not source.lower().endswith(".jsonl") and not _complete(line):
            yield _record(_whole(stream, line), source, number)
            return
        found = True
        yield _record(line, source, number)
        if len(line) > LARGEST:
            return
    if not found:
        yield Record(source, 0, PositionError("is empty; expected a position", source=source))


def _complete(line: bytes) -> bool:
    """Is a file's first line a position by itself? Then the file is taken for JSONL."""
    return line.strip().startswith(b"{") and line.strip().endswith(b"}")


def _whole(stream: IO[bytes], begun: bytes) -> bytes:
    return begun + stream.read(max(0, LARGEST + 1 - len(begun)))


def _record(raw: bytes, source: str, line: int, *, toml: bool = False) -> Record:
    try:
        if len(raw) > LARGEST:
            raise PositionError(f"is longer than the {LARGEST} bytes that one position may have")
        return Record(source, line, Position.from_dict(_read_toml(raw) if toml else read_json(raw)))
    except PositionError as error:
        return Record(source, line, error.at(source, line))


def _read_toml(raw: bytes) -> Any:
    text = decoded(raw)
    with readable():
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise PositionError(f"is not TOML: {error}") from error
