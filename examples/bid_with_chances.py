"""A hand that one holds, the others unseen: what each bid is worth, and how likely it is made."""

import solver

hands = {"A": "S9 HKJ DQT9 CJ9", "B": "?", "C": "?"}
position = solver.Position.from_dict({"game": "antikoziris", "seat": "A", "hands": hands})

advice = solver.suggest_bid(position, limit=solver.Limit(samples=300), seed=1)
print(f"Best is {' or '.join(advice.best)}, by {advice.samples} of {advice.layouts:,} layouts of the unseen cards.")
print("bid    score ± error  made in  with anti-trumps")
for bid in advice.moves:
    chances = "" if bid.wins is None else f"  {bid.wins:7.0%}  {bid.trump}"
    print(f"{bid.move:5}  {bid.value:5.1f} ± {bid.stderr:5.1f}{chances}")
