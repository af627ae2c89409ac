from typing import Any

import pytest

from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages
from reachy_agent_ros.nlu.vocabulary import Vocabulary

WATCHES = {"kind": "watch_scene", "all": True}
PERSON = {"name": "person"}


@pytest.fixture(scope="module")
def recognizer() -> CommandRecognizer:
    vocabulary = Vocabulary(emotions(), dances())
    return CommandRecognizer(vocabulary, languages=TemplateLanguages(vocabulary))


@pytest.mark.parametrize(
    ("language", "text", "tool", "arguments"),
    [
        ("en", "watch the table and tell me when something comes", "watch_scene", {}),
        ("en", "please watch the desk and let me know if anything appears", "watch_scene", {}),
        ("en", "tell me when something comes", "watch_scene", {}),
        ("en", "watch the door and let me know when somebody comes in", "watch_scene", PERSON),
        ("en", "tell me when you see the duck", "watch_scene", {"name": "duck"}),
        ("en", "watch out for a duck", "watch_scene", {"name": "duck"}),
        (
            "en",
            "watch the table for ten minutes and tell me when something comes",
            "watch_scene",
            {"duration_s": 600},
        ),
        ("de", "beobachte den Tisch und sag mir, wenn etwas kommt", "watch_scene", {}),
        ("de", "sag mir Bescheid, wenn jemand zur Tür kommt", "watch_scene", PERSON),
        ("de", "sag Bescheid, sobald du die Ente siehst", "watch_scene", {"name": "duck"}),
        ("fr", "surveille la table et dis-moi quand quelque chose arrive", "watch_scene", {}),
        ("fr", "préviens-moi si quelqu'un arrive", "watch_scene", PERSON),
        ("fr", "dis-moi quand tu vois le canard", "watch_scene", {"name": "duck"}),
        ("es", "vigila la mesa y avísame cuando llegue algo", "watch_scene", {}),
        ("es", "avísame cuando venga alguien", "watch_scene", PERSON),
        ("es", "avísame cuando veas el pato", "watch_scene", {"name": "duck"}),
        ("it", "sorveglia il tavolo e dimmi quando arriva qualcosa", "watch_scene", {}),
        ("it", "avvisami se arriva qualcuno", "watch_scene", PERSON),
        ("it", "dimmi quando vedi la papera", "watch_scene", {"name": "duck"}),
        ("pt", "vigia a mesa e avisa-me quando chegar alguma coisa", "watch_scene", {}),
        ("pt", "avisa-me se vier alguém", "watch_scene", PERSON),
        ("pt", "avisa-me quando vires o pato", "watch_scene", {"name": "duck"}),
        ("en", "are you still watching?", "list_jobs", {}),
        ("en", "what are you watching for?", "list_jobs", {}),
        ("de", "was machst du gerade?", "list_jobs", {}),
        ("fr", "que fais-tu ?", "list_jobs", {}),
        ("fr", "qu'est-ce que tu fais en ce moment ?", "list_jobs", {}),
        ("es", "¿qué estás haciendo?", "list_jobs", {}),
        ("it", "che cosa stai facendo?", "list_jobs", {}),
        ("pt", "o que estás a fazer?", "list_jobs", {}),
        ("pt", "o que você está fazendo?", "list_jobs", {}),
        ("en", "stop watching", "cancel_job", WATCHES),
        ("en", "stop watching the table", "cancel_job", WATCHES),
        ("en", "you don't have to watch the door any more", "cancel_job", WATCHES),
        ("en", "cancel all tasks", "cancel_job", {"all": True}),
        ("de", "hör auf, den Tisch zu beobachten", "cancel_job", WATCHES),
        ("fr", "arrête de surveiller la table", "cancel_job", WATCHES),
        ("es", "deja de vigilar", "cancel_job", WATCHES),
        ("it", "smetti di sorvegliare", "cancel_job", WATCHES),
        ("pt", "para de vigiar a mesa", "cancel_job", WATCHES),
    ],
)
def test_recognizes_command_about_jobs(
    recognizer: CommandRecognizer, language: str, text: str, tool: str, arguments: dict[str, Any]
) -> None:
    decision = recognizer.decide(text)
    assert [(action.tool, dict(action.arguments)) for action in decision.actions] == [(tool, arguments)]
    assert decision.language == language


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("stop watching me", "head_tracking"),
        ("hör auf, mich zu beobachten", "head_tracking"),
        ("arrête de me surveiller", "head_tracking"),
        ("watch the duck", "look_at_object"),
        ("keep an eye on the table", "follow_object"),
        ("remind me when something comes up to call", "set_reminder"),
        ("stop", "stop"),
        ("watch out", "stop"),
    ],
)
def test_similar_command_keeps_its_meaning(recognizer: CommandRecognizer, text: str, tool: str) -> None:
    assert [action.tool for action in recognizer.decide(text).actions] == [tool]


@pytest.mark.parametrize(
    "text",
    [
        "watch the news",
        "tell me when the movie starts",
        "tell me when you were built",
        "what are you doing?",
        "what are you working on?",
        "what are you doing this weekend?",
        "what are they doing?",
        "was machst du heute",
        "i watched the table and something came",
    ],
)
def test_similar_sentence_does_not_concern_jobs(recognizer: CommandRecognizer, text: str) -> None:
    assert not {action.tool for action in recognizer.decide(text).actions} & {"watch_scene", "list_jobs", "cancel_job"}
