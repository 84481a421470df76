"""Sea, sky and night."""

import numpy as np

from .canvas import (
    F,
    below,
    blur,
    color,
    colors,
    firs,
    glow,
    gradient,
    grid,
    light,
    line,
    mix,
    noise,
    polygons,
    sample,
    smooth,
    soft_line,
    stars,
)

HAZES = [
    "#3a6ea5 #9cc3dd #f3e3cf #2d4a63",
    "#2b2a5a #a0527a #ffb36b #241a38",
    "#f2b880 #f7d6a8 #fff1d6 #6b3f3a",
    "#5c7a8a #a9bcc2 #e8e6dc #24343a",
    "#142850 #4a6fa5 #c7d8ea #0d1a30",
    "#7a3b5e #e07a5f #ffd59e #3a1c3a",
    "#3f5e5a #9dbfae #eef2dc #1c332c",
    "#4b3f72 #b58db6 #fbd1c8 #1f1a3d",
    "#1d3557 #6c9ab5 #f6d9b0 #14263a",
]


def mountains(rng, height, width):
    """Ranges behind ranges in the haze."""
    palette = colors(HAZES[int(rng.integers(len(HAZES)))])
    y, x = grid(height, width)
    picture = gradient(palette[:3], np.clip(y / height * 1.7, 0, 1))
    sun_x, sun_y = rng.uniform(0.15, 0.85) * width, rng.uniform(0.2, 0.42) * height
    picture += glow(height, width, sun_y, sun_x, height * 0.13)[..., None] * (palette[2] * 0.5)
    disc = smooth(1.1, 0.9, np.hypot(y - sun_y, x - sun_x) / (height * rng.uniform(0.03, 0.055)))
    picture = mix(picture, np.clip(palette[2] * 1.15, 0, 1.1), disc * 0.9)
    streaks = smooth(0.5, 2.2, noise(rng, height, width, 2.8, 4.0)) * smooth(0.6, 0.1, y / height)
    picture = mix(picture, palette[2], streaks * 0.5)
    layers = int(rng.integers(5, 9))
    for index in range(layers):
        t = (index + 1) / layers
        rough = line(rng, width, 0.52 if t < 0.6 else 0.46, 9, 3 + int(rng.integers(0, 3)))
        ridge = np.abs(rough) * -1.3 + 0.35 if rng.uniform() < 0.5 else rough
        top = height * (0.36 + 0.5 * t**1.15) + ridge * height * (0.05 + 0.11 * t)
        depth = np.clip((y - top[None, :]) / (height * (0.10 + 0.25 * t)), 0, 1)
        tint = mix(mix(palette[1], palette[2], 0.35), palette[3], t**1.25)
        body = mix(tint, mix(palette[2], palette[1], 0.5), depth * 0.55 * (1 - t * 0.75))
        body = body * (1 + noise(rng, height, width, 2.0)[..., None] * 0.012)
        cover = below(top, height, 1.5)
        if t > 0.75:
            cover = np.maximum(cover, firs(rng, height, width, top, height * 0.11 * t**3, int(width / height * 75)))
        picture = mix(picture, body, cover)
    return picture


SUNSETS = [
    "#26316b #8a4f8a #f2795a #ffd27a",
    "#1b2a52 #46609a #e8a27c #fff0c2",
    "#4a1942 #b8336a #ff7f51 #ffd166",
    "#2d4a6b #7fa3b8 #f4d8b0 #fff4d8",
    "#0f1b3d #3b3a78 #c05a7d #ff9e6d",
    "#5d737e #a8b8b8 #e9dcc0 #fffbe9",
    "#3a1f5d #7a4fb5 #e58fb0 #ffd9c0",
]


def sunset(rng, height, width):
    """The sun over the sea, and its path of glitter."""
    palette = colors(SUNSETS[int(rng.integers(len(SUNSETS)))])
    horizon = int(height * rng.uniform(0.42, 0.62))
    y, x = grid(height, width)
    air = gradient(palette, np.clip(y / horizon, 0, 1) ** 1.2)
    sun_x, sun_y = width * rng.uniform(0.25, 0.75), horizon - height * rng.uniform(0.02, 0.12)
    air += glow(height, width, sun_y, sun_x, height * 0.16, 1.7)[..., None] * (palette[3] * 0.45)
    field = noise(rng, 768, 768, 2.7, 1.3)
    depth = np.maximum(horizon - y, 2) / horizon
    cloud = smooth(0.1, 1.7, sample(field, 70 / (depth + 0.08), (x / width - 0.5) * 130 / (depth + 0.25)))
    rim = np.exp(-((cloud - 0.35) ** 2) / 0.06) * glow(height, width, sun_y, sun_x, height * 0.6)
    air = mix(air, mix(palette[1], palette[2], 0.35) * 0.8, cloud * 0.75)
    air += (rim * 0.4)[..., None] * palette[3]
    disc = smooth(1.08, 0.92, np.hypot(y - sun_y, x - sun_x) / (height * rng.uniform(0.035, 0.07)))
    air = mix(air, np.clip(palette[3] * 1.2, 0, 1.2), disc * (1 - cloud * 0.5))

    fall = np.maximum(y - horizon, 0.5)
    near = fall / (height - horizon)
    waves = noise(rng, 512, 512, 1.9, 1.6) + noise(rng, 512, 512, 2.6, 1.3, 2) * 0.7
    wave = sample(waves, 420 / (near + 0.05), (x - width / 2) / width * 260 / (near + 0.12))
    mirror = np.clip(2 * horizon - y + wave * (4 + fall * 0.35), 0, horizon - 1)
    sea = sample(air, mirror, np.clip(x + wave * fall * 0.05, 0, width - 1)) * (0.5 + 0.25 * (1 - near))[..., None]
    sea = mix(sea, palette[0] * 0.5, smooth(0, 1, near) * 0.45 + 0.1)
    spread = width * (0.02 + 0.16 * near)
    glitter = np.exp(-(((x - sun_x) / spread) ** 2)) * smooth(0.25, 1.5, wave) * 1.1
    sea += glitter[..., None] * palette[3]
    picture = np.where((y < horizon)[..., None], air, sea)
    if rng.uniform() < 0.5:
        shore = horizon - np.maximum(line(rng, width, 0.5, 8, 3) * 0.05 * height + rng.uniform(-0.01, 0.02) * height, 0)
        land = below(shore, height) * (y < horizon + 1)
        picture = mix(picture, mix(palette[1], palette[0], 0.6) * 0.7, land)
    if rng.uniform() < 0.4:
        picture = boat(rng, picture, horizon, palette[0] * 0.25)
    return picture


def boat(rng, picture, horizon, tint):
    height, width = picture.shape[:2]
    size, x, y = height * rng.uniform(0.08, 0.16), width * rng.uniform(0.2, 0.8), horizon + height * 0.06
    hull = [
        (x - size * 0.4, y),
        (x + size * 0.42, y),
        (x + size * 0.3, y + size * 0.12),
        (x - size * 0.32, y + size * 0.12),
    ]
    main = [(x, y - size), (x, y - size * 0.06), (x + size * 0.38, y - size * 0.06)]
    jib = [(x - size * 0.03, y - size * 0.9), (x - size * 0.03, y - size * 0.06), (x - size * 0.33, y - size * 0.06)]
    ghost = [[(px, 2 * y + size * 0.2 - py) for px, py in shape] for shape in (main, jib)]
    picture = mix(picture, tint, blur(polygons(height, width, ghost), size * 0.04, size * 0.07) * 0.4)
    return mix(picture, tint, polygons(height, width, [hull, main, jib]))


def milky_way(rng, height, width, angle=None):
    y, x = grid(height, width)
    angle = rng.uniform(0.5, 1.3) * rng.choice([-1, 1]) if angle is None else angle
    size = min(height, width)
    across = ((x - width * rng.uniform(0.35, 0.65)) * np.sin(angle) - (y - height * 0.4) * np.cos(angle)) / size
    cloud = noise(rng, height, width, 2.7)
    dust = smooth(0.1, 1.4, noise(rng, height, width, 2.8) + 0.4 - np.abs(across + cloud * 0.02) * 7)
    band = np.exp(-((across + cloud * 0.03) ** 2) / 0.035)
    core = gradient(colors("#3a4a86 #8a7fb0 #f0cfae"), np.clip(band * 0.9 + cloud * 0.08, 0, 1))
    return (core * (band * (0.55 + 0.22 * cloud)).clip(0, 1.3)[..., None] * (1 - dust * 0.75)[..., None] * 0.6).astype(
        F
    )


def night(rng, height, width):
    """The Milky Way over firs or mountains."""
    tone = colors(
        ["#030816 #0a1836 #24476b", "#05060f #151433 #51305e", "#020a12 #08222e #1f5a5c", "#070714 #1a1838 #8a4a3a"][
            int(rng.integers(4))
        ]
    )
    y, _ = grid(height, width)
    picture = gradient([tone[0], tone[1], tone[2] * 1.25], (y / height) ** 1.3) + milky_way(rng, height, width)
    picture += stars(rng, height, width) * (1 - 0.6 * y / height)[..., None]
    for index in range(int(rng.integers(1, 3))):
        top = height * (0.74 + index * 0.07) + line(rng, width, 0.5, 8, 3) * height * 0.09
        picture = mix(picture, tone[1] * (0.8 - 0.35 * index), below(top, height, 1.5))
    base = height * rng.uniform(0.9, 0.96) + line(rng, width, 0.5, 7, 2) * height * 0.03
    trees = np.maximum(
        below(base, height), firs(rng, height, width, base, height * rng.uniform(0.15, 0.34), int(26 * width / height))
    )
    return mix(picture, tone[0] * 0.35, trees)


def aurora(rng, height, width, phase=0.0):
    """Northern lights, doubled by a lake."""
    horizon = int(height * rng.uniform(0.6, 0.7))
    y, x = grid(height, width)
    palette = colors(
        ["#39ffa0 #28d0a8 #7a3fd0", "#5dff7a #2fe0b8 #c04fb0", "#7affc8 #39a8ff #8a5cff", "#a8ff60 #3fdc90 #e05080"][
            int(rng.integers(4))
        ]
    )
    picture = gradient(colors("#02060f #06142a #123a4a"), (y / horizon).clip(0, 1) ** 1.5)
    picture = picture + stars(rng, height, width, 0.0007, 0.8)
    for _ in range(int(rng.integers(2, 5))):
        foot = horizon * (rng.uniform(0.45, 0.8) + soft_line(rng, width, 5) * 0.16)
        foot = foot + horizon * 0.02 * np.sin(phase + np.linspace(0, 9, width))
        ray = 0.55 + 0.45 * np.tanh(
            line(rng, width, 0.75, 9, 9) * 1.6 + 0.5 * np.sin(phase + np.linspace(0, 25, width))
        )
        ray = ray * np.clip(0.6 + soft_line(rng, width, 4), 0.05, 1.4)
        rise = (foot[None, :] - y) / (horizon * rng.uniform(0.28, 0.5))
        veil = np.exp(-np.maximum(rise, 0) * 2.6) * smooth(-0.07, 0.03, rise) * ray[None, :]
        picture += veil[..., None] * gradient(palette, np.clip(rise * 1.1, 0, 1)) * 0.62
    top = horizon - np.abs(line(rng, width, 0.5, 8, 3)) * height * 0.16 - height * 0.015
    hill = below(top, height)
    slope = light(noise(rng, height, width, 2.9), 2.0, 9) * 0.5 + 0.5
    snow = mix(color("#0a1420"), color("#3f6a78"), slope * smooth(0.16, 0.02, (y - top[None, :]) / height))
    picture = mix(picture, snow, hill)
    shore = horizon - np.abs(line(rng, width, 0.6, 8, 4)) * height * 0.012
    trees = firs(rng, height, width, shore, height * 0.06, int(60 * width / height))
    picture = mix(picture, color("#02060a"), np.maximum(trees, below(shore, height)))
    ripple = sample(noise(rng, 512, 512, 2.0, 2.0), 500 / (np.maximum(y - horizon, 1) / height + 0.08), x * 0.5)
    mirror = sample(picture, np.clip(2 * horizon - y + ripple * (y - horizon) * 0.05, 0, horizon - 1), x)
    mirror = blur(mirror, height / 160, height / 400) * 0.62 + color("#01060a")
    return np.where((y > horizon)[..., None], mirror, picture)


def clouds(rng, height, width):
    """A sea of clouds, seen from above."""
    tones = colors(
        [
            "#1f5fae #8fc0e6 #ffffff #7f97b8",
            "#3b3f7a #e59a80 #fff0dc #8a6f96",
            "#274b7a #f2b98a #fff6e6 #6f7f9f",
            "#0f3f8a #5f9fd8 #f4f8ff #8fa6c4",
            "#51406f #d98a9a #ffe2d0 #6a5a86",
        ][int(rng.integers(5))]
    )
    horizon = height * rng.uniform(0.25, 0.45)
    y, x = grid(height, width)
    picture = gradient(tones[:2] + [mix(tones[1], tones[2], 0.6)], np.clip(y / horizon, 0, 1))
    wisps = smooth(0.6, 2.4, noise(rng, height, width, 2.6, 3.5)) * smooth(1, 0.3, y / horizon)
    picture = mix(picture, tones[2], wisps * 0.5)
    heap = noise(rng, 1024, 1024, 3.7, low=3)
    heap = np.abs(heap) * -1.2 + noise(rng, 1024, 1024, 3.4, low=3) * 0.7 if rng.uniform() < 0.5 else heap * 0.9
    shade = light(heap, rng.uniform(0, 6.28), 14)
    near = np.maximum(y - horizon, 0.6) / (height - horizon)
    scale = rng.uniform(0.5, 1.7)
    py, px = scale * 75 / (near + 0.08), (x - width / 2) / width * scale * 150 / (near + 0.1)
    lift = sample(heap, py, px)
    bright = np.clip(0.52 + 0.26 * sample(shade, py, px) + 0.2 * lift, 0, 1)
    deck = gradient([mix(tones[0], tones[3], 0.75), tones[3], tones[2]], bright)
    deck = mix(deck, mix(tones[1], tones[2], 0.6), np.exp(-near * 5))
    return mix(picture, deck, smooth(horizon - 2, horizon + 2 + height * 0.01, y + lift * 3))


def cumulus(rng, height, width):
    """Fair weather from below, over a strip of land."""
    y, x = grid(height, width)
    picture = gradient(
        colors(["#1d62b8 #5fa3dc #c4e2f2", "#2a6fb0 #8fbbe0 #f2e6d4", "#4a5a9a #c890a0 #ffd0a0"][int(rng.integers(3))]),
        y / height,
    )
    size = max(height, width)
    puff = noise(rng, size, size, 3.5, low=2)[:height, :width] + (y / height - 0.5) * 0.5
    detail = noise(rng, size, size, 2.6, low=6)[:height, :width] * 0.24
    body = smooth(0.3, 0.95, puff + detail + rng.uniform(-0.5, 0.6))
    thick = smooth(0.4, 2.6, puff + np.roll(puff, -int(size * 0.03), 0) * 0.5 + detail)
    tone = gradient(
        colors("#ffffff #f1f4f8 #b9c4d2 #8b9aae"),
        np.clip(thick * 0.95 - light(blur(puff + detail, size / 300), 2.2, size / 90) * 0.2, 0, 1),
    )
    picture = mix(picture, tone, body)
    for index in range(3):
        top = height * (0.86 + index * 0.045) + line(rng, width, 0.45, 8, 3) * height * 0.03
        green = mix(color("#7f9f9a"), color("#2f5a2a"), (index + 1) / 3)
        texture = 1 + noise(rng, height, width, 1.0, 3.0)[..., None] * 0.1
        picture = mix(picture, green * texture, below(top, height, 1.5))
    return picture


def bokeh(rng, height, width, phase=0.0):
    """Lights of a street at night, far out of focus."""
    palette = colors(
        [
            "#ffb347 #ff7f50 #ffd27f #ff5e62 #fff0c8",
            "#5fd0ff #9f7fff #ff6fc8 #7fffd4 #f2e8ff",
            "#ffd166 #ef476f #06d6a0 #118ab2 #fff8e0",
            "#b8e986 #7ed321 #f8e71c #50e3c2 #fbffe0",
        ][int(rng.integers(4))]
    )
    ground = colors(["#140a12 #2a1420", "#060a1c #141433", "#081014 #10282a", "#0a1408 #1c3016"][int(rng.integers(4))])
    y, x = grid(height, width)
    picture = gradient(ground, np.clip(0.5 + noise(rng, height, width, 3.4) * 0.3, 0, 1))
    size = min(height, width)
    for index in range(int(rng.integers(70, 120))):
        radius = size * rng.uniform(0.02, 0.085) * (1.5 if index > 50 else 1)
        cy, cx = height * np.clip(rng.normal(0.5, 0.24), -0.05, 1.05), width * rng.uniform(-0.05, 1.05)
        cx, cy = cx + np.sin(phase + index) * size * 0.02, cy + np.cos(phase + index * 2) * size * 0.02
        d = np.hypot(y - cy, x - cx) / radius
        disc = smooth(1.05, 0.94, d) * (0.5 + 0.5 * smooth(0.4, 1.0, d))
        picture += disc[..., None] * palette[int(rng.integers(5))] * rng.uniform(0.12, 0.62)
    return picture


def city(rng, height, width):
    """A skyline by night, doubled by the water."""
    tone = colors(
        ["#0a1030 #3a2f6a #c86a6a", "#050a1c #12304f #4f8aa0", "#140a24 #5a2a5a #f0906a", "#0a0f1a #28324a #8a90a0"][
            int(rng.integers(4))
        ]
    )
    horizon = int(height * rng.uniform(0.64, 0.74))
    y, x = grid(height, width)
    picture = gradient(tone, np.clip(y / horizon, 0, 1) ** 0.9)
    picture = picture + stars(rng, height, width, 0.0004, 0.5) * smooth(0.6, 0.1, y / horizon)[..., None]
    if rng.uniform() < 0.6:
        my, mx, mr = horizon * rng.uniform(0.15, 0.4), width * rng.uniform(0.15, 0.85), height * 0.035
        picture += glow(height, width, my, mx, mr * 1.6)[..., None] * 0.25
        picture = mix(picture, color("#fff6e0"), smooth(1.08, 0.92, np.hypot(y - my, x - mx) / mr))
    picture = mix(picture, tone[2], smooth(0.4, 2.0, noise(rng, height, width, 2.8, 3.5)) * 0.25)
    for layer in range(3):
        picture = skyline(rng, picture, horizon, layer, tone)
    ripple = sample(noise(rng, 512, 512, 1.8, 2.8), 420 / (np.maximum(y - horizon, 1) / height + 0.06), x * 512 / width)
    near = np.clip((y - horizon) / (height - horizon), 0, 1)
    mirror = sample(
        picture,
        np.clip(2 * horizon - y * 1.0 + ripple * (3 + near * height * 0.04), 0, horizon - 1),
        np.clip(x + ripple * near * 7, 0, width - 1),
    )
    mirror = blur(mirror, height / 45, height / 700) * 0.85 + tone[0] * 0.25
    picture = np.where((y > horizon)[..., None], mirror * (1 - 0.35 * near)[..., None], picture)
    bloom = blur(np.clip(picture - 0.45, 0, 1), height / 90)
    return picture + bloom * 0.9


def skyline(rng, picture, horizon, layer, tone):
    height, width = picture.shape[:2]
    x, unit = -10.0, height / 200
    wall = mix(tone[1] * 0.9 + 0.02, tone[0] * 0.7, layer / 2)
    lamp = colors("#ffd48a #ffe9c0 #ffb864 #cfe4ff")
    while x < width:
        wide = unit * rng.uniform(9, 24)
        tall = horizon * rng.uniform(0.12, 0.3) * (1.9 - layer * 0.45) * (1.5 if rng.uniform() < 0.12 else 1)
        x0, x1, y0 = int(max(0, x)), int(min(width, x + wide)), int(max(4, horizon - tall))
        if x1 - x0 > 3:
            picture[y0:horizon, x0:x1] = wall
            if rng.uniform() < 0.25:
                mid = (x0 + x1) // 2
                picture[max(0, y0 - int(unit * rng.uniform(6, 20))) : y0, mid : mid + max(1, int(unit * 0.6))] = wall
            step_y, step_x, glow_part = int(unit * 2.6) + 2, int(unit * 1.9) + 2, rng.uniform(0.25, 0.75)
            tint = lamp[int(rng.integers(4))] * (0.5 + 0.3 * layer)
            for wy in range(y0 + step_y // 2, horizon - step_y, step_y):
                for wx in range(x0 + 2, x1 - step_x // 2, step_x):
                    if rng.uniform() < glow_part:
                        picture[wy : wy + step_y // 2, wx : wx + step_x // 2] = tint * rng.uniform(0.5, 1.3)
        x += wide * rng.uniform(0.85, 1.35)
    return picture


def balloons(rng, height, width):
    """Hot-air balloons over the ranges of a hazy morning."""
    picture = mountains(rng, height, width)
    y, x = grid(height, width)
    sizes = sorted(rng.uniform(0.03, 0.15, int(rng.integers(3, 8))))
    for index, share in enumerate(sizes):
        radius = share * height
        cy, cx = height * rng.uniform(0.12, 0.55), width * rng.uniform(0.08, 0.92)
        dy, dx = (y - cy) / radius, (x - cx) / radius
        belly = np.where(
            dy > 0, np.sqrt(np.clip(1 - (dy / 1.45) ** 2, 0, 1)) ** 1.25, np.sqrt(np.clip(1 - dy**2, 0, 1))
        )
        inside = smooth(1.0 + 1.2 / radius, 1.0 - 1.2 / radius, np.abs(dx) / np.maximum(belly, 0.02))
        inside = inside * (dy > -1) * (dy < 1.28)
        around = np.arcsin(np.clip(dx / np.maximum(belly, 0.02), -1, 1))
        paints = colors(
            [
                "#d7263d #f4d35e #f7f7f2",
                "#1b998b #fffd82 #ff6b35",
                "#2e294e #ef8354 #f9dcc4",
                "#3066be #f2f3ae #e84855",
                "#6a4c93 #ffca3a #8ac926",
            ][int(rng.integers(5))]
        )
        gore = np.floor((around / np.pi + 0.5) * rng.integers(6, 11)).astype(int) % len(paints)
        skin = (
            np.asarray(paints)[gore] * (0.62 + 0.42 * np.cos(around - 0.5) * np.clip(1 - dy * 0.3, 0.4, 1.2))[..., None]
        )
        haze = picture[int(cy), int(cx)]
        picture = mix(picture, mix(skin, haze, 0.45 * (1 - index / len(sizes))), inside)
        basket = (np.abs(dx) < 0.14) * (dy > 1.62) * (dy < 1.85)
        ropes = (np.abs(np.abs(dx) - 0.12 - (1.62 - dy) * 0.25) < 0.9 / radius) * (dy > 1.25) * (dy < 1.63)
        picture = mix(picture, color("#3a2416"), np.clip(basket + ropes * 0.7, 0, 1))
    return picture
