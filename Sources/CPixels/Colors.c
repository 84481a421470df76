#include "CPixels.h"

#include <math.h>

static inline float clamp(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

// The value of a curve at `light`, between its two nearest points.
static inline float look_up(const float *curve, float light) {
    float place = sqrtf(sqrtf(clamp(light))) * WEBIMAGE_CURVE_STEPS;
    int index = (int)place;
    return curve[index] + (place - (float)index) * (curve[index + 1] - curve[index]);
}

struct color {
    float red, green, blue;
};

static inline struct color load(const uint16_t *pixel, const float *light) {
    return (struct color){light[pixel[0]], light[pixel[1]], light[pixel[2]]};
}

static inline void store(struct color color, const float *code, uint16_t *pixel) {
    pixel[0] = (uint16_t)(look_up(code, color.red) + 0.5f);
    pixel[1] = (uint16_t)(look_up(code, color.green) + 0.5f);
    pixel[2] = (uint16_t)(look_up(code, color.blue) + 0.5f);
}

static inline float dot(const float *factors, struct color color) {
    return factors[0] * color.red + factors[1] * color.green + factors[2] * color.blue;
}

static inline struct color multiply(const float *matrix, struct color color) {
    return (struct color){dot(matrix, color), dot(matrix + 3, color), dot(matrix + 6, color)};
}

static inline struct color scale(struct color color, float factor) {
    return (struct color){color.red * factor, color.green * factor, color.blue * factor};
}

void webimage_convert_colors(
    void *pixels, size_t count, const float *light, const float *matrix, const float *code) {
    uint16_t *pixel = pixels;
    for (size_t i = 0; i < count; i++, pixel += 4) store(multiply(matrix, load(pixel, light)), code, pixel);
}

// The share of a channel's distance from gray that may remain, so that the channel stays within 0 to 1.
static inline float allowance(float channel, float gray) {
    if (channel > 1) return (1 - gray) / (channel - gray);
    if (channel < 0) return gray / (gray - channel);
    return 1;
}

// ITU-R BT.709-6 §3.2: the luminance of its primaries.
static const float shares[3] = {0.2126f, 0.7152f, 0.0722f};

static inline struct color fit(struct color color) {
    float gray = clamp(dot(shares, color));
    float kept = fminf(allowance(color.red, gray), fminf(allowance(color.green, gray), allowance(color.blue, gray)));
    return (struct color){
        gray + (color.red - gray) * kept, gray + (color.green - gray) * kept, gray + (color.blue - gray) * kept};
}

void webimage_map_tones(
    void *pixels, size_t count, const float *light, const float *luminance, const float *gain, const float *tone,
    const float *matrix, const float *code) {
    uint16_t *pixel = pixels;
    for (size_t i = 0; i < count; i++, pixel += 4) {
        struct color color = load(pixel, light);
        color = scale(color, look_up(gain, dot(luminance, color)));
        color = scale(color, look_up(tone, fmaxf(color.red, fmaxf(color.green, color.blue))));
        store(fit(multiply(matrix, color)), code, pixel);
    }
}
