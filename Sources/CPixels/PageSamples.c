#include "Clones.h"
#include "CPixels.h"

#include <string.h>

// Two neighbouring pixels of four channels; one pixel. Values of 16 bits are bytes with eight bits of fraction.
typedef uint8_t pair_bytes __attribute__((vector_size(8)));
typedef uint16_t pair_words __attribute__((vector_size(16)));
typedef uint32_t pair_products __attribute__((vector_size(32)));
typedef uint8_t pixel_bytes __attribute__((vector_size(4)));
typedef uint16_t pixel_words __attribute__((vector_size(8)));
typedef uint32_t pixel_sums __attribute__((vector_size(16)));

enum {
    one = 1 << 16,
    // More boxes would be a waste where a page stands upright.
    most_boxes = 16,
};

static inline int clamp_index(int index, int count) { return index < 0 ? 0 : index < count ? index : count - 1; }

// The two pixels that a box of at most one pixel touches, and the second one's share in it, of `one`.
struct taps {
    int first, second;
    uint32_t share;
};

static inline struct taps make_taps(int32_t place, int count) {
    int first = place >> 16;
    return (struct taps){clamp_index(first, count), clamp_index(first + 1, count), (uint32_t)place & 0xFFFF};
}

// For a box that is narrower than a pixel by a factor, with eight bits of fraction: the share changes in the middle only.
static inline struct taps narrow(struct taps taps, int32_t factor) {
    int32_t share = (((int32_t)taps.share - one / 2) * factor >> 8) + one / 2;
    taps.share = share < 0 ? 0 : share < 0xFFFF ? (uint32_t)share : 0xFFFF;
    return taps;
}

static inline uint64_t load(const uint8_t *row, int column) {
    uint32_t value;
    memcpy(&value, row + (size_t)column * 4, sizeof value);
    return value;
}

// The mean of four pixels, whose pairs in two rows are given.
static inline pixel_words mix(uint64_t upper, uint64_t lower, uint32_t right, uint32_t below) {
    pair_bytes first_bytes, second_bytes;
    memcpy(&first_bytes, &upper, sizeof upper);
    memcpy(&second_bytes, &lower, sizeof lower);
    pair_words first = __builtin_convertvector(first_bytes, pair_words);
    pair_words second = __builtin_convertvector(second_bytes, pair_words);
    uint16_t down = (uint16_t)((below + 128) >> 8), up = (uint16_t)(256 - down);
    pair_words rows = first * up + second * down;
    uint16_t after = (uint16_t)right, before = (uint16_t)(0xFFFF - right);
    pair_words shares = {before, before, before, before, after, after, after, after};
    pair_words columns = __builtin_convertvector(
        __builtin_convertvector(rows, pair_products) * __builtin_convertvector(shares, pair_products) >> 16,
        pair_words);
    return __builtin_shufflevector(columns, columns, 0, 1, 2, 3) + __builtin_shufflevector(columns, columns, 4, 5, 6, 7);
}

static inline pixel_words mean_of_box(const struct webimage_plane *plane, struct taps columns, struct taps rows) {
    const uint8_t *upper = plane->pixels + (size_t)rows.first * plane->bytes_per_row;
    const uint8_t *lower = plane->pixels + (size_t)rows.second * plane->bytes_per_row;
    return mix(
        load(upper, columns.first) | load(upper, columns.second) << 32,
        load(lower, columns.first) | load(lower, columns.second) << 32, columns.share, rows.share);
}

// The box's four pixels lie within the plane.
static inline pixel_words mean_inside(const struct webimage_plane *plane, int32_t x, int32_t y) {
    const uint8_t *upper = plane->pixels + (size_t)(y >> 16) * plane->bytes_per_row + (size_t)(x >> 16) * 4;
    uint64_t first, second;
    memcpy(&first, upper, sizeof first);
    memcpy(&second, upper + plane->bytes_per_row, sizeof second);
    return mix(first, second, (uint32_t)x & 0xFFFF, (uint32_t)y & 0xFFFF);
}

static inline bool is_inside(const struct webimage_plane *plane, int32_t x, int32_t y) {
    return (uint32_t)(x >> 16) < (uint32_t)(plane->width - 1) && (uint32_t)(y >> 16) < (uint32_t)(plane->height - 1);
}

struct webimage_boxes webimage_make_boxes(float length) {
    if (!(length > 1.25f)) return (struct webimage_boxes){0, 0, 1, 256, 0xFFFF};
    int32_t count = length < most_boxes ? (int32_t)(length + 0.75f) : most_boxes;
    int32_t step = (int32_t)(length < most_boxes * 2 ? length / (float)count * one : 2 * one);
    int32_t factor = step < one ? (256 << 16) / step : 256;
    return (struct webimage_boxes){-step * (count - 1) / 2, step, count, factor, one / (uint32_t)count};
}

static inline pixel_words mean_of_boxes(
    const struct webimage_plane *plane, const struct webimage_sample *sample, const struct webimage_boxes *across,
    const struct webimage_boxes *down) {
    pixel_sums sum = {0};
    int32_t y = sample->y + down->offset;
    for (int j = 0; j < down->count; j++, y += down->step) {
        struct taps rows = narrow(make_taps(y, plane->height), down->factor);
        int32_t x = sample->x + across->offset;
        for (int i = 0; i < across->count; i++, x += across->step) {
            struct taps columns = narrow(make_taps(x, plane->width), across->factor);
            sum += __builtin_convertvector(mean_of_box(plane, columns, rows), pixel_sums);
        }
    }
    uint32_t share = across->share == 0xFFFF ? down->share : across->share;
    if (across->count > 1 && down->count > 1) share = across->share * down->share >> 16;
    return __builtin_convertvector(sum * share >> 16, pixel_words);
}

static inline pixel_words multiply(pixel_words first, pixel_words second) {
    return __builtin_convertvector(
        __builtin_convertvector(first, pixel_sums) * __builtin_convertvector(second, pixel_sums) >> 16, pixel_words);
}

static inline void add(pixel_words color, const struct webimage_sample *sample, uint8_t *pixel) {
    uint16_t weight = sample->weight, light = (uint16_t)((uint32_t)sample->light * weight >> 16);
    uint16_t gloss = (uint16_t)(((uint32_t)sample->white * weight >> 16) * color[3] >> 16);
    pixel_bytes before;
    memcpy(&before, pixel, sizeof before);
    pixel_words sum = multiply(color, (pixel_words){light, light, light, weight});
    sum = (sum + (pixel_words){gloss, gloss, gloss, 0} + 128) >> 8;
    sum += __builtin_convertvector(before, pixel_words);
    pixel_words excess = sum > 255;
    pixel_bytes after = __builtin_convertvector(sum | excess, pixel_bytes);
    memcpy(pixel, &after, sizeof after);
}

static inline void set(pixel_words color, uint8_t *pixel) {
    pixel_words rounded = (color + 128) >> 8;
    pixel_bytes bytes = __builtin_convertvector(rounded, pixel_bytes);
    memcpy(pixel, &bytes, sizeof bytes);
}

WEBIMAGE_CLONES void webimage_add_samples(
    const struct webimage_plane *plane, const struct webimage_sample *samples, size_t count, uint8_t *row) {
    for (size_t i = 0; i < count; i++) {
        const struct webimage_sample *sample = samples + i;
        pixel_words color;
        if (sample->across->count > 1 || sample->down->count > 1)
            color = mean_of_boxes(plane, sample, sample->across, sample->down);
        else if (is_inside(plane, sample->x, sample->y))
            color = mean_inside(plane, sample->x, sample->y);
        else
            color = mean_of_box(plane, make_taps(sample->x, plane->width), make_taps(sample->y, plane->height));
        if (plane->is_opaque) color[3] = 255 << 8;
        uint8_t *pixel = row + (size_t)sample->column * 4;
        if (sample->weight == 0xFFFF && sample->light == 0xFFFF && sample->white == 0)
            set(color, pixel);
        else
            add(color, sample, pixel);
    }
}

WEBIMAGE_CLONES void webimage_copy_pixels(
    const struct webimage_plane *plane, ptrdiff_t x, ptrdiff_t y, size_t count, uint8_t *row) {
    const uint8_t *pixels = plane->pixels + (size_t)y * plane->bytes_per_row + (size_t)x * 4;
    if (!plane->is_opaque) {
        memcpy(row, pixels, count * 4);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t value;
        memcpy(&value, pixels + i * 4, sizeof value);
        value |= 0xFF000000;
        memcpy(row + i * 4, &value, sizeof value);
    }
}
