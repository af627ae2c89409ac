import pytest

from reachy_agent_ros.core.url_host import url_host


@pytest.mark.parametrize(
    ("host", "written"), [("example.org", "example.org"), ("127.0.0.1", "127.0.0.1"), ("fd12::5", "[fd12::5]")]
)
def test_url_contains_ipv6_address_in_brackets(host: str, written: str) -> None:
    assert url_host(host) == written
