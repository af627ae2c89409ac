"""Skills that people correct while they use them."""
