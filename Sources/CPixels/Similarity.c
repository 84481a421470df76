#include "Clones.h"
#include "CPixels.h"

// Differences -------------------------------------------------------------------------------------------------------

// Sums of so many squares of bytes fit into 32 bits.
#define STRIP 4096

static inline uint32_t distance(uint32_t first, uint32_t second) { return first > second ? first - second : second - first; }

static inline uint32_t larger(uint32_t first, uint32_t second) { return first > second ? first : second; }

WEBIMAGE_CLONES void webimage_add_difference(
    const uint8_t *first, const uint8_t *second, size_t count, struct webimage_difference *difference
) {
    for (size_t start = 0; start < count; start += STRIP) {
        size_t end = count - start < STRIP ? count : start + STRIP;
        uint32_t squares[4] = {0}, largest[4] = {0}, pixels = 0;
        for (size_t i = start; i < end; i++) {
            uint32_t any = 0;
            for (int channel = 0; channel < 4; channel++) {
                uint32_t value = distance(first[i * 4 + channel], second[i * 4 + channel]);
                squares[channel] += value * value;
                largest[channel] = larger(largest[channel], value);
                any |= value;
            }
            pixels += any != 0;
        }
        for (int channel = 0; channel < 4; channel++) {
            difference->squares[channel] += squares[channel];
            difference->largest[channel] = larger(difference->largest[channel], largest[channel]);
        }
        difference->pixels += pixels;
    }
}

WEBIMAGE_CLONES void webimage_deep_add_difference(
    const void *first, const void *second, size_t count, struct webimage_difference *difference
) {
    const uint16_t *one = first, *other = second;
    uint64_t squares[4] = {0}, pixels = 0;
    uint32_t largest[4] = {0};
    for (size_t i = 0; i < count; i++) {
        uint32_t any = 0;
        for (int channel = 0; channel < 4; channel++) {
            uint32_t value = distance(one[i * 4 + channel], other[i * 4 + channel]);
            squares[channel] += value * value;
            largest[channel] = larger(largest[channel], value);
            any |= value;
        }
        pixels += any != 0;
    }
    for (int channel = 0; channel < 4; channel++) {
        difference->squares[channel] += squares[channel];
        difference->largest[channel] = larger(difference->largest[channel], largest[channel]);
    }
    difference->pixels += pixels;
}

// The factor is at most as large as the largest value, so that the products fit into 32 bits.
#define SHOW_DIFFERENCE(type, maximum)                                                                            \
    const type *one = first, *other = second;                                                                     \
    type *to = result;                                                                                            \
    for (size_t i = 0; i < count; i++) {                                                                          \
        uint32_t alpha = distance(one[i * 4 + 3], other[i * 4 + 3]);                                              \
        for (int channel = 0; channel < 3; channel++) {                                                           \
            uint32_t value = larger(distance(one[i * 4 + channel], other[i * 4 + channel]), alpha) * factor;      \
            to[i * 4 + channel] = (type)(value < maximum ? value : maximum);                                      \
        }                                                                                                         \
        to[i * 4 + 3] = maximum;                                                                                  \
    }

WEBIMAGE_CLONES void webimage_show_difference(
    const uint8_t *first, const uint8_t *second, uint32_t factor, uint8_t *result, size_t count
) {
    SHOW_DIFFERENCE(uint8_t, 255)
}

WEBIMAGE_CLONES void webimage_deep_show_difference(
    const void *first, const void *second, uint32_t factor, void *result, size_t count
) {
    SHOW_DIFFERENCE(uint16_t, 65535)
}

// Structural similarity ---------------------------------------------------------------------------------------------

#define LUMA(type, maximum)                                                                                       \
    const type *from = pixels;                                                                                    \
    for (size_t i = 0; i < count; i++) {                                                                          \
        double luma = 0.299 * from[i * 4] + 0.587 * from[i * 4 + 1] + 0.114 * from[i * 4 + 2];                    \
        result[i] = (luma + backdrop * (maximum - from[i * 4 + 3])) * (1.0 / maximum);                            \
    }

WEBIMAGE_CLONES void webimage_luma(const uint8_t *pixels, double backdrop, double *result, size_t count) {
    LUMA(uint8_t, 255)
}

WEBIMAGE_CLONES void webimage_deep_luma(const void *pixels, double backdrop, double *result, size_t count) {
    LUMA(uint16_t, 65535)
}

WEBIMAGE_CLONES void webimage_filter_lumas(
    const double *first, const double *second, const double *window, double *restrict result, size_t count
) {
    for (size_t i = 0; i < count; i++) {
        double sums[5] = {0};
        for (int tap = 0; tap < WEBIMAGE_WINDOW; tap++) {
            double one = first[i + tap], other = second[i + tap];
            double weighted = window[tap] * one, weightedOther = window[tap] * other;
            sums[0] += weighted;
            sums[1] += weightedOther;
            sums[2] += weighted * one;
            sums[3] += weightedOther * other;
            sums[4] += weighted * other;
        }
        for (int set = 0; set < 5; set++) result[set * count + i] = sums[set];
    }
}

// So many results of each set are in the first-level cache until they are used.
#define BLOCK 256

WEBIMAGE_CLONES double webimage_sum_similarities(
    const double *rows, size_t top, const double *window, double luma_constant, double contrast_constant, size_t count
) {
    double total = 0;
    double sums[5][BLOCK];
    for (size_t start = 0; start < count; start += BLOCK) {
        size_t length = count - start < BLOCK ? count - start : BLOCK;
        for (size_t set = 0; set < 5; set++) {
            for (size_t i = 0; i < length; i++) sums[set][i] = 0;
            for (size_t tap = 0; tap < WEBIMAGE_WINDOW; tap++) {
                const double *row = rows + ((top + tap) % WEBIMAGE_WINDOW * 5 + set) * count + start;
                for (size_t i = 0; i < length; i++) sums[set][i] += window[tap] * row[i];
            }
        }
        for (size_t i = 0; i < length; i++) {
            double one = sums[0][i], other = sums[1][i], product = one * other, squares = one * one + other * other;
            double contrast = sums[2][i] + sums[3][i] - squares, covariance = sums[4][i] - product;
            sums[0][i] = (2 * product + luma_constant) * (2 * covariance + contrast_constant)
                / ((squares + luma_constant) * (contrast + contrast_constant));
        }
        for (size_t i = 0; i < length; i++) total += sums[0][i];
    }
    return total;
}
