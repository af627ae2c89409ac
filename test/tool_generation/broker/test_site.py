from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.site import Site, destination

SITES = [Site.read("api.example.org"), Site.read("192.168.1.7:8080"), Site.read("bücher.example")]


@pytest.mark.parametrize(
    ("url", "host", "port", "path"),
    [
        ("https://api.example.org/a?b=c#d", "api.example.org", 443, "/a?b=c"),
        ("http://API.Example.org", "api.example.org", 80, "/"),
        ("https://api.example.org:443/", "api.example.org", 443, "/"),
        ("http://192.168.1.7:8080/x", "192.168.1.7", 8080, "/x"),
        ("https://bücher.example/", "xn--bcher-kva.example", 443, "/"),
    ],
)
def test_destination_allows_urls_of_permitted_sites(url: str, host: str, port: int, path: str) -> None:
    place = destination(url, SITES)
    assert (place.host, place.port, place.path) == (host, port, path)


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.org@evil.example/",
        "https://user:secret@api.example.org/",
        "https://api.example.org\\@evil.example/",
        "http://192.168.1.7/",
        "http://2130706433/",
        "http://localhost/",
        "http://printer.local/",
        "http://[::1]/",
        "http://192.168.1.8:8080/",
        "ftp://api.example.org/",
        "file:///etc/passwd",
        "//api.example.org/",
        "api.example.org/",
        "https:///path",
        "",
        "https://api.example.org/a b",
        "https://api.example.org/ä",
        "https://api.example.org/?q=" + "x" * 1001,
        "https://api.example.org/" + "x" * 2000,
        "https://api.example.org:port/",
        "https://[::1/",
        "https://-a-.example/",
    ],
)
def test_destination_rejects_urls_of_other_sites(url: str) -> None:
    with pytest.raises(AgentError) as caught:
        destination(url, SITES)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/",
        "https://api.example.org.evil.example/",
        "https://evil.example/api.example.org",
        "https://api.example.org:8443/",
        "http://api.example.org:443/",
        "https://api\uff0eexample\uff0eorg.evil/",
    ],
)
def test_unlisted_public_site_requires_approval(url: str) -> None:
    with pytest.raises(AgentError) as caught:
        destination(url, SITES)
    assert caught.value.code is ErrorCode.APPROVAL_REQUIRED


@given(st.text() | st.text().map(lambda text: f"https://api.example.org/{text}"))
def test_any_url_leads_to_permitted_site_or_raises_error(url: str) -> None:
    with suppress(AgentError):
        place = destination(url, SITES)
        assert Site(place.host) in SITES
        assert not set("\r\n \\") & set(place.path + place.host)


@pytest.mark.parametrize("text", ["", "https://example.org", "example.org/path", "a@b", "a:b", "a:99999", "-x-.org"])
def test_rejects_malformed_site_pattern(text: str) -> None:
    with pytest.raises(AgentError):
        Site.read(text)
