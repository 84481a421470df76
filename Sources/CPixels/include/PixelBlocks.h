#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Pixels on their way through several steps: a block has a plane of floats for each channel, so that every step is a
// plain loop over planes, and stays in the first cache from the first step to the last.

/// The number of floats in a plane. A block has four planes: red, green, blue, alpha.
#define WEBIMAGE_BLOCK_LENGTH 512

/// The type of a channel in memory.
typedef enum {
    /// One byte; 255 is 1.
    webimage_bytes,
    /// Two bytes; 65535 is 1.
    webimage_words,
    /// IEEE 754 binary16; may lie outside of 0 to 1.
    webimage_halves,
} webimage_channel_type;

/// Loads up to WEBIMAGE_BLOCK_LENGTH pixels.
void webimage_load_block(const void *pixels, webimage_channel_type type, size_t count, float *block);

/// Stores pixels: integers are clamped to 0 to 1 and rounded to nearest.
void webimage_store_block(const float *block, webimage_channel_type type, size_t count, void *pixels);

/// Multiplies colour by alpha.
void webimage_block_premultiply(float *block, size_t count);

/// Divides colour by alpha; black where alpha is 0.
void webimage_block_unpremultiply(float *block, size_t count);

/// Black where alpha is 0.
void webimage_block_clear(float *block, size_t count);

// Steps -------------------------------------------------------------------------------------------------------------

/// Multiplies straight pixels by a matrix of four rows (red, green, blue, alpha) and five columns, the last of which is
/// added. Alpha is clamped to 0 to 1, and colours, too, where they are `bounded` to what integers can hold.
void webimage_block_matrix(float *block, size_t count, const float *matrix, bool is_bounded);

/// Multiplies premultiplied pixels by matrices of three rows (red, green, blue) and four columns, one after the other;
/// alpha stays. After each matrix, colours are clamped to 0 to alpha. Up to 15 more pixels than `count` are changed.
void webimage_block_matrices(float *block, size_t count, const float *matrices, size_t matrix_count);

/// Raises a plane, clamped to 0 to 1, to a power.
void webimage_plane_power(float *plane, size_t count, float power);

/// The number of values of a curve.
#define WEBIMAGE_TONE_COUNT 65536

/// Maps a plane from 0 to 1 by a curve of WEBIMAGE_TONE_COUNT values; values outside count as 0 and 1.
void webimage_plane_curve(float *plane, size_t count, const float *curve);

/// Maps straight colours by a cube of side³ colours of three floats, red changing fastest; tetrahedral interpolation.
void webimage_block_cube(float *block, size_t count, const float *cube, size_t side);

/// Moves straight colours away from their luma (ITU-R BT.709) by `amount`, the less the more saturated they are.
void webimage_block_vibrance(float *block, size_t count, float amount, bool is_bounded);

/// Darkens pixels of a row by their distance from the centre: from `inner` on, quadratically, by `intensity` at 1.
///
/// - x, step, y: The place of the first pixel, the way to the next one, and the row, in units of half a diagonal.
void webimage_block_vignette(
    float *block, size_t count, float x, float step, float y, float inner, float intensity);

/// Blend modes, as in W3C's Compositing and Blending, and its Porter-Duff operators.
typedef enum {
    webimage_blend_normal, webimage_blend_multiply, webimage_blend_screen, webimage_blend_overlay,
    webimage_blend_darken, webimage_blend_lighten, webimage_blend_color_dodge, webimage_blend_color_burn,
    webimage_blend_soft_light, webimage_blend_hard_light, webimage_blend_difference, webimage_blend_exclusion,
    webimage_blend_clear, webimage_blend_copy, webimage_blend_source_in, webimage_blend_source_out,
    webimage_blend_source_atop, webimage_blend_destination, webimage_blend_destination_over,
    webimage_blend_destination_in, webimage_blend_destination_out, webimage_blend_destination_atop,
    webimage_blend_xor, webimage_blend_plus_lighter,
} webimage_blend_mode;

/// Blends premultiplied pixels over premultiplied pixels, in `block`.
void webimage_block_blend(const float *source, webimage_blend_mode mode, size_t count, float *block);

/// Gives all pixels of a block one colour: four floats.
void webimage_block_fill(const float *color, size_t count, float *block);

/// Multiplies all four planes.
void webimage_block_scale(float *block, size_t count, float factor);

// Whole pixels of one byte a channel, where no block is needed --------------------------------------------------------

/// Multiplies premultiplied pixels by matrices of three rows (red, green, blue) and four columns, one after the other;
/// alpha stays. After each matrix, colours are clamped to 0 to alpha.
void webimage_apply_matrices(
    const uint8_t *pixels, const float *matrices, size_t matrix_count, uint8_t *result, size_t count);

/// Maps the colours of opaque pixels by a table of 256 values for each of the three channels.
void webimage_apply_tables(const uint8_t *pixels, const uint8_t *tables, uint8_t *result, size_t count);
