"""Command line of the fault injections: `python -m chaos AREA` runs one area."""

import sys

from bench.areas import main

sys.exit(main("chaos", "Injects faults into a running system, and checks what holds.", sys.argv[1:]))
