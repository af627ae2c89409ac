"""Persona folders that a test can modify."""

from pathlib import Path

ANY = "description: A test.\ntools: ['*']"


def make(folder: Path, settings: str = ANY, instructions: str = "Be kind.") -> Path:
    """Creates a folder with the files of a persona."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "persona.yaml").write_text(settings)
    (folder / "instructions.md").write_text(instructions)
    return folder
