import argparse
import json
from pathlib import Path

import pytest

from reachy_agent_ros.commands import model
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedEndpoint


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_CACHE", str(tmp_path))


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    model.add_arguments(parser)
    return model.run(parser.parse_args(words))


def test_it_tells_what_is_there_and_tests_a_model_once(capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint() as server:
        words = ["--endpoint", server.url, "--name", "scripted", "--json"]
        assert run(*words) == 0
        assert run(*words) == 0
        assert len(server.self_tests) == 1
        assert run(*words, "--test-again") == 0
        assert len(server.self_tests) == 2
    assert json.loads(capsys.readouterr().out.splitlines()[0]) == {
        "endpoint": server.url,
        "server": "openai",
        "model": "scripted",
        "claims_tools": None,
        "protocol": "native",
        "context": None,
    }


def test_people_are_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint(kind="ollama", supports_tools=False) as server:
        assert run("--endpoint", server.url, "--name", "gemma3:27b") == 0
    assert "says that it takes no tools" in capsys.readouterr().out


def test_nothing_is_got_without_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--pull") == 2
    assert "--name" in capsys.readouterr().err


def test_nobody_there_is_told() -> None:
    with pytest.raises(AgentError) as error:
        run("--endpoint", "http://127.0.0.1:9/v1")
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE
