#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "DeepPixels.h"

// Loops over pixels for which Swift does not vectorise well enough. A pixel is four bytes: red, green, blue, alpha.
// Buffers of different arguments never overlap; they need only the alignment of their type.

// Alpha -------------------------------------------------------------------------------------------------------------

/// Multiplies colour by alpha in place, rounding to nearest.
void webimage_premultiply(uint8_t *pixels, size_t count);

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

/// The index of the nearest of up to 256 colours, the first of equals; 0 without colours. Channels are 0 to 255.
uint32_t webimage_nearest_color(
    const int32_t *reds, const int32_t *greens, const int32_t *blues, size_t count, int32_t red, int32_t green,
    int32_t blue);

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

// Pages in space ----------------------------------------------------------------------------------------------------

/// Pixels of four bytes, the last of which is alpha; the colours are premultiplied.
struct webimage_plane {
    const uint8_t *pixels;
    size_t bytes_per_row;
    int32_t width, height;
    /// Whether the fourth byte counts as 255.
    bool is_opaque;
};

/// Boxes side by side, none longer than a pixel by more than a quarter, that cover a length of some pixels. Lengths
/// have 16 bits of fraction.
struct webimage_boxes {
    /// From the centre to the first box, and from each box to the next.
    int32_t offset, step;
    int32_t count;
    /// How many times narrower than a pixel a box is, with 8 bits of fraction; 1 for wider ones.
    int32_t factor;
    /// The share of one box, of 0xFFFF.
    uint32_t share;
};

/// The boxes for a length in pixels; 16 at most, with gaps.
struct webimage_boxes webimage_make_boxes(float length);

/// The mean of a rectangle of a plane, and its share of a pixel. Beyond its edges the plane continues with its
/// outermost pixels.
struct webimage_sample {
    /// The rectangle's centre, from the centre of the plane's first pixel, in pixels with 16 bits of fraction.
    int32_t x, y;
    /// The rectangle's width and height.
    const struct webimage_boxes *across, *down;
    /// The share of the pixel, of 0xFFFF.
    uint16_t weight;
    /// The factor for the colours and the white that is added to them, of 0xFFFF.
    uint16_t light, white;
    /// The pixel's place in its row.
    uint16_t column;
};

/// Adds samples to the pixels of a row, which must be 0 where a sample has all of a pixel.
void webimage_add_samples(
    const struct webimage_plane *plane, const struct webimage_sample *samples, size_t count, uint8_t *row);

/// Copies pixels of a plane, from a place within it.
void webimage_copy_pixels(
    const struct webimage_plane *plane, ptrdiff_t x, ptrdiff_t y, size_t count, uint8_t *row);

/// Adds samples to pixels side by side, whose points of the plane lie on a line: from `sample`'s place in steps of
/// (`step_x`, `step_y`). Only their shares, light and white count: a pixel shows about one of the plane.
void webimage_add_run(
    const struct webimage_plane *plane, const struct webimage_sample *sample, int32_t step_x, int32_t step_y,
    size_t count, uint8_t *pixels);

/// A line of pixels, each of which is the mean of a rectangle of a plane; the rectangles lie side by side. Places are
/// those of their centres, from the centre of the plane's first pixel, with 16 bits of fraction.
struct webimage_line {
    /// The first rectangle's place, and the way to the next one.
    int32_t x, step;
    int32_t y;
    /// Their width and height.
    const struct webimage_boxes *across, *down;
    /// The share of each pixel, and the factor for the colours, of 0xFFFF.
    uint16_t weight, light;
};

/// Adds a line to pixels.
///
/// - scratch: Memory for the `scratch_count` pixels of the plane that the line touches, four numbers each; a line that
///   touches more is not drawn.
void webimage_add_line(
    const struct webimage_plane *plane, const struct webimage_line *line, size_t count, uint16_t *scratch,
    size_t scratch_count, uint8_t *pixels);

/// Exchanges rows and columns.
void webimage_transpose(
    const uint8_t *pixels, size_t bytes_per_row, size_t width, size_t height, uint8_t *result,
    size_t result_bytes_per_row);
