#include "Clones.h"
#include "Halves.h"
#include "SpatialPixels.h"

#include <math.h>
#include <string.h>

typedef float pixel_floats __attribute__((vector_size(16)));
typedef uint8_t pixel_bytes __attribute__((vector_size(4)));
typedef uint16_t pixel_words __attribute__((vector_size(8)));
typedef int32_t pixel_integers __attribute__((vector_size(16)));

static inline pixel_floats load_byte_pixel(const void *pixel) {
    pixel_bytes bytes;
    memcpy(&bytes, pixel, sizeof bytes);
    return __builtin_convertvector(__builtin_convertvector(bytes, pixel_integers), pixel_floats);
}

static inline pixel_floats load_word_pixel(const void *pixel) {
    pixel_words words;
    memcpy(&words, pixel, sizeof words);
    return __builtin_convertvector(__builtin_convertvector(words, pixel_integers), pixel_floats);
}

static inline pixel_floats load_half_pixel(const void *pixel) {
    uint16_t halves[4];
    memcpy(halves, pixel, sizeof halves);
    return (pixel_floats){from_half(halves[0]), from_half(halves[1]), from_half(halves[2]), from_half(halves[3])};
}

// Straight pixels, with colours multiplied by alpha: no sum has colours of what is invisible.
static inline pixel_floats weighted(pixel_floats pixel, float unit) {
    float alpha = pixel[3] * unit;
    return pixel * (pixel_floats){alpha, alpha, alpha, 1};
}

static inline pixel_floats load_straight_byte_pixel(const void *pixel) {
    return weighted(load_byte_pixel(pixel), 1 / 255.0f);
}

static inline pixel_floats load_straight_word_pixel(const void *pixel) {
    return weighted(load_word_pixel(pixel), 1 / 65535.0f);
}

static inline pixel_floats load_straight_half_pixel(const void *pixel) { return weighted(load_half_pixel(pixel), 1); }

// Catmull-Rom: the cubic convolution with a = -0.5 (R. G. Keys, 1981).
static inline void cubic_weights(float t, float weights[4]) {
    weights[0] = ((-0.5f * t + 1) * t - 0.5f) * t;
    weights[1] = (1.5f * t - 2.5f) * t * t + 1;
    weights[2] = ((-1.5f * t + 2) * t + 0.5f) * t;
    weights[3] = (0.5f * t - 0.5f) * t * t;
}

#define SAMPLE_LINE(name, size, load_pixel)                                                                            \
    static inline pixel_floats name##_inside(                                                                          \
        const struct webimage_picture *picture, int64_t column, int64_t row, const float *across, const float *down) { \
        const uint8_t *start = (const uint8_t *)picture->pixels + (size_t)row * picture->bytes_per_row                 \
            + (size_t)column * size;                                                                                   \
        pixel_floats sum = {0};                                                                                        \
        for (int j = 0; j < 4; j++, start += picture->bytes_per_row) {                                                 \
            pixel_floats line = load_pixel(start) * across[0] + load_pixel(start + size) * across[1]                   \
                + load_pixel(start + 2 * size) * across[2] + load_pixel(start + 3 * size) * across[3];                 \
            sum += line * down[j];                                                                                     \
        }                                                                                                              \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static inline pixel_floats name##_edge(                                                                            \
        const struct webimage_picture *picture, int64_t column, int64_t row, const float *across, const float *down) { \
        pixel_floats sum = {0};                                                                                        \
        for (int64_t j = 0; j < 4; j++) {                                                                              \
            if (row + j < 0 || row + j >= picture->height) continue;                                                   \
            const uint8_t *line = (const uint8_t *)picture->pixels + (size_t)(row + j) * picture->bytes_per_row;       \
            for (int64_t i = 0; i < 4; i++) {                                                                          \
                if (column + i < 0 || column + i >= picture->width) continue;                                          \
                sum += load_pixel(line + (size_t)(column + i) * size) * (across[i] * down[j]);                         \
            }                                                                                                          \
        }                                                                                                              \
        return sum;                                                                                                    \
    }                                                                                                                  \
    WEBIMAGE_CLONES static void name(                                                                                  \
        const struct webimage_picture *picture, double x, double y, double step_x, double step_y, float *result,       \
        size_t count) {                                                                                                \
        for (size_t i = 0; i < count; i++) {                                                                           \
            double place_x = x + step_x * (double)i, place_y = y + step_y * (double)i;                                 \
            double left = floor(place_x), top = floor(place_y);                                                        \
            pixel_floats sum = {0};                                                                                    \
            if (left >= -2 && left <= picture->width && top >= -2 && top <= picture->height) {                         \
                float across[4], down[4];                                                                              \
                cubic_weights((float)(place_x - left), across);                                                        \
                cubic_weights((float)(place_y - top), down);                                                           \
                int64_t column = (int64_t)left - 1, row = (int64_t)top - 1;                                            \
                bool is_inside =                                                                                       \
                    column >= 0 && row >= 0 && column + 4 <= picture->width && row + 4 <= picture->height;             \
                sum = is_inside ? name##_inside(picture, column, row, across, down)                                    \
                                : name##_edge(picture, column, row, across, down);                                     \
            }                                                                                                          \
            memcpy(result + i * 4, &sum, sizeof sum);                                                                  \
        }                                                                                                              \
    }

SAMPLE_LINE(sample_bytes, 4, load_byte_pixel)
SAMPLE_LINE(sample_words, 8, load_word_pixel)
SAMPLE_LINE(sample_halves, 8, load_half_pixel)
SAMPLE_LINE(sample_straight_bytes, 4, load_straight_byte_pixel)
SAMPLE_LINE(sample_straight_words, 8, load_straight_word_pixel)
SAMPLE_LINE(sample_straight_halves, 8, load_straight_half_pixel)

static void sample(
    const struct webimage_picture *picture, double x, double y, double step_x, double step_y, float *result,
    size_t count) {
    bool is_straight = !picture->is_premultiplied;
    switch (picture->type) {
    case webimage_bytes:
        (is_straight ? sample_straight_bytes : sample_bytes)(picture, x, y, step_x, step_y, result, count);
        break;
    case webimage_words:
        (is_straight ? sample_straight_words : sample_words)(picture, x, y, step_x, step_y, result, count);
        break;
    case webimage_halves:
        (is_straight ? sample_straight_halves : sample_halves)(picture, x, y, step_x, step_y, result, count);
        break;
    }
}

// In place, in the units of the channel. Black where alpha rounds to 0.
static void unpremultiply(float *floats, float highest, float least, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float *pixel = floats + i * 4, factor = pixel[3] >= least ? highest / pixel[3] : 0;
        for (int c = 0; c < 3; c++) pixel[c] *= factor;
    }
}

static inline float bounded(float value, float highest) {
    value = value > 0 ? value : 0;
    return value < highest ? value : highest;
}

static void store_straight(float *floats, webimage_channel_type type, void *pixels, size_t count) {
    uint8_t *bytes = pixels;
    uint16_t *words = pixels;
    float highest = type == webimage_halves ? 1 : type == webimage_bytes ? 255 : 65535;
    unpremultiply(floats, highest, type == webimage_halves ? 1e-6f : 0.5f, count);
    for (size_t i = 0; i < count * 4; i++) {
        bool is_alpha = i % 4 == 3;
        switch (type) {
        case webimage_bytes: bytes[i] = (uint8_t)(bounded(floats[i], highest) + 0.5f); break;
        case webimage_words: words[i] = (uint16_t)(bounded(floats[i], highest) + 0.5f); break;
        case webimage_halves: words[i] = to_half(is_alpha ? bounded(floats[i], 1) : floats[i]); break;
        }
    }
}

enum { chunk_length = 256 };

void webimage_sample_line(
    const struct webimage_picture *picture, double x, double y, double step_x, double step_y, void *result,
    size_t count) {
    float floats[chunk_length * 4];
    size_t bytes = picture->type == webimage_bytes ? 4 : 8;
    for (size_t first = 0; first < count; first += chunk_length) {
        size_t part = count - first < chunk_length ? count - first : chunk_length;
        double start_x = x + step_x * (double)first, start_y = y + step_y * (double)first;
        uint8_t *target = (uint8_t *)result + first * bytes;
        sample(picture, start_x, start_y, step_x, step_y, floats, part);
        if (picture->is_premultiplied) {
            webimage_store_floats(floats, picture->type, true, target, part);
        } else {
            store_straight(floats, picture->type, target, part);
        }
    }
}
