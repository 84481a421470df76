#include "Clones.h"
#include "CPixels.h"
#include "Words.h"

#include <string.h>

static inline uint32_t alpha_of(uint32_t value) {
    uint8_t bytes[4];
    memcpy(bytes, &value, 4);
    return bytes[3];
}

// No clones: vectors do not speed up indexed loads.
void webimage_draw_indices(
    const uint8_t *indices, const uint32_t *colors, bool is_opaque, uint8_t *pixels, size_t count) {
    if (is_opaque) {
        for (size_t i = 0; i < count; i++) store(pixels + i * 4, colors[indices[i]]);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t color = colors[indices[i]], under = load(pixels + i * 4);
        store(pixels + i * 4, alpha_of(color) || !alpha_of(under) ? color : under);
    }
}

// Straight alpha, rounded to nearest: alpha = s + d(1 - s); each colour is weighted by its contribution to alpha.
static inline uint32_t blend(uint32_t over, uint32_t under) {
    uint8_t source[4], target[4];
    memcpy(source, &over, 4);
    memcpy(target, &under, 4);
    uint32_t own = source[3] * 255u, through = target[3] * (255u - source[3]), sum = own + through;
    for (int channel = 0; channel < 3; channel++) {
        target[channel] = (uint8_t)((source[channel] * own + target[channel] * through + sum / 2) / sum);
    }
    target[3] = (uint8_t)((sum + 127) / 255);
    uint32_t result;
    memcpy(&result, target, 4);
    return result;
}

void webimage_blend_over(const uint8_t *source, uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t over = load(source + i * 4), alpha = alpha_of(over);
        if (alpha == 0) continue;
        uint32_t under = load(pixels + i * 4);
        store(pixels + i * 4, alpha == 255 || alpha_of(under) == 0 ? over : blend(over, under));
    }
}

