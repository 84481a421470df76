#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An interface to libpng for Swift. libpng reports errors by longjmp, which must not cross a Swift frame: every
// function here that can fail sets its own jump target and returns a status instead.

typedef enum {
    WEBIMAGE_PNG_OK = 0,
    WEBIMAGE_PNG_DAMAGED,
    /// The bytes ended before the picture did.
    WEBIMAGE_PNG_TRUNCATED,
    WEBIMAGE_PNG_OUT_OF_MEMORY,
} webimage_png_status;

typedef struct webimage_png_reader webimage_png_reader;

/// A reader of `count` bytes, which must outlive it; NULL when memory is short.
webimage_png_reader *webimage_png_reader_create(const uint8_t *bytes, size_t count);
void webimage_png_reader_destroy(webimage_png_reader *reader);

/// libpng's message for the last failure, one line.
const char *webimage_png_reader_message(const webimage_png_reader *reader);

/// Reads up to the pixels and sets up their conversion to straight RGBA with 8 bits or, when `is_deep`, with 16 in
/// native byte order. Allocates two rows.
webimage_png_status webimage_png_reader_start(
    webimage_png_reader *reader, bool is_deep, uint32_t *width, uint32_t *height);

/// Reads the next `count` rows. For an interlaced picture, all rows are read WEBIMAGE_PNG_PASS_COUNT times into the
/// same memory; each pass writes its own pixels only.
webimage_png_status webimage_png_reader_rows(
    webimage_png_reader *reader, uint8_t *rows, size_t bytes_per_row, uint32_t count);

enum { WEBIMAGE_PNG_PASS_COUNT = 7 };

/// Reads the rest of the file, to detect a missing end.
webimage_png_status webimage_png_reader_finish(webimage_png_reader *reader);

// Incremental reading --------------------------------------------------------------------------------------------------

typedef struct webimage_png_push_reader webimage_png_push_reader;

/// Gets each row: its number from the top, and its pixels. For an interlaced picture, each pass delivers all rows that
/// it can fill; pixels that have not arrived yet repeat the nearest one to the left or above.
typedef void (*webimage_png_row_receiver)(void *context, uint32_t row, const uint8_t *pixels);

/// A reader of a file in pieces; NULL when memory is short. For an interlaced picture it holds all pixels, for others
/// one row.
webimage_png_push_reader *webimage_png_push_reader_create(
    bool is_deep, webimage_png_row_receiver receiver, void *context);
void webimage_png_push_reader_destroy(webimage_png_push_reader *reader);
const char *webimage_png_push_reader_message(const webimage_png_push_reader *reader);

/// Reads the next bytes and delivers the rows in them before it returns.
webimage_png_status webimage_png_push_reader_append(
    webimage_png_push_reader *reader, const uint8_t *bytes, size_t count);

/// Whether the end of the file was read.
bool webimage_png_push_reader_is_at_end(const webimage_png_push_reader *reader);

/// The current pass, 0 to 6.
int webimage_png_push_reader_pass(const webimage_png_push_reader *reader);

// Writing ---------------------------------------------------------------------------------------------------------------

typedef struct webimage_png_writer webimage_png_writer;

webimage_png_writer *webimage_png_writer_create(void);
void webimage_png_writer_destroy(webimage_png_writer *writer);
const char *webimage_png_writer_message(const webimage_png_writer *writer);

/// The format of a file to write.
typedef struct {
    uint32_t width, height;
    /// As in PNG §11.2.1.
    uint8_t color_type, bit_depth;
    /// zlib's level, 0 to 9.
    int8_t level;
    /// Whether each row gets the filter that seems best for it; otherwise none does.
    bool filters;
    /// The palette, red in the lowest byte, straight alpha in the highest; translucent colours first.
    const uint32_t *colors;
    uint32_t color_count;
    /// Primaries and transfer function of ITU-T H.273; 0 for sRGB, which is not written.
    uint8_t primaries, transfer;
} webimage_png_form;

webimage_png_status webimage_png_writer_start(webimage_png_writer *writer, const webimage_png_form *form);

/// Writes `count` rows of samples in the file's layout: one byte each, also for fewer bits, or 16 bits in native byte
/// order. RGB rows have a fourth sample, which is dropped.
webimage_png_status webimage_png_writer_rows(
    webimage_png_writer *writer, const uint8_t *rows, size_t bytes_per_row, uint32_t count);

/// Ends the file and returns its bytes, which the caller frees by free().
webimage_png_status webimage_png_writer_finish(webimage_png_writer *writer, uint8_t **bytes, size_t *count);

// Palettes ------------------------------------------------------------------------------------------------------------

enum { WEBIMAGE_PNG_PALETTE_SIZE = 256 };

typedef struct webimage_png_colors webimage_png_colors;

/// The colours of 8-bit RGBA pixels; NULL when they are too many for a palette, or memory is short.
webimage_png_colors *webimage_png_colors_create(const uint8_t *pixels, size_t count);
void webimage_png_colors_destroy(webimage_png_colors *colors);

/// The palette, as webimage_png_form has it; the indices follow this order from then on.
const uint32_t *webimage_png_colors_sorted(webimage_png_colors *colors, uint32_t *count);

/// The index of each pixel; all of their colours must be in the table.
void webimage_png_colors_index(
    const webimage_png_colors *colors, const uint8_t *pixels, size_t count, uint8_t *indices);

/// Whether red, green and blue are equal in all pixels, for RGBA of 8 or 16 bits.
bool webimage_png_is_gray(const void *pixels, size_t count, bool is_deep);

/// Extracts gray, and alpha on request, from such pixels.
void webimage_png_take_gray(const void *pixels, size_t count, bool is_deep, bool has_alpha, void *result);

// Rows without libpng --------------------------------------------------------------------------------------------------

/// The layout of the inflated bytes of a non-interlaced picture with at most 8 bits a channel.
typedef struct {
    uint32_t width;
    /// 1 for gray and palette indices, 2 for gray and alpha, 3 for RGB, 4 for RGBA.
    uint32_t channels;
    /// 8; for one channel also 1, 2 or 4.
    uint32_t bit_depth;
    /// The transparent RGB colour, red in the lowest byte; more than 24 bits for none.
    uint32_t transparent_color;
} webimage_png_layout;

typedef struct webimage_png_rows webimage_png_rows;

/// Reverses the filters of inflated rows, each preceded by its filter byte of 0 to 4. `inflated` must outlive this
/// object and be readable for webimage_png_rows_slack() bytes after the last row. For one channel, `colors` has the
/// pixel of each of the 256 values, red in the lowest byte. NULL when memory is short.
webimage_png_rows *webimage_png_rows_create(const uint8_t *inflated, webimage_png_layout layout, const uint32_t *colors);
void webimage_png_rows_destroy(webimage_png_rows *rows);
size_t webimage_png_rows_slack(void);

/// Writes the next row as straight 8-bit RGBA. Call it once per row.
void webimage_png_rows_next(webimage_png_rows *rows, uint8_t *rgba);
