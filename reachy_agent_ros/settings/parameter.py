"""Declarations of settings: type, range and default, and validation of values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from reachy_agent_ros.core.credentials import require_no_secret
from reachy_agent_ros.core.errors import AgentError, ErrorCode

Value = bool | int | float | str

TypeName = Literal["bool", "integer", "double", "string"]

_TYPES: dict[type, TypeName] = {bool: "bool", int: "integer", float: "double", str: "string"}
LONGEST_TEXT = 4096
"""Maximum length of text, characters: the longest path. A longer one could make the settings file too large to read."""

_SWITCH = {"true": True, "false": False}


def as_text(value: Value) -> str:
    """Formats a value as on the command line: `true`, `8042`, `0.5`, or the text itself."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Parameter:
    """Declaration of a setting.

    Attributes:
        name: Name of the ROS parameter, or of the argument of the graph.
        default: Default value. Its type is the type of the setting.
        description: Description for `ros2 param describe` and the reference pages.
        unit: Symbol of the unit; empty for none.
        low: Least value of a number.
        high: Greatest value of a number.
        choices: Allowed texts; empty if any text is allowed.
        changes_live: Whether the setting can be changed while its node runs.
    """

    name: str
    default: Value
    description: str
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    changes_live: bool = False

    @property
    def type(self) -> TypeName:
        """Name of the corresponding ROS parameter type."""
        return _TYPES[type(self.default)]

    @property
    def allowed(self) -> str:
        """Description of the allowed values without the unit, such as "a number from 0 to 1"."""
        if self.choices:
            *others, last = self.choices
            return f"{', '.join(others)} or {last}"
        bounds = "" if math.isinf(self.low) else f" from {self.low:g} to {self.high:g}"
        return {bool: "true or false", int: "an integer", float: "a number", str: "a text"}[type(self.default)] + bounds

    @property
    def expected(self) -> str:
        """Description of the allowed values with the unit, for error messages."""
        return f"{self.allowed} ({self.unit})" if self.unit else self.allowed

    def parse(self, text: str) -> Value:
        """Parses a value from a text, in the format of the command line.

        Args:
            text: The text.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the text has the wrong type, is out of range, is not one of the choices or
                not one printable line, or contains a secret.
        """
        require_no_secret(self.name, text)  # before any error repeats the text
        try:
            match self.default:
                case bool():
                    return self.check(_SWITCH[text.lower()])
                case int():
                    return self.check(int(text))
                case float():
                    return self.check(float(text))
                case _:
                    return self.check(text)
        except (KeyError, ValueError):
            raise self._refusal(text) from None

    def check(self, value: object) -> Value:
        """Validates and returns a value from any origin. Accepts integers as numbers.

        Args:
            value: The value.

        Raises:
            AgentError: `INVALID_ARGUMENTS`, as for `parse`.
        """
        if isinstance(value, str):
            require_no_secret(self.name, value)
        match self.default, value:
            case (bool(), bool()):
                return value
            case (bool(), _) | (_, bool()):
                raise self._refusal(value)
            case (int(), int()) if self.low <= value <= self.high:
                return value
            case (float(), int() | float()) if self.low <= value <= self.high:
                return float(value)
            case (str(), str()) if not self.choices or value in self.choices:
                return self._plain(value)
        raise self._refusal(value)

    def _plain(self, text: str) -> str:
        """Validates a text, which must be one printable line. ROS and YAML change line breaks and other characters."""
        if len(text) > LONGEST_TEXT or not text.isprintable():
            message = f"Invalid {self.name} {text!r:.60}: expected one line of at most {LONGEST_TEXT} characters."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        return text

    def _refusal(self, value: object) -> AgentError:
        is_unquoted = self.type == "string" and _is_number(value) and str(value) in (self.choices or (str(value),))
        quotes = f'. Write the number in quotes: "{value}"' if is_unquoted else ""
        message = f"Invalid {self.name} {value!r:.60}: expected {self.expected}{quotes}."
        return AgentError(ErrorCode.INVALID_ARGUMENTS, message)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
