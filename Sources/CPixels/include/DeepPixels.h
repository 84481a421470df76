#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The same loops for pixels of 16 bits a channel: red, green, blue, alpha, each a native uint16_t. Rows are passed as
// bytes, like all rows in the pixel pipeline; they must be aligned to 8.

// Depth -------------------------------------------------------------------------------------------------------------

/// Converts 8-bit pixels to deep ones: 255 becomes 65535.
void webimage_widen(const void *pixels, void *deep, size_t count);

/// Converts deep pixels to 8-bit ones, rounding to nearest.
void webimage_narrow(const void *deep, void *pixels, size_t count);

// Alpha -------------------------------------------------------------------------------------------------------------

/// Multiplies colour by alpha in place, rounding to nearest.
void webimage_deep_premultiply(void *pixels, size_t count);

/// Divides colour by alpha in place, rounding to nearest; transparent black where alpha is 0.
void webimage_deep_unpremultiply(void *pixels, size_t count);

/// Whether alpha is 65535 everywhere.
bool webimage_deep_is_opaque(const void *pixels, size_t count);

// Resampling --------------------------------------------------------------------------------------------------------

/// One row of results: each is the weighted sum of the channels at its column in `row_count` deep rows.
void webimage_deep_resample_vertically(
    const uint8_t *const *rows, const float *weights, size_t row_count, float *result, size_t channel_count);

/// One row of results: number i is the weighted sum of `tap_counts[i]` pixels from `starts[i]` on, with the weights
/// from `weights[i * weight_stride]` on. `has_alpha` means premultiplied pixels, and the result is premultiplied, too.
void webimage_deep_resample_horizontally(
    const float *row, const int32_t *starts, const int32_t *tap_counts, const float *weights, size_t weight_stride,
    bool has_alpha, void *result, size_t result_count);

/// Adds the channels of a row to sums, WEBIMAGE_BOX_LIMIT rows at most.
void webimage_deep_box_add(const void *row, uint32_t *sums, size_t channel_count);

/// Averages each run of `factor` pixels (the last run may be shorter) of the sums of `row_count` rows, rounding to
/// nearest, and clears the sums.
void webimage_deep_box_average(uint32_t *sums, size_t pixel_count, size_t factor, size_t row_count, void *result);

// Placement ---------------------------------------------------------------------------------------------------------

/// Copies a strip of deep rows so that pixel (x, y) of it lands at `destination + x * step_x + y * step_y`, in pixels.
void webimage_deep_place(
    const void *strip, size_t width, size_t height, void *destination, ptrdiff_t step_x, ptrdiff_t step_y);

/// Copies a row of deep pixels, the last one first.
void webimage_deep_reverse(const void *row, void *result, size_t count);

// Colours -----------------------------------------------------------------------------------------------------------

/// Curves over linear light, 0 to 1, have this many equal steps of light's fourth root (which gives dark tones enough
/// steps), one more value for the last step, and one for the end.
#define WEBIMAGE_CURVE_STEPS 4096

/// Converts straight deep pixels in place: `light` maps each of the 65536 codes to linear light, `matrix` (three rows)
/// converts it to the result's primaries, and `code` is a curve from light to codes. Light is clamped to 0 to 1.
void webimage_convert_colors(
    void *pixels, size_t count, const float *light, const float *matrix, const float *code);

/// The same, with tone mapping from high to standard dynamic range. `gain` is a curve of factors over the luminance,
/// which has the weights `luminance` for red, green and blue; `tone` is a curve of factors over the largest channel
/// after that. Colours outside of the result's gamut are mixed with gray of the same luminance up to its edge.
void webimage_map_tones(
    void *pixels, size_t count, const float *light, const float *luminance, const float *gain, const float *tone,
    const float *matrix, const float *code);
