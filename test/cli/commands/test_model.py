import json
import os
from functools import partial
from pathlib import Path

import pytest

from reachy_agent_ros.bringup import resolve
from reachy_agent_ros.cli.commands import model
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.supervision.record import GraphRecord, ProcessRecord
from reachy_agent_ros.testing.scripted_endpoint import ScriptedEndpoint
from support.command_line import run_command
from support.page_server import Pages
from support.web_server import Answer, serving


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_CACHE", str(tmp_path))
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))


run = partial(run_command, model)


def test_model_command_shows_language_models_and_tests_each_once(capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint() as server:
        words = ["--endpoint", server.url, "--model", "scripted", "--json"]
        assert run(*words) == 0
        assert run(*words) == 0
        assert len(server.self_tests) == 1
        assert run(*words, "--test-again") == 0
        assert len(server.self_tests) == 2
    assert json.loads(capsys.readouterr().out.splitlines()[0]) == {
        "tier": "quick",
        "endpoint": server.url,
        "problem": None,
        "server": "openai",
        "model": "scripted",
        "claims_tools": None,
        "capabilities": [],
        "protocol": "native",
        "context": None,
    }


def test_model_command_prints_readable_text(capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint(kind="ollama", supports_tools=False) as server:
        assert run("--endpoint", server.url, "--model", "gemma3:27b") == 0
    assert "claims no tool support" in capsys.readouterr().out


def test_model_command_reports_rejected_api_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REACHY_AGENT_API_KEY", "wrong")
    with serving(lambda _path: Answer(status=401)) as address:
        assert run("--endpoint", f"{address}/v1", "--model", "gpt") == 1
    assert "rejects the API key (HTTP 401)" in capsys.readouterr().out


def test_model_command_shows_every_configured_endpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedEndpoint(kind="ollama") as server:
        (tmp_path / "models.yaml").write_text(f"""\
quick: {{endpoints: [{{url: "http://127.0.0.1:9/v1", model: absent}}, {{url: "{server.url}", model: qwen3}}]}}
deep: {{endpoints: [{{url: "{server.url}", model: missing}}]}}
""")
        assert run() == 0
    absent, present, missing = capsys.readouterr().out.splitlines()
    assert absent.startswith("quick: absent at http://127.0.0.1:9/v1 is not usable.")
    assert "(ollama) is available. It claims tool support (completion, tools)" in present
    assert missing.startswith("deep: missing")
    assert "ollama pull missing" in missing


def test_model_command_shows_vision_models_of_settings_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Pages() as server, ScriptedEndpoint() as text:
        server.pages |= {
            "/api/ps": {"models": []},
            "/api/show": {"capabilities": ["completion", "vision"], "model_info": {}},
        }
        (tmp_path / "models.yaml").write_text(f"""\
quick: {{endpoints: [{{url: "{text.url}", model: scripted}}]}}
vision: {{endpoints: [{{url: "{server.url}", model: gemma3}}, {{url: "http://127.0.0.1:9/v1", model: absent}}]}}
""")
        assert run() == 0
        assert run("--json") == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[1] == f"vision: gemma3 at {server.url} (ollama) is available. It claims image support."
    assert printed[2].startswith("vision: absent at http://127.0.0.1:9/v1 is not usable.")
    tier = json.loads(printed[4])
    assert (tier["tier"], tier["claims_images"], tier["problem"]) == ("vision", True, None)


def test_model_command_reports_model_without_image_support(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedEndpoint(kind="ollama") as server:
        monkeypatch.setenv("REACHY_AGENT_MODEL_ENDPOINT", server.url)
        monkeypatch.setenv("REACHY_AGENT_MODEL_NAME", "qwen3:8b")
        assert run() == 0
    seeing = capsys.readouterr().out.splitlines()[1]
    assert seeing.startswith(f"vision: qwen3:8b at {server.url} (ollama) is available. It claims no image support")
    assert seeing.endswith("the detector answers questions about pictures.")


def test_model_command_shows_model_of_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REACHY_AGENT_MODEL_ENDPOINT", "http://127.0.0.1:9/v1")
    assert run() == 1
    told = capsys.readouterr().out
    assert told.startswith("quick: a model at http://127.0.0.1:9/v1 is not usable. The language model's server at ")
    assert "Ollama" not in told


def test_model_command_shows_model_of_running_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    with ScriptedEndpoint() as server:
        arguments = resolve({"model_endpoint": server.url, "model_name": "scripted"})
        GraphRecord(ProcessRecord.of(os.getpid()), arguments, {}).save()
        assert run() == 0
        assert f"scripted at {server.url} (openai) is available" in capsys.readouterr().out
        assert run("--endpoint", "http://127.0.0.1:9/v1") == 1


def test_rejects_endpoint_that_is_not_a_url() -> None:
    with pytest.raises(AgentError, match="Invalid model_endpoint 'localhost'"):
        run("--endpoint", "localhost")


def test_rejects_invalid_model_settings_file(tmp_path: Path) -> None:
    (tmp_path / "models.yaml").write_text("quick: {}")
    with pytest.raises(AgentError, match="quick endpoints: Field required"):
        run()


def test_model_command_downloads_and_shows_model(capsys: pytest.CaptureFixture[str]) -> None:
    with Pages() as server:
        server.pages |= {
            "/api/pull": ['{"status": "pulling", "total": 4, "completed": 1}', '{"status": "success"}'],
            "/api/show": {"capabilities": ["completion"], "model_info": {}},
            "/api/ps": {"models": [{"name": "gemma3:4b", "context_length": 4096}]},
        }
        assert run("--endpoint", server.url, "--pull", "gemma3:4b") == 0
    told = capsys.readouterr()
    assert "pulling  25%" in told.err
    assert "gemma3:4b" in told.out
    assert "OLLAMA_CONTEXT_LENGTH=16384" in told.out


def test_reports_failed_model_download() -> None:
    with pytest.raises(AgentError) as error:
        run("--endpoint", "http://127.0.0.1:9/v1", "--pull", "qwen3:8b")
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_reports_unreachable_model_endpoint(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--endpoint", "http://127.0.0.1:9/v1") == 1
    assert "is not usable" in capsys.readouterr().out
