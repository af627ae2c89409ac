"""Audio samples, resampling, sound files and sound devices, shared by `stt` and `tts`."""
