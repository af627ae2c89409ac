"""Runs one fuzzing set: `python -m fuzz AREA`."""

import sys

from bench.areas import main

sys.exit(main("fuzz", "scripts/fuzz", "Sends broken input to everything that reads input.", sys.argv[1:]))
