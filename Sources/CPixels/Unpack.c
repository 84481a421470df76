#include "Clones.h"
#include "CPixels.h"

#include <string.h>

static inline void store_pixel(uint8_t *result, uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha) {
    result[0] = (uint8_t)red;
    result[1] = (uint8_t)green;
    result[2] = (uint8_t)blue;
    result[3] = (uint8_t)alpha;
}

WEBIMAGE_CLONES void webimage_unpack_bgr(const uint8_t *row, uint8_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = row + i * 3;
        store_pixel(result + i * 4, pixel[2], pixel[1], pixel[0], 255);
    }
}

WEBIMAGE_CLONES void webimage_unpack_bgra(const uint8_t *row, uint8_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = row + i * 4;
        store_pixel(result + i * 4, pixel[2], pixel[1], pixel[0], pixel[3]);
    }
}

void webimage_unpack_indices(
    const uint8_t *row, unsigned bits, const uint32_t *colors, uint8_t *result, size_t count) {
    unsigned mask = (1u << bits) - 1, per_byte = 8 / bits;
    for (size_t i = 0; i < count; i++) {
        unsigned shift = 8 - bits * (unsigned)(i % per_byte + 1);
        memcpy(result + i * 4, &colors[(row[i / per_byte] >> shift) & mask], 4);
    }
}

// Bits after the sixteenth do not affect a byte, and without them a float is exact.
static inline uint32_t channel(uint32_t word, const webimage_channel *channel) {
    uint32_t value = (word & channel->mask) >> channel->shift;
    return (uint32_t)((float)value * channel->scale + 0.5f);
}

static inline void store_word(uint8_t *result, uint32_t word, const webimage_channel *channels) {
    store_pixel(
        result, channel(word, &channels[0]), channel(word, &channels[1]), channel(word, &channels[2]),
        channels[3].mask ? channel(word, &channels[3]) : 255);
}

WEBIMAGE_CLONES void webimage_unpack_words_16(
    const uint8_t *row, const webimage_channel *channels, uint8_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        store_word(result + i * 4, (uint32_t)row[i * 2] | (uint32_t)row[i * 2 + 1] << 8, channels);
    }
}

WEBIMAGE_CLONES void webimage_unpack_words_32(
    const uint8_t *row, const webimage_channel *channels, uint8_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *bytes = row + i * 4;
        uint32_t word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16
            | (uint32_t)bytes[3] << 24;
        store_word(result + i * 4, word, channels);
    }
}

WEBIMAGE_CLONES void webimage_pack_bgr(const uint8_t *pixels, uint8_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = pixels + i * 4;
        result[i * 3] = pixel[2];
        result[i * 3 + 1] = pixel[1];
        result[i * 3 + 2] = pixel[0];
    }
}

WEBIMAGE_CLONES void webimage_pack_rgb(const uint8_t *pixels, uint8_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = pixels + i * 4;
        result[i * 3] = pixel[0];
        result[i * 3 + 1] = pixel[1];
        result[i * 3 + 2] = pixel[2];
    }
}

WEBIMAGE_CLONES void webimage_swap_red_and_blue(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t red = pixels[i * 4];
        pixels[i * 4] = pixels[i * 4 + 2];
        pixels[i * 4 + 2] = red;
    }
}
