"""Detection of prompt injection: text that gives instructions to the model.

The detection only marks text: an attacker can always find other words, and an article about such attacks contains all
of them. Permissions decide what a tool may do, whatever the model was persuaded to do.
"""

from __future__ import annotations

import re

from reachy_agent_ros.core.plain_letters import readings

_MACHINE = r"(?:ai|assistants?|(?:large\s+)?(?:language\s+)?models?|llms?|chatbots?|robots?|agents?)\b"

_KINDS = {
    "override": r"""\b(?:ignore|disregard|forget|override|bypass)\s+(?:\w+\s+){0,5}?
        (?:previous|prior|above|earlier|preceding|your|system|safety|other)\s+(?:\w+\s+){0,2}?
        (?:instructions?|prompts?|rules?|guidelines?|directives?|commands?|messages?|training)\b""",
    "new instructions": r"""\b(?:new|updated|real|actual|secret)\s+instructions?\s*
        (?:for\s+(?:the|you)\b.{0,40})?:""",
    "new role": r"""\byou\s+are\s+now\s+(?:an?|the|in|free|dan)\b
        | \bfrom\s+now\s+on\s*,?\s+you\s+(?:are|must|will|shall)\b
        | \bpretend\s+(?:to\s+be|you\s+are)\s+(?:an?|the)\s+(?:\w+\s+){0,2}"""
    + _MACHINE
    + r"| \b(?:dan|developer|jailbreak)\s+mode\b",
    "address": r"""\b(?:attention|dear|note\s+to|messages?\s+(?:for|to)|instructions?\s+(?:for|to))[\s,:]+
        (?:(?:the|any|all)\s+)?"""
    + _MACHINE
    + r"| \bif\s+you\s+are\s+an?\s+"
    + _MACHINE,
    "leak": r"""\b(?:reveal|print|repeat|show|output|leak|send)\s+(?:me\s+)?(?:all\s+(?:of\s+)?)?(?:your|the)\s+
        (?:(?:full|entire|initial|hidden|system)\s+){0,3}(?:prompts?|instructions|api\s+keys?|passwords?|secrets?)\b""",
    "concealment": r"""\b(?:do\s+not|don't|never|without)\s+
        (?:tell|inform|mention|reveal|alert|notify)(?:ing)?\s+
        (?:(?:this|it|anything)\s+)?(?:to\s+)?(?:the\s+)?(?:user|person|human|owner|anyone)\b""",
    "tool call": r"""\b(?:call|invoke|execute|use|run)\s+(?:the\s+)?
        (?:(?=\w+_\w)\w++|(?:`?\w+`?\s+)?(?:tool|function)|`\w+`)(?:\s+(?:with|now|immediately|and|to)\b|\s*\()
        | <tool_call> | "(?:tool|function|name)"\s*:\s*"\w+"\s*,\s*"arg""",
    "chat template": r"""<\|\w+\|> | \[/?INST\] | <</?SYS>> | <(?:start|end)_of_turn> | </?(?:system|assistant)>
        | ^[^\S\n]*\#{2,}\s*(?:system|instruction|assistant)\b | ^[^\S\n]*(?:system|assistant)\s*:""",
}
_OTHER_LANGUAGES = {
    # German, French, Spanish, Italian and Portuguese, in plain letters.
    "override": r"""\b(?:ignorier\w*|missacht\w*|vergiss|vergesst|vergessen|ignor\w+|oubli\w+|neglig\w+|olvid\w+|
        dimentic\w+|trascur\w+|esquec\w+|desconsider\w+|descart\w+)\s+(?:\w+\s+){0,5}?
        (?:anweisung\w*|vorgabe\w*|regel\w?|befehl\w*|instruction\w*|consigne\w*|regle\w*|ordre\w*|instruccion\w*|
        regla\w*|orden\w*|istruzion\w*|regol\w*|comand\w*|ordin\w+|instruc\w+|regra\w*|orden\w*)\b""",
    "new role": r"""\b(?:du\s+bist|tu\s+es|vous\s+etes|eres|tu\s+sei|sei|voce\s+e|tu\s+es)\s+
        (?:ab\s+jetzt|von\s+nun\s+an|nun|jetzt|desormais|maintenant|ahora|adesso|ora|agora)\s+
        (?:ein\w?|une?|una?|uno|um|uma)\b
        | \b(?:ab\s+sofort|von\s+jetzt\s+an|a\s+partir\s+de\s+maintenant|a\s+partir\s+de\s+ahora|d'ora\s+in\s+poi|
        a\s+partir\s+de\s+agora)\s*,?\s+(?:bist|musst|wirst|tu|vous|eres|debes|sei|devi|voce|deves)\b""",
    "concealment": r"""\b(?:sag\w*|erzahl\w*|verrat\w*)\s+(?:es\s+)?(?:dem|der|den)\s+
        (?:nutzer|benutzer|besitzer|person)\w*\s+(?:nichts|nicht)\b
        | \bne\s+(?:dis|dites|revele\w*)\s+(?:rien|pas)\s+(?:\w+\s+){0,3}?(?:utilisateur\w*|proprietaire|personne)\b
        | \b(?:no|nao|non)\s+(?:se\s+lo\s+|lhe\s+|le\s+)?(?:dig\w+|cuent\w+|dire|conte\w?|rivel\w+)\s+(?:\w+\s+){0,3}?
        (?:usuario|dueno|utente|proprietario|utilizador|dono)\b""",
}
_KINDS = {kind: " | ".join(filter(None, (one, _OTHER_LANGUAGES.get(kind)))) for kind, one in _KINDS.items()}
_PATTERNS = {kind: re.compile(pattern, re.IGNORECASE | re.VERBOSE | re.MULTILINE) for kind, pattern in _KINDS.items()}


def instructions_in(text: str) -> list[str]:
    """Returns the kinds of instruction-like content found in a text. The result is empty if none is found.

    Args:
        text: Text that a tool has read. Look-alike, invisible, accented or spaced letters do not hide words, nor do
            invisible characters or underscores between words.
    """
    seen = readings(text)
    return [kind for kind, pattern in _PATTERNS.items() if any(map(pattern.search, seen))]
