"""Tools: their definitions, their catalogue and how they run."""
