"""What all scenes are painted with: noise, gradients, masks, light. Pictures are float32 arrays (height, width, 3)."""

import numpy as np
from PIL import Image, ImageDraw

F = np.float32


def color(text):
    """'#rrggbb' as three numbers from 0 to 1."""
    return np.array([int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)], F)


def colors(text):
    return [color(word) for word in text.split()]


def mix(a, b, t):
    """From a to b; t may be a mask of the picture's size."""
    t = np.asarray(t, F)
    if t.ndim == 2:
        t = t[..., None]
    return a + (b - a) * t


def smooth(low, high, x):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def gradient(stops, t):
    """Evenly spaced colours, looked up by t from 0 to 1 (any shape)."""
    stops = np.asarray(stops, F)
    at = np.linspace(0, 1, len(stops))
    return np.stack([np.interp(t, at, stops[:, c]) for c in range(3)], -1).astype(F)


def grid(height, width):
    """Coordinates y and x of all pixels."""
    return np.mgrid[0:height, 0:width].astype(F)


def noise(rng, height, width, beta=2.0, stretch=1.0, low=1.0):
    """Fractal noise with a spectrum of 1/f^beta, mean 0, deviation 1, that tiles; stretch > 1 draws it out sideways."""
    fy = np.fft.fftfreq(height)[:, None] * height
    fx = np.fft.rfftfreq(width)[None, :] * width * stretch * height / width
    f = np.hypot(fy, fx)
    spectrum = np.where(f < low, 0, np.maximum(f, low) ** (-beta / 2))
    phases = rng.normal(size=f.shape) + 1j * rng.normal(size=f.shape)
    field = np.fft.irfft2(spectrum * phases, s=(height, width))
    return ((field - field.mean()) / (field.std() + 1e-9)).astype(F)


def line(rng, count, roughness=0.5, octaves=8, first=2):
    """Fractal noise along a line, about -1 to 1."""
    x = np.linspace(0, 1, count)
    total, amplitude = np.zeros(count), 1.0
    for octave in range(octaves):
        points = first * 2**octave + 2
        if points > count:
            break
        total += amplitude * np.interp(x, np.linspace(0, 1, points), rng.uniform(-1, 1, points))
        amplitude *= roughness
    return (total / 1.6).astype(F)


def soft_line(rng, count, points=5):
    """A smooth curve, about -1 to 1."""
    x = np.linspace(0, 1, count)
    return (
        sum(np.sin(2 * np.pi * (x * rng.uniform(0.3, 1) * k + rng.uniform())) / k for k in range(1, points)).astype(F)
        / 1.6
    )


def sample(field, y, x):
    """Bilinear look-up that wraps around."""
    height, width = field.shape[:2]
    y0, x0 = np.floor(y), np.floor(x)
    ty, tx = (y - y0).astype(F), (x - x0).astype(F)
    if field.ndim == 3:
        ty, tx = ty[..., None], tx[..., None]
    y0, x0 = y0.astype(np.int64) % height, x0.astype(np.int64) % width
    y1, x1 = (y0 + 1) % height, (x0 + 1) % width
    top = field[y0, x0] * (1 - tx) + field[y0, x1] * tx
    return top * (1 - ty) + (field[y1, x0] * (1 - tx) + field[y1, x1] * tx) * ty


def blur(field, radius_y, radius_x=None):
    """Gaussian blur with reflected edges."""
    radius_x = radius_y if radius_x is None else radius_x
    pad_y, pad_x = int(radius_y * 3) + 1, int(radius_x * 3) + 1
    pad_y, pad_x = min(pad_y, field.shape[0] - 1), min(pad_x, field.shape[1] - 1)
    pads = [(pad_y, pad_y), (pad_x, pad_x)] + [(0, 0)] * (field.ndim - 2)
    padded = np.pad(field, pads, mode="reflect")
    fy = np.fft.fftfreq(padded.shape[0])[:, None]
    fx = np.fft.rfftfreq(padded.shape[1])[None, :]
    kernel = np.exp(-2 * np.pi**2 * ((fy * radius_y) ** 2 + (fx * radius_x) ** 2))
    if field.ndim == 3:
        kernel = kernel[..., None]
    done = np.fft.irfft2(np.fft.rfft2(padded, axes=(0, 1)) * kernel, s=padded.shape[:2], axes=(0, 1))
    return done[pad_y : pad_y + field.shape[0], pad_x : pad_x + field.shape[1]].astype(F)


def glow(height, width, cy, cx, radius, power=2.0):
    """1 at a point, falling off with distance."""
    y, x = grid(height, width)
    return (1 / (1 + (np.hypot(y - cy, x - cx) / radius) ** power)).astype(F)


def light(field, angle, strength):
    """How a surface with these heights is lit from the side: about -1 to 1."""
    gy, gx = np.gradient(field)
    return np.tanh((gx * np.cos(angle) + gy * np.sin(angle)) * strength).astype(F)


def polygons(height, width, shapes):
    """A mask of filled polygons."""
    mask = Image.new("L", (width, height))
    draw = ImageDraw.Draw(mask)
    for points in shapes:
        draw.polygon([tuple(p) for p in points], fill=255)
    return np.asarray(mask, F) / 255


def below(curve, height, softness=1.0):
    """A mask of all that lies below a curve y(x)."""
    y = np.arange(height, dtype=F)[:, None]
    return np.clip((y - curve[None, :]) / softness + 0.5, 0, 1).astype(F)


def firs(rng, height, width, base, size, count):
    """A mask of fir trees whose feet stand on the curve `base`."""
    shapes = []
    for _ in range(count):
        x = rng.uniform(-0.02, 1.02) * width
        tall = size * rng.uniform(0.5, 1.15)
        foot = base[int(np.clip(x, 0, width - 1))] + size * 0.1
        tiers, half = int(rng.integers(9, 14)), tall * rng.uniform(0.13, 0.19)
        left, right = [], []
        for tier in range(tiers):
            t = (tier + 1) / tiers
            y = foot - tall * (1 - t)
            for side, points in ((-1, left), (1, right)):
                reach = half * t**0.85 * rng.uniform(0.75, 1.2)
                points.append((x + side * reach, y))
                points.append((x + side * reach * 0.45, y - tall * 0.012))
        top = [(x, foot - tall * 1.02)]
        shapes.append(top + right + [(x + half * 0.12, foot + size), (x - half * 0.12, foot + size)] + left[::-1])
    return polygons(height, width, shapes)


def stars(rng, height, width, density=0.0011, brightness=1.0):
    """A starry sky to be added to a picture."""
    sky = np.zeros((height, width, 3), F)
    count = int(height * width * density)
    y, x = rng.integers(0, height, count), rng.integers(0, width, count)
    power = rng.pareto(1.6, count).clip(0.05, 12) * 0.45
    tint = gradient(colors("#ffd2a1 #fff4e8 #cfe0ff #9fc0ff"), rng.uniform(size=count))
    np.add.at(sky, (y, x), tint * power[:, None])
    sharp, halo = blur(sky, 0.9) * 5.5, blur(sky, height / 180) * 6
    return np.clip(sharp + halo * 0.5, 0, 1.4) * brightness


def finish(rng, picture, grain=0.006, vignette=0.25):
    """Vignette, a gentle shoulder in the highlights, and a little grain."""
    height, width = picture.shape[:2]
    y, x = grid(height, width)
    r = np.hypot((y / height - 0.5), (x / width - 0.5)) * 1.42
    picture = picture * (1 - vignette * smooth(0.45, 1.05, r))[..., None]
    picture = np.where(picture > 0.85, 0.85 + 0.15 * np.tanh((picture - 0.85) / 0.15), picture)
    speckle = blur(rng.normal(size=(height, width)).astype(F), 0.8)
    return np.clip(picture + (speckle * grain * 2.2)[..., None], 0, 1)
