#include "Clones.h"
#include "Halves.h"
#include "PixelBlocks.h"
#include "Words.h"

#include <string.h>

enum { length = WEBIMAGE_BLOCK_LENGTH };

static inline float bounded(float value, float highest) {
    value = value > 0 ? value : 0;
    return value < highest ? value : highest;
}

static inline float row_of(const float *row, float red, float green, float blue, float alpha, float one) {
    return row[0] * red + row[1] * green + row[2] * blue + row[3] * alpha + row[4] * one;
}

WEBIMAGE_CLONES static void multiply_straight(float *block, size_t count, const float *matrix) {
    float *restrict red = block, *restrict green = block + length, *restrict blue = block + 2 * length,
                    *restrict alpha = block + 3 * length;
    for (size_t i = 0; i < count; i++) {
        float r = red[i], g = green[i], b = blue[i], a = alpha[i];
        red[i] = row_of(matrix, r, g, b, a, 1);
        green[i] = row_of(matrix + 5, r, g, b, a, 1);
        blue[i] = row_of(matrix + 10, r, g, b, a, 1);
        alpha[i] = bounded(row_of(matrix + 15, r, g, b, a, 1), 1);
    }
}

WEBIMAGE_CLONES static void bound(float *block, size_t count) {
    for (size_t plane = 0; plane < 3 * length; plane += length) {
        for (size_t i = 0; i < count; i++) block[plane + i] = bounded(block[plane + i], 1);
    }
}

void webimage_block_matrix(float *block, size_t count, const float *matrix, bool is_bounded) {
    multiply_straight(block, count, matrix);
    if (is_bounded) bound(block, count);
}

WEBIMAGE_CLONES void webimage_plane_curve(float *plane, size_t count, const float *curve) {
    const float last = WEBIMAGE_TONE_COUNT - 1;
    for (size_t i = 0; i < count; i++) plane[i] = curve[(int32_t)(bounded(plane[i], 1) * last + 0.5f)];
}

// The logarithm to base 2 of a normal number: its exponent, and a polynomial for a mantissa from √½ to √2, as a series in
// (m - 1) / (m + 1).
static inline float logarithm(float x) {
    uint32_t bits = bits_of(x);
    int32_t exponent = (int32_t)(bits - 0x3F3504F3) >> 23;
    float mantissa = float_from_bits(bits - ((uint32_t)exponent << 23));
    float ratio = (mantissa - 1) / (mantissa + 1), square = ratio * ratio;
    float series = 0.4121985945f * square + 0.5770780164f;
    series = (series * square + 0.9617966939f) * square + 2.8853900818f;
    return (float)exponent + ratio * series;
}

// 2 to the power of x, from -126 to 127: the whole part becomes the exponent, and a polynomial is the rest.
static inline float exponential(float x) {
    float clamped = x > -126 ? x : -126;
    int32_t whole = (int32_t)(clamped + 1024.5f) - 1024;
    float rest = clamped - (float)whole;
    float series = 1.540353039e-4f * rest + 1.333355815e-3f;
    series = (series * rest + 9.618129107e-3f) * rest + 5.550410866e-2f;
    series = ((series * rest + 0.2402265070f) * rest + 0.6931471806f) * rest + 1;
    return series * float_from_bits((uint32_t)(whole + 127) << 23);
}

WEBIMAGE_CLONES void webimage_plane_power(float *restrict plane, size_t count, float power) {
    for (size_t i = 0; i < count; i++) {
        float value = bounded(plane[i], 1);
        float result = exponential(power * logarithm(value > 0x1p-100f ? value : 0x1p-100f));
        plane[i] = value > 0x1p-100f ? result : 0;
    }
}

// Sorts the three fractions: the tetrahedron's four corners are passed on the way from the lowest corner of the cell to
// the highest, along the axis with the largest fraction first.
static inline void interpolate(
    const float *cell, const size_t steps[3], const float fractions[3], float *red, float *green, float *blue) {
    int first = 0, second = 1, third = 2, swap;
    if (fractions[first] < fractions[second]) swap = first, first = second, second = swap;
    if (fractions[second] < fractions[third]) swap = second, second = third, third = swap;
    if (fractions[first] < fractions[second]) swap = first, first = second, second = swap;
    const float *corner1 = cell + steps[first], *corner2 = corner1 + steps[second], *corner3 = corner2 + steps[third];
    float weight0 = 1 - fractions[first], weight1 = fractions[first] - fractions[second],
          weight2 = fractions[second] - fractions[third], weight3 = fractions[third];
    *red = cell[0] * weight0 + corner1[0] * weight1 + corner2[0] * weight2 + corner3[0] * weight3;
    *green = cell[1] * weight0 + corner1[1] * weight1 + corner2[1] * weight2 + corner3[1] * weight3;
    *blue = cell[2] * weight0 + corner1[2] * weight1 + corner2[2] * weight2 + corner3[2] * weight3;
}

void webimage_block_cube(float *block, size_t count, const float *cube, size_t side) {
    float *red = block, *green = block + length, *blue = block + 2 * length;
    const size_t whole[3] = {3, 3 * side, 3 * side * side};
    for (size_t i = 0; i < count; i++) {
        float values[3] = {red[i], green[i], blue[i]}, fractions[3];
        size_t steps[3], offset = 0;
        for (int axis = 0; axis < 3; axis++) {
            float place = bounded(values[axis], 1) * (float)(side - 1);
            size_t cell = (size_t)place;
            // The last plane of the cube is the end of the cell before it.
            if (cell + 1 == side) cell--;
            fractions[axis] = place - (float)cell;
            steps[axis] = whole[axis];
            offset += cell * whole[axis];
        }
        interpolate(cube + offset, steps, fractions, red + i, green + i, blue + i);
    }
}

WEBIMAGE_CLONES void webimage_block_vibrance(float *block, size_t count, float amount, bool is_bounded) {
    float *restrict red = block, *restrict green = block + length, *restrict blue = block + 2 * length;
    for (size_t i = 0; i < count; i++) {
        float r = red[i], g = green[i], b = blue[i];
        float luma = 0.2126f * r + 0.7152f * g + 0.0722f * b;
        float highest = r > g ? r : g, lowest = r < g ? r : g;
        highest = b > highest ? b : highest;
        lowest = b < lowest ? b : lowest;
        float gain = 1 + amount * (1 - bounded(highest - lowest, 1));
        red[i] = luma + (r - luma) * gain;
        green[i] = luma + (g - luma) * gain;
        blue[i] = luma + (b - luma) * gain;
    }
    if (is_bounded) bound(block, count);
}

WEBIMAGE_CLONES void webimage_block_vignette(
    float *block, size_t count, float x, float step, float y, float inner, float intensity) {
    float *restrict red = block, *restrict green = block + length, *restrict blue = block + 2 * length;
    float scale = inner < 1 ? 1 / (1 - inner) : 0;
    for (size_t i = 0; i < count; i++) {
        float across = x + step * (float)(int32_t)i;
        float depth = bounded((__builtin_elementwise_sqrt(across * across + y * y) - inner) * scale, 1);
        float light = 1 - intensity * depth * depth;
        red[i] *= light;
        green[i] *= light;
        blue[i] *= light;
    }
}

// Vectors that a compiler splits or widens for any target stay in registers from the first matrix to the last.
enum { lane_count = 16, group_size = 2 * lane_count };
typedef float lanes __attribute__((vector_size(4 * lane_count)));
typedef int32_t integer_lanes __attribute__((vector_size(4 * lane_count)));
typedef uint32_t word_lanes __attribute__((vector_size(4 * lane_count)));

struct group {
    lanes red, green, blue, alpha;
};

static inline void load_group(const uint8_t *pixels, struct group *group) {
    integer_lanes words;
    memcpy(&words, pixels, sizeof words);
    group->red = __builtin_convertvector(words & 0xFF, lanes);
    group->green = __builtin_convertvector(words >> 8 & 0xFF, lanes);
    group->blue = __builtin_convertvector(words >> 16 & 0xFF, lanes);
    group->alpha = __builtin_convertvector(words >> 24 & 0xFF, lanes);
}

#define BOUNDED(sum, alpha) __builtin_elementwise_min(__builtin_elementwise_max(sum, (lanes){0}), alpha)

static inline void multiply_group(struct group *group, const float *m) {
    lanes r = group->red, g = group->green, b = group->blue, a = group->alpha;
    group->red = BOUNDED(r * m[0] + g * m[1] + b * m[2] + a * m[3], a);
    group->green = BOUNDED(r * m[4] + g * m[5] + b * m[6] + a * m[7], a);
    group->blue = BOUNDED(r * m[8] + g * m[9] + b * m[10] + a * m[11], a);
}

static inline void store_group(const struct group *group, uint8_t *result) {
    integer_lanes red = __builtin_convertvector(group->red + 0.5f, integer_lanes),
                  green = __builtin_convertvector(group->green + 0.5f, integer_lanes),
                  blue = __builtin_convertvector(group->blue + 0.5f, integer_lanes),
                  alpha = __builtin_convertvector(group->alpha, integer_lanes);
    integer_lanes words = red | green << 8 | blue << 16 | alpha << 24;
    memcpy(result, &words, sizeof words);
}

// Two groups at once: the additions of one hide the latency of the other's. A plain function would be compiled for the oldest processor.
__attribute__((always_inline)) static inline void apply_to_group(const uint8_t *pixels, const float *matrices, size_t matrix_count, uint8_t *result) {
    struct group first, second;
    load_group(pixels, &first);
    load_group(pixels + lane_count * 4, &second);
    for (size_t j = 0; j < matrix_count; j++) {
        multiply_group(&first, matrices + j * 12);
        multiply_group(&second, matrices + j * 12);
    }
    store_group(&first, result);
    store_group(&second, result + lane_count * 4);
}

__attribute__((always_inline)) static inline void multiply_lanes(
    float *red, float *green, float *blue, const float *alpha, const float *matrices, size_t matrix_count) {
    struct group group;
    memcpy(&group.red, red, sizeof group.red);
    memcpy(&group.green, green, sizeof group.green);
    memcpy(&group.blue, blue, sizeof group.blue);
    memcpy(&group.alpha, alpha, sizeof group.alpha);
    for (size_t j = 0; j < matrix_count; j++) multiply_group(&group, matrices + j * 12);
    memcpy(red, &group.red, sizeof group.red);
    memcpy(green, &group.green, sizeof group.green);
    memcpy(blue, &group.blue, sizeof group.blue);
}

WEBIMAGE_CLONES void webimage_block_matrices(float *block, size_t count, const float *matrices, size_t matrix_count) {
    for (size_t i = 0; i < count; i += lane_count) {
        multiply_lanes(
            block + i, block + length + i, block + 2 * length + i, block + 3 * length + i, matrices, matrix_count);
    }
}

WEBIMAGE_CLONES void webimage_apply_matrices(
    const uint8_t *restrict pixels, const float *restrict matrices, size_t matrix_count, uint8_t *restrict result,
    size_t count) {
    size_t first = 0;
    for (; first + group_size <= count; first += group_size) {
        apply_to_group(pixels + first * 4, matrices, matrix_count, result + first * 4);
    }
    if (first == count) return;
    uint8_t rest[group_size * 4] = {0};
    memcpy(rest, pixels + first * 4, (count - first) * 4);
    apply_to_group(rest, matrices, matrix_count, rest);
    memcpy(result + first * 4, rest, (count - first) * 4);
}

void webimage_apply_tables(const uint8_t *restrict pixels, const uint8_t *restrict tables, uint8_t *restrict result, size_t count) {
    const uint8_t *red = tables, *green = tables + 256, *blue = tables + 512;
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel = load(pixels + i * 4);
        store(
            result + i * 4,
            red[pixel & 0xFF] | (uint32_t)green[pixel >> 8 & 0xFF] << 8 | (uint32_t)blue[pixel >> 16 & 0xFF] << 16
                | (pixel & 0xFF000000));
    }
}
