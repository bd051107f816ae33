"""Reading and writing positions and moves: every malformed input gets one sentence, everything good round-trips."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from common import each_game, one_per_players, random_for, random_position
from hypothesis import given
from hypothesis import strategies as st
from malformed import GOOD, MALFORMED, SIXTY_SIX, Bad, nested

from solver.cards import NATURAL, CardText, Deck, each
from solver.game import BID, CLAIM, CLOSE, EXCHANGE, MARRIAGE, PASS, PLAY, TRUMP, TUCK, Game, Move
from solver.notation import PositionError, decoded, read_fields, read_json, read_move, write_fields, write_move
from solver.position import Position

LONGEST = 600
"""The characters an error sentence has at most: it quotes only the beginning of what is long."""


def one_sentence(error: PositionError) -> str:
    text = str(error)
    assert "\n" not in text and 10 < len(text) < LONGEST
    return text


# ---- malformed ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(name: str) -> None:
    case: Bad = MALFORMED[name]
    with pytest.raises(PositionError) as caught:
        Position.from_dict(case.data)
    text = one_sentence(caught.value)
    assert caught.value.key == case.key, text
    assert text.startswith(f"{case.key}: " if case.key else caught.value.reason)
    for part in case.says:
        assert part in text


@pytest.mark.parametrize("data", GOOD, ids=lambda data: data["game"])
def test_what_the_malformed_were_made_of_is_good(data: dict[str, Any]) -> None:
    assert Position.from_dict(data).legal_moves


@pytest.mark.parametrize("data", GOOD, ids=lambda data: data["game"])
@pytest.mark.parametrize(
    "value", [None, True, -1, 10**40, 1.5, "", "?", [], {}, [[]], {"A": {}}, {"A": None}, nested(9)]
)
def test_wrong_types_everywhere(data: dict[str, Any], value: object) -> None:
    """Any key may hold anything: it is read, or refused in a sentence."""
    keys = {*data, "rules", "hands", "plays", "seat", "match", "notation", "gone", "leader", "won", "claims", "first"}
    for key in keys:
        for changed in places(data | {key: value}, value):
            try:
                Position.from_dict(changed)
            except PositionError as error:
                one_sentence(error)


def places(data: dict[str, Any], value: object) -> list[dict[str, Any]]:
    """The dict, and the dict with the value one level deeper, in each place there."""
    found = [data]
    for key, entry in data.items():
        if isinstance(entry, dict):
            found += [data | {key: entry | {inner: value}} for inner in entry]
        elif isinstance(entry, list):
            found += [data | {key: [*entry[:at], value, *entry[at + 1 :]]} for at in range(len(entry))]
    return found


def test_errors_are_values() -> None:
    error = PositionError("is wrong", "hands.A").at("deal.json", 3)
    assert str(error) == "deal.json:3: hands.A: is wrong"
    assert isinstance(error, ValueError)
    twin = pickle.loads(pickle.dumps(error))
    assert (twin.reason, twin.key, twin.source, twin.line) == ("is wrong", "hands.A", "deal.json", 3)
    assert str(PositionError("is wrong", source="deal.toml")) == "deal.toml: is wrong"


# ---- JSON ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"nul", "is not JSON"),
        (b'{"game": "plain",}', "is not JSON"),
        (b"{'game': 'plain'}", "line 1 column 2"),
        (b'{"a": 1}\n{', "line 2 column 1"),
        (b'{"won": NaN}', "NaN is no number"),
        (b'{"won": Infinity}', "Infinity is no number"),
        (b'{"won": -Infinity}', "-Infinity is no number"),
        (b'{"game": "plain", "game": "atspek"}', "'game' comes twice"),
        (b'{"hands": {"A": "SA", "A": "SK"}}', "'A' comes twice"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "is nested too deeply"),
        (b'{"won": ' + b"9" * 100_000 + b"}", "has a number too long to read"),
        (b"\xff\xfe{\x00}\x00", "is not UTF-8"),
        (b'{"game": "pl\xe9in"}', "at byte 12 is not UTF-8"),
        (b"\x00\x01\x02", "is not JSON"),
    ],
)
def test_malformed_json(raw: bytes, says: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_json(raw)
    assert says in one_sentence(caught.value)


def test_a_byte_order_mark_is_no_error() -> None:
    assert decoded(b"\xef\xbb\xbf{}") == "{}"
    assert read_json(b"\xef\xbb\xbf{}") == {}


def test_escapes_are_read() -> None:
    assert read_json(r'"\u2660A"') == "♠A"
    lonely = read_json(r'{"game": "\ud800"}')
    with pytest.raises(PositionError, match="there is no game") as caught:
        Position.from_dict(lonely)
    one_sentence(caught.value).encode()


# ---- moves --------------------------------------------------------------------------------------------------------

FULL = CardText(Deck(NATURAL))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("SA", "SA"),
        ("sa", "SA"),
        ("♠A", "SA"),
        ("H10", "HT"),
        (" ht ", "HT"),
        ("H9 HJ HA", "HA HJ H9"),
        ("H9JA", "HA HJ H9"),
        ("tuck S4 S3", "tuck S4 S3"),
        ("TUCK s3 s4", "tuck S4 S3"),
        ("tuck ? ?", "tuck ? ?"),
        ("tuck S4 ?", "tuck S4 ?"),
        ("Marriage ♠Q", "marriage SQ"),
        ("exchange", "exchange"),
        ("Close", "close"),
        ("bid 3", "bid 3"),
        ("bid 3 h", "bid 3 H"),
        ("bid 0 nt", "bid 0 NT"),
        ("pass", "pass"),
        ("trump ♥", "trump H"),
        ("claim", "claim"),
    ],
)
def test_moves(text: str, move: str) -> None:
    assert write_move(read_move(text, FULL), FULL) == move


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "S", "A", "SX", "SA SA", "?", "SA ?", "tuck", "marriage", "marriage SQ SK", "marriage ?", "bid",
        "bid x", "bid 10", "bid -1", "bid 3 X", "bid 3 H S", "bid ٣", "trump", "trump NT", "trump H S", "pass SA",
        "close H", "exchange S9", "claim 66", "play SA", "SA, SK", "S1", "S0", "\x00", "tuck tuck SA",
    ],
)  # fmt: skip
def test_malformed_moves(text: str) -> None:
    with pytest.raises(PositionError, match="is not a move; expected one such as"):
        read_move(text, FULL)


cards = st.sets(st.sampled_from(list(each(FULL.deck.cards))), min_size=1, max_size=3).map(
    lambda chosen: sum(1 << card for card in chosen)
)
moves = st.one_of(
    st.sampled_from([Move(kind) for kind in (EXCHANGE, CLOSE, PASS, CLAIM)]),
    cards.map(lambda held: Move(PLAY, held)),
    st.builds(lambda held, unseen: Move(TUCK, held, unseen), cards, st.integers(0, 3)),
    st.integers(1, 3).map(lambda unseen: Move(TUCK, 0, unseen)),
    st.sampled_from(list(each(FULL.deck.cards))).map(lambda card: Move(MARRIAGE, 1 << card)),
    st.integers(0, 9).map(lambda bid: Move(BID, bid=bid)),
    st.builds(lambda bid, trump: Move(BID, bid=bid, trump=trump), st.integers(0, 9), st.integers(-1, 3)),
    st.integers(0, 3).map(lambda trump: Move(TRUMP, trump=trump)),
)


@given(moves, st.sampled_from(["en", "lt"]))
def test_moves_round_trip(move: Move, notation: str) -> None:
    text = CardText(Deck(NATURAL), notation)
    assert read_move(write_move(move, text), text) == move


@given(st.text(max_size=20))
def test_any_text_as_a_move(text: str) -> None:
    try:
        move = read_move(text, FULL)
    except PositionError as error:
        one_sentence(error)
    else:
        assert read_move(write_move(move, FULL), FULL) == move


# ---- round trips --------------------------------------------------------------------------------------------------


@given(st.sampled_from(one_per_players()), st.integers(0, 10**6), st.booleans(), st.sampled_from(["en", "lt"]))
def test_positions_round_trip(game: Game[Any], seed: int, seen: bool, notation: str) -> None:
    """From a position to a dict, through JSON, and back, in both notations, open and as a seat sees it."""
    random = Random(seed)
    position = random_position(game, random)
    if seen:
        position = position.observe(random.randrange(game.players))
    position = position.in_notation(notation)
    data = json.loads(json.dumps(position.to_dict()))
    again = Position.from_dict(data)
    assert again == position
    assert again.to_dict() == data
    fields = read_fields(data)
    assert write_fields(fields) == data
    assert fields.text.notation == notation


@each_game()
def test_lithuanian_letters(game: Game[Any]) -> None:
    """tūzas, karalius, dama, valetas: no A, Q or J is left, and suits stay what they are."""
    position = random_position(game, random_for(game)).in_notation("lt")
    for text in (*position.to_dict()["hands"].values(), *position.legal_moves):  # type: ignore[attr-defined]
        if not text.startswith(("bid", "trump", "pass")):
            assert not set("AQJ") & set(text.replace("marriage", "").replace("exchange", ""))


def test_lithuanian_by_example() -> None:
    """♦D is the queen of diamonds, ♥T the ace, H10 the ten."""
    data = SIXTY_SIX | {
        "notation": "lt",
        "hands": {"A": "STK HKD9 D9", "B": "S10 H10 DT10 CT9"},
        "stock": ["CV", "DD", "CD", "HT"],
    }
    position = Position.from_dict(data)
    assert position == Position.from_dict(SIXTY_SIX)
    assert position.to_dict()["hands"] == data["hands"]
    assert position.to_dict()["stock"] == data["stock"]
    assert position.legal_moves[:3] == ["exchange", "close", "marriage HD"]


def test_what_is_the_default_is_not_written() -> None:
    data = {
        "game": "Pyramid",
        "rules": {"score_table": "triangular"},
        "notation": "en",
        "hands": {"b": "SJT HKQ DA CA", "a": "cT d9 hA sQ SK SA"},
        "slots": {str(tricks): left for tricks, left in enumerate((1, 2, 3, 4, 3, 2, 1))},
        "plays": [],
    }
    assert Position.from_dict(data).to_dict() == {
        "game": "piramide",
        "hands": {"A": "SAKQ HA D9 CT", "B": "SJT HKQ DA CA"},
    }


# ---- fuzz ---------------------------------------------------------------------------------------------------------

junk: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from(
            ["A", "B", "H", "NT", "?", "SA", "SA/HK", "SA ? ?", "bid 2", "tuck ?", "close", "pass", "trump S"]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["A", "B", "C", "0", "declarer", "bid", "trump", "x"]), inner, max_size=3),
    ),
    max_leaves=6,
)


def mutate(data: dict[str, Any], choose: Callable[[Any], Any]) -> dict[str, Any]:
    """A deep copy with one entry somewhere replaced, removed, doubled or taken from elsewhere."""
    data = copy.deepcopy(data)
    at: Any = data
    while True:
        keys = list(at) if isinstance(at, dict) else range(len(at))
        if not keys:
            return data
        key = choose(st.sampled_from(list(keys)))
        if isinstance(at[key], dict | list) and at[key] and choose(st.booleans()):
            at = at[key]
            continue
        action = choose(st.sampled_from(["junk", "remove", "swap", "text"]))
        if action == "junk":
            at[key] = choose(junk)
        elif action == "remove":
            del at[key]
        elif action == "swap":
            other = choose(st.sampled_from(list(keys)))
            at[key], at[other] = at[other], at[key]
        elif isinstance(at[key], str):
            place = choose(st.integers(0, len(at[key])))
            at[key] = at[key][:place] + choose(st.sampled_from([*"SHDCAKQJT9?/ 1", "10", "é", "\0"])) + at[key][place:]
        else:
            at[key] = choose(st.integers(-2, 20))
        return data


@given(st.data(), st.sampled_from(one_per_players()), st.integers(0, 300))
def test_mutated_positions(data: st.DataObject, game: Game[Any], seed: int) -> None:
    """A good position with some entries changed is a position that round-trips, or is refused in a sentence."""
    random = Random(seed)
    position = random_position(game, random)
    if seed % 2:
        position = position.observe(random.randrange(game.players))
    mutated = position.to_dict()
    for _ in range(data.draw(st.integers(1, 3))):
        mutated = mutate(mutated, data.draw)
    check_dict(mutated)


@given(junk)
def test_junk(value: object) -> None:
    check_dict(value)
    check_dict({"game": "plain", "hands": value})
    check_dict({"game": "sixty_six", "hands": {"A": "?", "B": "?"}, "stock": value})


def check_dict(data: object) -> None:
    try:
        position = Position.from_dict(data)
    except PositionError as error:
        one_sentence(error)
        return
    assert Position.from_dict(position.to_dict()) == position
    assert str(position) and repr(position)
    for seat in range(position.players):
        if position.is_open:
            assert position.observe(seat).seat == seat
