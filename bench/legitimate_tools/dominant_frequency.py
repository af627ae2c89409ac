import numpy as np


def dominant_frequency(samples: list[float], sample_rate: float) -> dict:
    """Find the strongest frequency in a series of samples.

    Args:
        samples: The series, evenly spaced in time.
        sample_rate: Samples per second.

    Returns:
        dict: Frequency in Hz and amplitude of the strongest component.
    """
    if sample_rate <= 0 or len(samples) < 8:
        return {"status": "error", "message": "I need at least 8 samples and a positive rate"}
    x = np.array(samples) - np.mean(samples)
    window = np.hanning(x.size)
    spectrum = np.abs(np.fft.rfft(x * window)) * 2 / window.sum()
    frequencies = np.fft.rfftfreq(x.size, d=1.0 / sample_rate)
    k = int(spectrum[1:].argmax()) + 1
    return {"status": "success", "frequency_hz": float(frequencies[k]), "amplitude": round(float(spectrum[k]), 2)}
