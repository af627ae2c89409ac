"""Control experiment: in a sandbox without protection, most attacks of the corpus succeed.

It checks the corpus, which rarely changes, and not the product. So it runs nightly.
"""

from __future__ import annotations

import pytest

from chaos.security.lax_sandbox import successes
from corpus.hostile_tools import hostile_tools

LEAST = 0.8
"""Share of the visible attacks. Some need what a machine may lack, such as IPv6 or a module of its kernel."""


@pytest.mark.nightly
@pytest.mark.timeout(900)
def test_lax_sandbox_lets_visible_attacks_through() -> None:
    outcomes = successes([tool for tool in hostile_tools() if tool.visible])
    stopped = sorted(name for name, is_success in outcomes.items() if not is_success)
    assert len(outcomes) >= 290
    assert len(stopped) <= (1.0 - LEAST) * len(outcomes), stopped
