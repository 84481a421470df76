#include "Clones.h"
#include "CPixels.h"

#include <string.h>

// One pixel of four channels, and two neighbours. Values of 16 bits are bytes with eight bits of fraction.
typedef uint8_t pixel_bytes __attribute__((vector_size(4)));
typedef int16_t pixel_shorts __attribute__((vector_size(8)));
typedef uint16_t pixel_words __attribute__((vector_size(8)));
typedef int32_t pixel_ints __attribute__((vector_size(16)));
typedef uint32_t pixel_sums __attribute__((vector_size(16)));
typedef float pixel_floats __attribute__((vector_size(16)));
typedef uint8_t pair_bytes __attribute__((vector_size(8)));
typedef uint16_t pair_words __attribute__((vector_size(16)));
typedef uint32_t pair_products __attribute__((vector_size(32)));

// Into each clone: on its own a function would have the oldest instructions only.
#define inlined static inline __attribute__((always_inline))

enum { one = 1 << 16 };

// Shadows -----------------------------------------------------------------------------------------------------------

inlined float clamp_share(float share) { return share < 0 ? 0 : share > 1 ? 1 : share; }

inlined float light_of(const struct webimage_shadow *shadow, float column) {
    float darkness = shadow->darkness;
    for (int i = 0; i < WEBIMAGE_RAMP_COUNT; i++)
        darkness *= clamp_share(shadow->ramps[i].start + shadow->ramps[i].step * column);
    return 1 - darkness;
}

WEBIMAGE_CLONES void webimage_cast_shadow(const struct webimage_shadow *shadow, size_t count, uint8_t *pixels) {
    for (size_t i = 0; i < count; i++) {
        uint32_t light = (uint32_t)(light_of(shadow, (float)(int32_t)i) * 65536.0f), pixel;
        memcpy(&pixel, pixels + i * 4, sizeof pixel);
        uint32_t red = ((pixel & 0xFF) * light + one / 2) >> 16;
        uint32_t green = ((pixel >> 8 & 0xFF) * light + one / 2) >> 16;
        uint32_t blue = ((pixel >> 16 & 0xFF) * light + one / 2) >> 16;
        pixel = red | green << 8 | blue << 16 | (pixel & 0xFF000000);
        memcpy(pixels + i * 4, &pixel, sizeof pixel);
    }
}

inlined pixel_words multiply(pixel_words first, pixel_words second) {
    return __builtin_convertvector(
        __builtin_convertvector(first, pixel_sums) * __builtin_convertvector(second, pixel_sums) >> 16, pixel_words);
}

// The mean of four pixels, whose pairs in two rows are given.
inlined pixel_words mix(pair_bytes upper, pair_bytes lower, uint32_t right, uint32_t below) {
    uint16_t down = (uint16_t)((below + 128) >> 8), up = (uint16_t)(256 - down);
    pair_words rows =
        __builtin_convertvector(upper, pair_words) * up + __builtin_convertvector(lower, pair_words) * down;
    // For the left pixel, what is missing to 0xFFFF.
    pair_words shares = (pair_words){0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF} ^ (uint16_t)right;
    pair_words parts = __builtin_convertvector(
        __builtin_convertvector(rows, pair_products) * __builtin_convertvector(shares, pair_products) >> 16,
        pair_words);
    return __builtin_shufflevector(parts, parts, 0, 1, 2, 3) + __builtin_shufflevector(parts, parts, 4, 5, 6, 7);
}

// The square of a pixel's size whose centre lies at a place from the centre of the plane's first pixel. All of it lies
// within the plane.
inlined pixel_words square_inside(const struct webimage_plane *plane, int32_t x, int32_t y) {
    const uint8_t *row = plane->pixels + (size_t)(y >> 16) * plane->bytes_per_row + (size_t)(x >> 16) * 4;
    pair_bytes upper, lower;
    memcpy(&upper, row, sizeof upper);
    memcpy(&lower, row + plane->bytes_per_row, sizeof lower);
    return mix(upper, lower, (uint32_t)x & 0xFFFF, (uint32_t)y & 0xFFFF);
}

inlined bool is_inside(const struct webimage_plane *plane, int32_t x, int32_t y) {
    return x >= 0 && x >> 16 < plane->width - 1 && y >= 0 && y >> 16 < plane->height - 1;
}

static uint64_t pixel_or_nothing(const struct webimage_plane *plane, int32_t x, int32_t y) {
    uint32_t pixel = 0;
    if (x >= 0 && x < plane->width && y >= 0 && y < plane->height)
        memcpy(&pixel, plane->pixels + (size_t)y * plane->bytes_per_row + (size_t)x * 4, sizeof pixel);
    return pixel;
}

// The square of a pixel's size anywhere. Around the plane, everything is transparent.
inlined pixel_words square(const struct webimage_plane *plane, int32_t x, int32_t y) {
    if (is_inside(plane, x, y)) return square_inside(plane, x, y);
    pair_bytes rows[2];
    for (int i = 0; i < 2; i++) {
        uint64_t pair = pixel_or_nothing(plane, x >> 16, (y >> 16) + i)
            | pixel_or_nothing(plane, (x >> 16) + 1, (y >> 16) + i) << 32;
        memcpy(&rows[i], &pair, sizeof pair);
    }
    return mix(rows[0], rows[1], (uint32_t)x & 0xFFFF, (uint32_t)y & 0xFFFF);
}

// Shares of colours and alpha, and of the white that is added where the picture is opaque.
struct tint {
    pixel_words factors, white;
};

inlined struct tint make_tint(uint16_t light, uint16_t alpha, uint16_t white) {
    return (struct tint){{light, light, light, alpha}, {white, white, white, 0}};
}

inlined pixel_words tinted(pixel_words color, struct tint tint) {
    return multiply(color, tint.factors) + multiply(__builtin_shufflevector(color, color, 3, 3, 3, 3), tint.white);
}

inlined void set(pixel_words color, uint8_t *pixel) {
    pixel_bytes bytes = __builtin_convertvector((color + 128) >> 8, pixel_bytes);
    memcpy(pixel, &bytes, sizeof bytes);
}

// Of numbers with sixteen bits of fraction. No picture that cairo draws is larger.
inlined int32_t fixed(float place) {
    return (int32_t)((place < -128 ? -128 : place > 32640 ? 32640 : place) * one);
}

// The mean of the piece of the page that a pixel shows. Inside, all of it lies within the plane.
inlined pixel_words mean_of_piece(
    const struct webimage_plane *plane, const struct webimage_bend *bend, int32_t x, int32_t y, bool inside) {
    if (bend->tap_count == 1) return inside ? square_inside(plane, x, y) : square(plane, x, y);
    pixel_sums sum = {0};
    x += bend->tap_x;
    y += bend->tap_y;
    for (int32_t i = 0; i < bend->tap_count; i++, x += bend->tap_step_x, y += bend->tap_step_y)
        sum += __builtin_convertvector(inside ? square_inside(plane, x, y) : square(plane, x, y), pixel_sums);
    return __builtin_convertvector(sum * bend->tap_share >> 16, pixel_words);
}

inlined bool is_piece_inside(
    const struct webimage_plane *plane, const struct webimage_bend *bend, int32_t x, int32_t y) {
    return is_inside(plane, x + bend->tap_x, y + bend->tap_y) && is_inside(plane, x - bend->tap_x, y - bend->tap_y);
}

// A point of the page, and its distance from the page's nearest edge, in times of what a pixel shows.
struct point {
    float x, y, inside;
};

inlined float nearest(float first, float second) { return first < second ? first : second; }

inlined struct point point_at(
    const struct webimage_roll *roll, const struct webimage_bend *bend, float x, float y, float way) {
    struct point point = {.x = x + roll->direction_x * way, .y = y + roll->direction_y * way};
    float across = nearest(point.x - roll->left, roll->right - point.x) * bend->across;
    float down = nearest(point.y - roll->top, roll->bottom - point.y) * bend->down;
    point.inside = nearest(across, down);
    return point;
}

inlined float share_of(struct point point) { return clamp_share(point.inside + 0.5f); }

// What a pixel shows of a page.
struct view {
    const struct webimage_bend *bend;
    // Its place in the row, and the share of it before the crest.
    float column, reached;
    bool is_flat;
    struct point back, front;
};

inlined struct view view_at(const struct webimage_roll *roll, float x, float y, size_t column) {
    struct view view = {.column = (float)(int32_t)column};
    x += view.column;
    float place = x * roll->direction_x + y * roll->direction_y - roll->first_bend;
    int32_t index = (int32_t)(place * roll->bends_per_pixel);
    index = index < 0 ? 0 : index < roll->bend_count ? index : roll->bend_count - 1;
    const struct webimage_bend *bend = view.bend = roll->bends + index;
    view.reached = clamp_share(roll->crest - place + 0.5f);
    view.is_flat = place < 0;
    place -= bend->place;
    view.back = point_at(roll, bend, x, y, bend->back + bend->back_slope * place);
    view.front = point_at(roll, bend, x, y, bend->front + bend->front_slope * place);
    return view;
}

inlined struct tint back_tint(const struct webimage_roll *roll, const struct view *view) {
    return make_tint(view->bend->back_light, roll->back_alpha, view->bend->back_white);
}

inlined struct tint front_tint(const struct webimage_shadow *shadow, const struct view *view) {
    return make_tint((uint16_t)((float)view->bend->front_light * light_of(shadow, view->column)), 0xFFFF, 0);
}

inlined pixel_floats weighted(
    const struct webimage_roll *roll, const struct view *view, struct point point, struct tint tint, float share) {
    int32_t x = fixed(point.x - roll->picture_x), y = fixed(point.y - roll->picture_y);
    pixel_words color = tinted(mean_of_piece(&roll->picture, view->bend, x, y, false), tint);
    return __builtin_convertvector(color, pixel_floats) * (share / 256);
}

inlined void draw_view(
    const struct webimage_roll *roll, const struct webimage_shadow *shadow, const struct view *view, uint8_t *pixel) {
    float back = share_of(view->back) * view->reached, rest = view->is_flat ? 0 : view->reached - back;
    float front = share_of(view->front) * rest;
    if (back + front <= 0) return;
    pixel_bytes before;
    memcpy(&before, pixel, sizeof before);
    pixel_floats color = __builtin_convertvector(before, pixel_floats) * (1 - back - front);
    if (back > 0) color += weighted(roll, view, view->back, back_tint(roll, view), view->reached);
    if (front > 0) color += weighted(roll, view, view->front, front_tint(shadow, view), rest);
    pixel_ints rounded = __builtin_convertvector(color + 0.5f, pixel_ints);
    rounded = __builtin_elementwise_min(rounded, (pixel_ints){255, 255, 255, 255});
    pixel_bytes after = __builtin_convertvector(rounded, pixel_bytes);
    memcpy(pixel, &after, sizeof after);
}

// A part of a run: the first pixel shows one point, the next one after the last pixel the other.
struct part {
    int32_t x, y, step_x, step_y;
    struct tint tint, tint_step;
};

inlined struct part make_part(
    const struct webimage_roll *roll, struct point first, struct point end, struct tint tint, struct tint end_tint) {
    pixel_shorts factors = (pixel_shorts)(end_tint.factors - tint.factors) >> roll->run_shift;
    pixel_shorts white = (pixel_shorts)(end_tint.white - tint.white) >> roll->run_shift;
    float step = (float)(one >> roll->run_shift);
    return (struct part){
        fixed(first.x - roll->picture_x), fixed(first.y - roll->picture_y), (int32_t)((end.x - first.x) * step),
        (int32_t)((end.y - first.y) * step), tint, {(pixel_words)factors, (pixel_words)white}};
}

inlined void draw_part(
    const struct webimage_plane *plane, const struct webimage_bend *bend, struct part part, bool inside, int32_t count,
    uint8_t *pixels) {
    for (int32_t i = 0; i < count; i++, part.x += part.step_x, part.y += part.step_y) {
        set(tinted(mean_of_piece(plane, bend, part.x, part.y, inside), part.tint), pixels + i * 4);
        part.tint.factors += part.tint_step.factors;
        part.tint.white += part.tint_step.white;
    }
}

inlined void draw_evenly(
    const struct webimage_plane *plane, const struct webimage_bend *bend, struct part part, int32_t count,
    uint8_t *pixels) {
    bool inside = is_piece_inside(plane, bend, part.x, part.y)
        && is_piece_inside(plane, bend, part.x + part.step_x * count, part.y + part.step_y * count);
    if (inside)
        draw_part(plane, bend, part, true, count, pixels);
    else
        draw_part(plane, bend, part, false, count, pixels);
}

// Farther from an edge, in times of what a pixel shows, than the pixels of a run may lead.
inlined bool is_beside(const struct webimage_roll *roll, struct point point) {
    return point.inside < -(float)(2 << roll->run_shift);
}

// Draws all pixels of a run at once; false where they do not all show the same.
inlined bool draw_run(
    const struct webimage_roll *roll, const struct webimage_shadow *shadow, const struct view *first,
    const struct view *end, uint8_t *pixels) {
    if (first->reached <= 0 && end->reached <= 0) return true;
    if (nearest(first->reached, end->reached) < 1) return false;
    if (nearest(first->back.inside, end->back.inside) > 1) {
        struct part part =
            make_part(roll, first->back, end->back, back_tint(roll, first), back_tint(roll, end));
        draw_evenly(&roll->picture, end->bend, part, 1 << roll->run_shift, pixels);
        return true;
    }
    if (!is_beside(roll, first->back) || !is_beside(roll, end->back)) return false;
    if (first->is_flat && end->is_flat) return true;
    if (first->is_flat || end->is_flat || nearest(first->front.inside, end->front.inside) <= 1) return false;
    struct part part =
        make_part(roll, first->front, end->front, front_tint(shadow, first), front_tint(shadow, end));
    draw_evenly(&roll->picture, end->bend, part, 1 << roll->run_shift, pixels);
    return true;
}

WEBIMAGE_CLONES void webimage_draw_roll(
    const struct webimage_roll *roll, float x, float y, const struct webimage_shadow *shadow, size_t count,
    uint8_t *pixels) {
    size_t run_length = (size_t)1 << roll->run_shift;
    struct view next = view_at(roll, x, y, 0);
    for (size_t start = 0; start < count; start += run_length) {
        size_t end = start + run_length < count ? start + run_length : count;
        struct view first = next;
        next = view_at(roll, x, y, end);
        if (end == start + run_length && draw_run(roll, shadow, &first, &next, pixels + start * 4)) continue;
        for (size_t i = start; i < end; i++) {
            struct view view = view_at(roll, x, y, i);
            draw_view(roll, shadow, &view, pixels + i * 4);
        }
    }
}
