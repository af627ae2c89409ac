"""What holds for every test."""

import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from support import ROOT

sys.path.append(str(ROOT))  # bench, evaluation and scripts are not installed

# No test fails for being slow: the machine may be busy with something else.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def _nothing_of_the_person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the state or the running graph of whoever runs it."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("REACHY_AGENT_STATE", str(tmp_path_factory.mktemp("state")))
        environment.setenv("REACHY_AGENT_RUNTIME", str(tmp_path_factory.mktemp("runtime")))
        yield
