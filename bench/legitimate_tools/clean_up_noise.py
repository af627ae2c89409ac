import cv2
import numpy as np


def clean_up_noise(spots: int = 40, kernel_size: int = 3, seed: int = 5) -> dict:
    """Shows how opening and closing clean a noisy mask.

    Args:
        spots: How many single pixels of noise to add.
        kernel_size: Size of the structuring element, odd.
        seed: Where the noise falls.

    Returns:
        Numbers of blobs before and after.
    """
    if kernel_size % 2 == 0 or not 3 <= kernel_size <= 9:
        return {"status": "error", "message": "kernel_size is 3, 5, 7 or 9"}
    mask = np.zeros((100, 100), np.uint8)
    mask[20:50, 20:50] = 255
    mask[60:90, 55:85] = 255
    rng = np.random.default_rng(seed)
    for x, y in rng.integers(0, 18, size=(spots, 2)):
        mask[y, x] = 255
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (kernel_size, kernel_size))
    cleaned = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
    cleaned = cv2.dilate(cv2.erode(cleaned, kernel, iterations=3), kernel, iterations=3)
    count, _, stats, centroids = cv2.connectedComponentsWithStats(cleaned)
    areas = sorted((int(a) for a in stats[1:, cv2.CC_STAT_AREA]), reverse=True)
    return {"status": "success", "blobs": count - 1, "largest": areas[:2], "centres": len(centroids) - 1}
