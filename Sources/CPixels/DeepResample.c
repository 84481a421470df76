#include "Clones.h"
#include "CPixels.h"

#include <string.h>

// The number of columns whose sums the compiler keeps in registers, as in Resample.c.
enum { block_size = 32 };

WEBIMAGE_CLONES void webimage_deep_resample_vertically(
    const uint8_t *const *rows, const float *weights, size_t row_count, float *result, size_t channel_count) {
    size_t x = 0;
    for (; x + block_size <= channel_count; x += block_size) {
        float sums[block_size] = {0};
        for (size_t j = 0; j < row_count; j++) {
            const uint16_t *row = (const uint16_t *)(const void *)rows[j] + x;
            for (int i = 0; i < block_size; i++) sums[i] += weights[j] * row[i];
        }
        memcpy(result + x, sums, sizeof sums);
    }
    for (; x < channel_count; x++) {
        float sum = 0;
        for (size_t j = 0; j < row_count; j++) sum += weights[j] * ((const uint16_t *)(const void *)rows[j])[x];
        result[x] = sum;
    }
}

typedef float pixel_floats __attribute__((vector_size(16)));
typedef uint16_t pixel_values __attribute__((vector_size(8)));
typedef int32_t pixel_integers __attribute__((vector_size(16)));

static inline pixel_floats weighted_sum(const float *pixel, const float *weight, int32_t tap_count) {
    pixel_floats sum = {0};
    for (int32_t j = 0; j < tap_count; j++) {
        pixel_floats values;
        memcpy(&values, pixel + j * 4, sizeof values);
        sum += values * weight[j];
    }
    return sum;
}

static inline void store(pixel_floats sum, float highest, uint16_t *result) {
    pixel_floats limit = {highest, highest, highest, highest};
    sum = __builtin_elementwise_min(__builtin_elementwise_max(sum, (pixel_floats){0}), limit) + 0.5f;
    pixel_values values = __builtin_convertvector(__builtin_convertvector(sum, pixel_integers), pixel_values);
    memcpy(result, &values, sizeof values);
}

// A filter that overshoots the maximum of alpha makes all four channels too high by the same factor.
static inline void store_translucent(pixel_floats sum, uint16_t *result) {
    if (sum[3] > 65535) sum *= 65535 / sum[3];
    float alpha = sum[3] < 0 ? 0 : (float)(int32_t)(sum[3] + 0.5f);
    store(sum, alpha, result);
}

WEBIMAGE_CLONES void webimage_deep_resample_horizontally(
    const float *row, const int32_t *starts, const int32_t *tap_counts, const float *weights, size_t weight_stride,
    bool has_alpha, void *result, size_t result_count) {
    uint16_t *pixel = result;
    for (size_t x = 0; x < result_count; x++, pixel += 4) {
        pixel_floats sum = weighted_sum(row + (size_t)starts[x] * 4, weights + x * weight_stride, tap_counts[x]);
        if (has_alpha) {
            store_translucent(sum, pixel);
        } else {
            store(sum, 65535, pixel);
        }
    }
}

WEBIMAGE_CLONES void webimage_deep_box_add(const void *row, uint32_t *sums, size_t channel_count) {
    const uint16_t *channels = row;
    for (size_t i = 0; i < channel_count; i++) sums[i] += channels[i];
}

static inline void average(const uint32_t *sums, size_t pixel_count, size_t row_count, uint16_t *result) {
    uint64_t totals[4] = {0, 0, 0, 0};
    for (size_t i = 0; i < pixel_count; i++) {
        for (int channel = 0; channel < 4; channel++) totals[channel] += sums[i * 4 + channel];
    }
    uint64_t samples = pixel_count * row_count;
    for (int channel = 0; channel < 4; channel++) {
        result[channel] = (uint16_t)((totals[channel] + samples / 2) / samples);
    }
}

void webimage_deep_box_average(uint32_t *sums, size_t pixel_count, size_t factor, size_t row_count, void *result) {
    uint16_t *pixel = result;
    size_t start = 0;
    for (; start + factor <= pixel_count; start += factor, pixel += 4) {
        average(sums + start * 4, factor, row_count, pixel);
    }
    if (start < pixel_count) average(sums + start * 4, pixel_count - start, row_count, pixel);
    memset(sums, 0, pixel_count * 4 * sizeof *sums);
}
