"""kirtis: a solver and analysis engine for trick-taking games."""
