#include "Clones.h"
#include "CPixels.h"

#include <string.h>

typedef uint8_t pixel_bytes __attribute__((vector_size(4)));
typedef int16_t pixel_shorts __attribute__((vector_size(8)));
typedef int32_t pixel_ints __attribute__((vector_size(16)));
typedef uint32_t pixel_sums __attribute__((vector_size(16)));
typedef float pixel_floats __attribute__((vector_size(16)));

enum {
    one = 1 << 16,
    tile = 16,
};

// The sum of a row's pixels up to a place.
static inline pixel_sums sum_to(const pixel_sums *sums, const struct webimage_line *line, int64_t place) {
    place = place < line->low ? line->low : place > line->high ? line->high : place;
    pixel_sums before = sums[place >> 16], after = sums[(place >> 16) + 1];
    return before + ((after - before) * ((uint32_t)place & 0xFFFF) >> 16);
}

static inline void add_rounded(pixel_floats color, uint8_t *pixel) {
    pixel_bytes before;
    memcpy(&before, pixel, sizeof before);
    pixel_ints sum = __builtin_convertvector(color + 0.5f, pixel_ints) + __builtin_convertvector(before, pixel_ints);
    sum = __builtin_elementwise_min(sum, (pixel_ints){255, 255, 255, 255});
    pixel_bytes after = __builtin_convertvector(sum, pixel_bytes);
    memcpy(pixel, &after, sizeof after);
}

WEBIMAGE_CLONES void webimage_add_line(
    const int16_t *row, const struct webimage_line *line, uint32_t *scratch, size_t count, uint8_t *pixels) {
    // The sums may overflow: only their differences matter.
    pixel_sums *sums = (pixel_sums *)scratch, sum = {0};
    int64_t first = line->low >> 16, last = (line->high + one - 1) >> 16;
    for (int64_t i = first; i < last; i++) {
        pixel_shorts color;
        memcpy(&color, row + i * 4, sizeof color);
        sums[i] = sum;
        sum += __builtin_convertvector(color, pixel_sums);
    }
    sums[last] = sums[last + 1] = sum;
    float share = 65536.0f / ((float)line->step * (1 << WEBIMAGE_FRACTION_BITS)), color = share * line->light;
    pixel_floats shares = {color, color, color, share};
    int64_t place = line->start, step = line->step;
    pixel_sums before = sum_to(sums, line, place);
    for (size_t i = 0; i < count; i++) {
        place += step;
        pixel_sums after = sum_to(sums, line, place);
        add_rounded(__builtin_convertvector((pixel_ints)(after - before), pixel_floats) * shares, pixels + i * 4);
        before = after;
    }
}

WEBIMAGE_CLONES void webimage_transpose(
    const uint8_t *pixels, size_t bytes_per_row, size_t width, size_t height, uint8_t *result,
    size_t result_bytes_per_row) {
    for (size_t top = 0; top < height; top += tile)
        for (size_t x = 0; x < width; x++) {
            size_t end = top + tile < height ? top + tile : height;
            uint8_t *row = result + x * result_bytes_per_row;
            for (size_t y = top; y < end; y++) memcpy(row + y * 4, pixels + y * bytes_per_row + x * 4, 4);
        }
}
