"""Patterns of stop commands in their various wordings."""

from __future__ import annotations

import re

_DOING = (
    r"(?:moving|turning|looking|dancing|talking|speaking|nodding|shaking|rotating|spinning|wiggling|"
    r"doing (?:that|this|it)|"
    r"what you are doing|that|this|it|everything|all motion|all movement|the motion|the movement|the dance|the music)"
)
_WHAT = r"(?: (?:around|left|right|up|down|(?:your|the) (?:head|body|antennas?|ears?|motors?)))*"
_PHRASE = (
    rf"(?:(?:stop|quit|cease|halt|cancel|abort)(?: {_DOING}{_WHAT})?|cancel (?:the )?(?:move|motion|action|command)|"
    r"freeze|hold (?:still|on|it|your horses|your position|that pose|position)|"
    r"emergency stop|e stop|stop there|"
    r"stay (?:still|put)|"
    r"(?:be|stand|keep|hold) still(?: for (?:a|1) (?:moment|second|minute|bit))?|"
    r"do not move(?: (?:a muscle|any more|anymore|your head))?|"
    r"whoa|woah|wait(?: a (?:second|moment|minute))?|that is enough|enough|knock it off|cut it out|"
    r"be quiet|quiet|silence|shut up|hush|stop all)"
)
_AROUND = (
    r"(?:please|no|oh|wait|hey|whoa|woah|okay|ok|now|right now|right there|right away|immediately|at once|quick|"
    r"quickly|god|my god|reachy|richie|just|you have to|you must|you need to|i said|would you|will you|can you|"
    r"could you|for me|thanks|thank you|already|there|everyone|for god is sake)"
)
# The tail matches atomically: words that fit two alternatives would double the work with each repetition.
STOP = re.compile(rf"(?:{_AROUND} )*{_PHRASE}(?: (?>(?:{_PHRASE}|{_AROUND})(?= |$)))*+")
"""A clause that is a stop and nothing else: "no no please stop right now"."""

TRAILING_STOP = re.compile(
    rf"(?P<command>.+?) (?:{_AROUND} )*(?:stop|halt|freeze)(?: (?>(?:stop|halt|freeze|{_AROUND})(?= |$)))*+"
)
"""A command directly followed by a stop, as transcribed without punctuation."""
