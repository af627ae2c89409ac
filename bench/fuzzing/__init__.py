"""What anybody could send to the product, or give it to read, broken in every way; see `bench/fuzz.py`."""
