"""Things seen from near: leaves, petals, wood, stone, coral."""

import numpy as np

from .canvas import (
    F,
    blur,
    color,
    colors,
    glow,
    gradient,
    grid,
    light,
    line,
    mix,
    noise,
    sample,
    smooth,
    soft_line,
)


def cells(rng, height, width, count, warp=0.0, even=True):
    """Distances to the nearest and the second nearest of scattered points, and which point is the nearest."""
    y, x = grid(height, width)
    if warp:
        y = y + noise(rng, height, width, 3.0) * warp
        x = x + noise(rng, height, width, 3.0) * warp
    pitch = np.sqrt(height * width / count)
    rows, columns = int(height / pitch) + 4, int(width / pitch) + 4
    jitter = 0.42 if even else 0.7
    py = (np.arange(rows)[:, None] - 1.5 + rng.uniform(-jitter, jitter, (rows, columns))) * pitch
    px = (np.arange(columns)[None, :] - 1.5 + rng.uniform(-jitter, jitter, (rows, columns))) * pitch
    nearest, second = np.full((height, width), 1e9, F), np.full((height, width), 1e9, F)
    owner = np.zeros((height, width), int)
    row, column = np.round(y / pitch + 1.5).astype(int), np.round(x / pitch + 1.5).astype(int)
    for dr in range(-2, 3):
        for dc in range(-2, 3):
            r, c = np.clip(row + dr, 0, rows - 1), np.clip(column + dc, 0, columns - 1)
            d = np.hypot(y - py[r, c], x - px[r, c]).astype(F)
            closer, same = d < nearest, owner == r * columns + c
            second = np.where(closer & ~same, nearest, np.where(same | closer, second, np.minimum(second, d)))
            owner = np.where(closer, r * columns + c, owner)
            nearest = np.minimum(nearest, d)
    return nearest / pitch, second / pitch, owner


def leaf(rng, height, width):
    """A leaf against the light, with its veins."""
    palette = colors(
        [
            "#1f4f14 #4f8f22 #a4d04a #e4f2a0",
            "#6a1408 #b8380f #ee8a28 #ffd98a",
            "#5a4208 #b08a10 #f0cf3a #fff4b0",
            "#0f3a2a #2a7a52 #7fc48a #dff2c8",
            "#4a0a24 #96183f #dd5a5a #ffc0a0",
        ][int(rng.integers(5))]
    )
    y, x = grid(height, width)
    size, turn = max(height, width), rng.uniform(-0.7, 0.7)
    v, u = (y - height / 2) / size, (x - width * rng.uniform(0.3, 0.7)) / size
    u, v = u * np.cos(turn) - v * np.sin(turn), u * np.sin(turn) + v * np.cos(turn)
    u = u + 0.03 * np.sin(v * 4 + rng.uniform(0, 6))
    side = np.sign(u)
    rise, pitch = rng.uniform(0.5, 0.9), rng.uniform(0.07, 0.12)
    along = v + np.abs(u) * rise + np.abs(u) ** 2 * 0.7 + side * pitch * 0.22 + noise(rng, height, width, 3.4) * 0.004
    phase = along / pitch - np.round(along / pitch)
    fade = np.clip(1.15 - np.abs(u) * 1.5, 0.2, 1)
    ribs = np.exp(-((phase * pitch / (0.0042 * fade)) ** 2)) * fade
    middle = np.exp(-((u / (0.009 * (1.2 + v))) ** 2))
    near, second, _ = cells(rng, height, width, 900, size * 0.006)
    web = smooth(0.16, 0.02, second - near)
    near, second, _ = cells(rng, height, width, 9000, size * 0.002)
    fine = smooth(0.3, 0.05, second - near)
    swell = 1 - np.abs(phase) * 2
    level = 0.42 + 0.1 * noise(rng, height, width, 3.8) + 0.16 * swell * np.tanh(np.abs(u) * 20) - side * 0.06
    picture = gradient(palette, np.clip(level, 0, 1))
    picture = mix(picture, palette[3], web * 0.28 + fine * 0.14)
    picture = mix(picture, mix(palette[2], palette[3], 0.6), np.clip(ribs * 0.75 + middle, 0, 1) * 0.85)
    relief = blur(-ribs * 2.2 - middle * 3 + swell * 0.5 - web * 0.3, size / 900)
    picture = picture * (1 + light(relief, 0.7, 5)[..., None] * 0.16)
    return (
        picture
        * (0.72 + 0.42 * glow(height, width, height * rng.uniform(0.2, 0.8), width * 0.5, size * 0.5))[..., None]
    )


def backdrop(rng, height, width, palette):
    """Greenery far out of focus."""
    picture = gradient(palette, np.clip(0.5 + noise(rng, height, width, 5.0) * 0.25, 0, 1))
    y, x = grid(height, width)
    for _ in range(22):
        radius = min(height, width) * rng.uniform(0.04, 0.13)
        d = np.hypot(y - rng.uniform(0, height), x - rng.uniform(0, width)) / radius
        picture += (smooth(1.1, 0.85, d) * rng.uniform(0.03, 0.16))[..., None] * palette[-1]
    return picture


def flower(rng, height, width):
    """A blossom before blurred greenery."""
    petals = colors(
        [
            "#b01048 #ee5a8a #ffd0dc",
            "#e8a000 #ffd23a #fff3b0",
            "#5a2aa0 #9f6fe0 #e4d0ff",
            "#e8e4dc #fbf8f2 #ffffff",
            "#c83208 #ff7a3a #ffd0a0",
            "#2a52b8 #6f9ff0 #d4e6ff",
            "#a00818 #e02a34 #ff9a8a",
        ][int(rng.integers(7))]
    )
    green = colors(
        ["#0f2410 #2f5a24 #8fb860", "#10241f #2a5f52 #8fc4a8", "#2a2408 #6a6a20 #d0c870"][int(rng.integers(3))]
    )
    picture = backdrop(rng, height, width, green)
    y, x = grid(height, width)
    size = min(height, width) * rng.uniform(0.4, 0.56)
    cy, cx = height * rng.uniform(0.42, 0.58), width * rng.uniform(0.38, 0.62)
    slant, squeeze = rng.uniform(0, 3.14), rng.uniform(0.75, 1)
    dy, dx = (y - cy) / size, (x - cx) / size
    u, v = dx * np.cos(slant) + dy * np.sin(slant), (dy * np.cos(slant) - dx * np.sin(slant)) / squeeze
    count, layers, pointed = int(rng.integers(6, 15)), int(rng.integers(2, 5)), rng.uniform(0.45, 1.0)
    streak = line(rng, 2048, 0.85, 10, 40)
    for layer in range(layers):
        reach = 1 - 0.22 * layer
        for petal in rng.permutation(count):
            angle = 2 * np.pi * (petal + 0.5 * (layer % 2) + rng.uniform(-0.12, 0.12)) / count
            length = reach * rng.uniform(0.9, 1.06)
            along = (u * np.cos(angle) + v * np.sin(angle)) / length
            across = (v * np.cos(angle) - u * np.sin(angle)) / length + 0.05 * np.sin(along * 3 + petal)
            t = np.clip(along, 0, 1)
            half = (np.pi / count) * 1.25 * np.sin(np.pi * t**0.75) ** pointed * (0.35 + 0.75 * t) + 1e-4
            edge = np.abs(across) / half
            cover = smooth(1 + 3 / size, 1 - 3 / size, edge) * (along > 0.02) * (along < 1)
            fold = across / half
            vein = streak[np.clip((fold * 0.45 + 0.5) * 700 + petal * 90, 0, 2047).astype(int)]
            tone = 0.15 + 0.62 * t + 0.16 * vein - 0.12 * fold * np.sin(angle - 0.6)
            tone = np.clip(tone - 0.16 * np.abs(fold) ** 3, 0, 1)
            skin = gradient(petals, tone) * (0.8 + 0.2 * np.sqrt(np.clip(1 - fold**2, 0, 1)))[..., None]
            shade = smooth(1.45, 0.9, edge) * (along > 0.02) * (along < 1.03) * 0.3
            picture = mix(picture * (1 - shade)[..., None], skin, cover)
    return heart(rng, picture, u, v)


def heart(rng, picture, u, v):
    """The florets in the middle of a blossom, set by the golden angle."""
    radius = rng.uniform(0.16, 0.27)
    r = np.hypot(u, v)
    picture = picture * (1 - 0.45 * smooth(radius * 1.7, radius * 0.9, r))[..., None]
    dots = colors(
        ["#6a3a08 #e0a010 #fff080", "#2a1408 #6a3a14 #e0a850", "#3a4a08 #a0b020 #f4f4a0"][int(rng.integers(3))]
    )
    picture = mix(picture, dots[0], smooth(radius * 1.03, radius * 0.97, r))
    for index in range(150):
        rr, angle = radius * np.sqrt((index + 0.5) / 150), index * 2.399963
        d = np.hypot(u - rr * np.cos(angle), v - rr * np.sin(angle)) / (radius * 0.075)
        ball = np.sqrt(np.clip(1 - d**2, 0, 1))
        lit = np.clip(ball * (0.55 + 0.45 * rr / radius) + 0.1, 0, 1)
        picture = mix(picture, gradient(dots, lit), smooth(1.05, 0.9, d))
    return picture


def wood(rng, height, width):
    """Planed wood with its rings and fibres."""
    palette = colors(
        [
            "#4a2812 #8a5226 #c48a4a #e4b878",
            "#2a160c #56301a #845032 #a87850",
            "#7a5a34 #b8935c #dcc08c #f0dcb4",
            "#3a1a10 #7a3420 #a85a38 #cc8a60",
        ][int(rng.integers(4))]
    )
    y, x = grid(height, width)
    size = max(height, width)
    v, u = y / size, x / size
    far = 0.25 + noise(rng, height, width, 4.4, 3.0) * 0.05
    ring = np.hypot((v - rng.uniform(-0.1, 1.1) * height / size) * 3.2, (u - rng.uniform(0, 1)) * 0.5 + far)
    ring = ring + noise(rng, height, width, 4.2, 4.0) * 0.02
    phase = ring * rng.uniform(14, 22) + soft_line(rng, 1000)[np.clip(ring * 400, 0, 999).astype(int)]
    grain = phase - np.floor(phase)
    tone = 0.75 - 0.5 * grain**2.2 * smooth(1.0, 0.9, grain)
    fibre = sample(noise(rng, 512, 2048, 1.2, 10), v * 1400, u * 500)
    pores = smooth(1.5, 2.4, sample(noise(rng, 512, 1024, 0.7, 12), v * 900, u * 320))
    picture = gradient(palette, np.clip(tone + fibre * 0.05 + noise(rng, height, width, 3.2) * 0.05, 0, 1))
    return mix(picture, palette[0] * 0.6, pores * 0.5)


def marble(rng, height, width):
    """Polished marble."""
    palette = colors(
        [
            "#f4f2ee #d8d4cc #8a8680 #4a4844",
            "#0f1512 #1c2a24 #4a6a5a #e4e0cc",
            "#1a1a1f #2c2c34 #8a7a5a #e8d8b0",
            "#f2e0d4 #e0b8a4 #a8705c #6a3a30",
            "#dfe8ee #a8bccc #4a6a8a #c8a45a",
        ][int(rng.integers(5))]
    )
    y, x = grid(height, width)
    size = max(height, width)
    wy, wx = noise(rng, height, width, 4.0) * size * 0.05, noise(rng, height, width, 4.0) * size * 0.05
    picture = gradient(palette[:2], np.clip(0.5 + sample(noise(rng, height, width, 3.4), y + wy, x + wx) * 0.3, 0, 1))
    for index, (width_of, strength) in enumerate(((0.05, 0.8), (0.025, 0.7), (0.09, 0.35), (0.015, 0.9))):
        field = sample(noise(rng, height, width, 3.9), y + wx * (1 + index * 0.4), x - wy)
        vein = np.exp(-np.abs(field) / width_of) * smooth(-0.6, 1.2, noise(rng, height, width, 3.2))
        picture = mix(picture, palette[2 + index % 2], np.clip(vein * strength, 0, 1))
    return picture + (glow(height, width, height * 0.2, width * 0.3, size * 0.5) * 0.08)[..., None]


def coral(rng, height, width):
    """A coral's folds, grown by reaction and diffusion (Gray and Scott)."""
    scale = 3.4
    rows, columns = int(height / scale), int(width / scale)
    a, b = np.ones((rows, columns), F), np.zeros((rows, columns), F)
    for _ in range(60):
        cy, cx = int(rng.integers(0, rows)), int(rng.integers(0, columns))
        b[max(0, cy - 4) : cy + 4, max(0, cx - 4) : cx + 4] = 0.6
    feed, kill = [(0.0545, 0.062), (0.037, 0.06), (0.029, 0.057), (0.042, 0.059)][int(rng.integers(4))]
    for _ in range(3600):
        la = sum(np.roll(a, s, axis) for s in (1, -1) for axis in (0, 1)) - 4 * a
        lb = sum(np.roll(b, s, axis) for s in (1, -1) for axis in (0, 1)) - 4 * b
        reaction = a * b * b
        a += 0.2 * la - reaction + feed * (1 - a)
        b += 0.1 * lb + reaction - (feed + kill) * b
    y, x = grid(height, width)
    field = blur(sample(b, y / scale, x / scale), scale * 0.6) / max(b.max(), 0.05)
    palette = colors(
        [
            "#3a0a2a #a82a5a #ff7a6a #ffd8b0",
            "#04202e #0a6a7a #4fc8b0 #e8f6c0",
            "#2a0f3f #6a3aa8 #d87ad0 #ffe0f0",
            "#3a1a04 #a85a10 #f0b03a #fff4c0",
            "#0a1a3a #2a5aa8 #6ab8e8 #f0fbff",
        ][int(rng.integers(5))]
    )
    bumps = field + noise(rng, height, width, 1.5) * 0.012
    picture = gradient(palette, np.clip(0.08 + field * 0.85, 0, 1))
    picture *= (0.82 + 0.45 * light(bumps, 0.8, 7))[..., None]
    shine = smooth(0.75, 1.0, light(blur(bumps, 2), 0.9, 11)) * 0.25
    return (
        picture
        + shine[..., None]
        + (glow(height, width, height * 0.3, width * 0.3, max(height, width) * 0.5) * 0.06)[..., None]
    )


def pebbles(rng, height, width):
    """Wet stones on a beach."""
    size = max(height, width)
    near, second, owner = cells(
        rng, height, width, int(rng.integers(50, 170)) * height * width // (size * size) + 12, size * 0.008
    )
    gap = second - near
    dome = np.sqrt(np.clip(1 - (1 - np.clip(gap / 0.75, 0, 1)) ** 2, 0, 1))
    tones = colors("#6f6a64 #a39a8c #c9bda8 #4f5458 #8a7a6a #b08a6e #dcd6ca #5f6f72 #93674f #7f8a86 #3a3c40")
    index = owner * 7919 % len(tones)
    stone = np.asarray(tones)[index] * (0.85 + (owner * 104729 % 97 / 97 * 0.3))[..., None]
    speck = noise(rng, height, width, 1.1) * (0.03 + 0.06 * (owner * 31 % 5 == 0))
    band = np.sin(near * 26 + (owner % 7)) * 0.05 * (owner * 17 % 4 == 0)
    stone = stone + (speck + band)[..., None]
    lit = light(blur(dome, size / 400), rng.uniform(0, 6.28), size / 45)
    picture = stone * (0.45 + 0.5 * dome + 0.3 * lit)[..., None]
    sheen = smooth(0.55, 0.9, lit) * smooth(0.25, 0.7, dome)
    picture = picture + (sheen * 0.22)[..., None]
    return mix(color("#14110e") + (noise(rng, height, width, 0.8) * 0.03)[..., None], picture, smooth(0.03, 0.13, gap))
