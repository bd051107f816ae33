"""Builds the kernels: one extension `solver._NAME` for every `src_ext/_NAME.pyx`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCES = Path("src_ext")
DEBUG = os.environ.get("SOLVER_DEBUG") == "1"
CORES = os.cpu_count() or 1


def compile_args() -> list[str]:
    if sys.platform == "win32":
        return ["/O2"]
    return ["-O1", "-g", "-DSOLVER_DEBUG=1"] if DEBUG else ["-O3"]


def extensions() -> list[Extension]:
    kernels = sorted(SOURCES.glob("_*.pyx"))
    if not kernels:
        raise SystemExit(f"no kernels in {SOURCES.resolve()}: expected _NAME.pyx files; is the archive complete?")
    shared = [str(path) for pattern in ("*.pxi", "*.h") for path in sorted(SOURCES.glob(pattern))]
    return [
        Extension(
            f"solver.{kernel.stem}",
            [str(kernel)],
            include_dirs=[str(SOURCES)],
            depends=shared,
            extra_compile_args=compile_args(),
        )
        for kernel in kernels
    ]


setup(
    ext_modules=cythonize(
        extensions(),
        include_path=[str(SOURCES)],
        build_dir="build/cython-debug" if DEBUG else "build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": DEBUG,
        },
    ),
    options={"build_ext": {"parallel": CORES}},
)
