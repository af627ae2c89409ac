"""Memory with 100,000 entries: recall@5, and the time and disk space of recall, storage and deletion.

The questions are `memory_questions.tsv`, the other entries `memory_distractors.py`. Run `reachy-agent bench memory`. It
takes two minutes and 150 MB of disk, with `--full` three minutes for more entries embedded with the model itself.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.memory_distractors import distractors, memory, vectors_of
from bench.report import Figure, percentile, print_report
from reachy_agent_ros.agent.memory.embedder import Vectors
from reachy_agent_ros.agent.memory.entry import ALL_KINDS, EntryKind, MemoryEntry
from reachy_agent_ros.agent.memory.entry_table import EntryTable
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.search import search_words
from reachy_agent_ros.core.embedding import SentenceEmbedder

ENTRIES = 100_000
REAL, SHORT_REAL = 6000, 2000  # entries embedded with the model
BATCH = 10_000
FOUND_AMONG = 5
CANDIDATES = 50
RANK_OFFSET = 60  # of reciprocal rank fusion, by its authors (Cormack, Clarke and Büttcher, 2009)

QUESTIONS = Path(__file__).with_name("memory_questions.tsv")


def main(as_json: bool, full: bool = False) -> int:
    """Fills a memory and measures it. Always returns exit code 0."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        print_report("memory", list(figures(path, REAL if full else SHORT_REAL)), as_json)
    return 0


class Question(NamedTuple):
    """Question in everyday words, a paraphrase that shares no word with the answer, and the entry with the answer."""

    plain: str
    estranged: str
    answer: MemoryEntry


class Prepared:
    """Embedder that reuses precomputed vectors of known texts, so that only the rest of the memory is timed."""

    def __init__(self) -> None:
        self.model = SentenceEmbedder()
        self.known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns unit vectors, shape [n, 384]."""
        missing = list(dict.fromkeys(text for text in texts if text not in self.known))
        if missing:
            self.known |= zip(missing, self.model.embed(missing), strict=True)
        return np.array([self.known[text] for text in texts])


def figures(path: Path, real: int) -> Iterator[Figure]:
    """Measures all figures with one memory.

    Args:
        path: Path of the memory.
        real: Number of entries to embed with the model; the others get mixtures of these vectors.
    """
    embedder = Prepared()
    store = Memory(path, embedder)
    questions = fill(store, embedder, real)
    yield Figure("entries", len(store), "")
    yield Figure("entries whose vector is the model's own", real, "")
    yield Figure("questions", len(questions), "")
    yield from found(store, questions, path, embedder)
    yield from times(store, questions, embedder)
    store.close()
    yield from opening(path, embedder)


def fill(store: Memory, embedder: Prepared, real: int) -> list[Question]:
    """Stores the entries that answer the questions, together with all other entries. Returns the questions."""
    lines = [line for line in QUESTIONS.read_text().splitlines() if not line.startswith("#")]
    rows = [line.split("\t") for line in lines]
    answers = [memory(EntryKind(kind), text, f"answer {number}") for number, (kind, text, _, _) in enumerate(rows)]
    others = distractors(ENTRIES - len(answers))
    vectors = vectors_of(others, embedder.model, real)
    embedder.known |= zip((entry.sentence for _, entry in others), vectors, strict=True)
    entries = [entry for _, entry in others]
    for start in range(0, len(entries), BATCH):
        store.remember(*entries[start : start + BATCH])
    stored = {entry.source: entry for entry in store.remember(*answers)}
    return [Question(row[2], row[3], stored[answer.source]) for row, answer in zip(rows, answers, strict=True)]


def found(store: Memory, questions: Sequence[Question], path: Path, embedder: Prepared) -> Iterator[Figure]:
    """Measures recall@5 (the fraction of questions with the answer in the first five results) of each search method."""
    with closing(sqlite3.connect(path)) as connection:
        search = Alone(connection, embedder)
        ways: dict[str, Callable[[str], Sequence[int | None]]] = {
            "words and meaning": lambda text: [one.entry.identity for one in store.recall(text, limit=FOUND_AMONG)],
            "words alone": search.by_words,
            "meaning alone": search.by_meaning,
            "reciprocal rank fusion": search.fused,
        }
        for wording, asked in (("as people ask", "plain"), ("no word in common", "estranged")):
            for name, way in ways.items():
                hits = [one.answer.identity in way(getattr(one, asked))[:FOUND_AMONG] for one in questions]
                bar = 0.95 if (name, asked) == ("words and meaning", "plain") else None
                yield Figure(f"{wording}: recall@5, {name}", sum(hits) / len(hits), "", bar, at_least=True)


class Alone:
    """The search methods of the memory, each used alone, and their combination by reciprocal rank fusion."""

    def __init__(self, connection: sqlite3.Connection, embedder: Prepared) -> None:
        self._connection = connection
        self._embedder = embedder
        table = EntryTable(connection)
        self._identities, self._vectors = table.vectors(table.identities().tolist())

    def by_words(self, text: str) -> list[int]:
        """Returns the numbers of the entries that full-text search finds, best match first."""
        scores = search_words(self._connection, text, ALL_KINDS, len(self._identities), CANDIDATES)
        return sorted(scores, key=lambda one: scores[one], reverse=True)

    def by_meaning(self, text: str) -> list[int]:
        """Returns the numbers of the entries that exhaustive vector search finds, nearest first."""
        order = np.argsort(-(self._vectors @ self._embedder.embed([text])[0]))[:CANDIDATES]
        return [self._identities[place] for place in order]

    def fused(self, text: str) -> list[int]:
        """Returns the numbers of the entries in the order of reciprocal rank fusion, best match first."""
        scores: dict[int, float] = {}
        for order in (self.by_words(text), self.by_meaning(text)):
            for rank, one in enumerate(order, 1):
                scores[one] = scores.get(one, 0.0) + 1.0 / (RANK_OFFSET + rank)
        return sorted(scores, key=lambda one: scores[one], reverse=True)


def times(store: Memory, questions: Sequence[Question], embedder: Prepared) -> Iterator[Figure]:
    """Measures the time of recall, storage and deletion."""
    texts = [text for question in questions for text in (question.plain, question.estranged)]
    embedder.embed(texts)
    walls, cpus = zip(*(_timed(partial(store.recall, text)) for text in texts), strict=True)
    embeddings = [_timed(partial(embedder.model.embed, [text]))[1] for text in texts]
    for text in texts:
        del embedder.known[text]
    whole_walls, whole_cpus = zip(*(_timed(partial(store.recall, text)) for text in texts), strict=True)
    yield Figure("recall without the question's vector, p95", percentile(walls, 95), "ms")
    yield Figure("recall without the question's vector, median", statistics.median(walls), "ms")
    yield Figure("recall without the question's vector, CPU time, p95", percentile(cpus, 95), "ms")
    yield Figure("the question's vector, CPU time, p95", percentile(embeddings, 95), "ms")
    yield Figure("recall with the question's vector, p95", percentile(whole_walls, 95), "ms", 25.0)
    yield Figure("recall with the question's vector, CPU time, p95", percentile(whole_cpus, 95), "ms", 25.0)
    episodes = [
        MemoryEntry(EntryKind.EPISODE, f"Timed for the {number}th time.", source="timing") for number in range(20)
    ]
    writes = [_timed(partial(store.remember, episode))[0] for episode in episodes]
    yield Figure("one more entry, on disk, median", statistics.median(writes), "ms")
    identities = [entry.identity for entry in store.entries(limit=5) if entry.identity is not None]
    erasures = [_timed(partial(store.forget, [one]))[0] for one in identities]
    yield Figure("one entry forgotten and erased, median", statistics.median(erasures), "ms")


def opening(path: Path, embedder: Prepared) -> Iterator[Figure]:
    """Measures the time to open the database with all entries, the first recall, and the size of the file."""
    started = time.perf_counter()
    with closing(Memory(path, embedder)) as store:
        yield Figure("file checked and opened", 1e3 * (time.perf_counter() - started), "ms")
        yield Figure("first recall, which reads every vector", _timed(partial(store.recall, "tea"))[0], "ms")
    yield Figure("file", path.stat().st_size / 1e6, "MB")


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Returns the wall time and the CPU time (ms) of a call of `work`."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return 1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)
