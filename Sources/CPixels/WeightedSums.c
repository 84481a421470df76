#include "Clones.h"
#include "Halves.h"
#include "SpatialPixels.h"

enum {
    // The number of columns whose sums the compiler keeps in registers.
    block_size = 64,
};

static inline float from_byte(uint8_t value) { return (float)(int32_t)value; }
static inline float from_word(uint16_t value) { return (float)(int32_t)value; }
static inline float from_float(float value) { return value; }

#define SUM_ROWS(name, type, convert)                                                                                  \
    WEBIMAGE_CLONES static void name(                                                                                  \
        const type *const *rows, const float *weights, size_t row_count, float *restrict result, size_t count) {      \
        size_t x = 0;                                                                                                  \
        for (; x + block_size <= count; x += block_size) {                                                             \
            float sums[block_size] = {0};                                                                              \
            for (size_t j = 0; j < row_count; j++) {                                                                   \
                const type *row = rows[j] + x;                                                                         \
                float weight = weights[j];                                                                             \
                for (int i = 0; i < block_size; i++) sums[i] += weight * convert(row[i]);                              \
            }                                                                                                          \
            for (int i = 0; i < block_size; i++) result[x + i] = sums[i];                                              \
        }                                                                                                              \
        for (; x < count; x++) {                                                                                       \
            float sum = 0;                                                                                             \
            for (size_t j = 0; j < row_count; j++) sum += weights[j] * convert(rows[j][x]);                            \
            result[x] = sum;                                                                                           \
        }                                                                                                              \
    }

SUM_ROWS(sum_bytes, uint8_t, from_byte)
SUM_ROWS(sum_words, uint16_t, from_word)
SUM_ROWS(sum_halves, uint16_t, from_half)
SUM_ROWS(sum_floats, float, from_float)

void webimage_sum_rows(
    const void *const *rows, webimage_channel_type type, const float *weights, size_t row_count, float *result,
    size_t channel_count) {
    switch (type) {
    case webimage_bytes: sum_bytes((const uint8_t *const *)rows, weights, row_count, result, channel_count); break;
    case webimage_words: sum_words((const uint16_t *const *)rows, weights, row_count, result, channel_count); break;
    case webimage_halves: sum_halves((const uint16_t *const *)rows, weights, row_count, result, channel_count); break;
    }
}

void webimage_sum_float_rows(
    const float *const *rows, const float *weights, size_t row_count, float *result, size_t channel_count) {
    sum_floats(rows, weights, row_count, result, channel_count);
}

typedef float pixel_floats __attribute__((vector_size(16), aligned(4)));
typedef float four_pixels __attribute__((vector_size(64), aligned(4)));

WEBIMAGE_CLONES void webimage_sum_columns(
    const float *row, const int32_t *starts, const int32_t *tap_counts, const float *weights, size_t weight_stride,
    float *result, size_t result_count) {
    for (size_t i = 0; i < result_count; i++) {
        const float *pixel = row + (size_t)starts[i] * 4, *weight = weights + i * weight_stride;
        pixel_floats even = {0}, odd = {0};
        int32_t j = 0;
        for (; j + 2 <= tap_counts[i]; j += 2) {
            even += *(const pixel_floats *)(pixel + j * 4) * weight[j];
            odd += *(const pixel_floats *)(pixel + j * 4 + 4) * weight[j + 1];
        }
        if (j < tap_counts[i]) even += *(const pixel_floats *)(pixel + j * 4) * weight[j];
        *(pixel_floats *)(result + i * 4) = even + odd;
    }
}

WEBIMAGE_CLONES void webimage_sum_neighbours(
    const float *row, const float *weights, size_t tap_count, float *restrict result, size_t result_count) {
    size_t x = 0, count = result_count * 4;
    for (; x + block_size <= count; x += block_size) {
        float sums[block_size] = {0};
        for (size_t j = 0; j < tap_count; j++) {
            for (int i = 0; i < block_size; i++) sums[i] += weights[j] * row[x + j * 4 + i];
        }
        for (int i = 0; i < block_size; i++) result[x + i] = sums[i];
    }
    for (; x < count; x++) {
        float sum = 0;
        for (size_t j = 0; j < tap_count; j++) sum += weights[j] * row[x + j * 4];
        result[x] = sum;
    }
}

// Vectors are results by reference: by value, their place would depend on the processor.
static inline void repeat(const float *pixel, four_pixels *result) {
    pixel_floats one = *(const pixel_floats *)pixel;
    *result = __builtin_shufflevector(one, one, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
}

// The weights of one tap for four neighbouring results, each for all channels of its pixel.
static inline void spread(const float *weights, four_pixels *result) {
    for (int pixel = 0; pixel < 4; pixel++) {
        for (int channel = 0; channel < 4; channel++) (*result)[pixel * 4 + channel] = weights[pixel * 4];
    }
}

// Four results at a time; a group is as many as the factor says.
WEBIMAGE_CLONES static void expand_by_fours(
    const float *row, const float *weights, size_t factor, float *restrict result, size_t group_count) {
    for (size_t first = 0; first < factor; first += 4) {
        four_pixels factors[4];
        for (int tap = 0; tap < 4; tap++) spread(weights + first * 4 + tap, &factors[tap]);
        for (size_t i = 0; i < group_count; i++) {
            four_pixels sum = {0}, pixels;
            for (int tap = 0; tap < 4; tap++) {
                repeat(row + (i + (size_t)tap) * 4, &pixels);
                sum += pixels * factors[tap];
            }
            *(four_pixels *)(result + (i * factor + first) * 4) = sum;
        }
    }
}

void webimage_expand_row(
    const float *row, const float *weights, size_t factor, float *result, size_t group_count) {
    if (factor % 4 == 0) {
        expand_by_fours(row, weights, factor, result, group_count);
        return;
    }
    for (size_t i = 0; i < group_count; i++) {
        for (size_t n = 0; n < factor; n++) {
            pixel_floats sum = {0};
            for (size_t tap = 0; tap < 4; tap++) {
                sum += *(const pixel_floats *)(row + (i + tap) * 4) * weights[n * 4 + tap];
            }
            *(pixel_floats *)(result + (i * factor + n) * 4) = sum;
        }
    }
}

WEBIMAGE_CLONES void webimage_add_weighted(
    const float *restrict row, float weight, float *restrict sums, size_t channel_count) {
    for (size_t i = 0; i < channel_count; i++) sums[i] += weight * row[i];
}

// Alpha is blurred with the colours, so that transparent neighbours do not darken a pixel. A premultiplied colour gets the
// bias by its share of the pixel.
WEBIMAGE_CLONES void webimage_finish_convolution(
    const float *restrict source, float weight_sum, float bias, float *restrict pixels, size_t count) {
    float factor = weight_sum != 0 ? 1 / weight_sum : 0;
    for (size_t i = 0; i < count; i++) {
        float alpha = weight_sum != 0 ? pixels[i * 4 + 3] * factor : source[i * 4 + 3];
        for (int c = 0; c < 3; c++) pixels[i * 4 + (size_t)c] += bias * alpha;
        pixels[i * 4 + 3] = alpha;
    }
}

WEBIMAGE_CLONES void webimage_sharpen(
    float *restrict floats, const float *restrict blurred, float amount, float threshold, size_t count) {
    for (size_t i = 0; i < count * 4; i++) {
        float difference = floats[i] - blurred[i];
        float size = difference < 0 ? -difference : difference;
        floats[i] += size >= threshold ? amount * difference : 0;
    }
}
