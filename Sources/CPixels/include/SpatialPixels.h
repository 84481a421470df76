#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "PixelBlocks.h"

// Operations in which a pixel depends on its neighbours, for premultiplied pixels of every type of channel unless their
// comment says otherwise. Numbers
// between the passes are floats in the units of the channel; a row of them has four a pixel.

// Weighted sums -----------------------------------------------------------------------------------------------------

/// One row of sums: each is the weighted sum of the channels at its column in `row_count` rows of pixels.
void webimage_sum_rows(
    const void *const *rows, webimage_channel_type type, const float *weights, size_t row_count, float *result,
    size_t channel_count);

/// The same for rows of floats.
void webimage_sum_float_rows(
    const float *const *rows, const float *weights, size_t row_count, float *result, size_t channel_count);

/// Number i of the result is the weighted sum of `tap_counts[i]` pixels from `starts[i]` on, with the weights from
/// `weights[i * weight_stride]` on.
void webimage_sum_columns(
    const float *row, const int32_t *starts, const int32_t *tap_counts, const float *weights, size_t weight_stride,
    float *result, size_t result_count);

/// Each result is the weighted sum of `tap_count` pixels, the same weights for all: number i begins at pixel i.
void webimage_sum_neighbours(
    const float *row, const float *weights, size_t tap_count, float *result, size_t result_count);

/// Expands a row by a factor: results factor × i up to factor × (i + 1) are weighted sums of the four pixels from i on,
/// with `weights[4 × n]` to `weights[4 × n + 3]` for the n-th of them.
void webimage_expand_row(
    const float *row, const float *weights, size_t factor, float *result, size_t group_count);

/// Rounds floats to pixels.
///
/// - has_alpha: Alpha is at most 1, and colours at most alpha. False for opaque pixels.
void webimage_store_floats(
    const float *floats, webimage_channel_type type, bool has_alpha, void *pixels, size_t count);

/// Loads pixels as floats in the units of the channel.
void webimage_load_floats(const void *pixels, webimage_channel_type type, float *floats, size_t count);

/// Maps the colours of premultiplied pixels by a curve of WEBIMAGE_TONE_COUNT values over straight colours from 0 to 1,
/// with linear interpolation.
void webimage_map_floats(float *floats, const float *curve, size_t count);

/// Adds weighted pixels to sums of floats: `row` is at the same place as `sums`.
void webimage_add_weighted(const float *row, float weight, float *sums, size_t channel_count);

/// Completes the sums of a convolution: divides alpha by the sum of the weights, or takes that of `source` where the sum
/// is 0, and adds a bias, from 0 to 1, to colours.
void webimage_finish_convolution(const float *source, float weight_sum, float bias, float *pixels, size_t count);

/// Moves pixels away from blurred ones by `amount`, where a channel differs by `threshold` or more. Both are floats in
/// the units of the channel, and the result is in `floats`.
void webimage_sharpen(float *floats, const float *blurred, float amount, float threshold, size_t count);

// Coverage ----------------------------------------------------------------------------------------------------------

/// Multiplies pixels of 16 bits a channel by their coverage, 0 to 1: all channels of premultiplied ones, alpha of straight
/// ones.
void webimage_deep_scale_by_coverage(
    void *pixels, webimage_channel_type type, bool is_premultiplied, const float *coverage, size_t count);

/// Blends a straight colour (red, green, blue, alpha, 0 to 1) over the covered part of each pixel of 16 bits a channel.
void webimage_deep_blend_color(
    void *pixels, webimage_channel_type type, bool is_premultiplied, const float *coverage, const float *color,
    size_t count);

// Rotation ----------------------------------------------------------------------------------------------------------

struct webimage_picture {
    const void *pixels;
    size_t bytes_per_row;
    int32_t width, height;
    webimage_channel_type type;
    bool is_premultiplied;
};

/// A row of pixels along a line through a picture, by bicubic interpolation (Catmull-Rom) that weights colours by alpha;
/// transparent outside. The result has the picture's kind of alpha.
///
/// - x, y: The first pixel's place in the picture, where a pixel's centre is at whole numbers.
/// - step_x, step_y: The way from each pixel to the next.
void webimage_sample_line(
    const struct webimage_picture *picture, double x, double y, double step_x, double step_y, void *result,
    size_t count);

// Comparison --------------------------------------------------------------------------------------------------------

/// The columns of a row, first to end, that differ from a pixel by more than `tolerance` in any channel, in units of the
/// channel; false when there are none. Fully transparent pixels do not differ.
bool webimage_differing_columns(
    const void *row, webimage_channel_type type, const float *pixel, float tolerance, size_t count, size_t *first,
    size_t *end);
