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

enum {
    one = 1 << 16,
    // Of the longest run of pixels, the power of two.
    longest_shift = 5,
};

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

// The part of a page that a pixel shows.
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

// The share of a square of a pixel's size that lies on the page.
inlined float share_at(const struct webimage_roll *roll, float x, float y) {
    return clamp_share(nearest(x - roll->left, roll->right - x) + 0.5f)
        * clamp_share(nearest(y - roll->top, roll->bottom - y) + 0.5f);
}

// The share of the page in what a pixel shows.
inlined float share_of(const struct webimage_roll *roll, const struct view *view, struct point point) {
    const struct webimage_bend *bend = view->bend;
    if (point.inside > 1) return 1;
    if (point.inside < -1) return 0;
    float share = 0;
    for (int32_t i = 0; i < bend->tap_count; i++) {
        float x = (float)(bend->tap_x + i * bend->tap_step_x), y = (float)(bend->tap_y + i * bend->tap_step_y);
        share += share_at(roll, point.x + x / one, point.y + y / one);
    }
    return share / (float)bend->tap_count;
}

inlined pixel_floats weighted(
    const struct webimage_roll *roll, const struct view *view, struct point point, struct tint tint, float share) {
    int32_t x = fixed(point.x - roll->picture_x), y = fixed(point.y - roll->picture_y);
    pixel_words color = tinted(mean_of_piece(&roll->picture, view->bend, x, y, false), tint);
    return __builtin_convertvector(color, pixel_floats) * (share / 256);
}

inlined void draw_view(
    const struct webimage_roll *roll, const struct webimage_shadow *shadow, const struct view *view, uint8_t *pixel) {
    float back = share_of(roll, view, view->back) * view->reached, rest = view->is_flat ? 0 : view->reached - back;
    float front = rest > 0 ? share_of(roll, view, view->front) * rest : 0;
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

// Four pixels side by side ------------------------------------------------------------------------------------------

// Vectors of more than 16 bytes are passed by address: as values, their registers depend on the processor.
typedef uint8_t quad_bytes __attribute__((vector_size(16)));
typedef int32_t quad_places __attribute__((vector_size(16)));
typedef uint16_t quad_words __attribute__((vector_size(32)));
typedef uint32_t quad_sums __attribute__((vector_size(64)));
typedef uint8_t quad_pair_bytes __attribute__((vector_size(32)));
typedef uint16_t quad_pair_words __attribute__((vector_size(64)));
typedef uint32_t quad_pair_products __attribute__((vector_size(128)));

enum { quad = 4 };

inlined void set_each_pair(quad_places numbers, quad_pair_words *result) {
    pixel_words words = __builtin_convertvector(numbers, pixel_words);
    *result = __builtin_shufflevector(
        words, words, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
}

inlined void set_each_pixel(pixel_words words, quad_words *result) {
    *result = __builtin_shufflevector(words, words, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
}

inlined void multiply_quad(quad_words *first, const quad_words *second) {
    *first = __builtin_convertvector(
        __builtin_convertvector(*first, quad_sums) * __builtin_convertvector(*second, quad_sums) >> 16, quad_words);
}

// The same as square_inside, at four places.
inlined void set_squares_inside(const struct webimage_plane *plane, quad_places x, quad_places y, quad_words *result) {
    uint64_t upper[quad], lower[quad];
    for (int i = 0; i < quad; i++) {
        const uint8_t *row = plane->pixels + (size_t)(y[i] >> 16) * plane->bytes_per_row + (size_t)(x[i] >> 16) * 4;
        memcpy(&upper[i], row, sizeof upper[i]);
        memcpy(&lower[i], row + plane->bytes_per_row, sizeof lower[i]);
    }
    quad_pair_bytes above, below;
    memcpy(&above, upper, sizeof above);
    memcpy(&below, lower, sizeof below);
    quad_pair_words down, right, rows, parts;
    set_each_pair(((y & 0xFFFF) + 128) >> 8, &down);
    rows = __builtin_convertvector(above, quad_pair_words) * (256 - down)
        + __builtin_convertvector(below, quad_pair_words) * down;
    set_each_pair(x & 0xFFFF, &right);
    // For the left pixels, what is missing to 0xFFFF.
    right ^= (quad_pair_words){0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0, 0, 0, 0, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0, 0, 0, 0,
        0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0, 0, 0, 0, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0, 0, 0, 0};
    parts = __builtin_convertvector(
        __builtin_convertvector(rows, quad_pair_products) * __builtin_convertvector(right, quad_pair_products) >> 16,
        quad_pair_words);
    *result = __builtin_shufflevector(parts, parts, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
        + __builtin_shufflevector(parts, parts, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
}

// The same as mean_of_piece, of four pixels within the plane.
inlined void set_means_of_pieces(
    const struct webimage_plane *plane, const struct webimage_bend *bend, quad_places x, quad_places y,
    quad_words *result) {
    if (bend->tap_count == 1) return set_squares_inside(plane, x, y, result);
    quad_sums sum = {0};
    x += bend->tap_x;
    y += bend->tap_y;
    for (int32_t i = 0; i < bend->tap_count; i++, x += bend->tap_step_x, y += bend->tap_step_y) {
        set_squares_inside(plane, x, y, result);
        sum += __builtin_convertvector(*result, quad_sums);
    }
    *result = __builtin_convertvector(sum * bend->tap_share >> 16, quad_words);
}

// Runs --------------------------------------------------------------------------------------------------------------

// Pixels side by side that show evenly spaced points.
struct run {
    int32_t x, y, step_x, step_y;
    struct tint tint, tint_step;
};

inlined struct run make_run(
    const struct webimage_roll *roll, struct point first, struct point end, struct tint tint, struct tint end_tint,
    int32_t shift) {
    pixel_shorts factors = (pixel_shorts)(end_tint.factors - tint.factors) >> shift;
    pixel_shorts white = (pixel_shorts)(end_tint.white - tint.white) >> shift;
    float step = (float)(one >> shift);
    return (struct run){
        fixed(first.x - roll->picture_x), fixed(first.y - roll->picture_y), (int32_t)((end.x - first.x) * step),
        (int32_t)((end.y - first.y) * step), tint, {(pixel_words)factors, (pixel_words)white}};
}

inlined void draw_pixels(
    const struct webimage_plane *plane, const struct webimage_bend *bend, struct run run, bool inside, int32_t count,
    uint8_t *pixels) {
    for (int32_t i = 0; i < count; i++, run.x += run.step_x, run.y += run.step_y) {
        set(tinted(mean_of_piece(plane, bend, run.x, run.y, inside), run.tint), pixels + i * 4);
        run.tint.factors += run.tint_step.factors;
        run.tint.white += run.tint_step.white;
    }
}

// The same of a multiple of four pixels that lie within the plane.
inlined void draw_quads(
    const struct webimage_plane *plane, const struct webimage_bend *bend, struct run run, int32_t count,
    uint8_t *pixels) {
    quad_places number = {0, 1, 2, 3}, x = run.x + run.step_x * number, y = run.y + run.step_y * number;
    quad_words index = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, color, alpha;
    quad_words factors, white, factors_step, white_step;
    set_each_pixel(run.tint.factors, &factors);
    set_each_pixel(run.tint.white, &white);
    set_each_pixel(run.tint_step.factors, &factors_step);
    set_each_pixel(run.tint_step.white, &white_step);
    factors += factors_step * index;
    white += white_step * index;
    for (int32_t i = 0; i < count; i += quad, x += run.step_x * quad, y += run.step_y * quad) {
        set_means_of_pieces(plane, bend, x, y, &color);
        alpha = __builtin_shufflevector(color, color, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
        multiply_quad(&color, &factors);
        multiply_quad(&alpha, &white);
        quad_bytes bytes = __builtin_convertvector((color + alpha + 128) >> 8, quad_bytes);
        memcpy(pixels + i * 4, &bytes, sizeof bytes);
        factors += factors_step * quad;
        white += white_step * quad;
    }
}

inlined void draw_run(
    const struct webimage_plane *plane, const struct webimage_bend *bend, struct run run, int32_t count,
    uint8_t *pixels) {
    bool inside = is_piece_inside(plane, bend, run.x, run.y)
        && is_piece_inside(plane, bend, run.x + run.step_x * count, run.y + run.step_y * count);
    if (inside && count >= quad)
        draw_quads(plane, bend, run, count, pixels);
    else if (inside)
        draw_pixels(plane, bend, run, true, count, pixels);
    else
        draw_pixels(plane, bend, run, false, count, pixels);
}

// The views of some pixels side by side: of the first one, of that in the middle, and of the one after the last.
struct span {
    struct view first, middle, end;
    // The power of two that is the number of pixels.
    int32_t shift;
};

// Whether all pixels show evenly spaced points inside the page, to a tenth of what a pixel shows.
inlined bool is_even(struct point first, struct point middle, struct point end, const struct span *span) {
    int32_t taps = span->middle.bend->tap_count;
    float x = first.x + end.x - 2 * middle.x, y = first.y + end.y - 2 * middle.y, limit = 0.2f * (float)taps;
    return nearest(nearest(first.inside, end.inside), middle.inside) > 1 && x * x + y * y < limit * limit
        && span->first.bend->tap_count <= taps + 1 && span->end.bend->tap_count <= taps + 1;
}

// Farther from an edge, in times of what a pixel shows, than the pixels may lead.
inlined bool is_beside(struct point first, struct point end, int32_t shift) {
    float limit = -(float)(2 << shift);
    return first.inside < limit && end.inside < limit;
}

// Whether no pixel shows the page other than flat and from its front.
inlined bool is_empty(const struct span *span) {
    const struct view *first = &span->first, *end = &span->end;
    if (first->reached <= 0 && end->reached <= 0) return true;
    return first->is_flat && end->is_flat && is_beside(first->back, end->back, span->shift);
}

// Draws all pixels at once; false where they do not all show the same.
inlined bool draw_span(
    const struct webimage_roll *roll, const struct webimage_shadow *shadow, const struct span *span, uint8_t *pixels) {
    const struct view *first = &span->first, *middle = &span->middle, *end = &span->end;
    if (nearest(first->reached, end->reached) < 1) return false;
    if (is_even(first->back, middle->back, end->back, span)) {
        struct run run =
            make_run(roll, first->back, end->back, back_tint(roll, first), back_tint(roll, end), span->shift);
        draw_run(&roll->picture, middle->bend, run, 1 << span->shift, pixels);
        return true;
    }
    if (!is_beside(first->back, end->back, span->shift)) return false;
    if (first->is_flat || end->is_flat || !is_even(first->front, middle->front, end->front, span)) return false;
    struct run run =
        make_run(roll, first->front, end->front, front_tint(shadow, first), front_tint(shadow, end), span->shift);
    draw_run(&roll->picture, middle->bend, run, 1 << span->shift, pixels);
    return true;
}

WEBIMAGE_CLONES void webimage_draw_roll(
    const struct webimage_roll *roll, float x, float y, const struct webimage_shadow *shadow, size_t count,
    uint8_t *pixels) {
    struct span span = {.first = view_at(roll, x, y, 0), .shift = longest_shift};
    for (size_t i = 0; i < count;) {
        while (i + ((size_t)1 << span.shift) > count) span.shift--;
        span.end = view_at(roll, x, y, i + ((size_t)1 << span.shift));
        while (!is_empty(&span)) {
            if (span.shift == 0) {
                draw_view(roll, shadow, &span.first, pixels + i * 4);
                break;
            }
            span.middle = view_at(roll, x, y, i + ((size_t)1 << span.shift) / 2);
            if (draw_span(roll, shadow, &span, pixels + i * 4)) break;
            span.shift--;
            span.end = span.middle;
        }
        i += (size_t)1 << span.shift;
        span.first = span.end;
        // Twice as many again, but not at the second half of what was too many.
        if (span.shift < longest_shift && (i >> span.shift) % 2 == 0) span.shift++;
    }
}
