"""Antikoziris: the auction in all its orders, the contracts, the score table, the cap, and the original's examples."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from solver.cards import NO_TRUMP, CardText, Deck, Holding, count, each
from solver.game import (
    BID,
    PASS,
    PLAY,
    TRUMP,
    Contract,
    Hand,
    Move,
    RuleError,
    Setup,
    Tally,
    find_game,
    read_rules,
    write_rules,
)
from solver.games._hands_only import State
from solver.games.antikoziris import BIDS, STANDARD, Antikoziris, Rules

TEXT = CardText(Deck("AKQJT9"))
WEAKEST_FIRST = [4, 3, 2, 1, 8, 0]


def held(text: str) -> Holding:
    return TEXT.read_holding(text)[0]


def hand(text: str) -> Hand:
    return Hand(0, None) if text == "?" else Hand(*TEXT.read_holding(text))


def contract(declarer: str, bid: int, trump: str) -> Contract:
    return Contract("ABCD".index(declarer), bid, TEXT.suit(trump))


def started(hands: str, playing: Contract, players: int = 3, **others: Any) -> tuple[Antikoziris, State]:
    """A position in the play; hands are separated by slashes."""
    game = Antikoziris(players)
    setup = Setup(hands=tuple(map(hand, hands.split("/"))), contract=playing, **others)
    return game, game.start(setup)


def played(game: Antikoziris, state: State, *cards: str) -> State:
    """The state after cards, each of which must be legal."""
    for card in cards:
        made = Move(PLAY, held(card))
        assert made in game.moves(state), f"{card} is not legal"
        state = game.play(state, made)
    return state


def legal(game: Antikoziris, state: State) -> str:
    return " ".join(TEXT.write_cards(each(made.cards)) for made in game.moves(state))


def finished(game: Antikoziris, bid: int, tricks: int, declarer: int = 1) -> State:
    """The end of a deal in which the declarer took so many tricks."""
    other = (declarer + 1) % 3
    won = tuple(tricks if seat == declarer else 8 - tricks if seat == other else 0 for seat in range(game.players))
    nothing = (0,) * game.players
    return State(nothing, nothing, 0, (), won, Contract(declarer, bid, 2))


# ---- the deal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
def test_deal(players: int) -> None:
    game = Antikoziris(players)
    state = game.deal(Random(5))
    assert [count(cards) for cards in state.hands] == [8, 8, 8, 0][:players]
    assert sum(state.hands) == game.deck.cards
    assert game.actor(state) == 0
    assert game.declaring_phase(state)
    # The dealer of four sits to the right of A and takes no part.
    assert list(game.seated) == [0, 1, 2]


@pytest.mark.parametrize("players", [2, 5])
def test_three_or_four_play(players: int) -> None:
    with pytest.raises(RuleError, match=f"Antikoziris is played by 3, 4 players, not by {players}"):
        Antikoziris(players)


# ---- the auction --------------------------------------------------------------------------------------------------


def auctions(game: Antikoziris) -> list[tuple[list[tuple[int, int | None]], int | None, State]]:
    """Every auction there can be: its calls with their seats, who names trumps, and the state then."""
    found = []
    waiting: list[tuple[list[tuple[int, int | None]], State]] = [([], game.deal(Random(1)))]
    while waiting:
        calls, state = waiting.pop()
        moves = game.moves(state)
        if not moves or moves[0].kind == TRUMP:
            found.append((calls, game.actor(state), state))
            continue
        seat = game.actor(state)
        assert seat is not None
        waiting += [([*calls, (seat, made.bid)], game.play(state, made)) for made in moves]
    return found


def spelled_out_auctions() -> set[tuple[tuple[int, int | None], ...]]:
    """The same, written as the rules tell it: a list of who is still in, in turn."""
    found = set()

    def go_on(calls: tuple[tuple[int, int | None], ...], waiting: tuple[int, ...], strength: int) -> None:
        nobody_else = strength >= 0 and len(waiting) == 1
        if not waiting or nobody_else or strength == 5:
            found.add(calls)
            return
        seat, *others = waiting
        go_on((*calls, (seat, None)), tuple(others), strength)
        for stronger in range(strength + 1, 6):
            go_on((*calls, (seat, WEAKEST_FIRST[stronger])), (*others, seat), stronger)

    go_on((), (0, 1, 2), -1)
    return found


@pytest.mark.parametrize("all_pass", ["redeal", "force_first"])
@pytest.mark.parametrize("players", [3, 4])
def test_the_auction_in_all_its_orders(players: int, all_pass: str) -> None:
    game = Antikoziris(players, Rules(all_pass=all_pass))
    found = auctions(game)
    assert {tuple(calls) for calls, _, _ in found} == spelled_out_auctions()
    assert len(found) == len(spelled_out_auctions())
    for calls, actor, state in found:
        bids = [(seat, bid) for seat, bid in calls if bid is not None]
        if not bids:
            assert actor == (0 if all_pass == "force_first" else None)
            continue
        seat, bid = bids[-1]
        assert actor == seat and game.pov(state) == seat
        named = game.play(state, Move(TRUMP, trump=3))
        assert named.contract == Contract(seat, bid, 3)
        assert game.actor(named) == named.leader == seat


def test_bids_from_weakest_to_strongest() -> None:
    game = Antikoziris(3)
    state = game.deal(Random(1))
    assert list(BIDS) == WEAKEST_FIRST
    for at, bid in enumerate(WEAKEST_FIRST):
        # Any bid may open, and any stronger one may follow: jumps are allowed.
        opened = game.play(state, Move(BID, bid=bid))
        stronger = [Move(BID, bid=higher) for higher in WEAKEST_FIRST[at + 1 :]]
        assert game.moves(opened) == (
            [*stronger, Move(PASS)] if bid else [Move(TRUMP, trump=suit) for suit in range(4)]
        )
    assert game.moves(state) == [*(Move(BID, bid=bid) for bid in WEAKEST_FIRST), Move(PASS)]


def test_a_pass_is_final() -> None:
    game = Antikoziris(3)
    state = game.deal(Random(1))
    for made, speaker in [(4, 1), (None, 2), (3, 0), (2, 2), (1, 0), (8, 2), (None, 0)]:
        state = game.play(state, Move(PASS) if made is None else Move(BID, bid=made))
        assert game.actor(state) == speaker
    assert game.moves(state)[0].kind == TRUMP


def test_the_trump_is_always_a_suit_even_for_none() -> None:
    game = Antikoziris(3)
    state = game.play(game.deal(Random(1)), Move(BID, bid=0))
    assert game.moves(state) == [Move(TRUMP, trump=suit) for suit in range(4)]


def test_all_pass_and_the_deal_passes_on() -> None:
    game = Antikoziris(3)
    state = game.deal(Random(1))
    for _ in range(3):
        state = game.play(state, Move(PASS))
    assert game.actor(state) is None and game.moves(state) == []
    assert game.score(state) == (0, 0, 0)
    assert game.value(state, 0) == 0
    assert game.count(Tally((10, 280, 0), 6), state, first=1) == Tally((10, 280, 0), 7)


def test_all_pass_and_a_must_play_four() -> None:
    game = Antikoziris(3, Rules(all_pass="force_first"))
    state = game.deal(Random(1))
    for _ in range(3):
        state = game.play(state, Move(PASS))
    assert game.actor(state) == 0
    assert game.moves(state) == [Move(TRUMP, trump=suit) for suit in range(4)]
    state = game.play(state, Move(TRUMP, trump=1))
    assert state.contract == Contract(0, 4, 1)
    assert game.actor(state) == 0 and len(game.moves(state)) == 8


# ---- the play -----------------------------------------------------------------------------------------------------


def test_the_declarer_leads_and_the_others_defend_together() -> None:
    game, state = started("SA/HA/CA", contract("B", 2, "D"))
    assert game.actor(state) == 1
    assert [sorted(game.side(state, seat)) for seat in range(3)] == [[0, 2], [1], [0, 2]]
    assert game.pov(state) == 1 and game.two_sided and game.unit == "tricks"


@pytest.mark.parametrize(
    ("hand_of_c", "choices", "plays", "taker"),
    [
        ("D9 HA SA", "D9", "D9", 1),  # C plays a diamond if he has one: B takes the trick
        ("HA H9 SA", "HA H9", "HA", 2),  # else a heart, and takes it with a higher one
        ("HA H9 SA", "HA H9", "H9", 1),
        ("SA SK CA", "SA SK CA", "SA", 1),  # else anything
    ],
)
def test_the_example_of_the_original(hand_of_c: str, choices: str, plays: str, taker: int) -> None:
    """Anti-trumps diamonds: A led ♦V, B has none and plays ♥10."""
    game, state = started(f"DJ C9 CT/HT S9 ST/{hand_of_c}", contract("A", 4, "D"))
    state = played(game, state, "DJ", "HT")
    assert legal(game, state) == choices
    state = played(game, state, plays)
    assert state.won == tuple(int(seat == taker) for seat in range(3))
    assert game.actor(state) == taker


def test_who_cannot_follow_must_play_an_anti_trump() -> None:
    game, state = started("SA S9/D9 HA/CA C9", contract("A", 4, "D"))
    state = played(game, state, "S9")
    assert legal(game, state) == "D9"
    state = played(game, state, "D9")
    assert legal(game, state) == "CA C9"
    # The anti-trump does not win, nor does another suit.
    assert played(game, state, "CA").won == (1, 0, 0)


def test_nobody_has_to_beat() -> None:
    game, state = started("SJ C9/SA S9/HA H9", contract("A", 4, "D"))
    assert legal(game, played(game, state, "SJ")) == "SA S9"


# ---- values and scores --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bid", WEAKEST_FIRST)
def test_the_declarer_wants_few_tricks_or_all(bid: int) -> None:
    game = Antikoziris(3)
    state = finished(game, bid, 5)
    wants_many = bid == 8
    assert game.sign(state) == (1 if wants_many else -1)
    assert game.value(state, 1) == 5
    assert game.utilities(state) == [tricks if wants_many else -tricks for tricks in range(9)]


def test_before_the_play_more_points_are_better() -> None:
    game = Antikoziris(3)
    assert game.sign(game.deal(Random(1))) == 1


def test_contract_two_made_with_one_trick() -> None:
    """The original's example: B gets 30 and 3 more for the overtrick not taken, the defenders 3 each."""
    game = Antikoziris(3)
    state = finished(game, 2, 1)
    assert game.score(state) == (3, 33, 3)
    row = dict(STANDARD)[2]
    assert (row.made, row.under, row.defence) == (30, 3, 3)
    phrase = game.worth(state, 1)
    assert phrase.template.format(**phrase.values) == ("declarer B takes 1 of 8 tricks: contract 2 made, 33 points")


@pytest.mark.parametrize(("bid", "tricks"), list(product(WEAKEST_FIRST, range(9))))
def test_score_of_every_contract(bid: int, tricks: int) -> None:
    unit = {4: 1, 3: 2, 2: 3, 1: 4, 8: 5, 0: 6}[bid]
    game = Antikoziris(3)
    if bid == 8:
        declarer = 50 if tricks == 8 else -50
        defender = 5 * (8 - tricks)
    else:
        declarer = 10 * unit + unit * (bid - tricks) if tricks <= bid else -10 * unit
        defender = unit * tricks
    assert game.made(bid, tricks) == (declarer > 0)
    assert game.score(finished(game, bid, tricks)) == (defender, declarer, defender)
    assert game.score(finished(game, bid, tricks, declarer=0)) == (declarer, defender, defender)


@pytest.mark.parametrize(
    ("bid", "tricks", "made"), [(2, 1, True), (2, 2, True), (2, 3, False), (8, 8, True), (8, 7, False), (0, 0, True)]
)
def test_success_is_the_contract_made_or_beaten(bid: int, tricks: int, made: bool) -> None:
    game = Antikoziris(3)
    state = finished(game, bid, tricks)
    assert [game.succeeds(state, seat, tricks) for seat in range(3)] == [not made, made, not made]


def test_the_dealer_of_four_scores_nothing() -> None:
    game = Antikoziris(4)
    assert game.score(finished(game, 2, 1)) == (3, 33, 3, 0)


def test_values_in_words() -> None:
    game = Antikoziris(3)
    beaten = game.worth(finished(game, 3, 6), 6)
    assert beaten.template.format(**beaten.values) == ("declarer B takes 6 of 8 tricks: contract 3 beaten, -20 points")
    bidding = game.worth(game.deal(Random(1)), 12)
    assert bidding.template.format(**bidding.values) == "A scores 12 points"


# ---- matches ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((0, 0, 0), (3, 33, 3)),
        ((274, 0, 275), (277, 33, 275)),  # below 275 a defender is credited in full, from 275 on with nothing
        ((290, 290, 100), (290, 323, 103)),  # the declarer is always credited
    ],
)
def test_the_cap_of_275(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    game = Antikoziris(3)
    assert game.count(Tally(before, 4), finished(game, 2, 1), first=0) == Tally(after, 5)


def test_no_cap() -> None:
    game = Antikoziris(3, Rules(cap="none"))
    assert game.count(Tally((290, 290, 280), 4), finished(game, 2, 1), first=0).scores == (293, 323, 283)


def test_a_failed_contract_is_charged_above_the_cap() -> None:
    game = Antikoziris(3)
    assert game.count(Tally((280, 280, 100), 4), finished(game, 0, 2), first=0).scores == (280, 220, 112)


def test_scores_go_to_the_players_of_the_seats() -> None:
    game = Antikoziris(4)
    tally = Tally((0, 0, 0, 100), 0)
    # Player 2 sits in seat A, 3 in B, who declares, 0 in C; 1 deals.
    assert game.count(tally, finished(game, 2, 1), first=2).scores == (3, 0, 3, 133)


@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        ((299, 0, 0), ()),
        ((300, 0, 0), (0,)),
        ((300, 301, 0), (1,)),  # several at once: the highest
        ((310, 310, 300), ()),  # still tied: they play on
    ],
)
def test_first_to_300(scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert Antikoziris(3).winners(Tally(scores, 9)) == winners


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("all_pass", ["redeal", "force_first"])
@pytest.mark.parametrize("cap", [275, "none"])
def test_whole_random_matches(players: int, all_pass: str, cap: object) -> None:
    game = Antikoziris(players, Rules(all_pass=all_pass, cap=cap))
    random, tally, first = Random(players), game.new_match(), 0
    for _ in range(40):
        state = game.deal(random, tally, first)
        while game.actor(state) is not None:
            if not game.played(state) and not state.bids:
                assert game.start(game.setup(state)) == state
            elif not game.played(state) and state.contract:
                assert game.start(game.setup(state)) == state._replace(bids=())
            state = game.play(state, random.choice(game.moves(state)))
        assert sum(state.won) == (8 if state.contract else 0)
        tally = game.count(tally, state, first)
        first = (first + 1) % players
    assert tally.deals == 40


# ---- options ------------------------------------------------------------------------------------------------------


def test_the_score_table_is_data() -> None:
    rows: dict[str, object] = {str(bid): [100, 7, -50, 9] for bid in WEAKEST_FIRST}
    game = Antikoziris(3, read_rules(Antikoziris, {"score_table": rows}))
    assert game.score(finished(game, 3, 1)) == (9, 114, 9)
    assert game.score(finished(game, 3, 4)) == (36, -50, 36)
    assert write_rules(game) == {"score_table": rows}
    assert read_rules(Antikoziris, write_rules(game)) == game.rules


@pytest.mark.parametrize(
    "table",
    [
        "other",
        {},
        {"4": [1, 2, 3, 4]},
        {str(bid): [1, 2, 3] for bid in WEAKEST_FIRST},
        {str(bid): [1, 2, 3, 4.0] for bid in WEAKEST_FIRST},
        {str(bid): [1, 2, 3, True] for bid in WEAKEST_FIRST},
        {str(bid): 1 for bid in WEAKEST_FIRST},
        {**{str(bid): [1, 2, 3, 4] for bid in WEAKEST_FIRST}, "5": [1, 2, 3, 4]},
        None,
    ],
)
def test_no_score_table(table: object) -> None:
    with pytest.raises(
        RuleError, match="is no value of the option 'score_table'; expected \"standard\", or for"
    ) as caught:
        read_rules(Antikoziris, {"score_table": table})
    assert caught.value.key == "rules.score_table"


def test_defaults_and_names() -> None:
    game = Antikoziris(3)
    assert game.rules == read_rules(Antikoziris, {"score_table": "standard", "all_pass": "redeal", "cap": 275})
    assert write_rules(game) == {}
    assert write_rules(Antikoziris(3, Rules(all_pass="force_first", cap="none"))) == {
        "all_pass": "force_first",
        "cap": "none",
    }
    assert find_game("antitrump") is find_game("ANTIKOZIRIS") is Antikoziris


# ---- positions ----------------------------------------------------------------------------------------------------

FOUR_EACH = "SA SK SQ SJ/HA HK HQ HJ/CA CK CQ CJ"
PLAYING = contract("B", 2, "D")


def test_what_a_position_leaves_out() -> None:
    game, state = started(FOUR_EACH, PLAYING)
    assert (state.leader, state.won) == (1, (0, 0, 0))
    game, state = started("? ? ? ?/?/CA ? ? ?", PLAYING, leader=2, won=(3, 1, 0))
    assert (state.leader, state.won, state.unseen) == (2, (3, 1, 0), (4, 4, 3))
    assert game.start(game.setup(state)) == state
    game = Antikoziris(3)
    assert game.start(Setup((Hand(0, None),) * 3)).unseen == (8, 8, 8)


def test_the_dealer_of_four_holds_nothing() -> None:
    for empty in ("", "?"):
        _, state = started(f"{FOUR_EACH}/{empty}", PLAYING, players=4)
        assert (state.hands[3], state.unseen[3]) == (0, 0)


@pytest.mark.parametrize(
    ("hands", "changes", "key", "sentence"),
    [
        ("SAKQJT9 HAKQ/?/?", {}, "hands.A", "A holds 9 cards; a hand has at most 8"),
        (
            "SA SK/HA/CA CK",
            {},
            "hands",
            "between two tricks all hands have the same number of cards, but these have A 2, B 1, C 2",
        ),
        (FOUR_EACH, {"won": (3, 1, 1)}, "won", "5 tricks won and 4 cards in each hand are more than the 8 dealt"),
        (FOUR_EACH, {"won": (-3, 1, 1)}, "won", "-3 is no number of tricks; expected 0 or more"),
        (
            FOUR_EACH,
            {"contract": None},
            "",
            "without a contract nothing has been played: expected full hands, no leader, nothing won",
        ),
        (
            "?/?/?",
            {"contract": None, "leader": 0},
            "",
            "without a contract nothing has been played: expected full hands, no leader, nothing won",
        ),
        (
            "?/?/?",
            {"contract": None, "won": (0, 0, 0)},
            "",
            "without a contract nothing has been played: expected full hands, no leader, nothing won",
        ),
        (FOUR_EACH, {"contract": Contract(0, 5, 2)}, "contract.bid", "5 is no bid; expected one of 4, 3, 2, 1, 8, 0"),
        (
            FOUR_EACH,
            {"contract": Contract(0, None, 2)},
            "contract.bid",
            "None is no bid; expected one of 4, 3, 2, 1, 8, 0",
        ),
        (
            FOUR_EACH,
            {"contract": Contract(0, 4, NO_TRUMP)},
            "contract.trump",
            "NT is not allowed: the declarer always names a suit",
        ),
        (FOUR_EACH, {"trump": 1}, "trump", "Antikoziris has no 'trump'"),
    ],
)
def test_contradictions(hands: str, changes: dict[str, Any], key: str, sentence: str) -> None:
    setup = replace(Setup(hands=tuple(map(hand, hands.split("/"))), contract=PLAYING), **changes)
    with pytest.raises(RuleError) as caught:
        Antikoziris(3).start(setup)
    assert (str(caught.value), caught.value.key) == (sentence, key)


@pytest.mark.parametrize(
    ("dealer", "changes", "key", "sentence"),
    [
        ("S9", {}, "hands.D", "D sits out; expected no cards, not 1"),
        ("? ?", {}, "hands.D", "D sits out; expected no cards, not 2"),
        ("", {"won": (1, 0, 0, 1)}, "won.D", "D sits out; expected no tricks, not 1"),
        ("", {"leader": 3}, "leader", "D has no cards and cannot lead"),
        ("", {"contract": Contract(3, 4, 2)}, "contract.declarer", "D has no cards and cannot be declarer"),
    ],
)
def test_the_dealer_of_four_takes_no_part(dealer: str, changes: dict[str, Any], key: str, sentence: str) -> None:
    hands = tuple(map(hand, f"{FOUR_EACH}/{dealer}".split("/")))
    with pytest.raises(RuleError) as caught:
        Antikoziris(4).start(replace(Setup(hands=hands, contract=PLAYING), **changes))
    assert (str(caught.value), caught.value.key) == (sentence, key)


# ---- through somebody's eyes, and the kernel's row ----------------------------------------------------------------


def test_cards_of_unseen_hands_are_played_from_them() -> None:
    game, state = started("? ? ?/HA HK HQ/CA ? ?", PLAYING)
    state = game.play(played(game, state, "HQ"), Move(PLAY, held("C9")))
    assert (state.hands[2], state.unseen[2]) == (held("CA"), 1)
    state = game.play(state, Move(PLAY, held("HT")))
    assert (state.unseen, state.won, state.leader) == ((2, 0, 1), (0, 1, 0), 1)


@pytest.mark.parametrize(("bid", "utilities"), [(2, [-1, -2, -3, -4]), (8, [1, 2, 3, 4])])
def test_packed_row(bid: int, utilities: list[int]) -> None:
    """The row counts the tricks to come: here the declarer has one, and may take three more."""
    game, state = started("SA SK SQ/HA HK HQ/CA CK D9", Contract(1, bid, 2), won=(0, 1, 4))
    state = played(game, state, "HQ", "D9")
    row = game.packed(state, 1)
    assert row[:4] == [*state.hands, 0]
    assert row[4:7] == [TEXT.read("HQ"), TEXT.read("D9"), -1]
    leader, players, trump, flags, side, taken = 1, 3, 2, 4, 0b010, 0
    assert row[7:13] == [leader, players, trump, flags, side, taken]
    table = b"".join(word.to_bytes(8, "little", signed=True) for word in row[13:15])
    assert [number - 256 if number > 127 else number for number in table[:4]] == utilities
    assert row[15:] == [0]
