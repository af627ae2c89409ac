"""Rules for expressive motions: head gestures, emotions and dances."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from reachy_agent_ros.nlu.clause import (
    MOST_REPETITIONS,
    NOTHING,
    Clause,
    Meanings,
    PhraseRule,
    RuleMeaning,
    Size,
    call,
    command,
)
from reachy_agent_ros.nlu.dances import MOST_OPTIONS, closest_dances
from reachy_agent_ros.nlu.head import HEAD, LOOK
from reachy_agent_ros.nlu.vocabulary import Vocabulary


def _gesture(name: str, default: int = 1) -> RuleMeaning:
    def meanings(_match: re.Match[str], clause: Clause) -> Meanings:
        times = default if clause.times is None else clause.times
        if clause.degrees is not None or clause.size is Size.FAR or times == 0:
            return NOTHING
        return command(call("gesture", gesture=name, repetitions=None if times == 1 else times))

    return meanings


GESTURES = (
    PhraseRule(
        rf"(?:do |give )?(?:me )?(?:a )?nod(?: {HEAD})?(?: yes)?(?: in agreement)?|say yes (?:with {HEAD}|by nodding)|"
        rf"bob {HEAD}|(?:move|shake|bob|rock) {HEAD} up (?:and )?down|"
        rf"(?:signal|indicate|gesture) (?:yes|agreement)(?: with {HEAD})?|nod(?: {HEAD})? (?:away|along|"
        rf"vigorously|approvingly|politely|to me|at me|at (?:the|my|our|that|this) \w+(?: \w+)?)",
        _gesture("nod", 2),
    ),
    PhraseRule(
        rf"(?:shake|wag) {HEAD}(?:(?: no)+| in (?:disagreement|disapproval))?|(?:do |give (?:me |us )?)?(?:a )?"
        rf"(?:head shake|shake of {HEAD})|(?:say|signal|indicate|gesture|answer) no(?: (?:with|by shaking) {HEAD}| "
        rf"without (?:words|speaking|talking))",
        _gesture("shake", 2),
    ),
    PhraseRule(
        rf"(?:tilt|cock|lean|tip|put) {HEAD} (?:(?:to|on|over to) (?:the|1|one) side|sideways)|"
        rf"(?:tilt|cock) {HEAD}(?: (?:quizzically|curiously|(?:like|as if) .+))?|(?:do |give me )?(?:a "
        rf")?(?:cute )?head tilt",
        _gesture("tilt"),
    ),
    PhraseRule(
        rf"{LOOK} (?:all )?(?:around|round|about)(?: you| the room| yourself)?|(?:have|take) a (?:good |quick )?look "
        r"(?:around|round|about)(?: you| the room)?|look (?:in all directions|in every direction|everywhere|"
        rf"all over the (?:place|room))|(?:survey|scan|inspect|explore|check out) (?:the|your) "
        rf"(?:room|place|area|surroundings|environment)|check out what is around(?: you)?",
        _gesture("look_around"),
    ),
    PhraseRule(
        r"(?:wake|get) up|wake yourself up|wakey wakey|rise and shine|(?:it is )?time to (?:wake|get) up|awaken|"
        r"(?:get )?out of bed|(?:activate|rouse|awaken) yourself|up you get|up and at them",
        _gesture("wake_up"),
    ),
    PhraseRule(
        r"(?:go|fall)(?: back)? (?:in)?to sleep(?: mode)?|(?:take|have) a nap|go to bed|time to sleep|"
        r"(?:get|catch) some (?:sleep|rest|z is|zs|shut ?eye)|(?:have|take) a (?:rest|snooze|nap)|"
        r"(?:went|go) to sleep|(?:nap|bed) ?time|rest(?: for a (?:while|bit))?|sleep(?: now)?|slumber|"
        r"(?:it is )?time for (?:bed|a nap|sleep|your (?:\w+ )?(?:sleep|nap|bed))|off to (?:bed|sleep)(?: with you)?|"
        r"go (?:in)?to (?:standby|sleep mode)|put yourself to (?:bed|sleep)|lie down",
        _gesture("go_to_sleep"),
    ),
)
"""Applied in order."""

up_and_down = PhraseRule(rf"(?:move|shake|bob|rock) {HEAD} up (?:and )?down", _gesture("nod", 2))
"""A nod that would become two looks if cut at its "and"."""


INTENSITY = {Size.LITTLE: 0.5, Size.NORMAL: None, Size.FAR: None}

_SHOW = (
    r"(?:show|express|display|act|look|be|become|feel|make|do|play|perform|pretend|seem|get|give|pull|put on|portray|"
    r"convey|radiate|beam|tremble|shake|shiver|sigh|gasp|jump|cower|scream|cry|weep|burst|strike|let (?:me|us) see|"
    r"i want to see|demonstrate|mime|imitate|go|relax and|calm down and|puff yourself up|scratch your head|"
    r"breathe a sigh|heave a sigh|turn|stay|behave|grow|exude|simulate|appear|celebrate)"
)
_EMOTION = re.compile(
    rf"{_SHOW}(?: yourself)?(?: to)?(?: (?:me|us|everyone|everybody))?(?: (?:that you are|how|what|a|an|the|your|"
    rf"some|all|"
    r"be|being|you are|you were|like|as if|as though|(?:somebody|someone|a robot) who is|of|in|out|with|from|for|best|"
    r"most|big|bit of|look|looking|face|side|sign of|signs of|lot of|expression of|impression of))*"
    r"(?: (?:really|very|so|extremely|totally|utterly|absolutely|as|terribly|super|extreme|deep|great|pure))* "
    r"(?P<emotion>[a-z]+)(?: (?:out|you are|you can be|you can get|looks like|robot|person|as can be|as you can|to "
    r"death|"
    r"right|of yourself))?(?: (?:face|emotion|expression|look|feeling|mood|side|pose|gesture|vibe|about it))?"
    r"(?: (?:at|in|for|with|of) (?:me|us|yourself|everyone))?"
)
_DEEDS = {
    "joy": r"(?:(?:smile|grin|beam)(?: (?:at|for) (?:me|us|everybody|everyone))?|(?:give (?:me|us) |crack |show me |"
    r"put on )(?:a|your)(?: (?:big|nice|happy))? (?:smile|grin)|cheer(?: up)?|lighten up|celebrate|rejoice|"
    r"turn that frown upside down)",
    "laughter": r"(?:laugh|giggle|chuckle)(?: (?:out loud|for me|for us|at that|a (?:bit|little)))?|crack up|have a "
    r"laugh|"
    r"(?:give me |let out )?a (?:good )?(?:laugh|giggle|chuckle)|burst out laughing",
    "sadness": r"(?:cry|weep|sob)(?: (?:for (?:me|us)|a little))?|(?:pretend to|act like you are) cry(?:ing)?|pull "
    r"a long face",
    "anger": r"(?:lose your temper|rage|throw a tantrum|get mad|scowl(?: at me)?)",
    "tiredness": r"(?:yawn|give (?:me |us )?a yawn)",
    "shyness": r"blush",
    "surprise": r"gasp",
    "apology": r"(?:apologi[sz]e(?: to (?:me|us|her|him))?|say sorry (?:with (?:a|your) \w+|without words))",
    "gratitude": r"say (?:thanks|thank you) (?:with (?:a|your) \w+|without words)",
    "refusal": r"(?:refuse|(?:show|act like) (?:that )?you (?:are refusing|refuse))",
    "agreement": r"(?:show|act like) (?:that )?you agree",
    "attention": r"(?:pay attention|attention please|stand to attention)",
    "sympathy": r"(?:comfort|console) (?:me|us|her|him)",
    "thinking": r"(?:think(?: hard| about it)?|strike a thinking pose|(?:act|look) like you are thinking(?: about "
    r"(?:it|"
    r"something))?)",
    "greeting": r"(?:give|show) (?:me|us|them|everyone|everybody) a(?: (?:warm|friendly|big))? (?:welcome|greeting)|"
    r"(?:greet|welcome) (?:me|us|them|him|her|everyone|everybody|(?:the|my|our) \w+)|"
    r"wave(?: (?:hello|hi))?(?: (?:at|to) (?:me|us|them|everyone|everybody|the \w+))?|say (?:hello|hi) with (?:a|"
    r"your) \w+",
    "farewell": r"wave (?:goodbye|bye|bye bye|farewell)(?: (?:at|to) (?:me|us|them|everyone|everybody|the \w+))?|"
    r"wave (?:me|us|them) (?:goodbye|off)|say (?:goodbye|bye) with (?:a|your) \w+",
}
"""Emotions that people request by naming an action, such as "laugh"."""
_BY_DEED = re.compile("|".join(f"(?P<{emotion}>{deed})" for emotion, deed in _DEEDS.items()))
_DANCE = re.compile(
    r"(?:dance(?: (?:for \w+|(?:for|with) (?:me|us|my \w+|the (?:kids|children|guests|audience|people|camera|class|"
    r"family)))| like you mean it)?|(?:get down and |let us )?boogie|"
    r"(?:give|show) (?:me|us) dances|(?:show|give|let (?:me|us) see)(?: me| us)? (?:your|some)(?: best)?(?: dance)? "
    r"moves|"
    r"(?:bust|pull) (?:a move|some moves|out (?:a|some) moves?)|hit the dance floor|(?:like to )?show us a dance|"
    r"(?:do|show|give|perform|play|put on)(?: me| us)? (?:a|an|your|some|the|any|another)(?: \w+)? dance|"
    r"dance (?:something|anything|randomly|at random|any dance)|(?:pick|choose) (?:a|any|1)(?: random)? dance|"
    r"(?:start|begin) (?:dancing|to dance)|let us dance|dance with me)(?: (?:a|your) (?:little )?(?:dance|jig))?"
)
_NAMED_DANCE = re.compile(r"(?:dance|do|perform|play|show)(?: me| us)?(?: (?:the|a|an|your))? (?P<dance>[a-z ]+)")
_CLOSE_DANCE = re.compile(
    r"(?:(?:dance|do|perform)(?: me| us)?(?: (?:the|your|that))?|(?:play|show|give)(?: me| us)? (?:the|your|that)"
    r"(?=.* dance$)) (?!(?:an?|to|with|like|for|on|in|at|around|until|while|when)\b)"
    r"(?P<dance>(?:\w+ ){0,4}?\w+?)(?: dance)?"
)
_UNKNOWN_DANCE = re.compile(
    r"(?:do|perform|show|play|dance)(?: me| us)? the (?!(?:same|other|next|last|whole|night)\b)(?:\w+ ){1,2}dance|"
    r"dance the (?!(?:night|whole|day|same|last|other)\b)\w+"
)


def rules(vocabulary: Vocabulary, choose_dance: Callable[[Sequence[str]], str | None]) -> Sequence[PhraseRule]:
    """Returns the rules for the emotions and dances of a vocabulary.

    Args:
        vocabulary: Emotions and dances of the robot.
        choose_dance: Chooses one of the dances if the person names none.
    """

    def emotion(match: re.Match[str], clause: Clause) -> Meanings:
        return NOTHING if clause.duration is not None else _emotion(vocabulary.emotion(match["emotion"]), clause)

    return (
        PhraseRule(_BY_DEED, lambda match, clause: _emotion(vocabulary.emotion(str(match.lastgroup)), clause)),
        PhraseRule(_EMOTION, emotion),
        PhraseRule(_NAMED_DANCE, lambda match, clause: dance_meaning(vocabulary.dance(match["dance"]), clause)),
        PhraseRule(_CLOSE_DANCE, lambda match, clause: _close_dance(match["dance"], clause, vocabulary)),
        PhraseRule(_UNKNOWN_DANCE, lambda _match, clause: _dances(vocabulary.dances[::7], clause)),
        PhraseRule(_DANCE, lambda _match, clause: dance_meaning(choose_dance(vocabulary.dances), clause)),
    )


def _emotion(name: str | None, clause: Clause) -> Meanings:
    if name is None or clause.degrees is not None or clause.times is not None:
        return NOTHING
    return command(call("express_emotion", emotion=name, intensity=INTENSITY[clause.size]))


def _close_dance(words: str, clause: Clause, vocabulary: Vocabulary) -> Meanings:
    """Returns the commands for dances with similar names. Returns `NOTHING` if another meaning is possible."""
    said = words.split()
    if not {"not", "never", "no"}.isdisjoint(said):
        return NOTHING
    certain = "dance" in clause.core.split()
    found = closest_dances(words, vocabulary.dances, 0.5 if certain else 1.0)
    return _dances(found, clause) if certain or len(found) <= MOST_OPTIONS else NOTHING


_DANCE_S = 8.0
"""Typical duration of a dance, s, by which a dance for some time is repeated."""


def _dances(names: Sequence[str], clause: Clause) -> Meanings:
    return [meaning for name in names[:MOST_OPTIONS] for meaning in dance_meaning(name, clause)]


def dance_meaning(name: str | None, clause: Clause) -> Meanings:
    """Returns the meaning of a dance that is repeated for the duration or number of times in a clause.

    Args:
        name: Name of the dance; None if the robot does not know this dance, or any dance.
        clause: Clause that asks for the dance.
    """
    if name is None or clause.degrees is not None or (clause.duration is not None and clause.times is not None):
        return NOTHING
    times = None if clause.times == 1 else clause.times
    if clause.duration is not None:
        times = min(max(round(clause.duration / _DANCE_S), 1), MOST_REPETITIONS)
    return command(call("dance", dance=name, repetitions=times, intensity=INTENSITY[clause.size]))
