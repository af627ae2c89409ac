"""What a tool may use of Pillow: pictures in memory, and plain picture files in its scratch folder."""

from __future__ import annotations

from collections.abc import Mapping

PILLOW: Mapping[str, str] = {
    "PIL": "UnidentifiedImageError",
    "PIL.Image": """
        Dither Image Palette Quantize Resampling Transform Transpose UnidentifiedImageError alpha_composite blend
        composite effect_noise fromarray frombytes linear_gradient merge new open radial_gradient""",
    "PIL.ImageChops": """
        add add_modulo blend composite constant darker difference duplicate invert lighter multiply offset overlay
        screen soft_light subtract subtract_modulo""",
    "PIL.ImageColor": "getcolor getrgb",
    "PIL.ImageDraw": "Draw ImageDraw",
    "PIL.ImageEnhance": "Brightness Color Contrast Sharpness",
    "PIL.ImageFilter": """
        BLUR BoxBlur CONTOUR DETAIL EDGE_ENHANCE EDGE_ENHANCE_MORE EMBOSS FIND_EDGES GaussianBlur Kernel MaxFilter
        MedianFilter MinFilter ModeFilter RankFilter SHARPEN SMOOTH SMOOTH_MORE UnsharpMask""",
    "PIL.ImageFont": "load_default",
    "PIL.ImageOps": """
        autocontrast colorize contain cover crop equalize exif_transpose expand fit flip grayscale invert mirror pad
        posterize scale solarize""",
    "PIL.ImageStat": "Stat",
}
"""Names by module, separated by blanks."""
