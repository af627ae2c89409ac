import json
from pathlib import Path

import pytest

from reachy_agent_ros.cli.doctor import CheckResult, CheckStatus
from reachy_agent_ros.cli.doctor import models as examined
from reachy_agent_ros.cli.doctor.models import language_model, models
from reachy_agent_ros.core.weights import PackagedWeights
from support.web_server import Answer, serving


@pytest.mark.slow
def test_packaged_models_have_pinned_checksums() -> None:
    found = list(models())
    assert {finding.verdict for finding in found} == {CheckStatus.GOOD}
    assert len(found) == 6


def test_doctor_reports_missing_model_with_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = PackagedWeights("no_such_package", "", {"weights.bin": "0"})
    monkeypatch.setattr(examined, "_PACKAGED", (("Voice", nothing),))
    (found,) = models()
    assert found.verdict is CheckStatus.BAD
    assert "no_such_package" in found.detail
    assert "scripts/setup" in found.cure


def told(body: object, status: int = 200) -> CheckResult:
    answer = Answer(json.dumps(body).encode(), status)
    with serving(lambda path: answer if path == "/v1/models" else Answer(status=404)) as address:
        (found,) = language_model(f"{address}/v1")
    return found


def test_doctor_names_available_language_model() -> None:
    found = told({"data": [{"id": "qwen3:4b"}]})
    assert found.verdict is CheckStatus.GOOD
    assert "qwen3:4b" in found.detail


@pytest.mark.parametrize(("body", "status"), [({"data": []}, 200), ({}, 200), ("no list", 200), ({}, 500)])
def test_doctor_reports_missing_language_model_as_optional(body: object, status: int) -> None:
    found = told(body, status)
    assert found.verdict is CheckStatus.LESS
    assert found.cure


def test_doctor_reports_rejected_api_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_API_KEY", "wrong")
    found = told({}, 401)
    assert "rejects the API key (HTTP 401)" in found.detail
    assert "REACHY_AGENT_API_KEY" in found.cure


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "no address", "http://[bad"])
def test_doctor_reports_unreachable_model_endpoint(url: str) -> None:
    (found,) = language_model(url)
    assert found.verdict is CheckStatus.LESS


def test_doctor_lists_vision_model_of_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    with serving(lambda _path: Answer(b'{"data": [{"id": "gemma3:4b"}]}')) as address:
        (tmp_path / "models.yaml").write_text(f"""\
quick: {{endpoints: [{{url: "http://127.0.0.1:9/v1"}}]}}
vision: {{endpoints: [{{url: "{address}/v1"}}]}}
""")
        language, vision = language_model("")
    assert (language.subject, language.verdict) == ("Language model", CheckStatus.LESS)
    assert (vision.subject, vision.verdict) == ("Vision model", CheckStatus.GOOD)
    assert "offers gemma3:4b" in vision.detail


def test_doctor_reports_unreadable_model_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models.yaml").write_text("quick: [")
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    (found,) = language_model("")
    assert found.verdict is CheckStatus.BAD
