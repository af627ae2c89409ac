"""Runs one set of fault injections: `python -m chaos AREA`."""

import sys

from bench.areas import main

sys.exit(main("chaos", "Injects faults into a running system, and checks what holds.", sys.argv[1:]))
