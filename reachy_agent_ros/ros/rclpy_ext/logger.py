"""Logger of nodes that finds the calling line quickly."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from rclpy.impl import rcutils_logger
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.impl.logging_severity import LoggingSeverity
from rclpy.impl.rcutils_logger import RcutilsLogger

if TYPE_CHECKING:
    from rclpy.impl.rcutils_logger import LoggingFilterArgs
    from typing_extensions import Unpack

# rclpy skips the files in this list when it looks for the calling line, by which it remembers the state of a filter.
rcutils_logger._internal_callers.append(os.path.realpath(__file__))


class NodeLogger(RcutilsLogger):
    """Logger that does the same as rclpy's, without reading a source file for each message.

    Messages with filters are rare, so rclpy handles them.
    """

    def log(
        self,
        message: str,
        severity: int | LoggingSeverity,
        name: str | None = None,
        **filters: Unpack[LoggingFilterArgs],
    ) -> bool:
        """Logs a message. See `RcutilsLogger.log` for the arguments.

        Returns:
            Whether the message was logged. It was not if its severity is too low, or a filter skipped it.
        """
        if name is not None or filters:
            return super().log(message, severity, name, **filters)
        if not self.is_enabled_for(severity):
            return False
        frame = sys._getframe(1)
        while frame.f_code.co_filename == rcutils_logger.__file__ and frame.f_back is not None:
            frame = frame.f_back
        code = frame.f_code
        rclpy_implementation.rclpy_logging_rcutils_log(
            LoggingSeverity(severity), self.name, message, code.co_name, code.co_filename, frame.f_lineno
        )
        return True
