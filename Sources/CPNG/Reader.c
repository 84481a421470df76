#include "CPNG.h"
#include "Failure.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

// No chunk that we let libpng read needs more: PLTE and tRNS are under 1 KB.
static const png_alloc_size_t maximum_chunk_byte_count = 1 << 20;

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

// Everything becomes 8-bit RGBA: palette and low depths expanded, tRNS made alpha, 16 bits cut to 8. Rounding would be
// half a step nearer to the truth, but browsers and other decoders cut, and pictures must look alike everywhere.
static void convert_to_rgba8(png_structp png) {
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
}

webimage_png_status webimage_png_reader_start(webimage_png_reader *reader, uint32_t *width, uint32_t *height) {
    png_structp png = reader->png;
    if (setjmp(reader->failure.target)) return webimage_png_status_of(&reader->failure);
    png_set_read_fn(png, reader, read_bytes);
    png_set_chunk_malloc_max(png, maximum_chunk_byte_count);
    png_set_chunk_cache_max(png, 16);
    // Text, profiles and the like are skipped unread (-1: all but what the pixels need), so none can be a bomb.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(png, reader->info);
    convert_to_rgba8(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, reader->info);
    *width = png_get_image_width(png, reader->info);
    *height = png_get_image_height(png, reader->info);
    if (png_get_rowbytes(png, reader->info) != (size_t)*width * 4) png_error(png, "unexpected pixel layout");
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
