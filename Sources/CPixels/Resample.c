#include "Clones.h"
#include "CPixels.h"

#include <string.h>

enum {
    // The number of columns whose sums the compiler keeps in registers: a local array of this size takes half the time
    // of one over a whole row, which every weight would load from memory.
    block_size = 64,
    first_shift = WEBIMAGE_WEIGHT_BITS - WEBIMAGE_FRACTION_BITS,
    first_rounding = 1 << (first_shift - 1),
    second_shift = WEBIMAGE_WEIGHT_BITS + WEBIMAGE_FRACTION_BITS,
    second_rounding = 1 << (second_shift - 1),
};

static inline int32_t clamp(int32_t value, int32_t lowest, int32_t highest) {
    return value < lowest ? lowest : value > highest ? highest : value;
}

static inline int16_t first_result(int32_t sum) { return (int16_t)clamp(sum >> first_shift, INT16_MIN, INT16_MAX); }

WEBIMAGE_CLONES void webimage_resample_vertically(
    const uint8_t *const *rows, const int16_t *weights, size_t row_count, int16_t *result, size_t byte_count) {
    size_t x = 0;
    for (; x + block_size <= byte_count; x += block_size) {
        int32_t sums[block_size];
        for (int i = 0; i < block_size; i++) sums[i] = first_rounding;
        for (size_t j = 0; j < row_count; j++) {
            const uint8_t *row = rows[j] + x;
            int32_t weight = weights[j];
            for (int i = 0; i < block_size; i++) sums[i] += weight * row[i];
        }
        for (int i = 0; i < block_size; i++) result[x + i] = first_result(sums[i]);
    }
    for (; x < byte_count; x++) {
        int32_t sum = first_rounding;
        for (size_t j = 0; j < row_count; j++) sum += weights[j] * rows[j][x];
        result[x] = first_result(sum);
    }
}

// Four taps at a time, as fixed-width vectors that the compiler can split or widen for any target: its own
// vectorisation handles one pixel at a time here, at a sixth of the speed.
typedef int16_t four_pixels __attribute__((vector_size(32)));
typedef int16_t four_weights __attribute__((vector_size(8)));
typedef int32_t products __attribute__((vector_size(64)));
typedef int32_t pair_sums __attribute__((vector_size(32)));
typedef int32_t pixel_sums __attribute__((vector_size(16)));
typedef float pixel_floats __attribute__((vector_size(16)));
typedef uint8_t pixel_bytes __attribute__((vector_size(4)));

// Interleaves the channels of two neighbouring pixels, so that multiplying and adding each pair is one x86-64
// instruction (pmaddwd).
static inline void add_weighted_pairs(const int16_t *pixel, const int16_t *weight, pair_sums *sums) {
    four_pixels values;
    four_weights factors;
    memcpy(&values, pixel, sizeof values);
    memcpy(&factors, weight, sizeof factors);
    values = __builtin_shufflevector(values, values, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    four_pixels spread = __builtin_shufflevector(factors, factors, 0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3);
    products all = __builtin_convertvector(values, products) * __builtin_convertvector(spread, products);
    *sums += __builtin_shufflevector(all, all, 0, 2, 4, 6, 8, 10, 12, 14)
        + __builtin_shufflevector(all, all, 1, 3, 5, 7, 9, 11, 13, 15);
}

static inline pixel_sums weighted_sums(const int16_t *pixel, const int16_t *weight, int32_t tap_count) {
    pair_sums sums = {0};
    for (int32_t j = 0; j < tap_count; j += WEBIMAGE_TAP_GROUP) add_weighted_pairs(pixel + j * 4, weight + j, &sums);
    return __builtin_shufflevector(sums, sums, 0, 1, 2, 3) + __builtin_shufflevector(sums, sums, 4, 5, 6, 7);
}

static inline void store(pixel_sums sums, pixel_sums highest, uint8_t *result) {
    pixel_sums values = (sums + second_rounding) >> second_shift;
    values = __builtin_elementwise_min(__builtin_elementwise_max(values, (pixel_sums){0}), highest);
    pixel_bytes bytes = __builtin_convertvector(values, pixel_bytes);
    memcpy(result, &bytes, sizeof bytes);
}

// A filter that overshoots 255 in alpha makes all four channels too high by the same factor. Clamping alpha alone would
// leave the colour too bright.
static inline void store_translucent(pixel_sums sums, uint8_t *result) {
    const int32_t opaque = 255 << second_shift;
    if (sums[3] > opaque) {
        pixel_floats scaled = __builtin_convertvector(sums, pixel_floats) * ((float)opaque / (float)sums[3]);
        sums = __builtin_convertvector(scaled, pixel_sums);
    }
    int32_t alpha = clamp((sums[3] + second_rounding) >> second_shift, 0, 255);
    store(sums, (pixel_sums){alpha, alpha, alpha, alpha}, result);
}

static inline void store_opaque(pixel_sums sums, uint8_t *result) {
    store(sums, (pixel_sums){255, 255, 255, 255}, result);
}

WEBIMAGE_CLONES void webimage_resample_horizontally(
    const int16_t *row, const int32_t *starts, const int32_t *tap_counts, const int16_t *weights, size_t weight_stride,
    bool has_alpha, uint8_t *result, size_t result_count) {
    for (size_t x = 0; x < result_count; x++) {
        pixel_sums sums = weighted_sums(row + (size_t)starts[x] * 4, weights + x * weight_stride, tap_counts[x]);
        if (has_alpha) {
            store_translucent(sums, result + x * 4);
        } else {
            store_opaque(sums, result + x * 4);
        }
    }
}

WEBIMAGE_CLONES void webimage_box_add(const uint8_t *row, uint16_t *sums, size_t byte_count) {
    for (size_t i = 0; i < byte_count; i++) sums[i] += row[i];
}

// The average of equal samples must be exact: the added half exceeds any rounding error of the product.
static inline void average(const uint16_t *sums, size_t pixel_count, size_t row_count, uint8_t *result) {
    uint32_t totals[4] = {0, 0, 0, 0};
    for (size_t i = 0; i < pixel_count; i++) {
        for (int channel = 0; channel < 4; channel++) totals[channel] += sums[i * 4 + channel];
    }
    float factor = 1.0f / (float)(pixel_count * row_count);
    for (int channel = 0; channel < 4; channel++) result[channel] = (uint8_t)((float)totals[channel] * factor + 0.5f);
}

WEBIMAGE_CLONES void webimage_box_average(
    uint16_t *sums, size_t pixel_count, size_t factor, size_t row_count, uint8_t *result) {
    size_t start = 0;
    for (; start + factor <= pixel_count; start += factor, result += 4) {
        average(sums + start * 4, factor, row_count, result);
    }
    if (start < pixel_count) average(sums + start * 4, pixel_count - start, row_count, result);
    memset(sums, 0, pixel_count * 4 * sizeof *sums);
}

WEBIMAGE_CLONES void webimage_plane_average(
    uint16_t *sums, size_t count, size_t factor, size_t row_count, uint16_t *result) {
    const float one = 1 << WEBIMAGE_FRACTION_BITS;
    float scale = one / (float)(factor * row_count);
    for (size_t start = 0; start < count; start += factor, result++) {
        size_t length = count - start < factor ? count - start : factor;
        uint32_t total = 0;
        for (size_t i = 0; i < length; i++) total += sums[start + i];
        float share = length == factor ? scale : one / (float)(length * row_count);
        *result = (uint16_t)((float)total * share + 0.5f);
    }
    memset(sums, 0, count * sizeof *sums);
}
