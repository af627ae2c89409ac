"""Sentences that tell of danger or pain, after which a robot must stop."""

from __future__ import annotations

import re
from collections.abc import Sequence

_END = r"(?= [.,!]|$| (?:now|right|stop|please|no|ow|ouch|you)\b)"
_BODY = r"(?:fingers?|hands?|hair|arm|sleeve|scarf|necklace|wrist|thumb|toes?|foot|leg|neck|nose|eye|ear|face)"
_WEAK = r"(?:baby|child|kids?|toddler|cat|dog|girl|boy|children|patient|grandma|granny)"
_SOMEBODY = rf"(?:me|him|her|us|them|some(?:one|body)|my \w+|his \w+|the {_WEAK})"
_YOU_ARE = r"(?:youre|you are|its|it is|that thing is|the (?:robot|arm|head|thing) is)"
_HARM = (
    r"(?:hit|crush|hurt|kill|stab|burn|knock|break|drop|spill|smash|rip|tear|choke|trap|squash|poke|crash|tip|topple)"
)

_DANGERS = (
    rf"{_YOU_ARE} (?:really )?(?:hurting|crushing|pinching|squashing|choking|squeezing|scratching|strangling|burning|"
    rf"pulling|pressing on|leaning on|scaring) {_SOMEBODY}",
    rf"{_YOU_ARE} (?:falling(?! (?:asleep|behind|short|in|for))|tipping over|slipping|sparking|smoking|overheating|"
    r"melting|on fire|burning up)\b(?<!youre on fire)",
    rf"{_YOU_ARE} (?:gonna|going to|about to) (?:\w+ )?(?:{_HARM}|fall(?! (?:asleep|in|"
    rf"for)))\b(?! (?:the )?(?:record|bank|ice))",
    rf"(?:youll|itll) (?:\w+ )?{_HARM} (?:it|yourself|the \w+|{_SOMEBODY})",
    rf"the \w+ (?:is|are) (?:about|going) to (?:fall|{_HARM})\b",
    r"the \w+ (?:is|are|got) (?:caught|wrapped|tangled|jammed|stuck) (?:in|on|around|under) (?:you|your|my|his|her)\b",
    rf"(?:my|his|her|\w+s) {_BODY}s? (?:is |are |its |got |gets )?(?:stuck|caught|trapped|jammed|under|in there|"
    rf"in it)\b",
    rf"(?:youve|you have|you) (?:got|trapped|caught|pinched|crushed) my {_BODY}",
    rf"you (?:just |nearly |almost )*+(?:hit|poked|scratched|burned|burnt|slapped|bit) {_SOMEBODY}{_END}",
    rf"(?:that|thats|it|its|this|you) (?:is |really |are )?(?:hurts?|hurting|burns|stings)(?: me| a lot|"
    rf" so much)?{_END}",
    r"(?:is|are|got|was) (?:badly )?(?:hurt|bleeding|injured)\b",
    rf"let (?:me|him|her) go{_END}",
    rf"let go(?: of (?:it|that|{_SOMEBODY}))?{_END}",
    rf"get (?:it |that |this |the thing )?(?:off|away from|out of) (?:of )?(?:me|my (?:hand|hair)|him|her){_END}",
    rf"get (?:off|away from) (?:of )?the (?:{_WEAK}|edge|stairs|stove)",
    rf"(?:get|keep|take|stay) (?:\w+ |the \w+ |this \w+ |that \w+ )?away from (?:me|him|her|my \w+|the \w+){_END}",
    rf"(?:theres|there is) (?:a|my|some|the) ?(?:{_WEAK}|hand|finger|body|one|person) (?:right )?(?:behind|"
    rf"under|in the way)",
    r"get your (?:\w+ )?(?:hands?|head|antennas?|thing) off",
    r"leave me alone",
    rf"dont (?:you )?touch (?:me|him|her|it|that|the (?:{_WEAK}|stove|knife))",
    r"(?:cut|kill|(?:switch|turn|shut) off) (?:the )?(?:power|motors?|engines?|robot)(?! (?:when|after|once|"
    r"later|for))",
    r"(?:shut|turn|switch|power) (?:this|that) (?:\w+ )?thing (?:off|down)",
    r"pull the plug|unplug (?:it|him|yourself|this|that|the robot)",
    r"(?:kill|grab|catch) it before|(?:take|keep) your \w+ (?:off|away|out of)",
    r"dont (?:you )?(?:dare )?move (?:another|any|an)",
    rf"too close to the (?:{_WEAK}|edge|stove|candle|fire|water|stairs)",
    rf"(?:my|his|her|\w+s) {_BODY} (?:is|are) (?:between|inside|in (?:your|the (?:gap|joint|gears?|hinge|way)))\b",
    r"(?:im|hes|shes|theyre) (?:bleeding|hurt|trapped)\b|shocked me",
    rf"quit (?:\w+ing) {_SOMEBODY}",
    r"(?:hit|press|push|slam) the (?:big )?(?:red|emergency|kill|e) (?:stop |off )?(?:stop|button|switch)",
    r"(?:shut|turn|switch|power) (?:it |yourself |this |that |everything |the robot |the thing )?(?:off|down) "
    r"(?:right now|immediately|at once|before|now !)",
    r"(kill it|(?:turn|switch|shut) it (?:off|down)|get it off)(?: [,!.])? \1",
    r"(?:halt|freeze) (?:all|everything|right|now|immediately|at once|or|the (?:arm|robot|motors?|motion|"
    r"movement|head))\b",
    r"(?:(?:i|there is|theres|i can) (?:smell|see)?|smells like|something is) ?(?:something )?(?:smoke|fire|burning)\b"
    r"(?! (?:place|works|wood))",
    rf"(?:never|dont) (?:you )?(?:ever |dare )*+(?:do|try) (?:that|this|it) (?:ever )?again{_END}",
    r"(?:mind|watch) (?:the|my) \w+ !|dont (?:come|move|go|get) (?:any )?(?:closer|nearer)(?: to me)? !",
    r"somebody stop (?:it|him|that)|call (?:an ambulance|nine one one|911|112)",
)
_DANGER = re.compile(rf"\b(?:{'|'.join(_DANGERS)})")
"""Anywhere in what is said."""

_HARMLESS = re.compile(
    r"\b(?:(?:wouldnt|doesnt|didnt|wont|not|never|cant|couldnt|does|did|how to|able to|ready to|try to|if|when)"
    r"(?: \w+)?|(?:you|we|i) (?:can|could|may|should|will))$"
)
"""Before it: told of, asked about, allowed."""


def is_danger(words: Sequence[str]) -> bool:
    """Whether somebody tells of danger or pain, anywhere in what is said.

    Args:
        words: From `plain_words`.
    """
    text = " ".join(words)
    return any(
        not _HARMLESS.search(text[max(0, found.start() - 30) : found.start()].rstrip())
        for found in _DANGER.finditer(text)
    )
