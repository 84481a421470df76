#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An interface to libtiff for Swift: libtiff reads fields by variadic functions, and reports errors to handlers with a
// va_list.

typedef struct webimage_tiff_reader webimage_tiff_reader;

enum {
    WEBIMAGE_TIFF_WHITE_IS_ZERO = 0,
    WEBIMAGE_TIFF_BLACK_IS_ZERO = 1,
    WEBIMAGE_TIFF_RGB = 2,
    WEBIMAGE_TIFF_PALETTE = 3,
    WEBIMAGE_TIFF_MASK = 4,
    WEBIMAGE_TIFF_SEPARATED = 5,
    WEBIMAGE_TIFF_YCBCR = 6,
    WEBIMAGE_TIFF_CIELAB = 8,
    WEBIMAGE_TIFF_ICCLAB = 9,

    WEBIMAGE_TIFF_UNSIGNED = 1,
    WEBIMAGE_TIFF_SIGNED = 2,
    WEBIMAGE_TIFF_FLOAT = 3,
    WEBIMAGE_TIFF_UNTYPED = 4,
    WEBIMAGE_TIFF_COMPLEX_INTEGER = 5,
    WEBIMAGE_TIFF_COMPLEX_FLOAT = 6,

    WEBIMAGE_TIFF_NO_ALPHA = 0,
    WEBIMAGE_TIFF_ASSOCIATED_ALPHA = 1,
    WEBIMAGE_TIFF_UNASSOCIATED_ALPHA = 2,

    WEBIMAGE_TIFF_UNCOMPRESSED = 1,
    WEBIMAGE_TIFF_LZW = 5,
    WEBIMAGE_TIFF_DEFLATE = 8,
};

/// A directory's description of its picture. Pointers are valid until the reader is destroyed.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// 1 to 8, as in EXIF.
    uint16_t orientation;
    /// TIFF 6.0's number; RGB where the JPEG library converts YCbCr.
    uint16_t photometric;
    uint16_t bits_per_sample;
    uint16_t samples_per_pixel;
    uint16_t sample_format;
    /// The meaning of the sample after the colours.
    uint16_t alpha;
    /// Whether samples are stored in separate planes.
    bool is_planar;
    bool is_tiled;
    /// Columns and rows of a tile; for a strip, the picture's width and the strip's rows.
    uint32_t block_width;
    uint32_t block_height;
    /// Bytes of a decoded block (of one plane, if planar), of one of its rows, and of a row of the picture.
    uint64_t block_byte_count;
    uint64_t block_row_byte_count;
    uint64_t row_byte_count;
    /// TIFF's number of the compression, and whether libtiff was built with it.
    uint16_t compression;
    bool is_compression_known;
    /// Whether the compression is the JPEG variant of TIFF 6.0, obsolete since 1995.
    bool is_old_jpeg;
    /// Three tables of 2^bits entries of 16 bits, for palettes only.
    const uint16_t *red, *green, *blue;
    const void *profile;
    uint32_t profile_byte_count;
} webimage_tiff_header;

/// Reads a directory in `count` bytes, which must outlive the reader. NULL when memory is short; otherwise `is_open`
/// says whether it succeeded.
///
/// - place: The offset of the directory; 0 for the first one.
/// - memory_limit: The maximum number of bytes of one allocation of libtiff's.
webimage_tiff_reader *webimage_tiff_reader_create(
    const uint8_t *bytes, size_t count, size_t memory_limit, uint64_t place, bool *is_open);

/// Reads up to `count` bytes of a file; returns their number.
typedef size_t (*webimage_tiff_read)(void *context, uint64_t offset, void *bytes, size_t count);

/// The same for a file of `count` bytes that is not in memory.
webimage_tiff_reader *webimage_tiff_reader_open(
    webimage_tiff_read read, void *context, size_t count, size_t memory_limit, bool *is_open);
void webimage_tiff_reader_destroy(webimage_tiff_reader *reader);

/// libtiff's message for the last failure, one line; empty when there is none.
const char *webimage_tiff_reader_message(const webimage_tiff_reader *reader);

/// False when the directory lacks a required field.
bool webimage_tiff_reader_header(webimage_tiff_reader *reader, webimage_tiff_header *header);

/// Decodes row `y` of interleaved strips. Rows must be read in order.
bool webimage_tiff_reader_row(webimage_tiff_reader *reader, uint32_t y, void *row);

/// Decodes the tile or strip of one plane that contains pixel (x, y).
bool webimage_tiff_reader_block(
    webimage_tiff_reader *reader, uint32_t x, uint32_t y, uint16_t plane, void *block, uint64_t byte_count);

/// Decodes the tile or strip that contains pixel (x, y) of any picture that libtiff can convert: four bytes per pixel,
/// premultiplied, rows from the bottom up; a short strip is at the start of the block.
bool webimage_tiff_reader_converted_block(webimage_tiff_reader *reader, uint32_t x, uint32_t y, uint32_t *pixels);

/// Whether webimage_tiff_reader_converted_block works for this picture.
bool webimage_tiff_reader_can_convert(webimage_tiff_reader *reader);

/// Whether the file ends before one of the picture's strips or tiles.
bool webimage_tiff_reader_is_cut(webimage_tiff_reader *reader);

// Samples -----------------------------------------------------------------------------------------------------------

/// The location of one channel's samples in a row: every `step`th from `first` on, `bits` each. Samples of partial
/// bytes are packed from the highest bit down, others are in native byte order.
typedef struct {
    const uint8_t *row;
    size_t first;
    size_t step;
    unsigned bits;
    unsigned format;
} webimage_tiff_samples;

/// Writes `count` samples scaled to a byte, `result_step` bytes apart. Signed numbers are shifted up by half of their
/// range, except bytes; floats are 0 to 1.
void webimage_tiff_bytes(webimage_tiff_samples samples, uint8_t *result, size_t result_step, size_t count);

/// The same scaled to 16 bits, `result_step` numbers apart.
void webimage_tiff_words(webimage_tiff_samples samples, uint16_t *result, size_t result_step, size_t count);

/// Writes `count` unsigned samples as they are, for palettes.
void webimage_tiff_indices(webimage_tiff_samples samples, uint16_t *result, size_t count);

/// Writes `count` samples as floats: unsigned ones 0 to 1, signed ones -1 to 1, floats as they are.
void webimage_tiff_floats(webimage_tiff_samples samples, float *result, size_t count);

/// Divides colour by alpha in place; clamps the result, as other TIFF decoders do.
void webimage_tiff_unassociate(uint8_t *pixels, size_t count);

// Writing -----------------------------------------------------------------------------------------------------------

typedef struct webimage_tiff_writer webimage_tiff_writer;

/// A writer to memory; NULL when memory is short.
webimage_tiff_writer *webimage_tiff_writer_create(void);
void webimage_tiff_writer_destroy(webimage_tiff_writer *writer);
const char *webimage_tiff_writer_message(const webimage_tiff_writer *writer);

/// Begins a picture of 8 or 16 bits a sample: RGB, or RGB with straight alpha.
bool webimage_tiff_writer_start(
    webimage_tiff_writer *writer, uint32_t width, uint32_t height, bool has_alpha, uint16_t bits, uint16_t compression);
/// Writes row `y` of three or four samples a pixel, and modifies the row.
bool webimage_tiff_writer_row(webimage_tiff_writer *writer, uint32_t y, void *row);
/// Ends the file and returns its bytes, which the caller frees by free().
bool webimage_tiff_writer_finish(webimage_tiff_writer *writer, uint8_t **bytes, size_t *count);
