"""Search by words: BM25 over SQLite's index of stems.

BM25 reads every entry with any of the words, and a word in a fifth of 100,000 entries would cost 40 ms while it says
next to nothing about which is meant. So rare words are searched first, and common ones only while the sum of entries
stays small: the "common terms" rule of Lucene's `CommonTermsQuery`.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Sequence

from reachy_agent_ros.agent.memory.entry import Kind

MOST_MATCHES = 3000
"""Entries that may be scored for one query."""

_MOST_WORDS = 32
_GREATEST_GAIN = 2.2  # k1 + 1 of SQLite's BM25: what a word adds at most, times its rarity
_SAYING_NOTHING = (
    "a about am an and any are as at be been but by can could did do does for from had has have he her him his how i "
    "if in into is it its me my of on or our she should so than that the their them then there they this to us was we "
    "were what when where which who whom whose why will with would you your"
)
_EMPTY = frozenset(_SAYING_NOTHING.split())


def search_words(
    connection: sqlite3.Connection, query: str, kinds: Sequence[Kind], total: int, limit: int
) -> dict[int, float]:
    """Entries with the query's words: their numbers, and their scores as shares of the greatest possible, 0 to 1.

    Args:
        connection: To the file.
        query: Any text.
        kinds: Sorts of entries to look at.
        total: Number of all entries; the file would have to be read to count them.
        limit: Entries at most.
    """
    words = list(dict.fromkeys(re.findall(r"\w+", query.casefold())))
    words = [word for word in words if word not in _EMPTY][:_MOST_WORDS] or words[:_MOST_WORDS]
    counts = {word: count for word in words if (count := _count(connection, word))}
    searched = _rare_first(counts)
    if not searched:
        return {}
    greatest = sum(_GREATEST_GAIN * _rarity(count, total) for count in counts.values())
    rows = connection.execute(
        "SELECT entries.id, -rank FROM words JOIN entries ON entries.id = words.rowid "
        "WHERE words MATCH ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY rank LIMIT ?",
        (" OR ".join(f'"{word}"' for word in searched), json.dumps(kinds), limit),
    )
    return {identity: min(1.0, score / greatest) for identity, score in rows}


def _count(connection: sqlite3.Connection, word: str) -> int:
    """Entries with a word, counted no further than matters."""
    counted = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
    count: int = connection.execute(counted, (f'"{word}"', MOST_MATCHES + 1)).fetchone()[0]
    return count


def _rare_first(counts: dict[str, int]) -> list[str]:
    searched, matches = [], 0
    for word, count in sorted(counts.items(), key=lambda item: item[1]):
        matches += count
        if matches > MOST_MATCHES:
            break
        searched.append(word)
    return searched


def _rarity(count: int, total: int) -> float:
    return max(1e-6, math.log((total - count + 0.5) / (count + 0.5)))  # SQLite's own, with its own floor
