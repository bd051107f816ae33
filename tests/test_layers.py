"""Imports go one way: the syntax trees of the package, read but not run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import solver

PACKAGE = Path(solver.__file__).parent
ORDER = [
    "cards",
    "pyramid",
    "game",
    "trick",
    "games",
    "notation",
    "position",
    "files",
    "sampling",
    "reference",
    "search",
    "estimate",
    "declaring",
    "analysis",
    "review",
    "novice",
    "experience",
    "inference",
    "logit",
    "policy_sixty_six",
    "policy",
    "judgement",
    "utility",
    "players",
    "match",
    "tournament",
    "adapters",
    "session",
    "language",
    "display",
    "plot",
    "terminal",
    "cli_match",
    "cli_play",
    "cli",
]
"""A module imports only what stands above it here; `games` and `adapters` are those of the folders."""
SHARED = ("games._", "adapters.deals", "adapters.encoding", "adapters.histories", "adapters.openspiel")
"""What others in their folder may import."""
KERNELS_IN = {"search", "sampling"}
"""The only modules that import compiled ones."""
DYNAMIC_IN = {"game", "search", "players"}
"""The only modules that import by a name made at run time: the registry, kernels by the name of their family, and
players of other libraries."""

MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
    for path in sorted(PACKAGE.glob("**/*.py"))
    if path.name != "__init__.py"
}
COMPILED = {path.name.split(".")[0] for path in PACKAGE.glob("_*") if path.suffix in (".so", ".pyd", ".pyi")}


def imported(module: str, tree: ast.AST) -> Iterator[str]:
    """The modules of the package that one imports, by their names inside it, such as `cards` or `games.plain`."""
    folder = module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "solver":
                    yield alias.name.partition(".")[2]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = folder[: len(folder) - node.level + 1]
                path = base + (node.module.split(".") if node.module else [])
            elif node.module and node.module.split(".")[0] == "solver":
                path = node.module.split(".")[1:]
            else:
                continue
            known = ".".join(path)
            if known and (known in MODULES or path[0] in COMPILED):
                yield known
            else:
                yield from (".".join([*path, alias.name]) for alias in node.names)


def place(module: str) -> int:
    return ORDER.index(module.split(".", maxsplit=1)[0])


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_its_place(module: str) -> None:
    assert module.split(".", maxsplit=1)[0] in ORDER, f"say in ORDER, in this file, what {module} may import"


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module: str) -> None:
    for other in imported(module, MODULES[module]):
        if other.split(".")[0] in COMPILED:
            assert module in KERNELS_IN, f"{module} imports the compiled {other}"
        elif place(other) == place(module):
            assert other.startswith(SHARED), f"{module} imports {other}"
        else:
            assert place(other) < place(module), f"{module} imports {other}"


@pytest.mark.parametrize("module", MODULES)
def test_no_imports_by_made_up_names(module: str) -> None:
    calls = [
        ast.unparse(node)
        for node in ast.walk(MODULES[module])
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__")
    ]
    assert not calls or module in DYNAMIC_IN, calls


def test_the_list_is_not_longer_than_the_package() -> None:
    assert set(ORDER) == {module.split(".")[0] for module in MODULES}


def test_imports_are_found() -> None:
    """Guards the tests above."""
    assert set(imported("games.plain", MODULES["games.plain"])) == {"cards", "game", "games._hands_only"}
    assert {"cards", "game", "_layouts"} <= set(imported("sampling", MODULES["sampling"]))
    assert set(imported("x", ast.parse("import solver.cards\nfrom solver import game\nfrom . import trick"))) == {
        "cards",
        "game",
        "trick",
    }
    assert {"_plain", "_atspek", "_sixty_six", "_velnio_tuzinas", "_layouts"} <= COMPILED
