"""Planets, galaxies and nebulae."""

import numpy as np

from .canvas import blur, color, colors, glow, gradient, grid, light, line, mix, noise, sample, smooth, stars
from .skies import milky_way


def planet(rng, height, width, turn=0.0, kind=None):
    """A planet in space; the last channel is its alpha, for pictures without the stars."""
    size = min(height, width)
    radius, cy, cx = size * rng.uniform(0.3, 0.4), height * 0.5, width * 0.5
    y, x = grid(height, width)
    ny, nx = (y - cy) / radius, (x - cx) / radius
    r2 = ny**2 + nx**2
    nz = np.sqrt(np.clip(1 - r2, 0, 1))
    tilt = rng.uniform(-0.5, 0.5)
    ty, tx = ny * np.cos(tilt) - nx * np.sin(tilt), ny * np.sin(tilt) + nx * np.cos(tilt)
    lat, lon = np.arcsin(np.clip(ty, -1, 1)), np.arctan2(tx, nz) + turn + np.pi
    v, u = (lat / np.pi + 0.5) * 511, lon / (2 * np.pi) * 1024
    kind = rng.choice(["gas", "rock", "earth", "ice"]) if kind is None else kind
    surface, air = {"gas": gas, "rock": rock, "earth": earth, "ice": ice}[kind](rng)
    skin = sample(surface, v, u)
    sun = np.array([rng.uniform(-0.6, 0.1), rng.choice([-1, 1]) * rng.uniform(0.4, 0.8), 0.62])
    sun = sun / np.linalg.norm(sun)
    day = np.clip(ny * sun[0] + nx * sun[1] + nz * sun[2], -0.2, 1)
    ball = skin * (smooth(-0.06, 0.5, day) * (0.25 + 0.95 * np.clip(day, 0, 1)))[..., None]
    ball += ((1 - nz) ** 3 * smooth(-0.2, 0.6, day))[..., None] * air * 0.8
    cover = smooth(1.0 + 1.5 / radius, 1.0 - 1.5 / radius, np.sqrt(r2))
    halo = (
        np.exp(-np.maximum(np.sqrt(r2) - 1, 0) * 22) * smooth(-0.3, 0.8, ny * sun[0] + nx * sun[1] + 0.3) * (1 - cover)
    )
    space = gradient(colors("#02030a #060a1c #0a0d22"), y / height) + milky_way(rng, height, width) * 0.35
    space = space + stars(rng, height, width, 0.0006) + halo[..., None] * air * 0.8
    alpha = np.clip(cover + halo * 0.8, 0, 1)
    picture = mix(space, ball, cover)
    if kind == "gas" and rng.uniform() < 0.6:
        ring_y, ring = ty * 3.4, 0
        distance = np.hypot(ring_y, tx)
        bands = line(rng, 600, 0.8, first=20)[np.clip((distance - 1.25) / 0.9 * 599, 0, 599).astype(int)]
        ring = smooth(1.25, 1.3, distance) * smooth(2.1, 2.0, distance) * np.clip(0.55 + bands * 0.5, 0.05, 1)
        ring = ring * np.where((ty < 0) & (r2 < 1), 0, 1) * 0.85
        picture = mix(picture, color("#d9c8a8"), ring)
        alpha = np.maximum(alpha, ring)
    return np.concatenate([picture, alpha[..., None]], -1)


def gas(rng):
    palette = colors(
        [
            "#8a5a3a #d9b48a #f2e2c4 #a8714a #e8c99a",
            "#3a5f8a #7fb0d0 #d4ebf2 #4a7aa8 #a8d0e0",
            "#7a4a6a #c88aa0 #f2d0c0 #9a5a80 #e0a8a8",
        ][int(rng.integers(3))]
    )
    y, x = grid(512, 1024)
    warp = noise(rng, 512, 1024, 3.4, 3.0) * 5
    band = line(rng, 512, 0.75, 7, 8)[np.clip(y + warp, 0, 511).astype(int)]
    return (
        gradient(palette, np.clip(0.5 + band * 0.8, 0, 1)) * (1 + noise(rng, 512, 1024, 2.0, 4.0)[..., None] * 0.03),
        palette[2],
    )


def rock(rng):
    base = noise(rng, 512, 1024, 2.4)
    field = base * 1.2
    y, x = grid(512, 1024)
    for _ in range(150):
        cy, cx, r = rng.uniform(40, 470), rng.uniform(0, 1024), rng.pareto(1.7) * 5 + 4
        r = min(r, 55)
        d = np.hypot(y - cy, np.minimum(np.abs(x - cx), 1024 - np.abs(x - cx))) / r
        field += np.where(d < 1.6, -1.5 * np.exp(-((d / 0.75) ** 4)) + 1.3 * np.exp(-(((d - 1) / 0.17) ** 2)), 0)
    palette = colors(
        ["#4a4642 #8a847c #cfc9c0", "#6a3a24 #b06a40 #e0a878", "#3a4048 #7a848e #c0cad0"][int(rng.integers(3))]
    )
    tone = np.clip(0.5 + base * 0.15 + light(blur(field, 0.8), 0.6, 2.2) * 0.4, 0, 1)
    return gradient(palette, tone), palette[2] * 0.4


def earth(rng):
    land = noise(rng, 512, 1024, 3.2, low=2)
    sea = gradient(colors("#061a40 #0c3f78 #1f7fa8"), np.clip(0.5 + land * 0.4, 0, 1))
    y, _ = grid(512, 1024)
    cold = smooth(0.62, 0.86, np.abs(y / 511 - 0.5) * 2 + land * 0.06)
    ground = gradient(colors("#c8a86a #5f7f3a #2f5f2c #7a6f4a"), np.clip(land * 0.4, 0, 1))
    picture = mix(sea, ground, smooth(0.1, 0.2, land))
    picture = mix(picture, color("#f2f6fa"), cold)
    swirl = smooth(
        0.2, 1.9, sample(noise(rng, 512, 1024, 2.6, 1.8), *(grid(512, 1024) + noise(rng, 512, 1024, 3.2) * 12))
    )
    return mix(picture, color("#ffffff"), swirl * 0.9), color("#7fb8ff")


def ice(rng):
    crack = np.abs(sample(noise(rng, 512, 1024, 2.6), *(grid(512, 1024) + noise(rng, 512, 1024, 3) * 10)))
    picture = gradient(colors("#7aa8c8 #cfe4f0 #f6fbff"), np.clip(0.5 + noise(rng, 512, 1024, 2.4) * 0.3, 0, 1))
    return mix(picture, color("#7a4a3a"), smooth(0.09, 0.0, crack) * 0.7), color("#bfe4ff")


def galaxy(rng, height, width):
    """A spiral galaxy at a slant."""
    y, x = grid(height, width)
    size = min(height, width) * rng.uniform(0.6, 0.8)
    angle, squeeze = rng.uniform(0, 3.14), rng.uniform(0.5, 0.9)
    dx, dy = (x - width / 2) / size, (y - height / 2) / size
    u, v = dx * np.cos(angle) + dy * np.sin(angle), (dy * np.cos(angle) - dx * np.sin(angle)) / squeeze
    r, theta = np.hypot(u, v) + 1e-3, np.arctan2(v, u)
    turns = rng.uniform(2.2, 3.6) * rng.choice([-1, 1])
    rough = noise(rng, height, width, 2.4)
    arms = 0.5 + 0.5 * np.cos(2 * theta + turns * 2 * np.log(r + 0.05) + rough * 0.5)
    disc = np.exp(-r * 2.1) * (0.22 + arms**2.2 * (0.75 + rough * 0.28))
    dust = smooth(0.75, 1.0, 0.5 + 0.5 * np.cos(2 * theta + turns * 2 * np.log(r + 0.05) - 0.9 + rough * 0.7))
    disc = np.clip(disc, 0, 2) * (1 - 0.6 * dust * smooth(0.05, 0.3, r))
    core = np.exp(-((r / 0.13) ** 1.3))
    tint = gradient(colors("#ffe9c4 #f0c8b8 #9fb4ff #6f9fff"), np.clip(r * 1.1, 0, 1))
    picture = color("#03040a") + disc[..., None] * tint * 2.1 + core[..., None] * color("#fff0d0") * 1.1
    pink = smooth(1.6, 2.6, noise(rng, height, width, 1.2)) * arms**3 * np.exp(-((r - 0.5) ** 2) * 8)
    return picture + pink[..., None] * color("#ff5f9a") * 0.5 + stars(rng, height, width, 0.0012)


def nebula(rng, height, width):
    """Glowing gas and dark dust among stars."""
    tints = colors(
        ["#0a1030 #5a1f6a #e0507a #ffc48a", "#02121a #0f5a6a #4fd0b0 #f2f0b0", "#0a0618 #2f2f8a #7f6fe0 #ffb0d0"][
            int(rng.integers(3))
        ]
    )
    y, x = grid(height, width)
    wy, wx = noise(rng, height, width, 3.2) * height * 0.06, noise(rng, height, width, 3.2) * height * 0.06
    gas_field = sample(noise(rng, height, width, 3.2), y + wy, x + wx)
    dust = smooth(0.1, 1.6, sample(noise(rng, height, width, 3.0), y - wx, x + wy))
    heart = glow(height, width, height * rng.uniform(0.3, 0.7), width * rng.uniform(0.3, 0.7), height * 0.42)
    level = np.clip(0.2 + heart * 0.6 + gas_field * 0.15 - dust * 0.4, 0, 1)
    return gradient(tints, level) * (0.25 + 1.05 * level)[..., None] + stars(rng, height, width, 0.0016)
