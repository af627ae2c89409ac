"""Patterns for actions that a reply may claim, and for the tools that perform them."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class ClaimedDeed:
    """Kind of action that a reply may claim.

    Attributes:
        name: Name of the action.
        claim: Pattern for a claim after "I", which may begin with "have".
        tools: Pattern for the names of tools that perform the action. Broad, so that no true claim is doubted.
        done: Description of the action after "I have not".
        do: Description of the action after "I could not".
        stated: Pattern for a claim without "I", at the beginning of a clause.
    """

    name: str
    claim: re.Pattern[str]
    tools: re.Pattern[str]
    done: str
    do: str
    stated: re.Pattern[str] | None = None


def _deed(name: str, claim: str, tools: str, done: str, do: str, stated: str = "") -> ClaimedDeed:
    verbose = re.IGNORECASE | re.VERBOSE
    said = re.compile(rf"(?:{stated})", verbose) if stated else None
    return ClaimedDeed(name, re.compile(rf"(?:have\ )?(?:{claim})", verbose), re.compile(tools), done, do, said)


_DATA = r"""(?:notes?|memor(?:y|ies)|numbers?|address(?:es)?|names?|files?|photos?|pictures?|images?|reminders?
    |entr(?:y|ies)|profile|birthdays?|data|information|conversations?|history|preferences?|recordings?|lists?|messages?)\b"""
_THING = rf"""(?:(?:it|that|this|them|everything)(?=$|\ (?:to|in|from|for|as|on|about|under|now|with)\b)
    | your\ (?!(?:day|time|trouble|life|breath)\b)\w+
    | (?:the|my|all|an?|these|those|his|her)\ (?:\w+\ ){{0,2}}{_DATA}(?!\ for\ the\b))"""
_PICTURE = r"(?:photos?|pictures?|pics?|snapshots?|images?|selfies?)\b"
_EMOTION = (
    r"(?:joy|happiness|sadness|anger|fear|surprise|disgust|love|gratitude|pride|curiosity|excitement|confusion)\b"
)
_OWNER = r"(?:the|your|my|a|both\ (?:of\ )?my)"

DEEDS = (
    _deed(
        "head",
        r"""(?:turned|moved|rotated|tilted|raised|lowered|lifted|bowed)\ my\ head\b
        | (?:looked|glanced)\ (?:to\ (?:the|my|your)\ (?:left|right|side)\b | left\b | straight\ ahead\b
            | right$ | around(?:$|\ the\ room\b) | (?:up|down)(?:$|\ (?:at|to)\ (?:the|you)\b) | at\ you\b)""",
        "head|look|find|gesture|emotion|dance|move|rotate|turn|track|nod|shake|scan",
        "moved my head",
        "move my head",
        r"(?:my\ )?head\ (?:has\ been\ )?(?:turned|tilted|raised|lowered)\ (?:to\ the\ )?(?:left|right|up|down)",
    ),
    _deed(
        "body",
        r"(?:turned|rotated|moved)\ my\ body\b | turned\ around(?=$|\ (?:as|to|so|for)\b)",
        "body|rotate|turn|look|dance|move|gesture",
        "turned my body",
        "turn my body",
        r"my\ body\ has\ been\ (?:turned|rotated)",
    ),
    _deed(
        "antennas",
        r"""(?:wiggled|moved|raised|lowered|lifted|dropped|waggled|twitched|perked\ up)\ (?:both\ )?(?:of\ )?
        (?:my|the|one\ of\ my)?\ ?(?:left\ |right\ )?antennas?\b""",
        "antenna|emotion|dance|move|gesture",
        "moved my antennas",
        "move my antennas",
        rf"(?:both\ of\ )?{_OWNER}\ antennas?\ (?:has|have)\ been\ (?:moved|raised|lowered)",
    ),
    _deed(
        "gesture",
        r"nodded\b(?!\ off) | (?:shook|shaken)\ my\ head\b",
        "gesture|emotion|head|move|dance|nod|shake",
        "nodded or shaken my head",
        "nod or shake my head",
    ),
    _deed(
        "dance",
        r"danced\b(?!\ around) | (?:did|done|performed)\ (?:a|my|the|another)\ (?:\w+\ ){0,2}dance\b",
        "dance|move|gesture|emotion",
        "danced",
        "dance",
    ),
    _deed(
        "photo",
        rf"""(?:took|taken|snapped|captured|shot|grabbed)\ (?:a|an|the|another|your|some|one|two)\ (?:\w+\ ){{0,2}}
            {_PICTURE}(?!\ to\b)
        | photographed\ (?:the|you|your|a|it|him|her)\b""",
        "photo|picture|image|camera|snapshot|capture",
        "taken a photo",
        "take a photo",
        rf"""{_OWNER}\ {_PICTURE}\ has\ been\ taken(?!\ by) | (?:photo|picture)\ taken$
        | here(?:\ is|'s)\ (?:the|your)\ (?:photo|picture)\ (?:that\ )?I\ took\b""",
    ),
    _deed(
        "saved",
        rf"""(?:saved|stored|memori[sz]ed)\ {_THING} | noted\ (?:it|that|this|your\ \w+)\ down\b
        | made\ (?:a|your|the)\ note(?=$|\ (?:of|to|about|for)\b)
        | (?:wrote|written)\ (?:it|that|this|your\ \w+)\ down\b
        | added\ .{{1,60}}\ to\ (?:my|your|the)\ (?:\w+\ )?(?:list|notes?|memory|calendar|profile)\b(?!\ of)
        | updated\ (?:your|the|my)\ (?:profile|notes?|list|memory|preferences?)\b""",
        "remember|save|store|note|write|add|memor|update|photo|picture|image|create|profile|list|record|set",
        "saved it",
        "save it",
        rf"""{_OWNER}\ (?:\w+\ ){{1,3}}has\ been\ (?:saved|stored)(?!\ by) | your\ (?:\w+\ ){{1,3}}is\ (?:now\ )?saved\b
        | saved(?:\ it)?\ (?:to|in)\ my\ (?:notes|memory)$""",
    ),
    _deed(
        "removed",
        rf"(?:deleted|erased|removed|wiped)\ {_THING}",
        "forget|delete|erase|remove|clear|wipe",
        "deleted it",
        "delete it",
        rf"{_OWNER}\ (?:\w+\ ){{1,3}}has\ been\ (?:deleted|erased|removed)(?!\ by)",
    ),
    _deed(
        "searched",
        r"""searched\ (?:the\ (?:web|internet|net|documents?)|online)\b | looked\ (?:it|that|this|them)\ up\b
        | googled\b | checked\ (?:the\ (?:web|internet)|online)\b""",
        "search|web|look_?up|recall|document|find|news|weather|fetch|browse|query|memory",
        "looked it up",
        "look it up",
    ),
    _deed(
        "timer",
        r"""(?:set|started|scheduled|created)\ (?:a|an|the|your|another)\ (?:[\w-]+\ ){0,3}
        (?:timer|alarm|reminder|countdown)\b""",
        "timer|alarm|remind|schedul|calendar|countdown",
        "set it",
        "set it",
        r"(?:the|your)\ (?:timer|alarm|reminder)\ (?:is|has\ been)\ (?:now\ )?(?:set|scheduled)\b",
    ),
    _deed(
        "sent",
        r"""(?:sent|forwarded)\ (?:\w+\ )?(?:the|your|an?|him|her|them|you)\ (?:\w+\ ){0,2}
            (?:e-?mails?|messages?|letters?|invitations?|reports?|repl(?:y|ies)|photos?|pictures?|links?|files?)\b
        | sent\ it\ to\b | (?:e-?mailed|texted|messaged)\ (?:it|you|him|her|them)\b""",
        "send|mail|message|post|text|notify|share",
        "sent it",
        "send it",
        r"(?:the|your)\ (?:e-?mail|message|letter|invitation|reply)\ has\ been\ sent(?!\ by)",
    ),
    _deed(
        "code",
        r"""(?:ran|executed|(?<=have\ )run)\ (?:the|your|this|that|a|my)\ (?:\w+\ ){0,2}
        (?:scripts?|code|programs?|functions?|tests?|commands?)\b""",
        "code|run|exec|python|script|shell|calc|program",
        "run it",
        "run it",
    ),
    _deed(
        "tracking",
        r"""(?:started|began|begun)\ (?:following|tracking|to\ follow|to\ track)\ (?:you|your|the|her|his)\b
        | turned\ on\ (?:the\ )?(?:face\ |head\ )?tracking\b""",
        "track|follow",
        "begun to follow your face",
        "follow your face",
    ),
    _deed(
        "emotion",
        rf"(?:showed|shown|expressed|displayed)\ (?:you\ )?(?:my\ )?{_EMOTION}",
        "emotion|gesture|move|dance|antenna|head",
        "shown an emotion",
        "show an emotion",
    ),
    _deed(
        "played",
        r"played\ (?:the|a|your|that)\ (?:\w+\ ){0,3}(?:move|song|music|sound|recording|melody|tune)\b",
        "play|music|sound|song|move",
        "played it",
        "play it",
    ),
    _deed(
        "stopped",
        r"stopped\ (?:moving|dancing|following|tracking)(?:$|\ (?:you|your)\b)",
        "stop|hold|track|cancel",
        "stopped",
        "stop",
    ),
)
"""Actions for which claims are recognized. Claims about other actions are never doubted."""
