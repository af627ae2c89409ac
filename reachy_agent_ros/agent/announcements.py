"""Spoken announcements that are recorded afterwards, so that a restart repeats them instead of losing them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode

SPEECH_PATIENCE = 60.0
"""Time for which speech that fails is tried again, s. After a start, speech synthesis may need half a minute."""

RETRY_PAUSE = 1.0
"""Pause before failed speech is tried again, s."""

Say = Callable[[str], Awaitable[None]]
"""Speaks a text, and returns when it has been spoken. Raises `AgentError` otherwise."""

_log = logging.getLogger(__name__)


class Announcements:
    """Speaks announcements that belong to no turn. Not thread-safe: use from one event loop.

    Args:
        say: Speaks an announcement.
        show: Shows the text of an announcement, called once before it is spoken.
    """

    def __init__(self, say: Say, show: Callable[[str], None] = lambda _text: None) -> None:
        self._say = say
        self.show = show
        self._tasks: set[asyncio.Task[None]] = set()

    async def announce(self, text: str, record: Callable[[], None]) -> None:
        """Shows and speaks a text, and then records that.

        Args:
            text: Text of the announcement.
            record: Records on disk that the text was announced. Called in a thread; may raise `AgentError`.
        """
        self.show(text)
        await self.speak(text)
        await self.note(record)

    async def speak(self, text: str) -> None:
        """Speaks a text. Tries again for a while if that fails, unless somebody has canceled the speech."""
        deadline = Deadline(SPEECH_PATIENCE)
        while True:
            try:
                await self._say(text)
                return
            except AgentError as error:
                if error.code is ErrorCode.CANCELED:
                    return
                if deadline.passed:
                    _log.warning("Cannot speak %r: %s", text, error.message)
                    return
            await asyncio.sleep(RETRY_PAUSE)

    async def note(self, record: Callable[[], None]) -> None:
        """Records in a thread that a text was announced. Logs a failure: the next start then repeats the text."""
        try:
            await asyncio.to_thread(record)
        except AgentError as error:
            _log.error("The next start repeats an announcement: %s", error.message)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Starts a task, which `close` cancels."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Stops speaking. The next start repeats what has not been announced completely."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
