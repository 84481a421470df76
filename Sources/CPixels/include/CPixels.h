#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "DeepPixels.h"
#include "Similarity.h"
#include "PixelBlocks.h"
#include "SpatialPixels.h"

// Loops over pixels for which Swift does not vectorise well enough. A pixel is four bytes: red, green, blue, alpha.
// Buffers of different arguments never overlap; they need only the alignment of their type.

// Alpha -------------------------------------------------------------------------------------------------------------

/// Multiplies colour by alpha in place, rounding to nearest.
void webimage_premultiply(uint8_t *pixels, size_t count);

/// The same to another place.
void webimage_copy_premultiplied(const uint8_t *from, uint8_t *to, size_t count);

/// Divides colour by alpha in place, rounding to nearest; transparent black where alpha is 0.
void webimage_unpremultiply(uint8_t *pixels, size_t count);

/// Sets alpha to 255.
void webimage_set_opaque(uint8_t *pixels, size_t count);

/// Whether alpha is 255 everywhere.
bool webimage_is_opaque(const uint8_t *pixels, size_t count);

/// Composites pixels over an opaque colour (red, green, blue in the three low bytes, in this order) and leaves alpha at
/// 255.
void webimage_composite(
    const uint8_t *pixels, bool is_premultiplied, uint32_t background, uint8_t *result, size_t count);

/// Converts cyan, magenta, yellow, black, with 255 for no ink as Adobe writes them, to opaque pixels in place.
void webimage_inverted_cmyk_to_rgba(uint8_t *pixels, size_t count);

/// Multiplies pixels by their coverage, 0 to 1: all channels of premultiplied pixels, alpha of straight ones.
void webimage_scale_by_coverage(uint8_t *pixels, bool is_premultiplied, const float *coverage, size_t count);

/// Blends a straight colour (red, green, blue, alpha from the low byte up) over the covered part of each pixel.
void webimage_blend_color(
    uint8_t *pixels, bool is_premultiplied, const float *coverage, uint32_t color, size_t count);

// Frames ------------------------------------------------------------------------------------------------------------

/// Draws pixels by their indices into 256 straight colours. A fully transparent colour keeps the pixel below, unless
/// that is fully transparent, too. `is_opaque` means that all colours are opaque.
void webimage_draw_indices(
    const uint8_t *indices, const uint32_t *colors, bool is_opaque, uint8_t *pixels, size_t count);

/// Blends straight pixels over straight pixels.
void webimage_blend_over(const uint8_t *source, uint8_t *pixels, size_t count);

/// A colour that was looked up, in memory order; 0, which is not opaque, for an empty slot.
typedef struct {
    uint32_t color;
    uint32_t index;
} webimage_known_color;

/// Pictures repeat their colours: the number of slots that remember where they are is 2 to the power of this.
#define WEBIMAGE_KNOWN_COLORS_BITS 13

/// The index of the nearest of up to 256 colours to an opaque one, the first of equals; at least one colour.
/// `channels` has all reds, then all greens, then all blues, 0 to 255.
uint32_t webimage_nearest_color(
    const int32_t *channels, size_t count, webimage_known_color *known, uint32_t color);

/// Chooses colours for a row of opaque pixels with error diffusion (Floyd and Steinberg 1976). Pixels that are 0 get the
/// index `transparent`, and neither give nor receive errors.
/// `share` is a sixteenth of the part of each error that is diffused. `current` has the errors from the row above,
/// `next` gets those for the row below: three for each pixel, and for one more pixel on either side.
void webimage_dither_row(
    const uint32_t *pixels, size_t width, bool is_backwards, float share, float *current, float *next,
    const int32_t *channels, size_t count, webimage_known_color *known, uint8_t transparent, uint8_t *indices);

// Resampling --------------------------------------------------------------------------------------------------------

/// Weights are fixed-point numbers with a fraction of this many bits; those of one result sum to exactly 1.
#define WEBIMAGE_WEIGHT_BITS 14

/// Between the two passes a value has a fraction of this many bits, and may leave 0 to 255 because of the filter's
/// negative lobes. Clamping it there would brighten colours next to transparency.
#define WEBIMAGE_FRACTION_BITS 6

/// One row of results: each is the weighted sum of the bytes at its column in `row_count` rows.
void webimage_resample_vertically(
    const uint8_t *const *rows, const int16_t *weights, size_t row_count, int16_t *result, size_t byte_count);

/// Weights come in groups of this size: each result's weights are padded with zeros, and a row continues for
/// WEBIMAGE_TAP_GROUP - 1 pixels that are read but do not count.
#define WEBIMAGE_TAP_GROUP 4

/// One row of results: number i is the weighted sum of `tap_counts[i]` pixels from `starts[i]` on, with the weights
/// from `weights[i * weight_stride]` on. `has_alpha` means premultiplied pixels, and the result is premultiplied, too.
void webimage_resample_horizontally(
    const int16_t *row, const int32_t *starts, const int32_t *tap_counts, const int16_t *weights, size_t weight_stride,
    bool has_alpha, uint8_t *result, size_t result_count);

/// More rows than this overflow the sums of webimage_box_add.
#define WEBIMAGE_BOX_LIMIT 256

/// Adds the bytes of a row to sums.
void webimage_box_add(const uint8_t *row, uint16_t *sums, size_t byte_count);

/// Averages each run of `factor` pixels (the last run may be shorter) of the sums of `row_count` rows, rounding to
/// nearest, and clears the sums.
void webimage_box_average(uint16_t *sums, size_t pixel_count, size_t factor, size_t row_count, uint8_t *result);

/// The same for a plane: samples of one byte, averages with WEBIMAGE_FRACTION_BITS bits after the point.
void webimage_plane_average(uint16_t *sums, size_t count, size_t factor, size_t row_count, uint16_t *result);

// Placement ---------------------------------------------------------------------------------------------------------

/// Copies a strip of rows so that pixel (x, y) of it lands at `destination + x * step_x + y * step_y`, in pixels.
void webimage_place(
    const uint32_t *strip, size_t width, size_t height, uint32_t *destination, ptrdiff_t step_x, ptrdiff_t step_y);

/// The same for a part of a picture of rows of `row_length` pixels, for turns by a quarter: one of the steps is 1 or -1,
/// and `step_y` that one. Pixels are four or eight bytes.
void webimage_turn(
    const void *pixels, size_t row_length, size_t width, size_t height, webimage_channel_type type, void *destination,
    ptrdiff_t step_x, ptrdiff_t step_y);

/// Copies a row of pixels, the last one first.
void webimage_reverse(const uint32_t *row, uint32_t *result, size_t count);

// Video ------------------------------------------------------------------------------------------------------------

/// Converts luma and chroma of video range by ITU-R BT.601, with a fraction of WEBIMAGE_FRACTION_BITS bits, to opaque
/// pixels; for whole numbers the result is exactly libwebp's.
void webimage_video_to_rgba(
    const uint16_t *luma, const uint16_t *blue, const uint16_t *red, uint8_t *result, size_t count);

// Unpacking ---------------------------------------------------------------------------------------------------------

/// Blue, green, red of one byte each, into opaque pixels.
void webimage_unpack_bgr(const uint8_t *row, uint8_t *result, size_t count);

/// Blue, green, red, alpha to red, green, blue, alpha, or back.
void webimage_unpack_bgra(const uint8_t *row, uint8_t *result, size_t count);

/// Palette indices of 1, 2, 4 or 8 bits, the first in the highest bits. `colors` has an entry for every index.
void webimage_unpack_indices(
    const uint8_t *row, unsigned bits, const uint32_t *colors, uint8_t *result, size_t count);

/// A channel of a little-endian word: its bits, their shift, and the factor to a byte. A mask of 0 means a missing
/// channel: 0 for a colour, 255 for alpha.
typedef struct {
    uint32_t mask;
    uint32_t shift;
    float scale;
} webimage_channel;

/// Words of 16 bits, with red, green, blue and alpha as `channels` describes.
void webimage_unpack_words_16(
    const uint8_t *row, const webimage_channel *channels, uint8_t *result, size_t count);

/// The same for 32 bits.
void webimage_unpack_words_32(
    const uint8_t *row, const webimage_channel *channels, uint8_t *result, size_t count);

/// Pixels to blue, green, red; alpha is dropped.
void webimage_pack_bgr(const uint8_t *pixels, uint8_t *result, size_t count);

/// Pixels to red, green, blue; alpha is dropped.
void webimage_pack_rgb(const uint8_t *pixels, uint8_t *result, size_t count);

/// Swaps red and blue in place.
void webimage_swap_red_and_blue(uint8_t *pixels, size_t count);

// Dissolves ---------------------------------------------------------------------------------------------------------

/// The mean of two rows of premultiplied pixels, rounded to nearest: `share` / 256 of the second one, and the rest of
/// the first one. A row that is null is transparent.
void webimage_dissolve(
    const uint8_t *first, const uint8_t *second, uint16_t share, uint8_t *result, size_t count);

// Pages in space ----------------------------------------------------------------------------------------------------

// Pixels are premultiplied. A picture consists of squares of one colour each, and is transparent around them; a drawn
// pixel is the mean of what it shows, so that edges are smoothed.

/// Pixels that lie side by side on a picture; each shows a length of a row. Places have 16 bits of fraction.
struct webimage_line {
    /// The place in the row at which the first pixel begins, and the length that a pixel shows, more than 0.
    int64_t start, step;
    /// The visible part of the row, within it.
    int64_t low, high;
    /// The factor for the colours.
    float light;
};

/// Adds a line to pixels.
///
/// - row: Of four numbers a pixel, with a fraction of WEBIMAGE_FRACTION_BITS bits.
/// - scratch: Memory for the pixels of the row and two more, four numbers each, aligned to 16 bytes.
void webimage_add_line(
    const int16_t *row, const struct webimage_line *line, uint32_t *scratch, size_t count, uint8_t *pixels);

/// Exchanges rows and columns.
void webimage_transpose(
    const uint8_t *pixels, size_t bytes_per_row, size_t width, size_t height, uint8_t *result,
    size_t result_bytes_per_row);

#define WEBIMAGE_RAMP_COUNT 4

/// A number that changes evenly along a row: that of the first pixel, and the change from each pixel to the next. It
/// counts as 0 below and as 1 above.
struct webimage_ramp {
    float start, step;
};

/// The darkness of a row of pixels: a product of ramps.
struct webimage_shadow {
    float darkness;
    struct webimage_ramp ramps[WEBIMAGE_RAMP_COUNT];
};

/// Darkens pixels; alpha stays.
void webimage_cast_shadow(const struct webimage_shadow *shadow, size_t count, uint8_t *pixels);

struct webimage_plane {
    const uint8_t *pixels;
    size_t bytes_per_row;
    /// At most 32,640.
    int32_t width, height;
};

/// A place of a page that rolls up around a cylinder.
struct webimage_bend {
    /// Its distance from the first bend.
    float place;
    /// The way from a pixel there to the points of the page whose front and back it shows, in the roll's direction, and
    /// the change of that way from each pixel to the next.
    float front, front_slope, back, back_slope;
    /// The squares that make the piece of the page that a pixel shows: the way from its middle to the first, and from
    /// each to the next, with 16 bits of fraction, and the share of one, of 0xFFFF.
    int32_t tap_count, tap_x, tap_y, tap_step_x, tap_step_y;
    uint32_t tap_share;
    /// The reciprocals of the piece's width and height.
    float across, down;
    /// The factors for the colours, and the white on the back, of 0xFFFF.
    uint16_t front_light, back_light, back_white;
};

/// A page that rolls up, in pixels of a view.
struct webimage_roll {
    struct webimage_plane picture;
    /// The centre of the picture's first pixel.
    float picture_x, picture_y;
    /// The edges of the page.
    float left, top, right, bottom;
    /// A unit vector across the cylinder.
    float direction_x, direction_y;
    /// The places of the first bend, from (0, 0), and of the page's last visible point, from there.
    float first_bend, crest;
    const struct webimage_bend *bends;
    int32_t bend_count;
    float bends_per_pixel;
    /// The factor for the alpha of the back, of 0xFFFF.
    uint16_t back_alpha;
};

/// Draws the back of a page in a row, and where the page bends also its front, over what is there.
///
/// - x, y: The centre of the first pixel.
/// - shadow: On the front.
void webimage_draw_roll(
    const struct webimage_roll *roll, float x, float y, const struct webimage_shadow *shadow, size_t count,
    uint8_t *pixels);
