"""Grammatical mood of sentences, which decides whether they can be requests. Embeddings hardly show negation."""

from __future__ import annotations

import re

_DENIED = re.compile(r"\b(?:not|never|ever|nor|neither|without|instead|avoid|refrain|unless|or(?! rather))\b|^no\b")
_CONTRASTED = re.compile(r"\b(?:rather than|instead of|other than|except|apart from|any(?:where|thing|body|one) but)\b")
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|while|until|till|once (?:i|you|we|he|she|it|they|the)|as soon as|in case|"
    r"(?:would|could|should|might) have|suppose|supposing|imagine|assuming|every time|each time|before|because|"
    r"since|although|tomorrow|yesterday|tonight|last|(?<!you )later)\b"
)
_HARMLESS = re.compile(
    r"\b(?:as if|see (?:if|whether)|until you (?:see|find|spot)|(?:while|as|when) (?:i|we) (?:walk|move|go|talk|speak)|"
    r"i (?:mean|meant)|say (?:yes|no)|saying (?:yes|no))\b|"
    # The statement of a relative clause is not the statement of the sentence.
    r"\b(?:what|which|whatever|whoever|who|that|where|thing|how)\b(?: \w+){0,4}? (?:is|are)\b|"
    r"\b(?:like|as if|as though|that|how|what) (?:you|a|an|something|somebody|someone|i)\b.*|"
    r"(?<=pretend) (?:that )?you are\b"
)
_ASKS_TO_SHOW = re.compile(r"^(?:act|look|behave|pretend|show|be|seem|make|pull|give|put|do|play|mime|tilt|let us)\b")
_REPORTED = re.compile(
    r"\b(?:said|says|told|tells|asked|asks|heard|mentioned|wrote|claims?|claimed|thinks?|thought|believes?|guess|"
    r"called|used to|supposed|remember|reminds?|(?<!you )know|knows|story|joke|song|poem|word|words)\b"
)
_TOLD = re.compile(
    r"\b(?:said|says|told|tells|asked|asks|mentioned|wrote|called|sings?|sang|yelled|shouted|whispered|dreamt)\b"
)
_WISH = re.compile(
    r"^(?:i (?:want|need|would like|would love|could use|am looking for|lost|wish for)|"
    r"(?:can|could|may|might) (?:i|we) (?:please )?(?:have|get|see)|"
    r"let (?:me|us) (?:see|have|get)|let us take|any chance of)\b(?! (?:to|you to) (?!see|have|get))"
)
_QUESTION = re.compile(
    r"^(?:what|who|whom|whose|where|when|why|how|which|does|do (?:you(?! know where)|i|we|they)|have (?:you|i|we)|"
    r"has|had|is|are|am|was|were|should|shall|may|might|will|would|could|can|must|any idea)\b"
)
_STATEMENT = re.compile(
    r"\btheir\b|^(?:(?:why|how|when|where|what) did you|why|did|like to|show me how to|tell me (?:why|how to)|"
    r"let (?:me|us|him|her|them)|"
    r"i|he|she|it|they|we|there|this|that|these|my|mine|his|her|its|our|their|you|yours|"
    r"everyone|everybody|nobody|somebody|someone|nothing|something|everything)\b"
    r"|^the (?!(?:\w+ )?(?:head|body|antennas?|ears?|feelers?|torso|base|eyes|chin|gaze|neck|trunk)\b)"
)
_END = re.compile(r"^(?:stop|quit|cease|enough|no more|end)\b")
_CANNOT = re.compile(
    r"^(?:(?:explain|teach|write|read|count|draw|paint|print|translate|calculate|spell|sing|cook|buy|order|book|email|"
    r"text|send|clean|wash|hand|pass|throw|pick|fetch|pour|cut|drive|walk|run|jump|sit|google|remind|charge|update|"
    r"install|download|delete|call|feed|water)\b|(?:bring|open|close)\b(?! your)|"
    r"(?:move|put) (?:the|my|this|that) (?!head|body|antennas?|ears?|base|torso))"
)
"""Requests that no motion tool can carry out."""

_REMARK = re.compile(
    r"^(?:i|we|it|there|that|this|you|my|our|your|somebody|someone|something|everybody|everyone) (?:\w+ )*?"
    r"(?:am|is|are|was|were|feel|feels|have|has|had|look|looks|won|lost|got|need|needs|just|came|come|stole|broke|made|"
    r"worked|think|love|like|want|wants|can|will|seem|seems|sound|sounds|deserve|must|hear|heard|see|smells?)\b"
    r"|^(?:sweet dreams|cheese|wow|great|good job|well done|nice|boo|yuck|ew+|yay|hooray|hurray|haha|ouch|oops|brr+|"
    r"aw+|"
    r"surprise|guess what|good night|good morning|sleep well|happy birthday|congratulations|congrats|come here|listen|"
    r"tell me|watch out|hello everyone|are you (?:ok|okay|awake|all right|there|ready)|why the long face|look here|"
    r"smile everybody|it is \w+|"
    r"(?:nap|play|break) ?time is over|the other way|party time|ready steady go|(?:on )?3 2 1|let us call it a "
    r"(?:day|night))\b"
)
_REASON = re.compile(
    r"^(?:it is|it has|i am|we are|we have|there is|there are|this is|that is|you are|you have|i have|i need|i want|"
    r"i would like|my \w+ (?:is|are|needs|wants)) "
)
_LONGEST_REMARK = 9
_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|had|has|did|does|looked|turned|nodded|went|took|danced|shook|fell|saw|made|moved|"
    r"tilted (?!to|up|down|left|right)|goes|looks|gets|got|makes|takes|sleeps|loves|likes|works)\b"
)


def is_request(sentence: str) -> bool:
    """Returns whether plain words without courtesies (see `text.strip_courtesies`) have the grammar of a request.

    Statements, reports, conditions, denials, and requests that no motion tool can carry out are not requests.
    """
    said = _said_of_itself(sentence)
    if _DENIED.search(said) or _CONDITION.search(said) or _REPORTED.search(said):
        return False
    if _WISH.search(sentence):
        return True
    if _QUESTION.search(sentence):
        return not _STATEMENT.search(sentence)
    if _END.search(sentence):
        return True
    return not (_CANNOT.search(sentence) or _STATEMENT.search(said) or _FINITE.search(said))


def contrasts(sentence: str) -> bool:
    """Returns whether a sentence also names an action to avoid. Embeddings do not represent this difference."""
    return _CONTRASTED.search(sentence) is not None


def is_remark(clause: str) -> bool:
    """Returns whether a clause only explains the next command, such as "it is getting late" before "go to sleep"."""
    denies = any(pattern.search(clause) for pattern in (_DENIED, _CONDITION, _TOLD))
    return _REMARK.match(clause) is not None and not denies and len(clause.split()) <= _LONGEST_REMARK


def is_reason(clause: str) -> bool:
    """Returns whether a clause only explains the previous command, such as "it is morning" after "get up"."""
    return _REASON.match(clause) is not None and is_remark(clause)


def _said_of_itself(sentence: str) -> str:
    """Removes subordinate clauses that do not change the mood of a sentence."""
    if _QUESTION.search(sentence):
        return sentence
    rest = sentence
    for match in reversed(list(_HARMLESS.finditer(sentence))):
        shows = match.group().endswith(("is", "are")) or len(match.group().split()) <= 3
        if match.start() > 0 and (shows or _ASKS_TO_SHOW.search(sentence)):
            rest = rest[: match.start()] + rest[match.end() :]
    return rest
