"""Compares a call with the request for it.

Determines whether the call has a different target, and whether labeled text may fill the content.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reachy_agent_ros.agent.provenance.named_tools import names_other_state
from reachy_agent_ros.agent.provenance.requests import RequestClause, content_of
from reachy_agent_ros.agent.provenance.words import (
    Words,
    numbers_in,
    plain_words,
    small_words,
    texts_in,
    words_in,
    words_of,
)
from reachy_agent_ros.tools.protocol.tools import ToolDescription

_OPEN = frozenset(word[:5] for word in small_words("SOURCES") | small_words("ROLES"))
"""Stems of words for sources and authors of text. A request that names one of these leaves the text open."""

_GIVEN = frozenset(["that", "dass", "que", "che"])
"""Words after which the person states the content: "remember that my bike is blue"."""

_RELATIVES = [
    [word] for word in ("ce", "lo", "o", "a", "el", "la", "le", "quello", "cio", "quel", "tout", "todo", "tutto")
]
"""Words that, before one of the words above, leave the content open: "note ce que dit la page"."""

_IS = frozenset(["is", "are", "was", "were", "s", "ist", "sind", "war", "est", "sont", "es", "son", "era", "sao"])

_LEFT = frozenset(["left", "links", "gauche", "izquierda", "sinistra", "esquerda"])
_RIGHT = frozenset(["right", "rechts", "droite", "derecha", "destra", "direita"])
_UP = frozenset(["up", "upward", "upwards", "oben", "hoch", "hinauf", "haut", "arriba", "alto", "cima"])
_DOWN = frozenset(["down", "downward", "downwards", "unten", "runter", "hinunter", "bas", "abajo", "basso", "baixo"])
_FREE_NUMBERS = frozenset({"duration_s", "intensity"})
"""Arguments for the style of a motion, which people do not specify."""


def leaves_open(clause: RequestClause, arguments: Mapping[str, Any]) -> bool:
    """Returns whether a request leaves the content open, such as "say it" or "remember the wifi name".

    A request with its own content must share a word with the call; otherwise the call is about something else. After
    "that", the person states the content, so nothing is left open.

    Args:
        clause: Clause that asks for the tool.
        arguments: Arguments of the call, without defaults.
    """
    manner = small_words("FILLERS") | small_words("MANNER")
    rest = [word for word in content_of(clause) if word not in manner]
    content = words_of(word for word in rest if word not in small_words("ANAPHORS"))
    if _gives_content(rest):
        return False
    if not content or not small_words("POINTERS").isdisjoint(rest) or any(word[:5] in _OPEN for word in rest):
        return True
    return content.meets(words_in(" ".join(texts_in(dict(arguments)))))


def names_other_target(
    clause: RequestClause, tool: ToolDescription, arguments: Mapping[str, Any], labeled: Words
) -> bool:
    """Returns whether a call differs from its request in a direction, option, number or state.

    Args:
        clause: Clause that asks for the tool.
        tool: Description of the tool.
        arguments: Arguments of the call, without defaults.
        labeled: Words of the labeled text.
    """
    return (
        _against(arguments.get("yaw_deg"), clause, _LEFT, _RIGHT)
        or _against(arguments.get("pitch_deg"), clause, _DOWN, _UP)
        or any(_other_choice(clause, tool, name, value) for name, value in arguments.items())
        or _other_number(clause, arguments, labeled)
        or names_other_state(clause, arguments)
    )


def _gives_content(rest: list[str]) -> bool:
    """Returns whether the content follows the word "that". In "remember that", no content follows."""
    places = [place for place, word in enumerate(rest) if word in _GIVEN and rest[place - 1 : place] not in _RELATIVES]
    behind = rest[places[0] + 1 :] if places else []
    return len(words_of(behind).stems) >= (1 if _IS.intersection(behind) else 3)


def _against(angle: Any, clause: RequestClause, positive: frozenset[str], negative: frozenset[str]) -> bool:
    words = set(clause.words)
    if not isinstance(angle, int | float) or bool(words & positive) == bool(words & negative):
        return False
    return angle < 0 if words & positive else angle > 0


def _other_choice(clause: RequestClause, tool: ToolDescription, name: str, value: Any) -> bool:
    options = tool.schema.get("properties", {}).get(name, {}).get("enum", ())
    said = words_of(clause.words).stems
    named = [option for option in options if isinstance(option, str) and _is_named(option, said)]
    return bool(named) and value not in named


def _is_named(option: str, said: frozenset[str]) -> bool:
    stems = words_of(plain_words(option.replace("_", " "))).stems
    return bool(stems) and stems <= said


def _other_number(clause: RequestClause, arguments: Mapping[str, Any], labeled: Words) -> bool:
    said = words_of(clause.words).numbers
    wanted = {name: value for name, value in arguments.items() if name not in _FREE_NUMBERS}
    return bool(said) and bool((numbers_in(wanted) - said) & labeled.numbers)
