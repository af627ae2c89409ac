"""Runs one evaluation: `python -m evaluation AREA`."""

import sys

from bench.areas import main

sys.exit(main("evaluation", "Measures how well the robot understands, sees and learns.", sys.argv[1:]))
