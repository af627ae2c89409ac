"""Banned patterns of unidiomatic English. Each pattern has a reason and a replacement.

The patterns come from reviews of this repository. Each is narrow, so that correct English passes: in 400,000 words of
docstrings and comments of FastAPI, Starlette, pydantic, httpx, MCP, Gymnasium and the OpenAI Agents SDK they have 0.04
hits in 1,000 words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Pattern:
    """Banned pattern.

    Attributes:
        expression: Regular expression. It ignores case except where it says otherwise.
        reason: Reason for the ban, with a replacement.
    """

    expression: re.Pattern[str]
    reason: str


def _pattern(expression: str, reason: str) -> Pattern:
    return Pattern(re.compile(expression, re.IGNORECASE), reason)


_BE = r"(?:is|are|was|were|be|been)"
_HEADLESS = "clause without a subject: name who or what acts"

PATTERNS = (
    _pattern(
        rf"(?<!\bthere )\b{_BE} (?-i:no)\b"
        r"(?! (?:longer|more|less|fewer|worse|better|greater|larger|higher|lower|different|need|reason|later|one)\b)"
        r"(?! (?:way|such|matter)\b)(?= [a-z])",
        "negated noun: write 'is not a ...'",
    ),
    _pattern(
        rf"(?<!\bthere )\b{_BE} (?-i:none)\b(?! of\b)|\bwhere (?-i:none|nobody|nothing|there (?:is|are) none)\b",
        "negated pronoun: write 'is not a ...' or 'if there is no ...'",
    ),
    _pattern(
        r"(?:^(?-i:Who|What)|[.;!?] (?:who|what)) (?!(?:is|does|do|are|can|happens)\b[^.]*\?)"
        r"(?!(?:it|this|they) (?:is|does|do|are)\b|to\b|if\b|a\b|an\b|about\b|we\b|you want)\w+ \w+(?![^.]*\?)",
        _HEADLESS,
    ),
    _pattern(r"\bwho(?:so)?ever\b", _HEADLESS),
    _pattern(r"\b(?:so that|by|for|with|from|but|as|to|of) who\b(?! (?:\w+s|is|was|are) [^.]*\?)", _HEADLESS),
    _pattern(
        rf"(?:, (?:and |but |so )?|\b(?:so|that|because|if|where|when|and|but|as) )what (?:{_BE}|has|have|had) "
        r"(?:\w+ ){1,4}(?:is|are|was|were|has|goes|stays|comes|needs)\b",
        _HEADLESS,
    ),
    _pattern(
        r"\bwhat (?:is|was|were|are) (?:\w+ )?(?:said|asked|told|known|kept|heard|seen|shown|learned|meant)\b",
        _HEADLESS,
    ),
    _pattern(r"\bwhat (?:came|comes|becomes|became|has become) of\b|\bcame of it\b", "write 'the result of ...'"),
    _pattern(r"\bwhat (?:\w+ ){1,3}makes of\b|\b(?:was|is) made of it\b", "write 'how ... interprets it'"),
    _pattern(
        rf"\b{_BE} told\b(?! (?:to|about|not to|that|how|which|so)\b)"
        r"|\btells (?:that|what|how far|by)\b|\btold (?:by|apart)\b",
        "'told': write reported, printed, shown or distinguished",
    ),
    _pattern(
        r"\b(?:anew|mend(?:s|ed|ing)?|likewise|in vain|hush(?:ed|es)?|therein|wherein|whereof|thereof|whence)\b",
        "archaic word: write again, repair, also, without result, pause",
    ),
    _pattern(
        r"\ball the same\b(?! \w)|\bbesides(?=[.,;:]|$)|(?:^|[.;] )besides,", "archaic word: write 'still' or 'also'"
    ),
    _pattern(r"\bmeanwhile\b", "write 'in the meantime', 'while ...', or leave it out"),
    _pattern(
        r"\bof (?:others|yours|theirs|somebody else|someone else|strangers?)\b",
        "possessive: write third-party, your or their",
    ),
    _pattern(r"\bby (?:itself|themselves|himself)\b", "write 'automatically', 'alone' or 'without being asked'"),
    _pattern(r"\b(?:goes|went) on\b(?! (?:to|the|a|sale|top|in|inside)\b)", "write 'continues'"),
    _pattern(r"\b(?:robot's|its|the) (?:ears?|eye|mind)\b(?! of)", "coined part: write microphone, camera or agent"),
    _pattern(
        r"\b(?:lesser|worker|kinds? of) box\b"
        r"|\b(?:in|leaves?|without) (?:a|the) box\b(?= (?:and|that|with|runs)|[.:;]|$)",
        "coined term: write sandbox",
    ),
    _pattern(
        r"\b(?:gave|given|gives|grants?|without|needs?) leave\b|\bleave (?:that|was) \w*given\b",
        "archaic: write permission",
    ),
    _pattern(
        r"\bwords that want\b|\bbroken on purpose\b|\bwho gets in\b",
        "write the term of the field: prompt injection, fault injection, authentication",
    ),
    _pattern(
        r"\b(?:that|which|what|who) (?:it|they|one) (?:has|have|had) not\b(?! \w+(?:ed|n)\b)", "write 'does not have'"
    ),
    _pattern(r"\bas (?:it|they) (?:must|should) be\b", "write 'valid' or 'as expected'"),
    _pattern(r"\b(?:can|cannot|could|may|to) (?:not )?be had\b", "write 'is available'"),
    _pattern(r"\bknows? (?:no|none)\b", "write 'does not know'"),
)
_SUMMARY_START = re.compile(r"(?:What|Who|Whoever|Where|That|It|Its)\b")
_IMPERATIVE_START = re.compile(r"(?:Return|Yield|Raise|Get|Create|Add|Remove|Delete)\b")
_TEST_NAME_START = re.compile(r"(?:what|who|whoever|where|that|it|its)\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


def reasons(text: str, kind: str, longest_sentence: int) -> list[str]:
    """Returns the reasons why a text must be rewritten. The result is empty if the text passes.

    Args:
        text: The text, on one line.
        kind: Kind of text, as in `texts.Text`.
        longest_sentence: Maximum words in a sentence of prose.
    """
    found = [pattern.reason for pattern in PATTERNS if pattern.expression.search(text)]
    if kind == "docstring" and _SUMMARY_START.match(text):
        found.append("docstring summary without a subject: begin with a verb or a noun")
    if kind == "docstring" and _IMPERATIVE_START.match(text):
        found.append("docstring summary in the imperative: write 'Returns ...', as the other docstrings do")
    if kind == "test name" and _TEST_NAME_START.match(text):
        found.append("test name without a subject: begin with the thing that is tested or a verb")
    words = max(len(sentence.split()) for sentence in _SENTENCE_END.split(text))
    if kind == "prose" and words > longest_sentence:
        found.append(f"sentence of {words} words: split it")
    return list(dict.fromkeys(found))
