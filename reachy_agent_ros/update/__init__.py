"""Update of a git checkout, its environment and the state. Uses only the standard library; see `recovery`."""
