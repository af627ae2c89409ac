"""Sound as numbers: what hearing and speaking share."""
