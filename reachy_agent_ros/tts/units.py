"""Units as they are spoken."""

from __future__ import annotations

import re

_NAMES = {
    **{"nm": "nanometre", "µm": "micrometre", "μm": "micrometre", "mm": "millimetre", "cm": "centimetre"},
    **{"m": "metre", "km": "kilometre", "mg": "milligram", "g": "gram", "kg": "kilogram"},
    **{"ms": "millisecond", "s": "second", "min": "minute", "h": "hour", "rad": "radian", "deg": "degree"},
    **{"mV": "millivolt", "V": "volt", "kV": "kilovolt", "mA": "milliamp", "A": "amp"},
    **{"mW": "milliwatt", "W": "watt", "kW": "kilowatt", "N": "newton", "J": "joule", "dB": "decibel"},
    **{"mAh": "milliamp hour", "Ah": "amp hour", "Wh": "watt hour", "kWh": "kilowatt hour", "Nm": "newton metre"},
    **{"ml": "millilitre", "mL": "millilitre", "l": "litre", "L": "litre", "px": "pixel", "lb": "pound", "oz": "ounce"},
    **{"kB": "kilobyte", "KB": "kilobyte", "MB": "megabyte", "GB": "gigabyte", "TB": "terabyte"},
    **{"kbit": "kilobit", "Mbit": "megabit", "Gbit": "gigabit"},
}
"""Symbols of which espeak says the letters; it knows °, % and what it can read as a word."""

_SAME_IN_PLURAL = {"Hz": "hertz", "kHz": "kilohertz", "MHz": "megahertz", "GHz": "gigahertz"}

_UNCOMMON = {
    "ft": ("foot", "feet"),
    "mph": ("mile per hour", "miles per hour"),
    "rpm": ("revolution per minute", "revolutions per minute"),
    "fps": ("frame per second", "frames per second"),
}

_ONE_AND_MANY = {
    **{symbol: (name, f"{name}s") for symbol, name in _NAMES.items()},
    **{symbol: (name, name) for symbol, name in _SAME_IN_PLURAL.items()},
    **_UNCOMMON,
}

_POWERS = {"²": "square ", "³": "cubic ", "": ""}
_POWERS_OF_TIME = {"²": " squared", "³": " cubed", "": ""}
_TIMES = ("s", "ms", "min", "h")


def _any(symbols: list[str]) -> str:
    return "|".join(sorted(map(re.escape, symbols), key=len, reverse=True))


_DIVISORS = _any([*_TIMES, "m", "kg", "l"])
_UNIT = rf"(?P<unit>{_any(list(_ONE_AND_MANY))})(?P<power>[²³]?)"
_PER = rf"/(?P<per>{_DIVISORS})(?P<per_power>[²³]?)"
_END = r"(?![\w²³/'])"

_COUNTED = re.compile(
    rf"(?P<number>(?<![\w.,])\d+(?:,\d{{3}})*(?:\.\d+)?)[ \N{{NO-BREAK SPACE}}]?{_UNIT}(?:{_PER})?{_END}"
)
_RATE = re.compile(rf"(?P<number>)(?<![\w/]){_UNIT}{_PER}{_END}")


def with_units(text: str) -> str:
    """Text with the units of its quantities in words: "5 km/h" is "5 kilometres per hour"."""
    return _RATE.sub(_words, _COUNTED.sub(_words, text))


def _words(quantity: re.Match[str]) -> str:
    number = quantity["number"]
    unit = _POWERS[quantity["power"]] + _ONE_AND_MANY[quantity["unit"]][number != "1"]
    divisor = f" per {_divisor(quantity['per'], quantity['per_power'])}" if quantity["per"] else ""
    return f"{number} {unit}{divisor}".strip()


def _divisor(symbol: str, power: str) -> str:
    name = _NAMES[symbol]
    return f"{name}{_POWERS_OF_TIME[power]}" if symbol in _TIMES else f"{_POWERS[power]}{name}"
