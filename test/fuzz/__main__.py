"""Runs one fuzzing set: `python -m fuzz AREA`."""

import sys

from bench.areas import main

sys.exit(main("fuzz", "Sends invalid input to every interface and file reader.", sys.argv[1:]))
