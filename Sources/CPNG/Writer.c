#include "CPNG.h"
#include "Failure.h"

#include <stdlib.h>
#include <string.h>

struct webimage_png_writer {
    webimage_png_failure failure;
    png_structp png;
    png_infop info;
    uint8_t *bytes;
    size_t count;
    size_t capacity;
};

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    webimage_png_writer *writer = png_get_io_ptr(png);
    if (count > writer->capacity - writer->count) {
        size_t capacity = (writer->count + count) * 2;
        uint8_t *grown = realloc(writer->bytes, capacity);
        if (!grown) {
            writer->failure.status = WEBIMAGE_PNG_OUT_OF_MEMORY;
            png_error(png, "out of memory");
        }
        writer->bytes = grown;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

// Memory needs no flushing; libpng's default would flush a FILE.
static void flush_nothing(png_structp png) { (void)png; }

webimage_png_writer *webimage_png_writer_create(void) {
    webimage_png_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    if (setjmp(writer->failure.target)) {
        webimage_png_writer_destroy(writer);
        return NULL;
    }
    writer->png = png_create_write_struct(
        PNG_LIBPNG_VER_STRING, &writer->failure, webimage_png_on_error, webimage_png_on_warning);
    writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
    if (writer->info) return writer;
    webimage_png_writer_destroy(writer);
    return NULL;
}

void webimage_png_writer_destroy(webimage_png_writer *writer) {
    if (!writer) return;
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->bytes);
    free(writer);
}

const char *webimage_png_writer_message(const webimage_png_writer *writer) { return writer->failure.message; }

static void write_palette(webimage_png_writer *writer, const webimage_png_form *form) {
    png_color colors[256];
    png_byte alphas[256];
    int translucent_count = 0;
    for (uint32_t i = 0; i < form->color_count; i++) {
        uint32_t color = form->colors[i];
        colors[i] = (png_color){(png_byte)color, (png_byte)(color >> 8), (png_byte)(color >> 16)};
        alphas[i] = (png_byte)(color >> 24);
        if (alphas[i] != 255) translucent_count = (int)i + 1;
    }
    png_set_PLTE(writer->png, writer->info, colors, (int)form->color_count);
    if (translucent_count) png_set_tRNS(writer->png, writer->info, alphas, translucent_count, NULL);
}

// PNG §11.3.2.6. This libpng does not know the chunk, but can write any.
static void write_code_points(webimage_png_writer *writer, const webimage_png_form *form) {
    const png_byte content[4] = {form->primaries, form->transfer, 0, 1};
    png_write_chunk(writer->png, (png_const_bytep)"cICP", content, sizeof content);
}

webimage_png_status webimage_png_writer_start(webimage_png_writer *writer, const webimage_png_form *form) {
    png_structp png = writer->png;
    if (setjmp(writer->failure.target)) return webimage_png_status_of(&writer->failure);
    png_set_write_fn(png, writer, write_bytes, flush_nothing);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(png, form->level);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, form->filters ? PNG_ALL_FILTERS : PNG_NO_FILTERS);
    png_set_IHDR(
        png, writer->info, form->width, form->height, form->bit_depth, form->color_type, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (form->color_type == PNG_COLOR_TYPE_PALETTE) write_palette(writer, form);
    png_write_info_before_PLTE(png, writer->info);
    if (form->primaries) write_code_points(writer, form);
    png_write_info(png, writer->info);
    if (form->bit_depth < 8) png_set_packing(png);
    if (form->bit_depth == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) png_set_swap(png);
    if (form->color_type == PNG_COLOR_TYPE_RGB) png_set_filler(png, 0, PNG_FILLER_AFTER);
    return WEBIMAGE_PNG_OK;
}

webimage_png_status webimage_png_writer_rows(
    webimage_png_writer *writer, const uint8_t *rows, size_t bytes_per_row, uint32_t count) {
    if (setjmp(writer->failure.target)) return webimage_png_status_of(&writer->failure);
    for (uint32_t row = 0; row < count; row++) png_write_row(writer->png, rows + row * bytes_per_row);
    return WEBIMAGE_PNG_OK;
}

webimage_png_status webimage_png_writer_finish(webimage_png_writer *writer, uint8_t **bytes, size_t *count) {
    if (setjmp(writer->failure.target)) return webimage_png_status_of(&writer->failure);
    png_write_end(writer->png, writer->info);
    *bytes = writer->bytes;
    *count = writer->count;
    writer->bytes = NULL;
    return WEBIMAGE_PNG_OK;
}
