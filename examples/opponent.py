"""The engine as an opponent in a program of one's own: it sees what its seat may see, and answers with a move."""

import solver


def ask_the_user(seen: solver.Position) -> str:
    """The program would show what its user sees, and read his move; here he plays the last card he may."""
    print(seen)
    return seen.legal_moves[-1]


engine = solver.players.create("expert", seed=1)
table = solver.Position.deal("sixty_six", seed=66)
while table.actor is not None:
    choose = ask_the_user if table.actor == 0 else engine.choose
    move = choose(table.observe(table.actor))
    print("AB"[table.actor], "plays", move)
    table.play(move)

result = table.outcome
assert result is not None
print("eyes covered:", dict(zip("AB", result.score, strict=True)))
