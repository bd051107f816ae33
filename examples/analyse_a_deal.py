"""Deal, look through a seat's eyes, play a few cards, and ask what was best."""

import solver

position = solver.Position.deal("piramide", players=3, seed=2026)
print(position)

position.play("bid 3 H")
position.play(position.legal_moves[0])
print("B sees:", position.observe("B").to_text())

analysis = solver.analyse(position)
best = " or ".join(analysis.best)
print(f"{analysis.to_move} should play {best}: {analysis.value} {analysis.unit} for {analysis.pov}")
for move in analysis.moves:
    print(f"  {move.move:4} {move.value:3}")
