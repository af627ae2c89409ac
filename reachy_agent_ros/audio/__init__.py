"""Audio samples, resampling, sound files and devices, shared by `stt` and `tts`."""
