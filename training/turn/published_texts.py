"""Published texts with free licenses, which are cloned for training and never committed: prompts and novels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from training.turn.sentence import Sentence

PROMPTS = "piper-recording-studio"
"""Folder with prompts for voice recordings, in six languages (MIT)."""

LOCALES = ("en-US", "en-GB", "de-DE", "fr-FR", "es-ES", "es-MX", "it-IT", "pt-BR", "pt-PT")

HELD_OUT = "Chat"
"""Kind of prompts that the evaluation uses."""

PER_BOOK = 2_000
"""Maximum number of sentences of each book."""

BOOKS = {
    "Pride-and-Prejudice_1342": ("en", "1342.txt", "utf-8"),
    "The-Adventures-of-Sherlock-Holmes_1661": ("en", "1661.txt", "utf-8"),
    "Great-Expectations_1400": ("en", "1400.txt", "utf-8"),
    "Treasure-Island_120": ("en", "120.txt", "utf-8"),
    "Die-Verwandlung_22367": ("de", "22367-8.txt", "latin-1"),
    "Candide_4650": ("fr", "4650-8.txt", "latin-1"),
    "Don-Quijote_2000": ("es", "2000-8.txt", "latin-1"),
}
"""Novels of Project Gutenberg (public domain): language, file and encoding, by the name of the repository."""

_BOOK = re.compile(r"\*\*\* ?START.*?\*\*\*(.*)\*\*\* ?END", re.DOTALL)
"""Text of a book between the notices of its publisher."""

_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"[^.!?]+[.!?]+")
_ABBREVIATED = re.compile(r"\b(?:Mrs?|Dr|St|Esq|No|[A-Z])\.$")
_NO_WORD = re.compile(r"[\"_*\u201c\u201d\u00ab\u00bb\[\]()]|--")


def published_sentences(folder: Path) -> Iterator[Sentence]:
    """Yields the sentences of all texts. The author is the book, or the kind of prompt.

    Args:
        folder: Folder with the clones, each with the name of its repository.

    Raises:
        FileNotFoundError: A clone is missing.
    """
    for locale in LOCALES:
        (found,) = (folder / PROMPTS / "prompts").glob(f"*_{locale}")
        for path in sorted(found.glob("*.txt")):
            kind = path.stem.rpartition("_")[2]
            if kind != HELD_OUT:
                yield from prompts(path, locale[:2], kind)
    for book, (language, name, encoding) in BOOKS.items():
        yield from _novel((folder / book / name).read_text(encoding=encoding, errors="replace"), language, book)


def prompts(path: Path, language: str, author: str) -> Iterator[Sentence]:
    """Yields the prompts of a file: a number, a tab and a sentence in each line."""
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        _, _, text = line.partition("\t")
        if text.strip():
            yield Sentence(language, author, text.strip())


def _novel(text: str, language: str, book: str) -> Iterator[Sentence]:
    """Yields sentences, evenly distributed over the book."""
    book_text = _BOOK.search(text)
    found = [
        " ".join(_NO_WORD.sub(" ", sentence).split())
        for paragraph in _PARAGRAPH.split(book_text[1] if book_text else text)
        for sentence in _sentences(paragraph)
    ]
    for sentence in found[:: max(1, len(found) // PER_BOOK)]:
        if len(sentence.split()) >= 2 and not sentence.isupper():
            yield Sentence(language, book, sentence)


def _sentences(paragraph: str) -> Iterator[str]:
    pending = ""
    for part in _SENTENCE.findall(paragraph):
        pending += part
        if _ABBREVIATED.search(pending) is None:
            yield pending
            pending = ""
