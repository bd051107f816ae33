from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from common import each_game, label, one_per_players

from solver import match, players
from solver.game import Game, RuleError, find_game, registry
from solver.position import IllegalMove

QUICK = ("novice", "random")
SHORT = ("velnio_tuzinas", "sixty_six")


def names(count: int) -> list[str]:
    return [QUICK[number % 2] for number in range(count)]


def rules_of(game: Game[Any]) -> dict[str, object]:
    preset = getattr(game.rules, "preset", "")
    return {"preset": preset} if preset else {}


def played(game: Game[Any], seed: int = 1, **how: Any) -> match.Match:
    return match.play(game.name, names(game.players), rules=rules_of(game), seed=seed, **how)


MATCHES = [
    game
    for game in one_per_players()
    if game.name != "plain" and game.players <= find_game(game.name).seats[0] + (game.name in SHORT)
]
"""Plain has no matches; longer ones are like the shorter."""


# ---- whole matches ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", MATCHES, ids=label)
def test_matches_end_as_the_rules_say(game: Game[Any]) -> None:
    done = played(game)
    assert done.over and done.winners
    scores, best = done.tally.scores, max(done.tally.scores)
    assert all(scores[winner] == best for winner in done.winners)
    goals = {"atspek": 12, "antikoziris": 300, "velnio_tuzinas": 13, "sixty_six": getattr(game.rules, "match_eyes", 0)}
    if game.name in goals:
        assert best >= goals[game.name]
        assert len(done.deals) == 1 or sorted(done.deals[-2].scores or ())[-1] < goals[game.name] or len(done.deals) > 2
    else:
        assert len(done.deals) == 16 * game.players


@each_game(most=4)
def test_the_deal_passes_on(game: Game[Any]) -> None:
    done = match.new(game.name, ["random"] * game.players, rules=rules_of(game), seed=4)
    done.play(deals=game.players + 1)
    firsts = [deal.first for deal in done.deals]
    assert firsts == [number % game.players for number in range(len(firsts))]


def test_scores_are_counted_by_player() -> None:
    """Player 1 sits in B, then in A; what the seats score goes to who sat there."""
    done = match.play("piramide", ["novice", "novice"], seed=2)
    totals = [0, 0]
    for deal in done.deals:
        assert deal.score is not None
        for seat, score in enumerate(deal.score):
            totals[(seat + deal.first) % 2] += score
        assert deal.scores == tuple(totals)
        assert deal.score[1] == 0


def test_everybody_fills_his_pyramid() -> None:
    done = match.play("piramide", ["novice"] * 3, seed=2)
    for player in range(3):
        bids = sorted(d.position.moves[0].bid or 0 for d in done.deals if d.first == player)
        assert bids == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6]


def test_positions_tell_the_match_score_by_seat() -> None:
    done = match.new("velnio_tuzinas", ["random", "random", "random"], seed=2)
    done.play(deals=1)
    assert done.position is not None
    scores = done.tally.scores
    assert done.position.match == (scores[1], scores[2], scores[0])
    assert done.position.state.points == done.position.match


def test_a_match_that_nobody_can_win_is_given_up() -> None:
    done = match.play("plain", ["random", "random"], seed=1, most_deals=3)
    assert done.over and not done.winners and len(done.deals) == 3


def test_players_of_your_own() -> None:
    class First:
        def choose(self, observation: Any) -> str:
            assert observation.seat == observation.actor
            return str(observation.legal_moves[0])

    done = match.play("atspek", [First(), "novice"], seed=3)
    assert done.names == ("First", "novice") and done.winners


def test_wrong_arguments() -> None:
    with pytest.raises(RuleError, match="played by"):
        match.play("piramide", ["novice"])
    with pytest.raises(ValueError, match="no level"):
        match.play("piramide", ["novice", "nobody"])
    done = match.play("piramide", ["novice", "novice"], seed=1)
    with pytest.raises(ValueError, match="over"):
        done.step("SA")
    fresh = match.new("piramide", ["novice", "novice"], seed=1)
    with pytest.raises(IllegalMove):
        fresh.step("bid 9 S")


# ---- records ------------------------------------------------------------------------------------------------------


@each_game()
def test_records_are_played_again(game: Game[Any], tmp_path: Path) -> None:
    done = played(game, most_deals=2)
    done.save(tmp_path / "match.jsonl")
    again = match.Match.load(tmp_path / "match.jsonl")
    assert list(again.lines()) == list(done.lines())
    assert again.tally == done.tally and again.winners == done.winners and again.over


@each_game(most=4)
def test_matches_go_on_from_their_record(game: Game[Any]) -> None:
    """Also in mid-deal; the players, who have no memory, go on as if nothing had happened."""
    whole = played(game, most_deals=2)
    part = match.new(game.name, names(game.players), rules=rules_of(game), seed=1, most_deals=2)
    seated = part.create_players()
    for _ in range(Random(game.players).randrange(1, 40)):
        if part.position is None or part.actor is None or part.position.actor is None:
            break
        part.step(seated[part.actor].choose(part.position.observe(part.position.actor)))
    again = match.Match.from_lines(part.lines())
    assert list(again.lines()) == list(part.lines())
    again.play()
    assert list(again.lines()) == list(whole.lines())


def tampered(lines: list[str], at: int, key: str, value: object) -> list[str]:
    row = json.loads(lines[at])
    row[key] = value
    return [*lines[:at], json.dumps(row), *lines[at + 1 :]]


def test_records_that_lie() -> None:
    lines = list(played(find_game("sixty_six")(2)).lines())
    last = len(lines) - 1
    wrong = {
        "score": tampered(lines, 1, "score", [3, 3]),
        "scores": tampered(lines, 1, "scores", [7, 0]),
        "commitment": tampered(lines, 1, "commitment", "0" * 64),
        "winners": tampered(lines, last, "winners", [0, 1]),
        "deal": tampered(lines, 1, "deal", 1),
        "cards": tampered(lines, 0, "seed", "another"),
        "no deal of this match": tampered(lines, 1, "position", None),
        "begin": lines[1:],
        "after the match was over": [*lines, lines[1]],
        "not JSON": [*lines, "{"],
        "not an object": [*lines, "3"],
    }
    for told, lie in wrong.items():
        with pytest.raises(match.RecordError, match=told):
            match.Match.from_lines(lie)
    moves = json.loads(lines[1])["position"]
    moves["plays"][0] = "SA HA"
    with pytest.raises(match.RecordError):
        match.Match.from_lines(tampered(lines, 1, "position", moves))
    with pytest.raises(match.RecordError, match="begin"):
        match.Match.from_lines([])


def test_saving_leaves_no_half_written_file(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    played(find_game("piramide")(2)).save(path)
    assert [item.name for item in tmp_path.iterdir()] == ["match.jsonl"]


# ---- fairness -----------------------------------------------------------------------------------------------------


def test_the_shuffle_as_documented() -> None:
    """Written out once more, from the words of the docstring."""

    def shuffled(items: list[int], key: str) -> list[int]:
        words: list[int] = []
        for block in range(100):
            digest = sha256(f"{key}/{block}".encode()).digest()
            words += [int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24)]
        for place in range(len(items) - 1, 0, -1):
            n = place + 1
            word = words.pop(0)
            while word >= 2**64 // n * n:
                word = words.pop(0)
            other = word % n
            items[place], items[other] = items[other], items[place]
        return items

    mine = list(range(52))
    match.Shuffle("7/deal/3").shuffle(mine)
    assert mine == shuffled(list(range(52)), "7/deal/3")
    assert mine[:6] == GOLDEN


GOLDEN = [18, 11, 21, 1, 34, 28]


def test_the_shuffle_is_uniform() -> None:
    counts = dict.fromkeys([(a, b, c) for a in range(3) for b in range(3) for c in range(3) if len({a, b, c}) == 3], 0)
    stream = match.Shuffle("uniform")
    for _ in range(6000):
        items = [0, 1, 2]
        stream.shuffle(items)
        counts[items[0], items[1], items[2]] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5  # chi-square, 5 degrees: p = 0.001


def test_the_other_draws_of_the_generator() -> None:
    stream = match.Shuffle("draws")
    numbers = [stream.random() for _ in range(2000)]
    assert all(0 <= number < 1 for number in numbers) and abs(sum(numbers) / 2000 - 0.5) < 0.03
    assert {stream.randrange(4) for _ in range(100)} == {0, 1, 2, 3}
    assert all(stream.getrandbits(70) < 1 << 70 for _ in range(100))
    again = match.Shuffle("draws")
    assert [again.random() for _ in range(2000)] == numbers


def test_a_deal_is_committed_to_and_revealed() -> None:
    fresh = match.new("atspek", ["novice", "novice"], seed=5)
    before = fresh.commitment
    fresh.play(deals=1)
    deal = fresh.deals[0]
    text = deal.position.before(0).to_text()
    assert deal.commitment == before == sha256(f"{deal.nonce} {text}".encode()).hexdigest()
    other = match.deal(fresh.game, "6", 0)
    assert match.commitment(other, deal.nonce) != before


def test_seeds_are_random_where_none_is_given() -> None:
    seeds = {match.new("piramide", ["novice", "novice"]).seed for _ in range(3)}
    assert len(seeds) == 3 and all(len(seed) == 32 for seed in seeds)


def test_players_have_generators_of_their_own() -> None:
    fresh = match.new("piramide", ["random", "random"], seed=5)
    one, other = fresh.create_players()
    assert one != other
    assert isinstance(one, players.RandomPlayer)
    assert str(one.seed) not in (fresh.seed, match.nonce(fresh.seed, 0))


def test_the_same_deals_whoever_plays() -> None:
    deals = [
        [deal.position.before(0).state.hands for deal in match.play("atspek", seats, seed=9).deals[:2]]
        for seats in (["novice", "random"], ["random", "novice"])
    ]
    assert deals[0] == deals[1]


def test_all_games_can_be_dealt() -> None:
    for kind in registry().values():
        game = kind(kind.seats[0])
        assert match.deal(game, "1", 0).to_text() == match.deal(game, "1", 0).to_text()
        assert match.deal(game, "1", 0).to_text() != match.deal(game, "1", 1).to_text()
