"""From a source to a verdict: the stages a tool passes before it is trusted."""
