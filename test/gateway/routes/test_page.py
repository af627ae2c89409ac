from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from reachy_agent_ros.gateway import problem
from reachy_agent_ros.gateway.routes import page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built = tmp_path / "page"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("the page")
    (built / "assets" / "index-1a2b.js").write_text("plain")
    (built / "assets" / "index-1a2b.js.gz").write_bytes(b"")
    (tmp_path / "secret.txt").write_text("not yours")
    return built


@pytest.fixture
def client(folder: Path) -> TestClient:
    app = FastAPI()
    problem.install(app)
    page.install(app, folder)
    return TestClient(app)


@pytest.mark.parametrize("path", ["/", "/talk", "/workshop/wave", "/%00", f"/{'a' * 5000}"])
def test_path_of_every_console_view_returns_console_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.text) == (200, "the page")
    assert answer.headers["cache-control"] == "no-cache"


def test_assets_of_console_are_cached_as_immutable(client: TestClient) -> None:
    answer = client.get("/assets/index-1a2b.js", headers={"accept-encoding": "identity"})
    assert answer.text == "plain"
    assert "immutable" in answer.headers["cache-control"]


def test_serves_compressed_asset_if_client_accepts_it(client: TestClient) -> None:
    answer = client.get("/assets/index-1a2b.js", headers={"accept-encoding": "gzip, br"})
    assert answer.headers["content-encoding"] == "gzip"
    assert "javascript" in answer.headers["content-type"]


@pytest.mark.parametrize("path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"])
def test_rejects_request_for_file_outside_console_folder(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/favicon.ico", "/api/%00", f"/{'a' * 5000}.ico"])
def test_missing_console_file_returns_problem(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == problem.MEDIA_TYPE


def test_console_that_is_not_built_is_reported(tmp_path: Path) -> None:
    app = FastAPI()
    problem.install(app)
    page.install(app, tmp_path)
    answer = TestClient(app).get("/")
    assert answer.status_code == 404
    assert "scripts/setup" in answer.json()["detail"]


def test_content_security_policy_blocks_foreign_scripts(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "'unsafe-inline'" not in policy.split("script-src")[1]
