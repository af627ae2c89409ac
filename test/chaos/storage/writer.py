"""Program that writes records to a store and acknowledges each record on standard output.

Usage: `writer.py STORE FOLDER COUNT`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from chaos.storage.store_under_test import ALL

SESSIONS = 3
"""Number of times that the store is opened and closed."""


def main() -> None:
    """Writes the records, and reopens the store several times."""
    name, folder, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    for session in range(SESSIONS):
        store = ALL[name](folder)
        for number in range(session * count // SESSIONS, (session + 1) * count // SESSIONS):
            store.put(number)
            os.write(1, b"%d\n" % number)
        store.close()


if __name__ == "__main__":
    main()
