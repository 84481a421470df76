#include "Clones.h"
#include "CPixels.h"

#include <string.h>

WEBIMAGE_CLONES void webimage_widen(const void *pixels, void *deep, size_t count) {
    const uint8_t *from = pixels;
    uint16_t *to = deep;
    for (size_t i = 0; i < count * 4; i++) to[i] = (uint16_t)(from[i] * 257);
}

// v / 257 to nearest without a division, exact for all 65536 values.
WEBIMAGE_CLONES void webimage_narrow(const void *deep, void *pixels, size_t count) {
    const uint16_t *from = deep;
    uint8_t *to = pixels;
    for (size_t i = 0; i < count * 4; i++) to[i] = (uint8_t)((from[i] * 255u + 32895u) >> 16);
}

// x / 65535 to nearest for x up to 65535 × 65535, without a division.
static inline uint32_t divide_by_65535(uint32_t x) {
    x += 32768;
    return (x + (x >> 16)) >> 16;
}

WEBIMAGE_CLONES void webimage_deep_premultiply(void *pixels, size_t count) {
    uint16_t *pixel = pixels;
    for (size_t i = 0; i < count; i++, pixel += 4) {
        uint32_t alpha = pixel[3];
        for (int channel = 0; channel < 3; channel++) pixel[channel] = (uint16_t)divide_by_65535(pixel[channel] * alpha);
    }
}

// In double precision: a float's 24 bits leave too little fraction for a 16-bit result.
WEBIMAGE_CLONES void webimage_deep_unpremultiply(void *pixels, size_t count) {
    uint16_t *pixel = pixels;
    for (size_t i = 0; i < count; i++, pixel += 4) {
        double factor = pixel[3] ? 65535.0 / pixel[3] : 0;
        for (int channel = 0; channel < 3; channel++) {
            double value = pixel[channel] * factor + 0.5;
            pixel[channel] = (uint16_t)(value < 65535 ? value : 65535);
        }
    }
}

WEBIMAGE_CLONES bool webimage_deep_is_opaque(const void *pixels, size_t count) {
    const uint16_t *pixel = pixels;
    uint16_t all = 65535;
    for (size_t i = 0; i < count; i++) all &= pixel[i * 4 + 3];
    return all == 65535;
}
