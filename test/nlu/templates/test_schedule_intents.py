from typing import Any

import pytest

from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.decision import DEFER
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages
from reachy_agent_ros.nlu.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def languages() -> TemplateLanguages:
    return TemplateLanguages(Vocabulary(emotions(), dances()))


@pytest.mark.parametrize(
    ("language", "text", "tool", "arguments"),
    [
        ("en", "set a pasta timer for ten minutes", "set_timer", {"duration_s": 600, "name": "pasta"}),
        ("en", "set a timer for ten minutes", "set_timer", {"duration_s": 600}),
        (
            "de",
            "stell einen Timer für die Nudeln auf zehn Minuten",
            "set_timer",
            {"duration_s": 600, "name": "Nudeln"},
        ),
        ("fr", "mets un minuteur de dix minutes pour les pâtes", "set_timer", {"duration_s": 600, "name": "pâtes"}),
        ("es", "pon un temporizador de diez minutos para la pasta", "set_timer", {"duration_s": 600, "name": "pasta"}),
        ("it", "metti un timer di dieci minuti per la pasta", "set_timer", {"duration_s": 600, "name": "pasta"}),
        ("pt", "põe um temporizador de dez minutos para a massa", "set_timer", {"duration_s": 600, "name": "massa"}),
        ("en", "add five minutes to the timer", "change_timer", {"change_s": 300}),
        ("en", "take two minutes off the timer", "change_timer", {"change_s": -120}),
        ("de", "verlängere den Timer um fünf Minuten", "change_timer", {"change_s": 300}),
        ("fr", "ajoute cinq minutes au minuteur", "change_timer", {"change_s": 300}),
        ("es", "añade cinco minutos al temporizador", "change_timer", {"change_s": 300}),
        ("it", "aggiungi cinque minuti al timer", "change_timer", {"change_s": 300}),
        ("pt", "acrescenta cinco minutos ao temporizador", "change_timer", {"change_s": 300}),
        ("en", "wake me up tomorrow at half past six", "set_alarm", {"time": "tomorrow at half past six"}),
        ("de", "weck mich morgen um halb sieben", "set_alarm", {"time": "morgen um halb sieben"}),
        ("fr", "réveille-moi demain à sept heures", "set_alarm", {"time": "demain à sept heures"}),
        ("de", "erinnere mich morgen an den Zahnarzt", "set_reminder", {"text": "morgen den Zahnarzt"}),
        ("fr", "rappelle-moi demain de payer", "set_reminder", {"text": "demain payer"}),
        ("es", "recuérdame mañana llamar al banco", "set_reminder", {"text": "mañana llamar al banco"}),
        ("en", "how much time is left?", "list_schedule", {"kind": "timer"}),
        ("de", "wie lange läuft der Timer noch?", "list_schedule", {"kind": "timer"}),
        ("fr", "combien de temps reste-t-il ?", "list_schedule", {"kind": "timer"}),
        ("es", "¿cuánto tiempo queda?", "list_schedule", {"kind": "timer"}),
        ("it", "quanto manca?", "list_schedule", {"kind": "timer"}),
        ("pt", "quanto tempo falta?", "list_schedule", {"kind": "timer"}),
        ("en", "add five minutes to the pasta timer", "change_timer", {"change_s": 300, "name": "pasta"}),
        (
            "de",
            "verlängere den Timer für die Nudeln um fünf Minuten",
            "change_timer",
            {"change_s": 300, "name": "Nudeln"},
        ),
        ("fr", "ajoute cinq minutes au minuteur des pâtes", "change_timer", {"change_s": 300, "name": "pâtes"}),
        ("es", "añade cinco minutos al temporizador de la pasta", "change_timer", {"change_s": 300, "name": "pasta"}),
        ("it", "aggiungi cinque minuti al timer della pasta", "change_timer", {"change_s": 300, "name": "pasta"}),
        ("pt", "acrescenta cinco minutos ao temporizador da massa", "change_timer", {"change_s": 300, "name": "massa"}),
        ("en", "how long is left on the pasta timer?", "list_schedule", {"kind": "timer", "name": "pasta"}),
        ("de", "wie lange läuft der Timer für die Nudeln noch?", "list_schedule", {"kind": "timer", "name": "Nudeln"}),
        ("it", "quanto manca al timer della pasta?", "list_schedule", {"kind": "timer", "name": "pasta"}),
        ("en", "cancel the pasta timer", "cancel_schedule", {"kind": "timer", "name": "pasta"}),
        ("en", "cancel the reminder to call mom", "cancel_schedule", {"kind": "reminder", "name": "call mom"}),
        ("de", "lösche den Timer für die Nudeln", "cancel_schedule", {"kind": "timer", "name": "Nudeln"}),
        ("fr", "annule le minuteur pour les pâtes", "cancel_schedule", {"kind": "timer", "name": "pâtes"}),
        ("es", "cancela el temporizador de la pasta", "cancel_schedule", {"kind": "timer", "name": "pasta"}),
        ("it", "annulla il timer della pasta", "cancel_schedule", {"kind": "timer", "name": "pasta"}),
        ("pt", "cancela o temporizador da massa", "cancel_schedule", {"kind": "timer", "name": "massa"}),
        ("en", "set an alarm in twenty minutes", "set_alarm", {"delay_s": 1200}),
        ("en", "cancel all my timers", "cancel_schedule", {"kind": "timer", "all": True}),
        ("en", "stop the alarm", "cancel_schedule", {"kind": "alarm"}),
        ("de", "lösche den Timer", "cancel_schedule", {"kind": "timer"}),
        ("fr", "annule le minuteur", "cancel_schedule", {"kind": "timer"}),
        ("es", "cancela el temporizador", "cancel_schedule", {"kind": "timer"}),
        ("it", "annulla il timer", "cancel_schedule", {"kind": "timer"}),
        ("pt", "cancela o temporizador", "cancel_schedule", {"kind": "timer"}),
        ("en", "snooze for five minutes", "snooze_alarm", {"delay_s": 300}),
        ("de", "schlummern", "snooze_alarm", {}),
        ("fr", "laisse-moi dormir encore un peu", "snooze_alarm", {}),
        ("es", "pospón la alarma", "snooze_alarm", {}),
        ("it", "posticipa la sveglia di cinque minuti", "snooze_alarm", {"delay_s": 300}),
        ("pt", "adia o despertador", "snooze_alarm", {}),
    ],
)
def test_command_about_schedule_calls_its_tool(
    languages: TemplateLanguages, language: str, text: str, tool: str, arguments: dict[str, Any]
) -> None:
    decision = languages.decide(text)
    assert [(action.tool, dict(action.arguments)) for action in decision.actions] == [(tool, arguments)]
    assert decision.language == language or tool == "set_timer"


@pytest.mark.parametrize("text", ["stop", "stopp", "arrête", "annule", "para", "cancela", "ferma"])
def test_plain_stop_stays_a_stop(languages: TemplateLanguages, text: str) -> None:
    assert languages.decide(text).stops


@pytest.mark.parametrize("text", ["add five apples", "how long is the table", "take it off", "let me sleep on it"])
def test_similar_sentence_is_left_to_model(languages: TemplateLanguages, text: str) -> None:
    assert languages.decide(text) is DEFER
