#include "Clones.h"
#include "Halves.h"
#include "SpatialPixels.h"

static inline float bounded(float value, float highest) {
    value = value > 0 ? value : 0;
    return value < highest ? value : highest;
}

WEBIMAGE_CLONES static void load_bytes(const uint8_t *restrict pixels, float *restrict floats, size_t count) {
    for (size_t i = 0; i < count; i++) floats[i] = (float)(int32_t)pixels[i];
}

WEBIMAGE_CLONES static void load_words(const uint16_t *restrict pixels, float *restrict floats, size_t count) {
    for (size_t i = 0; i < count; i++) floats[i] = (float)(int32_t)pixels[i];
}

WEBIMAGE_CLONES static void load_halves(const uint16_t *restrict pixels, float *restrict floats, size_t count) {
    for (size_t i = 0; i < count; i++) floats[i] = from_half(pixels[i]);
}

void webimage_load_floats(const void *pixels, webimage_channel_type type, float *floats, size_t count) {
    switch (type) {
    case webimage_bytes: load_bytes(pixels, floats, count * 4); break;
    case webimage_words: load_words(pixels, floats, count * 4); break;
    case webimage_halves: load_halves(pixels, floats, count * 4); break;
    }
}

// The sum of rounded weights may be a little below 1, so the alpha of opaque pixels is set.
#define STORE_OPAQUE(name, type, highest)                                                                              \
    WEBIMAGE_CLONES static void name(const float *restrict floats, type *restrict pixels, size_t count) {              \
        for (size_t i = 0; i < count * 4; i++) {                                                                       \
            pixels[i] = (type)(int32_t)(bounded(floats[i], highest) + 0.5f);                                           \
        }                                                                                                              \
        for (size_t i = 0; i < count; i++) pixels[i * 4 + 3] = (type)highest;                                          \
    }

// A filter that overshoots 1 in alpha makes all channels too high by the same factor: clamping alpha alone would leave
// the colour too bright.
#define STORE_TRANSLUCENT(name, type, highest)                                                                         \
    WEBIMAGE_CLONES static void name(const float *restrict floats, type *restrict pixels, size_t count) {              \
        for (size_t i = 0; i < count; i++) {                                                                           \
            float alpha = floats[i * 4 + 3], factor = alpha > highest ? highest / alpha : 1;                           \
            int32_t stored = (int32_t)(bounded(alpha, highest) + 0.5f);                                                \
            for (int c = 0; c < 4; c++) {                                                                              \
                pixels[i * 4 + (size_t)c] =                                                                            \
                    (type)(int32_t)(bounded(floats[i * 4 + (size_t)c] * factor, (float)stored) + 0.5f);                \
            }                                                                                                          \
        }                                                                                                              \
    }

STORE_OPAQUE(store_opaque_bytes, uint8_t, 255)
STORE_OPAQUE(store_opaque_words, uint16_t, 65535)
STORE_TRANSLUCENT(store_translucent_bytes, uint8_t, 255)
STORE_TRANSLUCENT(store_translucent_words, uint16_t, 65535)

// Colours of halves are not bounded: they may be brighter than white.
WEBIMAGE_CLONES static void store_halves(
    const float *restrict floats, bool has_alpha, uint16_t *restrict pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float alpha = floats[i * 4 + 3], factor = has_alpha && alpha > 1 ? 1 / alpha : 1;
        for (int c = 0; c < 3; c++) pixels[i * 4 + (size_t)c] = to_half(floats[i * 4 + (size_t)c] * factor);
        pixels[i * 4 + 3] = has_alpha ? to_half(bounded(alpha, 1)) : 0x3C00;
    }
}

void webimage_store_floats(
    const float *floats, webimage_channel_type type, bool has_alpha, void *pixels, size_t count) {
    switch (type) {
    case webimage_bytes: (has_alpha ? store_translucent_bytes : store_opaque_bytes)(floats, pixels, count); break;
    case webimage_words: (has_alpha ? store_translucent_words : store_opaque_words)(floats, pixels, count); break;
    case webimage_halves: store_halves(floats, has_alpha, pixels, count); break;
    }
}

WEBIMAGE_CLONES void webimage_map_floats(float *floats, const float *curve, size_t count) {
    const float last = WEBIMAGE_TONE_COUNT - 1;
    for (size_t i = 0; i < count; i++) {
        float *pixel = floats + i * 4, alpha = pixel[3], factor = alpha > 0 ? last / alpha : 0;
        for (int c = 0; c < 3; c++) {
            float place = bounded(pixel[c] * factor, last);
            // The last interval has its end, too.
            int32_t index = (int32_t)bounded(place, last - 1);
            float fraction = place - (float)index;
            pixel[c] = (curve[index] + (curve[index + 1] - curve[index]) * fraction) * alpha;
        }
    }
}

bool webimage_differing_columns(
    const void *row, webimage_channel_type type, const float *pixel, float tolerance, size_t count, size_t *first,
    size_t *end) {
    bool differs = false;
    size_t bytes = type == webimage_bytes ? 4 : 8;
    for (size_t x = 0; x < count; x++) {
        float own[4];
        webimage_load_floats((const uint8_t *)row + x * bytes, type, own, 1);
        // Invisible pixels have no colour.
        bool is_same = true, is_clear = own[3] <= 0 && pixel[3] <= 0;
        for (int c = 0; c < 4 && !is_clear; c++) {
            float difference = own[c] - pixel[c];
            if ((difference < 0 ? -difference : difference) > tolerance) is_same = false;
        }
        if (is_same) continue;
        if (!differs) *first = x;
        *end = x + 1;
        differs = true;
    }
    return differs;
}
