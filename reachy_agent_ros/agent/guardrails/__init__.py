"""Small independent checks around what a model reads, calls and says."""
