"""The benchmark suite: `python -m bench --help` says what it does."""
