#include "Clones.h"
#include "CPixels.h"
#include "Words.h"

// Distance and index are combined in one number, so that one minimum finds both; 3 × 255² has 18 bits.
WEBIMAGE_CLONES static uint32_t nearest(
    const int32_t *channels, size_t count, int32_t red, int32_t green, int32_t blue) {
    const int32_t *reds = channels, *greens = channels + count, *blues = channels + 2 * count;
    uint32_t best = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        int32_t r = reds[i] - red, g = greens[i] - green, b = blues[i] - blue;
        uint32_t candidate = (uint32_t)(r * r + g * g + b * b) << 8 | (uint32_t)i;
        best = candidate < best ? candidate : best;
    }
    return best & 0xFF;
}

uint32_t webimage_nearest_color(
    const int32_t *channels, size_t count, webimage_known_color *known, uint32_t color) {
    webimage_known_color *slot = &known[color * 2654435761u >> (32 - WEBIMAGE_KNOWN_COLORS_BITS)];
    if (slot->color != color) {
        const uint8_t *pixel = (const uint8_t *)&color;
        *slot = (webimage_known_color){color, nearest(channels, count, pixel[0], pixel[1], pixel[2])};
    }
    return slot->index;
}

static float clamped(float value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

static uint8_t rounded(float value) {
    uint32_t whole = (uint32_t)value;
    return (uint8_t)(whole + (value - (float)whole >= 0.5f));
}

void webimage_dither_row(
    const uint32_t *pixels, size_t width, bool is_backwards, float share, float *current, float *next,
    const int32_t *channels, size_t count, webimage_known_color *known, uint8_t transparent, uint8_t *indices) {
// The same indices on every machine.
#pragma STDC FP_CONTRACT OFF
    memset(next, 0, (width + 2) * 3 * sizeof *next);
    ptrdiff_t step = is_backwards ? -3 : 3;
    for (size_t i = 0; i < width; i++) {
        size_t x = is_backwards ? width - 1 - i : i;
        if (pixels[x] == 0) {
            indices[x] = transparent;
            continue;
        }
        float *here = current + (x + 1) * 3, *below = next + (x + 1) * 3, wanted[3];
        uint8_t color[4] = {0, 0, 0, 255};
        for (size_t c = 0; c < 3; c++) {
            wanted[c] = clamped((float)((const uint8_t *)&pixels[x])[c] + here[c]);
            color[c] = rounded(wanted[c]);
        }
        uint32_t index = webimage_nearest_color(channels, count, known, load(color));
        indices[x] = (uint8_t)index;
        if (share == 0) continue;
        for (size_t c = 0; c < 3; c++) {
            float part = (wanted[c] - (float)channels[c * count + index]) * share;
            here[step + (ptrdiff_t)c] += part * 7;
            below[(ptrdiff_t)c - step] += part * 3;
            below[c] += part * 5;
            below[step + (ptrdiff_t)c] += part;
        }
    }
}
