"""The catalogs that ship with the project: a document store with its sample data, and two unrelated indices."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def names() -> tuple[str, ...]:
    """The names of the catalogs, in alphabetical order."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.yaml")))


def path(name: str) -> Path:
    """The YAML file of a catalog. Raises KeyError for a name that is none of `names()`."""
    return _existing(name, _FOLDER / f"{name}.yaml")


def mapping_path(name: str) -> Path:
    """The index body (JSON) that the catalog speaks of. Raises KeyError as `path` does."""
    return _existing(name, _FOLDER / name / "mapping.json")


def documents_path(name: str) -> Path:
    """The sample documents (gzipped, one JSON object a line). Raises KeyError where the catalog comes without any."""
    return _existing(name, _FOLDER / name / "documents.ndjson.gz")


def _existing(name: str, file: Path) -> Path:
    if not file.is_file():
        raise KeyError(f"no {file.name} for '{name}'; the catalogs are {', '.join(names())}")
    return file
