"""What a tool in the box may ask of the world outside, and nothing else."""
