"""Distractors for the memory benchmark: 100,000 entries from templates, which are the same in every run.

Their subjects are those of the questions: other people's birthdays, pets, jobs and tastes, other tasks, notes and
rules. Embedding all of them would take 15 minutes, so the model embeds some thousands. Each other entry gets a unit
vector between two of those of its own template, with added noise: as near to the questions as its template is, but not
the exact vector of its text. Every text is a real sentence, which matters for full-text search.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np

from reachy_agent_ros.agent.memory.embedder import Embedder, Vectors
from reachy_agent_ros.agent.memory.entry import EntryKind, MemoryEntry

SEED = 5
MIXED_SHARES = (0.3, 0.7)
NOISE = 0.25
"""Length of the noise added to a mixture before normalization."""

_WORDS = """
who: Abel Bianca Cedric Dalia Edgar Farida Gustav Hanna Igor Jasmin Kasper Leonor Milan Nadia Otto Paula Quentin Rita
kin: cousin uncle colleague neighbor flatmate teacher boss godmother trainer friend niece stepson
month: January February March April May June July August September October November December
day: Monday Tuesday Wednesday Thursday Friday Saturday Sunday
city: Oslo Lyon Porto Leeds Turin Malmo Krakow Seville Bremen Tampere Split Aarhus Nantes Genoa Riga
pet: parrot hamster spaniel gecko rabbit goldfish poodle canary ferret kitten beagle mouse
food: lasagne risotto ramen moussaka falafel pancakes dumplings trout couscous chili pretzels pavlova
color: scarlet olive ivory violet amber navy maroon beige teal magenta silver indigo
job: baker surveyor nurse pilot notary florist plumber translator chemist joiner editor optician
thing: kettle vacuum drill blender scanner bicycle heater projector lawnmower tablet sewing-machine radio
place: attic cellar garage hallway shed balcony kitchen study pantry wardrobe office porch
game: dominoes backgammon charades bingo poker draughts hangman dice snooker darts rummy skat
move: nod bow shrug spin stretch wink curtsy shake tilt sway twirl salute
sport: judo rowing fencing tennis archery squash skating surfing hockey yoga boxing golf
music: cello oboe banjo harp trumpet flute drums clarinet accordion organ ukulele tuba
part: gearbox antenna charger hinge speaker bracket sensor cable fan switch spring battery
"""
_SLOTS = {name: words.split() for name, words in (line.split(": ") for line in _WORDS.strip().splitlines())}

_TEMPLATES = {
    # Facts about others are notes here: a profile has one value per key, and fewer keys.
    EntryKind.NOTE: (
        "{who}'s birthday: {n} {month}",
        "{kin} {who}'s pet: a {color} {pet} from {city}",
        "{kin} {who}'s job: {job} in {city}, since {year}",
        "what {kin} {who} likes to eat: {food}, {n} pieces at most",
        "{kin} {who}'s favorite color: {color}, for the {thing} too",
        "{who}'s sport: {sport} on {day} at {hour}",
        "{kin} {who}'s instrument: the {music}, for {n} years",
        "{kin} {who}'s home: flat {n} in {city}, {year}",
        "{who}'s allergy: {food} from {city}, found in {month} {year}",
        "{kin} {who}'s {thing}: bought in {city} in {month} {year}",
        "{who}'s doctor: Dr {other} in {city}, room {n}",
        "{kin} {who}'s holiday: {n} days in {city} in {month}",
        "{who}'s bedtime: {hour} on {day}",
        "{kin} {who}'s car: a {color} one from {year}",
        "{who}'s teacher of {music}: {other}, {n} euros a lesson",
        "{kin} {who}'s dream: to see {city} in {month} by {year}",
        "The {color} key of the {place} hangs behind the {thing}, hook {n}.",
        "Clean the {thing} in the {place} every {n} weeks, with {color} soap.",
        "{who}'s recipe for {food}: {n} minutes, then rest until {day}.",
        "The {part} of the {thing} comes from {city}; order {n} in {month}.",
        "On {day} {who} brings {food} for {n} people.",
        "Before {month} take the {thing} out of the {place}, says {who}.",
        "The club for {sport} meets in {city} on {day} at {hour}, {n} members.",
    ),
    EntryKind.EPISODE: (
        "Counted {n} {pet}s in the {place} with {who} on {day}.",
        "{who} asked for a {move} {n} times; done in the {place}.",
        "Played {game} with {who} and {other}; {who} won {n} to nothing.",
        "Looked for the {color} {thing}; {who} found it in the {place}.",
        "Set a timer of {n} minutes for {who}'s {food}.",
        "Took {n} pictures of {who}'s {thing} in the {place}.",
        "{who} told of a trip to {city} in {month} {year} with {other}.",
        "Read a story about a {color} {pet} from {city} to {who}.",
        "The {thing} of {who} broke in the {place}; {other} repaired it on {day}.",
        "Reminded {who} to call {other} about the {part} at {hour}.",
        "Searched the web for {food} in {city} for {who}; {n} results.",
        "Followed {who}'s face for {n} seconds in the {place}.",
        "{who} and {other} chose {food} over {game} on {day}, {n} {month}.",
        "Practiced the {music} with {who} for {n} minutes in {month}.",
    ),
    EntryKind.DOCUMENT: (
        "The {part} of model {year} endures {n} newton meters.",
        "Replace the {color} {part} after {n} hours of use, or in {month} {year}.",
        "Orders of a {thing} from {city} are delivered within {n} days, but not on {day}.",
        "Rule {n} of {year}: no {pet}s in the {place} after {hour}.",
        "Fee for {sport} in {city}: {n} euros, from {month} on.",
        "Section {n}: the {part} and the {thing} stay in the {place} until {hour}.",
        "The class in {music} of {city} takes {n} pupils each {month}, {year}.",
    ),
}


def distractors(count: int) -> list[tuple[int, MemoryEntry]]:
    """Returns `count` different entries, each with the number of its template."""
    dice = random.Random(SEED)
    patterns = [(kind, pattern) for kind, all_of in _TEMPLATES.items() for pattern in all_of]
    texts: dict[str, tuple[int, EntryKind]] = {}
    while len(texts) < count:
        number = dice.randrange(len(patterns))
        kind, pattern = patterns[number]
        texts[pattern.format(**_filling(dice))] = number, kind
    return [(number, memory(kind, text, f"task {place}")) for place, (text, (number, kind)) in enumerate(texts.items())]


def memory(kind: EntryKind, text: str, source: str) -> MemoryEntry:
    """Creates a memory entry from a line of text.

    The key of a fact is the text before the colon. The file of a passage is made up.
    """
    if kind is EntryKind.FACT:
        key, value = text.split(": ", 1)
        return MemoryEntry(kind, value, key.casefold(), source, 0.0)
    return MemoryEntry(kind, text, "" if kind is EntryKind.EPISODE else f"{source}.md", source, 0.0)


def vectors_of(entries: Sequence[tuple[int, MemoryEntry]], embedder: Embedder, count: int) -> Iterator[Vectors]:
    """Yields the vectors of all entries.

    The first `count` vectors are computed by the model; the other vectors are mixtures of these.
    """
    numbers = np.array([number for number, _ in entries])
    real = embedder.embed([entry.sentence for _, entry in entries[:count]])
    yield from real
    dice = np.random.default_rng(SEED)
    alike = {number: np.flatnonzero(numbers[: len(real)] == number) for number in set(numbers.tolist())}
    for number in numbers[len(real) :].tolist():
        yield _mixture(real[dice.choice(alike[number], 2)], dice)


def _mixture(pair: Vectors, dice: np.random.Generator) -> Vectors:
    share = dice.uniform(*MIXED_SHARES)
    noise = dice.standard_normal(pair.shape[1])
    mixed = share * pair[0] + (1.0 - share) * pair[1] + NOISE * noise / np.linalg.norm(noise)
    return np.asarray(mixed / np.linalg.norm(mixed), np.float32)


def _filling(dice: random.Random) -> dict[str, str | int]:
    chosen: dict[str, str | int] = {name: dice.choice(words) for name, words in _SLOTS.items()}
    hour = f"{dice.randrange(6, 23)}:{dice.choice(('00', '15', '30', '45'))}"
    return {**chosen, "other": dice.choice(_SLOTS["who"]), "n": dice.randrange(2, 99), "hour": hour} | {
        "year": dice.randrange(1980, 2026)
    }
