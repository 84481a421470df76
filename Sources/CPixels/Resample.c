#include "Clones.h"
#include "CPixels.h"

#include <string.h>

enum {
    // Columns whose sums the compiler keeps in registers: a local array of this size halves the time of one over a
    // whole row, which would go through memory for every weight.
    block_size = 64,
    rounding = 1 << (WEBIMAGE_WEIGHT_BITS - 1),
};

static inline uint8_t byte_from_sum(int32_t sum) {
    int32_t value = sum >> WEBIMAGE_WEIGHT_BITS;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

WEBIMAGE_CLONES void webimage_resample_vertically(
    const uint8_t *const *rows, const int16_t *weights, size_t row_count, uint8_t *result, size_t byte_count) {
    size_t x = 0;
    for (; x + block_size <= byte_count; x += block_size) {
        int32_t sums[block_size];
        for (int i = 0; i < block_size; i++) sums[i] = rounding;
        for (size_t j = 0; j < row_count; j++) {
            const uint8_t *row = rows[j] + x;
            int32_t weight = weights[j];
            for (int i = 0; i < block_size; i++) sums[i] += weight * row[i];
        }
        for (int i = 0; i < block_size; i++) result[x + i] = byte_from_sum(sums[i]);
    }
    for (; x < byte_count; x++) {
        int32_t sum = rounding;
        for (size_t j = 0; j < row_count; j++) sum += weights[j] * rows[j][x];
        result[x] = byte_from_sum(sum);
    }
}

WEBIMAGE_CLONES void webimage_resample_horizontally(
    const uint8_t *row, const int32_t *starts, const int32_t *tap_counts, const int16_t *weights, size_t weight_stride,
    uint8_t *result, size_t result_count) {
    for (size_t x = 0; x < result_count; x++) {
        const uint8_t *pixel = row + (size_t)starts[x] * 4;
        const int16_t *weight = weights + x * weight_stride;
        int32_t red = rounding, green = rounding, blue = rounding, alpha = rounding;
        for (int32_t j = 0; j < tap_counts[x]; j++, pixel += 4) {
            red += weight[j] * pixel[0];
            green += weight[j] * pixel[1];
            blue += weight[j] * pixel[2];
            alpha += weight[j] * pixel[3];
        }
        result[x * 4] = byte_from_sum(red);
        result[x * 4 + 1] = byte_from_sum(green);
        result[x * 4 + 2] = byte_from_sum(blue);
        result[x * 4 + 3] = byte_from_sum(alpha);
    }
}

WEBIMAGE_CLONES void webimage_box_add(const uint8_t *row, size_t pixel_count, size_t factor, uint32_t *sums) {
    for (size_t start = 0; start < pixel_count; start += factor, sums += 4) {
        size_t end = start + factor < pixel_count ? start + factor : pixel_count;
        uint32_t red = 0, green = 0, blue = 0, alpha = 0;
        for (size_t i = start; i < end; i++) {
            red += row[i * 4];
            green += row[i * 4 + 1];
            blue += row[i * 4 + 2];
            alpha += row[i * 4 + 3];
        }
        sums[0] += red;
        sums[1] += green;
        sums[2] += blue;
        sums[3] += alpha;
    }
}

// A sum of equal samples must give that sample again: the half added exceeds any rounding error of the product.
WEBIMAGE_CLONES void webimage_box_average(uint32_t *sums, size_t cell_count, uint32_t samples, uint8_t *result) {
    float factor = 1.0f / (float)samples;
    for (size_t i = 0; i < cell_count * 4; i++) {
        result[i] = (uint8_t)((float)sums[i] * factor + 0.5f);
        sums[i] = 0;
    }
}
