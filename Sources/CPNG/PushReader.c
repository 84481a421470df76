#include "CPNG.h"
#include "Conversion.h"
#include "Failure.h"

#include <stdlib.h>

struct webimage_png_push_reader {
    webimage_png_failure failure;
    png_structp png;
    png_infop info;
    bool is_deep;
    webimage_png_row_receiver receiver;
    void *context;
    // All rows of an interlaced picture, which each pass completes; NULL for others.
    uint8_t *picture;
    size_t bytes_per_row;
    int pass;
    bool is_at_end;
};

static void begin(png_structp png, png_infop info) {
    webimage_png_push_reader *reader = png_get_progressive_ptr(png);
    webimage_png_convert_to_rgba(png, info, reader->is_deep);
    reader->bytes_per_row = png_get_rowbytes(png, info);
    if (png_get_interlace_type(png, info) == PNG_INTERLACE_NONE) return;
    reader->picture = calloc(png_get_image_height(png, info), reader->bytes_per_row);
    if (reader->picture) return;
    reader->failure.status = WEBIMAGE_PNG_OUT_OF_MEMORY;
    png_error(png, "out of memory");
}

// libpng itself repeats rows and pixels to fill the gaps of a pass.
static void receive(png_structp png, png_bytep pixels, png_uint_32 row, int pass) {
    webimage_png_push_reader *reader = png_get_progressive_ptr(png);
    reader->pass = pass;
    if (!reader->picture) {
        reader->receiver(reader->context, row, pixels);
    } else {
        // A NULL row means that the pass has nothing for this row.
        uint8_t *known = reader->picture + row * reader->bytes_per_row;
        if (pixels) png_progressive_combine_row(png, known, pixels);
        reader->receiver(reader->context, row, known);
    }
}

static void end(png_structp png, png_infop info) {
    (void)info;
    webimage_png_push_reader *reader = png_get_progressive_ptr(png);
    reader->is_at_end = true;
}

webimage_png_push_reader *webimage_png_push_reader_create(
    bool is_deep, webimage_png_row_receiver receiver, void *context) {
    webimage_png_push_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->is_deep = is_deep;
    reader->receiver = receiver;
    reader->context = context;
    if (setjmp(reader->failure.target)) {
        webimage_png_push_reader_destroy(reader);
        return NULL;
    }
    reader->png = png_create_read_struct(
        PNG_LIBPNG_VER_STRING, &reader->failure, webimage_png_on_error, webimage_png_on_warning);
    reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
    if (!reader->info) {
        webimage_png_push_reader_destroy(reader);
        return NULL;
    }
    webimage_png_limit_chunks(reader->png);
    png_set_progressive_read_fn(reader->png, reader, begin, receive, end);
    return reader;
}

void webimage_png_push_reader_destroy(webimage_png_push_reader *reader) {
    if (!reader) return;
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader->picture);
    free(reader);
}

const char *webimage_png_push_reader_message(const webimage_png_push_reader *reader) {
    return reader->failure.message;
}

webimage_png_status webimage_png_push_reader_append(
    webimage_png_push_reader *reader, const uint8_t *bytes, size_t count) {
    if (setjmp(reader->failure.target)) return webimage_png_status_of(&reader->failure);
    // libpng's parameter is not const, but it does not write to the bytes.
    png_process_data(reader->png, reader->info, (png_bytep)(uintptr_t)bytes, count);
    return WEBIMAGE_PNG_OK;
}

bool webimage_png_push_reader_is_at_end(const webimage_png_push_reader *reader) { return reader->is_at_end; }

int webimage_png_push_reader_pass(const webimage_png_push_reader *reader) { return reader->pass; }
