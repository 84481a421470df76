#include "Clones.h"
#include "CPixels.h"

// As webimage_place, for deep pixels.
void webimage_deep_place(
    const void *strip, size_t width, size_t height, void *destination, ptrdiff_t step_x, ptrdiff_t step_y) {
    const uint64_t *from = strip;
    uint64_t *to = destination;
    if (step_x == 1 || step_x == -1) {
        for (size_t y = 0; y < height; y++) {
            for (size_t x = 0; x < width; x++) to[(ptrdiff_t)y * step_y + (ptrdiff_t)x * step_x] = from[y * width + x];
        }
    } else {
        for (size_t x = 0; x < width; x++) {
            for (size_t y = 0; y < height; y++) to[(ptrdiff_t)x * step_x + (ptrdiff_t)y * step_y] = from[y * width + x];
        }
    }
}

WEBIMAGE_CLONES void webimage_deep_reverse(const void *row, void *result, size_t count) {
    const uint64_t *from = row;
    uint64_t *to = result;
    for (size_t i = 0; i < count; i++) to[count - 1 - i] = from[i];
}
