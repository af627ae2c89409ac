"""Runs one set of fault injections: `python -m chaos AREA`."""

import sys

from bench.areas import main

sys.exit(main("chaos", "scripts/chaos", "Breaks a running system, and checks what held.", sys.argv[1:]))
