"""Command line of the fuzzers. The command `python -m fuzz AREA` runs one area."""

import sys

from bench.areas import main

sys.exit(main("fuzz", "Sends invalid input to every interface and file reader.", sys.argv[1:]))
