"""Getting better from what people say and show: judgements, rewards, corrections, demonstrations, training."""
