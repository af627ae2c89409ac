"""Update of a git checkout, its environment and the state. Uses the standard library only; see `recovery`."""
