#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Rows from the middle of a file: the stream of compressed pixels is continued at the beginning of one of its blocks, and
// the filters of rows are reversed, without any conversion.

typedef struct webimage_png_scan webimage_png_scan;

/// The most bytes that a block may refer back to.
#define WEBIMAGE_PNG_WINDOW_BYTES 32768

typedef enum {
    /// All bytes are used; go on with the next ones.
    WEBIMAGE_PNG_SCAN_MORE,
    /// There is no more room for rows.
    WEBIMAGE_PNG_SCAN_ROOM,
    /// A block has ended, from which a scan can go on.
    WEBIMAGE_PNG_SCAN_BLOCK,
    /// The stream has ended.
    WEBIMAGE_PNG_SCAN_END,
    WEBIMAGE_PNG_SCAN_FAILED,
} webimage_png_scan_status;

/// The state that a scan needs to go on behind a block, apart from the place in the file.
typedef struct {
    /// The bits of the last byte that belong to the next block, and their value.
    uint32_t bits, value;
    /// The last bytes before it.
    uint32_t window_count;
    /// The bytes of an unfinished row, with its filter's number.
    uint32_t partial_count;
} webimage_png_scan_place;

/// A scan at the beginning of a stream. NULL when there is no memory.
///
/// - row_byte_count: The bytes of a row, without its filter's number.
/// - pixel_byte_count: The bytes from a pixel to the next, at least 1.
webimage_png_scan *webimage_png_scan_create(size_t row_byte_count, size_t pixel_byte_count);
void webimage_png_scan_destroy(webimage_png_scan *scan);

/// Moves a new scan behind a block. `prior` is the row before the next one, zeros for none.
bool webimage_png_scan_resume(
    webimage_png_scan *scan, webimage_png_scan_place place, const uint8_t *window, const uint8_t *prior,
    const uint8_t *partial);

/// Reads rows, each with the filter number 0 before it.
///
/// - used: The bytes that were read.
/// - rows: Room for `capacity` rows.
/// - stops_at_blocks: Whether to return at the end of each block.
webimage_png_scan_status webimage_png_scan_read(
    webimage_png_scan *scan, const uint8_t *bytes, size_t count, size_t *used, uint8_t *rows, size_t capacity,
    size_t *made, bool stops_at_blocks);

/// The place behind a block. `window` has room for WEBIMAGE_PNG_WINDOW_BYTES, `prior` for a row, `partial` for a row and
/// its filter's number.
webimage_png_scan_place webimage_png_scan_get_place(
    webimage_png_scan *scan, uint8_t *window, uint8_t *prior, uint8_t *partial);
