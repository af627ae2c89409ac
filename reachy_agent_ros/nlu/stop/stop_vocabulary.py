"""Words of the stop net: cries that mean stop, in many languages, and what makes a stop calm."""

from __future__ import annotations

CRIES = (
    "freeze|halt|abort|cease|stand down|hold it|hold everything|dont move|do not move|nobody move|whoa whoa|wait wait|"
    "enough|enough already|thats enough|that is enough|cut it out|cut that out|knock it off|quit it|quit that|"
    "quit moving|cease fire|kill it|shut it down|shut down|power off|back off|get off|get back|get away|get off me|"
    "hands off|ow|ouch|oww|emergency|emergency stop|danger|watch out|look out|watch it|careful careful|help|fire|"
    "mayday|off off|no more|quit|quit now|hit the brakes|brake|brakes|cancel cancel|abort the mission|hold hold|"
    "power down|"
    "enough is enough|pack it in|no no no|halt halt|desist|red alert|it burns|dangerous|thats dangerous|is"
    " dangerous|very dangerous|too dangerous|so dangerous|"
    "that is dangerous|this is dangerous|stay back|stay away|top top|stock stock|stab stab|abort mission|"
    "all stop|no move|not touch|not touch me|no touch|dont touch me|disengage|collision|cut it|cut the power|"
    "e stop|sparks|terminate|leave it leave it|get back get back|dont hurt me|you hurt me|you hurt him|you hurt her|"
    "stay away from me|get away from me|back off now|kill switch|red button|easy easy easy|hold up hold up|"
    "everything off|all off|motors off|torque off|servos off|red red red|oi oi oi|st op|"
    "shut up shut up shut up|disable disable|disable disable disable|no please no|drop it now|"
    "let it go now|put it down now|shut up shut up|top top top|back up back up|hey hey hey|"
    "not safe not safe|unsafe unsafe|pain pain"
)
"""Each is a stop by itself, `|` between."""

EXCLAIMED = (
    "dont|no dont|hold still|dont do that|dont do it|dont you dare|put it down|drop it|drop that|put me down|"
    "help me|help us|somebody help|someone help me|never again|careful|"
    "be careful|turn it off|switch it off|shut it off|turn off|cut|off|too close|stay where you are|stay right there|"
    "not safe|unsafe|thats not safe|that is not safe|this is not safe|this isnt safe|thats unsafe|pain|back up|smoke"
)
"""Likewise, with an exclamation mark behind."""

AROUND = (
    "please no oh ah aah argh hey god my jesus christ fuck fucking shit damn dammit hell the now right "
    "immediately instantly at once quick quickly reachy richie robot you just i said already there everyone "
    "everybody it that this me for sake gods for heavens what are doing man dude stupid thing machine away wait "
    "whoa really seriously help mean all motors everything movement moving movements motion and okay ok come on "
    "must need to have here this instant minute second oi eh um uh listen a finger fingers hand hands arm hair "
    "eye nose foot"
)
"""What people say around a cry without making it anything else."""

FOREIGN = (
    "halt stopp stoppen anhalten aufhören halt an|hör auf|hör sofort auf|hör damit auf|lass das|lass los|nicht bewegen|"
    "sofort aufhören|aufhören|stopp|achtung|vorsicht|hilfe|aua|nein nein nein|nein stopp|bleib stehen|schluss|"
    "schluss jetzt|"
    "hör doch auf|hör endlich auf|du tust mir weh|das tut weh|arrête|arrêtez|arrête toi|arrête ça|arrête tout|stoppe|"
    "assez|ça suffit|lâche moi|lâche|attention|au secours|à l'aide|ça fait mal|tu me fais mal|non non non|"
    "ne bouge plus|"
    "ne bougez plus|para para|para ya|para|pare|pará|alto|detente|deténgase|basta|basta ya|suéltame|suelta|cuidado|"
    "socorro|auxilio|me duele|no te muevas|quieto|fermati|fermo|ferma|fermatevi|smettila|basta così|attento|"
    "attenzione|aiuto|mi fai male|lasciami|chega|parem|pare agora|me solta|está me machucando|ajuda|hou op|ophouden|"
    "hou onmiddellijk op|hou nu op|"
    "stop ermee|laat los|pas op|help|zatrzymaj się|zatrzymaj|przestań|stój|uwaga|pomocy|puść|dur|yeter|"
    "imdat|sofort stoppen|sofort anhalten|sofort halt|"
    "déjalo|déjalo ya|déjame|deja de moverte|deja de hacer eso|"
    "стой|стоп|хватит|остановись|прекрати|перестань|осторожно|помогите|больно|отпусти|стой стой|"
    "stanna|sluta|lägg av|akta|hjälp|stans|pysähdy|seis|lopeta|zastav|přestaň|dost|állj|elég|σταμάτα|στοπ|"
    "quita|quita eso|quita la mano|lass mich los|finger weg|hände weg|weg da|nimm das weg|pare com isso|para com"
    " isso|não faz isso|cuidado|"
    "lasciami stare|toglila|via le mani|enlève ta main|enlève ça|ne me touche pas|touche pas|recule|touche pas à"
    " ça|bas les pattes|"
    "au feu|feuer|fuego|incendio|fuoco|es brennt|ça brûle|me quema|aléjate|no me toques|no toques|nicht"
    " anfassen|fass mich nicht an|"
    "blijf af|blijf van me af|raak me niet aan|nie ruszaj|nie dotykaj|zostaw|zostaw mnie|не трогай|не двигайся|"
    "убери руку|отойди|замри|"
    "зупинись|стій|досить|opreste|opreste te|ajutor|lass sein|lass es|rör mig inte|släpp|slipp|slapp|hold op|"
    "stop med det|stopp det|"
    "irrota|älä liiku|nech toho|pusť|au|ne mozdulj|engedj el|σταμάτησε|βοήθεια|άσε με|dokunma|"
    "tigil|itigil mo|hinto|simama|jangan|jangan bergerak|tolong|dừng|thôi|cứu|หยุด|ช่วยด้วย|தொட|நிறுத்து|থামো|"
    "থামুন|بس|بایست|نکن|"
    "ساعدوني|لا تلمسني|احذر|النجدة|תפסיק|תעצור|הצילו|ruko|ruk jao|roko|bas|bas karo|band karo|chhodo|chodo|mat"
    " karo|bachao|रुकिए|मत करो|छोड़ो|बचाओ|"
    "停|توقف|قف|كفى|रुको|रुक जाओ|बस करो|बंद करो|dừng lại|berhenti|hentikan|עצור|די"
)
"""The same in other languages."""

FOREIGN_AROUND = (
    "mais aber pero ma же ahí hned "
    "nein ja bitte sofort jetzt doch endlich das damit mal non s'il te vous plait plaît tout de suite maintenant "
    "ça toi no ya ahora mismo por favor eso inmediatamente subito adesso ora ti prego não agora já nu nee meteen "
    "alsjeblieft nie natychmiast teraz proszę hemen şimdi lütfen нет немедленно сейчас пожалуйста nej nu "
    "الآن فورا abhi turant yaar फौरन अभी तुरंत sekarang ahora ya ahorita subito sul momento direct onmiddellijk"
    " med det samma straks heti "
    "genast la le pare robot reachy stopp halt aua ay aïe no"
)
"""What stands around those."""

UNSPACED = (
    "停下 停止 停停 快停 住手 别动 別動 别碰 別碰 放手 放开 放開 着火 救命 危险 危險 小心 当心 "
    "止まれ 止まって とまれ とまって やめろ やめて 止めて ストップ 危ない 離して はなして 触らないで さわるな"
    " 触るな 動くな 動かないで 助けて 멈춰 그만 위험해 정지 놔줘 움직이지 만지지 살려"
)
"""In scripts that put no blanks between words: anywhere in a word."""

UNSPACED_NOT = "别停 不要停 別停 不停 止めない やめない 止まらない 멈추지"
"""There, where none is meant."""

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
"""Praise, laughter and farewells: what is said near them is not meant badly."""
