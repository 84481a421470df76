#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The same loops for pixels of 16 bits a channel: red, green, blue, alpha, each a native uint16_t. Rows are passed as
// bytes, as the conveyor of rows knows them; they must be aligned to 8.

// Depth -------------------------------------------------------------------------------------------------------------

/// Makes 8-bit pixels deep: 255 becomes 65535.
void webimage_widen(const void *pixels, void *deep, size_t count);

/// Makes deep pixels 8-bit ones, rounding to nearest.
void webimage_narrow(const void *deep, void *pixels, size_t count);

// Alpha -------------------------------------------------------------------------------------------------------------

/// Multiplies colour by alpha in place, rounding to nearest.
void webimage_deep_premultiply(void *pixels, size_t count);

/// Divides colour by alpha in place, rounding to nearest; transparent black where alpha is 0.
void webimage_deep_unpremultiply(void *pixels, size_t count);

/// Whether alpha is 65535 everywhere.
bool webimage_deep_is_opaque(const void *pixels, size_t count);

// Resampling --------------------------------------------------------------------------------------------------------

/// One row of results, each the weighted sum of the channels above each other in `row_count` deep rows.
void webimage_deep_resample_vertically(
    const uint8_t *const *rows, const float *weights, size_t row_count, float *result, size_t channel_count);

/// One row of results: number i is the weighted sum of `tap_counts[i]` pixels from `starts[i]` on, by the weights from
/// `weights[i * weight_stride]` on. With `has_alpha` the fourth channel is the alpha of the others, which are
/// premultiplied and stay so.
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

/// Curves over light, which is 0 to 1, have this many steps, in equal steps of light's fourth root (so that dark tones
/// get as many as they need), and one value more than that and another for the end.
#define WEBIMAGE_CURVE_STEPS 4096

/// Converts straight deep pixels in place: `light` has the light of each of the 65536 codes, `matrix` (three rows) takes
/// it to the result's primaries, and `code` is a curve from light to codes. Light outside of 0 to 1 is cut.
void webimage_convert_colors(
    void *pixels, size_t count, const float *light, const float *matrix, const float *code);

/// The same for high dynamic range that is to become standard range. `gain` is a curve of factors by the luminance, for
/// which `luminance` has the shares of red, green and blue; `tone` is a curve of factors by the largest channel after
/// that. Colours outside of the result's gamut are mixed with as much gray of their luminance as brings them to its edge.
void webimage_map_tones(
    void *pixels, size_t count, const float *light, const float *luminance, const float *gain, const float *tone,
    const float *matrix, const float *code);
