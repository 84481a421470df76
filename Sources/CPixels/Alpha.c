#include "Clones.h"
#include "CPixels.h"
#include "Words.h"

#include <string.h>

// x / 255 to nearest for x up to 255 × 255, without a division.
static inline uint32_t divide_by_255(uint32_t x) {
    x += 128;
    return (x + (x >> 8)) >> 8;
}

// Red and blue share a multiplication: each has 16 bits to itself. Three times as fast as byte by byte.
static inline uint32_t premultiplied(uint32_t value) {
    uint32_t alpha = value >> 24;
    uint32_t red_blue = (value & 0xFF00FF) * alpha + 0x800080;
    red_blue = ((red_blue + ((red_blue >> 8) & 0xFF00FF)) >> 8) & 0xFF00FF;
    uint32_t green = ((value >> 8) & 0xFF) * alpha + 0x80;
    green = (green + (green >> 8)) & 0xFF00;
    return red_blue | green | (value & 0xFF000000);
}

WEBIMAGE_CLONES void webimage_premultiply(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) store(pixels + i * 4, premultiplied(load(pixels + i * 4)));
}

WEBIMAGE_CLONES void webimage_copy_premultiplied(const uint8_t *restrict from, uint8_t *restrict to, size_t count) {
    for (size_t i = 0; i < count; i++) store(to + i * 4, premultiplied(load(from + i * 4)));
}

WEBIMAGE_CLONES void webimage_unpremultiply(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t *pixel = pixels + i * 4;
        float factor = pixel[3] ? 255.0f / (float)pixel[3] : 0;
        for (int channel = 0; channel < 3; channel++) {
            float value = (float)pixel[channel] * factor + 0.5f;
            pixel[channel] = (uint8_t)(value < 255 ? value : 255);
        }
    }
}

WEBIMAGE_CLONES void webimage_set_opaque(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) pixels[i * 4 + 3] = 255;
}

WEBIMAGE_CLONES bool webimage_is_opaque(const uint8_t *pixels, size_t count) {
    uint32_t all = 0xFF000000;
    for (size_t i = 0; i < count; i++) all &= load(pixels + i * 4);
    return all == 0xFF000000;
}

WEBIMAGE_CLONES void webimage_composite(
    const uint8_t *pixels, bool is_premultiplied, uint32_t background, uint8_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = pixels + i * 4;
        uint32_t alpha = pixel[3], through = 255 - alpha, own = is_premultiplied ? 255 : alpha;
        for (int channel = 0; channel < 3; channel++) {
            uint32_t under = (background >> (8 * channel)) & 0xFF;
            uint32_t value = divide_by_255(pixel[channel] * own + under * through);
            result[i * 4 + channel] = (uint8_t)(value < 255 ? value : 255);
        }
        result[i * 4 + 3] = 255;
    }
}

WEBIMAGE_CLONES void webimage_inverted_cmyk_to_rgba(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t *pixel = pixels + i * 4;
        uint32_t black = pixel[3];
        for (int channel = 0; channel < 3; channel++) pixel[channel] = (uint8_t)divide_by_255(pixel[channel] * black);
        pixel[3] = 255;
    }
}
