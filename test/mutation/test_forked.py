from __future__ import annotations

import os
import signal

from mutation.forked import Answer, ask


def test_an_answer_comes_back_and_nothing_else() -> None:
    told: list[int] = []
    assert ask(lambda: not told.append(1), 0.0) is Answer.YES
    assert ask(lambda: bool(told), 0.0) is Answer.NO


def test_who_dies_answers_nothing() -> None:
    assert ask(lambda: bool(os.kill(os.getpid(), signal.SIGKILL)), 0.0) is Answer.NONE
    assert ask(lambda: bool(1 // 0), 0.0) is Answer.NONE


def test_what_was_started_ends_with_who_was_asked() -> None:
    reader, writer = os.pipe()

    def start() -> bool:
        if os.fork() == 0:
            signal.pause()
        return True

    assert ask(start, 0.0) is Answer.YES
    os.close(writer)
    assert os.read(reader, 1) == b""  # nobody holds the other end any more
    os.close(reader)
