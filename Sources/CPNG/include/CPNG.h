#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A face of libpng that Swift can call. libpng reports errors by longjmp, which must not cross a Swift frame: every
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

/// Why the last call failed: one line in libpng's words.
const char *webimage_png_reader_message(const webimage_png_reader *reader);

/// Reads up to the pixels and prepares their conversion to RGBA, not premultiplied, of 8 bits or, when `is_deep`, of 16 in
/// the machine's byte order. Memory is taken for two rows.
webimage_png_status webimage_png_reader_start(
    webimage_png_reader *reader, bool is_deep, uint32_t *width, uint32_t *height);

/// Reads the next `count` rows. Of an interlaced picture all rows are read WEBIMAGE_PNG_PASS_COUNT times into the same
/// memory; each pass leaves the pixels of the others as they are.
webimage_png_status webimage_png_reader_rows(
    webimage_png_reader *reader, uint8_t *rows, size_t bytes_per_row, uint32_t count);

enum { WEBIMAGE_PNG_PASS_COUNT = 7 };

/// Reads what follows the pixels, so that a file without its end is noticed.
webimage_png_status webimage_png_reader_finish(webimage_png_reader *reader);

// A file that is still coming -------------------------------------------------------------------------------------------

typedef struct webimage_png_push_reader webimage_png_push_reader;

/// Told of each row: its number from the top and its pixels. Of an interlaced picture each pass tells all rows that it can
/// fill, and pixels that have not come yet are like the next one that has, left or above.
typedef void (*webimage_png_row_receiver)(void *context, uint32_t row, const uint8_t *pixels);

/// A reader that is given the bytes of a file as they come; NULL when memory is short. Of an interlaced picture it keeps
/// all pixels, of others one row.
webimage_png_push_reader *webimage_png_push_reader_create(
    bool is_deep, webimage_png_row_receiver receiver, void *context);
void webimage_png_push_reader_destroy(webimage_png_push_reader *reader);
const char *webimage_png_push_reader_message(const webimage_png_push_reader *reader);

/// Takes the next bytes and tells of the rows in them before it returns.
webimage_png_status webimage_png_push_reader_append(
    webimage_png_push_reader *reader, const uint8_t *bytes, size_t count);

/// Whether the end of the file has come.
bool webimage_png_push_reader_is_at_end(const webimage_png_push_reader *reader);

/// The pass that is being read, 0 to 6.
int webimage_png_push_reader_pass(const webimage_png_push_reader *reader);

// Writing ---------------------------------------------------------------------------------------------------------------

typedef struct webimage_png_writer webimage_png_writer;

webimage_png_writer *webimage_png_writer_create(void);
void webimage_png_writer_destroy(webimage_png_writer *writer);
const char *webimage_png_writer_message(const webimage_png_writer *writer);

/// What a file is to hold.
typedef struct {
    uint32_t width, height;
    /// PNG's own numbers (PNG §11.2.1).
    uint8_t color_type, bit_depth;
    /// zlib's, 0 to 9.
    int8_t level;
    /// Whether each row is filtered as seems best for it; else none is.
    bool filters;
    /// The palette, red in the lowest byte, straight alpha in the highest: those that are not opaque come first.
    const uint32_t *colors;
    uint32_t color_count;
    /// Primaries and transfer function by ITU-T H.273; 0 for sRGB, of which nothing is written.
    uint8_t primaries, transfer;
} webimage_png_form;

webimage_png_status webimage_png_writer_start(webimage_png_writer *writer, const webimage_png_form *form);

/// Writes `count` rows of samples as the file has them: one byte each, also of fewer bits, or 16 bits in the machine's byte
/// order. RGB has a fourth sample, which is left out.
webimage_png_status webimage_png_writer_rows(
    webimage_png_writer *writer, const uint8_t *rows, size_t bytes_per_row, uint32_t count);

/// Ends the file and gives its bytes away: the caller frees them with free().
webimage_png_status webimage_png_writer_finish(webimage_png_writer *writer, uint8_t **bytes, size_t *count);

// Colours of pixels to write --------------------------------------------------------------------------------------------

enum { WEBIMAGE_PNG_PALETTE_SIZE = 256 };

typedef struct webimage_png_colors webimage_png_colors;

/// The colours of 8-bit RGBA pixels; NULL when a palette does not suffice for them, or memory is short.
webimage_png_colors *webimage_png_colors_create(const uint8_t *pixels, size_t count);
void webimage_png_colors_destroy(webimage_png_colors *colors);

/// The palette, as webimage_png_form has it; from then on this is the order of the indices.
const uint32_t *webimage_png_colors_sorted(webimage_png_colors *colors, uint32_t *count);

/// The index of each pixel, all of whose colours must be known.
void webimage_png_colors_index(
    const webimage_png_colors *colors, const uint8_t *pixels, size_t count, uint8_t *indices);

/// Whether red, green and blue are the same everywhere, in RGBA of 8 bits or of 16.
bool webimage_png_is_gray(const void *pixels, size_t count, bool is_deep);

/// Takes gray, and alpha where it is wanted, out of such pixels.
void webimage_png_take_gray(const void *pixels, size_t count, bool is_deep, bool has_alpha, void *result);

// Rows without libpng --------------------------------------------------------------------------------------------------

/// What the inflated bytes of a picture that is not interlaced are, at 8 bits a channel or fewer.
typedef struct {
    uint32_t width;
    /// 1 for gray and palette indices, 2 for gray and alpha, 3 for RGB, 4 for RGBA.
    uint32_t channels;
    /// 8; for one channel also 1, 2 or 4.
    uint32_t bit_depth;
    /// The colour of RGB that is transparent, red in the lowest byte; any number above 24 bits for none.
    uint32_t transparent_color;
} webimage_png_layout;

typedef struct webimage_png_rows webimage_png_rows;

/// Undoes the filters of inflated rows, each with its filter byte of 0 to 4 before it. `inflated` must outlive this and
/// go on for webimage_png_rows_slack() bytes behind the last row, which are read. Of one channel `colors` has the pixel
/// of each value (256 of them), red in the lowest byte. NULL when memory is short.
webimage_png_rows *webimage_png_rows_create(const uint8_t *inflated, webimage_png_layout layout, const uint32_t *colors);
void webimage_png_rows_destroy(webimage_png_rows *rows);
size_t webimage_png_rows_slack(void);

/// Writes the next row as 8-bit RGBA, not premultiplied. To be called for as many rows as there are.
void webimage_png_rows_next(webimage_png_rows *rows, uint8_t *rgba);
