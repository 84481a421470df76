#include "Clones.h"
#include "CPixels.h"

// Distance and index are combined in one number, so that one minimum finds both; 3 × 255² has 18 bits.
WEBIMAGE_CLONES uint32_t webimage_nearest_color(
    const int32_t *reds, const int32_t *greens, const int32_t *blues, size_t count, int32_t red, int32_t green,
    int32_t blue) {
    uint32_t best = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        int32_t r = reds[i] - red, g = greens[i] - green, b = blues[i] - blue;
        uint32_t candidate = (uint32_t)(r * r + g * g + b * b) << 8 | (uint32_t)i;
        best = candidate < best ? candidate : best;
    }
    return best & 0xFF;
}
