"""Advice where cards are unseen: exact over all layouts, estimates with honest errors, bids, trumps, reviews, plots."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random

import numpy as np
import pytest

import solver
from solver import Analysis, Limit, Position, RuleError
from solver.analysis import analyse, suggest_bid, suggest_trump
from solver.declaring import Declaring
from solver.estimate import MOST_ENUMERATED, Estimate, mean_and_error
from solver.games.piramide import PYRAMID
from solver.plot import plot
from solver.pyramid import pyramid
from solver.review import review
from solver.sampling import Layouts
from solver.search import Solvers, move_table

HIDDEN = [json.loads(line) for line in (Path(__file__).parent / "data" / "hidden.jsonl").read_text().splitlines()]
DEFENDER = {
    "game": "antikoziris",
    "contract": {"declarer": "A", "bid": 2, "trump": "H"},
    "hands": {"A": "ST HJT DAK CAJT", "B": "?", "C": "?"},
    "seat": "A",
}


def values(analysis: Analysis) -> dict[str, object]:
    return {move.move: move.value for move in analysis.moves}


# ---- the play -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", HIDDEN, ids=[case["id"] for case in HIDDEN])
def test_exact_means_over_all_layouts(case: dict) -> None:
    analysis = analyse(Position.from_dict(case["position"]))
    answer = case["answer"]
    assert analysis.exact is answer["exact"]
    assert analysis.layouts == answer["layouts"]
    assert analysis.to_move == answer["to_move"]
    assert values(analysis) == pytest.approx(answer["moves"], abs=1e-6)
    assert all(move.stderr == 0 and move.samples == answer["layouts"] for move in analysis.moves)


def test_the_same_seed_gives_the_same_answer_for_any_number_of_threads() -> None:
    position = Position.from_dict(DEFENDER)
    answers = [
        analyse(position, limit=Limit(samples=100), seed=seed, threads=n) for seed, n in ((1, 1), (1, 3), (2, 1))
    ]
    one, three, other = [[vars(move) for move in answer.moves] for answer in answers]
    assert one == three
    assert one != other
    assert not answers[0].exact
    assert answers[0].moves[0].samples == 100


def test_an_estimate_agrees_with_solving_each_layout() -> None:
    position = Position.from_dict(DEFENDER)
    analysis = analyse(position, limit=Limit(samples=16), seed=5)
    layouts = Layouts(position)
    solved = []
    for state in layouts.states(layouts.sample(16, 5)):
        solved.append(values(analyse(Position(position.game, state))))
    for move in analysis.moves:
        results = np.array([found[move.move] for found in solved], dtype=float)
        assert move.value == pytest.approx(results.mean())
        assert move.stderr == pytest.approx(results.std(ddof=1) / 4)
        assert move.wins == pytest.approx(np.mean(results <= 2))
        best = np.array([found[analysis.moves[0].move] for found in solved], dtype=float)
        assert move.loss == pytest.approx((results - best).mean())
        assert move.loss_stderr == pytest.approx((results - best).std(ddof=1) / 4)
        assert move.outcomes == {value: np.mean(results == value) for value in np.unique(results)}


def test_intervals_cover_the_true_mean() -> None:
    """Of 1,000 estimates of one view, 93 to 97 % have the true mean within 1.96 standard errors, for every move."""
    position = Position.from_dict(DEFENDER)
    layouts = Layouts(position)
    every = np.concatenate(list(layouts.enumerate()))
    table = move_table(Solvers(type(position.game)), layouts.rows(every))
    assert (table.codes == table.codes[0]).all()
    order = np.argsort(every[:, 0])  # B's hand tells the layout, since C has the rest
    hands, results = every[order, 0], table.values[order, : table.counts[0]].astype(float)
    covered = np.zeros(results.shape[1])
    for seed in range(1000):
        drawn = results[np.searchsorted(hands, layouts.sample(200, seed)[:, 0])]
        for at, column in enumerate(drawn.T):
            mean, error = mean_and_error(column, np.ones(200))
            covered[at] += abs(mean - results[:, at].mean()) <= 1.96 * error
    assert (covered >= 930).all()
    assert (covered <= 970).all()


def test_precision_stops_when_the_best_is_clear() -> None:
    position = Position.from_dict(DEFENDER)
    seen: list[Analysis] = []
    answer = analyse(position, limit=Limit(samples=4000, precision=0.2), report=seen.append)
    assert answer == seen[-1]
    assert [found.moves[0].samples for found in seen] == [16, 32, 64, 128, 256, 512][: len(seen)]
    assert answer.moves[0].samples < 4000
    for move in answer.moves:
        assert move.loss > 2 * move.loss_stderr or move.loss + 2 * move.loss_stderr <= 0.2


def test_separation_needs_every_other_move() -> None:
    alike, ahead = np.zeros(50), np.ones(50)
    noisy = np.tile([-9.0, 11.4], 25)
    ones = np.ones(50)
    assert Estimate([], np.stack([ahead, alike], 1), ones, 50, False).separated(1, 0)
    assert not Estimate([], np.stack([noisy, ahead], 1), ones, 50, False).separated(-1, 0.5)
    assert Estimate([], np.stack([alike, alike], 1), ones, 50, False).separated(1, 0)


def test_a_time_limit_ends_with_what_there_is() -> None:
    position = Position.from_dict({"game": "sixty_six", "hands": {"A": "SAKQ HAKQ", "B": "?"}, "seat": "A",
                                   "trump": "D", "stock": ["?"] * 11 + ["DA"]})  # fmt: skip
    answer = analyse(position, limit=Limit(time=0.5, samples=100_000))
    assert 0 < answer.moves[0].samples < 100_000
    assert not answer.exact


def test_ctrl_c_ends_with_what_there_is() -> None:
    def interrupt(_: Analysis) -> None:
        raise KeyboardInterrupt

    answer = analyse(Position.from_dict(DEFENDER), limit=Limit(samples=1000), report=interrupt)
    assert answer.moves[0].samples == 16
    assert answer.interrupted


def test_weights_tell_what_bids_and_plays_told() -> None:
    position = Position.from_dict(DEFENDER)
    ace = position.text.read("HA")

    def with_b(state: object) -> float:
        return float(state.hands[1] >> ace & 1)

    weighted = analyse(position, limit=Limit(samples=60), weigh=with_b)
    layouts = Layouts(position)
    chosen = [state for state in layouts.states(layouts.sample(60)) if with_b(state)]
    results = [values(analyse(Position(position.game, state))) for state in chosen]
    for move in weighted.moves:
        assert move.value == pytest.approx(np.mean([found[move.move] for found in results]))
    with pytest.raises(ValueError, match="weight 0"):
        analyse(position, limit=Limit(samples=60), weigh=lambda _: 0.0)


def test_max_n_over_layouts() -> None:
    case = next(case for case in HIDDEN if case["id"].startswith("hidden-atspek-3p"))
    position = Position.from_dict(case["position"])
    answer = analyse(position, objective="max_n")
    layouts = Layouts(position)
    every = np.concatenate(list(layouts.enumerate()))
    solved = [analyse(Position(position.game, state), objective="max_n") for state in layouts.states(every)]
    for move in answer.moves:
        vectors = [next(found.value for found in one.moves if found.move == move.move) for one in solved]
        assert move.value == pytest.approx(np.mean(vectors, axis=0))


def test_a_hand_that_is_unseen_may_be_to_move() -> None:
    position = Position.from_dict({**DEFENDER, "plays": ["DA"]})
    answer = analyse(position, limit=Limit(samples=200))
    assert answer.to_move == "B"
    unseen = {position.text.write(card) for card in solver.cards.each(position.unseen)}
    assert {"DQ", "DJ", "DT", "D9"} < {move.move for move in answer.moves} <= unseen
    assert all(0 < move.samples <= 200 for move in answer.moves)


def test_few_layouts_are_enumerated_unless_fewer_samples_are_asked_for() -> None:
    case = next(case for case in HIDDEN if case["answer"]["layouts"] == 1260)
    position = Position.from_dict(case["position"])
    assert MOST_ENUMERATED >= 1260
    assert analyse(position).exact
    assert not analyse(position, limit=Limit(samples=50)).exact
    assert analyse(position, limit=Limit(samples=1260)).exact


# ---- before the play ----------------------------------------------------------------------------------------------


def test_announcements_of_piramide() -> None:
    position = Position.from_dict({"game": "piramide", "hands": {"A": "SAKQJT9", "B": "?"}, "seat": "A"})
    answer = suggest_bid(position, limit=Limit(samples=50))
    assert len(answer.moves) == 35
    assert answer.best == ["bid 6 S", "bid 6 NT"]
    assert answer.value == 10
    first = answer.moves[0]
    assert (first.wins, first.stderr, first.samples, first.loss) == (1.0, 0.0, 50, 0.0)
    later = pyramid("triangular", 2).later((1, 2, 3, 4, 3, 2, 0))
    assert first.overall == pytest.approx(10 + later)
    assert answer.best_overall == ["bid 6 S", "bid 6 NT"]


def test_the_whole_pyramid_is_worth_more_than_its_parts() -> None:
    for players in (2, 3, 4):
        for table in ("triangular", "linear"):
            known = pyramid(table, players)
            assert 100 < known.later(PYRAMID) < 160
            assert known.later((0,) * 7) == 0
            assert 0 < known.error < 0.5
            alone = [known.later([tricks == bid for tricks in range(7)]) for bid in range(7)]
            assert players == 2 or alone[0] > alone[6]  # with more at the table tricks are scarcer
            assert known.later(PYRAMID) > np.dot(alone, PYRAMID)  # one may choose which to announce
    assert pyramid("triangular", 4).later(PYRAMID) > pyramid("linear", 4).later(PYRAMID)


def test_a_slot_that_is_gone_cannot_be_announced() -> None:
    position = Position.from_dict(
        {"game": "piramide", "hands": {"A": "SAKQJT9", "B": "?"}, "seat": "A", "slots": {"3": 1, "0": 1}}
    )
    answer = suggest_bid(position, limit=Limit(samples=20))
    assert {move.move.split()[1] for move in answer.moves} == {"0", "3"}


def test_trumps_of_atspek() -> None:
    position = Position.from_dict({"game": "atspek", "hands": {"A": "SAK", "B": "?"}, "seat": "A"})
    answer = suggest_trump(position, limit=Limit(samples=20))
    assert (answer.unit, answer.pov, answer.exact) == ("tricks", "A", False)
    assert answer.best == ["trump S"]
    for move in answer.moves:
        assert 0 <= move.wins <= 1
        assert max(0, move.value - 8) <= move.points <= 8
    assert answer.moves[0].points > answer.moves[-1].points


def test_bids_of_antikoziris() -> None:
    position = Position.from_dict(
        {"game": "antikoziris", "hands": {"A": "S9T HT9 D9T C9T", "B": "?", "C": "?"}, "seat": "A"}
    )
    answer = suggest_bid(position, limit=Limit(samples=60))
    told = {move.move: move for move in answer.moves}
    assert set(told) == {"bid 4", "bid 3", "bid 2", "bid 1", "bid 8", "bid 0", "pass"}
    assert told["bid 0"].declarer == pytest.approx(60 * told["bid 0"].wins - 60 * (1 - told["bid 0"].wins))
    assert told["bid 0"].value == pytest.approx(told["bid 0"].declarer)  # nobody can bid over 0
    assert told["bid 0"].trump in tuple("SHDC")
    assert told["bid 8"].wins == 0
    assert (told["pass"].trump, told["pass"].declarer) == (None, None)
    assert told["bid 4"].defenders <= 4


def test_passing_is_worth_what_the_others_go_on_to_score() -> None:
    """The others bid as if they saw all cards: with one layout that is the open auction."""
    position = Position.deal("antikoziris", seed=4)
    search = Declaring(
        position.game, lambda state: np.array([position.game.packed(state, position.game.pov(state))]), 0
    )
    passed = position.copy()
    passed.play("pass")
    opened = analyse(position)
    after = analyse(passed)
    value = next(move.value for move in opened.moves if move.move == "pass")
    assert value == search.outlook(passed.state)[0][0]
    line = position.copy()
    for move in ["pass", *after.line]:
        line.play(move)
    assert line.outcome is not None
    assert line.outcome.score[0] == value


def test_other_phases_are_told_apart() -> None:
    playing = Position.from_dict(DEFENDER)
    with pytest.raises(RuleError, match="nobody is to bid or to announce here: A may ST, HJ"):
        suggest_bid(playing)
    with pytest.raises(RuleError, match="nobody is to name trumps here"):
        suggest_trump(playing)
    naming = Position.from_dict({"game": "atspek", "hands": {"A": "SAK", "B": "?"}, "seat": "A"})
    with pytest.raises(RuleError, match="nobody is to bid"):
        suggest_bid(naming)


# ---- reviews and plots --------------------------------------------------------------------------------------------


def played(seed: int) -> Position:
    position = Position.deal("piramide", 3, seed=seed)
    random = Random(seed)
    while position.actor is not None:
        position.play(random.choice(position.legal_moves))
    return position


def test_a_review_names_what_was_lost() -> None:
    position = played(3)
    slips = review(position, limit=Limit(samples=20))
    assert any(slip.loss for slip in slips)
    for slip in slips:
        before = position.before(slip.number)  # the announcement is move number 0
        assert position.plays[slip.number] == slip.move
        opened = analyse(before)
        assert slip.loss == opened.loss(slip.move)
        assert slip.best == opened.best
        known = analyse(before.observe(slip.seat), limit=Limit(samples=20))
        assert slip.known_loss == known.loss(slip.move)
    named = {slip.number for slip in slips}
    for at in set(range(1, len(position.plays))) - named:
        assert analyse(position.before(at)).loss(position.plays[at]) == 0


def test_a_review_needs_an_open_deal_with_plays() -> None:
    with pytest.raises(RuleError, match="all cards open"):
        review(played(3).observe("A"))
    with pytest.raises(RuleError, match="nothing to review"):
        review(Position.deal("piramide", seed=1))


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_plots_are_written(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"results.{kind}"
    plot(analyse(Position.from_dict(DEFENDER), limit=Limit(samples=20)), path)
    assert path.stat().st_size > 1000
    with pytest.raises(RuleError, match="cannot be written"):
        plot(analyse(Position.from_dict(DEFENDER), limit=Limit(samples=20)), tmp_path / "results.doc")
    with pytest.raises(RuleError, match="nothing to draw"):
        plot(analyse(played(3).before(1)), path)


def test_two_threads_may_ask_at_once() -> None:
    position = Position.from_dict(DEFENDER)
    expected = values(analyse(position, limit=Limit(samples=64)))
    found: list[dict[str, object]] = []
    threads = [
        threading.Thread(target=lambda: found.append(values(analyse(position, limit=Limit(samples=64)))))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_moves_of_an_unseen_hand_that_share_no_layout_have_no_loss() -> None:
    position = Position.from_dict({**DEFENDER, "plays": ["DA"]})
    answer = analyse(position, limit=Limit(samples=16), seed=3)
    lonely = [move for move in answer.moves if move.samples == 1]
    assert lonely
    assert all(move.stderr is None for move in lonely)
    assert any(move.loss is None for move in answer.moves)
    json.dumps(answer.to_dict(), allow_nan=False)
    assert answer.samples == 16


def test_a_claim_is_advised_only_when_it_is_certain() -> None:
    facts = {
        "game": "sixty_six", "trump": "S", "claims": True, "stock": [], "leader": "A", "won": {"A": 2, "B": 2},
        "hands": {"A": "DA H9", "B": "? ?"}, "seat": "A", "gone": "HATKQJ DTKQJ9 CATKQ",
    }  # fmt: skip
    certain = analyse(Position.from_dict({**facts, "points": {"A": 66, "B": 20}}))
    assert certain.best[-1] == "claim"
    assert values(certain)["claim"] == 2
    assert all(move.samples == certain.layouts for move in certain.moves)
    early = analyse(Position.from_dict({**facts, "points": {"A": 65, "B": 20}}))
    assert values(early)["claim"] == -1
    assert "claim" not in early.best
    opened = Position.from_dict(
        {**facts, "points": {"A": 66, "B": 20}, "hands": {"A": "DA H9", "B": "SA ST"}, "gone": ""}
    )
    assert analyse(opened).best == ["claim"]
    assert analyse(opened).line == ["claim"]
