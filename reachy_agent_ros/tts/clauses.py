"""Text in pieces that can be said one after the other."""

from __future__ import annotations

SENTENCE_ENDS = (".", "!", "?", ":", ";")
PAUSES = (",", *SENTENCE_ENDS)

LEAST_WORDS = 2
"""A pause after fewer words than this does not end a clause: the voice would stutter."""

MOST_WORDS = 12
"""A clause ends here in any case: its whole sound is made before its first sample is heard."""


def split_clauses(text: str) -> list[str]:
    """Splits text where a speaker would pause, so that the first sound need not wait for the last word.

    Joined with single spaces the clauses are the words of `text`, in their order.
    """
    clauses: list[str] = []
    words: list[str] = []
    for word in text.split():
        words.append(word)
        bare = word.rstrip("\"')]")
        ends = bare.endswith(SENTENCE_ENDS) or (bare.endswith(PAUSES) and len(words) >= LEAST_WORDS)
        if ends or len(words) >= MOST_WORDS:
            clauses.append(" ".join(words))
            words = []
    return [*clauses, " ".join(words)] if words else clauses
