"""Where the seeds of episodes begin that are for one purpose only, so that nothing is tested on what it was taught."""

SHOWN = 1_000_000
"""Of those that an expert shows."""

JUDGED = 2_000_000
"""Of those by which a run is judged while it learns."""

TESTED = 3_000_000
"""Of those that finished policies are measured in: nothing is trained on them, and no run is judged by them."""
