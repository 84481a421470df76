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

WEBIMAGE_CLONES void webimage_add_run(
    const struct webimage_plane *plane, const struct webimage_sample *sample, int32_t step_x, int32_t step_y,
    size_t count, uint8_t *pixels) {
    int32_t x = sample->x, y = sample->y;
    for (size_t i = 0; i < count; i++, x += step_x, y += step_y) {
        pixel_words color =
            is_inside(plane, x, y)
                ? mean_inside(plane, x, y)
                : mean_of_box(plane, make_taps(x, plane->width), make_taps(y, plane->height));
        if (plane->is_opaque) color[3] = 255 << 8;
        add(color, sample, pixels + i * 4);
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

// A row of the plane, and its share in the mean of some, of 256.
struct row_share {
    const uint8_t *row;
    uint16_t share;
};

enum { block_size = 64 };

static int make_row_shares(
    const struct webimage_plane *plane, const struct webimage_line *line, struct row_share *shares) {
    int count = 0, last = -1;
    int32_t y = line->y + line->down->offset;
    uint32_t whole = 0, given = 0;
    for (int box = 0; box < line->down->count; box++, y += line->down->step) {
        struct taps taps = narrow(make_taps(y, plane->height), line->down->factor);
        uint32_t own[2] = {0xFFFF - taps.share, taps.share};
        int rows[2] = {taps.first, taps.second};
        for (int tap = 0; tap < 2; tap++) {
            // The rounding errors must not add up: a mean of white is white.
            whole += own[tap];
            uint32_t sum = (uint32_t)(((uint64_t)whole * 256 + 0xFFFF * (uint64_t)line->down->count / 2) /
                                      (0xFFFF * (uint64_t)line->down->count));
            if (sum == given) continue;
            if (rows[tap] != last || count == 0)
                shares[count++] =
                    (struct row_share){plane->pixels + (size_t)rows[tap] * plane->bytes_per_row, 0};
            last = rows[tap];
            shares[count - 1].share += (uint16_t)(sum - given);
            given = sum;
        }
    }
    return count;
}

// The mean of rows, `light` times as bright.
static inline void mix_rows(
    const struct row_share *shares, int share_count, size_t offset, size_t count, const uint16_t *light,
    uint16_t opaque, uint16_t *result) {
    for (size_t start = 0; start < count; start += block_size) {
        size_t length = count - start < block_size ? count - start : block_size;
        uint16_t sums[block_size] = {0};
        for (int j = 0; j < share_count; j++) {
            const uint8_t *row = shares[j].row + offset + start;
            uint16_t share = shares[j].share;
            if (length == block_size)
                for (int i = 0; i < block_size; i++) sums[i] += (uint16_t)(row[i] * share);
            else
                for (size_t i = 0; i < length; i++) sums[i] += (uint16_t)(row[i] * share);
        }
        for (int i = 0; i < block_size; i++)
            sums[i] = (uint16_t)((uint32_t)sums[i] * light[i] >> 16) | (i % 4 == 3 ? opaque : 0);
        memcpy(result + start, sums, length * sizeof *sums);
    }
}

static inline pixel_words mean_of_pair(const uint16_t *scratch, uint32_t right) {
    pair_words pair;
    memcpy(&pair, scratch, sizeof pair);
    uint16_t after = (uint16_t)right, before = (uint16_t)(0xFFFF - right);
    pair_words shares = {before, before, before, before, after, after, after, after};
    pair_words parts = __builtin_convertvector(
        __builtin_convertvector(pair, pair_products) * __builtin_convertvector(shares, pair_products) >> 16,
        pair_words);
    return __builtin_shufflevector(parts, parts, 0, 1, 2, 3) + __builtin_shufflevector(parts, parts, 4, 5, 6, 7);
}

static inline void store_line(pixel_words color, uint16_t weight, uint8_t *pixel) {
    if (weight == 0xFFFF) return set(color, pixel);
    struct webimage_sample sample = {.weight = weight, .light = 0xFFFF};
    add(color, &sample, pixel);
}

WEBIMAGE_CLONES void webimage_add_line(
    const struct webimage_plane *plane, const struct webimage_line *line, size_t count, uint16_t *scratch,
    size_t scratch_count, uint8_t *pixels) {
    if (count == 0) return;
    const struct webimage_boxes *across = line->across;
    int32_t reach = across->count > 1 ? -across->offset : 0;
    int first = (line->x - reach) >> 16, last = ((line->x + line->step * (int32_t)(count - 1) + reach) >> 16) + 1;
    if (first > plane->width - 1) first = plane->width - 1;
    if (last < 0) last = 0;
    int left = clamp_index(first, plane->width), right = clamp_index(last, plane->width);
    if ((size_t)(last - first + 1) > scratch_count) return;
    struct row_share shares[2 * most_boxes];
    int share_count = make_row_shares(plane, line, shares);
    uint16_t light[block_size], opaque = plane->is_opaque ? 0xFF00 : 0;
    for (int i = 0; i < block_size; i++) light[i] = i % 4 != 3 ? line->light : plane->is_opaque ? 0 : 0xFFFF;
    mix_rows(
        shares, share_count, (size_t)left * 4, (size_t)(right - left + 1) * 4, light, opaque,
        scratch + (size_t)(left - first) * 4);
    for (int i = first; i < left; i++) memcpy(scratch + (size_t)(i - first) * 4, scratch + (size_t)(left - first) * 4, 8);
    for (int i = right + 1; i <= last; i++)
        memcpy(scratch + (size_t)(i - first) * 4, scratch + (size_t)(right - first) * 4, 8);
    int32_t x = line->x - first * one;
    if (across->count == 1) {
        for (size_t i = 0; i < count; i++, x += line->step)
            store_line(
                mean_of_pair(scratch + (size_t)(x >> 16) * 4, (uint32_t)x & 0xFFFF), line->weight, pixels + i * 4);
        return;
    }
    for (size_t i = 0; i < count; i++, x += line->step) {
        pixel_sums sum = {0};
        int32_t place = x + across->offset;
        for (int j = 0; j < across->count; j++, place += across->step) {
            struct taps taps = narrow((struct taps){place >> 16, 0, (uint32_t)place & 0xFFFF}, across->factor);
            sum += __builtin_convertvector(mean_of_pair(scratch + (size_t)taps.first * 4, taps.share), pixel_sums);
        }
        store_line(__builtin_convertvector(sum * across->share >> 16, pixel_words), line->weight, pixels + i * 4);
    }
}

enum { tile = 16 };

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
