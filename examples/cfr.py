"""Small deals of every game solved by OpenSpiel: how much somebody could still gain against the policy found by CFR+.

OpenSpiel's solvers in C++ would ask Python at every node of every iteration. So the game, as Python has it, is written
down once, in Gambit's format for game trees.
"""

from collections.abc import Iterator
from itertools import count

import pyspiel

import solver.adapters.openspiel  # noqa: F401  # makes the games known to OpenSpiel

GAMES = [
    "kirtis_antikoziris(hand=2,pack=SAKHAKDAK,contract=A1H)",
    "kirtis_atspek(hand=1,piles=1,pack=SAKHAKDAK,contract=S)",
    "kirtis_piramide(hand=2,pack=SAKHAKDA,contract=1S)",
    "kirtis_sixty_six(hand=2,pack=SKQHAK,contract=S)",
    "kirtis_velnio_tuzinas(hand=2,pack=SAKHAKD2,contract=S)",
]


def tree(game: pyspiel.Game) -> str:
    """The whole game, a line for each node: what may be done there, by whom, and what he cannot tell it from."""
    numbers = count(1)
    known: list[dict[str, int]] = [{} for _ in range(game.num_players())]

    def lines(state: pyspiel.State) -> Iterator[str]:
        player, actions = state.current_player(), state.legal_actions()
        if state.is_terminal():
            yield f't "" {next(numbers)} "" {{ {" ".join(map(str, state.returns()))} }}'
        elif state.is_chance_node():
            branches = " ".join(f'"{action}" {chance:.16f}' for action, chance in state.chance_outcomes())
            yield f'c "" {next(numbers)} "" {{ {branches} }} 0'
        else:
            number = known[player].setdefault(state.information_state_string(), len(known[player]) + 1)
            branches = " ".join(f'"{action}"' for action in actions)
            yield f'p "" {player + 1} {number} "" {{ {branches} }} 0'
        for action in actions:
            yield from lines(state.child(action))

    names = " ".join(f'"{player}"' for player in range(game.num_players()))
    return "\n".join([f'EFG 2 R "" {{ {names} }}', *lines(game.new_initial_state())])


for name in GAMES:
    game = pyspiel.load_efg_game(tree(pyspiel.load_game(name)))
    cfr = pyspiel.CFRPlusSolver(game)
    gains = [pyspiel.nash_conv(game, cfr.average_policy())]  # of playing anything
    for _ in range(30):
        cfr.evaluate_and_update_policy()
    policy = cfr.average_policy()
    gains.append(pyspiel.nash_conv(game, policy))
    worth = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    print(f"{name}\n  to be gained {gains[0]:.3f}, after CFR+ {gains[1]:.5f}; the deal is worth {worth:+.3f} to A")
