"""Prints the packages of the source, their imports and the number of imports; called by `scripts/structure`."""

from __future__ import annotations

import argparse
import json
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import grimp

ROOT = "reachy_agent_ros"


def main() -> None:
    """Prints a table, or one JSON object with the option `--json`."""
    parser = argparse.ArgumentParser(prog="scripts/structure", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--files", action="store_true", help="also print the imports of each file")
    options = parser.parse_args()
    graph = grimp.build_graph(ROOT, cache_dir=None)
    arrows = [(importer, imported) for importer in graph.modules for imported in _imports(graph, importer)]
    packages = _packages(graph, arrows)
    if options.json:
        print(json.dumps({"packages": packages, **_totals(graph, arrows)}))
        return
    for name, package in packages.items():
        imports = ", ".join(f"{other} {count}" for other, count in package["imports"].items()) or "no other package"
        print(f"{name:16} {package['files']:4} files  {package['lines']:6} lines  imports {imports}")
    print()
    for name, value in _totals(graph, arrows).items():
        print(f"{name.replace('_', ' '):24} {value}")
    if options.files:
        print()
        for importer, imported in sorted(arrows):
            print(f"{importer} -> {imported}")


def _imports(graph: grimp.ImportGraph, module: str) -> set[str]:
    return graph.find_modules_directly_imported_by(module)


def _packages(graph: grimp.ImportGraph, arrows: list[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """Returns the files, the lines, and the imports of other packages, for each package.

    The packages are sorted by decreasing number of files.
    """
    files: dict[str, list[int]] = {}
    for module in graph.modules:
        files.setdefault(_package(module), []).append(_lines(module))
    imports: dict[str, Counter[str]] = {name: Counter() for name in files}
    for importer, imported in arrows:
        if _package(importer) != _package(imported):
            imports[_package(importer)][_package(imported)] += 1
    return {
        name: {"files": len(lines), "lines": sum(lines), "imports": dict(imports[name].most_common())}
        for name, lines in sorted(files.items(), key=lambda item: -len(item[1]))
    }


def _totals(graph: grimp.ImportGraph, arrows: list[tuple[str, str]]) -> dict[str, Any]:
    lines = [_lines(module) for module in graph.modules]
    return {
        "files": len(lines),
        "lines": sum(lines),
        "median_lines": statistics.median(lines),
        "longest_lines": max(lines),
        "imports_between_files": len(arrows),
    }


def _package(module: str) -> str:
    """Returns the package of a module: the first folder below the root, or the root itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ROOT


def _lines(module: str) -> int:
    path = Path(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(file.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    main()
