"""Tools of the agent whose results and errors are sentences in the language of the request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeVar

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.templates.language import LANGUAGES
from reachy_agent_ros.nlu.templates.languages import language_codes
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form
from reachy_agent_ros.tools.protocol.tools import ToolCall

DEFAULT_LANGUAGE = "en"
"""Language of sentences if the language of the request is unknown."""

Result = Mapping[str, Any]


FormT = TypeVar("FormT", bound=StrictForm)

_LARGEST_FILE = 100_000
"""Maximum size of a file of sentences, bytes."""


def read_phrases(language: str, file: str, form: type[FormT], complaint: str) -> FormT:
    """Reads the sentences in a file of a language.

    Args:
        language: ISO 639-1 code.
        file: Name of the file in the folder of each language.
        form: Contents of the file.
        complaint: Beginning of the error message for an invalid file.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the language is unknown, or its file is invalid.
    """
    if language not in language_codes():
        message = f"Unknown language {language!r:.20}: expected one of {', '.join(language_codes())}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    return read_form(LANGUAGES / language / file, form, _LARGEST_FILE, complaint)


class SpokenError(AgentError):
    """Error whose message the robot says in the language of the request.

    Args:
        code: Error code.
        worded: Returns the message in a language, given its ISO 639-1 code.
        language: ISO 639-1 code.
    """

    def __init__(self, code: ErrorCode, worded: Callable[[str], str], language: str = DEFAULT_LANGUAGE) -> None:
        super().__init__(code, worded(language))
        self._worded = worded

    def in_language(self, language: str) -> SpokenError:
        """Returns the error with its message in a language."""
        return SpokenError(self.code, self._worded, language)


class SpokenArguments(ToolArguments):
    """Arguments of a tool that answers with a sentence."""

    language: Literal["", "en", "de", "fr", "es", "it", "pt"] = Field(
        default="", description="ISO 639-1 code of the person's language; empty for the language of the request."
    )

    def language_of(self, call: ToolCall) -> str:
        """Returns the language of the answer to a call."""
        return self.language or call.language or DEFAULT_LANGUAGE


SpokenArgumentsT = TypeVar("SpokenArgumentsT", bound=SpokenArguments)

Run = Callable[[SpokenArgumentsT, ToolCall], Awaitable[Result]]


def in_language(run: Run[SpokenArgumentsT]) -> Run[SpokenArgumentsT]:
    """Returns a function that runs a tool, and converts the message of a `SpokenError` to the person's language."""
    return partial(_in_language, run)


async def _in_language(run: Run[SpokenArgumentsT], arguments: SpokenArgumentsT, call: ToolCall) -> Result:
    try:
        return await run(arguments, call)
    except SpokenError as error:
        language = arguments.language or call.language
        raise (error.in_language(language) if language else error) from None
