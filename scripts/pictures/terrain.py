"""Landscapes with true perspective: a field of heights, lit by a sun, seen by a camera, in haze."""

import numpy as np

from .canvas import F, blur, color, colors, gradient, grid, line, mix, noise, sample, smooth

SIZE = 1024


def eroded(rng, ridges=0.55):
    """Heights from 0 to 1 with ridges and rounded valleys."""
    base = noise(rng, SIZE, SIZE, 4.2, low=2)
    ridge = 1 - np.abs(noise(rng, SIZE, SIZE, 4.3, low=3))
    height = base * (1 - ridges) + ridge * ridges * 1.3 + noise(rng, SIZE, SIZE, 3.0, low=8) * 0.035
    return ((height - height.min()) / (height.max() - height.min())).astype(F)


def sun_light(height, angle, slant, scale):
    """Diffuse light and cast shadows, 0 to 1."""
    gy, gx = np.gradient(height * scale)
    facing = gx * np.cos(angle) + gy * np.sin(angle)
    diffuse = np.clip((slant + facing) / np.sqrt(1 + gx**2 + gy**2), 0, 1.6)
    horizon, step = np.full_like(height, -1e9), 2
    for distance in range(step, 100, step):
        shift = (int(round(np.sin(angle) * distance)), int(round(np.cos(angle) * distance)))
        horizon = np.maximum(horizon, np.roll(height * scale, shift, (0, 1)) - distance * slant)
    shadow = smooth(-1.5, 1.5, horizon - height * scale)
    return (diffuse * (1 - 0.75 * blur(shadow, 1.0))).astype(F)


def sky(rng, height, width, horizon, palette, sun_x, cloudiness):
    """A sky down to the horizon, with clouds drawn out by perspective and a glow around the sun."""
    y, x = grid(height, width)
    picture = gradient(palette, np.clip(y / horizon, 0, 1))
    glare = np.exp(-(((x - sun_x * width) / width) ** 2 * 7 + ((y - horizon * 0.8) / height) ** 2 * 16))
    picture += glare[..., None] * (palette[-1] * 0.28)
    field = noise(rng, 512, 512, 2.6, 1.6)
    depth = np.maximum(horizon * 1.03 - y, 1) / horizon
    cloud = sample(field, 60 / depth, (x / width - 0.5) * 110 / depth**0.8)
    mask = smooth(1.1 - cloudiness * 1.6, 2.4 - cloudiness, cloud) * smooth(0.02, 0.3, depth)
    return mix(picture, np.clip(palette[-1] * 0.75 + 0.32, 0, 1), mask * 0.8)


def look(heights, ground, sky_picture, horizon, haze, haze_length, eye, relief, heading, zoom=1.0, at=(0, 0)):
    """Draws the ground in front of the sky: columns of pixels, from near to far."""
    height, width = sky_picture.shape[:2]
    picture, lowest = sky_picture.copy(), np.full(width, height, F)
    across = (np.arange(width, dtype=F) / width - 0.5) * 1.15 / zoom
    rows = np.arange(height, dtype=F)[:, None]
    distance = 6.0
    focal = width / 1.15 * zoom
    while distance < 1500:
        py = at[0] + distance * (np.sin(heading) + across * np.cos(heading))
        px = at[1] + distance * (np.cos(heading) - across * np.sin(heading))
        top = horizon + (eye - sample(heights, py, px) * relief) * focal / distance
        first, last = int(max(0, np.floor(top.min()))), int(min(height, np.ceil(lowest.max())))
        if first < last:
            tint = sample(ground, py, px)
            veil = 1 - np.exp(-((distance / haze_length) ** 1.3))
            tint = tint + (haze - tint) * veil
            band = rows[first:last]
            mask = (band >= top) & (band < lowest)
            picture[first:last] = np.where(mask[..., None], tint[None], picture[first:last])
        lowest = np.minimum(lowest, top)
        distance *= 1.0045
    return picture


DAYS = {
    "noon": ("#2f6fb8 #7fb2de #d3e6f2", "#b9d0e3", 1.0, "#fff6e6"),
    "morning": ("#5b86b8 #a9c4da #f6dfc0", "#d9d3cc", 0.55, "#ffe2b4"),
    "evening": ("#3b4f86 #b07f93 #ffb870", "#d59a86", 0.4, "#ffc07a"),
    "overcast": ("#8e9dab #b4bec7 #d6dbde", "#b7c0c8", 0.9, "#f0f2f4"),
    "dawn": ("#28407a #8a7ab0 #ffc4a6", "#a99ac0", 0.42, "#ffc8b0"),
}


def scene(rng, height, width, heights, paint, relief, eye, days, haze_length=420, horizon=0.4, zoom=1.0, water=None):
    """Puts a terrain together: `paint(shape, slope, rng)` gives its colours before light."""
    day = DAYS[days[int(rng.integers(len(days)))]]
    palette, haze, slant, warmth = colors(day[0]), color(day[1]), day[2], color(day[3])
    heading = rng.uniform(0, 2 * np.pi)
    angle = heading + rng.choice([-1, 1]) * rng.uniform(0.5, 1.3) + np.pi
    land = heights if water is None else np.maximum(heights, water)
    gy, gx = np.gradient(heights * relief)
    ground = paint(heights, np.hypot(gy, gx), rng)
    lit = sun_light(land, angle, slant, relief)
    ambient = palette[0] * 0.28 + 0.14
    ground = ground * (ambient + lit[..., None] * warmth * 0.95)
    if water is not None:
        depth = smooth(0, 0.09, water - heights)
        sea = mix(color("#5fb3b0") * 0.75, palette[0] * 0.55 + palette[1] * 0.12, depth)
        ripple = noise(rng, SIZE, SIZE, 1.2) * 0.018
        ground = np.where((heights < water)[..., None], sea + ripple[..., None], ground)
    at = rng.uniform(0, SIZE, 2)
    nearby = sample(
        land, at[0] + np.sin(heading) * np.arange(0, 160, 4), at[1] + np.cos(heading) * np.arange(0, 160, 4)
    )
    eye = eye + float(nearby.max()) * relief * 0.85
    backdrop = sky(rng, height, width, height * horizon, palette, rng.uniform(0.1, 0.9), rng.uniform(0.2, 0.75))
    return look(land, ground, backdrop, height * horizon, haze, haze_length, eye, relief, heading, zoom, at)


def alps(rng, height, width):
    def paint(shape, slope, rng):
        patch = noise(rng, SIZE, SIZE, 1.9) * 0.07
        meadow = gradient(colors("#2f4a24 #56722f #7d8c45"), np.clip(shape * 1.6 + patch, 0, 1))
        rock = gradient(colors("#4c4844 #7d766e #958e88"), 0.5 + patch * 4)
        snow = color("#f4f7fb") + (patch * 0.3)[..., None]
        ground = mix(meadow, rock, smooth(0.42, 0.62, shape + patch + slope * 0.16))
        return mix(ground, snow, smooth(0.56, 0.7, shape + patch - slope * 0.06))

    heights = eroded(rng) ** 1.3
    return scene(rng, height, width, heights, paint, 120, 20, ["noon", "morning", "evening", "dawn"], 520, water=0.17)


def canyon(rng, height, width):
    shape = noise(rng, SIZE, SIZE, 4.0, low=2) * 0.18 + 0.5
    steps = shape * 7
    terrace = (np.floor(steps) + smooth(0.62, 1, steps - np.floor(steps))) / 7
    heights = np.clip(terrace + noise(rng, SIZE, SIZE, 3) * 0.008, 0, 1).astype(F)

    def paint(shape, slope, rng):
        layer = line(rng, 400, 0.8, first=12)[(np.clip(shape, 0, 0.999) * 400).astype(int)]
        strata = gradient(colors("#7a3a22 #a9542c #c97c45 #dba670 #8d4a30"), np.clip(0.5 + layer * 0.6, 0, 1))
        sand = color("#c08a5a") + (noise(rng, SIZE, SIZE, 1.6) * 0.05)[..., None]
        scrub = smooth(1.0, 1.8, noise(rng, SIZE, SIZE, 0.9)) * 0.5
        flat = mix(sand, color("#5f6a3c"), scrub)
        return mix(flat, strata, smooth(0.3, 1.0, slope))

    return scene(rng, height, width, heights, paint, 125, 26, ["noon", "evening", "morning"], 620, 0.36)


def hills(rng, height, width):
    heights = noise(rng, SIZE, SIZE, 4.8, low=3) * 0.16 + 0.45
    spring = rng.uniform() < 0.6

    def paint(shape, slope, rng):
        y, x = grid(SIZE, SIZE)
        seeds = rng.uniform(0, SIZE, (150, 2))
        warp = noise(rng, SIZE, SIZE, 3) * 8
        nearest, second, owner = (
            np.full((SIZE, SIZE), 1e9, F),
            np.full((SIZE, SIZE), 1e9, F),
            np.zeros((SIZE, SIZE), int),
        )
        for index, (sy, sx) in enumerate(seeds):
            dy = np.abs((y + warp) % SIZE - sy)
            dx = np.abs((x - warp) % SIZE - sx)
            d = np.hypot(np.minimum(dy, SIZE - dy), np.minimum(dx, SIZE - dx))
            closer = d < nearest
            second = np.where(closer, nearest, np.minimum(second, d))
            owner = np.where(closer, index, owner)
            nearest = np.where(closer, d, nearest)
        crops = colors(
            "#5d8a2f #7fa53d #9db84e #4a7429 #c2b455 #6f9a35 #e0c93c"
            if spring
            else "#c9a850 #d8bd6a #8f8a3c #a98a48 #6f7a34 #b58d44 #cfb27a"
        )
        field = np.asarray(crops)[owner % len(crops)]
        angle = owner * 1.7
        furrow = np.sin((x * np.cos(angle) + y * np.sin(angle)) * 1.3) * 0.045
        field = field + furrow[..., None] + (noise(rng, SIZE, SIZE, 1.2) * 0.025)[..., None]
        hedge = smooth(3.2, 1.0, second - nearest) + smooth(1.7, 2.2, noise(rng, SIZE, SIZE, 1.7))
        return mix(field, color("#24401c") if spring else color("#4c4a20"), np.clip(hedge, 0, 1))

    return scene(rng, height, width, heights.astype(F), paint, 95, 24, ["noon", "morning", "evening"], 560, 0.34)


def islands(rng, height, width):
    def paint(shape, slope, rng):
        patch = noise(rng, SIZE, SIZE, 1.8) * 0.05
        sand = color("#e6d3a3")
        wood = gradient(colors("#2f5526 #3f6d2d #5f8a3c"), np.clip(0.5 + patch * 6, 0, 1))
        rock = color("#7d7468")
        ground = mix(sand, wood, smooth(0.475, 0.505, shape + patch * 0.4))
        return mix(ground, rock, smooth(1.0, 1.8, slope))

    heights = noise(rng, SIZE, SIZE, 4.0, low=2) * 0.15 + 0.38
    days = ["noon", "morning", "evening", "dawn"]
    return scene(rng, height, width, heights.astype(F), paint, 150, 34, days, 700, 0.33, water=0.46)


def dunes(rng, height, width):
    y, x = grid(SIZE, SIZE)
    total = np.zeros((SIZE, SIZE), F)
    for count, strength in ((7, 1.0), (13, 0.35)):
        phase = x / SIZE * count + noise(rng, SIZE, SIZE, 4.0) * 0.55 + y / SIZE * int(rng.integers(-3, 4))
        wave = phase - np.floor(phase)
        total += strength * np.where(wave < 0.72, smooth(0, 0.72, wave), smooth(1.0, 0.72, wave))
    total *= 0.75 + 0.25 * np.tanh(noise(rng, SIZE, SIZE, 3.5, low=2))
    heights = blur(total / total.max(), 1.2)

    def paint(shape, slope, rng):
        warp = noise(rng, SIZE, SIZE, 3.0) * 4
        ripple = np.sin(y * 1.1 + x * 0.35 + warp) * 0.035 * smooth(1.0, 0.2, slope)
        tone = gradient(colors("#b9743c #d79a58 #e9bd80"), np.clip(0.45 + shape * 0.35, 0, 1))
        return tone + ripple[..., None] + (noise(rng, SIZE, SIZE, 0.8) * 0.012)[..., None]

    return scene(rng, height, width, heights, paint, 34, 13, ["evening", "morning", "dawn", "evening"], 700, 0.36)


def glacier(rng, height, width):
    def paint(shape, slope, rng):
        patch = noise(rng, SIZE, SIZE, 1.8)
        snow = gradient(colors("#dfe9f2 #f4f8fc #ffffff"), np.clip(0.5 + patch * 0.2, 0, 1))
        ice = gradient(colors("#5c9cc4 #8fc3dd #c3e1ee"), np.clip(0.5 + patch * 0.25, 0, 1))
        rock = color("#3f434b") + (patch * 0.03)[..., None]
        ground = mix(snow, ice, smooth(0.42, 0.28, shape + patch * 0.02))
        return mix(ground, rock, smooth(1.25, 1.9, slope + patch * 0.15))

    heights = eroded(rng, 0.5) ** 1.2
    return scene(rng, height, width, heights, paint, 120, 18, ["noon", "dawn", "overcast", "evening"], 430, water=0.2)


def autumn(rng, height, width):
    def paint(shape, slope, rng):
        crowns = noise(rng, SIZE, SIZE, 0.9) * 0.5 + noise(rng, SIZE, SIZE, 2.2) * 0.6
        trees = gradient(colors("#3d4a1f #7a6a22 #b5761f #cf5a1c #9a2f1b #d9a02c"), np.clip(0.45 + crowns * 0.24, 0, 1))
        shade = 0.72 + 0.28 * smooth(-1.2, 1.2, noise(rng, SIZE, SIZE, 0.6))
        meadow = color("#8f9a4a")
        return mix(trees * shade[..., None], meadow, smooth(0.33, 0.27, shape) * 0.8)

    heights = noise(rng, SIZE, SIZE, 4.1, low=3) * 0.16 + 0.45
    days = ["morning", "evening", "overcast", "noon"]
    return scene(rng, height, width, heights.astype(F), paint, 150, 22, days, 380, 0.34, water=0.2)


def aerial(rng, height, width):
    """A coast straight from above."""
    size = max(height, width)
    shape = (noise(rng, size, size, 4.0, low=1.5) * 0.2 + rng.uniform(0.3, 0.5))[:height, :width]
    fine = noise(rng, size, size, 1.7)[:height, :width]
    shape = shape + fine * 0.006
    relief = size / 2.6
    gy, gx = np.gradient(shape * relief)
    lit = np.clip(0.78 - gx * 0.26 - gy * 0.26, 0.3, 1.25)
    if rng.uniform() < 0.5:
        tones, sand = colors("#2c4f27 #4d7133 #78853f #8d7c5b #b3a894 #f2f4f6"), color("#e9d8ae")
    else:
        tones, sand = colors("#5d6b35 #9a8c4e #b98f5a #a06a48 #8a5a44 #e4d9cc"), color("#efe0bd")
    land = gradient(tones, np.clip((shape - 0.42) * 2.1 + fine * 0.05, 0, 1)) * lit[..., None]
    land = mix(sand, land, smooth(0.405, 0.43, shape))
    sea = gradient(colors("#07254a #0c4a78 #1c86a0 #6fcfc0 #bfe9d2"), np.clip(shape / 0.4, 0, 1) ** 1.6)
    sea = sea + (noise(rng, size, size, 1.0)[:height, :width] * 0.008)[..., None]
    picture = mix(sea, land, smooth(0.396, 0.402, shape))
    foam = np.exp(-(((shape - 0.392 + fine * 0.002) / 0.004) ** 2)) * 0.7
    picture = mix(picture, color("#ffffff"), foam)
    cloud = smooth(0.9, 2.3, noise(rng, size, size, 2.7, low=2))[:height, :width]
    shadow = np.roll(cloud, (int(size * 0.02), int(size * 0.03)), (0, 1))
    picture = picture * (1 - shadow * 0.35)[..., None]
    return mix(picture, color("#ffffff"), cloud * 0.85)
