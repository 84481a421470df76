#include "CPNG.h"

#include <stdlib.h>
#include <string.h>

// Reverses the filters of PNG §9, pixel by pixel where each depends on the one before it. Debian's libpng has no vector
// code for x86-64; this code uses the compiler's generic vectors.

enum { none, sub, up, average, paeth };

typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef int16_t lanes8 __attribute__((vector_size(16)));

// Up to 8 bytes of one pixel as numbers; bytes after the pixel are read and ignored.
static inline lanes8 widen(const uint8_t *bytes) {
    bytes8 value;
    memcpy(&value, bytes, sizeof value);
    return __builtin_convertvector(value, lanes8);
}

static inline bytes8 narrow(lanes8 lanes) { return __builtin_convertvector(lanes, bytes8); }

static inline lanes8 magnitude(lanes8 lanes) { return __builtin_elementwise_max(lanes, -lanes); }

// The Paeth predictor: of the pixels left (a), above (b) and above left (c), the one nearest to a + b - c.
static inline lanes8 predict(lanes8 a, lanes8 b, lanes8 c) {
    lanes8 to_a = b - c, to_b = a - c;
    lanes8 to_c = magnitude(to_a + to_b);
    to_a = magnitude(to_a);
    to_b = magnitude(to_b);
    lanes8 least = __builtin_elementwise_min(to_c, __builtin_elementwise_min(to_a, to_b));
    lanes8 is_a = least == to_a, is_b = least == to_b;
    lanes8 b_or_c = (is_b & b) | (~is_b & c);
    return (is_a & a) | (~is_a & b_or_c);
}

static const lanes8 byte_mask = {255, 255, 255, 255, 255, 255, 255, 255};

// Turns filtered pixels of `from_size` bytes into pixels of `to_size` in `row`; `prior`, the row above, has the layout
// of `row`. All callers pass constant sizes, so that each gets its own loops. Every pixel stores eight bytes, and the
// next pixel overwrites the excess.
static inline __attribute__((always_inline)) void undo(
    uint8_t filter, const uint8_t *filtered, uint8_t *row, const uint8_t *prior, size_t count, size_t from_size,
    size_t to_size) {
    lanes8 left = {0}, above_left = {0};
    for (size_t i = 0; i < count; i++) {
        lanes8 value = widen(filtered + i * from_size);
        lanes8 above = widen(prior + i * to_size);
        lanes8 guess = {0};
        switch (filter) {
        case sub: guess = left; break;
        case up: guess = above; break;
        case average: guess = (left + above) >> 1; break;
        case paeth: guess = predict(left, above, above_left); break;
        default: break;
        }
        left = (value + guess) & byte_mask;
        above_left = above;
        bytes8 result = narrow(left);
        memcpy(row + i * to_size, &result, sizeof result);
    }
}

static inline __attribute__((always_inline)) void undo_any(
    uint8_t filter, const uint8_t *filtered, uint8_t *row, const uint8_t *prior, size_t count, size_t from_size,
    size_t to_size) {
    switch (filter) {
    case sub: undo(sub, filtered, row, prior, count, from_size, to_size); break;
    case up: undo(up, filtered, row, prior, count, from_size, to_size); break;
    case average: undo(average, filtered, row, prior, count, from_size, to_size); break;
    case paeth: undo(paeth, filtered, row, prior, count, from_size, to_size); break;
    default: undo(none, filtered, row, prior, count, from_size, to_size); break;
    }
}

// Whole rows at a time, for filters where pixels do not depend on each other.
static void add_rows(const uint8_t *filtered, uint8_t *row, const uint8_t *prior, size_t byte_count) {
    for (size_t i = 0; i < byte_count; i++) row[i] = (uint8_t)(filtered[i] + prior[i]);
}

struct webimage_png_rows {
    const uint8_t *next;
    webimage_png_layout layout;
    size_t filtered_byte_count;
    // The row above and the current row: as in the file, but with four bytes for each RGB pixel.
    uint8_t *prior;
    uint8_t *row;
    uint32_t colors[256];
};

static size_t filtered_bytes(const webimage_png_layout *layout) {
    return ((size_t)layout->width * layout->channels * layout->bit_depth + 7) / 8;
}

// Each row is followed by the bytes that a vector of eight may touch.
enum { slack = 8 };

size_t webimage_png_rows_slack(void) { return slack; }

webimage_png_rows *webimage_png_rows_create(const uint8_t *inflated, webimage_png_layout layout, const uint32_t *colors) {
    webimage_png_rows *rows = calloc(1, sizeof *rows);
    if (!rows) return NULL;
    rows->next = inflated;
    rows->layout = layout;
    rows->filtered_byte_count = filtered_bytes(&layout);
    size_t row_byte_count = layout.channels == 3 ? (size_t)layout.width * 4 : rows->filtered_byte_count;
    rows->prior = calloc(1, row_byte_count + slack);
    rows->row = calloc(1, row_byte_count + slack);
    if (colors) memcpy(rows->colors, colors, sizeof rows->colors);
    if (rows->prior && rows->row) return rows;
    webimage_png_rows_destroy(rows);
    return NULL;
}

void webimage_png_rows_destroy(webimage_png_rows *rows) {
    if (!rows) return;
    free(rows->prior);
    free(rows->row);
    free(rows);
}

static void undo_filter(webimage_png_rows *rows) {
    uint8_t filter = rows->next[0];
    const uint8_t *filtered = rows->next + 1;
    size_t width = rows->layout.width, count = rows->filtered_byte_count;
    if (rows->layout.channels == 3) {
        undo_any(filter, filtered, rows->row, rows->prior, width, 3, 4);
    } else if (filter == none) {
        memcpy(rows->row, filtered, count);
    } else if (filter == up) {
        add_rows(filtered, rows->row, rows->prior, count);
    } else if (rows->layout.channels == 4) {
        undo_any(filter, filtered, rows->row, rows->prior, width, 4, 4);
    } else if (rows->layout.channels == 2) {
        undo_any(filter, filtered, rows->row, rows->prior, width, 2, 2);
    } else {
        undo_any(filter, filtered, rows->row, rows->prior, count, 1, 1);
    }
}

static void look_up(const webimage_png_rows *rows, uint32_t *pixels) {
    size_t width = rows->layout.width;
    uint32_t depth = rows->layout.bit_depth;
    if (depth == 8) {
        for (size_t x = 0; x < width; x++) pixels[x] = rows->colors[rows->row[x]];
        return;
    }
    uint32_t mask = (1u << depth) - 1;
    for (size_t x = 0; x < width; x++) {
        size_t bit = x * depth;
        pixels[x] = rows->colors[(rows->row[bit / 8] >> (8 - depth - bit % 8)) & mask];
    }
}

static void spread_gray_alpha(const webimage_png_rows *rows, uint32_t *pixels) {
    for (size_t x = 0; x < rows->layout.width; x++) {
        pixels[x] = rows->row[x * 2] * 0x010101u | (uint32_t)rows->row[x * 2 + 1] << 24;
    }
}

static void set_alpha(const webimage_png_rows *rows, uint32_t *pixels) {
    for (size_t x = 0; x < rows->layout.width; x++) {
        uint32_t color;
        memcpy(&color, rows->row + x * 4, sizeof color);
        color &= 0xFFFFFF;
        pixels[x] = color | (color == rows->layout.transparent_color ? 0 : 0xFF000000);
    }
}

void webimage_png_rows_next(webimage_png_rows *rows, uint8_t *rgba) {
    uint32_t *pixels = (uint32_t *)(void *)rgba;
    undo_filter(rows);
    switch (rows->layout.channels) {
    case 1: look_up(rows, pixels); break;
    case 2: spread_gray_alpha(rows, pixels); break;
    case 3: set_alpha(rows, pixels); break;
    default: memcpy(rgba, rows->row, rows->filtered_byte_count); break;
    }
    uint8_t *finished = rows->row;
    rows->row = rows->prior;
    rows->prior = finished;
    rows->next += 1 + rows->filtered_byte_count;
}
