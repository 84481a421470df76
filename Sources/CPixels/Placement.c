#include "Clones.h"
#include "CPixels.h"

#include <string.h>

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

typedef uint32_t words __attribute__((vector_size(64), aligned(4)));

// A square of 16 × 16 pixels: four exchanges of halves, quarters and so on turn rows into columns.
#define EXCHANGE(distance, low, high)                                                                                  \
    for (int i = 0; i < 16; i++) {                                                                                     \
        if (i & distance) continue;                                                                                    \
        words first = lines[i], second = lines[i + distance];                                                          \
        lines[i] = __builtin_shufflevector(first, second, low);                                                        \
        lines[i + distance] = __builtin_shufflevector(first, second, high);                                            \
    }

#define LOW_8 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define HIGH_8 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#define LOW_4 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define HIGH_4 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define LOW_2 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define HIGH_2 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define LOW_1 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define HIGH_1 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31

WEBIMAGE_CLONES static void turn_square(
    const uint32_t *pixels, size_t row_length, uint32_t *destination, ptrdiff_t step_x, ptrdiff_t step_y) {
    words lines[16];
    // The result's lines run upwards in memory, so those of a turn the other way are read from the end.
    for (int i = 0; i < 16; i++) {
        memcpy(&lines[i], pixels + (size_t)(step_y > 0 ? i : 15 - i) * row_length, sizeof lines[i]);
    }
    EXCHANGE(8, LOW_8, HIGH_8)
    EXCHANGE(4, LOW_4, HIGH_4)
    EXCHANGE(2, LOW_2, HIGH_2)
    EXCHANGE(1, LOW_1, HIGH_1)
    uint32_t *start = step_y > 0 ? destination : destination - 15;
    for (int i = 0; i < 16; i++) memcpy(start + i * step_x, &lines[i], sizeof lines[i]);
}

#define TURN(type)                                                                                                     \
    static void turn_##type(                                                                                           \
        const type *pixels, size_t row_length, size_t width, size_t height, type *destination, ptrdiff_t step_x,       \
        ptrdiff_t step_y) {                                                                                            \
        for (size_t x = 0; x < width; x++) {                                                                           \
            type *to = destination + (ptrdiff_t)x * step_x;                                                            \
            for (size_t y = 0; y < height; y++) to[(ptrdiff_t)y * step_y] = pixels[y * row_length + x];                \
        }                                                                                                              \
    }

TURN(uint32_t)
TURN(uint64_t)

void webimage_turn(
    const void *pixels, size_t row_length, size_t width, size_t height, webimage_channel_type type, void *destination,
    ptrdiff_t step_x, ptrdiff_t step_y) {
    if (type != webimage_bytes) {
        turn_uint64_t(pixels, row_length, width, height, destination, step_x, step_y);
        return;
    }
    const uint32_t *from = pixels;
    uint32_t *to = destination;
    size_t x = 0;
    if (height == 16) {
        for (; x + 16 <= width; x += 16) turn_square(from + x, row_length, to + (ptrdiff_t)x * step_x, step_x, step_y);
    }
    turn_uint32_t(from + x, row_length, width - x, height, to + (ptrdiff_t)x * step_x, step_x, step_y);
}

WEBIMAGE_CLONES void webimage_reverse(const uint32_t *restrict row, uint32_t *restrict result, size_t count) {
    for (size_t i = 0; i < count; i++) result[count - 1 - i] = row[i];
}
