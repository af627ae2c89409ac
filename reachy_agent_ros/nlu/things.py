"""Things by the names that people and detectors have for them."""

from __future__ import annotations

import re

_NOUNS = (
    "apple croissant duck face cup mug bottle glass bowl plate fork knife spoon banana orange sandwich pizza cake "
    "book pen pencil phone laptop keyboard mouse remote ball clock vase chair plant lamp bag box key scissors toy cat "
    "dog bird umbrella wallet glasses sunglasses keys headphones charger cable camera tablet notebook monitor screen "
    "backpack handbag suitcase hat shoe sock jacket scarf glove towel pillow blanket sofa couch bed door window mirror "
    "toothbrush hairdryer bicycle car donut carrot broccoli lemon pear tomato potato cookie kettle pan pot teapot can "
    "jar basket bucket broom hammer screwdriver wrench stapler ruler eraser crayon marker envelope newspaper magazine "
    "puzzle doll balloon candle flower rose guitar speaker microphone television tv painting poster whiteboard "
    "doorbell watch ring necklace coin dice frisbee kite skateboard snowboard racket helmet robot"
)
_COMPOUNDS = (
    "teddy bear|tennis racket|tennis ball|cell phone|mobile phone|wine glass|potted plant|coffee cup|coffee mug|"
    "tea cup|water bottle|remote control|baseball bat|hair dryer|traffic light|lunch box|hot dog|soda can|pencil case"
)
_ALIKE = {
    "duck": "ducky duckie duckling",
    "face": "person human people somebody someone anybody anyone",
    "phone": "smartphone",
    "donut": "doughnut",
    "sofa": "settee",
    "bicycle": "bike",
}
_NO_DETECTOR_SAYS = {
    "cell phone": "phone",
    "mobile phone": "phone",
    "potted plant": "plant",
    "coffee cup": "cup",
    "coffee mug": "mug",
    "tea cup": "cup",
    "water bottle": "bottle",
    "remote control": "remote",
}
_IRREGULAR = {"knives": "knife", "mice": "mouse"}

NOUNS = (
    {noun: noun for noun in _NOUNS.split()}
    | {noun: _NO_DETECTOR_SAYS.get(noun, noun) for noun in _COMPOUNDS.split("|")}
    | {word: noun for noun, words in _ALIKE.items() for word in words.split()}
)
"""Things on a table or in a room, by the names that detectors know them by. Other nouns are left to a model: nobody
finds a mistake or looks at the time by turning the head."""

PLURALS = {
    (noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")): noun
    for noun in NOUNS
    if noun not in ("face", "people", "scissors", "glasses", "sunglasses", "keys", "headphones")
} | _IRREGULAR
"""More than one of them."""

_ADJECTIVES = (
    "little|small|big|large|tiny|tall|old|new|empty|full|nearest|closest|other|same|favou?rite|"
    "yellow|red|green|blue|black|white|brown|pink|purple|orange|grey|gray|silver|golden|rubber|toy|plastic|wooden|"
    "glass|metal|paper|coffee|tea|water"
)
_WHERE = (
    r"(?: (?:(?:on|from|in|at) (?:the|my|your|this|that) (?:table|desk|room|shelf|floor|chair|kitchen)|over there|"
    r"there|in here|in front of you|around|anywhere|next to (?:you|me)|around here|somewhere))*"
)

THING = (
    r"(?:(?:the|a|an|any|another|my|our|your|his|her|that|this|those|these|some) )?"
    rf"(?:(?:{_ADJECTIVES}) )*(?P<thing>{'|'.join(sorted([*NOUNS, *PLURALS], key=len, reverse=True))}){_WHERE}"
)
"""Pattern of one thing, whose noun is the group `thing`."""

_COMPOUND = re.compile(rf"\b(?:{_COMPOUNDS})s?\b")


def thing_named(noun: str) -> str:
    """The name a detector has for a noun of `THING`."""
    return NOUNS.get(noun) or NOUNS[PLURALS[noun]]


def compound_in(phrase: str) -> str | None:
    """The first noun of several words that a phrase has."""
    match = _COMPOUND.search(phrase)
    return None if match is None else match.group()
