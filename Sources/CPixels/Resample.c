#include "Clones.h"
#include "CPixels.h"

enum {
    // Columns whose sums the compiler keeps in registers: a local array of this size halves the time of one over a
    // whole row, which would go through memory for every weight.
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

// Where the filter brings alpha above 255, all four channels are too high by the same factor. Cutting alpha alone would
// leave the colour too bright.
static inline void store_translucent(const int32_t sums[4], uint8_t *result) {
    const int32_t highest = 255 << second_shift;
    float factor = sums[3] > highest ? (float)highest / (float)sums[3] : 1;
    int32_t alpha = clamp((sums[3] + second_rounding) >> second_shift, 0, 255);
    for (int channel = 0; channel < 3; channel++) {
        int32_t value = (int32_t)((float)sums[channel] * factor);
        result[channel] = (uint8_t)clamp((value + second_rounding) >> second_shift, 0, alpha);
    }
    result[3] = (uint8_t)alpha;
}

static inline void store_opaque(const int32_t sums[4], uint8_t *result) {
    for (int channel = 0; channel < 4; channel++) {
        result[channel] = (uint8_t)clamp((sums[channel] + second_rounding) >> second_shift, 0, 255);
    }
}

WEBIMAGE_CLONES void webimage_resample_horizontally(
    const int16_t *row, const int32_t *starts, const int32_t *tap_counts, const int16_t *weights, size_t weight_stride,
    bool has_alpha, uint8_t *result, size_t result_count) {
    for (size_t x = 0; x < result_count; x++) {
        const int16_t *pixel = row + (size_t)starts[x] * 4;
        const int16_t *weight = weights + x * weight_stride;
        int32_t sums[4] = {0, 0, 0, 0};
        for (int32_t j = 0; j < tap_counts[x]; j++, pixel += 4) {
            for (int channel = 0; channel < 4; channel++) sums[channel] += weight[j] * pixel[channel];
        }
        if (has_alpha) {
            store_translucent(sums, result + x * 4);
        } else {
            store_opaque(sums, result + x * 4);
        }
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
