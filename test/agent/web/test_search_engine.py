import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.web.search_engine import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    LONGEST_URL,
    SearchResult,
    search_result,
)


def test_what_is_plain_comes_through() -> None:
    found = search_result("Tide tables", "https://example.org/tides?port=7", "High water at\n 14:05.")
    assert found == SearchResult("Tide tables", "https://example.org/tides?port=7", "High water at 14:05.")


def test_what_no_browser_opens_is_left_out() -> None:
    for url in ("", "javascript:alert(1)", "file:///etc/passwd", "http://", "http://[", None, f"http://{'x' * 600}"):
        assert search_result("title", url, "text") is None


@given(st.text(max_size=3000), st.text(max_size=300), st.text(max_size=3000))
def test_whatever_comes_is_bounded_and_shows_all_it_holds(title: str, path: str, text: str) -> None:
    found = search_result(title, f"http://example.org/{path}", text)
    if found is not None:
        assert len(found.title) <= LONGEST_TITLE
        assert len(found.url) <= LONGEST_URL
        assert len(found.text) <= LONGEST_TEXT
        assert not any(unicodedata.category(letter)[0] == "C" for letter in found.title + found.url + found.text)
