#include "CPNG.h"
#include "Conversion.h"
#include "Failure.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

struct webimage_png_reader {
    webimage_png_failure failure;
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t count;
    size_t offset;
    // Rows of all passes that are not inflated yet.
    uint64_t rows_left;
    // The number of compressed bytes of pixels that were read behind the last row.
    size_t surplus;
    bool is_finishing, has_surplus;
};

// libpng inflates all that follows the last row, which may be gigabytes of a file of megabytes. Less than this is the end of
// the stream, or does no harm.
enum { largest_surplus = 1 << 14 };

static void read_bytes(png_structp png, png_bytep out, size_t count) {
    webimage_png_reader *reader = png_get_io_ptr(png);
    if (reader->rows_left == 0 && !reader->is_finishing) {
        reader->surplus += count;
        if (reader->surplus > largest_surplus) {
            reader->has_surplus = true;
            png_error(png, "too many rows");
        }
    }
    if (count > reader->count - reader->offset) {
        reader->failure.status = WEBIMAGE_PNG_TRUNCATED;
        png_error(png, "unexpected end of file");
    }
    memcpy(out, reader->bytes + reader->offset, count);
    reader->offset += count;
}

// libpng calls it with each row, before it looks for the next one.
static void note_row(png_structp png, png_row_infop info, png_bytep row) {
    (void)info;
    (void)row;
    webimage_png_reader *reader = png_get_io_ptr(png);
    if (reader->rows_left > 0) reader->rows_left--;
}

static uint64_t count_rows(png_structp png, png_infop info) {
    uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    if (png_get_interlace_type(png, info) == PNG_INTERLACE_NONE) return height;
    uint64_t count = 0;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        if (PNG_PASS_COLS(width, pass) > 0) count += PNG_PASS_ROWS(height, pass);
    }
    return count;
}

// Whether the chunks go on to the end of the file.
static bool has_end(const webimage_png_reader *reader) {
    size_t offset = 8;
    while (reader->count - offset >= 12) {
        const uint8_t *chunk = reader->bytes + offset;
        if (memcmp(chunk + 4, "IEND", 4) == 0) return true;
        size_t length = (size_t)png_get_uint_32(chunk);
        if (length > reader->count - offset - 12) return false;
        offset += length + 12;
    }
    return false;
}

webimage_png_reader *webimage_png_reader_create(const uint8_t *bytes, size_t count) {
    webimage_png_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->count = count;
    if (setjmp(reader->failure.target)) {
        webimage_png_reader_destroy(reader);
        return NULL;
    }
    reader->png = png_create_read_struct(
        PNG_LIBPNG_VER_STRING, &reader->failure, webimage_png_on_error, webimage_png_on_warning);
    reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
    if (reader->info) return reader;
    webimage_png_reader_destroy(reader);
    return NULL;
}

void webimage_png_reader_destroy(webimage_png_reader *reader) {
    if (!reader) return;
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

const char *webimage_png_reader_message(const webimage_png_reader *reader) { return reader->failure.message; }

webimage_png_status webimage_png_reader_start(
    webimage_png_reader *reader, bool is_deep, uint32_t *width, uint32_t *height) {
    png_structp png = reader->png;
    if (setjmp(reader->failure.target)) return webimage_png_status_of(&reader->failure);
    png_set_read_fn(png, reader, read_bytes);
    webimage_png_limit_chunks(png);
    // Until the header is known.
    reader->rows_left = 1;
    png_read_info(png, reader->info);
    reader->rows_left = count_rows(png, reader->info);
    png_set_read_user_transform_fn(png, note_row);
    webimage_png_convert_to_rgba(png, reader->info, is_deep);
    *width = png_get_image_width(png, reader->info);
    *height = png_get_image_height(png, reader->info);
    return WEBIMAGE_PNG_OK;
}

webimage_png_status webimage_png_reader_rows(
    webimage_png_reader *reader, uint8_t *rows, size_t bytes_per_row, uint32_t count) {
    if (setjmp(reader->failure.target)) {
        // All rows are there by then.
        return reader->has_surplus ? WEBIMAGE_PNG_OK : webimage_png_status_of(&reader->failure);
    }
    for (uint32_t row = 0; row < count; row++) png_read_row(reader->png, rows + row * bytes_per_row, NULL);
    return WEBIMAGE_PNG_OK;
}

webimage_png_status webimage_png_reader_finish(webimage_png_reader *reader) {
    if (reader->has_surplus) return has_end(reader) ? WEBIMAGE_PNG_OK : WEBIMAGE_PNG_TRUNCATED;
    if (setjmp(reader->failure.target)) return webimage_png_status_of(&reader->failure);
    reader->is_finishing = true;
    png_read_end(reader->png, NULL);
    return WEBIMAGE_PNG_OK;
}
