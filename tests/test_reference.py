"""The definitions of values, on little games made by hand whose values can be seen."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from solver.position import Position
from solver.reference import Reference, TooLarge, max_n_order


class Node(NamedTuple):
    """Somebody's turn, with what each of his moves leads to: another node, or every seat's outcome."""

    seat: int
    choices: tuple[Any, ...]


class Tree:
    """A game that is a tree: moves are numbered, outcomes are tuples of numbers by seat."""

    title = "Tree"

    def __init__(self, players: int, sides: list[set[int]] | None = None, sign: int = 1) -> None:
        self.players = players
        self.sides = sides or [{seat} for seat in range(players)]
        self.wanted = sign

    def actor(self, state: Any) -> int | None:
        return state.seat if isinstance(state, Node) else None

    def moves(self, state: Any) -> range:
        return range(len(state.choices))

    def play(self, state: Any, move: int) -> Any:
        return state.choices[move]

    def value(self, state: Any, seat: int) -> int:
        return int(state[seat])

    def side(self, state: Any, seat: int) -> frozenset[int]:
        return frozenset(next(side for side in self.sides if seat in side))

    def sign(self, state: Any) -> int:
        return self.wanted


def reference(tree: Tree, most: int = 1000) -> Reference:
    return Reference(tree, most)  # type: ignore[arg-type]


# ---- minimax and paranoid -----------------------------------------------------------------------------------------


def test_two_seats_against_each_other() -> None:
    """A can have 3 or, if B lets him, 5 or 1: B does not."""
    tree = Node(0, ((3, -3), Node(1, ((5, -5), (1, -1)))))
    assert reference(Tree(2)).value(tree, 0) == 3
    assert reference(Tree(2)).value(tree, 1) == -3


def test_the_pov_may_want_a_small_value() -> None:
    """As in Antikoziris: the declarer wants few tricks, so A goes where B can give him only 5."""
    tree = Node(0, ((6,), Node(1, ((5,), (1,)))))
    assert reference(Tree(2, sign=-1)).value(tree, 0) == 5
    assert reference(Tree(2, sign=-1)).value(Node(1, ((5,), (1,))), 0) == 5
    assert reference(Tree(2, sign=1)).value(tree, 0) == 6


def test_paranoid_has_all_against_the_pov() -> None:
    """C would do best for himself with 9, but is counted as taking from A whatever he can."""
    tree = Node(2, ((1, 0, 2), (4, 0, 9)))
    assert reference(Tree(3)).value(tree, 0) == 1
    assert reference(Tree(3)).value(tree, 2) == 9
    assert reference(Tree(3)).value(Node(1, (tree, (3, 7, 0))), 0) == 1
    assert reference(Tree(3)).value(Node(1, (tree, (3, 7, 0))), 1) == 7


def test_paranoid_values_need_not_add_up() -> None:
    """Each seat's paranoid value is a question of its own."""
    tree = Node(0, ((2, 1, 0), Node(1, ((3, 0, 3), (0, 2, 1)))))
    values = [reference(Tree(3)).value(tree, seat) for seat in range(3)]
    assert values == [2, 1, 0]


def test_partners_play_for_one_value() -> None:
    """A and C have the same value; C gives up nothing by taking the smaller share himself."""
    tree = Node(1, (Node(2, ((4,), (7,))), Node(2, ((5,), (6,)))))
    assert reference(Tree(4, [{0, 2}, {1, 3}])).value(tree, 0) == 6
    assert reference(Tree(4, [{0}, {1, 2, 3}])).value(tree, 0) == 4


# ---- max^n --------------------------------------------------------------------------------------------------------


def test_max_n_each_for_himself() -> None:
    """B prefers 5 for himself although that leaves A his best."""
    tree = Node(0, (Node(1, ((9, 5, 0), (1, 4, 7))), (3, 3, 3)))
    assert reference(Tree(3)).vector(tree) == (9, 5, 0)
    assert reference(Tree(3)).value(tree, 0) == 3


def test_max_n_ties_go_to_the_smallest_best_opponent() -> None:
    tree = Node(0, ((4, 7, 0), (4, 5, 5), (4, 6, 1)))
    assert reference(Tree(3)).vector(tree) == (4, 5, 5)


def test_max_n_then_to_the_first_listed() -> None:
    """Equal for A, best opponents equal: neither the second opponent nor the sum counts any more."""
    assert reference(Tree(3)).vector(Node(0, ((4, 0, 6), (4, 6, 0), (4, 6, 6)))) == (4, 0, 6)
    assert reference(Tree(3)).vector(Node(0, ((4, 6, 6), (4, 0, 6)))) == (4, 6, 6)


def test_max_n_tie_of_another_seat_decides() -> None:
    """A's choice depends on how C breaks his tie: C keeps the best of A and B small, which hurts A."""
    tie = Node(2, ((8, 0, 1), (0, 5, 1)))
    assert reference(Tree(3)).vector(tie) == (0, 5, 1)
    assert reference(Tree(3)).vector(Node(0, (tie, (2, 2, 2)))) == (2, 2, 2)


def test_max_n_order() -> None:
    assert max_n_order((4, 7, 0), 0) == (4, -7)
    assert max_n_order((4, 7, 0), 1) == (7, -4)
    assert max_n_order((4, 7, 0), 2) == (0, -7)


def test_max_n_of_two_is_minimax() -> None:
    tree = Node(0, ((3, -3), Node(1, ((5, -5), (1, -1)))))
    assert reference(Tree(2)).vector(tree) == (3, -3)


# ---- limits -------------------------------------------------------------------------------------------------------


def test_positions_met_twice_are_looked_at_once() -> None:
    shared = Node(1, ((1, 0), (2, 0)))
    search = reference(Tree(2))
    assert search.value(Node(0, (shared, shared)), 0) == 1
    assert search.nodes == 4
    assert search.value(shared, 0) == 1
    assert search.nodes == 4


def test_another_pov_is_another_question() -> None:
    tree = Node(0, ((1, 5), (2, 3)))
    search = reference(Tree(2))
    assert (search.value(tree, 0), search.value(tree, 1)) == (2, 3)


def test_too_large_is_a_sentence() -> None:
    tree = Node(0, tuple((value, 0) for value in range(10)))
    assert reference(Tree(2), 11).value(tree, 0) == 9
    with pytest.raises(TooLarge, match="this position of Tree has more than 10 states, too many for exhaustive search"):
        reference(Tree(2), 10).value(tree, 0)
    with pytest.raises(TooLarge):
        reference(Tree(2), 10).vector(tree)


def test_a_whole_deal_is_refused() -> None:
    position = Position.deal("piramide", 4, seed=1)
    position.play("bid 3 H")
    with pytest.raises(ValueError, match="this position of Piramidė has more than 3000 states"):
        Reference(position.game, 3000).value(position.state, 0)
