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

/// Reads up to the pixels and prepares their conversion to 8-bit RGBA, not premultiplied. Memory is taken for two rows.
webimage_png_status webimage_png_reader_start(webimage_png_reader *reader, uint32_t *width, uint32_t *height);

/// Reads the next `count` rows. Of an interlaced picture all rows are read WEBIMAGE_PNG_PASS_COUNT times into the same
/// memory; each pass leaves the pixels of the others as they are.
webimage_png_status webimage_png_reader_rows(
    webimage_png_reader *reader, uint8_t *rows, size_t bytes_per_row, uint32_t count);

enum { WEBIMAGE_PNG_PASS_COUNT = 7 };

/// Reads what follows the pixels, so that a file without its end is noticed.
webimage_png_status webimage_png_reader_finish(webimage_png_reader *reader);

typedef struct webimage_png_writer webimage_png_writer;

/// A writer of 8-bit pixels, four bytes each, not premultiplied; without alpha the fourth byte is dropped.
webimage_png_writer *webimage_png_writer_create(void);
void webimage_png_writer_destroy(webimage_png_writer *writer);
const char *webimage_png_writer_message(const webimage_png_writer *writer);

/// `level` is zlib's, 0 to 9.
webimage_png_status webimage_png_writer_start(
    webimage_png_writer *writer, uint32_t width, uint32_t height, bool has_alpha, int level);
webimage_png_status webimage_png_writer_rows(
    webimage_png_writer *writer, const uint8_t *rows, size_t bytes_per_row, uint32_t count);

/// Ends the file and gives its bytes away: the caller frees them with free().
webimage_png_status webimage_png_writer_finish(webimage_png_writer *writer, uint8_t **bytes, size_t *count);
