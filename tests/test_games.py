"""What every game gets by being registered, at every number of players and with every choice of options."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from common import (
    any_move,
    deal_at,
    each_covering_table,
    each_game,
    each_table,
    game_tables,
    label,
    one_per_players,
    parted,
    random_for,
    random_position,
    random_states,
    rule_choices,
    setup_cards,
    tables,
    transposed,
    written_cards,
)

import solver.games
from solver.analysis import analyse
from solver.cards import Card, Holding, count, each, holding, suit_of
from solver.files import read
from solver.game import (
    BID,
    CLAIM,
    CLOSE,
    EXCHANGE,
    MARRIAGE,
    PASS,
    PLAY,
    TRUMP,
    TUCK,
    Game,
    Move,
    RuleError,
    find_game,
    read_rules,
    registry,
    replaced,
    write_rules,
)
from solver.position import IllegalMove, Position
from solver.search import kernel, value, values

MATCHLESS = {"plain"}
"""Games without a match to win."""
PLAYED = (PLAY, TUCK, MARRIAGE)


# ---- registry and options -----------------------------------------------------------------------------------------


def test_all_games_are_registered() -> None:
    assert {name: kind.seats for name, kind in registry().items()} == {
        "antikoziris": (3, 4),
        "atspek": (2, 3, 4),
        "piramide": (2, 3, 4),
        "plain": (2, 3, 4),
        "sixty_six": (2, 3),
        "velnio_tuzinas": (2, 3, 4, 5, 6, 7, 8),
    }


def test_names_are_found() -> None:
    for name, kind in registry().items():
        for alias in (name, *kind.aliases, name.upper(), f" {name} "):
            assert find_game(alias) is kind
    names = [name for kind in registry().values() for name in (kind.name, *kind.aliases)]
    assert len(set(names)) == len(names)
    with pytest.raises(RuleError, match="there is no game 'bridge'; the games are antikoziris, atspek, piramide"):
        find_game("bridge")


def test_tables_have_every_option_value() -> None:
    """The tables of the generic tests leave nothing out."""
    for kind in registry().values():
        for choice in rule_choices(kind):
            rules = read_rules(kind, choice)
            fitting = [game for game in game_tables(kind) if game.rules == rules]
            assert fitting, f"{kind.name} is never played with {choice}"
    assert {game.players for game in tables() if game.name == "velnio_tuzinas"} == set(range(2, 9))


@each_table()
def test_rules_round_trip(game: Game[Any]) -> None:
    written = json.loads(json.dumps(write_rules(game)))
    assert type(game)(game.players, read_rules(type(game), written)) == game
    twin = pickle.loads(pickle.dumps(game))
    assert twin == game and hash(twin) == hash(game)


def test_tables_differ() -> None:
    assert len(set(tables())) == len(tables())


@pytest.mark.parametrize("name", sorted(registry()))
def test_numbers_of_players(name: str) -> None:
    kind = registry()[name]
    for players in {0, 1, *range(2, 10)} - set(kind.seats):
        with pytest.raises(RuleError, match=f"{kind.title} is played by .* players, not by {players}"):
            kind(players)


# ---- matches ------------------------------------------------------------------------------------------------------


@each_table()
def test_random_matches(game: Game[Any]) -> None:
    """From the first shuffle to a winner; the score of every deal is added up by player."""
    random = random_for(game)
    tally = game.new_match()
    assert game.winners(tally) == ()
    deals = 3 if game.name in MATCHLESS else 2000
    while not game.winners(tally) and tally.deals < deals:
        first = tally.deals % game.players
        state = game.deal(random, tally, first)
        steps = 0
        while (seat := game.actor(state)) is not None:
            assert 0 <= seat < game.players
            state = game.play(state, any_move(game, state, random))
            steps += 1
            assert steps < 500
        assert game.moves(state) == []
        before, tally = tally, game.count(tally, state, first)
        assert tally.deals == before.deals + 1
        assert len(tally.scores) == len(game.score(state)) == game.players
    if game.name not in MATCHLESS:
        winners = game.winners(tally)
        assert winners
        assert max(tally.scores) == max(tally.scores[winner] for winner in winners)


@each_game()
def test_deals_repeat_and_differ(game: Game[Any]) -> None:
    assert game.deal(Random(5)) == game.deal(Random(5))
    assert len({game.deal(Random(seed)) for seed in range(20)}) == 20


@each_game()
def test_every_seat_gets_every_card(game: Game[Any]) -> None:
    """A deal is a shuffle: over many deals every card comes into every hand that plays."""
    held = [0] * game.players
    for seed in range(120):
        for seat, hand in enumerate(game.setup(game.deal(Random(seed))).hands):
            held[seat] |= hand.known
    assert all(cards in (0, game.deck.cards) for cards in held)
    assert held.count(0) <= (game.name == "antikoziris" and game.players == 4)


# ---- play ---------------------------------------------------------------------------------------------------------


@each_table()
def test_cards_are_conserved(game: Game[Any]) -> None:
    """No card is lost, comes twice or comes from nowhere."""
    for seed in range(3):
        states, moves = random_states(game, random_for(game, seed))
        dealt = sorted(setup_cards(game.setup(states[0])))
        assert len(set(dealt)) == len(dealt)
        assert holding(dealt) & ~game.deck.cards == 0
        gone: list[Card] = []
        for state, move in zip(states[1:], moves, strict=True):
            gone += each(parted(move))
            assert sorted([*setup_cards(game.setup(state)), *gone]) == dealt


@each_table()
def test_moves_are_legal_and_change_the_turn(game: Game[Any]) -> None:
    """Cards played are in the mover's reach, a trick has one play from every seat, in seat order."""
    states, moves = random_states(game, random_for(game))
    playing = len([hand for hand in game.setup(states[0]).hands if hand.known])
    for before, move, after in zip(states, moves, states[1:], strict=False):
        seat = game.actor(before)
        assert seat is not None and move in game.moves(before)
        reach = before.hands[seat] | game.face_up(before)
        assert move.cards & ~reach == 0
        if move.kind in PLAYED and not game.declaring_phase(before):
            assert game.played(after) == (game.played(before) + 1) % playing
            if game.played(after) and game.actor(after) is not None:
                assert game.actor(after) == (seat + 1) % playing


@each_table()
def test_moves_come_in_listed_order(game: Game[Any]) -> None:
    """Exchange, close, marriages, then by size, suits S H D C, high to low, a tuck after its cover; a claim last."""
    order = {EXCHANGE: 0, CLOSE: 1, MARRIAGE: 2, PLAY: 3, TUCK: 3, CLAIM: 4}

    def place(move: Move) -> tuple[object, ...]:
        cards = sorted((suit_of(card), -card) for card in each(move.cards))
        return order[move.kind], count(move.cards), cards, move.kind == TUCK

    for state in random_states(game, random_for(game))[0]:
        listed = game.moves(state)
        assert len(set(listed)) == len(listed)
        if game.declaring_phase(state):
            assert all(move.kind in (BID, PASS, TRUMP) for move in listed)
            assert Move(PASS) not in listed[:-1]
        else:
            assert sorted(listed, key=place) == listed


def snapshot(position: Position) -> tuple[object, ...]:
    game, state = position.game, position.state
    views = [position.observe(len(position.moves) % position.players)]
    return (
        state,
        position.actor,
        tuple(position.moves),
        position.unseen,
        position.barred,
        position.outcome,
        position.to_text(),
        str(position),
        tuple(game.moves(state)),
        tuple(views),
        tuple(view.barred for view in views),
    )


@each_game()
def test_undo_restores_everything(game: Game[Any]) -> None:
    random = random_for(game)
    position = Position(game, deal_at(game, random))
    stack = []
    while position.actor is not None:
        stack.append(snapshot(position))
        position.play(any_move(game, position.state, random))
    while stack:
        written = position.write(position.moves[-1])
        assert position.undo() == written
        assert snapshot(position) == stack.pop()
    with pytest.raises(IndexError, match="no move has been made"):
        position.undo()


@each_game()
def test_undo_restores_what_a_view_knows(game: Game[Any]) -> None:
    """Also what moves have told of unseen cards is forgotten with them."""
    random = random_for(game)
    for _ in range(3):
        view = random_position(game, random).observe(random.randrange(game.players))
        again = Position(game, view.start, seat=view.seat)
        stack = []
        for move in view.moves:
            stack.append((again.state, again.barred, again.unseen, again.to_text(), hash(again)))
            again.play(move)
        assert again == view
        while stack:
            again.undo()
            assert (again.state, again.barred, again.unseen, again.to_text(), hash(again)) == stack.pop()


@each_covering_table()
def test_undo_and_other_move(game: Game[Any]) -> None:
    """Trying every move and taking it back leaves the position as it was, and equal to a copy that tried nothing."""
    random = random_for(game)
    for _ in range(3):
        position = random_position(game, random)
        twin = position.copy()
        legal = game.moves(position.state)
        for move in legal[:20]:
            position.play(move)
            assert position != twin
            position.undo()
        assert position == twin and hash(position) == hash(twin)
        assert (position.barred, position.unseen, position.states) == (twin.barred, twin.unseen, twin.states)


@each_game()
def test_illegal_moves_change_nothing(game: Game[Any]) -> None:
    random = random_for(game)
    for _ in range(4):
        position = random_position(game, random)
        twin, legal = position.copy(), set(game.moves(position.state))
        attempts = [Move(PLAY, 1 << card) for card in each(game.deck.cards)]
        attempts += [Move(TRUMP, trump=0), Move(PASS), Move(EXCHANGE), Move(CLOSE), Move(CLAIM), Move(BID, bid=3)]
        attempts += [replace_kind(move) for move in attempts[:5]]
        for move in attempts:
            if move not in legal:
                with pytest.raises(IllegalMove) as caught:
                    position.play(move)
                if position.actor is not None:
                    assert all(position.write(choice) in str(caught.value) for choice in legal)
                else:
                    assert "comes after the deal is over" in str(caught.value)
        assert position == twin


def replace_kind(move: Move) -> Move:
    return move._replace(kind=MARRIAGE if move.kind == PLAY else TUCK)


@each_game()
def test_outcome(game: Game[Any]) -> None:
    for seed in range(5):
        states, moves = random_states(game, random_for(game, seed))
        position = Position(game, states[0])
        for move in moves:
            assert position.outcome is None
            position.play(move)
        outcome = position.outcome
        assert outcome is not None and position.legal_moves == [] and outcome.unit == game.unit
        if position.state != states[-1]:
            raise AssertionError("the position replays the game differently")
        assert outcome.score == game.score(states[-1])
        assert outcome.value == game.value(states[-1], game.pov(states[-1]))
        assert outcome.words.template.format(**outcome.words.values)


@each_game()
def test_sides(game: Game[Any]) -> None:
    """Everybody is on his own side; with two sides the others are all on one."""
    states, _ = random_states(game, random_for(game))
    state = states[-2]
    playing = [seat for seat, hand in enumerate(game.setup(states[0]).hands) if hand.known]
    sides = {game.side(state, seat) for seat in playing}
    assert all(seat in game.side(state, seat) for seat in playing)
    assert sorted(seat for side in sides for seat in side) == playing
    if game.two_sided or game.players == 2:
        assert len(sides) == 2


# ---- views --------------------------------------------------------------------------------------------------------


def told(position: Position, seat: int) -> Holding:
    """The cards that a seat has seen by name since the start, worked out without the views: its own hands, what was
    played or shown openly, cards that lie open, and the indicator at the bottom of the stock."""
    game = position.game
    seen = 0
    for state in position.states:
        if game.looks(position.state, seat):
            seen |= state.hands[seat]
        seen |= game.face_up(state)
        stock = getattr(state, "stock", ())
        seen |= 1 << stock[-1] if stock else 0
    if game.name == "atspek" and game.declaring_phase(position.state) and seat:
        seen = 0
    for state, move in zip(position.states, position.moves, strict=False):
        hidden = move.kind == TUCK and game.actor(state) != seat and game.rules.tucked == "hidden"
        seen |= 0 if hidden else game.shown(state, move)
    return seen


def swapped(position: Position, one: Card, other: Card) -> Position | None:
    """The same deal with two cards in each other's place, if the same play was legal there."""
    game = position.game
    try:
        start = game.start(transposed(game.setup(position.start), one, other))
    except RuleError:
        return None
    twin = Position(game, start)
    for move in position.moves:
        cards = holding(other if card == one else one if card == other else card for card in each(move.cards))
        try:
            twin.play(move._replace(cards=cards))
        except IllegalMove:
            return None
    return twin


@each_covering_table()
def test_views_leak_nothing(game: Game[Any]) -> None:
    """Two deals that a seat cannot tell apart give equal observations, in every respect."""
    random = random_for(game)
    compared = 0
    for _ in range(3):
        position = random_position(game, random, 0.7)
        for seat in random.sample(range(game.players), 2):
            hidden = list(each(game.deck.cards & ~told(position, seat)))
            view = position.observe(seat)
            for _ in range(3 if len(hidden) > 1 else 0):
                twin = swapped(position, *random.sample(hidden, 2))
                if twin is None or not same_actions(position, twin, seat):
                    continue
                other = twin.observe(seat)
                assert other == view
                assert hash(other) == hash(view)
                assert (other.to_dict(), str(other), repr(other)) == (view.to_dict(), str(view), repr(view))
                assert (other.barred, other.unseen, other.states) == (view.barred, view.unseen, view.states)
                compared += 1
    assert compared


def same_actions(position: Position, twin: Position, seat: int) -> bool:
    """Did everybody take his turns alike? A closed deal may take another course where hidden cards decide it."""
    return [position.game.actor(state) for state in position.states] == [
        twin.game.actor(state) for state in twin.states
    ]


@each_covering_table()
def test_views_name_no_hidden_card(game: Game[Any]) -> None:
    random = random_for(game)
    for _ in range(2):
        position = random_position(game, random)
        for seat in range(game.players):
            view = position.observe(seat)
            named = written_cards(view.to_dict(), view.text)
            hidden = game.deck.cards & ~told(position, seat)
            assert named & hidden == 0, view.text.write_holding(named & hidden)
            assert hidden & ~view.unseen == 0
            assert view.seat == seat


@each_covering_table()
def test_views_name_all_that_was_seen(game: Game[Any]) -> None:
    """Nothing that a seat has seen is forgotten."""
    random = random_for(game)
    for _ in range(2):
        position = random_position(game, random)
        for seat in range(game.players):
            view = position.observe(seat)
            assert told(position, seat) & view.unseen == 0
            if game.looks(position.state, seat):
                assert position.state.hands[seat] == view.state.hands[seat]
                assert view.state.unseen[seat] == 0
            for other in range(game.players):
                assert count(position.state.hands[other]) == count(view.state.hands[other]) + view.state.unseen[other]


@each_covering_table()
def test_views_have_the_movers_moves(game: Game[Any]) -> None:
    random = random_for(game)
    position = Position(game, deal_at(game, random))
    while (seat := position.actor) is not None:
        view = position.observe(seat)
        assert view.actor == seat
        assert view.legal_moves == position.legal_moves
        for _ in range(random.randrange(1, 6)):
            if position.actor is not None:
                position.play(any_move(game, position.state, random))


@each_game()
def test_who_is_to_move_is_seen_by_all(game: Game[Any]) -> None:
    random = random_for(game)
    for _ in range(4):
        position = random_position(game, random)
        for seat in range(game.players):
            view = position.observe(seat)
            assert view.actor == position.actor
            assert game.played(view.state) == game.played(position.state)


@each_covering_table()
def test_barred_never_contradicts_the_cards(game: Game[Any]) -> None:
    """What a view rules out for a seat it really does not hold."""
    random = random_for(game)
    states, moves = random_states(game, random)
    position = Position(game, states[0])
    for move in moves:
        position.play(move)
        if random.random() < 0.3 or position.actor is None:
            view = position.observe(random.randrange(game.players))
            for other, barred in enumerate(view.barred):
                wrong = barred & position.state.hands[other] if view.state.unseen[other] else 0
                assert not wrong, f"{view!r} bars {position.text.write_holding(wrong)}"


def test_barred_tells_of_voids() -> None:
    """Guards the test above: there is something to contradict."""
    told_of = set()
    for game in one_per_players():
        for seed in range(3):
            states, moves = random_states(game, random_for(game, seed))
            position = Position(game, states[0])
            for move in moves[: len(moves) * 2 // 3]:
                position.play(move)
            if any(any(position.observe(seat).barred) for seat in range(game.players)):
                told_of.add(game.name)
    assert told_of == {"antikoziris", "atspek", "piramide", "plain", "sixty_six"}


@each_covering_table()
def test_barred_is_what_each_single_card_would_have_forbidden(game: Game[Any]) -> None:
    """Cards are tried together and in suits; one by one they must tell the same."""
    view = random_position(game, random_for(game)).observe(0)
    again = Position(game, view.start, seat=0)
    for move in view.moves:
        seat, before, barred = game.actor(again.state), again.state, again.barred
        assert seat is not None
        hidden = again.unseen & ~game.shown(before, move) & ~barred[seat]
        again.play(move)
        if move.unseen or again.state.unseen[seat] == 0 or not game.obliged(before):
            continue
        hand = before.hands[seat] | game.shown(before, move)
        told = holding(
            card
            for card in each(hidden)
            if move not in game.moves(before._replace(hands=replaced(before.hands, seat, hand | 1 << card)))
        )
        assert again.barred == replaced(barred, seat, barred[seat] | told)


@each_game()
def test_views_do_not_depend_on_those_before(game: Game[Any]) -> None:
    """A view is made from the last one where it can be: undo, other moves and copies must not show in it."""
    random = random_for(game)
    position = Position(game, deal_at(game, random))
    for _ in range(60):
        if position.actor is None or (position.moves and random.random() < 0.3):
            position.undo()
        else:
            position.play(any_move(game, position.state, random))
        seen = random.choice((position, position.copy()))
        fresh = Position(game, position.start)
        for move in position.moves:
            fresh.play(move)
        seat = random.randrange(game.players)
        view, anew = seen.observe(seat), fresh.observe(seat)
        assert (view, view.states, view.barred, view.unseen) == (anew, anew.states, anew.barred, anew.unseen)
        if view.actor == seat:
            view.play(game.moves(view.state)[0])  # which is nobody's business but this view's


@each_game()
def test_views_of_views(game: Game[Any]) -> None:
    """A seat looking at its own view sees what it saw."""
    random = random_for(game)
    for _ in range(5):
        position = random_position(game, random)
        for seat in range(game.players):
            view = position.observe(seat)
            if view.states[0] == position.states[0]._replace(hands=view.start.hands, unseen=view.start.unseen):
                assert view.observe(seat).to_dict() == view.to_dict()


# ---- text ---------------------------------------------------------------------------------------------------------


def toml(data: dict[str, Any]) -> str:
    """A dict as TOML, objects inside as inline tables."""

    def inline(item: Any) -> str:
        if isinstance(item, dict):
            return "{" + ", ".join(f"{json.dumps(key)} = {inline(entry)}" for key, entry in item.items()) + "}"
        if isinstance(item, list):
            return "[" + ", ".join(map(inline, item)) + "]"
        return json.dumps(item)

    return "".join(f"{key} = {inline(item)}\n" for key, item in data.items())


def round_trips(position: Position, folder: Path) -> None:
    data = position.to_dict()
    assert json.loads(json.dumps(data)) == data
    json_file, toml_file = folder / "position.json", folder / "position.toml"
    json_file.write_text(position.to_text(), "utf-8")
    toml_file.write_text(toml(data), "utf-8")
    copies = [
        Position.from_dict(data),
        Position.from_text(position.to_text()),
        read(json_file),
        read(toml_file),
        pickle.loads(pickle.dumps(position)),
        position.copy(),
        eval(repr(position)),
    ]
    for copy in copies:
        assert copy == position
        assert hash(copy) == hash(position)
        assert copy.to_dict() == data
        assert (copy.actor, copy.unseen, copy.barred) == (position.actor, position.unseen, position.barred)
        assert (str(copy), copy._repr_html_()) == (str(position), position._repr_html_())


@each_covering_table()
def test_text_round_trip(game: Game[Any], tmp_path: Path) -> None:
    random = random_for(game)
    position = random_position(game, random)
    round_trips(position, tmp_path)
    for seat in random.sample(range(game.players), 2):
        round_trips(position.observe(seat), tmp_path)


@each_game()
def test_lithuanian_round_trip(game: Game[Any], tmp_path: Path) -> None:
    random = random_for(game)
    for _ in range(2):
        position = random_position(game, random)
        for english in (position, position.observe(random.randrange(game.players))):
            data = english.to_dict()
            lithuanian = Position(game, english.start, seat=english.seat, notation="lt")
            for move in english.moves:
                lithuanian.play(move)
            assert lithuanian == english
            written = lithuanian.to_dict()
            assert written["notation"] == "lt"
            round_trips(lithuanian, tmp_path)
            back = Position.from_dict(written)
            assert back == english
            assert Position(game, back.start, seat=back.seat).to_dict()["hands"] == data["hands"]


@each_game()
def test_moves_round_trip(game: Game[Any]) -> None:
    for notation in ("en", "lt"):
        states, _ = random_states(game, random_for(game))
        position = Position(game, states[0], notation=notation)
        for move in {move for state in states for move in game.moves(state)}:
            assert position.read(position.write(move)) == move


@each_table()
def test_facts_describe_the_state(game: Game[Any]) -> None:
    """Between two tricks, and before the play, a state's facts give back a state that plays alike."""
    for seed in range(2):
        states, _ = random_states(game, random_for(game, seed))
        for state in states:
            begun = game.declaring_phase(state) and state != states[0]
            if game.played(state) or begun or game.actor(state) is None:
                continue
            setup = game.setup(state)
            again = game.start(setup)
            assert game.setup(again) == setup
            assert game.actor(again) == game.actor(state)
            assert game.moves(again) == game.moves(state)
            assert [game.setup(game.play(again, move)) for move in game.moves(again)] == [
                game.setup(game.play(state, move)) for move in game.moves(state)
            ]


@each_game()
def test_equality_needs_all(game: Game[Any]) -> None:
    start = game.deal(Random(1))
    position = Position(game, start)
    others = [
        Position(game, game.deal(Random(2))),
        Position(game, start, seat=0),
        Position(game, start, match=(1,) * game.players),
        Position(game, start, match=(0,) * game.players),
    ]
    played = position.copy()
    played.play(game.moves(start)[0])
    others.append(played)
    others += [Position(other, start) for other in game_tables(type(game)) if other != game and other.deck == game.deck]
    assert all(other != position for other in others)
    assert position == Position(game, start) and position != position.to_text()
    assert len({position, Position(game, start), *others}) == len(set(others)) + 1


@each_game()
def test_copies_are_independent(game: Game[Any]) -> None:
    position = Position(game, game.deal(Random(1)))
    copy = position.copy()
    copy.play(copy.legal_moves[0])
    assert position.moves == [] or len(position.moves) == 0
    assert position != copy
    copy.undo()
    assert position == copy


@each_game()
def test_match_score_is_kept(game: Game[Any], tmp_path: Path) -> None:
    match = tuple(range(game.players))
    position = Position(game, game.deal(Random(1)), match=match)
    assert position.to_dict()["match"] == {"ABCDEFGH"[seat]: seat for seat in match}
    round_trips(position, tmp_path)
    assert position.observe(0).match == match


# ---- a game without a kernel --------------------------------------------------------------------------------------

LOWBALL = '''
"""Lowball: two or three cards each, everybody plays one, the lowest card takes the trick. A test's own game."""

from typing import NamedTuple
from dataclasses import dataclass

from solver.cards import Deck, count, holding, strength_of, suit_of
from solver.game import Game, Setup, Tally, even_hands, hands_of, option, plays, remove, replaced, sized, sole_leader


@dataclass(frozen=True)
class Rules:
    size: int = option(2, 3, doc="Cards each.")


class State(NamedTuple):
    hands: tuple
    unseen: tuple
    leader: int = 0
    trick: tuple = ()
    won: tuple = ()


class Lowball(Game):
    name = "lowball"
    title = "Lowball"
    seats = (2, 3)
    unit = "tricks"
    keys = frozenset()
    Rules = Rules
    deck = Deck("A32")

    def deal(self, random, tally=None, first=0):
        cards, size = self.deck.shuffled(random), self.rules.size
        hands = tuple(holding(cards[size * seat : size * (seat + 1)]) for seat in range(self.players))
        return State(hands, (0,) * self.players, won=(0,) * self.players)

    def start(self, setup):
        self.check_fields(setup)
        size = even_hands(setup, range(self.players), self.rules.size)
        return State(*sized(setup, range(self.players), size), setup.leader or 0, (), setup.won or (0,) * self.players)

    def setup(self, state):
        return Setup(hands_of(state), leader=state.leader, won=state.won)

    def actor(self, state):
        if not state.trick and not any(state.hands) and not any(state.unseen):
            return None
        return (state.leader + len(state.trick)) % self.players

    def declaring_phase(self, state):
        return False

    def moves(self, state):
        seat = self.actor(state)
        return [] if seat is None else plays(state.hands[seat])

    def play(self, state, move):
        hands, unseen = remove(state.hands, state.unseen, self.actor(state), move.cards)
        trick = (*state.trick, move.cards.bit_length() - 1)
        if len(trick) < self.players:
            return state._replace(hands=hands, unseen=unseen, trick=trick)
        place = min(range(self.players), key=lambda at: (strength_of(trick[at]), suit_of(trick[at])))
        taker = (state.leader + place) % self.players
        won = replaced(state.won, taker, state.won[taker] + 1)
        return State(hands, unseen, taker, (), won)

    def played(self, state):
        return len(state.trick)

    def pov(self, state):
        return state.leader if self.actor(state) is None else self.actor(state)

    def value(self, state, seat):
        return state.won[seat]

    def succeeds(self, state, seat, value):
        return value > 0

    def score(self, state):
        return state.won

    def count(self, tally, state, first):
        points = self.by_player(state.won, first)
        return Tally(tuple(map(sum, zip(tally.scores, points))), tally.deals + 1)

    def winners(self, tally):
        return sole_leader(tally.scores, 7)
'''


@pytest.fixture
def lowball(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """One file more in the folder of games, and nothing else."""
    (tmp_path / "lowball.py").write_text(LOWBALL, "utf-8")
    monkeypatch.setattr(solver.games, "__path__", [*solver.games.__path__, str(tmp_path)])
    registry.cache_clear()
    yield registry()["lowball"]
    registry.cache_clear()
    sys.modules.pop("solver.games.lowball", None)


def test_a_game_is_one_file(lowball: Any, tmp_path: Path) -> None:
    assert find_game("lowball") is lowball and kernel(lowball) is None
    assert {(game.players, game.rules.size) for game in game_tables(lowball)} == {(2, 2), (2, 3), (3, 2), (3, 3)}
    for game in game_tables(lowball):
        for test in (
            test_rules_round_trip,
            test_random_matches,
            test_cards_are_conserved,
            test_moves_are_legal_and_change_the_turn,
            test_moves_come_in_listed_order,
            test_undo_restores_everything,
            test_undo_and_other_move,
            test_outcome,
            test_views_leak_nothing,
            test_views_name_no_hidden_card,
            test_views_name_all_that_was_seen,
            test_views_have_the_movers_moves,
            test_barred_never_contradicts_the_cards,
            test_facts_describe_the_state,
            test_equality_needs_all,
        ):
            test(game)
        test_text_round_trip(game, tmp_path)


def test_a_game_without_kernel_is_solved(lowball: Any) -> None:
    """B chooses what meets what: his three takes one trick or his ace none, whatever A leads."""
    position = Position.from_dict({"game": "lowball", "hands": {"A": "SA S2", "B": "HA H3"}})
    found = analyse(position)
    assert (found.value, found.best, found.objective, found.exact) == (1, ["SA", "S2"], "minimax", True)
    assert found.line == ["SA", "H3", "HA", "S2"]
    position.play("SA")
    assert {move.move: move.value for move in analyse(position).moves} == {"HA": 0, "H3": 1}
    assert value(position) == 1
    assert list(values([position] * 3)) == [1, 1, 1]


def test_labels_are_told_apart() -> None:
    assert len(set(map(label, tables()))) > 0.9 * len(tables())
