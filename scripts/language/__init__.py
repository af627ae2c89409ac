"""English of this repository: which texts its files have, and which patterns are banned in them."""
