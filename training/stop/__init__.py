"""Training of the stop classifier: sentences, noise, network and evaluation."""
