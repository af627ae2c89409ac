"""Detection of sentences that report danger or pain, after which a robot must stop."""

from __future__ import annotations

import re
from collections.abc import Sequence

_END = r"(?= [.,!]|$| (?:now|right|stop|please|no|ow|ouch|you|robot|at once|this|its|hes|shes|get)\b)"
_BODY = (
    r"(?:fingers?|hands?|hair|arm|sleeve|scarf|necklace|wrist|thumb|toes?|foot|leg|neck|nose|eye|ear|face|paw|"
    r"tail|wing)"
)
_WEAK = (
    r"(?:baby|babys|child|childs|kids?|toddler|cat|cats|dog|dogs|puppy|kitten|hamster|rabbit|bunny|bird|girl|"
    r"boy|children|"
    r"patient|participant|customers?|people|person|lady|man|woman|grandma|granny|grandpa|mum|mom|dad)"
)
_SOMEBODY = (
    rf"(?:(?:mrs|mr) \w+|grandma|granny|grandpa|mum|mom|dad|mommy|daddy|me|him|her|us|them|some(?:one|body)|my"
    rf" \w+|his \w+|her (?!best)\w+|their \w+|the {_WEAK})"
)
_YOU_ARE = r"(?:youre|you are|its|it is|that thing is|the (?:robot|arm|head|thing) is)"
_HARM = (
    r"(?:hit|crush|hurt|kill|stab|burn|knock|break|drop|spill|smash|rip|tear|choke|trap|squash|squish|poke|crash|tip|"
    r"topple|whack|smack|clobber|bash|slap|snap|bite|scratch|collapse|explode|step on|run over|go over|roll over|slip)"
)

_FEELINGS = r"(?:feelings?|heart|soul|ego|pride|brain)"
_HURTING = (
    r"(?:youre|you are|its|it is|that is|thing is|robot is|arm is|^is) (?:\w+ )?(?:hurting|crushing|squashing|"
    r"squishing|"
    r"pinching|choking|strangling|suffocating|burning|scalding|frightening|terrifying|scaring|panicking)"
)
_FIRST = (
    r"(?:^|[.,!] )(?:(?:no|hey|oh|oi|please|now|right|kindly|stop|i must ask you to|i need you to|will you|"
    r"robot|god|ow|reachy|just|quick|okay|you|i said) )*"
)
"""Beginning of an order."""

_DANGERS = (
    rf"{_HURTING}(?! (?:it|this|that|when|how|if|with|bright|hot|for|calories|away|{_FEELINGS})\b| (?:my|his|"
    rf"her|our|their|peoples) {_FEELINGS}\b) \w+",
    rf"{_YOU_ARE} hurting it\b",
    rf"{_YOU_ARE} (?:really )?(?:squeezing|scratching|standing on|stepping on|sitting on|trapping|"
    rf"pulling|pressing on|leaning on|scaring) {_SOMEBODY}",
    rf"{_YOU_ARE} (?:falling(?! (?:asleep|behind|short|in|for))|tipping over|slipping|sparking|smoking|overheating|"
    r"melting|on fire|burning up|(?:rolling|sliding|going|walking|driving|tipping|heading) "
    r"(?:\w+ )?(?:off|over|for) the (?:edge|desk|table|side|stairs))\b(?<!youre on fire)",
    rf"{_YOU_ARE} (?:gonna|going to|about to) (?:\w+ )?(?:{_HARM}|fall(?! (?:asleep|in|"
    rf"for)))\b(?! (?:a |the |all |every |any |my )?(?:\w+ )?"
    r"(?:records?|bank|ice|news|even|jackpot|gym|hay|road|town|shops?|legs?)\b)",
    rf"(?:youll|itll) (?:\w+ )?{_HARM} (?:it|yourself|the \w+|{_SOMEBODY})",
    rf"the \w+ (?:is|are) (?:about|going) to (?:fall|{_HARM})\b",
    r"(?:the|my|his|her) \w+ (?:is|are|got) (?:caught|wrapped|wound|tangled|jammed|stuck) (?:in|on|round|around|under) "
    r"(?:you|your|my|his|her)\b",
    rf"(?:my|his|her|\w+s) {_BODY}s? (?:is |are |its |got |gets )?(?:stuck|caught|trapped|jammed|under|in there|"
    rf"in it)\b",
    rf"(?:youve|you have|you) (?:got|trapped|caught|pinched|crushed) my {_BODY}",
    rf"(?:you|youve|it|that|(?:your|the) \w+) (?:just |nearly |almost )*+(?:hit|poked|scratched|burned|burnt|slapped|"
    rf"bit|pinched|stabbed|kicked|whacked|smacked) {_SOMEBODY}(?: (?:in|on) the \w+| {_BODY}s?| out)*{_END}",
    rf"(?:took|take|taken|have|had|poked) (?:my|his|her|the {_WEAK}s?|somebodys|someones) eyes? out{_END}",
    r"never (?:ever )?(?:want|wanna|wish) (?:to )?(?:see|feel|have|hear) (?:you |that |it |this )(?:do |doing |try )?"
    rf"(?:that |it |this )?(?:ever )?again{_END}",
    r"(?:the|that|your|a|its|something|somethings) (?!fire|candle|oven|stove|toast|soup|coffee|food|question|desire|"
    r"wood|volcano|house|forest|dragon)\w* ?(?:is |are )?(?:smoking|sparking|melting|on fire|burning|"
    rf"overheating|snapping|cracking){_END[:-1]}|,| up| off)",
    rf"(?:(?:the|my|his|her) )?(?:\w+ )?{_WEAK}s? (?:is |are )?(?:right )?(?:under|beneath|below|behind) (?:you|it)"
    rf"{_END}",
    r"dont come any (?:closer|nearer)|(?:make|makes|making|give|gives|giving) (?:me )?pain\b",
    rf"{_FIRST}(?:stand|stay|hold|keep) still (?:now|right now|this (?:second|instant)|at once|immediately){_END}",
    r"(?:somebody|someone|quick|quickly) (?:grab|catch|hold) (?:it|him|that)\b|(?:^|[.,!] )(?:grab|catch) it !",
    rf"(?:thats|that is|this is) (?:gonna|going to|about to) (?:\w+ )?{_HARM}{_END}",
    r"(?:theres|there is|there are) (?:a |some )?(?:sparks?|smoke|flames?)(?! (?:of|in the fire))\b",
    rf"{_FIRST}get out of my (?:way|space){_END}",
    rf"no no (?:no )?not (?:the|my|his|her) (?:\w+s )?(?:{_BODY}|{_WEAK})\b",
    rf"{_YOU_ARE} (?:pulling|tearing|ripping|yanking|dragging|knocking|pushing) (?:the|my|his|her|it|that|this) ?"
    r"(?:\w+ )?(?:out|off|over|down|apart|loose)\b",
    rf"(?:he|she|hes|shes|{_WEAK}|subject|they|theyre) (?:is |are |looks? |seems? )?(?:\w+ )?"
    rf"(?:distressed|terrified|panicking|screaming|in pain)(?! (?:with|for)\b)",
    rf"(?:its|it has|hes|that thing has|robot has|youve|you have) (?:got|caught|grabbed|trapped) (?:hold of )?"
    rf"(?:me|him|her|my (?:{_BODY}|thumb|shirt|necklace|tie|skirt|bracelet)){_END}",
    rf"{_YOU_ARE} (?:spilling|breaking|dropping|ripping|tearing|smashing|destroying) "
    r"(?:it|that|the (?!record|ice|news|silence)\w+|my (?!heart|record)\w+)(?: !|$)",
    r"why (?:arent you|isnt it|wont you|wont it|isnt that) (?:\w+ )?stop(?:ping)?\b",
    r"where(?:s| is) the (?:off|kill|power|emergency|red) (?:switch|button)(?: [,.!?])* (?:quick|now|hurry|help)",
    rf"(?:^|[.,!] )(?:no )?(?:no )?not (?:in |near |on )?(?:my|his|her|the) (?:\w+s )?"
    rf"(?:{_BODY}|{_WEAK}|candle|knife|stove)s? !",
    rf"no not (?:in |near )?(?:my|his|her|the) {_BODY}s?(?: [.!]|$)",
    rf"(?:dont|not) (?:you )?(?:grab|hit|push|pinch|poke|squeeze|shove|kick|slap|pull) {_SOMEBODY}",
    rf"{_FIRST}mind (?:my|his|her|your|the) (?:{_BODY}|{_WEAK}|heads?|glass|knife|candle|edge|step|cable|wire)s?{_END}",
    rf"(?:^|[.,!] )(?:(?:ow|ouch|argh|aargh|ah|aah|oh|no|hey|god|oi) (?:, )?){{0,4}}(?:my|his|her) {_BODY}s? !",
    rf"(?:^|[.,!] )(?:ow|ouch|argh|aargh|aah) (?:, )?(?:my|his|her) {_BODY}s?(?: [.,!]|$)",
    rf"(?:that|thats|it|its|this|you) (?:is |really |are )?(?:hurts?|hurting|burns?|stings)(?: me)?(?:"
    rf" (?:rather|quite|really|so))?(?: a lot|"
    rf" much| bad| badly| like hell)?{_END}",
    r"(?:is|are|got|gets) (?:badly )?(?:hurt|bleeding|injured)\b(?! (?:at|in|on|last|yesterday|when|as|by|today|"
    r"once)\b)",
    r"(?:grateful|obliged|appreciate it|glad) if you(?: would| could)? (?:stop|stopped) (?:immediately|now|at"
    r" once|that|it)\b",
    rf"mind (?:\w+ )?not (?:hitting|hurting|touching|pushing|squeezing|crushing|poking) {_SOMEBODY}",
    rf"dont (?:you )?(?:hurt|bite|crush|squash|squish|choke|scratch) (?!it|your|yourself|the (?:mood|"
    rf"vibe))\w+\b(?! {_FEELINGS})",
    r"(?:shut|turn|switch) it off [,.!] (?:shes|hes|theyre|youre|theres)\b",
    rf"(?:my|his|her) \w+ (?:is |are |got |gets )?(?:\w+ )?(?:caught|trapped|snagged|wedged|pinned)"
    rf"(?= (?:in|on|under|between|by|around|inside)\b|{_END[3:]}",
    rf"{_FIRST}(?:let|leave) (?:me|him|her|them|the {_WEAK}) (?:go|alone|be){_END}",
    rf"let go(?: of (?:it|that|{_SOMEBODY}|(?:her|his|my|the) "
    rf"(?!idea|thought|past|plan|grudge|dream|topic)\w+))?{_END}",
    rf"{_FIRST}(?:release|unhand) (?:me|him|her|my \w+|his \w+|her \w+){_END}",
    rf"get (?:it |that |this |the thing )?(?:off|away from|out of) (?:of )?(?!my face)(?:me|my (?:\w+ )?{_BODY}|"
    rf"him|her){_END}",
    rf"{_FIRST}(?:get|take|keep|remove|pull) (?:out |off |away )?(?:your|ur|that|those|this) (?:\w+ )?\w+"
    rf" (?:off|out of|away|from)\b(?! time)",
    rf"{_FIRST}(?:get|move|back|stay|step|keep) (?:off|back|away|back off) ?(?:from|of)? ?(?:the |my )?"
    rf"(?:{_WEAK}|edge|stairs|stove|bed|cot|crib|wheelchair|him|her|me)\b(?! (?:a|slightly|some|one|two|more|next))",
    r"dont you dare(?! (?:stop|leave|forget|tell|quit|laugh|give|say|miss))",
    rf"(?:get|keep|take|stay) (?:\w+ |the \w+ |this \w+ |that \w+ )?away from (?:me|him|her|my \w+|"
    rf"the (?:{_WEAK}|edge|stairs|stove|fire|water|candle|flame|knife|glass|oven|heater|iron|cable)|it){_END}",
    rf"(?:theres|there is) (?:a|my|some|the) ?(?:{_WEAK}|hand|finger|body|one|person) (?:right )?(?:behind|"
    rf"under|in the way)",
    r"get your (?:\w+ )?(?:hands?|head|antennas?|thing) off",
    r"dont (?:you )?touch (?:the|my) \w+ !",
    rf"dont (?:you )?touch (?:me|him|her|it|that|the (?:{_WEAK}|stove|knife))",
    r"(?:cut|kill|(?:switch|turn|shut) off) (?:the )?(?:power|motors?|engines?|robot)(?! (?:when|after|once|"
    r"later|for))",
    r"(?:shut|turn|switch|power) (?:this|that) (?:\w+ )?thing (?:off|down)",
    r"pull(?:ing)? the plug|unplug (?:it|him|yourself|this|that|the robot)",
    r"(?:kill|grab|catch) it before|put (?:it|that) down before",
    r"dont (?:you )?(?:dare )?move (?:another|any|an)",
    rf"too close to the (?:{_WEAK}|edge|stove|candle|fire|water|stairs)",
    rf"too close to (?:my|his|her|their|\w+s) {_BODY}s? !",
    rf"(?:my|his|her|\w+s) {_BODY} (?:is|are) (?:between|inside|in (?:your|the (?:gap|joint|gears?|hinge|way)))\b",
    rf"(?:im|hes|shes|theyre) (?:bleeding|hurt(?! (?:my|his|her) {_FEELINGS})|trapped)\b|shocked me|(?:cant|"
    rf"cannot) breathe",
    rf"quit (?:\w+ )?(?:\w+ing {_SOMEBODY}|moving|hitting|touching|pulling|pushing|grabbing|"
    rf"thrashing|flailing|spinning|shaking|jerking|banging|poking|swinging)(?: (?:about|around|it|that))?{_END}",
    rf"(?:ow|ouch|hey|no|yo|oi|careful|ooh)(?: [,.!])? (?:thats|that is|not) my (?:\w+ )?{_BODY}\b",
    rf"{_FIRST}(?:abort|terminate|cease|halt|kill|cut|disable|arrest|cancel|disengage)(?: (?:all|the|that|this|"
    r"every))? (?:motions?|moves?|movement|motors?|servos?|torque|joints?|actuators?|drives?|trajectory)\b(?! (?:when|"
    r"after|once|if|"
    r"later|for|at \w+teen|replay|test|log))",
    rf"{_FIRST}emergency (?:halt|brake|shutdown|shut down)\b(?! (?:test|procedure|button|log|drill|is|was))",
    r"(?:smoke|sparks|flames|blood) (?:is |are |its )?(?:coming|flying|everywhere|all over|out of)",
    r"(?:hit|press|push|slam) the (?:big )?(?:red|emergency|kill|e) (?:stop |off )?(?:stop|button|switch)",
    r"(?:shut|turn|switch|power) (?:it |yourself |this |that |everything |the robot |the thing )?(?:off|down) "
    r"(?:right now|immediately|at once|this (?:instant|second|minute)|before|quick|now(?: [!.]|$)|[.,] now)",
    r"(kill it|(?:turn|switch|shut|power) (?:\w+ )?off|shut it down|leave (?:it|him|her)|drop it|put (?:it|that|"
    r"him|her) down|"
    r"(?:mind|watch) (?:the|my|his|her|your) \w+|(?:his|her|my|the) (?:\w+ )?(?:hand|finger|hair|eye|face|baby|"
    r"cat|dog)|"
    r"hit the (?:\w+ )?stop|let (?:me |him |her )?go|(?:get|take|keep|pull) (?:\w+ )?(?:off|away|back|out)(?:"
    r" \w+){0,2}|"
    r"cut it|collision|hurts?|it hurts|sparks|smoke|steady|easy|you break it)(?: [,!.])* \1",
    r"(?:halt|freeze) (?:all|everything|right|now|immediately|at once|or|the (?:arm|robot|motors?|motion|"
    r"movement|head))\b",
    r"(?:(?:i|there is|theres|i can) (?:smell|see)?|smells like|something is) ?(?:something )?(?:smoke|fire|burning)\b"
    r"(?! (?:place|works|wood))",
    rf"(?:never|dont) (?:you )?(?:ever |dare )*+(?:do|try) (?:that|this|it) (?:ever )?again{_END}",
    r"(?:mind|watch) (?:the|my) \w+ !|dont (?:come|move|go|get) (?:any )?(?:closer|nearer)(?: to me)? !",
    r"somebody stop (?:it|him|that)|call (?:an ambulance|nine one one|911|112)",
)
_DANGER = re.compile(rf"(?<!\w)(?:{'|'.join(_DANGERS)})")
"""Danger or pain, anywhere in a text."""

_DO_NOT = re.compile(r"\bdo not(?! (?:do|try)\b)")

_CONDITION = re.compile(r"(?:^|[.,!] )(?:and |but |so )?if (?!you dont|you wont|you do)[^.,!]*(?: ,)? (?:\w+ )?$")
"""Condition before the match in the same sentence: the danger does not exist yet."""

_LAUGHTER = frozenset(["lol", "lmao", "rofl", "haha", "hahaha", "hehe"])
_HARMLESS = re.compile(
    r"\b(?:(?:wouldnt|doesnt|didnt|wont|not|never|cant|couldnt|does|did|how to|able to|ready to|try to|if|when)"
    r"(?: \w+)?|(?:you|we|i) (?:can|could|may|should|will))$"
)
"""Words before the match that make it a report, a question or a permission."""


def is_danger(words: Sequence[str]) -> bool:
    """Returns whether a text reports danger or pain anywhere.

    Args:
        words: Words from `english_words`.
    """
    text = _DO_NOT.sub("dont", " ".join(words))
    return any(_is_meant(text, found) for found in _DANGER.finditer(text))


def _is_meant(text: str, found: re.Match[str]) -> bool:
    before = text[max(0, found.start() - 60) : found.start()].rstrip()
    behind = text[found.end() : found.end() + 30].split()
    return not (_HARMLESS.search(before[-30:]) or _CONDITION.search(before + " ") or _LAUGHTER.intersection(behind))
