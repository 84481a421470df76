#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "JPEGRegions.h"

// libjpeg-turbo reports errors by longjmp. Every function here catches its own, so that none crosses a Swift frame, and
// returns a status instead. After any status but OK, MORE and INCOMPLETE, a decoder or encoder may only be asked for
// its message and destroyed.

typedef enum {
    /// Done.
    WEBIMAGE_JPEG_OK,
    /// Some work is done; call again.
    WEBIMAGE_JPEG_MORE,
    /// The end of incomplete bytes is reached: append more and call again.
    WEBIMAGE_JPEG_INCOMPLETE,
    /// The file ends before its picture does.
    WEBIMAGE_JPEG_TRUNCATED,
    /// More scans than allowed.
    WEBIMAGE_JPEG_TOO_MANY_SCANS,
    /// There is no memory for more bytes.
    WEBIMAGE_JPEG_OUT_OF_MEMORY,
    /// The message says what is wrong.
    WEBIMAGE_JPEG_FAILED,
} webimage_jpeg_status;

// Decoding ----------------------------------------------------------------------------------------------------------

typedef struct webimage_jpeg_decoder webimage_jpeg_decoder;

/// Bytes of a file that live as long as the decoder; NULL where the file has no such thing.
typedef struct {
    const uint8_t *start;
    size_t count;
} webimage_jpeg_bytes;

/// The content of a header.
typedef struct {
    uint32_t width, height;
    uint32_t bits_per_channel;
    /// Pixels are cyan, magenta, yellow, black instead of red, green, blue.
    bool is_cmyk;
    bool is_gray;
    /// Progressive, or one scan per channel: all coefficients are in memory until the last scan is read.
    bool has_multiple_scans;
    /// Arithmetic coding, whose decoder cannot suspend.
    bool is_arithmetic;
    webimage_jpeg_bytes exif, xmp, icc_profile;
} webimage_jpeg_header;

/// A decoder of bytes that must not move until it is destroyed. NULL when there is no memory.
webimage_jpeg_decoder *webimage_jpeg_decoder_create(const uint8_t *bytes, size_t count, bool is_complete);
void webimage_jpeg_decoder_destroy(webimage_jpeg_decoder *decoder);

/// Appends a copy of the next bytes of an incomplete file.
webimage_jpeg_status webimage_jpeg_append(webimage_jpeg_decoder *decoder, const uint8_t *bytes, size_t count);

/// libjpeg's message for the last failure.
const char *webimage_jpeg_decoder_message(const webimage_jpeg_decoder *decoder);

/// Reads up to the first scan. Call it first.
webimage_jpeg_status webimage_jpeg_read_header(webimage_jpeg_decoder *decoder, webimage_jpeg_header *header);

/// Selects decoding at `eighths` / 8 of the size, and returns the resulting size. Without `smooths_chroma`, colours
/// with a lower resolution are repeated instead of interpolated.
webimage_jpeg_status webimage_jpeg_set_scale(
    webimage_jpeg_decoder *decoder, uint32_t eighths, bool smooths_chroma, uint32_t *width, uint32_t *height);

/// Prepares for pixels, after the header and the scale. With a single scan, rows can be read at once.
webimage_jpeg_status webimage_jpeg_start(webimage_jpeg_decoder *decoder);

/// Reads a row of blocks or a few markers of a file with multiple scans. Call it as long as it returns MORE; OK means
/// the end of the file. A scan counts as complete with its last block.
webimage_jpeg_status webimage_jpeg_read_scans(
    webimage_jpeg_decoder *decoder, uint32_t maximum_scan_count, uint32_t *complete_scan_count);

/// The precision of all blocks after the complete scans of a progressive file.
typedef enum {
    WEBIMAGE_JPEG_NOTHING,
    /// The average colour of each, to a limited precision.
    WEBIMAGE_JPEG_AVERAGES,
    /// Every coefficient, to a limited precision.
    WEBIMAGE_JPEG_ALL_ROUGHLY,
    /// Every coefficient except its last bit.
    WEBIMAGE_JPEG_NEARLY_ALL,
} webimage_jpeg_precision;

webimage_jpeg_precision webimage_jpeg_known_precision(const webimage_jpeg_decoder *decoder);

/// Moves to the first row of a file with multiple scans, in its state after a complete scan.
webimage_jpeg_status webimage_jpeg_start_pass(
    webimage_jpeg_decoder *decoder, uint32_t scan, bool smooths_blocks);

/// Ends a pass after its last row; then more scans can be read.
webimage_jpeg_status webimage_jpeg_finish_pass(webimage_jpeg_decoder *decoder);

/// Reads one row of four bytes per pixel: red, green, blue, 255, or cyan, magenta, yellow, black.
webimage_jpeg_status webimage_jpeg_read_row(webimage_jpeg_decoder *decoder, uint8_t *row);

// Encoding ----------------------------------------------------------------------------------------------------------

typedef struct webimage_jpeg_encoder webimage_jpeg_encoder;

/// An encoder for rows of four bytes per pixel: red, green, blue, unused. NULL when there is no memory.
webimage_jpeg_encoder *webimage_jpeg_encoder_create(void);
void webimage_jpeg_encoder_destroy(webimage_jpeg_encoder *encoder);
const char *webimage_jpeg_encoder_message(const webimage_jpeg_encoder *encoder);

/// - quality: 1 to 100. - full_chroma: 4:4:4 instead of 4:2:0.
webimage_jpeg_status webimage_jpeg_encoder_start(
    webimage_jpeg_encoder *encoder, uint32_t width, uint32_t height, uint32_t quality, bool full_chroma);

/// Writes an APP1 segment, before the first row.
webimage_jpeg_status webimage_jpeg_write_app1(webimage_jpeg_encoder *encoder, const uint8_t *content, size_t count);

webimage_jpeg_status webimage_jpeg_write_row(webimage_jpeg_encoder *encoder, const uint8_t *row);

/// Ends the file. The bytes are valid until the encoder is destroyed.
webimage_jpeg_status webimage_jpeg_encoder_finish(
    webimage_jpeg_encoder *encoder, const uint8_t **bytes, size_t *count);
