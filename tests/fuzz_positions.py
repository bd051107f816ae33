"""A fuzz target over the raw bytes of position files: they are read, or refused with a PositionError.

By hand, with atheris (which the suite does not need):   python tests/fuzz_positions.py [libFuzzer options] [corpus]
or without it, mutating good positions until stopped:    python tests/fuzz_positions.py --plain [seconds]
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from solver.files import _records
from solver.notation import PositionError
from solver.position import Position

SCRAPS = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"?", b"NaN", b"1e999", b"-1", b"\xff", b"\x00", b"\\u0000"]
SCRAPS += [
    b"null",
    b'"A"',
    b'"hands"',
    b'"plays"',
    b"SA",
    b"10",
    b"tuck ",
    b"bid ",
    "♠".encode(),
    b'"lt"',
    b"\n",
    b" " * 9,
]


def check_bytes(raw: bytes) -> None:
    """One input: as a JSON file, a JSONL file and a TOML file. Any error but PositionError comes out."""
    for name in ("fuzz.json", "fuzz.jsonl", "fuzz.toml"):
        for record in _records(io.BytesIO(raw), name):
            if isinstance(record.position, PositionError):
                text = str(record.position)
                assert text.startswith(name) and "\n" not in text and len(text) < 700, text
            else:
                check_position(record.position)


def check_position(position: Position) -> None:
    """What was read can be written, shown, looked at through every seat's eyes, and played on."""
    assert Position.from_dict(position.to_dict()) == position
    assert str(position)
    if position.is_open:
        for seat in range(position.players):
            position.observe(seat)
        for move in position.legal_moves[:5]:
            position.play(move)
            position.undo()


def mutations(raw: bytes, random: Random, number: int) -> Iterator[bytes]:
    """Copies with up to four bytes or stretches changed."""
    for _ in range(number):
        changed = bytearray(raw)
        for _ in range(random.randint(1, 4)):
            at, end = sorted((random.randrange(len(changed) + 1), random.randrange(len(changed) + 1)))
            action = random.randrange(5)
            if action == 0:
                changed[at:at] = random.choice(SCRAPS)
            elif action == 1:
                changed[at : at + random.randint(1, 4)] = random.choice(SCRAPS)
            elif action == 2:
                changed[at:end] = b"" if end - at < 30 else changed[at:end][:20]
            elif action == 3 and changed:
                changed[at % len(changed)] = random.randrange(256)
            else:
                changed[at:at] = changed[at : min(end, at + 30)]
        yield bytes(changed)


def fuzz_plainly(seconds: float) -> int:
    """Mutates random positions of all games for so long; returns how many inputs were tried."""
    sys.path.insert(0, str(Path(__file__).parent))
    from common import one_per_players, random_position

    random, tried = Random(), 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        raw = random_position(random.choice(one_per_players()), random).to_text().encode()
        for changed in mutations(raw, random, 50):
            try:
                check_bytes(changed)
            except BaseException:
                print(f"failed on {changed!r}", file=sys.stderr)
                raise
            tried += 1
    return tried


def main(arguments: list[str]) -> None:
    if arguments[1:2] == ["--plain"]:
        print(f"{fuzz_plainly(float(arguments[2]) if len(arguments) > 2 else 60)} inputs, no crash")
        return
    import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]

    atheris.instrument_all()
    atheris.Setup(arguments, check_bytes)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
