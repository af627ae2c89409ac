"""How polite requests begin, and the small words around them, in plain letters."""

from __future__ import annotations

from collections.abc import Sequence

from reachy_agent_ros.agent.provenance.small_words import small_words

_FILLERS = small_words("FILLERS")
_CLITICS = small_words("CLITICS")
_QUESTIONS = small_words("QUESTION")
_REFUSALS = small_words("REFUSALS")
_WISHES = small_words("WISHES")

_AUXILIARIES = frozenset(("d", "would", "really", "also"))
_I = ("i", "ich", "je", "j", "yo", "io", "eu", "we", "wir", "on", "nous")

_POLITE = """can you|could you|would you|will you|can u|i want you to|i would like you to|i d like you to|
i need you to|why don t you|you can|you may|you should|you could|would you mind|try to|make sure to|be so kind as to|
be sure to|don t forget to|if so|if yes|if not|wenn ja|wenn nicht|falls ja|falls nicht|
si oui|si non|si es asi|si no|se si|se no|se sim|
se nao|let s|let us|i want to|
kannst du|konntest du|konnen sie|konnten sie|wurdest du|wurden sie|willst du|magst du|du kannst|du sollst|du darfst|
du konntest|sollst du|lass uns|
peux tu|pourrais tu|pouvez vous|pourriez vous|tu peux|tu pourrais|est ce que tu peux|est ce que tu pourrais|veux tu|
voudrais tu|voulez vous|n oublie pas de|essaie de|
puedes|podrias|puede|podria|me puedes|me podrias|quiero que|quisiera que|me gustaria que|necesito que|intenta|
no olvides|trata de|
puoi|potresti|puo|potrebbe|vuoi|voglio che|vorrei che|mi piacerebbe che|non dimenticare di|prova a|mi puoi|
podes|pode|poderias|poderia|consegues|quero que|queria que|gostava que|gostaria que|queres|voce pode|voce poderia|
nao te esquecas de|tenta"""

_GERMAN = frozenset(
    ("kannst", "konntest", "konnen", "konnten", "wurdest", "wurden", "willst", "magst", "sollst", "du", "lass")
)

_FRAMES = tuple(sorted((tuple(one.split()) for one in _POLITE.split("|")), key=len, reverse=True))
"""Beginnings that an order follows, as words, longest first."""

_VERB_LAST = frozenset(frame for frame in _FRAMES if frame[0] in _GERMAN)
"""Those after which the verb stands at the end."""


def heads_of(words: Sequence[str]) -> list[int]:
    """Where the verb of an order may stand in a clause; none where the clause is no order.

    Args:
        words: The clause.
    """
    start = _after(words, 0, _FILLERS)
    frame = next((one for one in _FRAMES if tuple(words[start : start + len(one)]) == one), ())
    rest = _after(words, start + len(frame), _FILLERS)
    if rest >= len(words) or _REFUSALS.intersection(words[start + len(frame) :]):
        return []
    if frame in _VERB_LAST:
        return [] if _QUESTIONS.intersection(words[rest:]) else [len(words) - 1]
    if frame:
        verb = _after(words, rest, _CLITICS)
        return sorted({rest, min(verb, len(words) - 1)})
    if words[rest] in _I:
        wish = _after(words, rest + 1, _AUXILIARIES)
        return [wish] if words[wish : wish + 1] and words[wish] in _WISHES else []
    if words[rest] in _QUESTIONS:
        return []
    infinitive = 2 <= len(words) - rest <= 6 and words[-1].endswith(("en", "eln", "ern"))
    return [rest, len(words) - 1] if infinitive else [rest]


def _after(words: Sequence[str], start: int, skipped: frozenset[str]) -> int:
    while start < len(words) and words[start] in skipped:
        start += 1
    return start
