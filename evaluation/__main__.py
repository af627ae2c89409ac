"""Runs one evaluation: `python -m evaluation AREA`."""

import sys

from bench.areas import main

DESCRIPTION = "Measures how well the robot understands, sees and learns."

sys.exit(main("evaluation", "scripts/evaluate", DESCRIPTION, sys.argv[1:]))
