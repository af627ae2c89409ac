"""Normalization of English text, which writes out numbers and symbols that espeak would misread.

espeak, which produces the phonemes for Piper, reads numbers, ordinals, decimals, percentages, degrees and most acronyms
well; these remain unchanged. This module writes out text that espeak spells ("5 km/h" with a slash), misreads ("dollar
five") or mistakes for the end of a sentence ("Dr. No").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_DASH = "-\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}"

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_MONTH = {name[:3]: name for name in _MONTHS} | {"Sept": "September"}
_SHORT_MONTH = "|".join(sorted(set(_MONTH) - {"May"}, key=len, reverse=True))

_CURRENCIES = {"$": ("dollar", "cent"), "€": ("euro", "cent"), "£": ("pound", "penny"), "¥": ("yen", "sen")}
_PLURALS = {"penny": "pence", "yen": "yen", "sen": "sen"}
_MAGNITUDES = {"k": "thousand", "M": "million", "bn": "billion"}
_MAGNITUDE = "thousand|million|billion|trillion|k|M|bn"

_DECADES = {
    **{"2": "twenties", "3": "thirties", "4": "forties", "5": "fifties"},
    **{"6": "sixties", "7": "seventies", "8": "eighties", "9": "nineties"},
}
_PARTS = {"2": "half", "3": "third", "4": "quarter", "5": "fifth", "6": "sixth", "8": "eighth", "10": "tenth"}

_ABBREVIATIONS = {
    **{"e.g.": "for example", "i.e.": "that is", "etc.": "et cetera", "vs.": "versus", "approx.": "approximately"},
    **{"Dr.": "Doctor", "Mr.": "Mister", "Mrs.": "Missus", "Ms.": "Miz", "Prof.": "Professor"},
    **{"a.m.": "AM", "p.m.": "PM", "A.M.": "AM", "P.M.": "PM", "Ph.D.": "PhD", "w/o": "without", "w/": "with"},
    **{"and/or": "and or", "24/7": "24 7"},
}
_LAST = ("etc.", "a.m.", "p.m.", "A.M.", "P.M.", "Ph.D.")

_BEFORE_NUMBERS = {
    **{"No.": "number", "no.": "number", "Nos.": "numbers", "p.": "page", "pp.": "pages", "ch.": "chapter"},
    **{"fig.": "figure", "Fig.": "figure", "vol.": "volume", "Vol.": "volume", "ca.": "about", "St.": "Saint"},
    **{"#": "number ", "~": "about ", "<": "less than ", ">": "more than "},
}
_ACRONYMS = {
    **{"ROS": "Ross", "RAM": "ram", "ROM": "rom", "CAD": "cad", "PIN": "pin", "LAN": "lan", "SIM": "sim"},
    **{"URDF": "U R D F", "EPFL": "E P F L", "QoS": "Q o S", "IoT": "I o T", "AKA": "also known as"},
}
_ROMAN = {"II": 2, "III": 3, "IV": 4, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "XI": 11, "XII": 12, "XIII": 13, "XIV": 14}

_UNITS = {
    **{"nm": "nanometer", "µm": "micrometer", "μm": "micrometer", "mm": "millimeter", "cm": "centimeter"},
    **{"m": "meter", "km": "kilometer", "mg": "milligram", "g": "gram", "kg": "kilogram"},
    **{"ms": "millisecond", "s": "second", "min": "minute", "h": "hour", "rad": "radian", "deg": "degree"},
    **{"mV": "millivolt", "V": "volt", "kV": "kilovolt", "mA": "milliamp", "A": "amp"},
    **{"mW": "milliwatt", "W": "watt", "kW": "kilowatt", "N": "newton", "J": "joule", "dB": "decibel"},
    **{"mAh": "milliamp hour", "Ah": "amp hour", "Wh": "watt hour", "kWh": "kilowatt hour", "Nm": "newton meter"},
    **{"ml": "milliliter", "mL": "milliliter", "l": "liter", "L": "liter", "px": "pixel", "lb": "pound", "oz": "ounce"},
    **{"kB": "kilobyte", "KB": "kilobyte", "MB": "megabyte", "GB": "gigabyte", "TB": "terabyte"},
    **{"kbit": "kilobit", "Mbit": "megabit", "Gbit": "gigabit"},
}
"""Symbols that espeak would spell; it knows °, % and symbols that it can read as a word."""

_UNITS_WITHOUT_PLURAL = {"Hz": "hertz", "kHz": "kilohertz", "MHz": "megahertz", "GHz": "gigahertz"}

_UNCOMMON_UNITS = {
    "ft": ("foot", "feet"),
    "mph": ("mile per hour", "miles per hour"),
    "rpm": ("revolution per minute", "revolutions per minute"),
    "fps": ("frame per second", "frames per second"),
}

_UNIT_FORMS = {
    **{symbol: (name, f"{name}s") for symbol, name in _UNITS.items()},
    **{symbol: (name, name) for symbol, name in _UNITS_WITHOUT_PLURAL.items()},
    **_UNCOMMON_UNITS,
}

_POWERS = {"²": "square ", "³": "cubic ", "": ""}
_POWERS_OF_TIME = {"²": " squared", "³": " cubed", "": ""}
_TIME_UNITS = ("s", "ms", "min", "h")


def normalized(text: str) -> str:
    """Normalizes English text to one line. Normalized text is not changed further."""
    while (words := _words(text)) != text:
        text = words
    return words


def _words(text: str) -> str:
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _many(noun: str, number: str) -> str:
    return noun if number == "1" else _PLURALS.get(noun, f"{noun}s")


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _abbreviation(found: re.Match[str]) -> str:
    """Writes out an abbreviation. Keeps its period if the abbreviation may end a sentence."""
    short, after = found[1], found.string[found.end() :].lstrip()
    ends = short in _LAST and (not after or after[0].isupper())
    return _ABBREVIATIONS[short] + "." * ends


def _money(found: re.Match[str]) -> str:
    number, (whole, part) = found["number"], _CURRENCIES[found["sign"]]
    magnitude = found["magnitude"] or ""
    if magnitude:
        return f"{number} {_MAGNITUDES.get(magnitude, magnitude)} {_many(whole, '')}"
    units, _, cents = number.partition(".")
    if len(cents) != 2:
        return f"{number} {_many(whole, number)}"
    large = f"{units} {_many(whole, units)}"
    small = f"{int(cents)} {_many(part, str(int(cents)))}"
    return large if cents == "00" else small if units == "0" else f"{large} and {small}"


def _time(found: re.Match[str]) -> str:
    hour, minute, half = int(found["hour"]), found["minute"], found["half"]
    if minute == "00":
        if half:
            return f"{hour} {half.upper()}"
        return "midnight" if hour == 0 else f"{hour} o'clock" if hour <= 12 else f"{hour} hundred hours"
    spoken = f"oh {int(minute)}" if minute.startswith("0") else minute
    return f"{hour} {spoken}{f' {half.upper()}' if half else ''}"


def _date(found: re.Match[str]) -> str:
    month, day = int(found["month"]), int(found["day"])
    return f"{_MONTHS[month - 1]} {_ordinal(day)}, {found['year']}"


def _range(found: re.Match[str]) -> str:
    """Writes out a range, unless it may be a telephone number."""
    low, high = found["low"], found["high"]
    span = float(low) < float(high) and (len(low) == len(high) or float(high) < 1000.0)
    return f"{low} to {high}" if span else found[0]


def _fraction(found: re.Match[str]) -> str:
    above, below = found["above"], found["below"]
    if int(above) >= int(below) or below not in _PARTS:
        return f"{above} over {below}"
    part = _PARTS[below]
    return f"{above} {part}" if above == "1" else f"{above} {part}s"


def _quantity(quantity: re.Match[str]) -> str:
    number = quantity["number"]
    unit = _POWERS[quantity["power"]] + _UNIT_FORMS[quantity["unit"]][number != "1"]
    divisor = f" per {_divisor(quantity['per'], quantity['per_power'])}" if quantity["per"] else ""
    return f"{number} {unit}{divisor}".strip()


def _divisor(symbol: str, power: str) -> str:
    name = _UNITS[symbol]
    return f"{name}{_POWERS_OF_TIME[power]}" if symbol in _TIME_UNITS else f"{_POWERS[power]}{name}"


def _path(found: re.Match[str]) -> str:
    return "a file" if "." in found["name"] else "a folder"


_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]

_YEAR, _DAY, _MONTH_NUMBER = r"(?P<year>\d{4})", r"(?P<day>0?[1-9]|[12]\d|3[01])", r"(?P<month>0?[1-9]|1[0-2])"
_NO_NUMBER_BEFORE, _NO_NUMBER_AFTER = r"(?<![\w.,/:-])", r"(?![\w/:-]|[.,]\d)"


def _alone(pattern: str) -> re.Pattern[str]:
    """Compiles a pattern so that it does not match within a longer number or word."""
    return re.compile(_NO_NUMBER_BEFORE + pattern + _NO_NUMBER_AFTER)


_DIVISORS = _any([*_TIME_UNITS, "m", "kg", "l"])
_UNIT = rf"(?P<unit>{_any(_UNIT_FORMS)})(?P<power>[²³]?)"
_PER = rf"/(?P<per>{_DIVISORS})(?P<per_power>[²³]?)"
_UNIT_END = r"(?![\w²³/'])"

_RULES: tuple[_Rule, ...] = (
    # Nobody can follow a spoken path.
    (re.compile(r"(?<![^\s(\"'])~?(?:/[\w@+.-]*\w)+/(?P<name>[\w@+.-]*\w)/?(?!\w)"), _path),
    (_alone(rf"{_YEAR}-{_MONTH_NUMBER}-{_DAY}"), _date),
    (_alone(rf"{_MONTH_NUMBER}/{_DAY}/{_YEAR}"), _date),
    (_alone(rf"{_DAY}/{_MONTH_NUMBER}/{_YEAR}"), _date),
    (_alone(rf"{_DAY}\.{_MONTH_NUMBER}\.{_YEAR}"), _date),
    (re.compile(rf"\b({_SHORT_MONTH})\b\.?(?=\s\d)|(?<=\d\s)({_SHORT_MONTH})\b\.?"), lambda m: _MONTH[m[1] or m[2]]),
    (re.compile(rf"(?<![\w.])({_any(_ABBREVIATIONS)})(?!\w)"), _abbreviation),
    (re.compile(rf"(?<![\w&])({_any(_BEFORE_NUMBERS)})\s?(?=\d)"), lambda m: f"{_BEFORE_NUMBERS[m[1]].strip()} "),
    (
        re.compile(rf"(?P<sign>[$€£¥])\s?(?P<number>{_NUMBER})(?:\s?(?P<magnitude>{_MAGNITUDE})\b)?(?!\w)"),
        _money,
    ),
    (re.compile(rf"(?<![\w.,])(?P<number>{_NUMBER})\s?(?P<magnitude>)(?P<sign>[$€£¥])(?!\w)"), _money),
    (_alone(r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?:\s?(?P<half>[AaPp][Mm])\b)?"), _time),
    (_alone(r"(\d{1,3}):(\d{1,3})"), r"\1 to \2"),
    (re.compile(r"\b(1\d|20)([2-9])0s\b"), lambda m: f"{m[1]} {_DECADES[m[2]]}"),
    (re.compile(r"(?<=\bthe )'?([2-9])0s\b"), lambda m: _DECADES[m[1]]),
    (
        re.compile(
            rf"(?<![\w.-])(?P<low>\d+(?:\.\d+)?)(?:-|\s?[{_DASH[1:3]}]\s?)(?P<high>\d+(?:\.\d+)?)(?![{_DASH}]|\.?\d)"
        ),
        _range,
    ),
    (_alone(r"(?P<above>\d{1,2})/(?P<below>\d{1,3})"), _fraction),
    (re.compile(r"(?<![\w.])\.(?=\d)"), "0."),
    # Quantities with their units: "5 km/h" becomes "5 kilometers per hour".
    (
        re.compile(
            rf"(?P<number>(?<![\w.,])\d+(?:,\d{{3}})*(?:\.\d+)?)[ \N{{NO-BREAK SPACE}}]?{_UNIT}(?:{_PER})?{_UNIT_END}"
        ),
        _quantity,
    ),
    (re.compile(rf"(?P<number>)(?<![\w/]){_UNIT}{_PER}{_UNIT_END}"), _quantity),
    (_alone(r"(\d+(?:\.\d+)?)[eE]\+?(-?)(\d+)"), lambda m: f"{m[1]} times 10 to the {'minus ' * bool(m[2])}{m[3]}"),
    (re.compile(r"(?<=[\w)])(?:²|\^2\b)"), " squared"),
    (re.compile(r"(?<=[\w)])(?:³|\^3\b)"), " cubed"),
    (re.compile(r"(?<=[\w)])\^(-?)(\d+)"), lambda m: f" to the {'minus ' * bool(m[1])}{m[2]}"),
    (re.compile(rf"(?<=[\d)])\s[{_DASH}]\s(?=[\d(])"), " minus "),
    (re.compile(r"(?<=[\d)])\s?\*\s?(?=[\d(])"), " times "),
    (re.compile(r"(?<=\d)\s?[x\N{MULTIPLICATION SIGN}]\s?(?=\d)"), " by "),
    (re.compile(r"\s*(?:[-=]>|→)\s*"), " to "),
    (re.compile(rf"\b({_any(_ACRONYMS)})(?!\w)"), lambda m: _ACRONYMS[m[1]]),
    (re.compile(rf"(?<=[A-Z][a-z] |[a-z]{{2}} )({'|'.join(_ROMAN)})\b"), lambda m: str(_ROMAN[m[1]])),
)
