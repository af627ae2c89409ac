"""Prints the recognized intents of sentences. The robot does not act on the sentences."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.arguments import add_options, sentences
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory

if TYPE_CHECKING:
    from reachy_agent_ros.nlu.decision import Decision

GROUP = Group.FILES

ENGLISH = "en"
"""Language that has rules in addition to templates."""

HELP = "show the recognized intent of a sentence, without acting on it"

EXAMPLES = (
    'reachy-agent intent "look left"',
    "reachy-agent intent --json --file sentences.txt",
    'reachy-agent intent --language de "schau nach links"',
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the sentences and the output format."""
    parser.add_argument("text", nargs="*", help="sentences, one per argument")
    parser.add_argument("--file", type=Path, metavar="F", help="file with one sentence per line; - for standard input")
    parser.add_argument("--language", metavar="L", help="language of the sentences, such as de; default: any")
    parser.add_argument("--gaps", action="store_true", help="print what each language lacks, instead of intents")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints one line per sentence or, with `--gaps`, per language.

    Returns:
        1 if `--gaps` is given without `--json` and a language has gaps, otherwise 0.

    Raises:
        UnreadableFileError: The file cannot be read.
        AgentError: `INVALID_ARGUMENTS`: there is no sentence, or the language is unknown.
    """
    from reachy_agent_ros.core.embedding import SentenceEmbedder
    from reachy_agent_ros.motion.dance import dances
    from reachy_agent_ros.motion.emotion import emotions
    from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
    from reachy_agent_ros.nlu.dances import RandomDance
    from reachy_agent_ros.nlu.decision import DecisionKind
    from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
    from reachy_agent_ros.nlu.learned import FILE_NAME, LearnedPhrases
    from reachy_agent_ros.nlu.own_sentences import OwnSentences
    from reachy_agent_ros.nlu.small_talk import SmallTalkReader
    from reachy_agent_ros.nlu.stop_rule import stop_in_conversation
    from reachy_agent_ros.nlu.templates.languages import TemplateLanguages, load_classifier
    from reachy_agent_ros.nlu.vocabulary import Vocabulary

    if arguments.gaps:
        return _print_gaps(arguments.json)
    texts = sentences(arguments.text, arguments.file)
    vocabulary = Vocabulary(emotions(), dances())
    with closing(LearnedPhrases(state_directory() / FILE_NAME)) as learned:
        embedder = cache(SentenceEmbedder)
        dance = RandomDance()
        languages = TemplateLanguages(vocabulary, dance, _codes(arguments.language), classifier=load_classifier())
        own = OwnSentences(state_directory())
        english = CommandRecognizer(vocabulary, FreePhrasing(vocabulary, embedder, learned), dance, languages, own)
        decide = english.decide if arguments.language in (None, ENGLISH) else languages.decide_any
        small_talk = SmallTalkReader(embedder)
        for text in texts:
            decision = decide(text)
            stop = stop_in_conversation(text, decision)
            talk = small_talk.read_similar(text) if decision.kind is DecisionKind.DEFER else None
            topic = talk.topic.value if talk else ""
            line = _line(text, decision) | {"small_talk": topic, "stop": stop.value}
            show(line, _words(text, decision, topic), arguments.json)
            dance.use()
    for mistake in own.mistakes(english.decide):
        print(mistake, file=sys.stderr)
    return 0


def _print_gaps(as_json: bool) -> int:
    from reachy_agent_ros.nlu.templates.language_gaps import language_gaps

    found = language_gaps()
    for gaps in found:
        show(asdict(gaps) | {"complete": gaps.complete}, str(gaps), as_json)
    return int(not (as_json or all(gaps.complete for gaps in found)))


def _codes(language: str | None) -> Sequence[str] | None:
    """Returns the codes of the languages whose templates are applied, or None for all languages."""
    from reachy_agent_ros.nlu.templates.languages import language_codes

    known = language_codes()
    if language is None:
        return None
    if language not in (ENGLISH, *known):
        message = f"Unknown language {language!r}: expected one of {', '.join(sorted((ENGLISH, *known)))}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    return [language] if language in known else []


def _line(text: str, decision: Decision) -> dict[str, Any]:
    return {
        "text": text,
        "decision": decision.kind.value,
        "actions": [{"tool": action.tool, "arguments": dict(action.arguments)} for action in decision.actions],
        "wants_description": decision.wants_description,
        "remainder": decision.remainder,
        "options": decision.options,
        "confidence": round(decision.confidence, 3),
    }


def _words(text: str, decision: Decision, topic: str) -> str:
    calls = "; ".join(f"{action.tool} {json.dumps(dict(action.arguments))}" for action in decision.actions)
    then = ["describe the scene"] if decision.wants_description else []
    then += [f"answer {decision.remainder!r}"] if decision.remainder else []
    words = "; then ".join(filter(None, [calls or decision.question, *then]))
    return f"{decision.kind.value:5} {text!r}: {words or (f'small talk ({topic})' if topic else 'not a command')}"
