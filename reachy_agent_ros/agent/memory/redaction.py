"""Redaction of personal data in text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_STREETS = "street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|square|court|way|place|terrace"
_BAHNEN = "straße|strasse|str|weg|platz|gasse|allee|ufer"
_RUES = "rue|avenue|boulevard|place|chemin|quai|via|viale|piazza|calle|avenida|plaza"
_NAME = r"(?-i:[^\W\d_a-z][\w'.-]{0,30})"  # capitalized, because "2 times on the way" is not an address
_RUE_NAME = rf"(?:(?:de|du|des|della|del|la|d') ?){{0,2}}{_NAME}"

# Every repetition is limited, so that the running time is linear in the length of the text.
_EMAIL = re.compile(r"[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_IBAN = re.compile(r"\b[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{1,4}){3,8}\b")
_NUMBER = re.compile(r"(?<![\w.,:])(?:\+|\(\+?)?\d(?:[ ()./-]{0,2}\d){6,24}(?![\w:]|[.,]\d)")
_ADDRESS = re.compile(
    rf"\b\d{{1,5}}[A-Za-z]?,? (?:{_NAME} ){{1,3}}(?:{_STREETS})\b"
    rf"|\b{_NAME}(?:(?<=\w)|[ -])(?:{_BAHNEN})\b\.? \d{{1,4}}[A-Za-z]?\b"
    rf"|\b\d{{1,5}},? (?:{_RUES}) {_RUE_NAME}"
    rf"|\b(?:{_RUES}) {_RUE_NAME},? \d{{1,4}}\b",
    re.IGNORECASE,
)

_DATE_OR_FRACTION = re.compile(
    r"\d{4}-\d\d-\d\d(?:[ -]\d{1,2})?|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d+\.\d+|\d{1,3}(?:\.\d{3})+"
)


def redacted(text: str) -> str:
    """Redacts e-mail addresses, IBANs, card numbers, telephone numbers and street addresses in a text.

    They are replaced by "[email]", "[iban]", "[card]", "[phone]" and "[address]". Data is recognized by its format, so
    names remain. The function is idempotent, and the result is at most twice as long as the text.
    """
    while (clean := _once(text)) != text:  # a replacement may create another match, but every round leaves less data
        text = clean
    return text


def _once(text: str) -> str:
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def _iban(found: re.Match[str]) -> str:
    """Replaces the IBAN at the start of a match. The match may also contain words after the IBAN."""
    groups = found[0].split(" ")
    for count in range(len(groups), 0, -1):
        head = " ".join(groups[:count])
        if _is_iban(re.sub(r"[ -]", "", head).upper()):
            return "[iban]" + found[0][len(head) :]
    return found[0]


def _is_iban(compact: str) -> bool:
    """Returns whether an IBAN has a valid checksum according to ISO 13616.

    After a rotation by four characters, the value of a valid IBAN is 1 modulo 97.
    """
    if not (compact.isascii() and 15 <= len(compact) <= 34):
        return False
    return int("".join(str(int(sign, 36)) for sign in compact[4:] + compact[:4])) % 97 == 1


def _number(found: re.Match[str]) -> str:
    digits = "".join(re.findall(r"\d", found[0]))
    if _DATE_OR_FRACTION.fullmatch(found[0]):
        return found[0]
    if 13 <= len(digits) <= 19 and sum(_doubled(digits)) % 10 == 0:
        return "[card]"
    # E.164 allows at most 15 digits. Digits without a character typical of telephone numbers are more often a count.
    marked = found[0].startswith(("+", "(", "0")) or bool(re.search(r"[ ()./-]", found[0]))
    return "[phone]" if len(digits) <= 15 and marked else found[0]


def _doubled(digits: str) -> Iterator[int]:
    """Yields the summands of the Luhn checksum (ISO/IEC 7812-1) of a card number."""
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        yield value - 9 if value > 9 else value


_PATTERNS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_EMAIL, "[email]"),
    (_IBAN, _iban),
    (_NUMBER, _number),
    (_ADDRESS, "[address]"),
)
