"""Position files: JSON, TOML, JSONL, standard input; what is wrong with them is told with file, line and key."""

from __future__ import annotations

import io
import json
import os
import sys
import tracemalloc
from pathlib import Path
from random import Random

import pytest
from common import one_per_players, random_position
from fuzz_positions import check_bytes, mutations
from malformed import GOOD, MALFORMED, PIRAMIDE, PLAIN

from solver.files import LARGEST, Record, read, read_all
from solver.notation import PositionError
from solver.position import Position

LINE = json.dumps(PIRAMIDE)


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def failure(path: Path) -> PositionError:
    """The error of a file with one position."""
    with pytest.raises(PositionError) as caught:
        read(path)
    error = caught.value
    assert str(error).startswith(str(path)) and "\n" not in str(error) and len(str(error)) < 700
    records = list(read_all(path))
    assert str(records[-1].position) == str(error)
    return error


# ---- good files ---------------------------------------------------------------------------------------------------


def test_json(tmp_path: Path) -> None:
    for text in (LINE, json.dumps(PIRAMIDE, indent=2), "\n\n  " + LINE + "\n\n", "\ufeff" + LINE):
        assert read(written(tmp_path, "deal.json", text)) == Position.from_dict(PIRAMIDE)
        assert read(str(written(tmp_path, "deal.txt", text))) == Position.from_dict(PIRAMIDE)


def test_toml(tmp_path: Path) -> None:
    text = """
    # a deal
    game = "piramide"
    hands = { A = "SAKQ HA D9 CT", B = "SJT HKQ DA CA" }
    plays = ["SA"]
    [contract]
    declarer = "A"
    bid = 3
    trump = "H"
    """
    assert read(written(tmp_path, "deal.TOML", text)) == Position.from_dict(PIRAMIDE | {"plays": ["SA"]})


@pytest.mark.parametrize("name", ["deals.jsonl", "deals.json", "deals"])
def test_many_lines(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name, "\n".join(["", LINE, "", json.dumps(PLAIN), LINE.replace("SA", "SX"), LINE]))
    records = list(read_all(path))
    assert [(record.source, record.line) for record in records] == [(str(path), line) for line in (2, 4, 5, 6)]
    assert [record.position for record in records[:2]] == [Position.from_dict(PIRAMIDE), Position.from_dict(PLAIN)]
    assert str(records[2].position).startswith(f"{path}:5: hands.A: ")
    assert records[3].position == Position.from_dict(PIRAMIDE)
    with pytest.raises(PositionError, match="more than one position; read_all reads them"):
        read(path)


def test_one_line_is_a_position_too(tmp_path: Path) -> None:
    assert read(written(tmp_path, "deals.jsonl", LINE + "\n")) == Position.from_dict(PIRAMIDE)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{LINE}\n{{\n".encode())))
    first, second = read_all("-")
    assert first == Record("<stdin>", 1, Position.from_dict(PIRAMIDE))
    assert str(second.position).startswith("<stdin>:2: is not JSON")


def test_long_files_are_read_as_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w") as stream:
        stream.writelines(f"{LINE}\n" for _ in range(20_000))
    records = read_all(path)
    tracemalloc.start()
    try:
        for _ in range(3):
            assert isinstance(next(records).position, Position)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    records.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("data", GOOD, ids=lambda data: data["game"])
def test_every_game(tmp_path: Path, data: dict[str, object]) -> None:
    assert read(written(tmp_path, "deal.json", json.dumps(data))) == Position.from_dict(data)


# ---- bad files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(tmp_path: Path, name: str) -> None:
    """File, line and key stand before the sentence."""
    case = MALFORMED[name]
    path = written(tmp_path, "deal.json", f"\n{json.dumps(case.data, allow_nan=True)}\n")
    error = failure(path)
    assert error.source == str(path)
    if "NaN" not in path.read_text() and "Infinity" not in path.read_text():
        assert error.key == case.key
        assert str(error).startswith(f"{path}:2: {case.key}: " if case.key else f"{path}:2: ")
        assert all(part in str(error) for part in case.says)


@pytest.mark.parametrize("name", ["empty.json", "empty.jsonl", "empty.toml", "empty"])
@pytest.mark.parametrize("content", [b"", b"\n", b" \n\t\n", b"\xef\xbb\xbf"])
def test_empty_file(tmp_path: Path, name: str, content: bytes) -> None:
    error = failure(written(tmp_path, name, content))
    assert "is empty" in str(error) or "is not JSON" in str(error) or error.key == "game"


def test_empty_file_says_so(tmp_path: Path) -> None:
    assert str(failure(written(tmp_path, "empty.json", b""))).endswith("empty.json: is empty; expected a position")


@pytest.mark.parametrize("name", ["large.json", "large.jsonl", "large.toml", "large"])
@pytest.mark.parametrize("first", [b"", b" ", b"{", b"{}", b"[", b'{"game": "', b"#"])
def test_file_of_100_megabytes(tmp_path: Path, name: str, first: bytes) -> None:
    """It is refused without being read whole."""
    path = written(tmp_path, name, first)
    os.truncate(path, 100_000_000)
    tracemalloc.start()
    try:
        error = failure(path)
        assert tracemalloc.get_traced_memory()[1] < 20 * LARGEST
    finally:
        tracemalloc.stop()
    assert str(LARGEST) in str(error)


def test_largest_position(tmp_path: Path) -> None:
    padding = " " * (LARGEST - len(LINE) - 1)
    assert read(written(tmp_path, "deal.json", LINE[:-1] + padding + "}\n")) == Position.from_dict(PIRAMIDE)
    assert "longer than" in str(failure(written(tmp_path, "deal.json", LINE[:-1] + padding + "  }")))


@pytest.mark.parametrize(
    ("name", "content", "place", "says"),
    [
        ("a.json", b'{"game": "pl\xe9in"}', ":1: ", "'\\xe9' at byte 12 is not UTF-8"),
        ("a.json", LINE.encode("utf-16"), ":1: ", "is not UTF-8"),
        ("a.toml", b"game = 'pl\xe9in'", ": ", "is not UTF-8"),
        ("a.json", b'{"game": "piramide", "won": {"A": NaN}}', ":1: ", "NaN is no number"),
        ("a.toml", b'game = "piramide"\nhands = {A="SA", B="SK"}\nwon = {A = nan}', ": won.A: ", "nan is not a whole"),
        ("a.json", b"[" * 500_000, ":1: ", "nested too deeply"),
        ("a.toml", b"a = " + b"[" * 100_000, ": ", "nested too deeply"),
        ("a.toml", b"a = " + b"{a=" * 100_000, ": ", "nested too deeply"),
        ("a.json", b'{"game": "piramide",\n "game": "plain"}', ":1: game: ", "'game' comes twice"),
        ("a.toml", b"game = 'plain'\ngame = 'atspek'", ": ", "is not TOML"),
        ("a.toml", LINE.encode(), ": ", "is not TOML"),
        ("a.json", b"game = 'plain'", ":1: ", "is not JSON"),
        ("a.json", b'{"won": ' + b"1" * 10_000 + b"}", ":1: ", "number too long"),
        ("a.toml", b"won = " + b"1" * 10_000, ": ", "number too long"),
        ("a.toml", b"game = 1979-05-27", ": game: ", "is not a text"),
        ("a.json", b"\x00" * 100, ":1: ", "is not JSON"),
        ("a.jsonl", b"{\n}\n", ":2: ", "is not JSON"),
        ("a.jsonl", b"null", ":1: ", "None is not an object"),
        ("a.json", b"{}", ":1: game: ", "is missing"),
    ],
)
def test_broken_files(tmp_path: Path, name: str, content: bytes, place: str, says: str) -> None:
    path = written(tmp_path, name, content)
    errors = [record.position for record in read_all(path)]
    assert all(isinstance(error, PositionError) for error in errors)
    assert str(errors[-1]).startswith(f"{path}{place}")
    assert says in str(errors[-1])


def test_unreadable(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in str(failure(tmp_path / "nowhere.json"))
    assert "cannot be read: Is a directory" in str(failure(tmp_path))
    with pytest.raises(PositionError, match="cannot be read: File name too long"):
        read(tmp_path / ("x" * 5000))
    with pytest.raises(PositionError, match="cannot be read"):
        read("a\0b.json")


# ---- fuzz ---------------------------------------------------------------------------------------------------------


def test_mutated_bytes() -> None:
    """Bytes of good positions with some changed: read, or refused in a sentence, never anything else."""
    random = Random(8)
    for game in one_per_players():
        raw = random_position(game, random).to_text().encode()
        for changed in mutations(raw, random, 25):
            check_bytes(changed)


def test_fuzz_target_finds_crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guards the test above: an error of another kind would come out."""

    def crash(data: object) -> None:
        raise KeyError("hands")

    monkeypatch.setattr(Position, "from_dict", crash)
    with pytest.raises(KeyError):
        check_bytes(LINE.encode())
