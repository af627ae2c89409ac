import cv2
import numpy as np


def compare_textures(seed: int = 0, angle_deg: float = 20.0) -> dict:
    """Checks that a pattern is recognised again after it was turned, with ORB features.

    Args:
        seed: Makes the pattern.
        angle_deg: Turn in degrees.

    Returns:
        dict: numbers of features and matches, and whether it was recognised
    """
    if abs(angle_deg) > 180:
        return {"status": "error", "message": "angle between -180 and 180, please"}
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, 255, (16, 16), dtype=np.uint8)
    image = cv2.resize(blocks, (256, 256), interpolation=cv2.INTER_NEAREST)
    image = cv2.GaussianBlur(image, (3, 3), 0)
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle_deg, 1.0)
    turned = cv2.warpAffine(image, turn, (width, height), borderMode=cv2.BORDER_REFLECT)

    orb = cv2.ORB_create(nfeatures=300)
    keypoints1, descriptors1 = orb.detectAndCompute(image, None)
    keypoints2, descriptors2 = orb.detectAndCompute(turned, None)
    if descriptors1 is None or descriptors2 is None:
        return {"status": "error", "message": "no features"}
    matcher = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True)
    matches = sorted(matcher.match(descriptors1, descriptors2), key=lambda m: m.distance)
    good = [m for m in matches if m.distance < 48]
    return {
        "status": "success",
        "features": [len(keypoints1), len(keypoints2)],
        "matches": len(good),
        "recognised": len(good) >= 20,
    }
