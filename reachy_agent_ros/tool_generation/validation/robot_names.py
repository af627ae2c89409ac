"""What a tool may use of the modules that only its box has."""

from __future__ import annotations

from collections.abc import Mapping

ROBOT: Mapping[str, str] = {
    "reachy_agent": "analyze_scene dance detect_objects express_emotion gesture look_at play_move say take_photo",
    "reachy_mini": "ReachyMini",
    "reachy_mini.utils": "create_head_pose",
    "requests": """
        ConnectionError HTTPError JSONDecodeError RequestException Response Timeout TooManyRedirects get""",
    "requests.exceptions": """
        ConnectTimeout ConnectionError HTTPError InvalidURL JSONDecodeError ReadTimeout RequestException Timeout
        TooManyRedirects""",
}
"""Names by module, separated by blanks."""

PREDECLARED = frozenset(ROBOT["reachy_agent"].split())
"""Functions that the box declares without an import."""
