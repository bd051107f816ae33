"""The games, one readable file each: deal, phases, legal moves, scoring, and what a seat can see."""
