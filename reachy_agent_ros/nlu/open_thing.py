"""Rules for commands to look at, find or follow a thing that is in no list: "look at my unicorn".

Such a thing is named by an article or a possessive and one to three words. Nouns for what nobody can see ("look at the
time", "find the answer") are excluded, because the sentence is then not a command for the robot.
"""

from __future__ import annotations

import re

from reachy_agent_ros.nlu.clause import NOTHING, Clause, Meanings, PhraseRule, RuleMeaning, call, command
from reachy_agent_ros.nlu.text import word_set
from reachy_agent_ros.nlu.vocabulary import NOUNS, PLURALS, thing_named

_DETERMINER = r"(?:the|a|an|my|our|his|her|their|that|this|those|these|some)"
_OWNER = r"(?:(?:(?:my|our|the) )?(?!what|where|who|that|there|here|it|he|she|this|how|when|why)[a-z]+ is )"
_THING = rf"(?:{_DETERMINER} {_OWNER}?|{_OWNER})(?P<thing>[a-z]+(?: [a-z]+){{0,2}}?)"
_PLACE = (
    r"(?:(?: over| right)? (?:here|there)|(?: (?:on|in|by|near|behind|under|next to) (?:the|my|your|this) \w+)|"
    r" anywhere| somewhere| around(?: here)?| in here| lying around| closely| carefully)?"
)

_NO_WORD = (
    r"(?:the|a|an|my|your|our|his|her|their|its|that|this|and|or|of|to|in|on|at|for|with|from|by|about|is|are|was|were|"
    r"be|it|he|she|they|we|you|i|me|him|us|them|if|when|while|who|what|where|how|why|which|not|no|do|does|did|has|"
    r"have|had|"
    r"can|will|would|could|should|than|then|as|so|too|very|just|please|again|out|off|up|down|left|right|\d+)"
)
_UNSEEN = word_set(
    "instagram facebook twitter tiktok youtube account profile blog love mind statistics calories expenses budget "
    "spending progress appointment appointments package parcel delivery bathroom toilet loo kitchen garden bakery "
    "pharmacy chemist supermarket bank exit entrance beach mall library museum park pub bar cafe party fire harm fun "
    "logic catch sense past present floor ceiling ground oven stove answer answers time way ways weather news problem "
    "problems mistake mistakes meaning difference reason reasons point points result results price prices cost costs "
    "instruction instructions direction directions rule rules recipe recipes plan plans dream dreams heart lead "
    "example examples advice law laws order orders speed step steps manner manners language tone side sides future "
    "state mess day days night week weekend month year minute hour second moment details detail data numbers number "
    "score facts fact evidence truth story stories plot thread conversation lecture money market situation case issue "
    "issues bug bugs error errors code idea ideas option options solution solutions root job work house flat hotel "
    "restaurant station airport shop store office doctor dentist vet plumber ticket tickets flight flights train "
    "trains bus meeting schedule calendar date dates email emails website site page pages link file files folder "
    "document song songs album video videos channel show shows movie movies film films game games match race series "
    "episode program football cricket kids children traffic road path route map crowd leader fashion trend "
    "trends career course courage strength peace balance place places word words sentence spelling translation "
    "definition capital population square area volume temperature forecast guy girl one ones thing things stuff lot "
    "bit best worst rest middle end start beginning top bottom back front corner edge center other others same bright "
    "big picture world sun moon stars sky mother father mum mom dad brother sister wife husband son daughter boss "
    "friend friends teacher people"
)
"""Last words of phrases that do not name a thing in the room, or one that another rule reads."""


_COLORS = word_set("red green blue yellow black white brown pink purple orange grey gray")
_COMPARED = word_set("nearest closest cheapest best next last first")
"""Words that ask for a choice among things that the robot cannot know."""


def _of_thing(tool: str) -> RuleMeaning:
    """Creates a rule's meaning that calls a tool with the thing's name."""

    def meanings(match: re.Match[str], clause: Clause) -> Meanings:
        words = match["thing"].split()
        if not _COMPARED.isdisjoint(words) or (words[-1].endswith("ing") and words[-1] not in NOUNS):
            return NOTHING
        if words[-1] in _UNSEEN or any(re.fullmatch(_NO_WORD, word) for word in words) or clause.degrees is not None:
            return NOTHING
        if words[-1] in _COLORS and len(words) > 1:  # "the cup blue"
            words = [words[-1], *words[:-1]]
        if tool == "follow_object" and words[-1] == "face":
            return command(call("head_tracking", enabled=True))
        is_known = words[-1] in NOUNS or words[-1] in PLURALS
        return command(call(tool, name=thing_named(words[-1]) if is_known else " ".join(words)))

    return meanings


_LOOK = (
    r"(?:(?:have|take) a (?:(?:good|close|closer|quick|wee|little) )?)?(?:look|glance|gaze|peek|peer|stare|squint)"
    r"(?: over| straight| directly| closely| down| up)*(?: at| to| towards?| over at)"
)
_AIM = (
    r"(?:turn|point|move|direct|aim|set|fix|cast|swing|swivel)(?: your (?:head|eyes|face|gaze|camera|"
    r"attention))(?: over|"
    r" round| around)?(?: to| towards?| at| on| onto)|focus(?: your \w+)? on|eyes on"
)
_FIND = (
    r"(?:(?:try to |help me (?:to )?|see if you can |go )?(?:find|locate|spot|seek|track down|hunt down|search for|"
    r"look (?:around |about |round )?for|hunt for|have a look (?:around |about |round )?for)(?: me| us)?|"
    r"have you seen|(?:can|do) you see|where (?:did|have) i (?:put|leave|left|drop|lose)|"
    r"where (?:is|are)(?= (?:my|our|his|her)\b)|"
    r"i (?:can not|do not know where i put|have lost|lost|am looking for)(?: find)?)"
)
_FOLLOW = (
    r"(?:(?:keep |start )?(?:following|tracking|watching)|(?:follow|track)|"
    r"keep your (?:eyes?|gaze|camera) on|lock on(?:to)?(?: to)?)"
)
_GOES = (
    r"(?: around| about| with your (?:head|eyes|gaze|camera)| (?:wherever|everywhere|as|while|when) (?:it|he|she|they) "
    r"\w+| at all times| as it moves| for (?:me|us))*"
)

RULES = (
    PhraseRule(rf"(?:{_LOOK}|{_AIM}) {_THING}{_PLACE}", _of_thing("look_at_object")),
    PhraseRule(
        rf"{_FIND} (?!(?:a|an|some) ){_THING}{_PLACE}(?: (?:is|are|go|gone|been|at|hiding|lying))?",
        _of_thing("find_object"),
    ),
    PhraseRule(rf"{_FOLLOW} {_THING}{_PLACE}{_GOES}", _of_thing("follow_object")),
)
"""Applied after the rules for known things."""
