"""Woods, fields and the sea floor."""

import numpy as np

from .canvas import F, below, blur, color, colors, glow, gradient, grid, line, mix, noise, sample, smooth, soft_line

WOODS = [
    ("#f6e2b0 #e8b45a #7a4a18", "#d88a1a #c2501a #e8b83a #9a3414 #f0cf5a", "#2a1a10"),
    ("#e6f0c4 #a8c46a #3f5a24", "#6f9a2f #8fb84a #4f7a24 #b4d06a #3a5f1c", "#231c12"),
    ("#dfe8ea #a8bcc0 #4a5f62", "#5f7f6a #7f9a7f #48695a #9ab09a #36524a", "#1a2022"),
    ("#ffdcc0 #e89a6a #7a3424", "#b02a1a #d8481f #e8842a #84180f #f0a84a", "#20100c"),
]


def forest(rng, height, width):
    """Trunks in the mist, leaves above, leaves on the ground."""
    air, foliage, bark = WOODS[int(rng.integers(len(WOODS)))]
    air, foliage, bark = colors(air), np.asarray(colors(foliage)), color(bark)
    y, x = grid(height, width)
    ground = height * rng.uniform(0.66, 0.76)
    sun_x = width * rng.uniform(0.25, 0.75)
    picture = gradient([mix(air[1], air[0], 0.4), air[0], air[1]], np.clip(y / ground, 0, 1))
    picture += glow(height, width, height * 0.35, sun_x, height * 0.35)[..., None] * air[0] * 0.4
    layers = 6
    for layer in range(layers):
        t = (layer + 1) / layers
        foot = height * (0.6 + 0.2 * t) + line(rng, width, 0.4, 6, 2) * height * 0.02
        litter = noise(rng, height, width, 1.0, 1.8)
        floor = foliage[np.clip((litter * 1.1 + 2.5).astype(int), 0, 4)] * (0.6 + 0.08 * litter)[..., None]
        picture = mix(
            picture,
            mix(mix(air[1], air[0], 0.5), blur(floor, height / 700 * (1 + t)), 0.2 + 0.7 * t),
            below(foot, height, 4),
        )
        trunks = np.zeros((height, width), F)
        shade = np.zeros((height, width), F)
        for _ in range(int((11 - layer * 1.5) * width / height) + 1):
            cx, half = width * rng.uniform(-0.02, 1.02), height * (0.004 + 0.026 * t**1.8) * rng.uniform(0.7, 1.3)
            bend = cx + soft_line(rng, height, 3) * half * 1.2 + (np.arange(height) - ground) * rng.uniform(-0.04, 0.04)
            flare = half * (
                1 + 0.9 * np.exp(-np.abs(foot[int(np.clip(cx, 0, width - 1))] - np.arange(height)) / (height * 0.03))
            )
            across = (x - bend[:, None]) / flare[:, None]
            trunk = smooth(1.06, 0.94, np.abs(across)) * (y < foot[int(np.clip(cx, 0, width - 1))] + half)
            shade = np.where(trunk > 0.3, across * np.sign(sun_x - cx), shade)
            trunks = np.maximum(trunks, trunk)
        rough = noise(rng, height, width, 1.6, 0.25) * 0.1
        skin = bark * (1.15 + 0.6 * shade + rough * 2)[..., None]
        picture = mix(picture, mix(air[1], skin, 0.15 + 0.8 * t), trunks)
        crown = noise(rng, height, width, 2.5) + noise(rng, height, width, 0.9) * 0.42
        leaves = smooth(0.35, 0.6, crown - smooth(0.05, 0.62, y / height) * 2.6 + 0.7)
        tint = foliage[np.clip((noise(rng, height, width, 1.5) * 1.2 + 2.5).astype(int), 0, 4)]
        tint = tint * (0.8 + 0.2 * noise(rng, height, width, 1.4))[..., None]
        picture = mix(picture, mix(mix(air[0], air[1], 0.5), tint, 0.2 + 0.75 * t), leaves * 0.92)
        picture = mix(picture, air[0], glow(height, width, ground * 0.8, sun_x, height * 0.5) * 0.16 * (1 - t))
    ray_angle = np.arctan2(x - sun_x, y + height * 0.3)
    rays = soft_line(rng, 4096, 40)[np.clip((ray_angle / 3.2 + 0.5) * 4095, 0, 4095).astype(int)]
    return picture + (smooth(0.1, 0.9, rays) * smooth(0.95, 0.2, y / height) * 0.2)[..., None] * air[0]


def fields(rng, height, width):
    """Rows of flowers that run to the horizon."""
    crop = np.asarray(
        colors(
            [
                "#5a3a9a #8a5fd0 #b48ae8 #5f7a3a",
                "#c8203a #f0506a #ffd23a #3f7a2a",
                "#e8b81a #f8d84a #fff08a #5f8a2f",
                "#d84a8a #f08ab8 #ffffff #4a7f3a",
                "#7a9a2f #a8c04a #d0d87a #4f6a24",
            ][int(rng.integers(5))]
        )
    )
    tone = colors(
        ["#3a78bc #9cc8e8 #f4ecd8", "#4a4f8a #d88a7a #ffd8a0", "#6a8aa8 #c0d0d8 #f0ece0", "#2f6ab0 #84b8e0 #e4f0f4"][
            int(rng.integers(4))
        ]
    )
    horizon = height * rng.uniform(0.35, 0.5)
    y, x = grid(height, width)
    picture = gradient(tone, np.clip(y / horizon, 0, 1))
    cloud = noise(rng, height, width, 3.0, 2.2) + noise(rng, height, width, 2.4, 2.0) * 0.3
    picture = mix(picture, np.clip(tone[2] * 1.04, 0, 1), smooth(0.1, 1.7, cloud) * 0.9)
    near = np.maximum(y - horizon, 0.5) / (height - horizon)
    swell = soft_line(rng, 512, 3)
    depth = 1 / (near + 0.03)
    u = (x - width * rng.uniform(0.2, 0.8)) / width / (near + 0.02) * 1.6 + swell[
        np.clip(depth * 15, 0, 511).astype(int)
    ] * 0.25
    row = u * rng.uniform(4, 7)
    inside = np.abs(row - np.round(row)) * 2
    tuft = sample(noise(rng, 1024, 1024, 1.1), depth * 240, u * 130) * smooth(0, 0.12, near)
    mound = smooth(0.85, 0.35, inside + tuft * 0.12)
    bloom = crop[np.clip((tuft * 0.8 + 1.2).astype(int), 0, 2)] * (0.62 + 0.34 * mound + 0.07 * tuft)[..., None]
    if rng.uniform() < 0.4:
        bloom = mix(bloom, crop[np.round(row).astype(int) % 3] * (0.75 + 0.2 * mound)[..., None], 0.75)
    path = mix(crop[3] * 0.55, color("#6a5038"), 0.45) * (1 + 0.12 * tuft)[..., None]
    land = mix(path, bloom, mound)
    land = mix(land, mix(tone[1], crop[1], 0.5), np.exp(-near * 9) * 0.75)
    picture = mix(picture, land, smooth(horizon - 1, horizon + 1, y))
    for index in range(2):
        top = horizon - np.abs(line(rng, width, 0.6, 9, 4)) * height * (0.07 - 0.035 * index)
        trees = below(top, height, 2) * (y < horizon + 2)
        picture = mix(picture, mix(tone[1] * 0.7, color("#24381f"), 0.35 + 0.35 * index), trees)
    return picture


def underwater(rng, height, width):
    """Light from above, falling on the sea floor."""
    tone = colors(
        ["#bff4f0 #2fb0c8 #0a5a8a #04264a", "#d8f8e0 #4fc0b0 #0f6a78 #042a3a", "#cfe8ff #4a98e0 #14509a #061f52"][
            int(rng.integers(3))
        ]
    )
    y, x = grid(height, width)
    picture = gradient(tone, np.clip(y / height * 1.05, 0, 1) ** 0.8)
    sun_x = width * rng.uniform(0.25, 0.75)
    angle = np.arctan2(x - sun_x, y + height * 0.35)
    rays = soft_line(rng, 4096, 46)[np.clip((angle / 3.2 + 0.5) * 4095, 0, 4095).astype(int)]
    picture += (smooth(-0.1, 1, rays) * np.exp(-(y / height) * 1.7) * 0.4)[..., None] * tone[0]
    top = height * 0.8 + line(rng, width, 0.5, 7, 2) * height * 0.05
    near = np.clip((y - top[None, :]) / (height * 0.25), 0.001, 1)
    net = np.abs(sample(noise(rng, 512, 512, 2.6), 160 / (near + 0.25), (x - width / 2) / width * 260 / (near + 0.45)))
    sand = (
        mix(tone[2], color("#c8c09a"), 0.25 + 0.35 * near)
        + (smooth(0.25, 0.0, net) * 0.3 * (0.4 + 0.6 * near))[..., None] * tone[0]
    )
    picture = mix(picture, sand, below(top, height, 6) * 0.9)
    for _ in range(int(rng.integers(14, 40))):
        size = height * rng.uniform(0.012, 0.035)
        cy, cx = height * rng.normal(0.42, 0.12), width * rng.normal(0.5, 0.2)
        dx, dy = (x - cx) / size, (y - cy) / size
        body = smooth(1.1, 0.85, np.hypot(dx, dy * 2.6))
        tail = (dx > 0.8) * (dx < 1.6) * (np.abs(dy) < (dx - 0.75) * 0.62)
        picture = mix(picture, tone[3] * 0.8, np.clip(body + tail, 0, 1) * rng.uniform(0.45, 0.85))
    bubbles = rng.uniform(size=(40, 3))
    for by, bx, br in bubbles:
        d = np.hypot(y - by * height, x - (sun_x + (bx - 0.5) * width * 0.3)) / (height * (0.003 + 0.009 * br))
        picture += (np.exp(-(((d - 0.9) / 0.22) ** 2)) * 0.35 + smooth(1, 0.4, d) * 0.06)[..., None]
    return picture
