from pathlib import Path

import pytest

from reachy_agent_ros.agent.personas.persona import read_persona
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.persona_folders import make


def test_reads_persona_with_mcp_servers(tmp_path: Path) -> None:
    settings = "description: Tells the weather.\nvoice: en_GB-alba\ntools: [weather_*, speak]\n"
    folder = make(tmp_path / "forecaster", settings)
    (folder / "mcp.yaml").write_text("servers:\n  weather: {command: weather-server, args: [--units, si]}\n")
    persona = read_persona(folder, [])
    assert (persona.name, persona.voice, persona.description) == ("forecaster", "en_GB-alba", "Tells the weather.")
    assert [(server.name, server.command) for server in persona.servers] == [("weather", "weather-server")]


def test_persona_allows_only_listed_tools_and_stop(tmp_path: Path) -> None:
    persona = read_persona(make(tmp_path / "calm", "description: Calm.\ntools: [look_at, play_*]"), [])
    assert [persona.allows(name) for name in ("look_at", "play_move", "stop")] == [True, True, True]
    assert [persona.allows(name) for name in ("look_at_image", "dance", "Look_At", "", "replay_move")] == [False] * 5
    mute = read_persona(make(tmp_path / "mute", "description: Only talks.\ntools: []"), [])
    assert (mute.allows("speak"), mute.allows("stop")) == (False, True)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ("", "the file"),
        ("tools: []", "description"),
        ("description: ''\ntools: []", "description"),
        ("description: x", "tools"),
        ("description: x\ntools: dance", "tools"),
        ("description: x\ntools: [1]", "tools 1"),
        ("description: x\ntools: [dance, 'da[n]ce']", "tools 2"),
        ("description: x\ntools: []\nvoice: ../../voice", "voice"),
        ("description: x\ntools: []\nvoice: 3", "voice"),
        ("description: x\ntools: []\nextra: 1", "extra"),
        ("description: x\ntools: []\ntools: ['*']", "twice"),
        ('description: "x\\ty"\ntools: []', "one line"),
        (f"description: {'x' * 201}\ntools: []", "description"),
        (f"description: x\ntools: [{'a,' * 201}]", "tools"),
        ("description: [", "persona.yaml"),
        ("[" * 5000, "nested"),
        ("#" + "x" * 20_000, "20000 bytes"),
        ("description: !!python/object/apply:os.system [exit]\ntools: []", "persona.yaml"),
    ],
)
def test_rejects_persona_with_invalid_settings(tmp_path: Path, settings: str, complaint: str) -> None:
    with pytest.raises(AgentError) as error:
        read_persona(make(tmp_path / "mine", settings), [])
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert complaint in error.value.message
    assert str(tmp_path / "mine" / "persona.yaml") in error.value.message


def test_rejects_persona_with_invalid_mcp_servers(tmp_path: Path) -> None:
    folder = make(tmp_path / "mine")
    (folder / "mcp.yaml").write_text("servers: {weather: {}}")
    with pytest.raises(AgentError, match=r"mcp\.yaml.*command"):
        read_persona(folder, [])


@pytest.mark.parametrize("missing", ["persona.yaml", "instructions.md"])
def test_rejects_persona_with_missing_file(tmp_path: Path, missing: str) -> None:
    folder = make(tmp_path / "mine")
    (folder / missing).unlink()
    with pytest.raises(AgentError, match=f"{missing} does not exist"):
        read_persona(folder, [])


@pytest.mark.parametrize("name", ["persona.yaml", "instructions.md", "mcp.yaml", "piece.md"])
def test_rejects_symlink_in_persona_folder(tmp_path: Path, name: str) -> None:
    folder = make(tmp_path / "mine", "description: Mine.\ntools: []")
    (folder / "instructions.md").write_text("{include:piece.md}")
    (folder / "piece.md").write_text("Be kind.")
    (tmp_path / "secret").write_text("description: root\ntools: []")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(tmp_path / "secret")
    with pytest.raises(AgentError) as caught:
        read_persona(folder, [])
    assert "is a link" in caught.value.message
    assert "root" not in caught.value.message.replace(str(tmp_path), "")


def test_rejects_persona_folder_that_is_symlink(tmp_path: Path) -> None:
    folder = make(tmp_path / "mine", "description: Mine.\ntools: []")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "other").symlink_to(folder)
    with pytest.raises(AgentError) as caught:
        read_persona(tmp_path / "personas" / "other", [])
    assert "is reached through one" in caught.value.message


def test_shipped_personas_are_read_through_symlinks(tmp_path: Path) -> None:
    folder = make(tmp_path / "source" / "calm", "description: Calm.\ntools: []")
    shipped = tmp_path / "share"
    (shipped / "calm").mkdir(parents=True)
    for file in folder.iterdir():
        (shipped / "calm" / file.name).symlink_to(file)
    assert read_persona(shipped / "calm", [shipped], shipped).description == "Calm."
