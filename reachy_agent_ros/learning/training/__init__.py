"""Training of policies from demonstrations, comparisons and rewards; the only package that requires PyTorch."""
