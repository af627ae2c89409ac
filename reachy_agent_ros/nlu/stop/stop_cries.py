"""Exclamations that mean "stop" in several languages, such as "freeze" and "ouch", and words that make a stop calm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import dropwhile

from reachy_agent_ros.nlu.stop.english_words import english_words
from reachy_agent_ros.nlu.stop.plain_words import MARKS

_CRIES = (
    "freeze|halt|abort|cease|stand down|hold it|hold everything|dont move|do not move|nobody move|whoa whoa|wait wait|"
    "enough|enough already|thats enough|that is enough|cut it out|cut that out|knock it off|quit it|quit that|"
    "quit moving|cease fire|kill it|shut it down|shut down|power off|back off|get off|get back|get away|get off me|"
    "hands off|ow|ouch|oww|emergency|emergency stop|danger|watch out|look out|watch it|careful careful|help|fire|"
    "mayday|off off|no more|quit|quit now|hit the brakes|brake|brakes|cancel cancel|abort the mission|hold hold|"
    "power down|enough is enough|pack it in|no no no|halt halt|desist|red alert|it burns|dangerous|thats dangerous|"
    "is dangerous|very dangerous|too dangerous|so dangerous|that is dangerous|this is dangerous|stay back|stay away|"
    "top top|stock stock|stab stab|abort mission|all stop|no move|not touch|not touch me|no touch|dont touch me|"
    "disengage|collision|cut it|cut the power|e stop|sparks|terminate|leave it leave it|get back get back|dont hurt me|"
    "you hurt me|you hurt him|you hurt her|stay away from me|get away from me|back off now|kill switch|red button|"
    "easy easy easy|hold up hold up|everything off|all off|motors off|torque off|servos off|red red red|oi oi oi|st op|"
    "shut up shut up shut up|disable disable|disable disable disable|no please no|drop it now|let it go now|"
    "put it down now|shut up shut up|top top top|back up back up|hey hey hey|not safe not safe|unsafe unsafe|pain pain"
)
"""Phrases, each of which is a stop, separated by `|`."""

_EXCLAIMED = (
    "dont|no dont|hold still|dont do that|dont do it|dont you dare|put it down|drop it|drop that|put me down|"
    "help me|help us|somebody help|someone help me|never again|careful|"
    "be careful|turn it off|switch it off|shut it off|turn off|cut|off|too close|stay where you are|stay right there|"
    "not safe|unsafe|thats not safe|that is not safe|this is not safe|this isnt safe|thats unsafe|pain|back up|smoke"
)
"""Phrases that are a stop if followed by an exclamation mark."""

_AROUND = (
    "please no oh ah aah argh hey god my jesus christ fuck fucking shit damn dammit hell the now right immediately "
    "instantly at once quick quickly reachy richie robot you just i said already there everyone everybody it that this "
    "me for sake gods for heavens what are doing man dude stupid thing machine away wait whoa really seriously help "
    "mean all motors everything movement moving movements motion and okay ok come on must need to have here this "
    "instant minute second oi eh um uh listen a finger fingers hand hands arm hair eye nose foot"
)
"""Words around a cry that do not change its meaning."""

_FOREIGN = (
    "halt stopp stoppen anhalten aufhören halt an|hör auf|hör sofort auf|hör damit auf|lass das|lass los|nicht bewegen|"
    "sofort aufhören|aufhören|stopp|achtung|vorsicht|hilfe|aua|nein nein nein|nein stopp|bleib stehen|schluss|"
    "schluss jetzt|hör doch auf|hör endlich auf|du tust mir weh|das tut weh|arrête|arrêtez|arrête toi|arrête ça|"
    "arrête tout|stoppe|assez|ça suffit|lâche moi|lâche|attention|au secours|à l'aide|ça fait mal|tu me fais mal|"
    "non non non|ne bouge plus|ne bougez plus|para para|para ya|para|pare|pará|alto|detente|deténgase|basta|basta ya|"
    "suéltame|suelta|cuidado|socorro|auxilio|me duele|no te muevas|quieto|fermati|fermo|ferma|fermatevi|smettila|"
    "basta così|attento|attenzione|aiuto|mi fai male|lasciami|chega|parem|pare agora|me solta|está me machucando|ajuda|"
    "hou op|ophouden|hou onmiddellijk op|hou nu op|stop ermee|laat los|pas op|help|zatrzymaj się|zatrzymaj|przestań|"
    "stój|uwaga|pomocy|puść|dur|yeter|imdat|sofort stoppen|sofort anhalten|sofort halt|déjalo|déjalo ya|déjame|"
    "deja de moverte|deja de hacer eso|стой|стоп|хватит|остановись|прекрати|перестань|осторожно|помогите|больно|"
    "отпусти|стой стой|stanna|sluta|lägg av|akta|hjälp|stans|pysähdy|seis|lopeta|zastav|přestaň|dost|állj|elég|σταμάτα|"
    "στοπ|quita|quita eso|quita la mano|lass mich los|finger weg|hände weg|weg da|nimm das weg|pare com isso|"
    "para com isso|não faz isso|cuidado|lasciami stare|toglila|via le mani|enlève ta main|enlève ça|ne me touche pas|"
    "touche pas|recule|touche pas à ça|bas les pattes|au feu|feuer|fuego|incendio|fuoco|es brennt|ça brûle|me quema|"
    "aléjate|no me toques|no toques|nicht anfassen|fass mich nicht an|blijf af|blijf van me af|raak me niet aan|"
    "nie ruszaj|nie dotykaj|zostaw|zostaw mnie|не трогай|не двигайся|убери руку|отойди|замри|зупинись|стій|досить|"
    "opreste|opreste te|ajutor|lass sein|lass es|rör mig inte|släpp|slipp|slapp|hold op|stop med det|stopp det|irrota|"
    "älä liiku|nech toho|pusť|au|ne mozdulj|engedj el|σταμάτησε|βοήθεια|άσε με|dokunma|tigil|itigil mo|hinto|simama|"
    "jangan|jangan bergerak|tolong|dừng|thôi|cứu|หยุด|ช่วยด้วย|தொட|நிறுத்து|থামো|থামুন|بس|بایست|نکن|ساعدوني|لا تلمسني|"
    "احذر|النجدة|תפסיק|תעצור|הצילו|ruko|ruk jao|roko|bas|bas karo|band karo|chhodo|chodo|mat karo|bachao|रुकिए|मत करो|"
    "छोड़ो|बचाओ|停|توقف|قف|كفى|रुको|रुक जाओ|बस करो|बंद करो|dừng lại|berhenti|hentikan|עצור|די"
)
"""Phrases in other languages, each of which is a stop."""

_FOREIGN_AROUND = (
    "mais aber pero ma же ahí hned nein ja bitte sofort jetzt doch endlich das damit mal non s'il te vous plait plaît "
    "tout de suite maintenant ça toi no ya ahora mismo por favor eso inmediatamente subito adesso ora ti prego não "
    "agora já nu nee meteen alsjeblieft nie natychmiast teraz proszę hemen şimdi lütfen нет немедленно сейчас "
    "пожалуйста nej nu الآن فورا abhi turant yaar फौरन अभी तुरंत sekarang ahora ya ahorita subito sul momento direct "
    "onmiddellijk med det samma straks heti genast la le pare robot reachy stopp halt aua ay aïe no"
)
"""Words in other languages around a cry that do not change its meaning."""

_UNSPACED = (
    "停下 停止 停停 快停 住手 别动 別動 别碰 別碰 放手 放开 放開 着火 救命 危险 危險 小心 当心 "
    "止まれ 止まって とまれ とまって やめろ やめて 止めて ストップ 危ない 離して はなして 触らないで さわるな"
    " 触るな 動くな 動かないで 助けて 멈춰 그만 위험해 정지 놔줘 움직이지 만지지 살려"
)
"""Cries in scripts without spaces between words; found anywhere in a word."""

_UNSPACED_NOT = "别停 不要停 別停 不停 止めない やめない 止まらない 멈추지"
"""Phrases in those scripts that contain a cry but are not a stop."""

_PRAISE = (
    "perfect great good nice thanks thank lovely wonderful excellent brilliant awesome amazing beautiful "
    "beautifully perfectly nicely fantastic exactly spot neat impressive super superb"
)
_LAUGHTER = (
    "aw aww ha haha hahaha hihi hehe lol lmao rofl blush blushing flatter flatterer "
    "flattering joke jokes pun puns laugh laughing hilarious funny cute charmer adorable"
)
_FAREWELL = (
    "bed bedtime sleep nap afk brb tomorrow today tonight bye goodbye goodnight dinner lunch school homework tired "
    "session continue resume later evening weekend finished home love loved fun"
)
CALMING = frozenset(f"{_PRAISE} {_LAUGHTER} {_FAREWELL}".split())
"""Praise, laughter and farewells, which make a cry near them harmless."""


_EARSHOT = 50
"""Number of words at the beginning in which praise or laughter makes a warning calm."""

_REFUSALS = frozenset({"no", "nein", "non"})

_MOCKED, _MOCKING = frozenset({"pun", "puns", "joke", "jokes"}), frozenset({"ow", "oww", "ouch"})
"""Puns and jokes, and the cries with which people react to them."""

_LONGEST = 12
"""Maximum number of words in a clause that is only a cry: people who shout do not give speeches."""


def _key(phrase: str) -> str:
    return " ".join(word for word in english_words(phrase) if word not in MARKS)


def _keys(phrases: Sequence[str]) -> frozenset[str]:
    return frozenset(map(_key, phrases)) - {"stop"}  # its meaning depends on the words around it


_PHRASES = _keys([*_CRIES.split("|"), *_FOREIGN.split("|")])
_BEGINNING = re.compile(
    r"(?:watch out|look out(?! (?:of|the|at|into|for|there|over))|freeze(?! (?:dried|frame|the|and|dance|tag|a|"
    r"that|frames|in|when|for|some|my)\b)|hands off(?! (?:approach|control|mode|policy|with|style|and))|"
    r"emergency stop(?! (?:is|was|test|button|circuit|wired|log|drill|worked|works|procedure))|(?:cuidado con|"
    r"attention (?:au|à|a la|aux|aux|ton|ta)|vorsicht (?:das|der|die|mein|meine)|achtung (?:das|der|die)|attento"
    r" (?:al|alla)|finger weg|hande weg)|dont move(?! (?:so|too|that|as|your|quite|like|the)\b)|"
    r"hold it (?:hold|you|your|the|theres|my)|back off(?! (?:\w+ (?:pence|percent|degrees|steps|inches|cents)|a|"
    r"slightly|some|one|two|from|just))|"
    r"get off(?! (?:the|at|on))|cut it out|knock it off|ow|oww|ouch|"
    r"danger(?! is my)|help help|whoa whoa|abort abort|halt halt)\b"
)
_BEFORE_CRIES = "bro bruh dude yo guys man no oh hey please ah reachy robot everybody everyone god my"
_INTERJECTIONS = frozenset(_BEFORE_CRIES.split())
_SHOUTS = _PHRASES | _keys(_EXCLAIMED.split("|"))
_FILLERS = _keys([*_AROUND.split(), *_FOREIGN_AROUND.split()])
_MOST = max(len(phrase.split()) for phrase in _PHRASES)
_WRITTEN_TOGETHER = re.compile("|".join(map(re.escape, _keys(_UNSPACED.split()))))
_WRITTEN_TOGETHER_NOT = re.compile("|".join(map(re.escape, _keys(_UNSPACED_NOT.split()))))


def is_cry(words: Sequence[str]) -> bool:
    """Returns whether a text contains an urgent stop: "no no please freeze now", "hör sofort auf", "止まれ".

    Args:
        words: Words from `english_words`.
    """
    if not _MOCKED.isdisjoint(words):
        words = [word for word in words if word not in _MOCKING]
    calmed = not CALMING.isdisjoint(words[:_EARSHOT])
    return any(_is_cry(*clause, calmed) for clause in _clauses(words)) or any(
        _WRITTEN_TOGETHER.search(word) and not _WRITTEN_TOGETHER_NOT.search(word)
        for word in words
        if not word.isascii()
    )


def _clauses(words: Sequence[str]) -> Iterator[tuple[Sequence[str], str]]:
    """Yields each clause, and each whole sentence with its commas removed, with the punctuation mark at its end."""
    sentence: list[str] = []
    clause: list[str] = []
    parts = 0
    for word in [*words, "."]:
        if word not in MARKS:
            clause.append(word)
            sentence.append(word)
            continue
        if clause:
            parts += 1
            yield clause, word
        clause = []
        if word != ",":
            if parts > 1:
                yield sentence, word
            sentence, parts = [], 0


def _is_cry(clause: Sequence[str], mark: str, calmed: bool) -> bool:
    if mark == "," and _REFUSALS.issuperset(clause):  # "no no no, the other one" continues
        return False
    if mark != "?" and not calmed and _begins_with_a_cry(clause):
        return True
    if mark == "?" or (len(clause) > _LONGEST and len(set(clause)) > 4):
        return False
    phrases = _SHOUTS if mark == "!" else _PHRASES
    index, cries = 0, 0
    while index < len(clause):
        taken = _phrase_at(clause, index, phrases)
        if not taken and clause[index] not in _FILLERS:
            return False
        cries += bool(taken)
        index += taken or 1
    return cries > 0


def _begins_with_a_cry(clause: Sequence[str]) -> bool:
    """Returns whether a clause begins with an exclamation that needs no comma. Transcripts often lack commas."""
    shout = list(dropwhile(_INTERJECTIONS.__contains__, clause[:_LONGEST]))
    return bool(_BEGINNING.match(" ".join(shout)))


def _phrase_at(clause: Sequence[str], index: int, phrases: Set[str]) -> int:
    """Returns the number of words in the longest stop phrase at `index`, or 0 if there is no stop phrase."""
    return next((n for n in range(_MOST, 0, -1) if " ".join(clause[index : index + n]) in phrases), 0)
