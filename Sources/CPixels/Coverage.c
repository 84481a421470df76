#include "Clones.h"
#include "CPixels.h"

// All values are 0 to 255, so that adding a half rounds to nearest.
static inline uint8_t nearest(float value) { return (uint8_t)(value + 0.5f); }

WEBIMAGE_CLONES void webimage_scale_by_coverage(
    uint8_t *pixels, bool is_premultiplied, const float *coverage, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t *pixel = pixels + i * 4;
        float colour = is_premultiplied ? coverage[i] : 1;
        for (int channel = 0; channel < 3; channel++) pixel[channel] = nearest((float)pixel[channel] * colour);
        pixel[3] = nearest((float)pixel[3] * coverage[i]);
    }
}

// The weights of the two layers in the result's colour channels, and the result's alpha.
struct shares {
    float over, under, alpha;
};

static inline struct shares shares(float alpha_over, float alpha_under, bool is_premultiplied) {
    float alpha = alpha_over * 255 + alpha_under * (1 - alpha_over);
    if (is_premultiplied) return (struct shares){alpha_over, 1 - alpha_over, alpha};
    // Invisible pixels keep their hidden colour.
    float over = alpha > 0 ? alpha_over * 255 / alpha : 0;
    return (struct shares){over, 1 - over, alpha};
}

WEBIMAGE_CLONES void webimage_blend_color(
    uint8_t *pixels, bool is_premultiplied, const float *coverage, uint32_t color, size_t count) {
    float opacity = (float)(color >> 24) / 255;
    for (size_t i = 0; i < count; i++) {
        uint8_t *pixel = pixels + i * 4;
        struct shares share = shares(coverage[i] * opacity, pixel[3], is_premultiplied);
        for (int channel = 0; channel < 3; channel++) {
            float over = (float)((color >> (8 * channel)) & 0xFF);
            pixel[channel] = nearest(over * share.over + (float)pixel[channel] * share.under);
        }
        pixel[3] = nearest(share.alpha);
    }
}
