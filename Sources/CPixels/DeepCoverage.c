#include "Clones.h"
#include "Halves.h"
#include "SpatialPixels.h"

static inline float from_word(uint16_t value) { return (float)(int32_t)value; }
static inline uint16_t to_word(float value) { return (uint16_t)(int32_t)(value + 0.5f); }

// Values of words are 0 to 65535, so that adding a half rounds to nearest; halves may be brighter than white.
#define DEEP_COVERAGE(suffix, load, store, highest)                                                                    \
    WEBIMAGE_CLONES static void scale_##suffix(                                                                        \
        uint16_t *pixels, bool is_premultiplied, const float *coverage, size_t count) {                                \
        for (size_t i = 0; i < count; i++) {                                                                           \
            uint16_t *pixel = pixels + i * 4;                                                                          \
            float colour = is_premultiplied ? coverage[i] : 1;                                                         \
            for (int channel = 0; channel < 3; channel++) pixel[channel] = store(load(pixel[channel]) * colour);       \
            pixel[3] = store(load(pixel[3]) * coverage[i]);                                                            \
        }                                                                                                              \
    }                                                                                                                  \
    WEBIMAGE_CLONES static void blend_##suffix(                                                                        \
        uint16_t *pixels, bool is_premultiplied, const float *coverage, const float *color, size_t count) {            \
        for (size_t i = 0; i < count; i++) {                                                                           \
            uint16_t *pixel = pixels + i * 4;                                                                          \
            float over = coverage[i] * color[3], through = 1 - over;                                                   \
            float alpha = over * highest + load(pixel[3]) * through;                                                   \
            /* Invisible pixels keep their hidden colour. */                                                           \
            if (!is_premultiplied) over = alpha > 0 ? over * highest / alpha : 0;                                      \
            for (int channel = 0; channel < 3; channel++) {                                                            \
                pixel[channel] = store(color[channel] * highest * over + load(pixel[channel]) * (1 - over));           \
            }                                                                                                          \
            pixel[3] = store(alpha);                                                                                   \
        }                                                                                                              \
    }

DEEP_COVERAGE(words, from_word, to_word, 65535)
DEEP_COVERAGE(halves, from_half, to_half, 1)

void webimage_deep_scale_by_coverage(
    void *pixels, webimage_channel_type type, bool is_premultiplied, const float *coverage, size_t count) {
    (type == webimage_halves ? scale_halves : scale_words)(pixels, is_premultiplied, coverage, count);
}

void webimage_deep_blend_color(
    void *pixels, webimage_channel_type type, bool is_premultiplied, const float *coverage, const float *color,
    size_t count) {
    (type == webimage_halves ? blend_halves : blend_words)(pixels, is_premultiplied, coverage, color, count);
}
