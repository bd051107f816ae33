from __future__ import annotations

import sys
from dataclasses import replace
from itertools import pairwise
from random import Random
from time import perf_counter, sleep
from typing import Any

import numpy as np
import pytest
from common import covering_tables, deal_at, each_covering_table, each_game, random_for, tables

from solver import experience, novice, players
from solver.cards import NO_TRUMP, UNSEEN
from solver.game import CLAIM, SEATS, Game, Move, find_game, registry
from solver.judgement import JUDGED, judged
from solver.position import Position
from solver.sampling import Layouts
from solver.search import move_of, packed, playout_table

FAST = {level: {} if level in ("random", "novice") else {"samples": 2} for level in players.LEVELS}


def fast(level: str, seed: int = 0) -> players.Player:
    return players.create(level, seed=seed, **FAST[level])  # type: ignore[arg-type]


def fresh(game: Game[Any], random: Random, *, matched: bool) -> Position:
    """A deal as a match deals it, or as an analysis takes it."""
    if not matched:
        return Position(game, deal_at(game, random))
    tally = game.new_match()
    return Position(game, game.deal(random, tally), match=tuple(tally.scores))


def play_out(position: Position, seated: list[players.Player]) -> None:
    while position.actor is not None:
        move = seated[position.actor].choose(position.observe(position.actor))
        assert move in position.legal_moves, (move, position)
        position.play(move)


# ---- legality -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["random", "novice", "club", "expert", "master"])
@each_game(most=5)
def test_every_level_plays_legally(game: Game[Any], level: str) -> None:
    """The nightly test has more players too."""
    position = fresh(game, random_for(game, level), matched=True)
    play_out(position, [fast(level, seat) for seat in range(game.players)])
    assert position.outcome is not None


@each_covering_table(most=3)
def test_levels_meet_at_every_table(game: Game[Any]) -> None:
    """Every option, with opponents who do strange things: forget a claim, tuck what covers, bid what cannot be made."""
    random = random_for(game, "mixed")
    position = fresh(game, random, matched=False)
    play_out(
        position, [fast(random.choice(players.LEVELS[:1] + players.LEVELS[2:]), seat) for seat in range(game.players)]
    )


def quick_tables(name: str) -> list[Game[Any]]:
    """A game's tables at which any two option values meet, shuffled; no deal of plain with more than 32 cards."""
    tables = [game for game in covering_tables() if game.name == name and (name != "plain" or len(game.deck) <= 32)]
    Random(name).shuffle(tables)
    return tables


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("level", players.LEVELS)
@pytest.mark.parametrize("name", sorted(registry()))
def test_ten_thousand_deals(name: str, level: str, part: int) -> None:
    """A thousand in each part, the tables in turn, with the smallest budget there is, against players at random."""
    other = players.create("random", seed=1)
    budget = {} if level in ("random", "novice") else {"samples": 1}
    own = players.create(level, seed=1, **budget)  # type: ignore[arg-type]
    tables = quick_tables(name)
    assert {game.players for game in tables} == set(registry()[name].seats)
    for number in range(1000 * part, 1000 * (part + 1)):
        turn, place = divmod(number, len(tables))
        game = tables[place]
        position = fresh(game, random_for(game, number), matched=turn % 2 == 0)
        play_out(position, [own if (seat + turn // 2) % 2 else other for seat in range(game.players)])


@pytest.mark.parametrize("name", sorted(players._SAY))
def test_a_network_has_its_say(name: str) -> None:
    """To master a move is worth what it is to expert, in the same layouts, and by its share what the network judges."""
    assert set(players._SAY) == set(JUDGED)
    position = fresh(find_game(name)(2), Random(3), matched=False)
    for _ in range(6):
        if not position.game.declaring_phase(position.state):
            view = position.observe(position.actor or 0)
            worths = [
                players._Thought(view, replace(players._SKILLS[level], seconds=None), 5, 8).plays()
                for level in ("expert", "master")
            ]
            gains, say = judged(view, Layouts(view)), players._SAY[name]
            mixed = {move: (1 - say) * worth + say * gains[move] for move, (worth, _) in worths[0].items()}
            assert {move: worth for move, (worth, _) in worths[1].items()} == pytest.approx(mixed)
        position.play(position.legal_moves[0])


def test_every_phase_has_been_played() -> None:
    """The kinds of moves that there are, by players who calculate."""
    kinds: set[str] = set()
    for name, rules in (
        ("sixty_six", {"preset": "schnapsen"}),
        ("antikoziris", {}),
        ("piramide", {}),
        ("atspek", {}),
        ("velnio_tuzinas", {}),
    ):
        kind = find_game(name)
        for number in range(2 if name != "sixty_six" else 5):
            game = kind(kind.seats[0], kind.Rules(**kind.presets.get(str(rules.get("preset")), {})))
            position = fresh(game, random_for(game, number), matched=True)
            play_out(position, [fast("expert", number), *(fast("club", seat) for seat in range(1, game.players))])
            kinds |= {move.kind for move in position.moves}
    assert kinds >= {"play", "tuck", "bid", "pass", "trump", "marriage", "exchange", "close", "claim"}


def test_a_claim_is_made_as_soon_as_it_is_right_and_never_before() -> None:
    game = find_game("sixty_six")(2)
    for number in range(6):
        position = fresh(game, Random(number), matched=True)
        seated = [players.create("random", seed=number), fast("club")]
        while position.actor is not None:
            seat, legal = position.actor, position.legal_moves
            move = seated[seat].choose(position.observe(seat))
            if CLAIM in legal:
                assert (move == CLAIM) == (position.state.points[seat] >= 66)
            position.play(move)


def test_the_lowest_card_in_the_hand_that_names_trumps() -> None:
    game = find_game("atspek")(2)
    number = next(n for n in range(1000) if game.deal(Random(n)).hands[0] & 1)
    position = Position(game, game.deal(Random(number)))
    assert fast("expert").choose(position.observe(0)) in position.legal_moves


# ---- budgets and seeds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["random", "novice", "club", "expert", "master"])
def test_the_same_seed_plays_the_same(level: str) -> None:
    for game in (find_game("sixty_six")(2), find_game("antikoziris")(3), find_game("piramide")(2)):
        played = []
        for _ in range(2):
            position = fresh(game, Random(5), matched=True)
            play_out(position, [fast(level, seat) for seat in range(game.players)])
            played.append(position.plays)
        assert played[0] == played[1]


def test_seeds_differ() -> None:
    game = find_game("velnio_tuzinas")(2)
    played = set()
    for seed in range(5):
        position = fresh(game, Random(5), matched=True)
        play_out(position, [players.create("random", seed=seed)] * 2)
        played.add(tuple(position.plays))
    assert len(played) > 1


@pytest.mark.parametrize("name", ["atspek", "velnio_tuzinas", "sixty_six"])
def test_a_budget_of_seconds_is_kept(name: str) -> None:
    """A move early in a deal, where there is the most to search; generous, since other processes run too."""
    kind = find_game(name)
    for count in (kind.seats[0], kind.seats[-1]):
        position = fresh(kind(count), Random(1), matched=True)
        if position.game.declaring_phase(position.state):
            position.play(position.legal_moves[0])
        view = position.observe(position.actor or 0)
        begun = perf_counter()
        players.create("expert", seconds=0.2).choose(view)
        assert perf_counter() - begun < 2


@pytest.mark.parametrize("budget", [{"seconds": 0}, {"seconds": -1}, {"seconds": float("nan")}, {"samples": 0}])
def test_impossible_budgets(budget: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="budget"):
        players.create("expert", **budget)


def test_unknown_levels() -> None:
    with pytest.raises(ValueError, match=r"'grandmaster'.*random, novice, club, expert, master"):
        players.create("grandmaster")


def test_players_from_text() -> None:
    assert players.from_text("expert:samples=20", 3) == players.create("expert", seed=3, samples=20)
    assert players.from_text("club:seconds=0.2,samples=4") == players.create("club", seconds=0.2, samples=4)
    assert players.from_text("novice") == players.create("novice")
    for text in ("expert:depth=3", "expert:samples=many", "expert:samples", ""):
        with pytest.raises(ValueError):
            players.from_text(text)


# ---- what they see ------------------------------------------------------------------------------------------------


def reachable(found: object, seen: set[int]) -> list[Any]:
    """Everything that can be reached from an object by attributes and items."""
    if id(found) in seen or isinstance(found, (str, bytes, int, float, type(None), type)):
        return [found]
    seen.add(id(found))
    inside = list(vars(found).values()) if hasattr(found, "__dict__") else []
    if isinstance(found, dict):
        inside += [*found, *found.values()]
    elif isinstance(found, (tuple, list, set, frozenset)):
        inside += list(found)
    return [found, *(item for part in inside for item in reachable(part, seen))]


@each_game()
def test_hidden_cards_cannot_be_reached(game: Game[Any]) -> None:
    """Two deals that differ only in what the seat cannot see give observations that are equal through and through."""
    random = random_for(game, "hidden")
    for _ in range(3):
        position = fresh(game, random, matched=True)
        for _ in range(random.randrange(8)):
            if position.actor is not None:
                position.play(random.choice([move for move in position.legal_moves if move != CLAIM]))
        for seat in range(game.players):
            view = position.observe(seat)
            hands = [state.hands for state in position.states]
            assert all(reached is not state for reached in reachable(view, set()) for state in position.states)
            own = position.state.hands[seat]
            for reached in reachable(view, set()):
                if isinstance(reached, tuple) and reached and reached in hands and sum(position.state.hands) != own:
                    pytest.fail(f"{SEATS[seat]} reaches all hands")
            rest = getattr(view.state, "rest", None)
            assert rest is None
            stock = getattr(view.state, "stock", ())
            assert all(card == UNSEEN for card in stock[:-1])


@each_game(most=3)
def test_a_move_depends_on_what_is_seen_alone(game: Game[Any]) -> None:
    """Dealt again with the same observation, the players choose the same."""
    position = fresh(game, random_for(game, "seen"), matched=False)
    view = position.observe(position.actor or 0)
    again = Position.from_text(view.to_text())
    for level in players.LEVELS:
        assert fast(level).choose(view) == fast(level).choose(again)


# ---- rules of thumb -----------------------------------------------------------------------------------------------


@each_game()
def test_every_move_has_a_merit(game: Game[Any]) -> None:
    random = random_for(game, "merit")
    position = fresh(game, random, matched=True)
    while position.actor is not None:
        moves = game.moves(position.state)
        for move in moves:
            assert isinstance(novice.merit(game, position.state, move), int | float)
        position.play(random.choice([move for move in moves if move != Move(CLAIM)]))


@pytest.mark.parametrize("count", [2, 3, 8])
def test_playouts_go_by_the_rules_of_thumb(count: int) -> None:
    """The kernel's are those of `novice`, move by move."""
    game = find_game("velnio_tuzinas")(count)
    random = random_for(game, "playouts")
    position = Position(game, game.deal(random))
    while position.actor is not None:
        state = position.state
        table = playout_table(type(game), packed(game, state, game.pov(state)))
        assert [move_of(int(code)) for code in table.codes[0, : table.counts[0]]] == game.moves(state)
        for move, value in zip(game.moves(state), table.values[0].tolist(), strict=False):
            after = game.play(state, move)
            while game.actor(after) is not None:
                after = game.play(after, novice.choose(game, after))
            assert value == game.value(after, game.pov(state)), (position, move)
        position.play(random.choice(position.legal_moves))


def test_master_knows_what_closed_cards_cost() -> None:
    """Without trumps fewer announcements are made exactly than with open cards; nothing else changes."""
    view = Position.deal("piramide", seed=1).observe("A")
    skill = replace(players._SKILLS["expert"], seconds=None, samples={"piramide": 2}, enumerated=1)
    plain, corrected = (
        players._Thought(view, replace(skill, corrects=corrects), 1, 2).declarations() for corrects in (False, True)
    )
    cost = {move: plain[move][0] - corrected[move][0] for move in plain}
    without = [cost[move] for move in cost if move.trump == NO_TRUMP]
    assert without == pytest.approx([1.26] * len(without))
    assert max(cost.values()) == max(without) and min(cost.values()) == 0


def test_master_opens_with_what_it_may_keep() -> None:
    """With a hand for 2 at a pinch: 3 is outbid nearly always."""
    view = Position.deal("antikoziris", seed=5).observe("A")
    assert players.create("expert", seed=1, samples=20).choose(view) == "bid 3"
    assert players.create("master", seed=1, samples=20).choose(view) == "bid 2"


def test_what_was_seen_holds_for_the_usual_points() -> None:
    kind = find_game("antikoziris")
    doubled = tuple((bid, type(row)(*(2 * points for points in row))) for bid, row in kind.Rules().score_table)
    assert experience.auctions(kind(3), seen=True) is experience.SEEN
    assert experience.auctions(kind(3, kind.Rules(score_table=doubled)), seen=True) is experience.ASSUMED
    assert experience.auctions(kind(3), seen=False) is experience.ASSUMED
    assert experience.auctions(find_game("piramide")(2), seen=True) is experience.ASSUMED


def test_levels_keep_all_their_skills_with_a_budget() -> None:
    for level, skill in players._SKILLS.items():
        made = players.create(level, samples=3)
        assert isinstance(made, players.Sampler)
        assert made.skill == replace(skill, seconds=None, samples=made.skill.samples, enumerated=made.skill.enumerated)


def test_each_contract_gets_what_is_left_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def slow(_: object, search: Any, state: Any) -> Any:
        limits.append(search.limit.time)
        sleep(0.01)
        return np.zeros(len(search.rows(state)))

    monkeypatch.setattr(players._Thought, "_declared", slow)
    position = Position.deal("atspek", seed=3)
    players.create("expert", seconds=0.1).choose(position.observe(0))
    assert all(later <= earlier for earlier, later in pairwise(limits))
    assert limits[3] < limits[0]


def test_tables_are_all_looked_at() -> None:
    assert {game.name for game in tables()} == set(novice._MERITS) | {"plain"}


def test_players_of_libraries_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for library, module in players.ADAPTERS.items():
        monkeypatch.setitem(sys.modules, f"solver.adapters.{module}", None)
        with pytest.raises(ValueError, match=rf"pip install 'kirtis\[{library}\]'"):
            players.from_text(f"{library}:ismcts:seconds=1")
