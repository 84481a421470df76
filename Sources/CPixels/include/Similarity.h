#pragma once

#include <stddef.h>
#include <stdint.h>

// How much two rows of pixels differ. Deep rows have 16 bits a channel and are aligned to 8.

// Differences -------------------------------------------------------------------------------------------------------

/// The differences so far, for red, green, blue and alpha.
struct webimage_difference {
    /// The sums of the squared differences.
    uint64_t squares[4];
    uint32_t largest[4];
    /// Pixels that differ in any channel.
    uint64_t pixels;
};

/// Adds the differences of two rows.
void webimage_add_difference(
    const uint8_t *first, const uint8_t *second, size_t count, struct webimage_difference *difference);

/// The same for deep rows.
void webimage_deep_add_difference(
    const void *first, const void *second, size_t count, struct webimage_difference *difference);

/// Opaque pixels: the difference of each colour, or that of alpha where it is larger, times `factor`.
void webimage_show_difference(
    const uint8_t *first, const uint8_t *second, uint32_t factor, uint8_t *result, size_t count);

/// The same for deep rows.
void webimage_deep_show_difference(
    const void *first, const void *second, uint32_t factor, void *result, size_t count);

// Structural similarity ---------------------------------------------------------------------------------------------

/// The luma of ITU-R BT.601, 0 to 1, of premultiplied pixels over black, and over white for a `backdrop` of 1.
void webimage_luma(const uint8_t *pixels, double backdrop, double *result, size_t count);

/// The same for deep pixels.
void webimage_deep_luma(const void *pixels, double backdrop, double *result, size_t count);

/// The sides of the window.
#define WEBIMAGE_WINDOW 11

/// The weighted means under a window that moves along two rows: of the first, of the second, of their squares, and of
/// their product, `count` numbers each, one set after the other. The rows have WEBIMAGE_WINDOW - 1 numbers more.
void webimage_filter_lumas(
    const double *first, const double *second, const double *window, double *result, size_t count);

/// The sum of the similarities of a row: `rows` are WEBIMAGE_WINDOW results of webimage_filter_lumas, a ring in which the
/// one at `top` is the uppermost; `luma_constant` and `contrast_constant` are C1 and C2 of the definition.
double webimage_sum_similarities(
    const double *rows, size_t top, const double *window, double luma_constant, double contrast_constant, size_t count);
