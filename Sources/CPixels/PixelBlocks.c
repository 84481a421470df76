#include "PixelBlocks.h"

#include "Clones.h"
#include "Halves.h"
#include "Words.h"

enum { length = WEBIMAGE_BLOCK_LENGTH };

static inline float clamp(float value) {
    value = value > 0 ? value : 0;
    return value < 1 ? value : 1;
}

static inline uint32_t nearest(float value, float highest) { return (uint32_t)(clamp(value) * highest + 0.5f); }

// Loops over planes of constant length without aliases: the compiler needs no checks to vectorise them.
#define PLANES(block)                                                                                                  \
    float *restrict red = block, *restrict green = block + length, *restrict blue = block + 2 * length,               \
                    *restrict alpha = block + 3 * length

#define CONSTANT_PLANES(block)                                                                                         \
    const float *restrict red = block, *restrict green = block + length, *restrict blue = block + 2 * length,         \
                          *restrict alpha = block + 3 * length

WEBIMAGE_CLONES static void load_bytes(const uint8_t *pixels, size_t count, float *block) {
    PLANES(block);
    const float unit = 1 / 255.0f;
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel = load(pixels + i * 4);
        red[i] = (float)(int32_t)(pixel & 0xFF) * unit;
        green[i] = (float)(int32_t)(pixel >> 8 & 0xFF) * unit;
        blue[i] = (float)(int32_t)(pixel >> 16 & 0xFF) * unit;
        alpha[i] = (float)(int32_t)(pixel >> 24) * unit;
    }
}

WEBIMAGE_CLONES static void load_words(const uint16_t *pixels, size_t count, float *block) {
    PLANES(block);
    const float unit = 1 / 65535.0f;
    for (size_t i = 0; i < count; i++) {
        red[i] = (float)pixels[i * 4] * unit;
        green[i] = (float)pixels[i * 4 + 1] * unit;
        blue[i] = (float)pixels[i * 4 + 2] * unit;
        alpha[i] = (float)pixels[i * 4 + 3] * unit;
    }
}

WEBIMAGE_CLONES static void load_halves(const uint16_t *pixels, size_t count, float *block) {
    PLANES(block);
    for (size_t i = 0; i < count; i++) {
        red[i] = from_half(pixels[i * 4]);
        green[i] = from_half(pixels[i * 4 + 1]);
        blue[i] = from_half(pixels[i * 4 + 2]);
        alpha[i] = from_half(pixels[i * 4 + 3]);
    }
}

void webimage_load_block(const void *pixels, webimage_channel_type type, size_t count, float *block) {
    switch (type) {
    case webimage_bytes: load_bytes(pixels, count, block); break;
    case webimage_words: load_words(pixels, count, block); break;
    case webimage_halves: load_halves(pixels, count, block); break;
    }
}

WEBIMAGE_CLONES static void store_bytes(const float *block, size_t count, uint8_t *pixels) {
    CONSTANT_PLANES(block);
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel = nearest(red[i], 255) | nearest(green[i], 255) << 8 | nearest(blue[i], 255) << 16
            | nearest(alpha[i], 255) << 24;
        store(pixels + i * 4, pixel);
    }
}

WEBIMAGE_CLONES static void store_words(const float *block, size_t count, uint16_t *pixels) {
    CONSTANT_PLANES(block);
    for (size_t i = 0; i < count; i++) {
        pixels[i * 4] = (uint16_t)nearest(red[i], 65535);
        pixels[i * 4 + 1] = (uint16_t)nearest(green[i], 65535);
        pixels[i * 4 + 2] = (uint16_t)nearest(blue[i], 65535);
        pixels[i * 4 + 3] = (uint16_t)nearest(alpha[i], 65535);
    }
}

WEBIMAGE_CLONES static void store_halves(const float *block, size_t count, uint16_t *pixels) {
    CONSTANT_PLANES(block);
    for (size_t i = 0; i < count; i++) {
        pixels[i * 4] = to_half(red[i]);
        pixels[i * 4 + 1] = to_half(green[i]);
        pixels[i * 4 + 2] = to_half(blue[i]);
        pixels[i * 4 + 3] = to_half(alpha[i]);
    }
}

void webimage_store_block(const float *block, webimage_channel_type type, size_t count, void *pixels) {
    switch (type) {
    case webimage_bytes: store_bytes(block, count, pixels); break;
    case webimage_words: store_words(block, count, pixels); break;
    case webimage_halves: store_halves(block, count, pixels); break;
    }
}

WEBIMAGE_CLONES void webimage_block_premultiply(float *block, size_t count) {
    PLANES(block);
    for (size_t i = 0; i < count; i++) {
        red[i] *= alpha[i];
        green[i] *= alpha[i];
        blue[i] *= alpha[i];
    }
}

WEBIMAGE_CLONES void webimage_block_unpremultiply(float *block, size_t count) {
    PLANES(block);
    for (size_t i = 0; i < count; i++) {
        float factor = alpha[i] > 0 ? 1 / alpha[i] : 0;
        red[i] *= factor;
        green[i] *= factor;
        blue[i] *= factor;
    }
}

WEBIMAGE_CLONES void webimage_block_clear(float *block, size_t count) {
    PLANES(block);
    for (size_t i = 0; i < count; i++) {
        bool is_clear = alpha[i] <= 0;
        red[i] = is_clear ? 0 : red[i];
        green[i] = is_clear ? 0 : green[i];
        blue[i] = is_clear ? 0 : blue[i];
    }
}

WEBIMAGE_CLONES void webimage_block_fill(const float *color, size_t count, float *block) {
    PLANES(block);
    for (size_t i = 0; i < count; i++) {
        red[i] = color[0];
        green[i] = color[1];
        blue[i] = color[2];
        alpha[i] = color[3];
    }
}

WEBIMAGE_CLONES void webimage_block_scale(float *block, size_t count, float factor) {
    PLANES(block);
    for (size_t i = 0; i < count; i++) {
        red[i] *= factor;
        green[i] *= factor;
        blue[i] *= factor;
        alpha[i] *= factor;
    }
}
