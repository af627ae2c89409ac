"""Keyword rules for English commands to stop and exclamations of pain or fear.

They remain until the classifier finds at least as many English stops (`training/stop/README.md`). Calm mentions of
stopping ("you can stop the session when you're done", "that stop was perfect", "don't stop") are not stops. When in
doubt, a text counts as a stop: a false stop is a nuisance, but a missed one may hurt somebody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from reachy_agent_ros.nlu.stop.danger import is_danger
from reachy_agent_ros.nlu.stop.english_words import english_words
from reachy_agent_ros.nlu.stop.lexicon import StopLevel
from reachy_agent_ros.nlu.stop.plain_words import MARKS
from reachy_agent_ros.nlu.stop.stop_cries import CALMING, is_cry

_NEAR = 6
"""Words on either side that determine the meaning of a "stop"."""

_EARSHOT = 14
"""Words on either side in which praise, laughter or a farewell makes a stop calm."""

_ADVERB = r"(?: (?:just|please|also|always|ever|really|now|maybe|simply|actually|even|only|probably|dare|to))*"

_DEMANDED = re.compile(
    rf"(?:\b(?:(?:cant|wont|couldnt|would|will|can|could|why dont) you|(?:if|unless) you (?:dont|wont)|"
    r"(?:make|get|have) (?:it|this|that|him|her|the robot|the arm|the thing)(?: to)?|"
    r"^please to|(?<!never )(?<!not )(?<!when )(?<!if )(?<!unless )(?<!until )(?<!till )(?<!didnt )(?<!dont )(?:i|we) "
    r"(?:just |already |clearly )?(?:said|say|told you|mean|meant|yelled|shouted)(?: to)?|"
    r"didnt (?:i|we) (?:just )?(?:say|tell you)(?: to)?|"
    r"(?:you|it|this|that|we) (?!(?:didnt|dont|never|not|wont|doesnt) )(?:\w+ )?"
    r"(?:(?:need|needs|have|has|got)(?: \w+)? to|gotta|must|better)|(?:youd|you had|wed) (?:\w+ )?better|"
    r"(?<!dont )(?<!nobody )(?<!never )(?<!didnt )(?:told|tell|telling|want|need|ask|asked|asking|begging|beg|order|"
    rf"ordering|ordered) (?:you|it|this|that) to){_ADVERB}|for (?:gods|heavens|christs) sake)$"
)
"""Words before "stop" that demand it."""

_NOT_ASKED = re.compile(
    r"(?:\b(?:dont|not|never|cant|couldnt|didnt|doesnt|wont|wouldnt|without|shouldnt|neednt|isnt|cannot|nothing|nobody)"
    rf"{_ADVERB}|\b(?:dont|do not|didnt|never)(?: you| i| we| ever| let \w+)+{_ADVERB}|"
    r"\b(?:you|we|it|he|she|they|i) (?:can|may|could|might|will|shall|would|did|do|should)"
    rf"{_ADVERB}|\b(?:can|could|shall|should|may|might|will|did|do) (?:we|i|it|he|she|they){_ADVERB}|"
    rf"\b(?:lets|let us|ill|well|youll|itll|theyll|youd|wed|id){_ADVERB}|"
    r"\b(?:a|an|the|this|that|your|his|her|its|my|our|another|each|every|first|last|next|one|non|full|bus|pit|tram|"
    r"train|metro|subway|truck|rest|gentle|clean|hard|soft|quick|sudden|abrupt|smooth|nice|good|great|perfect|lovely|"
    r"beautiful|better|precise|emergency|final|brief|short|word|words|command|button|sign|called|labelled|says|say|"
    r"time|earlier|means|e|end|early|before|after|until|till|when|whenever|where|how|ready|fine|free|to|and|or|of|with|"
    r"for|by|it|he|she|they|i|we|who|which|what|people|everyone|always|usually|often|sometimes|should|would|might)$|"
    r"\b(?:a|an) \w+$|^\w{3,}(?:ers|ors)$|"
    r"\b(?:never|didnt|not|dont|if|when|unless|whenever) (?:\w+ )?(?:said|say|saying|says)$|"
    r"\b(?:can|may|could|does|did)$|"
    r"\b(?:did|does|do|when|whenever|if|whether|before|after|until|once|where|how|saw|see|watch|watched|like|love|way|"
    r"made|why did|where did|when did|how did|each time|every time|whyd|howd|whered) (?:you|it|the \w+)"
    rf"{_ADVERB}|(?:did|does|will|would|should|could|can) (?:the|your|its|my) \w+)$"
)
"""Words before "stop" that deny, permit, question or report it, or make it a noun."""

_CONDITION = re.compile(
    r"^(?:and |but |so |ok |okay |what )?(?:when|whenever|once|if|in case|as soon as|should i)\b(?! you (?:dont|wont))"
)
"""Beginning of a clause that makes "stop" conditional."""

_REPORT = re.compile(
    r"\b(?:he|she|they|somebody|someone|people|everyone|everybody|nobody|who|mum|mom|dad|subject|guy|man|boss|police) "
    r"(?:\w+ )?(?:yelled|yells|shouted|shouts|screamed|cried|said|says|called|told (?:me|us|him|her) to)$"
)
"""Words before "stop" that attribute it to somebody else."""

_BARE_AND = re.compile(
    r"(?:\b(?:damn|dammit|goddamn|fuck|god damn) it$|(?:wait|shut up|enough|no|hey|please|ow|ouch|halt|and|come"
    r" on|look) (?:and|or)|^(?:and|or))$"
)
"""Words before "stop" with an "and" that only joins two orders."""

_THING = (
    r"(?:session|recording|record|timer|music|song|video|film|movie|game|lesson|exercise|training|experiment|test|demo|"
    r"demonstration|playback|program(?:me)?|app|stream|alarm|clock|podcast|radio|conversation|chat|meeting|call|"
    r"script|simulation|episode|trial|log|logging|story|class|practice|run|reading|tape|presentation|show|"
    r"server|bag|muziek|musik|musique|musica)"
)

_CALM_AFTER = re.compile(
    r"^(?:by\b|signs?\b|buttons?\b|lights?\b|watch\b|words?\b|over\b|after\b|when|once\b|exactly\b|precisely\b|"
    r"at (?!once\b)|before (?!you\b|it\b|some|i\b|he\b|she\b|any|we\b)|if (?:you (?:want|like|need|get)|i|it|there)|"
    r"on (?:the|beat|time|a|my)\b|half\b|me (?:if|when|from)\b|(?:\w+ )+(?:earlier|sooner|later|next time)\b|"
    r"earlier\b|sooner\b|later\b|slower\b|more\b|less\b|too\b|so\b|a (?:bit|little|touch|tad|fraction|few|centim)|"
    r"closer\b|nearer\b|near\b|next\b|between\b|halfway\b|smoothly\b|gently\b|softly\b|slowly\b|quicker\b|faster\b|"
    r"was\b|is\b|were\b|worked\b|works\b|feels\b|felt\b|looked\b|looks\b|function|commands?\b|gestures?\b|and think|"
    r"(?:conditions?|criteri\w+|distances?|latency|loss|bands?|codons?|bits?|gap|press|time|motion|and go|look)\b|"
    r"motion (?:film|video|animation|effect|picture)|in (?:a|an|one|two|three|five|ten|\d+|front|time|the middle)\b|"
    r"short\b|(?:there |here )?for (?:today|now|tonight|lunch|dinner|the (?:day|night|evening|week)|"
    r"a (?:break|rest|coffee|while))|"
    r"here (?:for|today|now|if|next|and)|"
    r"and (?:go|think|smell|look|listen|rest|wait|start|say|tell|take)\b|"
    rf"(?:the |this |that |your |my |our |all |any |de |la |el |il |le |die )?(?:\w+ )?{_THING}\b|"
    r"(?:recording|logging|training|laughing|smiling|thinking|loving|wondering|worrying|improving|learning|trying|"
    r"using|reading|raining|listening|watching|caring|dreaming|believing)\b)"
)
"""Words after "stop" that say where or how to stop next time or what else to end, or make it a noun."""

_OTHER_THING = re.compile(
    r"^(?:the|my|our|a|an) (?!robot|arms?|head|motors?|move|motion|thing|machine|antenna|body|hand|spin|turn|"
    r"dan|mad|non|"
    r"whole|damn|stupid|bloody|crap|fuck)\w+"
)
_AT_ONCE = re.compile(r"\b(?:immediately|instantly|at once|right now)\b")

_HARMLESS_DOING = re.compile(r"^(?!doing|going|coming|anything|everything|nothing|thing)\w{2,}ing\b")
_HARMFUL = re.compile(
    r"^(?:mov|turn|spin|shak|rotat|swing|hitt|push|pull|touch|hurt|pinch|squeez|grabb|poke|pok|press|scar|danc|wav|"
    r"nodd|tilt|bang|knock|scratch|crush|bit|lean|fall|driv|bend|twist|fight|attack|shov|"
    r"being (?:\w+ )?(?:dangerous|rough|violent)|yell|scream|flail|jerk|vibrat|"
    r"thrash|writh|wriggl|jab|thump|buzz|grind|trembl|drag|yank|clamp|grip|chok|rock)"
)

_OATH = re.compile(
    r"\b(?:good|thank|great) (?:god|lord|grief|heavens)\b|"
    r"\b(?:not|isnt|aint|wasnt|no)(?: at all| even)? (?:good|great|nice|ok|okay|fun|funny|cute|cool)\b|\blove of \w+"
)
_SHOUTED = frozenset(["immediately", "instantly", "ow", "ouch", "no", "danger", "hurting", "hurts"])
_HURRY = _SHOUTED | frozenset(["now", "hey", "quick", "quickly"])


def english_level(text: str) -> StopLevel:
    """Returns the urgency of a stop in an English text. Takes time linear in the length of the text.

    Args:
        text: Typed or transcribed text of any length and script.
    """
    words = english_words(text)
    if is_danger(words) or is_cry(words):
        return StopLevel.URGENT
    stops = any(_is_urgent(words, index) for index, word in enumerate(words) if word == "stop")
    return StopLevel.PLAIN if stops else StopLevel.NONE


def _is_urgent(words: Sequence[str], index: int) -> bool:
    before, after = _before(words, index), _after(words, index)
    hurried = _is_hurried(words, index)
    if not hurried and (_REPORT.search(before) or _CONDITION.match(_clause(words, index))):
        return False
    if not _DEMANDED.search(before) and _NOT_ASKED.search(before) and not _BARE_AND.search(before):
        return bool(re.match(r"(?:hey |no |ow |now )*you$", before)) and hurried
    if re.search(r"\byou$", before) and not _DEMANDED.search(before) and not hurried and not _ends_soon(after):
        return False
    if _CALM_AFTER.match(after) and not _AT_ONCE.search(after):
        return False
    exclaimed = hurried or "!" in words[index : index + 1 + len(after.split()) + 1]
    if _HARMLESS_DOING.match(after) and not _HARMFUL.match(after) and not hurried:
        return False
    if _OTHER_THING.match(after) and not exclaimed:
        return False
    angry = hurried and re.match(r"(?:it|that|this)\b", after) is not None
    return angry or _is_hurried(words, index, _SHOUTED) or not _is_calmed(words, index)


def _before(words: Sequence[str], index: int) -> str:
    start = index
    while start > max(0, index - _NEAR) and words[start - 1] not in MARKS and words[start - 1] != "stop":
        start -= 1
    return " ".join(words[start:index])


def _clause(words: Sequence[str], index: int) -> str:
    """Returns the last words (at most `_EARSHOT`) before "stop" in the same sentence."""
    start = index
    while start > max(0, index - _EARSHOT) and words[start - 1] not in ".!?":
        start -= 1
    return " ".join(words[start:index])


def _after(words: Sequence[str], index: int) -> str:
    end = index + 1
    while end < min(len(words), index + 1 + _NEAR) and words[end] not in MARKS:
        end += 1
    return " ".join(words[index + 1 : end])


def _is_hurried(words: Sequence[str], index: int, hurry: Set[str] = _HURRY) -> bool:
    """Returns whether a sign of urgency is near "stop": "no", "now", a second "stop", or an exclamation mark."""
    behind = words[index + 1 : index + 4]
    ahead = words[max(0, index - 3) : index]
    if behind[:1] == ["!"] or "stop" in behind[:2] or "stop" in ahead[-2:]:
        return True
    return not hurry.isdisjoint(ahead) or not hurry.isdisjoint(behind)


def _ends_soon(after: str) -> bool:
    return bool(
        re.fullmatch(
            r"(?:it|that|this|right|now|there|already|at once|immediately|please)?(?: (?:now|away|there))?", after
        )
    )


def _is_calmed(words: Sequence[str], index: int) -> bool:
    near = words[max(0, index - _EARSHOT) : index + _EARSHOT]
    return not CALMING.isdisjoint(_OATH.sub("", " ".join(near)).replace("too kind", "flatter").split())
