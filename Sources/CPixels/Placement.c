#include "Clones.h"
#include "CPixels.h"

// The inner loop runs along the side that is contiguous in the destination, so that rotating a strip of 16 rows by a
// quarter turn still writes whole cache lines.
void webimage_place(
    const uint32_t *strip, size_t width, size_t height, uint32_t *destination, ptrdiff_t step_x, ptrdiff_t step_y) {
    if (step_x == 1 || step_x == -1) {
        for (size_t y = 0; y < height; y++) {
            const uint32_t *from = strip + y * width;
            uint32_t *to = destination + (ptrdiff_t)y * step_y;
            for (size_t x = 0; x < width; x++) to[(ptrdiff_t)x * step_x] = from[x];
        }
    } else {
        for (size_t x = 0; x < width; x++) {
            const uint32_t *from = strip + x;
            uint32_t *to = destination + (ptrdiff_t)x * step_x;
            for (size_t y = 0; y < height; y++) to[(ptrdiff_t)y * step_y] = from[y * width];
        }
    }
}

WEBIMAGE_CLONES void webimage_reverse(const uint32_t *restrict row, uint32_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++) result[count - 1 - i] = row[i];
}
