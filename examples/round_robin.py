"""A tournament: every pair of players on the same cards from every seat, so that good cards favour nobody."""

import solver

plan = solver.tournament.plan("sixty_six", ["random", "novice", "club:samples=3"], size=20, seed=1)
table = solver.tournament.run(plan)

print(table)
for meeting in table.meetings:
    lead = meeting.lead
    interval = f"95 % [{lead.low:+.2f}, {lead.high:+.2f}]"
    print(f"{meeting.first} against {meeting.second}: lead {lead.mean:+.2f} eyes a deal, {interval}")
