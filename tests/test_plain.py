"""Plain: every obligation, any deck, sides and no trumps, and that it is Antikoziris where its options say so."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from solver.cards import NATURAL, NO_TRUMP, CardText, Deck, Holding, count, each
from solver.game import PLAY, Contract, Hand, Move, RuleError, Setup, Tally, find_game, read_rules, write_rules
from solver.games._hands_only import State
from solver.games.antikoziris import Antikoziris
from solver.games.plain import Plain, Rules

TEXT = CardText(Deck(NATURAL))


def held(text: str) -> Holding:
    return TEXT.read_holding(text)[0]


def hand(text: str) -> Hand:
    return Hand(0, None) if text == "?" else Hand(*TEXT.read_holding(text))


def started(
    hands: str, trump: str, rules: Rules | None = None, declarer: int = 0, **others: Any
) -> tuple[Plain, State]:
    """A position; hands are separated by slashes."""
    suit = NO_TRUMP if trump == "NT" else TEXT.suit(trump)
    setup = Setup(hands=tuple(map(hand, hands.split("/"))), contract=Contract(declarer, None, suit), **others)
    game = Plain(setup.players, rules)
    return game, game.start(setup)


def played(game: Plain, state: State, *cards: str) -> State:
    """The state after cards, each of which must be legal."""
    for card in cards:
        made = Move(PLAY, held(card))
        assert made in game.moves(state), f"{card} is not legal"
        state = game.play(state, made)
    return state


def legal(game: Plain, state: State) -> str:
    return " ".join(TEXT.write_cards(each(made.cards)) for made in game.moves(state))


# ---- obligations --------------------------------------------------------------------------------------------------

ANY = Rules(void="any")
BEAT = Rules(beat=True)
ANTI = Rules(trump_power="anti")


@pytest.mark.parametrize(
    ("rules", "lead", "trump", "choices"),
    [
        (Rules(), "SQ", "D", "SK S9"),  # follow, without a duty to beat
        (Rules(), "CQ", "D", "D8 D3"),  # else trump
        (ANY, "CQ", "D", "SK S9 D8 D3"),  # else anything
        (Rules(), "CQ", "H", "SK S9 D8 D3"),  # no trump in hand
        (Rules(), "CQ", "NT", "SK S9 D8 D3"),  # no trumps in the game
        (BEAT, "SQ", "D", "SK"),
        (BEAT, "SA", "D", "SK S9"),  # none beats: follow all the same
        (BEAT, "CQ", "D", "D8 D3"),  # every trump beats
        (BEAT, "DJ", "D", "D8 D3"),
        (BEAT, "D7", "D", "D8"),
        (Rules(void="any", beat=True), "CQ", "D", "SK S9 D8 D3"),  # a free discard is free
    ],
)
def test_what_may_be_played(rules: Rules, lead: str, trump: str, choices: str) -> None:
    game, state = started(f"{lead} HA HK HQ/SK S9 D8 D3", trump, rules)
    assert legal(game, state) == " ".join(TEXT.write_cards(each(state.hands[0])).split())
    assert legal(game, played(game, state, lead)) == choices


@pytest.mark.parametrize(
    ("hand_of_c", "choices"),
    [
        ("D9 DJ", "DJ"),
        ("D9 D2", "D9 D2"),  # no trump beats the ten: a trump all the same
        ("SK S2", "SK S2"),  # the king beats the lead, but no card of the suit beats the trump
    ],
)
def test_a_card_must_beat_the_trick_so_far_and_not_just_the_lead(hand_of_c: str, choices: str) -> None:
    game, state = started(f"SQ HA/DT H9/{hand_of_c}", "D", BEAT)
    assert legal(game, played(game, state, "SQ", "DT")) == choices


@pytest.mark.parametrize(
    ("rules", "trump", "taker"),
    [(Rules(), "D", 2), (Rules(), "NT", 1), (Rules(), "C", 1), (ANTI, "D", 1), (ANTI, "S", 2)],
)
def test_who_takes_the_trick(rules: Rules, trump: str, taker: int) -> None:
    game, state = started("S9/SA/D3", trump, rules)
    state = played(game, state, "S9", "SA", "D3")
    assert state.won == tuple(int(seat == taker) for seat in range(3))
    assert state.leader == taker and game.actor(state) is None


def test_anti_trumps_without_the_duty_to_trump() -> None:
    game, state = started("DJ S9/HT S8/HA SA", "D", Rules(void="any", trump_power="anti"))
    assert legal(game, played(game, state, "DJ", "HT")) == "SA HA"
    game, state = started("DJ S9/HT S8/HA SA", "D", ANTI)
    assert legal(game, played(game, state, "DJ", "HT")) == "HA"


@pytest.mark.parametrize("seed", range(20))
def test_it_is_antikoziris_with_anti_trumps(seed: int) -> None:
    random = Random(seed)
    antikoziris = Antikoziris(3)
    game = Plain(3, Rules(ranks="AKQJT9", trump_power="anti"))
    playing = Contract(random.randrange(3), 2, random.randrange(4))
    state = antikoziris.deal(random)
    setup = Setup(hands=tuple(Hand(cards) for cards in state.hands), contract=playing)
    one, other = antikoziris.start(setup), game.start(setup)
    while antikoziris.actor(one) is not None:
        moves = antikoziris.moves(one)
        assert game.moves(other) == moves and game.actor(other) == antikoziris.actor(one)
        made = random.choice(moves)
        one, other = antikoziris.play(one, made), game.play(other, made)
    assert one == other
    assert antikoziris.value(one, playing.declarer) == game.value(other, playing.declarer)


# ---- sides and values ---------------------------------------------------------------------------------------------

PARTNERS = Rules(side=(0, 2))


def test_the_declarer_plays_alone_unless_the_rules_name_a_side() -> None:
    game, state = started("SA/SK/SQ/SJ", "NT", declarer=1)
    assert [sorted(game.side(state, seat)) for seat in range(4)] == [[0, 2, 3], [1], [0, 2, 3], [0, 2, 3]]
    assert (game.pov(state), game.actor(state)) == (1, 1)
    game, state = started("SA/SK/SQ/SJ", "NT", PARTNERS, declarer=2)
    assert [sorted(game.side(state, seat)) for seat in range(4)] == [[0, 2], [1, 3], [0, 2], [1, 3]]
    assert (game.pov(state), game.actor(state)) == (2, 2)


def test_the_value_is_the_tricks_of_the_side() -> None:
    game, state = started("SA H2/S2 HA/S3 HK/S4 H3", "NT", PARTNERS, won=(1, 2, 3, 0))
    state = played(game, state, "SA", "S2", "S3", "S4", "H2", "HA", "HK", "H3")
    assert state.won == (2, 3, 3, 0)
    assert [game.value(state, seat) for seat in range(4)] == [5] * 4
    assert game.score(state) == (5, 3, 5, 3)
    assert game.sign(state) == 1 and game.two_sided and game.unit == "tricks"
    # Tricks just add up: there is no match that anybody could win.
    tally = game.count(Tally((1, 0, 0, 0), 2), state, first=1)
    assert tally == Tally((4, 5, 3, 5), 3)
    assert game.winners(Tally((100, 0, 0, 0), 9)) == ()


def test_success_is_the_bid_or_else_more_tricks_than_the_others() -> None:
    game, state = started("SA/SK/SQ/SJ", "NT", PARTNERS)
    assert state.contract is not None
    bid = state._replace(contract=state.contract._replace(bid=9))
    for tricks in range(14):
        for facts, good in [(state, tricks >= 7), (bid, tricks >= 9)]:
            assert [game.succeeds(facts, seat, tricks) for seat in range(4)] == [good, not good, good, not good]


def test_values_in_words() -> None:
    game, state = started("SA/SK/SQ/SJ", "NT", PARTNERS)
    assert state.contract is not None
    bid = state._replace(contract=state.contract._replace(bid=6))
    worded = [game.worth(state, 5), game.worth(bid, 6), game.worth(bid, 4)]
    assert [phrase.template.format(**phrase.values) for phrase in worded] == [
        "AC takes 5 of 13 tricks",
        "AC takes 6 tricks: contract 6 made",
        "AC takes 4 tricks: contract 6 down 2",
    ]


# ---- decks and deals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "ranks", "size"),
    [(4, NATURAL, 13), (3, "AKQJT987", 10), (2, "ATKQJ9", 12), (3, NATURAL, 17), (2, "A", 2)],
)
def test_any_deck(players: int, ranks: str, size: int) -> None:
    game = Plain(players, Rules(ranks=ranks))
    assert game.hand_size == size and len(game.deck) == 4 * len(ranks)
    state = game.deal(Random(2))
    assert [count(cards) for cards in state.hands] == [size] * players
    assert state.contract is not None and state.contract.trump in range(4)
    assert not game.declaring_phase(state)
    # With three players a card or more may be left over; what is dealt is dealt once.
    assert count(sum(state.hands)) == size * players
    while game.actor(state) is not None:
        if not game.played(state):
            assert game.start(game.setup(state)) == state
        state = game.play(state, Random(3).choice(game.moves(state)))
    assert sum(state.won) == size


def test_a_deal_is_played_by_the_side_of_the_rules() -> None:
    game = Plain(4, Rules(side=(1, 3)))
    state = game.deal(Random(2))
    assert game.declarer(state) == state.leader == 1


def test_ranks_are_in_the_games_own_order() -> None:
    game = Plain(2, Rules(ranks="ATKQJ9"))
    text = CardText(game.deck)
    setup = Setup(hands=(Hand(*text.read_holding("HK")), Hand(*text.read_holding("HT"))), contract=Contract(0, None, 0))
    state = game.start(setup)
    for card in ("HK", "HT"):
        state = game.play(state, Move(PLAY, text.read_holding(card)[0]))
    assert state.won == (0, 1)


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(players: int) -> None:
    with pytest.raises(RuleError, match=f"Plain is played by 2, 3, 4 players, not by {players}"):
        Plain(players)


# ---- options ------------------------------------------------------------------------------------------------------


def test_defaults() -> None:
    game = Plain(4)
    assert game.rules == Rules(ranks=NATURAL, void="trump", beat=False, side=(), trump_power="high")
    assert write_rules(game) == {}
    assert find_game("PLAIN") is Plain


@pytest.mark.parametrize(
    ("name", "value", "meant", "written"),
    [
        ("ranks", "AKQJT987", "AKQJT987", "AKQJT987"),
        ("ranks", "a 10 k q", "ATKQ", "ATKQ"),
        ("void", "any", "any", "any"),
        ("beat", True, True, True),
        ("side", ["A", "C"], (0, 2), ["A", "C"]),
        ("side", ["d", "b"], (1, 3), ["B", "D"]),
        ("trump_power", "anti", "anti", "anti"),
    ],
)
def test_options_are_read_and_written(name: str, value: object, meant: object, written: object) -> None:
    game = Plain(4, read_rules(Plain, {name: value}))
    assert getattr(game.rules, name) == meant
    assert write_rules(game) == {name: written}


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("ranks", "", "some of AKQJT98765432, each once"),
        ("ranks", "AKA", "some of AKQJT98765432, each once"),
        ("ranks", "AK1", "some of AKQJT98765432, each once"),
        ("ranks", 7, "some of AKQJT98765432, each once"),
        ("void", "none", "trump or any"),
        ("beat", 1, "false or true"),
        ("beat", "true", "false or true"),
        ("side", [], 'a list of seats such as ["A", "C"]'),
        ("side", "A", 'a list of seats such as ["A", "C"]'),
        ("side", ["E"], 'a list of seats such as ["A", "C"]'),
        ("side", ["A", "a"], 'a list of seats such as ["A", "C"]'),
        ("side", ["AB"], 'a list of seats such as ["A", "C"]'),
        ("side", [""], 'a list of seats such as ["A", "C"]'),
        ("side", [None], 'a list of seats such as ["A", "C"]'),
        ("trump_power", "low", "high or anti"),
    ],
)
def test_no_options(name: str, value: object, expected: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_rules(Plain, {name: value})
    assert str(caught.value) == f"{value!r} is no value of the option {name!r}; expected {expected}"
    assert caught.value.key == f"rules.{name}"


@pytest.mark.parametrize(
    ("players", "side", "sentence"),
    [
        (2, (0, 2), "the side A, C does not fit 2 players"),
        (3, (0, 1, 2), "the side has every seat; expected somebody to play against"),
    ],
)
def test_sides_that_do_not_fit_the_players(players: int, side: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(RuleError) as caught:
        Plain(players, Rules(side=side))
    assert (str(caught.value), caught.value.key) == (sentence, "rules.side")


# ---- positions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "rules", "key", "sentence"),
    [
        (
            {"contract": None},
            Rules(),
            "contract",
            "plain needs a contract that names the declarer and the trump suit, or NT",
        ),
        (
            {"contract": Contract(1, None, 0)},
            Rules(side=(0,)),
            "rules.side",
            "declarer B is not of the side that the rules name",
        ),
        ({"contract": Contract(0, 27, 0)}, Rules(), "contract.bid", "27 is not a number of tricks from 0 to 26"),
        ({"contract": Contract(0, -1, 0)}, Rules(), "contract.bid", "-1 is not a number of tricks from 0 to 26"),
        ({"won": (20, 6)}, Rules(), "won", "26 tricks won and 1 cards in each hand are more than the 26 dealt"),
        ({"contract": Contract(2, None, 0)}, Rules(), "contract.declarer", "C has no cards and cannot be declarer"),
        ({"leader": 2}, Rules(), "leader", "C has no cards and cannot lead"),
        ({"points": (0, 0)}, Rules(), "points", "Plain has no 'points'"),
    ],
)
def test_contradictions(changes: dict[str, Any], rules: Rules, key: str, sentence: str) -> None:
    setup = replace(Setup(hands=(hand("SA"), hand("SK")), contract=Contract(0, None, 1)), **changes)
    with pytest.raises(RuleError) as caught:
        Plain(2, rules).start(setup)
    assert (str(caught.value), caught.value.key) == (sentence, key)


def test_what_a_position_leaves_out() -> None:
    game, state = started("SA ?/?/H2 H3", "NT", declarer=1)
    assert (state.leader, state.won, state.unseen) == (1, (0, 0, 0), (1, 2, 0))
    assert game.start(game.setup(state)) == state
    game, state = started("SA/SK", "S", leader=1)
    assert state.leader == 1 and game.pov(state) == 0


# ---- the kernel's row ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "flags"),
    [(Rules(), 0), (ANY, 1), (BEAT, 2), (ANTI, 4), (Rules(void="any", beat=True, trump_power="anti"), 7)],
)
def test_packed_row(rules: Rules, flags: int) -> None:
    game, state = started("SA SK/HA HK/D3 D2/C3 C2", "D", replace(rules, side=(1, 3)), declarer=3, won=(1, 2, 3, 4))
    state = played(game, state, "C2")
    row = game.packed(state, 3)
    assert row[:7] == [*state.hands, TEXT.read("C2"), -1, -1]
    leader, players, trump, side, taken = 3, 4, 2, 0b1010, 0
    assert row[7:13] == [leader, players, trump, flags, side, taken]
    # The side has six tricks, and so many with none, one or two of those to come.
    assert list(row[13].to_bytes(8, "little", signed=True)[:3]) == [6, 7, 8]


def test_a_long_deal_fits_the_row() -> None:
    """The kernel's table has 16 entries; two players with 52 cards play 26 tricks."""
    game, state = started("SA SK/HA HK", "D", won=(20, 4))
    row = game.packed(state, 0)
    assert row[12] == 0
    assert list(row[13].to_bytes(8, "little", signed=True)[:3]) == [20, 21, 22]
