"""Rules for perception: photos, robot state, objects in view, finding and following, questions about the scene."""

from __future__ import annotations

import re

from reachy_agent_ros.nlu.clause import NOTHING, PhraseRule, RuleMeaning, call, command, plain_call
from reachy_agent_ros.nlu.text import joined, strip_courtesies, words_of
from reachy_agent_ros.nlu.vocabulary import NOUNS, PLURALS, THING, thing_named

_PICTURE = r"(?:photo|photograph|picture|pic|snapshot|selfie|image|shot)"
_OF = (
    r"(?: (?:of|with) (?:me|us|this|that|it|the room|the scene|everything|what you see|what is in front of you|"
    r"your surroundings|yourself|your camera|"
    r"(?:the|my|our|this|that|these|those|his|her) (?!.* off$)\w+(?: \w+)?|(?:me|us) and (?:my|our) \w+))?"
)
_STATE = (
    r"(?:(?:robot|current|own|internal|joint) )*(?:state|status|pose|posture|position|joint angles)"
    r"(?: of (?:your|the) (?:body|head|motors|joints|robot|antennas))?"
)


_SENSE_RULES = (
    PhraseRule(
        rf"(?:take|snap|shoot|capture|make|grab|get)(?: me| us)? (?:a|an|another|1|the|1 more)(?: (?:new|nice))? "
        rf"{_PICTURE}{_OF}|(?:photograph|picture) (?:me|us|this|that|the room)|take {_PICTURE}s?{_OF}",
        plain_call("take_photo"),
    ),
    PhraseRule(
        rf"(?:what is|tell me|give me|report|show me|show|check|get|read(?: out)?(?: me)?)(?: (?:your|the))? {_STATE}|"
        r"(?:robot )?(?:state|status)(?: report| check)?|(?:give me a |get )?status report|"
        r"where is your head(?: pointing| now)?|where are you (?:looking|facing|pointing)(?: at)?|are you moving|"
        r"which way are you (?:looking|facing)|what is your head (?:position|pose|angle|orientation)",
        plain_call("get_robot_state"),
    ),
)

BARE_LOOK = re.compile(r"(?:(?:take|have) a )?look(?: here| there| at (?:this|that))?")
"""A look without a target, before a question about what is visible."""

SIGHT = re.compile(
    r"(?:(?:tell|show|let)(?: me| us)?(?: know)? |describe(?: to me)? |say |report |explain )?(?:what (?:do|can) you "
    r"see|what you (?:can )?see|what (?:are you|you are) (?:looking at|seeing)|what (?:do you notice|am i (?:holding|"
    r"wearing|doing)|can your camera see|is (?:visible|in view|happening|going on))|who (?:is (?:there|in front of you|"
    r"here)|do you see|can you see)|what is (?:(?:there|in front of you|before you|around you|over "
    r"there)))(?: (?:there|here|now|in front of you|around you|over there|with your camera))?|"
    r"describe (?:the (?:scene|room|view|picture|photo|image)|your (?:surroundings|view)|what is in front of you)"
)
"""A question about what the robot sees."""


_HERE = (
    r"(?:(?:right )?(?:there|here|now|in front of (?:you|the camera)|before you|around(?: you| here)?|in view|nearby|"
    r"in (?:the|this|your) (?:room|picture|image|scene|view)|on (?:the|this|my|your) (?:table|desk|floor|shelf))|"
    r"(?:that )?you (?:can )?(?:currently )?(?:see|detect|recogni[sz]e|spot)|(?:that are )?visible)"
)
_OBJECTS = r"(?:(?:the|any|some|all|all the|all of the|every|known) )?(?:objects?|things?|items?|stuff|everything)"
_SEE = r"(?:can you|do you|could you) (?:currently )?(?:see|detect|recogni[sz]e|identify|spot|make out|find)"

_DETECT = re.compile(
    rf"(?:detect|recogni[sz]e|identify|spot|scan for) {_OBJECTS}(?: {_HERE})*|"
    rf"(?:list|enumerate|name)(?: me| us)? {_OBJECTS}(?: {_HERE})+|"
    rf"(?:list|enumerate) (?:the|all|all the) (?:objects|things|items)|"
    rf"(?:do|run|start|perform)(?: an?| the| your)? object (?:detection|recognition)(?: {_HERE})*|object detection|"
    rf"(?:what|which)(?: (?:kinds?|sorts?|types?) of)? (?:objects?|things|items) (?:{_SEE}|(?:are|is)(?: {_HERE})+)"
    rf"(?: {_HERE})*|"
    rf"(?:tell|show)(?: me| us)? (?:what|which) (?:objects?|things|items) (?:you (?:can )?(?:see|detect|recogni[sz]e)|"
    rf"(?:are|is)(?: {_HERE})+)(?: {_HERE})*|"
    rf"(?:tell|show|give)(?: me| us)? (?:a list of )?(?:all )?(?:the |all the )?(?:objects|things|items)(?: {_HERE})+|"
    rf"(?:make|give me|show me) (?:a|the) list of {_OBJECTS}(?: {_HERE})+|"
    rf"what (?:can|do) you (?:detect|recogni[sz]e)(?: {_HERE})*|tell me what you (?:can )?detect"
)

_THINGS = (
    rf"(?:\w+ )?(?:people|persons|faces|kids|children|fingers|hands|{'|'.join([*PLURALS, *NOUNS])}|objects|"
    rf"things|items)"
)
_LOOKED_AT = (
    r"(?:the (?:scene|room|table|desk|picture|image|view|situation)|your (?:surroundings|view|environment)|"
    r"what (?:you (?:can )?see|is (?:in front of you|before you|around you|on the (?:table|desk)|going on)))"
)
_COLOR = r"what colou?rs?"
_ASKS = re.compile(r"^(?:tell|show) (?:me|us) ")
_MINE = (
    r"(?:(?:the|my|this|that|your) )?(?:shirt|sweater|hair|jacket|hat|dress|t shirt|tie|glasses|eyes|shoes|trousers)"
)
_QUESTION = re.compile(
    rf"how many {_THINGS} (?:{_SEE}|you (?:can )?see|am i holding(?: up)?|i am holding(?: up)?|"
    rf"(?:are|is)(?: there)?(?: {_HERE})+|are there)(?: {_HERE})*|"
    rf"(?:count|count up) (?:the|all|all the|how many|my) {_THINGS}(?: (?:there are|are there))?(?: {_HERE})*|"
    rf"(?:analy[sz]e|examine and analy[sz]e|assess|evaluate|interpret) {_LOOKED_AT}(?: {_HERE})*(?: for .+)?|"
    rf"(?:do|give me|run|perform) (?:a |an )?(?:scene )?analysis(?: of {_LOOKED_AT})?|"
    rf"{_COLOR} (?:is|are) (?:{_MINE}|this|that|these|(?:the|this|that|my) (?:{'|'.join(NOUNS)}))(?: {_HERE})*|"
    rf"{_COLOR} do you see|"
    rf"is (?:there )?(?:anybody|anyone|somebody|someone|a person|anything|something)(?: {_HERE})+|"
    rf"are there any {_THINGS}(?: {_HERE})+|"
    rf"(?:which|what) (?:{'|'.join(NOUNS)}|object|thing|item) is (?:the )?(?:bigger|biggest|largest|smallest|nearest|"
    rf"closest|tallest|left|leftmost|rightmost|in the middle)(?: {_HERE})*"
)


def scene_question(sentence: str) -> str | None:
    """Returns the question about the scene in a clause, such as "how many cups do you see", or None."""
    question = _ASKS.sub("", sentence)
    return question if _QUESTION.fullmatch(question) else None


_SEARCH = re.compile(
    r"(?:find|locate|spot|look for|search for|look at|where is)(?: (?:a|an|the|my|our|your|some|any))+ "
    r"(?P<thing>[a-z]+(?: [a-z]+)?)(?: (?:in|on|under|behind|over|near) .+| please| here| anywhere)?"
)


def thing_asked_for(text: str) -> str:
    """Returns the object that a sentence asks the robot to find or look at; empty if the sentence asks for none."""
    match = _SEARCH.fullmatch(strip_courtesies(joined(word for word in words_of(text) if not word.is_mark)))
    return "" if match is None else match["thing"]


_FACE = (
    r"(?:me|my face|my head|us|people|faces|(?:(?:the|a) (?:face|person|human)|whoever is|who is|the person who is)"
    r"(?: in front(?: of you)?)?|where i (?:go|am|walk))"
    r"(?: (?:around|with (?:your|the) (?:head|eyes|gaze|face)|around the room|wherever i go|everywhere|"
    r"(?:while|as|when) i (?:walk|move|go|talk|speak|work)(?: (?:around|about))?))*"
)
_AWAY = r"(?: (?:any ?more|any longer|any further|already|around|everywhere))*"

_FOLLOWING = r"(?:following|tracking|watching|staring at|looking at|keeping track of)"
_TRACKING = r"(?:the )?(?:(?:head|face) (?:tracking|following)|tracking|follow mode|following mode)"
_ON = rf"(?:start|begin|enable|activate|turn on|switch on) {_TRACKING}|(?:turn|switch) {_TRACKING} on|{_TRACKING} on"
_OFF = (
    rf"no more {_FOLLOWING}|(?:stop|end|disable|deactivate|cancel|no more|turn off|switch off) {_TRACKING}|"
    rf"(?:turn|switch) {_TRACKING} off|{_TRACKING} off"
)


def _of_thing(tool: str) -> RuleMeaning:
    """Creates a rule's meaning that calls a tool with the object's name, only for clauses without modifiers."""
    return lambda match, clause: command(call(tool, name=thing_named(match["thing"]))) if clause.plain else NOTHING


_AT_ME = (
    r"(?:look|stare|gaze|glance|peek)(?: over| straight| directly| up)? (?:at|to|towards?) (?:me|us)|face me|"
    r"(?:turn|turn around|turn back|point your head|move your head|turn your head)(?: over)? (?:to|towards?)"
    r"(?: face)? (?:me|us)|look in(?:to)? my (?:eyes|face)|look over here at me"
)

_SOMEBODY = r"(?:somebody|someone|anybody|anyone|people|(?:a )?(?:person|human|face)s?)"
_AROUND = r"(?:still )?(?:there|here|around|nearby|with us|in the room)"
_SWEEP = (
    rf"look (?:all )?around(?: the room)? (?:for|to (?:find|see)|until you (?:see|find|spot)) {_SOMEBODY}|"
    rf"(?:look(?: around)?(?: to (?:see|check))?|see|check|find out) (?:if|whether) "
    rf"(?:there is {_SOMEBODY}|{_SOMEBODY} is)(?: {_AROUND})?|(?:scan|search|sweep) the room for {_SOMEBODY}"
)

_SIGHT_RULES = (
    PhraseRule(_SWEEP, plain_call("sweep_look")),
    PhraseRule(_AT_ME, plain_call("look_at_object", name="face")),
    PhraseRule(
        r"(?:go )?(?:(?:(?:try|help me|see if you can) (?:to )?)?(?:find|locate|spot|discover|seek|track down)(?: me| "
        r"us| out where)?|(?:(?:try|help me) (?:to )?)?(?:look|search|hunt|scan|have a look|go looking)(?: (?:around|"
        r"everywhere|the (?:room|table|desk)))* for|i am looking for|any sign of|where (?:did|have) i (?:leave|left|"
        r"put)|(?:can|could) you see where|see where|check where|(?:check|see) (?:whether|if) (?:there is|you (?:can "
        r")?(?:see|find|spot|locate))|where has|where did|where have|"
        rf"(?:(?:show|tell)(?: me| us)? )?where (?:is|are)|(?:show|tell)(?: me| us)? where) "
        rf"{THING}(?: (?:is|are|go|gone|been))?",
        _of_thing("find_object"),
    ),
    PhraseRule(
        rf"(?:(?:start|begin) to )?(?:follow|track|watch|keep (?:looking at|following|watching|tracking|facing)|"
        rf"(?:keep|fix) your eyes on|(?:start|begin) (?:following|tracking|watching)|lock onto|lock on to|"
        rf"(?:do not|never) (?:lose (?:sight|track) of|stop (?:following|watching|tracking|looking at)|"
        rf"take your eyes off)|maintain eye contact with|keep eye contact with|keep track of|"
        rf"(?:let|have) your (?:eyes|head|gaze|face) follow) {_FACE}|{_ON}|eyes on me|"
        rf"(?:keep|maintain|hold) eye contact",
        plain_call("head_tracking", enabled=True),
    ),
    PhraseRule(
        rf"(?:(?:(?:have|take) a (?:(?:good|close|closer|quick) )?)?(?:look|stare|gaze|glance|peek|peer)(?: over|"
        rf" straight| directly| closely)*(?: at| to| towards?)|(?:turn|point|move|direct|aim|bring|set|fix|cast)"
        rf"(?: (?:your|the) (?:head|eyes|face|gaze|camera|attention|view)| yourself)? (?:to(?: face)?|towards?|"
        rf"at|on)|"
        r"turn to look at|focus(?: your (?:eyes|gaze|attention|camera))? on|concentrate on|face|center (?:on|your "
        r"(?:gaze|view|camera) on)|keep your eyes on|watch(?= (?:the|that|this) )|"
        rf"(?:put )?(?:your )?eyes on|pay attention to) {THING}(?: closely)?",
        _of_thing("look_at_object"),
    ),
    PhraseRule(
        rf"(?:(?:stop|quit|give up|cease|end|enough|no more|no need to keep|that is enough) (?!watching$){_FOLLOWING}"
        rf"(?: {_FACE})?|"
        r"(?:(?:i )?(?:do not|no need to|you (?:do not|need not|no longer)(?: (?:have|need) to)?|i do not (?:want|"
        rf"need) you to)) (?:follow|track|watch) {_FACE}){_AWAY}|"
        rf"(?:take your eyes off|let go of|lose track of) {_FACE}|stop face following|{_OFF}",
        plain_call("head_tracking", enabled=False),
    ),
)

RULES = (*_SENSE_RULES, PhraseRule(_DETECT, plain_call("detect_objects")), *_SIGHT_RULES)
"""Applied in order."""
