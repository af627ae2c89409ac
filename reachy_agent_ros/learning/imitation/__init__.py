"""Skills that people showed: the course of a demonstration, a policy that follows it, and how well it does."""
