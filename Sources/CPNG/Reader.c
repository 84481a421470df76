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
};

static void read_bytes(png_structp png, png_bytep out, size_t count) {
    webimage_png_reader *reader = png_get_io_ptr(png);
    if (count > reader->count - reader->offset) {
        reader->failure.status = WEBIMAGE_PNG_TRUNCATED;
        png_error(png, "unexpected end of file");
    }
    memcpy(out, reader->bytes + reader->offset, count);
    reader->offset += count;
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
    png_read_info(png, reader->info);
    webimage_png_convert_to_rgba(png, reader->info, is_deep);
    *width = png_get_image_width(png, reader->info);
    *height = png_get_image_height(png, reader->info);
    return WEBIMAGE_PNG_OK;
}

webimage_png_status webimage_png_reader_rows(
    webimage_png_reader *reader, uint8_t *rows, size_t bytes_per_row, uint32_t count) {
    if (setjmp(reader->failure.target)) return webimage_png_status_of(&reader->failure);
    for (uint32_t row = 0; row < count; row++) png_read_row(reader->png, rows + row * bytes_per_row, NULL);
    return WEBIMAGE_PNG_OK;
}

webimage_png_status webimage_png_reader_finish(webimage_png_reader *reader) {
    if (setjmp(reader->failure.target)) return webimage_png_status_of(&reader->failure);
    png_read_end(reader->png, NULL);
    return WEBIMAGE_PNG_OK;
}
