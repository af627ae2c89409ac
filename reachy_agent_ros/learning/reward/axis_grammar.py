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
    Axis.PITCH_UP: r"high|far up|high up|upwards?|steep",
    Axis.PITCH_DOWN: r"low|far down|low down|downwards?|down|deep",
    Axis.YAW_LEFT: r"(?:far |much |far over |far round )?(?:to(?:wards?)? |on |over to )?(?:the |your |my )?left",
    Axis.YAW_RIGHT: r"(?:far |much |far over |far round )?(?:to(?:wards?)? |on |over to )?(?:the |your |my )?right(?: side)?",
    Axis.FASTER: r"fast|quick|quickly|hasty|hastily|rushed|hurried|abrupt|sudden|speedy|rapid|rapidly|hectic",
    Axis.SLOWER: r"slow|slowly|sluggish|leisurely|late|long to|long over",
    Axis.LOUDER: r"loud|loudly|noisy|boisterous",
    Axis.QUIETER: r"quiet|quietly|soft|softly|faint|hushed|silent",
    Axis.BIGGER: r"big|large|wide|wild|wildly|huge|dramatic|extreme|exaggerated",
    Axis.SMALLER: r"small|tiny|little|shallow|subtle|narrow|timid",
    Axis.LONGER: r"long|lengthy|long-winded|wordy|verbose|drawn out",
    Axis.SHORTER: r"short|brief|curt",
    Axis.CLOSER: r"(?<!so )close(?! to what)|near|tight|in my face|zoomed in",
    Axis.FARTHER: r"far away|far off|far back|distant|far from me|far(?! to| left| right| up| down| from| over| round| around| too)",
}
"""What there may be too much of; having more of it is the axis."""

_MORE = (
    r"(?:more|further|farther|bit|little|touch|tad|shade|smidge|hair|notch|slightly|somewhat|degrees?|inch(?:es)?|way)"
)
_NO = r"(?:no|nope|not there|wrong|the other)"
_TO = r"(?:to(?:wards?)? |on |over to |over on |over )?(?:the |your |my )?(?:\w+ to the |\w+ on the )?"

_WANTED = {
    Axis.PITCH_UP: rf"higher|upwards?|raise (?:it|your|the)|lift (?:it|your|the)|{_MORE} up|up {_MORE}|up a|(?:eyes|chin|head|nose) up|at my (?:shoes|feet|knees|belly|chest)|below (?:my|the|his|her)"
    rf"|{_NO} (?:, )?(?:\w+ )?up\b|(?:fixation|gaze|aim|looking|eyes) (?:\w+ )?(?:below|under)",
    Axis.PITCH_DOWN: rf"lower(?! your voice| the volume)|downwards?|at the ceiling|over my head|above (?:my|the|his|her)|less (?:far )?up|{_MORE} down|down {_MORE}|down a|{_NO} (?:, )?(?:\w+ )?down\b"
    r"|(?:fixation|gaze|aim|looking|eyes) (?:\w+ )?(?:above|over)",
    Axis.YAW_LEFT: rf"{_MORE} (?:\w+ ){{0,2}}{_TO}left|left {_MORE}|left a|leftwards?|left by|{_NO}\b.*\bleft\b|the other left",
    Axis.YAW_RIGHT: rf"{_MORE} (?:\w+ ){{0,2}}{_TO}right(?! track| idea| answer| direction)|right side|right a bit|right more|right by|rightwards?"
    rf"|{_NO}\b.*\b(?:to|on|go|turn|way) (?:the |your |my )?right\b(?! off| now| away)|^(?:no |, )+(?:the )?(?:\w+ ){{0,3}}(?:, )?right(?: right)*(?: [!.,])*$",
    Axis.SLOWER: r"slower|not so fast|can(?:'t| not) (?:keep up|follow)|less (?:fast|hectic|rushed)|calm(?:er|ly)|easy now|slow(?: it| that| things)? down|slow \w* ?down|slow down|more (?:slow|slowly)|less (?:speed|haste)|take \w+ time|gentler pace"
    r"|(?:reduce|decrease|watch) (?:the )?(?:speed|tempo|pace)|leisurely tempo|slowly$|steady on|follow$|rushing",
    Axis.FASTER: r"faster|not so slow|snappier|brisker|swifter|sooner|move it|lively|rapidly|quick(?:en)? (?:it )?up|speed up|step on it|quicker|more (?:quickly|speed|haste)|hurry|speed \w* ?up|pick up the pace|get a move on"
    r"|(?:took|takes|take|taking)(?: \w+){0,3} (?:long|forever|ages|while|time)|half (?:of )?an hour|like ten seconds"
    r"|gone cold|latency|slowest|just slow",
    Axis.LOUDER: r"louder|(?:bare|hard|scarce)ly (?:\w+ )?hear|project your|turn (?:it |that )?up|up the volume|raise (?:your|the) (?:voice|volume)|boost|speak (?:\w+ )?up|speaking up|(?:can|could)(?:'?n?o?'?t| not) (?:\w+ )?hear|more volume|crank"
    r"|volume up|turn (?:it|that|the volume) up|mumbl\w+|sound off|raise your voice|strong the voice",
    Axis.QUIETER: r"quieter|not so loud|(?:off|reduce|cut|drop|lower|decrease) (?:the |your )?(?:volume|noise|voice)|deafening|my ears|blast\w*|inside voice|indoor voice|gently spoken|less loud|yell\w*|screaming|(?:quiet|pipe|simmer) (?:it )?down|mute|softer|more (?:softly|quietly)|less (?:volume|noise)|voice down|volume down|whisper|shh+|hush"
    r"|turn (?:it|that|the volume|yourself) down|turn it down|pipe down|lower (?:your voice|the volume)|(?:stop|quit|you|you're) shout\w*|too strong"
    r"|gain on the speaker|with the volume",
    Axis.BIGGER: r"bigger|oomph|grander|fuller|larger|increase the (?:size|range|movement)|more (?:range|movement|expressive\w*|enthusias\w*)|wider|barely (?:see|noticeable|visible|moved)|larger|wider|more (?:big|amplitude|energy|pronounced|dramatic)|increase the amplitude|broader"
    r"|put some heart|exaggerate|amplitude (?:\w+ )?insufficient",
    Axis.SMALLER: r"smaller|less (?:of a|theatrical|exaggerated|extreme|motion|range)|milder|gentler movements?|calmer gestures?|reduce the (?:size|range|movement)|over the top|overdo\w*|subtle|narrower|subtler|less (?:big|wild|dramatic|amplitude|movement)|tone \w+ down|off the swing"
    r"|(?:reduce|decrease) the amplitude",
    Axis.LONGER: r"longer(?! reaction)|(?:hold|stay)(?: \w+){0,3} (?:a moment|a bit|a while|more)|too soon|linger|not so (?:short|brief)|cut (?:it|that) short|don't rush off|prolong|hold (?:it|that) more|extend (?:it|the)|more time",
    Axis.SHORTER: r"shorter|cut it short|(?:on and on|drag(?:ged|ging|s)? on|go on|went on|blather|waffl\w*|babbl\w*|chatter)|fewer words|in short|wrap it up|summari[sz]e|less (?:talk\w*|words|wordy|long)|trim|long-winded|don't go on|briefer|more (?:short|brief|concise)|concise|brevity|tldr|to the point|ramble|tighter"
    r"|keep (?:it|\w+ \w+) (?:brief|short)|talk too much|go on for",
    Axis.CLOSER: r"(?<!getting )closer(?! to what)(?! now$)|come here a bit|not so far(?! up| down| left| right| to)|too far (?:away|back|off|from)|nearer|come (?:\w+ )?(?:close|near)|scoot in|lean in",
    Axis.FARTHER: r"not (?:so|that) (?:close|near)|too near|crowd\w*|breathing (?:space|room)|further from|(?:farther|further) (?:away|back|off)|farther|back (?:up|off|away)|move (?:\w+ )?back|back a"
    r"|more (?:distance|space)|me (?:some )?(?:space|room)|out of my face|step back|keep (?:\w+ )*distance",
    Axis.UNDO: r"undo|before (?:was|were) better|better before|was better|the way (?:it was|you did it)|as before|previous (?:way|one|setting|version)|the old way|reset (?:it|that)|go back$|take that back|reverse that|back the way|revert|ctrl z|(?:roll|change|put|turn|switch|set) (?:it|that|this) back|go back to (?:how|what|where)"
    r"|restore|(?:as|like|how) it was|return back|former state",
}
"""What asks for more of the axis as such."""

_TOO_MUCH = r"too|overly|less|not so|not as|not that|not quite so|way too|far too|excessively|unnecessarily|needlessly"
_RATHER = rf"{_TOO_MUCH}|a bit|a little|a trifle|a touch|a smidge|a hair|rather|somewhat|so|ever so|but|slightly|but to|tto|very|pretty|quite|awfully|terribly|really|going|just|only"
_SIDES = (Axis.YAW_LEFT, Axis.YAW_RIGHT)
_EXCESS = {
    axis: re.compile(
        rf"(?<!not )(?<!n't )\b(?:{_TOO_MUCH if axis in _SIDES else _RATHER})(?: too| much| damn| far)? (?:{words})\b(?! enough)"
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
