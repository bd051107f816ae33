"""The compiled kernels against the games' own files and the reference search, on positions at random.

Every game that has a kernel gets this, at every number of players and with every choice of options in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from common import (
    covering_tables,
    each_covering_table,
    game_tables,
    label,
    one_per_players,
    random_for,
    random_states,
    tables,
)

from solver.game import CLOSE, MARRIAGE, PLAY, TUCK, Game, Move, registry
from solver.position import Position
from solver.reference import Reference, TooLarge
from solver.search import (
    MAX_N,
    Limit,
    code_of,
    kernel,
    move_of,
    mover_of,
    objective_of,
    packed,
    solve,
    values,
    wants_most,
)

SOLVED = sorted(name for name, kind in registry().items() if kernel(kind))
ENDINGS = 260
"""How many are compared at a time."""
MOST_CARDS = 13
"""The cards of a hand that a kernel takes."""


def test_which_games_have_kernels() -> None:
    assert set(SOLVED) == set(registry())


def fits(game: Game[Any], state: Any) -> bool:
    """Is a state one that a kernel takes: in the play, and not too large for it?"""
    return not game.declaring_phase(state) and max(hand.bit_count() for hand in state.hands) <= MOST_CARDS


# ---- moves --------------------------------------------------------------------------------------------------------


def kernel_moves(solver: Any, game: Game[Any], state: Any) -> list[Move]:
    """The legal moves by the kernel, in its order: a search that is stopped at once has listed them."""
    counts, codes, _, _, _ = solver.move_values(packed(game, state, game.pov(state)), nodes=1)
    return [move_of(int(code)) for code in codes[0, : counts[0]]]


def sequences(game: Game[Any], state: Any, depth: int) -> int:
    """How many sequences of so many moves there are, by the game's file."""
    if depth == 0:
        return 1
    return sum(sequences(game, game.play(state, move), depth - 1) for move in game.moves(state))


@each_covering_table()
def test_random_play_side_by_side(game: Game[Any]) -> None:
    """At every step of a deal the kernel has the same moves in the same order, and the same ones after them."""
    random = random_for(game)
    module = kernel(type(game))
    assert module is not None
    solver = module.Solver(0.1)
    for _ in range(2):
        for state in random_states(game, random)[0]:
            if not fits(game, state):
                continue
            legal = game.moves(state)
            row = packed(game, state, game.pov(state))[0]
            assert kernel_moves(solver, game, state) == legal
            assert solver.perft(row, 0) == 1
            assert solver.perft(row, 1) == len(legal)
            assert solver.perft(row, 2) == sequences(game, state, 2)


@each_covering_table()
def test_perft(game: Game[Any]) -> None:
    """The kernel counts as many sequences of moves as the game's file, as deep as is quick."""
    random = random_for(game)
    module = kernel(type(game))
    assert module is not None
    solver = module.Solver(0.1)
    counted = 0
    while counted < 20:
        playable = [state for state in random_states(game, random)[0] if fits(game, state)]
        for state in random.sample(playable, min(4, len(playable))):
            row = packed(game, state, game.pov(state))[0]
            depth = 1
            while depth < 60 and solver.perft(row, depth) and solver.perft(row, depth + 1) < 400:
                depth += 1
            assert solver.perft(row, depth) == sequences(game, state, depth), (label(game), state)
            counted += depth


@each_covering_table()
def test_movers_play_as_the_rules_do(game: Game[Any]) -> None:
    """From anywhere in the play to the end: who moves, the moves, and the score. Where 66 must be claimed none does."""
    random = random_for(game)
    compared = 0
    while compared < 8:
        states, moves = random_states(game, random)
        playing = [at for at, state in enumerate(states[:-1]) if not game.declaring_phase(state)]
        for at in [playing[0], random.choice(playing)] if playing else []:
            mover = mover_of(game, states[at])
            assert (mover is not None) == (fits(game, states[at]) and not getattr(states[at], "claims", False))
            if mover is not None:
                check_mover(mover, game, states[at:], moves[at:])
        compared += len(playing) > 0


def check_mover(mover: Any, game: Game[Any], states: list[Any], moves: list[Move]) -> None:
    """It comes the same way, and a copy made in between as well."""
    for state, after, move in zip(states, states[1:], moves, strict=False):
        assert mover.actor() == game.actor(state)
        assert [move_of(code) for code in mover.moves()] == game.moves(state)
        left_behind, mover = mover, mover.copy()
        seat = game.actor(after)
        assert mover.play(code_of(move)) == (-1 if seat is None else seat)
        assert [move_of(code) for code in left_behind.moves()] == game.moves(state)
    assert mover.actor() == -1
    assert mover.moves() == []
    assert game.scored(states[0], mover.tally()) == game.score(states[-1])


@pytest.mark.parametrize("name", SOLVED)
def test_movers_refuse_what_cannot_be(name: str) -> None:
    game = registry()[name](min(registry()[name].seats))
    module = kernel(type(game))
    assert module is not None
    states, _ = random_states(game, Random(1))
    state = next(state for state in states if fits(game, state))
    row = game.packed(state, game.pov(state))
    with pytest.raises(ValueError, match=f"{module.WIDTH} integers, not {module.WIDTH - 1}"):
        module.Mover(row[1:])
    with pytest.raises(ValueError, match=r"hand|card"):
        module.Mover([row[0] | 1 << 15, *row[1:]])
    mover = module.Mover(row)
    with pytest.raises(ValueError, match="0x0 is no legal move"):
        mover.play(0)
    assert [move_of(code) for code in mover.moves()] == game.moves(state)


# ---- values -------------------------------------------------------------------------------------------------------


class Ending(NamedTuple):
    """A position near the end of a deal, and what the reference search says of it: every move's value for the pov."""

    game: Game[Any]
    state: Any
    values: dict[Move, int]

    @property
    def value(self) -> int:
        best = max if wants_most(self.game, self.state) else min
        return best(self.values.values())


def varied(game: Game[Any], states: list[Any], random: Random) -> Any:
    """A state near the end of a deal with other points, as they might have become in another play."""
    state = random.choice(states[-7:-1])
    if game.name == "velnio_tuzinas":
        return state._replace(points=tuple(random.randrange(13) for _ in state.points))
    if game.name == "sixty_six" and state.closed_by is None and not state.trick:
        return with_points(state, 0, random)
    return state


def with_points(state: Any, least: int, random: Random) -> Any:
    """A state of Sixty-six with at least so many points for each seat; now and then one waits for its first trick."""
    seats = range(len(state.won))
    waiting = random.choice((None, None, None, *seats))
    return state._replace(
        points=tuple(0 if seat == waiting else random.randrange(least, 66) for seat in seats),
        pending=tuple(random.choice((20, 40)) if seat == waiting else 0 for seat in seats),
        won=tuple(0 if seat == waiting else state.won[seat] or 1 for seat in seats),
    )


def drawing(game: Game[Any], states: list[Any], random: Random) -> Any:
    """A state of Sixty-six while cards are still drawn, with so many points that it is nearly over."""
    between = [state for state in states if state.stock and state.closed_by is None and not state.trick]
    return with_points(random.choice(between[len(between) // 2 :]), 55, random)


def solved_by_reference(game: Game[Any], state: Any, reference: Reference) -> Ending:
    """Every move's value. Raises TooLarge."""
    pov = game.pov(state)
    return Ending(game, state, {move: reference.value(game.play(state, move), pov) for move in game.moves(state)})


def endings_of(game: Game[Any], random: Random, most: int) -> list[Ending]:
    """Some endings of a deal played at random: among the last that the reference search solves with so many states.

    Most of them leave the mover a choice. One has other points than the deal had.
    """
    states, _ = random_states(game, random)
    reference = Reference(game, most)
    found: list[Ending] = []
    try:
        for state in reversed(states[:-1]):
            if not fits(game, state):
                break
            found.append(solved_by_reference(game, state, reference))
    except TooLarge:
        pass
    chosen = [ending for ending in found if len(ending.values) > 1 or random.random() < 0.1][-4:]
    extra = [(varied(game, states, random), most)] if len(states) > 7 else []
    if game.name == "sixty_six" and random.random() < 0.3:
        extra.append((drawing(game, states, random), 5 * most))
    for state, limit in extra:
        try:
            chosen.append(solved_by_reference(game, state, Reference(game, limit)))
        except (TooLarge, ValueError):  # with other points the deal may be over, or longer
            continue
    return [ending for ending in chosen if ending.values and fits(game, ending.state)]


def order_of_tables(name: str, seed: int) -> list[Game[Any]]:
    """A game's tables, shuffled; four seeds one after another begin at each quarter."""
    tables = game_tables(registry()[name])
    Random(name).shuffle(tables)
    first = len(tables) * seed // 4 % len(tables)
    return [*tables[first:], *tables[:first]]


def endings(name: str, number: int, most: int, seed: int) -> Iterator[list[Ending]]:
    """So many endings of a game or more, its tables in turn, in batches of one table."""
    tables = order_of_tables(name, seed)
    random = Random(f"{name} {seed}")
    share = max(2, -(-number // len(tables)))
    made = 0
    for game in cycle(tables):
        found: list[Ending] = []
        while len(found) < share:
            found += endings_of(game, random, most)
        yield found
        made += len(found)
        if made >= number:
            return


def check_values(solver: Any, batch: list[Ending]) -> None:
    """Values of positions, of all their moves, the best moves alone, and the lines."""
    game = batch[0].game
    rows = np.concatenate([packed(game, ending.state, game.pov(ending.state)) for ending in batch])
    alone, done, _ = solver.values(rows)
    assert done.all()
    counts, codes, by_move, done, _ = solver.move_values(rows)
    assert done.all()
    best_counts, best_codes, best_values, done, _ = solver.move_values(rows, best_only=True)
    assert done.all()
    lengths, lines = solver.lines(rows)
    for at, ending in enumerate(batch):
        sign = game.sign(ending.state)
        told = Position(game, ending.state) if not game.played(ending.state) else (game, ending.state)
        assert sign * int(alone[at]) == ending.value, told
        found = {
            move_of(int(code)): sign * int(value)
            for code, value in zip(codes[at, : counts[at]], by_move[at, : counts[at]], strict=True)
        }
        assert found == ending.values, told
        assert list(found) == list(ending.values), told
        best = [move for move, value in ending.values.items() if value == ending.value]
        assert [move_of(int(code)) for code in best_codes[at, : best_counts[at]]] == best, told
        assert {sign * int(value) for value in best_values[at, : best_counts[at]]} == {ending.value}, told
        check_line(ending, [move_of(int(code)) for code in lines[at, : lengths[at]]])


def check_line(ending: Ending, line: list[Move]) -> None:
    """The line is legal, starts with a best move, and ends the deal with the value."""
    game, state = ending.game, ending.state
    assert ending.values[line[0]] == ending.value
    for move in line:
        assert move in game.moves(state)
        state = game.play(state, move)
    assert game.actor(state) is None
    assert game.value(state, game.pov(ending.state)) == ending.value


def check_vectors(solver: Any, game: Game[Any], state: Any) -> bool:
    """Every move's vector by max^n, and that it is exact; False if the reference search finds the ending too large."""
    reference = Reference(game, 1500)
    try:
        expected = {move: reference.vector(game.play(state, move)) for move in game.moves(state)}
    except TooLarge:
        return False
    counts, codes, vectors, _, exact, _ = solver.vectors(packed(game, state, game.pov(state)))
    assert exact[0]
    found = {
        move_of(int(code)): tuple(vector[: game.players].tolist())
        for code, vector in zip(codes[0, : counts[0]], vectors[0, : counts[0]], strict=True)
    }
    assert found == expected, (game, state)
    solved = solve(game, state, MAX_N, Limit(table_mb=1))
    assert (solved.value, solved.moves) == (reference.vector(state), expected)
    for move in solved.line:
        state = game.play(state, move)
    assert solved.value == tuple(game.value(state, seat) for seat in range(game.players))
    return True


EACH_FOR_HIMSELF = [game for game in covering_tables() if objective_of(game, MAX_N) == MAX_N]


@pytest.mark.parametrize("game", EACH_FOR_HIMSELF, ids=label)
def test_max_n(game: Game[Any]) -> None:
    """Vectors of all moves, ties included, by the kernel and by the reference search."""
    module = kernel(type(game))
    assert module is not None
    solver, random = module.MaxN(1), random_for(game)
    compared = 0
    while compared < 25:
        for ending in endings_of(game, random, 100 if game.name == "velnio_tuzinas" else 300):
            compared += check_vectors(solver, game, ending.state)


def test_max_n_is_for_those_who_play_for_themselves() -> None:
    assert {game.name for game in EACH_FOR_HIMSELF} == {"atspek", "sixty_six", "velnio_tuzinas"}


def compare(name: str, number: int, most: int, seed: int) -> list[Ending]:
    """Compares so many endings and returns them. One solver for all, so that stale table entries would show."""
    module = kernel(registry()[name])
    assert module is not None
    solver = module.Solver(1)
    compared = []
    for batch in endings(name, number, most, seed):
        check_values(solver, batch)
        compared += batch
    return compared


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", SOLVED)
def test_values(name: str, seed: int) -> None:
    compared = compare(name, ENDINGS, 200 if name == "velnio_tuzinas" else 500, seed)
    assert len(compared) >= ENDINGS
    assert sum(len(set(ending.values.values())) > 1 for ending in compared) > 25, "most moves make no difference"


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(100, 110))
@pytest.mark.parametrize("name", SOLVED)
def test_values_of_many(name: str, seed: int) -> None:
    assert len(compare(name, 2000, 5000, seed)) >= 2000


def test_endings_have_everything() -> None:
    """Guards the tests above: the endings at random have what is hard in each game."""
    plain = [ending for batch in endings("plain", 250, 100, 1) for ending in batch]
    rules = [ending.game.rules for ending in plain]
    assert {(each.void, each.beat, each.trump_power) for each in rules} == {
        (void, beat, power) for void in ("trump", "any") for beat in (False, True) for power in ("high", "anti")
    }
    assert {each.side for each in rules} == {(), (0,), (1,), (0, 2), (1, 3), (0, 1, 2)}
    assert {ending.game.played(ending.state) for ending in plain} == {0, 1, 2, 3}

    cards = [ending for seed in (1, 2, 3) for batch in endings("sixty_six", 105, 300, seed) for ending in batch]
    states = [ending.state for ending in cards]
    assert any(state.closed_by is not None and state.trick for state in states)
    assert sum(state.closed_by is None and bool(state.stock) for state in states) > 5
    assert any(not state.stock for state in states)
    assert any(any(state.pending) for state in states)
    assert any(state.married for state in states)
    kinds = {move.kind for ending in cards for move in ending.values}
    assert {CLOSE, MARRIAGE, PLAY} <= kinds
    assert any(ending.game.rules.preset and ending.state.closed_by is not None for ending in cards)

    tricks = [ending for batch in endings("velnio_tuzinas", 200, 300, 1) for ending in batch]
    sizes = {move.cards.bit_count() for ending in tricks for move in ending.values}
    assert sizes == {1, 2, 3}
    assert {move.kind for ending in tricks for move in ending.values} == {PLAY, TUCK}
    assert any(ending.state.stock for ending in tricks)


@pytest.mark.parametrize("game", one_per_players(), ids=label)
def test_solve_and_values_agree(game: Game[Any]) -> None:
    """What `search` makes of the kernel's answers: signs, moves, the line, batches in any number of threads."""
    random = random_for(game)
    found: list[Ending] = []
    while len(found) < 6:
        found += endings_of(game, random, 300)
    for ending in found:
        solved = solve(game, ending.state, limit=Limit(table_mb=1))
        assert (solved.value, solved.moves) == (ending.value, ending.values)
        check_line(ending, solved.line)
    positions = [Position(game, ending.state) for ending in found]
    for threads in (1, 2, 3):
        assert list(values(positions, threads=threads, limit=Limit(table_mb=1))) == [ending.value for ending in found]


@pytest.mark.parametrize("name", SOLVED)
def test_table_size_does_not_matter(name: str) -> None:
    module = kernel(registry()[name])
    assert module is not None
    for size in (0.001, 0.07, 3):
        solver = module.Solver(size)
        for batch in endings(name, 40, 400, 77):
            check_values(solver, batch)


def test_every_table_is_compared() -> None:
    """Guards the number in `test_values`: with two endings a table it is enough for every choice of options."""
    for name in SOLVED:
        met = {game for seed in range(4) for game in order_of_tables(name, seed)[: ENDINGS // 2]}
        assert met == set(game_tables(registry()[name]))
    assert sum(len(game_tables(registry()[name])) for name in SOLVED) == len(tables())


# ---- horizons -----------------------------------------------------------------------------------------------------


def played_on(game: Game[Any], state: Any, pov: int, tricks: int) -> int:
    """The value for the pov, all others against it, if the margin is taken as it stands after so many whole tricks."""
    seat = game.actor(state)
    if seat is None or (tricks == 0 and not game.played(state)):
        return game.value(state, pov)
    after = [game.play(state, move) for move in game.moves(state)]
    values = (played_on(game, each, pov, tricks - (game.played(state) == 0)) for each in after)
    return max(values) if seat == pov else min(values)


def replies_left(game: Game[Any], state: Any, tricks: int) -> int:
    """How many plays there are before that horizon, but for those that do nothing, since nothing is left to play."""
    played = game.played(state)
    return min(game.players * tricks + (game.players - played if played else 0), sum(map(int.bit_count, state.hands)))


@pytest.mark.parametrize(("players", "tricks"), [(3, 1), (3, 2), (4, 1), (5, 1)])
def test_horizon(players: int, tricks: int) -> None:
    """Full hands, so that what is tucked or covers before the horizon could matter, from anywhere in a trick."""
    game = registry()["velnio_tuzinas"](players)
    module = kernel(type(game))
    assert module is not None and game.horizon_word is not None
    solver, random = module.Solver(1), random_for(game)
    for number in range(6):
        states, _ = random_states(game, random)
        near = [at for at in states[:-1] if replies_left(game, at, tricks) <= 6 and game.played(at) >= number % 2]
        state = random.choice(near)
        pov = game.pov(state)
        row = packed(game, state, pov)
        row[0, game.horizon_word] = tricks
        counts, codes, values, done, _ = solver.move_values(row)
        assert done[0]
        for place in range(counts[0]):
            after = game.play(state, move_of(int(codes[0, place])))
            left = tricks - (game.played(state) == 0)
            assert values[0, place] == played_on(game, after, pov, left), (state, move_of(int(codes[0, place])))


def test_no_table_of_velnio_tuzinas_is_too_large() -> None:
    """Eight players have ten million ways to play the first trick: by its points hardly any differ."""
    game = registry()["velnio_tuzinas"](8)
    state = game.deal(random_for(game))
    solved = solve(game, state, limit=Limit(nodes=10_000))
    assert solved.depth == 1
    assert set(solved.moves) == set(game.moves(state))
