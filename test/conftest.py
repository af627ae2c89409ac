"""Fixtures and settings for all tests."""

import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from support import ROOT, failure_report
from support.domains import Purpose, domain
from support.made_once import MADE_ONCE
from support.signals import start_children_with_defaults

sys.path.append(str(ROOT))  # bench, evaluation and scripts are not installed

# No profile has a deadline, because a busy machine makes any test slow. `ci` generates the same examples in every run;
# `dev` and `nightly` generate new ones.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("nightly", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("dev")

start_children_with_defaults()


def pytest_runtest_setup() -> None:
    failure_report.begin()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the state of the objects under test to the report of a failed test."""
    report = yield
    if report.failed and call.excinfo is not None and failure_report.TITLE not in str(call.excinfo.value):
        said = failure_report.report()
        report.sections += [("objects under test", said)] if said else []
    return report


@pytest.fixture(scope="session", autouse=True)
def _nothing_of_the_person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Prevents tests from using the state or the running graph of the user."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("ROS_DOMAIN_ID", domain(Purpose.NOBODY))
        environment.setenv("REACHY_AGENT_STATE", str(tmp_path_factory.mktemp("state")))
        environment.setenv("REACHY_AGENT_RUNTIME", str(tmp_path_factory.mktemp("runtime")))
        environment.setenv(MADE_ONCE, str(_folder_of_run(tmp_path_factory) / "made_once"))
        yield


def _folder_of_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the temporary folder that all workers of a test run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
