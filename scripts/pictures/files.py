"""Writes rendered pictures as the files that the web has: every format, orientation tags, colour profiles."""

import io
import struct

import numpy as np
from PIL import Image

# Primaries adapted to D50 (Display P3; Adobe RGB 1998), as ICC profiles hold them.
PRIMARIES = {
    "Display P3": ((0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407)),
    "Adobe RGB (1998)": ((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457)),
}


def profile(name):
    """An ICC profile of version 2: three primaries and a curve."""

    def fixed(value):
        return struct.pack(">i", round(value * 65536))

    def xyz(values):
        return b"XYZ \0\0\0\0" + b"".join(map(fixed, values))

    if name == "Display P3":
        x = np.linspace(0, 1, 256)
        curve = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
        table = np.round(curve * 65535).astype(">u2").tobytes()
        tone = b"curv\0\0\0\0" + struct.pack(">I", 256) + table
    else:
        tone = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(563 / 256 * 256)) + b"\0\0"
    text = name.encode() + b"\0"
    description = b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + bytes(78)
    red, green, blue = PRIMARIES[name]
    tags = [
        (b"desc", description),
        (b"cprt", b"text\0\0\0\0No rights reserved\0"),
        (b"wtpt", xyz((0.9642, 1.0, 0.8249))),
        (b"rXYZ", xyz(red)),
        (b"gXYZ", xyz(green)),
        (b"bXYZ", xyz(blue)),
        (b"rTRC", tone),
        (b"gTRC", tone),
        (b"bTRC", tone),
    ]
    offset, directory, body, placed = 128 + 4 + 12 * len(tags), b"", b"", {}
    for tag, data in tags:
        if data not in placed:
            placed[data] = offset + len(body)
            body += data + bytes(-len(data) % 4)
        directory += tag + struct.pack(">II", placed[data], len(data))
    size = offset + len(body)
    head = struct.pack(">I4sI4s4s4s", size, bytes(4), 0x02100000, b"mntr", b"RGB ", b"XYZ ")
    head += struct.pack(">6H", 2025, 1, 1, 0, 0, 0) + b"acsp" + bytes(24) + bytes(4)
    head += fixed(0.9642) + fixed(1.0) + fixed(0.8249)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + directory + body


STORED = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}


def fit(budget, encode, best):
    """The best quality whose bytes are within the budget."""
    for quality in range(best, 33, -3):
        data = encode(quality)
        if len(data) <= budget:
            return data
    return data


def saved(image, format, **options):
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def jpeg(image, budget, progressive=False, orientation=None, icc=None):
    options = {"progressive": progressive, "optimize": True}
    if orientation:
        exif = Image.Exif()
        exif[0x0112] = orientation
        options["exif"] = exif
        image = image.transpose(STORED[orientation])
    if icc:
        options["icc_profile"] = profile(icc)
    return fit(budget, lambda quality: saved(image, "JPEG", quality=quality, **options), 84)


def webp(image, budget):
    return fit(budget, lambda quality: saved(image, "WEBP", quality=quality, method=6), 82)


def lossless_webp(image):
    return saved(image, "WEBP", lossless=True, quality=100, method=6)


def png(image, palette=None):
    if palette:
        image = image.quantize(palette, dither=Image.Dither.FLOYDSTEINBERG)
    return saved(image, "PNG", optimize=True)


def gif(frames, duration=90, palette=96):
    small = [frame.quantize(palette, dither=Image.Dither.FLOYDSTEINBERG) for frame in frames]
    if len(small) == 1:
        return saved(small[0], "GIF", optimize=True)
    # One palette for all frames and no dithering: parts that do not change compress to nothing.
    shared = frames[0].quantize(palette)
    small = [frame.quantize(palette=shared, dither=Image.Dither.NONE) for frame in frames]
    return saved(small[0], "GIF", save_all=True, append_images=small[1:], duration=duration, loop=0, optimize=False)
