"""Processing of feedback into stored rewards: intake, credit assignment, implicit signals and database."""
