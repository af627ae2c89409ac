"""Which way to correct, by the words that name it: a sentence's vector blurs left with right and up with down."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reachy_agent_ros.learning.axis import Axis

_PAIRS = (
    (Axis.PITCH_UP, Axis.PITCH_DOWN),
    (Axis.YAW_LEFT, Axis.YAW_RIGHT),
    (Axis.ROLL_LEFT, Axis.ROLL_RIGHT),
    (Axis.SLOWER, Axis.FASTER),
    (Axis.LOUDER, Axis.QUIETER),
    (Axis.BIGGER, Axis.SMALLER),
    (Axis.LONGER, Axis.SHORTER),
    (Axis.CLOSER, Axis.FARTHER),
)
_OPPOSITE = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_SPEAKING = re.compile("say|speak|speech|volume|voice|talk|sing")
_SPOKEN = {Axis.PITCH_UP: Axis.LOUDER, Axis.PITCH_DOWN: Axis.QUIETER}
"""What "higher" and "lower" mean of a voice."""

_QUALITIES = {
    Axis.PITCH_UP: r"high|far up|high up|upwards?",
    Axis.PITCH_DOWN: r"low|far down|low down|downwards?",
    Axis.YAW_LEFT: r"(?:far |much |far over )?(?:to(?:wards?)? |on |over to )?(?:the |your |my )?left",
    Axis.YAW_RIGHT: r"(?:far |much |far over )?(?:to(?:wards?)? |on |over to )?(?:the |your |my )?right(?: side)?",
    Axis.FASTER: r"fast|quick|quickly|hasty|hastily|rushed|hurried|abrupt|sudden|speedy|rapid|rapidly|hectic",
    Axis.SLOWER: r"slow|slowly|sluggish|leisurely|late|long to|long over",
    Axis.LOUDER: r"loud|loudly|noisy|boisterous",
    Axis.QUIETER: r"quiet|quietly|soft|softly|faint|hushed|silent",
    Axis.BIGGER: r"big|large|wide|wild|wildly|huge|dramatic|extreme|exaggerated",
    Axis.SMALLER: r"small|tiny|little|shallow|subtle|narrow|timid",
    Axis.LONGER: r"long|lengthy|long-winded|wordy|verbose|drawn out",
    Axis.SHORTER: r"short|brief|curt",
    Axis.CLOSER: r"(?<!so )close(?! to what)|near|tight|in my face|zoomed in",
    Axis.FARTHER: r"far away|far off|far back|distant|far from me|far(?! to| left| right| up| down| from| over)",
}
"""What there may be too much of; having more of it is the axis."""

_MORE = (
    r"(?:more|further|farther|bit|little|touch|tad|shade|smidge|hair|notch|slightly|somewhat|degrees?|inch(?:es)?|way)"
)
_NO = r"(?:no|nope|not there|wrong|the other)"
_TO = r"(?:to(?:wards?)? |on |over to |over on |over )?(?:the |your |my )?(?:\w+ to the |\w+ on the )?"

_WANTED = {
    Axis.PITCH_UP: rf"higher|raise (?:it|your|the)|lift (?:it|your|the)|{_MORE} up|up {_MORE}|up a|(?:eyes|chin|head) up"
    rf"|{_NO} (?:, )?(?:\w+ )?up\b|(?:fixation|gaze|aim|looking|eyes) (?:\w+ )?(?:below|under)",
    Axis.PITCH_DOWN: rf"lower(?! your voice| the volume)|{_MORE} down|down {_MORE}|down a|{_NO} (?:, )?(?:\w+ )?down\b"
    r"|(?:fixation|gaze|aim|looking|eyes) (?:\w+ )?(?:above|over)",
    Axis.YAW_LEFT: rf"{_MORE} (?:\w+ ){{0,2}}{_TO}left|left {_MORE}|left a|leftwards?|{_NO}\b.*\bleft\b|the other left",
    Axis.YAW_RIGHT: rf"{_MORE} (?:\w+ ){{0,2}}{_TO}right(?! track| idea| answer| direction)|right side|right a bit|right more|rightwards?"
    rf"|{_NO}\b.*\b(?:to|on|go|turn|way) (?:the |your |my )?right\b(?! off| now| away)|^(?:no |, )+(?:the )?(?:\w+ ){{0,3}}(?:, )?right(?: right)*(?: [!.,])*$",
    Axis.SLOWER: r"slower|slow \w* ?down|slow down|more (?:slow|slowly)|less (?:speed|haste)|take \w+ time|gentler pace"
    r"|(?:reduce|decrease|watch) (?:the )?(?:speed|tempo|pace)|leisurely tempo|slowly$|steady on|follow$|rushing",
    Axis.FASTER: r"faster|quicker|more (?:quickly|speed|haste)|hurry|speed \w* ?up|pick up the pace|get a move on"
    r"|(?:took|takes|take|taking)(?: \w+){0,3} (?:long|forever|ages|while|time)|half (?:of )?an hour|like ten seconds"
    r"|gone cold|latency|slowest|just slow",
    Axis.LOUDER: r"louder|speak (?:\w+ )?up|speaking up|(?:can|could)(?:'?n?o?'?t| not) (?:\w+ )?hear|more volume|crank"
    r"|volume up|turn (?:it|that|the volume) up|mumbl\w+|sound off|raise your voice|strong the voice",
    Axis.QUIETER: r"quieter|softer|more (?:softly|quietly)|less (?:volume|noise)|voice down|volume down|whisper|shh+|hush"
    r"|turn (?:it|that|the volume|yourself) down|turn it down|pipe down|lower (?:your voice|the volume)|(?:stop|quit|you|you're) shout\w*|too strong"
    r"|gain on the speaker|with the volume",
    Axis.BIGGER: r"bigger|larger|wider|more (?:big|amplitude|energy|pronounced|dramatic)|increase the amplitude|broader"
    r"|put some heart|exaggerate|amplitude (?:\w+ )?insufficient",
    Axis.SMALLER: r"smaller|narrower|subtler|less (?:big|wild|dramatic|amplitude|movement)|tone \w+ down|off the swing"
    r"|(?:reduce|decrease) the amplitude",
    Axis.LONGER: r"longer(?! reaction)|prolong|hold (?:it|that) more|extend (?:it|the)|more time",
    Axis.SHORTER: r"shorter|briefer|more (?:short|brief|concise)|concise|brevity|tldr|to the point|ramble|tighter"
    r"|keep (?:it|\w+ \w+) (?:brief|short)|talk too much|go on for",
    Axis.CLOSER: r"closer(?! to what)|nearer|come (?:\w+ )?(?:close|near)|scoot in|lean in",
    Axis.FARTHER: r"(?:farther|further) (?:away|back|off)|farther|back (?:up|off|away)|move (?:\w+ )?back|back a"
    r"|more (?:distance|space)|me (?:some )?(?:space|room)|out of my face|step back|keep (?:\w+ )*distance",
    Axis.UNDO: r"undo|revert|ctrl z|(?:roll|change|put|turn|switch|set) (?:it|that|this) back|go back to (?:how|what|where)"
    r"|restore|(?:as|like|how) it was|return back|former state",
}
"""What asks for more of the axis as such."""

_TOO_MUCH = r"too|overly|less|not so|not as|way too|far too|far too damn"
_RATHER = rf"{_TOO_MUCH}|a bit|a little|a trifle|a touch|a smidge|a hair|rather|somewhat|so|ever so|but|slightly|very"
_SIDES = (Axis.YAW_LEFT, Axis.YAW_RIGHT)
_EXCESS = {
    axis: re.compile(
        rf"\b(?:{_TOO_MUCH if axis in _SIDES else _RATHER})(?: too| much| damn| far)? (?:{words})\b(?! enough)"
    )
    for axis, words in _QUALITIES.items()
}
_LACK = {axis: re.compile(rf"\b(?:{words}) enough\b") for axis, words in _QUALITIES.items()}
_REQUEST = {axis: re.compile(rf"\b(?:{words})\b") for axis, words in _WANTED.items()}
_TILT = re.compile(r"\b(?:tilt\w*|roll|rolled|lean|leaning|tip|cock)\b.*?\b(left|right)\b")
_TOO_TILTED = re.compile(r"\b(?:too|less|not so)\b")
_BEYOND = re.compile(
    r"\b(?:overshot|overshoots?|drift\w*|veer\w*|(?:went|gone|go) past)(?! \w+ more)\b.*?\b(left|right|down\w*|up\w*)\b"
)
_EXPLAINED = {Axis.PITCH_UP: {Axis.LOUDER, Axis.FASTER}, Axis.PITCH_DOWN: {Axis.QUIETER, Axis.SMALLER, Axis.SLOWER}}
"""Volume, size and speed go up and down too."""

_SIDEWAYS = {"left": Axis.YAW_LEFT, "right": Axis.YAW_RIGHT}


def axes_of(words: str, act: str = "") -> tuple[Axis, ...]:
    """The corrective directions that an utterance names, in no order.

    Args:
        words: As `Reading.text` holds them.
        act: The skill or tool that it is about; "lower" means another thing of a voice than of a head.
    """
    axes = list(dict.fromkeys(_found(words)))
    if _SPEAKING.search(act):
        axes = [_SPOKEN.get(axis, axis) for axis in axes]
    return tuple(
        axis for axis in axes if _OPPOSITE.get(axis) not in axes and _EXPLAINED.get(axis, set()).isdisjoint(axes)
    )


def _found(words: str) -> Iterator[Axis]:
    tilted = _TILT.search(words)
    if tilted:
        wanted = Axis.ROLL_LEFT if tilted[1] == "left" else Axis.ROLL_RIGHT
        yield _OPPOSITE[wanted] if _TOO_TILTED.search(words) else wanted
        return
    beyond = _BEYOND.search(words)
    if beyond:
        up_or_down = Axis.PITCH_UP if beyond[1].startswith("up") else Axis.PITCH_DOWN
        yield _OPPOSITE[_SIDEWAYS.get(beyond[1], up_or_down)]
        return
    excess = [axis for axis, pattern in _EXCESS.items() if pattern.search(words)]
    yield from (_OPPOSITE[axis] for axis in excess)
    yield from (axis for axis, pattern in _LACK.items() if pattern.search(words))
    yield from (axis for axis, pattern in _REQUEST.items() if pattern.search(words) and axis not in excess)
