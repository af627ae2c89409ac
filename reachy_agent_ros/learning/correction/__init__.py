"""Learning from corrections: skills that people adjust during use."""
